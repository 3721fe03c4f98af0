#!/usr/bin/env bash
# Runs the C++ tests and the Python tests against an engine built with the address and undefined-behavior sanitizers.
#
# Called by `make sanitize`, which sets: cmake, python (absolute paths), build (a directory). Arguments go to pytest.
# The tests run in a Python environment of their own: it sees the packages of the development environment but not its
# editable install of jimbot, so that the sanitized modules and a copy of the package are imported.
set -euo pipefail

if [[ "$(uname -s)" != Linux ]]; then
    echo "make sanitize works on Linux only: it preloads the sanitizer's library into Python" >&2
    exit 2
fi

source_directory=$PWD
stage=$build/stage
"$cmake" -S . -B "$build" -G Ninja -DCMAKE_MAKE_PROGRAM="$(dirname "$cmake")/ninja" \
    -DPython_EXECUTABLE="$python" -DJIMBOT_SANITIZE=ON -DJIMBOT_TESTS=ON >/dev/null
echo "[sanitize] building"
"$cmake" --build "$build" -- --quiet

echo "[sanitize] C++ tests"
"$(dirname "$cmake")/ctest" --test-dir "$build" --output-on-failure --no-tests=error

rm -rf "$stage"
mkdir -p "$stage"
cp -r src/jimbot "$stage/jimbot"
"$cmake" --install "$build" --component python --prefix "$stage" >/dev/null

environment=$source_directory/$build/venv
rm -rf "$environment"
"$python" -m venv --without-pip "$environment"
packages=$("$python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
own_packages=$("$environment/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
printf '%s\n%s\n' "$source_directory/$stage" "$packages" >"$own_packages/sanitized.pth"

# The runtime must be loaded before Python itself, and the C++ library with it, or exceptions are not seen.
# CPython keeps memory at exit, so leaks cannot be told apart; pytest must not hold back the report of a crash.
compiler=${CXX:-g++}
command -v "$compiler" >/dev/null || compiler=c++
preload="$("$compiler" -print-file-name=libasan.so) $("$compiler" -print-file-name=libstdc++.so)"
echo "[sanitize] Python tests"
LD_PRELOAD=$preload ASAN_OPTIONS=detect_leaks=0 JIMBOT_SANITIZED=1 \
    "$environment/bin/python" -m pytest --capture=sys "$@"
