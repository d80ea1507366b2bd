#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# carom new: every template runs as it is and its contacts are met; no file is replaced.
set -eu
carom=$(realpath "${1:-build/carom}")
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(dirname "$carom")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export CAROM_TEMPLATES="$source/templates"
fail() { echo "$1"; exit 1; }
"$carom" new >list
[ "$(wc -l <list)" -eq "$(ls "$source/templates" | wc -l)" ] || fail "carom new does not list all templates"
for name in ball mechanism bodies shapes beam c-model python; do
    grep -q "^$name  *[A-Z]" list || fail "$name is not listed with what it is"
    "$carom" new "$name" >made
    [ -s "$(cat made)" ] || fail "$name: no file"
done
for model in *.yaml; do
    "$carom" run "$model" -q --strict --events "$model.csv" || fail "$model: does not run, or is warned of"
    grep -q ',impact,' "$model.csv" || fail "$model: nothing hits"
done
"$carom" new ball mine.yaml >/dev/null
cmp -s ball.yaml mine.yaml || fail "FILE is not a copy"
"$carom" run mine.yaml | grep -q 'model  *mine$' || fail "a model is not called as its file"
echo kept >mine.yaml
code=0
"$carom" new ball mine.yaml 2>message || code=$?
[ $code -eq 2 ] && grep -q 'is there already' message && [ "$(cat mine.yaml)" = kept ] || fail "a file was replaced"
code=0
"$carom" new bal 2>message || code=$?
[ $code -eq 2 ] && grep -q "did you mean 'ball'" message || fail "no hint: $(cat message)"
code=0
"$carom" new ball /nowhere/mine.yaml 2>message || code=$?
[ $code -eq 2 ] && grep -q 'cannot be written' message || fail "no message: $(cat message)"
code=0
CAROM_TEMPLATES=/nowhere "$carom" new ball 2>message || code=$?
[ $code -eq 2 ] || fail "no folder of templates, and no word"
# the sanitizers' library needs their flags
if ! nm "$carom" 2>/dev/null | grep -q __asan_init; then
    cc -O1 c-model.c "-I$source/include" -L"$build/lib" "-Wl,-rpath,$build/lib" -lcarom -lm -o c-model
    ./c-model | grep -q '^t = 2: y = ' || fail "c-model does not run"
fi
/usr/bin/python3 -m py_compile python.py 2>/dev/null || fail "python.py is no Python"
grep -q 'import carom' python.py
if [ -f "$build/python/carom/_carom.abi3.so" ] && /usr/bin/python3 -c 'import cffi, numpy' 2>/dev/null; then
    PYTHONPATH="$build/python" /usr/bin/python3 python.py >said && grep -q "27 impacts" said || fail "python.py does not run"
    [ -s ball.html ] || fail "python.py wrote no page"
fi
