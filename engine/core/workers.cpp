#include "core/workers.hpp"

#include <chrono>
#include <utility>

#include "core/forks.hpp"

#if defined(_MSC_VER)
#include <intrin.h>
#endif

namespace jimbot {

namespace {

void relax() {
#if defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
    _mm_pause();
#elif defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// Handles of threads that a fork left behind.
struct Lost {
    std::vector<std::thread> threads;
    Lost* next;
};

// Spins until done() holds; false if it is time to sleep instead. A system call to sleep and wake costs as
// much as fifty environment steps, so a thread first polls in a tight loop, while the next round is likely to
// start, and then polls while yielding the processor to other threads.
template <typename Done> bool spin_until(Done done) {
    constexpr int kTightPolls = 256;
    constexpr auto kPatience = std::chrono::microseconds(100);
    for (int i = 0; i < kTightPolls; ++i) {
        if (done()) {
            return true;
        }
        relax();
    }
    const auto start = std::chrono::steady_clock::now();
    do {
        for (int i = 0; i < 8; ++i) {
            if (done()) {
                return true;
            }
            relax();
        }
        std::this_thread::yield();
    } while (std::chrono::steady_clock::now() - start < kPatience);
    return done();
}

}  // namespace

Workers::Workers(int threads, std::function<void(int)> work)
    : work_(std::move(work)), others_(threads > 1 ? threads - 1 : 0), forks_(fork_count()) {
    start();
}

void Workers::start() {
    stop_ = false;
    round_ = 0;
    try {
        for (int thread = 1; thread <= others_; ++thread) {
            threads_.emplace_back([this, thread] { serve(thread); });
        }
    } catch (...) {  // the system has no more threads; those that run must end before the members do
        stop();
        throw;
    }
}

Workers::~Workers() {
    if (forks_ != fork_count()) {
        abandon();
    }
    stop();
}

// Lets go of threads that the fork left in the parent. They can be neither joined nor detached here: there is
// nothing to wait for, and the system may have given their handles to new threads. So the handles are kept,
// and never used.
void Workers::abandon() {
    static std::atomic<Lost*> all = nullptr;
    Lost* const lost = new Lost{std::move(threads_), all.load()};
    while (!all.compare_exchange_weak(lost->next, lost)) {
    }
    threads_.clear();
}

void Workers::stop() {
    stop_ = true;
    round_.fetch_add(1);
    round_.notify_all();
    for (std::thread& thread : threads_) {
        thread.join();
    }
    threads_.clear();
}

void Workers::serve(int thread) {
    std::uint32_t seen = 0;
    for (;;) {
        if (!spin_until([&] { return round_.load(std::memory_order_acquire) != seen; })) {
            round_.wait(seen);
        }
        seen = round_.load();
        if (stop_) {
            return;
        }
        work_(thread);
        if (busy_.fetch_sub(1) == 1) {
            busy_.notify_one();
        }
    }
}

void Workers::run() {
    if (others_ == 0) {
        work_(0);
        return;
    }
    if (const std::uint32_t now = fork_count(); forks_ != now) {
        abandon();
        start();
        forks_ = now;
    }
    busy_ = static_cast<int>(threads_.size());
    round_.fetch_add(1);
    round_.notify_all();
    work_(0);
    if (spin_until([&] { return busy_.load(std::memory_order_acquire) == 0; })) {
        return;
    }
    for (int left = busy_.load(); left != 0; left = busy_.load()) {
        busy_.wait(left);
    }
}

}  // namespace jimbot
