#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every shipped model can be written as CSV, where dots of names become underscores: what a model records must not be called
# like a column that is there (crank_angle beside crank.angle).
set -eu
carom=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
for model in "$CAROM_SOURCE_DIR"/models/*.yaml; do
    "$carom" run "$model" -q --end 1e-9 -o "$work/run.csv" >"$work/said" 2>&1 || true
    if grep "would both be called" "$work/said"; then failed=1; fi
done
exit $failed
