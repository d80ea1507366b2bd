#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Links between pages, to headings, files and pictures lead somewhere; a page with dead ones is caught.
set -eu
source=${CAROM_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
links="/usr/bin/python3 $source/tools/docs/links"
$links
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/page.md" <<'END'
# Here and there
[good](#here-and-there) `[no link](nowhere)` ![made](figure.svg)
```sh
carom plot r.csv -o figure.svg
```
[no file](gone.md)
[no heading](#gone)
![no picture](gone.svg)
END
if $links "$folder/page.md" >"$folder/said"; then
    echo "dead links are taken"
    exit 1
fi
grep -q '5 links on 1 pages, 3 dead' "$folder/said" || { cat "$folder/said"; exit 1; }
