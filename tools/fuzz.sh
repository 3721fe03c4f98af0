#!/usr/bin/env bash
# Plays random games with all checks on an engine built with the address and undefined-behavior sanitizers.
#
# Called by `make fuzz`, which sets: cmake, python (absolute paths), build (a directory). Arguments go to
# engine_conformance (engine/fuzz/main.cpp); without --batch the games are others every time, and the batch is printed.
set -euo pipefail

failures=$build/failures
mkdir -p "$failures"
"$cmake" -S . -B "$build" -G Ninja -DCMAKE_MAKE_PROGRAM="$(dirname "$cmake")/ninja" \
    -DPython_EXECUTABLE="$python" -DJIMBOT_SANITIZE=ON -DJIMBOT_TESTS=ON >/dev/null
echo "[fuzz] building"
"$cmake" --build "$build" --target engine_conformance -- --quiet

[[ " $* " == *" --batch "* ]] || set -- "$@" --batch "$(date +%s)"
echo "[fuzz] $build/engine_conformance $*"
"$build/engine_conformance" --save "$failures" --report "$build/fuzz.json" "$@"
