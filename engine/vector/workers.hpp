// Threads that do one piece of work each, again and again, all starting at the same moment.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace jimbot {

class Workers {
public:
    // work(0) runs on the calling thread, work(1) to work(threads - 1) on threads of their own.
    Workers(int threads, std::function<void(int)> work);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    // Runs all pieces; returns when the last is done.
    void run();

private:
    void serve(int thread);

    std::function<void(int)> work_;
    std::vector<std::thread> threads_;
    // On cache lines of their own: one is written by the caller, the other by the workers.
    alignas(64) std::atomic<std::uint32_t> turn_ = 0;
    alignas(64) std::atomic<int> busy_ = 0;
    alignas(64) std::atomic<bool> stop_ = false;
};

}  // namespace jimbot
