#include "core/forks.hpp"

#include <stdexcept>

#if __has_include(<pthread.h>)
#include <pthread.h>
#endif

namespace jimbot {

namespace {

std::atomic<std::uint32_t> forks = 0;

#if __has_include(<pthread.h>)
// Asking for the process id would be a system call in every step; this runs once per fork, in the child.
[[maybe_unused]] const int registered = pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1); });
#endif

}  // namespace

std::uint32_t fork_count() { return forks.load(std::memory_order_relaxed); }

ForkAwareMutex::Locked ForkAwareMutex::try_lock() {
    const std::uint32_t mine = 1 + fork_count();
    std::uint32_t holder = 0;
    if (holder_.compare_exchange_strong(holder, mine, std::memory_order_acquire)) {
        return Locked::yes;
    }
    return holder == mine ? Locked::busy : Locked::lost;
}

bool ForkAwareMutex::lock_unless_lost() {
    for (;;) {
        const Locked locked = try_lock();
        if (locked != Locked::busy) {
            return locked == Locked::yes;
        }
        holder_.wait(1 + fork_count());
    }
}

void ForkAwareMutex::lock() {
    if (!lock_unless_lost()) {
        throw std::runtime_error(
            "this process was forked while another thread was inside this object; make a new one "
            "in the forked process");
    }
}

void ForkAwareMutex::unlock() {
    holder_.store(0, std::memory_order_release);
    holder_.notify_one();
}

}  // namespace jimbot
