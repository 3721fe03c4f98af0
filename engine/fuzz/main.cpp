// Runs the conformance battery (fuzz/conformance.hpp):
//
//     engine_conformance [--games N | --seconds S] [--batch B] [--first N] [--threads T] [--save DIRECTORY]
//                        [--report FILE] [--game N]
//
// --games sets the number of games (default 200), --seconds a time limit instead. Every failure is printed
// with the seed and the number of its game, and saved as JSON in --save (default: the current directory), for
// tests/balatro/failures.py to read. --game N plays one game of the batch again. Afterwards a part of the
// batch is played once more on one thread and on two, which must give the same hash. Exit code 0: no
// failure; 1: a failure; 2: options that make no sense.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <limits>
#include <string>

#include "fuzz/conformance.hpp"
#include "fuzz/record.hpp"

namespace {

using jimbot::fuzz::Failure;
using jimbot::fuzz::Report;
using jimbot::fuzz::run_batch;

constexpr std::uint64_t kChunk = 64;
constexpr std::size_t kMaxSaved = 20;
constexpr std::uint32_t kMaxThreads = 1024;

struct Options {
    std::uint64_t games = 200;
    double seconds = 0;
    std::uint64_t batch = 1;
    std::uint64_t first = 0;
    int threads = 1;
    std::string save = ".";
    std::string report;
};

// The whole text as a number of this type, at least 0; false if it is none.
template <typename Number> bool parse(const char* text, Number& number) {
    constexpr double kExact = 1e15;  // beyond it a double cannot hold every whole number
    const double most = std::min(kExact, static_cast<double>(std::numeric_limits<Number>::max()));
    char* end = nullptr;
    const double value = std::strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= 0.0 && value <= most)) {
        return false;
    }
    number = static_cast<Number>(value);
    return static_cast<double>(number) == value;
}

bool read_option(const std::string& name, const char* value, Options& options) {
    if (name == "--games") {
        return parse(value, options.games);
    }
    if (name == "--seconds") {
        return parse(value, options.seconds);
    }
    if (name == "--batch") {
        return parse(value, options.batch);
    }
    if (name == "--first") {
        return parse(value, options.first);
    }
    if (name == "--threads") {
        std::uint32_t threads = 0;
        const bool valid = parse(value, threads) && threads >= 1 && threads <= kMaxThreads;
        options.threads = static_cast<int>(threads);
        return valid;
    }
    if (name == "--game") {
        options.games = 1;
        return parse(value, options.first);
    }
    if (name == "--save") {
        options.save = value;
        return !options.save.empty();
    }
    if (name == "--report") {
        options.report = value;
        return !options.report.empty();
    }
    return false;
}

bool read_options(int count, const char* const* arguments, Options& options) {
    for (int i = 1; i < count; i += 2) {
        const char* value = i + 1 < count ? arguments[i + 1] : "";
        if (!read_option(arguments[i], value, options)) {
            std::cerr << "cannot use option " << arguments[i] << " with the value '" << value
                      << "'; the first lines of engine/fuzz/main.cpp list the options\n";
            return false;
        }
    }
    return true;
}

// Prints a failure, and saves it unless many were saved before.
void report_failure(const Failure& failure, std::size_t number, const Options& options) {
    std::cout << "FAILED " << failure.check << ": " << failure.detail << "\n  batch " << failure.plan.batch
              << ", game " << failure.plan.number << ", seed " << failure.plan.seed << ", "
              << failure.events.size() << " events\n";
    if (number >= kMaxSaved) {
        return;
    }
    const std::string path = options.save + "/failure-" + std::to_string(failure.plan.batch) + "-" +
                             std::to_string(failure.plan.number) + ".json";
    std::ofstream(path) << failure_json(failure);
    std::cout << "  saved as " << path << "\n" << std::flush;
}

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Report run(const Options& options, double& elapsed) {
    const double start = now();
    double printed = start;
    Report report;
    for (std::uint64_t done = 0;
         options.seconds > 0 ? now() - start < options.seconds : done < options.games;) {
        const std::uint64_t count = options.seconds > 0 ? kChunk : std::min(kChunk, options.games - done);
        const std::size_t known = report.failures.size();
        report.add(run_batch(options.batch, options.first + done, count, options.threads, true));
        for (std::size_t i = known; i < report.failures.size(); ++i) {
            report_failure(report.failures[i], i, options);
        }
        done += count;
        if (now() - printed > 60) {
            printed = now();
            std::cout << report.games << " games, " << report.nodes << " decisions, "
                      << report.failures.size() << " failures" << "\n"
                      << std::flush;
        }
    }
    elapsed = now() - start;
    return report;
}

// The same games without checks, on one thread and on two, must give the same hash.
bool repeats(const Options& options, std::uint64_t games) {
    const std::uint64_t count = std::min<std::uint64_t>(games, 2000);
    const std::uint64_t checked =
        run_batch(options.batch, options.first, std::min<std::uint64_t>(count, 200), 1, true).hash;
    const std::uint64_t plain =
        run_batch(options.batch, options.first, std::min<std::uint64_t>(count, 200), 1, false).hash;
    const std::uint64_t one = run_batch(options.batch, options.first, count, 1, false).hash;
    const std::uint64_t two = run_batch(options.batch, options.first, count, 2, false).hash;
    if (checked != plain || one != two) {
        std::cout << "FAILED repetition: games played again have other hashes\n";
        return false;
    }
    std::cout << count << " games played again on one thread and on two: one hash, " << one << "\n";
    return true;
}

}  // namespace

int main(int argument_count, char** arguments) {
    Options options;
    if (!read_options(argument_count, arguments, options)) {
        return 2;
    }
    std::cout << "conformance: batch " << options.batch << ", first game " << options.first << "\n"
              << std::flush;
    double elapsed = 0;
    const Report report = run(options, elapsed);
    const bool repeated = report.failures.empty() && repeats(options, report.games);
    if (!options.report.empty()) {
        // The numbers of the report after those of the run.
        std::ofstream(options.report)
            << "{\n  \"batch\": " << options.batch << ",\n  \"seconds_asked\": " << options.seconds
            << ",\n  \"seconds\": " << elapsed << ",\n"
            << report_json(report).substr(2);
    }
    std::cout << report.games << " games, " << report.nodes << " decisions in " << elapsed
              << " s, highest ante " << report.max_ante << ", " << report.wins << " wins, "
              << report.failures.size() << " failures, hash " << report.hash << "\n"
              << std::flush;
    return report.failures.empty() && repeated ? 0 : 1;
}
