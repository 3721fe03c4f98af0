// One thread at a time inside an object whose calls may run without the interpreter lock.
#pragma once

#include <atomic>
#include <stdexcept>
#include <string>

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
    std::atomic<const char*> method_ = nullptr;
};

// Occupies an object for as long as it lives. Throws std::runtime_error if another thread does.
class Exclusive {
public:
    Exclusive(Occupancy& occupancy, const char* method) : occupancy_(occupancy) {
        const char* inside = nullptr;
        if (!occupancy_.method_.compare_exchange_strong(inside, method, std::memory_order_acquire)) {
            throw std::runtime_error(std::string("VectorEnv.") + method +
                                     ": another thread is inside VectorEnv." + inside +
                                     "; use one VectorEnv per thread, or a lock around its calls");
        }
    }
    ~Exclusive() { occupancy_.method_.store(nullptr, std::memory_order_release); }
    Exclusive(const Exclusive&) = delete;
    Exclusive& operator=(const Exclusive&) = delete;

private:
    Occupancy& occupancy_;
};

}  // namespace jimbot
