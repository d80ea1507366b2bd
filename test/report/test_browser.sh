#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Reports in Debian's Chromium, through playwright-core. Skipped where node, Chromium or the viewer is missing.
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
exec node "$source/test/report/browser.mjs" "$carom" "$build/viewer" "$source/models" "$chromium" "$build/screenshots"
