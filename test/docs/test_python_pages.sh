#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Pages with Python or with long commands do what they show (the tutorial's are run by test_site.sh), and the notebooks of the tutorial run: in
# Jupyter where nbclient and ipykernel are there, else cell by cell.
# label: slow (it puts the Python package together)
# Usage: test_python_pages.sh CAROM
set -eu
carom=$(realpath "${1:-build/carom}")
source=${CAROM_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$source/test/docs/package.sh"
"$python" "$source/tools/docs/pages" --slow "$carom" "$source"/docs/*.md "$source"/docs/howto/*.md
"$python" "$source/test/docs/run_notebooks.py" "$carom" "$work/notebooks"
