#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Kills carom run at random (kill -9), resumes it, kills it again, until it comes to its end: rows (CSV and HDF5),
# events, contact problems and the last checkpoint have the bits of a run that was never stopped, and nothing is left lying about.
# label: slow
# By hand: KILLS=200 SEED=7 sh test/cli/test_kills.sh build/carom
set -eu
carom=$(realpath "${1:-build/carom}")
kills=${KILLS:-100}
seed=${SEED:-1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >model.yaml <<'MODEL'
carom: 1
parameters: {e: 0.7, mu: 0.2}
coordinates:
  x: {start: 0, rate: 3}
  y: {start: 1}
kinetic: (der(x)^2 + der(y)^2)/2
potential: 9.81*y
forces: [{coordinate: x, force: 20*sin(7*t)}, {coordinate: y, force: 12*sin(3*t)}]
contacts:
  - {name: "floor[1]", gap: y, slip: x, restitution: e, friction: mu}
run: {step: 1e-4, end: 3}
MODEL

# case N: the options of its run
options() {
    case $1 in
    0) echo "-o r.csv --every 3" ;;
    1) echo "-o r.h5 --step 5e-5" ;;
    2) echo "-o r.csv --scheme tdg_velocity --step auto --tolerance 1e-7" ;;
    3) echo "-o r.h5 --scheme event_driven --tolerance 1e-10 --output-step 1e-4" ;;
    4) echo "-o r.csv --scheme moreau_jean --output-step 1e-3 --save-contact c:every=1000" ;;
    esac
}
results="r.csv r.csv.json r.h5 e.csv e.csv.json"

# the runs that nobody stops
for case in 0 1 2 3 4; do
    mkdir -p "whole$case"
    # shellcheck disable=SC2046
    (cd "whole$case" && "$carom" run ../model.yaml -q $(options $case) --events e.csv --checkpoint state)
done

# sets pause to a number from 0 to $1 milliseconds, as seconds
draw() {
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    pause=$(printf 0.%04d $((seed / 65536 % $1 * 10)))
}

compare() {
    for file in $results state; do
        [ -e "../whole$1/$file" ] || continue
        cmp "$file" "../whole$1/$file"
    done
    [ ! -d "../whole$1/c" ] || diff -r c "../whole$1/c"
    left=$(find . -maxdepth 1 \( -name '*.part*' -o -name '*.copy' -o -name '*.lock' \))
    [ -z "$left" ] || { echo "left lying about: $left"; exit 1; }
}

n=0 ended=0 begun=0 case=0
while [ "$n" -lt "$kills" ]; do
    rm -rf run && mkdir run && cd run
    begun=$((begun + 1))
    resume=
    while :; do
        # shellcheck disable=SC2046,SC2086
        "$carom" run ../model.yaml -q $(options $case) --events e.csv --checkpoint state --checkpoint-every 0.1 $resume 2>err &
        pid=$!
        [ "$n" -ge "$kills" ] || { draw 600; sleep "$pause"; kill -9 $pid 2>/dev/null && n=$((n + 1)); }
        code=0
        wait $pid 2>/dev/null || code=$?
        [ "$code" -ne 0 ] || break
        [ "$code" -eq 137 ] || { echo "exit code $code, case $case, kill $n:"; cat err; exit 1; }
        resume=
        [ ! -e state ] || resume=--resume
    done
    compare $case
    ended=$((ended + 1))
    cd ..
    case=$(((case + 1) % 5))
done
echo "$n kills, $ended of $begun runs came to their end with the same bits"
