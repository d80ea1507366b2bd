#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The playground is built and tried in Chromium. Skipped where emscripten, npm or Chromium is missing (tools/setup
# playground installs emscripten: 109 MB to fetch, 840 MB on the disk, which the other tests do without).
# label: slow
set -eu
carom=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
built=$source/build-playground
skip() {
    echo "skipped: $1"
    exit 77
}
command -v emcc >/dev/null || skip "emscripten is missing (sh tools/setup playground)"
command -v npm >/dev/null || skip "npm is missing"
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "chromium is missing"
sh "$source/playground/build.sh" "$built"
(cd "$built/page" && node_modules/.bin/tsc --noEmit)
node "$source/test/playground/yaml.mjs" "$built" "$source"
exec node "$source/test/playground/browser.mjs" "$carom" "$built" "$source" "$chromium" "$(dirname "$carom")/screenshots" ${CAROM_PLAYGROUND:-}
