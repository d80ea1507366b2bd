#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The site (make docs, here without the pictures of all models): the pages with Python and with long commands do what they show, the tutorial's
# figures and notebooks are made, formulas are set, nothing on it asks for a network, and its links lead somewhere. The notebooks are run: by
# Jupyter where nbclient and ipykernel are there, else cell by cell.
# label: slow (it puts the Python package together, and Sphinx works for half a minute)
# Usage: test_site.sh CAROM
set -eu
carom=$(realpath "${1:-build/carom}")
source=${CAROM_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
python=/usr/bin/python3
"$python" -c 'import cffi, numpy, os, shutil, sysconfig as s; exit(not (os.path.exists(s.get_paths()["include"] + "/Python.h") and shutil.which("patchelf")))' 2>/dev/null || {
    echo "SKIPPED: python3-cffi, python3-numpy, python3-dev or patchelf is not installed (make test installs them)"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1 CAROM_PYTHON="$work/python"
"$python" "$source/python/build_carom.py" "$source/include" "$(dirname "$carom")/lib/libcarom.so.0" "$CAROM_PYTHON" >/dev/null

# pages of the tutorial are run by the site itself
"$python" "$source/tools/docs/pages" --slow "$carom" $(ls "$source"/docs/*.md "$source"/docs/howto/*.md)
"$python" "$source/test/docs/run_notebooks.py" "$carom" "$work/notebooks"

"$python" -c 'import sphinx, myst_parser, furo' 2>/dev/null && test -f /usr/share/javascript/katex/katex.min.js || {
    echo "SKIPPED in part: the site itself needs python3-sphinx, python3-myst-parser, furo and libjs-katex (make test installs them)"
    exit 77
}
"$python" "$source/tools/docs/site" "$carom" "$work/docs" --no-gallery >"$work/said" 2>&1 || { cat "$work/said"; exit 1; }
if grep -E 'WARNING|ERROR' "$work/said"; then exit 1; fi
"$python" "$source/test/docs/look_at_site.py" "$work/docs/html"
