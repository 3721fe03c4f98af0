#!/usr/bin/env bash
# Runs the C++ tests of the thread pool, the vector environments and the networks, and the conformance battery on two
# threads, built with the thread sanitizer.
#
# Called by `make sanitize-threads`, which sets: cmake (an absolute path), build (a directory).
set -euo pipefail

"$cmake" -S . -B "$build" -G Ninja -DCMAKE_MAKE_PROGRAM="$(dirname "$cmake")/ninja" \
    -DJIMBOT_PYTHON=OFF -DJIMBOT_THREAD_SANITIZE=ON -DJIMBOT_TESTS=ON >/dev/null
echo "[sanitize-threads] building"
"$cmake" --build "$build" --target engine_tests engine_conformance -- --quiet

export TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}"
echo "[sanitize-threads] C++ tests"
"$build/engine_tests" thread
echo "[sanitize-threads] conformance battery"
"$build/engine_conformance" --games 8 --threads 2 --save "$build"
