#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# hypot, floor, mod and clamp are functions only where a parenthesis follows: parameters, coordinates, contacts and tables
# may have these names, and a table comes before the function. The exported C computes the same.
set -eu
carom=${1:-build/carom}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$1" >&2; exit 1; }

cat >"$folder/names.yaml" <<'YAML'
carom: 1
parameters: {mod: 3, floor: 0.25}
coordinates:
  hypot: {start: 1.5, rate: 2}
  clamp: {start: -0.5}
kinetic: (der(hypot)^2 + der(clamp)^2)/2
forces:
  - coordinate: clamp
    force: clamp(hypot, 0, 1) + hypot(hypot, 2) + floor(hypot*mod) + mod(hypot + floor, mod)
contacts:
  - {name: floor, gap: hypot - floor}
record:
  all: clamp(hypot, 0, 1) + hypot(hypot, 2) + floor(hypot*mod) + mod(hypot + floor, mod)
run: {scheme: moreau_midpoint, step: 1e-3, end: 1e-3}
YAML
"$carom" run "$folder/names.yaml" -q -o "$folder/names.csv" 2>"$folder/error" || fail "$(cat "$folder/error")"
# 1 + 2.5 + 4 + 1.75 at the start
awk -F, '{ sub(/#.*/, "") } /all/ { for (i = 1; i <= NF; i++) if ($i == "all") k = i } /^0,/ { print $k }' "$folder/names.csv" |
    grep -qx 9.25 || fail "the record is not 9.25: $(cat "$folder/names.csv")"

cat >"$folder/table.yaml" <<'YAML'
carom: 1
tables:
  floor: {points: [[0, 5], [10, 25]]}
  mod: {points: [[0, 1], [10, 1]]}
coordinates: {x: {start: 2.5}}
kinetic: der(x)^2/2
record: {both: floor(x) + mod(x)}
run: {scheme: moreau_midpoint, step: 1e-3, end: 1e-3}
YAML
"$carom" run "$folder/table.yaml" -q -o "$folder/table.csv" 2>"$folder/error" || fail "$(cat "$folder/error")"
awk -F, '/both/ { for (i = 1; i <= NF; i++) if ($i == "both") k = i } /^0,/ { print $k }' "$folder/table.csv" |
    grep -qx 11 || fail "tables do not come first: $(cat "$folder/table.csv")"

command -v cc >/dev/null || { echo "skipped: no compiler"; exit 77; }
"$carom" export "$folder/names.yaml" -o "$folder/model.c"
cat >"$folder/main.c" <<'C'
#include "model.c"
#include <stdio.h>
int main(void)
{
    const double q[2] = {1.5, -0.5}, u[2] = {2, 0};
    double r[2];
    names_forces(0, q, u, 0, 0, r);
    printf("%.17g\n", r[1]);
    return 0;
}
C
cc -std=c17 -o "$folder/program" "$folder/main.c" -lm
[ "$("$folder/program")" = 9.25 ] || fail "the exported force is $("$folder/program"), not 9.25"
