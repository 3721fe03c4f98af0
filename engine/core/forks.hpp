// Forked processes: the threads of the process before the fork do not run in them, and what these held stays
// held.
#pragma once

#include <atomic>
#include <cstdint>

namespace jimbot {

// The number of forks between the process that loaded the engine and this one. What was started at another
// number has lost its threads. Counted where processes fork (POSIX); elsewhere always 0.
std::uint32_t fork_count();

// A mutex that a forked process never waits for in vain: it knows in which process it was locked.
class ForkAwareMutex {
public:
    enum class Locked : std::uint8_t {
        yes,
        busy,  // a thread of this process holds it
        lost,  // a thread of the process before the fork held it, and will never unlock it here
    };

    Locked try_lock();
    // Waits until it is free. Throws std::runtime_error if it is lost.
    void lock();
    // The same; false instead of the exception.
    bool lock_unless_lost();
    void unlock();

private:
    std::atomic<std::uint32_t> holder_ = 0;  // 1 + fork_count() where it was locked; 0: free
};

}  // namespace jimbot
