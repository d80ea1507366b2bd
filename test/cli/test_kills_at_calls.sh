#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Kills carom run at its 1st, 2nd, 3rd ... system call of each kind that files are made with, in a run from the start and
# in one that goes on; the run that is resumed then ends with the bits of one that was never stopped, and leaves nothing.
# What test_kills.sh tries at random is met here one by one. Needs strace.
# label: slow
set -eu
carom=$(realpath "${1:-build/carom}")
command -v strace >/dev/null || { echo "skipped: no strace here (apt-get install strace)"; exit 77; }
strace -qq -o /dev/null true 2>/dev/null || { echo "skipped: strace may not trace here"; exit 77; }
if nm "$carom" 2>/dev/null | grep -q __asan_init; then echo "skipped: sanitizers have system calls of their own"; exit 77; fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >ball.yaml <<'MODEL'
carom: 1
coordinates: {y: {start: 1}}
kinetic: der(y)^2/2
potential: 9.81*y
contacts: [{name: floor, gap: y, restitution: 0.8}]
run: {step: 1e-3, end: 2}
MODEL
fail() { echo "$kind, call $k of $call, continued: $going: $*"; exit 1; }

# one KIND CALL K GOING: kills at that call, resumes, compares; false where there was no such call
try() {
    kind=$1 call=$2 k=$3 going=$4
    options="-q --every 7 -o r.$kind --events e.csv --checkpoint state"
    rm -rf run && mkdir run && cd run
    resume=
    # shellcheck disable=SC2086
    [ "$going" = no ] || { "$carom" run ../ball.yaml $options --end 1; resume=--resume; }
    # shellcheck disable=SC2086
    if strace -qq -o /dev/null -e trace="$call" -e inject="$call:signal=SIGKILL:when=$k" \
        "$carom" run ../ball.yaml $options $resume >/dev/null 2>&1; then cd ..; return 1; fi
    resume=
    [ ! -e state ] || resume=--resume
    # shellcheck disable=SC2086
    "$carom" run ../ball.yaml $options $resume || fail "cannot be resumed"
    for file in r.csv r.csv.json r.h5 e.csv e.csv.json state; do
        [ ! -e "../whole.$kind/$file" ] || cmp "$file" "../whole.$kind/$file" || fail "$file differs"
    done
    left=$(find . -name '*.part*' -o -name '*.copy' -o -name '*.lock')
    [ -z "$left" ] || fail "left lying about: $left"
    n=$((n + 1))
    cd ..
}

n=0
for kind in csv h5; do
    mkdir "whole.$kind"
    (cd "whole.$kind" && "$carom" run ../ball.yaml -q --every 7 -o "r.$kind" --events e.csv --checkpoint state)
    for call in openat write rename unlink fsync ftruncate flock; do
        for going in no yes; do
            k=1
            while try "$kind" "$call" $k $going; do k=$((k + 1)); done
        done
    done
done
[ $n -gt 100 ] || { echo "only $n calls were met"; exit 1; }
echo "$n kills, one at each system call"
