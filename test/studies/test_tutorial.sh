#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The commands of docs/studies.md do what the page says: each ```sh block is run in a folder that holds the page's model.
# Usage: test_tutorial.sh CAROM
set -eu
page=${CAROM_SOURCE_DIR:-$(dirname "$0")/../..}/docs/studies.md
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
ln -s "$1" "$folder/bin/carom"
PATH=$folder/bin:$PATH
cd "$folder"

awk '/^```yaml/ {n++; inside = 1; next} /^```/ {inside = 0} inside && n == 1' "$page" >oscillator.yaml
awk '/^```yaml/ {n++; inside = 1; next} /^```/ {inside = 0} inside && n == 2' "$page" >by-hand.yaml
awk '/^```sh/ {inside = 1; next} /^```/ {inside = 0} inside' "$page" >commands
test "$(grep -c '^carom\|; do carom' commands)" -ge 14
sh -e commands >said 2>warned || { cat said warned; exit 1; }
! test -s warned || { cat warned; exit 1; }

fail() { echo "$1"; exit 1; }
grep -q '^differs   A = 1 .. 1.6: up period 1, down period 1' said || fail "the page's jump is not there"
grep -q '^20[0-9],.*,-2.490930[0-9]*,3.320035' said || fail "the page's orbit is not there"
for file in diagram.svg response.svg diagram.png diagram.h5; do test -s "$file" || fail "$file is missing"; done
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
