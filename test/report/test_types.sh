#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The viewer's TypeScript passes the strict checks. Skipped where carom was built without it.
set -eu
viewer=$(dirname "$1")/viewer
[ -x "$viewer/node_modules/.bin/tsc" ] || { echo "skipped: carom was built without the viewer"; exit 77; }
cd "$viewer"
exec node_modules/.bin/tsc --noEmit
