// Timing loops of the benchmarks.
#pragma once

#include <chrono>
#include <cstdint>
#include <tuple>

namespace jimbot::bindings {

// Operations done, seconds they took, checksum.
using Measurement = std::tuple<std::uint64_t, double, double>;

// Repeats work(operations so far, operations to do), which returns a part of the checksum, until the time is
// over.
template <typename Work> Measurement measure(double seconds, std::uint64_t chunk, Work work) {
    using Clock = std::chrono::steady_clock;
    double checksum = work(0, chunk);  // warms caches and tables; not counted
    std::uint64_t operations = 0;
    const auto start = Clock::now();
    double elapsed = 0.0;
    do {
        checksum += work(operations, chunk);
        operations += chunk;
        elapsed = std::chrono::duration<double>(Clock::now() - start).count();
    } while (elapsed < seconds);
    return {operations, elapsed, checksum};
}

}  // namespace jimbot::bindings
