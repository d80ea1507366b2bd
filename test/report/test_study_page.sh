#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The page of a study in Debian's Chromium: a click on a point shows its motion. Skipped where node, Chromium or the viewer
# is missing.
# label: slow
set -eu
carom=$1
build=$(dirname "$carom")
source=$(cd "$(dirname "$0")/../.." && pwd)
skip() {
    echo "skipped: $1"
    exit 77
}
command -v node >/dev/null || skip "node is missing"
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "chromium is missing"
[ -d "$build/viewer/node_modules/playwright-core" ] || skip "carom was built without the viewer"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$carom" bif "$source/models/impact-oscillator.yaml" --vary w=0.7:1.3:9 --section 'period=2*pi/w' --skip 60 --points 12 --show x \
    -q -o "$folder/bif.html"
"$carom" basin "$source/models/two-wells.yaml" --vary x=-2:2:8 --vary 'der(x)=-1:1:8' --section period=1 -q -o "$folder/basin.html"
node "$source/test/report/study_page.mjs" "$build/viewer" "$chromium" "$folder" "$build/screenshots"
# what cannot be a page is said before the work
if "$carom" poincare "$source/models/impact-oscillator.yaml" --section 'period=2*pi/w' -o "$folder/a.html" 2>"$folder/said"; then exit 1; fi
grep -q 'a section has no page' "$folder/said"
