#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The runner of pages (tools/docs/pages) sees what differs: a number, a word, a line too many, a wrong exit code, a model that is none,
# a program that fails, an option that is not there, a kind that it does not know; and takes what agrees.
# label: slow (programs of pages do not link against the sanitizers' library)
# Usage: test_marks.sh CAROM
set -eu
source=${CAROM_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
run() { /usr/bin/python3 "$source/tools/docs/pages" --quick "$1" "$folder/page.md" >"$folder/said" 2>&1; }
page() { sed 's/^~~~/```/' >"$folder/page.md"; }
carom=$1

page <<'END'
<!-- file: ball.yaml -->
~~~yaml
carom: 1
coordinates: {y: {start: 1}}
kinetic: der(y)^2/2
potential: 9.81*y
contacts: [{name: floor, gap: y}]
~~~
~~~console
$ echo 'x = 1.23456 of 7'; echo 'noise 3.2e-17'; echo 'time 5 s'
x = 1.2346 of 7
noise -8e-15
time 11 s
$ carom check ball.yaml
model          ball
...
floor                               1                0        0 ...
~~~
<!-- free: 2 -->
~~~console
$ echo 'row 17 ok'
row 3 ok
~~~
<!-- exit: 3 -->
~~~sh
exit 3
~~~
<!-- with:
int x = 2;
-->
~~~c
return x != 2;
~~~
~~~usage
carom contact info FILE... [--json FILE]   carom list solvers
~~~
<!-- not run: needs another program -->
~~~matlab
disp(1)
~~~
END
run "$carom" || { cat "$folder/said"; exit 1; }

refuse() { # what is wrong, then the page on standard input
    page
    if run "$carom"; then
        echo "taken: $1"
        cat "$folder/page.md"
        exit 1
    fi
    grep -q "$1" "$folder/said" || { echo "not said: $1"; cat "$folder/said"; exit 1; }
}
for shown in 'x = 1.23 of 8' 'y = 1.23 of 7' 'x = 1.25 of 7' ''; do
    printf '~~~console\n$ echo "x = 1.23 of 7"\n%s\n~~~\n' "$shown" | refuse 'it is  *x = 1.23 of 7'
done
printf '~~~console\n$ echo a; echo b\na\n~~~\n' | refuse 'the page ends'
printf '~~~sh\necho a\n~~~\n~~~text\nb\n~~~\n' | refuse 'the page says  *b'
printf '~~~sh\nfalse\n~~~\n' | refuse 'exit code 1'
printf '<!-- exit: 2 -->\n~~~sh\ntrue\n~~~\n' | refuse 'exit code 0'
printf '~~~yaml\ncontacts: [{name: floor, gap: z}]\n~~~\n' | refuse "needs 'coordinates'"
printf '~~~c\nreturn 1;\n~~~\n' | refuse 'exit code 1'
printf '~~~usage\ncarom run MODEL --no-such\n~~~\n' | refuse 'does not know --no-such'
printf '~~~usage\ncarom walk MODEL\n~~~\n' | refuse 'no such command'
printf '~~~\nwhatever\n~~~\n' | refuse "a block of kind ''"
printf '~~~matlab\ndisp(1)\n~~~\n' | refuse 'say why'
printf '<!-- not run: no -->\n~~~sh\ntrue\n~~~\n' | refuse 'says no reason'
