#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The site (make docs, here with two models in the gallery): the tutorial does what it shows, Python and long commands too, its figures
# and notebooks are made, formulas are set, nothing asks for a network, and links lead somewhere.
# label: slow (it puts the Python package together, and Sphinx works for half a minute)
# Usage: test_site.sh CAROM
set -eu
carom=$(realpath "${1:-build/carom}")
source=${CAROM_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$source/test/docs/package.sh"
"$python" -c 'import sphinx, myst_parser, furo' 2>/dev/null && test -f /usr/share/javascript/katex/katex.min.js || {
    "$python" "$source/tools/docs/pages" --slow "$carom" "$source"/docs/tutorial/*.md
    echo "SKIPPED but for the tutorial: the site needs python3-sphinx, python3-myst-parser, furo and libjs-katex (make test installs them)"
    exit 77
}
"$python" "$source/tools/docs/site" "$carom" "$work/docs" bouncing-ball billiard >"$work/said" 2>&1 || { cat "$work/said"; exit 1; }
if grep -E 'WARNING|ERROR' "$work/said"; then exit 1; fi
"$python" "$source/test/docs/look_at_site.py" "$work/docs/html"
