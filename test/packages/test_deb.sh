#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The packages of make deb: lintian finds no error, and in a fresh Debian (mmdebstrap) they are installed, used and removed.
# label: slow
# It looks at what make deb has left in dist/, because packages are built for minutes; the fresh system, which is fetched, is for
# those who ask for it:
#     make deb && CAROM_FRESH_SYSTEM=1 sh test/packages/test_deb.sh
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
skip() {
    echo "SKIPPED: $1"
    exit 77
}
ls "$source"/dist/*.deb >/dev/null 2>&1 || skip "there are no packages in dist/: make deb makes them"
command -v lintian >/dev/null || skip "lintian is not installed: apt-get install lintian"
packages=$(ls "$source"/dist/*.deb)
[ "$(echo "$packages" | wc -l)" -eq 5 ] || { echo "not five packages: $packages"; exit 1; }
lintian --allow-root --fail-on error $packages
echo "lintian: no errors"
[ "${CAROM_FRESH_SYSTEM:-}" = 1 ] || skip "CAROM_FRESH_SYSTEM=1 is not set: the packages are not installed in a fresh system"
[ "$(id -u)" -eq 0 ] || skip "not root: the packages are not installed in a fresh system"
command -v mmdebstrap >/dev/null || skip "mmdebstrap is not installed: the packages are not installed in a fresh system"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/use" <<'USE'
set -eu
cd /tmp
carom run slider-crank --end 0.02 -o run.h5
carom run bowled-wheel --end 0.1 -q
carom report run.h5 -o page.html
carom new ball && carom check ball.yaml >/dev/null
carom --version
[ -f /usr/share/bash-completion/completions/carom ]
[ -f /usr/share/carom/carom-model.schema.json ]
[ -f /usr/share/doc/carom-doc/docs/models.md ]
cat >use.py <<'PYTHON'
import carom
assert carom.__file__.startswith("/usr/lib/python3/dist-packages/")
r = carom.Model.from_file("slider-crank").run(end=0.02)
assert r.success and len(r) == 2001
print(r)
PYTHON
python3 use.py
apt-get remove -y -qq carom libcarom0 libcarom-dev python3-carom carom-doc
[ ! -e /usr/bin/carom ]
USE
mirror=$(sed -n 's/^deb \(http[^ ]*\) .*/\1/p; s/^URIs: *\(http[^ ]*\).*/\1/p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)
. /etc/os-release
mirror=${mirror:-http://deb.debian.org/debian}
apt-get -qq update >/dev/null 2>&1 || skip "the mirror of Debian cannot be reached: the packages are not installed in a fresh system"
mmdebstrap --quiet --variant=apt --format=null \
    --customize-hook="copy-in $(echo $packages) $folder/use /tmp" \
    --customize-hook='chroot "$1" sh -c "echo THE SYSTEM IS MADE; apt-get install -y -qq --no-install-recommends /tmp/*.deb && sh /tmp/use"' \
    "$VERSION_CODENAME" /dev/null "$mirror" >"$folder/log" 2>&1 || {
    grep -q 'THE SYSTEM IS MADE' "$folder/log" || skip "a fresh system cannot be made here: $(grep 'E:' "$folder/log" | head -n 1)"
    tail -40 "$folder/log"
    exit 1
}
grep -E '^carom |<carom' "$folder/log"
