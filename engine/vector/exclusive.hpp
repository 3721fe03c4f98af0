// One thread at a time inside an object whose calls may run without the interpreter lock.
#pragma once

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>

#include "core/forks.hpp"

namespace jimbot {

// Names the method that a thread is inside now. A VectorEnv has one set of worker threads, one set of results
// and one record per game: a second call that waited for the first would find, and return, results that are
// not its caller's. So a second call is refused instead, with both methods named.
class Occupancy {
public:
    Occupancy() = default;
    Occupancy(const Occupancy&) = delete;
    Occupancy& operator=(const Occupancy&) = delete;

private:
    friend class Exclusive;
    ForkAwareMutex mutex_;
    std::atomic<const char*> method_ =
        nullptr;  // set while the mutex is locked, but for its first and last moment
};

// Occupies an object for as long as it lives. Throws std::runtime_error if another thread does, or if one did
// when this process was forked from it.
class Exclusive {
public:
    Exclusive(Occupancy& occupancy, const char* method) : occupancy_(occupancy) {
        for (;;) {
            const ForkAwareMutex::Locked locked = occupancy.mutex_.try_lock();
            if (locked == ForkAwareMutex::Locked::yes) {
                break;
            }
            const char* const inside = occupancy.method_.load();
            if (locked == ForkAwareMutex::Locked::lost) {
                throw std::runtime_error(std::string("VectorEnv.") + method +
                                         ": this process was forked while a thread was inside VectorEnv." +
                                         (inside != nullptr ? inside : method) +
                                         ", so some games may be half stepped; make a new VectorEnv here");
            }
            if (inside != nullptr) {
                throw std::runtime_error(std::string("VectorEnv.") + method +
                                         ": another thread is inside VectorEnv." + inside +
                                         "; use one VectorEnv per thread, or a lock around its calls");
            }
            std::this_thread::yield();  // it is just coming or going
        }
        occupancy.method_.store(method);
    }
    ~Exclusive() {
        occupancy_.method_.store(nullptr);
        occupancy_.mutex_.unlock();
    }
    Exclusive(const Exclusive&) = delete;
    Exclusive& operator=(const Exclusive&) = delete;

private:
    Occupancy& occupancy_;
};

}  // namespace jimbot
