#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The commands of docs/studies.md do what the page says: each ```sh block is run in a folder that holds the page's model.
# Usage: test_tutorial.sh CAROM
set -eu
source=${CAROM_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
page=$source/docs/studies.md
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
ln -s "$1" "$folder/bin/carom"
PATH=$folder/bin:$PATH
cd "$folder"
ln -s "$source/models" models

awk '/^```yaml/ {n++; inside = 1; next} /^```/ {inside = 0} inside && n == 1' "$page" >oscillator.yaml
awk '/^```yaml/ {n++; inside = 1; next} /^```/ {inside = 0} inside && n == 2' "$page" >by-hand.yaml
awk '/^```sh/ {inside = 1; next} /^```/ {inside = 0} inside' "$page" >commands
test "$(grep -c '^carom\|; do carom' commands)" -ge 30
sh -e commands >said 2>warned || { cat said warned; exit 1; }
! test -s warned || { cat warned; exit 1; }

fail() { echo "$1"; exit 1; }
grep -q '^differs   A = 1 .. 1.6: up period 1, down period 1' said || fail "the page's jump is not there"
grep -q '^20[0-9],.*,-2.490930[0-9]*,3.320035' said || fail "the page's orbit is not there"
for file in diagram.svg response.svg diagram.png diagram.h5; do test -s "$file" || fail "$file is missing"; done
for file in doubling woodpecker rocking damper exponents hops damper-branch; do test -s $file.svg || fail "$file.svg is missing"; done
for file in branch torus; do test -s $file.pdf || fail "$file.pdf is missing"; done
grep -q '"map":{"title":"bif"' doubling.html || fail "the page has no points"
grep -q '"map":{"title":"continue"' damper-branch.html && grep -q '"L = 4.*h5"' damper-branch.html || fail "the branch has no page with its orbits"
grep -q '"map":{"title":"modes"' modes.html && grep -q 'mode 4, 431.87 Hz' modes.html || fail "the modes have no page"
# the page's claims: A, branch, period of the diagram; shares of a symmetric basin; the fit; theory of the block
awk -F, 'NR > 1 && $1 < 0.5283 && $3 != 2 {bad = 1} NR > 1 && $1 > 0.5285 && $3 != 1 {bad = 1} END {exit bad || NR < 18}' doubling.csv ||
    fail "the doubling is elsewhere"
test "$(grep -c '^ends      1     50.0000 %       800 starts  period 1, 0 impacts\|^          2     50.0000 %       800 starts' said)" = 2 ||
    fail "the wells have other shares"
grep -q '^e                                   0.7 \|^e                          0.7000000\|^e                          0.6999999' said || fail "the fit finds another restitution"
awk -F, 'NR > 1 {a = atan2(0.1, 0.4); x = 1/(1 - $1/a); p = sqrt(0.75*9.81/sqrt(0.17)); t = log(x + sqrt(x*x - 1))/p
         r = (1 - 1.5*sin(a)^2)^2; y = sqrt(r*(1 - 1/(x*x))); second = t + log((1 + y)/(1 - y))/p
         if ($2 < t || $2 > 1.006*t || $3 < second || $3 > 1.006*second) bad = 1} END {exit bad || NR != 12}' rocking.csv ||
    fail "the block rocks otherwise"
# branches: a column by its name in the row of a special point
special() { awk -F, -v kind="$2" -v name="$3" 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i} NR > 1 && $at["point"] == kind {print $at[name]; exit}' "$1"; }
near() { awk -v x="$1" -v y="$2" -v e="$3" 'BEGIN {exit !(x != "" && (x - y)^2 <= (e*y)^2)}' || fail "$4: $1, not $2"; }
near "$(special branch.csv 2 A)" 0.528402471472143 1e-9 "the doubling of the branch"
near "$(special branch.csv 5 A)" 0.36 1e-9 "the grazing of the branch"
near "$(special damper-branch.csv 3 L)" 5.12103433872899 1e-9 "the torus"
near "$(special hops.csv 2 mu)" 0.318608062 1e-8 "the woodpecker's doubling"
test "$(grep -c '^ *doubling at mu = 0.290128529\|^special   doubling at mu = 0.318608061' said)" = 2 || fail "the woodpecker has other doublings"
awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i} NR > 1 && ($at["stable"] != 1 || $at["shift(der(y))"] > -0.01 || $at["impacts"] != 5) {bad = 1}
         END {exit bad || NR != 4}' hop.csv || fail "the woodpecker hops otherwise"
awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i} NR > 1 && ($at["l1"] > 0 || ($at["sum"] - $at["sum_rule"])^2 > 1e-12) {bad = 1}
         END {exit bad || NR != 6}' exponents.csv || fail "the exponents are others"
awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i} NR == 2 {exit !($at["l1"]^2 < 1e-4 && $at["l2"] < -0.005)}' torus-exponents.csv ||
    fail "it is no torus"
test "$(wc -l <torus.csv)" = 301 || fail "the torus has other points"
awk -F, 'NR > 1 && ($1 < 5.05 ? $3 != 1 : $1 > 5.15 && $3 == 1) {bad = 1} END {exit bad || NR < 10}' damper.csv ||
    fail "the damper loses its stability elsewhere"
awk -F, 'NR > 1 && $1 < 0.2875 && $3 != 1 {bad = 1} NR > 1 && $5 < 10 {bad = 1} END {exit bad || NR < 20}' woodpecker.csv ||
    fail "the woodpecker pecks otherwise"
cmp again.csv diagram.csv
cmp again.csv all.csv
# the file that is written by hand is right as well, if shorter
sed 's/values: 400/values: 2/; s/skip: 300/skip: 3/; s/points: 100/points: 4/' by-hand.yaml >short.yaml
carom study short.yaml -q -o short.csv
test "$(head -1 short.csv)" = A,branch,period,k,x,rate_stop || fail "the columns are others"
# and the lines of Python read what is there
if python3 -c 'import numpy' 2>/dev/null; then
    awk '/^```python/ {inside = 1; next} /^```/ {inside = 0} inside' "$page" >read.py
    echo 'print(len(rows), " ".join(columns))' >>read.py
    test "$(python3 read.py)" = "$(($(wc -l <diagram.csv) - 1)) A branch period k x" || fail "the store reads otherwise"
fi
