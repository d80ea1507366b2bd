# SPDX-License-Identifier: Apache-2.0
# For tests that need the Python package: puts one together in $work/python from the library of this build and names it in CAROM_PYTHON; skips
# the test aloud where something for that is missing. Sourced, with $carom, $source and $work set.
python=/usr/bin/python3
"$python" -c 'import cffi, numpy, os, shutil, sysconfig as s; exit(not (os.path.exists(s.get_paths()["include"] + "/Python.h") and shutil.which("patchelf")))' 2>/dev/null || {
    echo "SKIPPED: python3-cffi, python3-numpy, python3-dev or patchelf is not installed (make test installs them)"
    exit 77
}
export PYTHONDONTWRITEBYTECODE=1 CAROM_PYTHON="$work/python"
"$python" "$source/python/build_carom.py" "$source/include" "$(dirname "$carom")/lib/libcarom.so.0" "$CAROM_PYTHON" >/dev/null
