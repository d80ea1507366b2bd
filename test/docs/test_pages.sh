#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every block of README, docs and tutorial is run, and prints what the page shows, or the page says why not (tools/docs/page.py).
# What takes long, and Python, is run by test_slow_pages.sh; pages with a test of their own name it.
# label: slow (programs of pages do not link against the sanitizers' library)
# Usage: test_pages.sh CAROM
set -eu
source=${CAROM_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
exec /usr/bin/python3 "$source/tools/docs/pages" --quick "$1"
