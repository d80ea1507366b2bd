#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Instructions per step of seven kernels, quiet and with contact, and of the start with its libraries, counted by callgrind, stay below a
# generous bound: times are too noisy to test, counts are not. The count of a short run is taken from that of a long one, so that set-up does not matter.
# A bound is 1.15 times what was measured with gcc when it was set (clang needs up to 1.12 times as many); a change that makes
# steps cheaper may lower it.
set -eu
carom=${1:-build/carom}
models=$CAROM_SOURCE_DIR/models
command -v valgrind >/dev/null || { echo "skipped: no valgrind here (apt-get install valgrind)"; exit 77; }
if nm "$carom" 2>/dev/null | grep -q __asan_init; then
    echo "skipped: counts belong to a build without sanitizers"
    exit 77
fi

# count MODEL SCHEME STEP STEPS ARGUMENT...: instructions of the whole run
count() {
    model=$1 scheme=$2 step=$3 steps=$4
    shift 4
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$carom" run "$models/$model.yaml" --scheme "$scheme" \
        --step "$step" --end "$(awk "BEGIN { print $steps * $step }")" -q "$@" 2>&1 | sed -n 's/.*Collected *: *\([0-9]*\).*/\1/p'
}

# check BOUND MODEL SCHEME STEP SHORT LONG ARGUMENT...
failed=0
check() {
    bound=$1 model=$2 scheme=$3 step=$4 short=$5 long=$6
    shift 6
    a=$(count "$model" "$scheme" "$step" "$short" "$@")
    b=$(count "$model" "$scheme" "$step" "$long" "$@")
    each=$(((b - a) / (long - short)))
    echo "$model $scheme: $each instructions per step (bound $bound)"
    [ "$each" -gt 0 ] && [ "$each" -le "$bound" ] || failed=1
}

check 690 bouncing-ball moreau_midpoint 2e-5 1000 11000
check 655 bouncing-ball moreau_jean_explicit 2e-5 1000 11000
check 1045 bouncing-ball moreau_jean 2e-5 1000 11000
check 2380 woodpecker moreau_midpoint 2e-5 1000 5000
check 3300 slider-crank moreau_midpoint 1e-4 200 2200
check 3750 slider-crank tdg_velocity 1e-4 200 2200
check 330000 column-of-beads moreau_jean 5e-4 100 200 --set n=100 --set height=0.1001 --set pitch=0.2001

# parse, derive, one step: most of a start was once the loader's work for libraries that a small model does not use
start=$(count slider-crank moreau_midpoint 1e-5 1)
echo "slider-crank: $start instructions from start to end of one step (bound 7000000)"
[ "$start" -gt 0 ] && [ "$start" -le 7000000 ] || failed=1
exit $failed
