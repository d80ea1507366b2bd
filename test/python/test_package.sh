#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The Python package (docs/python.md) with Debian's Python: put together from the library of this build, then all of
# test/python/test_*.py.
# label: slow (the sanitizers' library does not load into Python)
set -eu
carom=$(realpath "${1:-build/carom}")
source=$(cd "$(dirname "$0")/../.." && pwd)
python=/usr/bin/python3
for module in cffi numpy; do
    "$python" -c "import $module" 2>/dev/null || {
        echo "SKIPPED: $python has no $module: apt-get install python3-$module (make test installs it)"
        exit 77
    }
done
"$python" -c 'import os, shutil, sysconfig as s; exit(not (os.path.exists(s.get_paths()["include"] + "/Python.h") and shutil.which("patchelf")))' || {
    echo "SKIPPED: python3-dev or patchelf is not installed (make test installs them)"
    exit 77
}
export CAROM_COMMAND="$carom" PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$(dirname "$carom")/python"
"$python" "$source/python/build_carom.py" "$source/include" "$(dirname "$carom")/lib/libcarom.so.0" "$PYTHONPATH" >/dev/null
cd "$(dirname "$carom")"
exec "$python" -W error::RuntimeWarning -m unittest discover -s "$source/test/python"
