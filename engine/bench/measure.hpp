// The timing loop of the benchmarks, and the table they are looked up in.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>

namespace jimbot::bench {

// Operations done, seconds they took, checksum of their results.
using Measurement = std::tuple<std::uint64_t, double, double>;

// Calls work(operations so far, operations to do), which returns a part of the checksum, until the time is
// over. The checksum keeps the compiler from leaving work out.
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

// A named benchmark, and the operations between two looks at the clock.
struct Benchmark {
    const char* name;
    std::uint64_t chunk;
    double (*work)(std::uint64_t, std::uint64_t);
};

// Throws std::invalid_argument, with all names, for a name that is not in the table.
inline Measurement measure_by_name(std::span<const Benchmark> table, const std::string& name,
                                   double seconds) {
    const auto found = std::ranges::find_if(table, [&](const Benchmark& each) { return name == each.name; });
    if (found == table.end()) {
        std::string message = "unknown benchmark '" + name + "'; expected one of";
        for (const Benchmark& each : table) {
            message.append(" ").append(each.name);
        }
        throw std::invalid_argument(message);
    }
    return measure(seconds, found->chunk, found->work);
}

}  // namespace jimbot::bench
