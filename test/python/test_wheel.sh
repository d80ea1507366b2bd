#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The wheel: made from this build, installed without a network into a fresh venv of Debian's Python, and used there. It
# must not see this tree: models, parts and library are its own. The same files give the same bytes.
# label: slow (the sanitizers' library does not load into Python)
set -eu
build=$(realpath "$(dirname "${1:-build/carom}")")
source=$(cd "$(dirname "$0")/../.." && pwd)
python=/usr/bin/python3
"$python" -c 'import cffi, numpy, venv, ensurepip' 2>/dev/null || {
    echo "SKIPPED: $python lacks cffi, numpy or venv: apt-get install python3-cffi python3-numpy python3-venv (make test installs them)"
    exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
make_wheel() {
    "$python" "$source/python/build_carom.py" "$source/include" "$build/lib/libcarom.so.0" "$folder/package" >/dev/null
    "$python" "$source/python/make_wheel.py" "$folder/package" "$folder/$1" >/dev/null
}
"$python" -c 'import os, shutil, sysconfig as s; exit(not (os.path.exists(s.get_paths()["include"] + "/Python.h") and shutil.which("patchelf")))' || {
    echo "SKIPPED: python3-dev or patchelf is not installed (make test installs them)"
    exit 77
}
export PYTHONDONTWRITEBYTECODE=1
make_wheel dist
make_wheel again
cmp "$folder"/dist/carom-*.whl "$folder"/again/carom-*.whl
rm -rf "$folder/package"
cd "$folder"
unset PYTHONPATH CAROM_MODELS CAROM_PARTS CAROM_COMMAND 2>/dev/null || true
"$python" -m venv --system-site-packages v
v/bin/pip install -q --no-index --disable-pip-version-check dist/*.whl
cat >use.py <<'USE'
import os, carom
assert "/v/lib/" in carom.__file__, carom.__file__
with open("/proc/self/maps") as maps:
    used = {line.split()[-1] for line in maps if "libcarom" in line}
assert len(used) == 1 and "/v/lib/" in used.pop()
r = carom.Model.from_file("slider-crank").run(end=0.02)
assert r.success and len(r) == 2001, r
assert carom.Model.from_file("bowled-wheel").run(end=0.1).success  # includes an installed part
assert len(carom.models()) > 50
r.save("run.h5")
r.report("page.html")
assert os.path.getsize("page.html") > 100000
USE
v/bin/python use.py
v/bin/pip uninstall -q -y carom
! v/bin/python -c 'import carom' 2>/dev/null
