#!/usr/bin/env bash
# Builds the engine with Clang, runs the C++ tests, and plays the conformance batch of tests/data/run_hashes.json: its
# hash is of every state of every game, and must be the recorded one, which the tests of the development build hold too.
#
# Called by `make clang`, which sets: cmake, python (absolute paths), build (a directory). CLANGXX chooses a compiler.
set -euo pipefail

compiler=${CLANGXX:-clang++}
if ! command -v "$compiler" >/dev/null; then
    echo "make clang needs $compiler; on Debian: apt install clang; or say where it is: make clang CLANGXX=..." >&2
    exit 2
fi

"$cmake" -S . -B "$build" -G Ninja -DCMAKE_MAKE_PROGRAM="$(dirname "$cmake")/ninja" \
    -DCMAKE_CXX_COMPILER="$compiler" -DJIMBOT_PYTHON=OFF -DJIMBOT_TESTS=ON >/dev/null
echo "[clang] building with $("$compiler" --version | head -n 1)"
"$cmake" --build "$build" --target engine_tests engine_conformance -- --quiet

echo "[clang] C++ tests"
"$(dirname "$cmake")/ctest" --test-dir "$build" --output-on-failure --no-tests=error

recorded() { "$python" -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$@"; }
hashes=tests/data/run_hashes.json
echo "[clang] conformance battery"
"$build/engine_conformance" --batch "$(recorded $hashes batch)" --games "$(recorded $hashes games)" \
    --save "$build" --report "$build/conformance.json"
expected=$(recorded $hashes hash)
found=$(recorded "$build/conformance.json" hash)
if [[ "$found" != "$expected" ]]; then
    echo "[clang] the games have the hash $found; $hashes has $expected" >&2
    exit 1
fi
echo "[clang] hash $found, as recorded"
