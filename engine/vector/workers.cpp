#include "vector/workers.hpp"

#include <chrono>
#include <utility>

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

// Sleeping and waking costs as much as fifty steps, so a thread first looks for a while: closely while the
// next turn is likely, then giving way to others. False if it is time to sleep.
template <typename Done> bool look_for(Done done) {
    constexpr int kCloseLooks = 256;
    constexpr auto kPatience = std::chrono::microseconds(100);
    for (int i = 0; i < kCloseLooks; ++i) {
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

Workers::Workers(int threads, std::function<void(int)> work) : work_(std::move(work)) {
    for (int thread = 1; thread < threads; ++thread) {
        threads_.emplace_back([this, thread] { serve(thread); });
    }
}

Workers::~Workers() {
    stop_ = true;
    turn_.fetch_add(1);
    turn_.notify_all();
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

void Workers::serve(int thread) {
    std::uint32_t seen = 0;
    for (;;) {
        if (!look_for([&] { return turn_.load(std::memory_order_acquire) != seen; })) {
            turn_.wait(seen);
        }
        seen = turn_.load();
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
    if (threads_.empty()) {
        work_(0);
        return;
    }
    busy_ = static_cast<int>(threads_.size());
    turn_.fetch_add(1);
    turn_.notify_all();
    work_(0);
    if (look_for([&] { return busy_.load(std::memory_order_acquire) == 0; })) {
        return;
    }
    for (int left = busy_.load(); left != 0; left = busy_.load()) {
        busy_.wait(left);
    }
}

}  // namespace jimbot
