// Runs the C++ tests: `engine_tests [part of a name]`. The last line is always "N passed, M failed".

#include "tests/check.hpp"

#include <exception>

namespace check {

namespace {

// True when the test ran to its end with no failed check.
bool run_one(const Test& test) {
    failed_checks() = 0;
    try {
        test.body();
    } catch (const std::exception& error) {
        fail(test.name, 0, std::string("threw: ") + error.what());
    } catch (...) {
        fail(test.name, 0, "threw something that is not a std::exception");
    }
    if (failed_checks() > 0) {
        std::cout << "FAILED " << test.name << " (" << failed_checks() << " checks)\n";
        return false;
    }
    return true;
}

}  // namespace

int run_all(std::string_view filter) {
    int passed = 0;
    int failed = 0;
    for (const Test& test : all_tests()) {
        if (std::string_view(test.name).find(filter) == std::string_view::npos) {
            continue;
        }
        ++(run_one(test) ? passed : failed);
    }
    // A filter that matches nothing is a typing error, not a success.
    const bool nothing_matched = !filter.empty() && passed + failed == 0;
    if (nothing_matched) {
        std::cout << "no test name contains '" << filter << "'\n";
    }
    std::cout << passed << " passed, " << failed << " failed" << std::endl;
    return failed > 0 || nothing_matched ? 1 : 0;
}

}  // namespace check

int main(int argument_count, char** arguments) {
    return check::run_all(argument_count > 1 ? arguments[1] : "");
}
