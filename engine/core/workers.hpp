// A pool of threads that all run the same function, again and again, each with its own number.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace jimbot {

// One caller at a time: run() is not reentrant, and its callers must take turns. A forked process starts the
// threads anew at its first run().
class Workers {
public:
    // work(0) runs on the calling thread, work(1) to work(threads - 1) on others. It must not throw.
    // Throws std::system_error if the system refuses a thread.
    Workers(int threads, std::function<void(int)> work);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    // Calls work(0) to work(threads - 1) in parallel and returns when the last call has returned. Throws
    // std::system_error, and calls nothing, if this process was forked and the system refuses it a thread.
    void run();

private:
    void start();
    void serve(int thread);
    void stop();
    void abandon();

    std::function<void(int)> work_;
    int others_;           // threads besides the caller's
    std::uint32_t forks_;  // fork_count() when they were started
    std::vector<std::thread> threads_;
    // On separate cache lines: the caller writes the first, the workers write the second.
    alignas(64) std::atomic<std::uint32_t> round_ = 0;
    alignas(64) std::atomic<int> busy_ = 0;
    alignas(64) std::atomic<bool> stop_ = false;
};

}  // namespace jimbot
