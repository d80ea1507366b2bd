#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Films: what is missing is named and what cannot be is refused, pictures and films of both kinds of pages are as long and as
# large as they are asked to be and show something that moves, and nothing is left behind, not even by a kill.
# label: slow
set -eu
carom=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
grep -q '^CAROM_REPORT:BOOL=ON' "$(dirname "$carom")/CMakeCache.txt" || { echo "skipped: carom was built without the viewer"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir tmp
export TMPDIR="$folder/tmp"
fail() { echo "FAILED: $1"; exit 1; }

# WORDS ... : refused with exit code 2 and these words
refused() {
    wanted=$1
    shift
    code=0
    "$carom" report "$@" >out 2>&1 || code=$?
    [ $code -eq 2 ] || fail "exit code $code of: $*: $(cat out)"
    grep -q -e "$wanted" out || fail "no '$wanted' for: $*: $(cat out)"
}
"$carom" run "$source/models/dominoes.yaml" --end 0.4 -q -o plane.h5 2>/dev/null
"$carom" run "$source/models/billiard.yaml" --end 0.4 -q -o space.h5
refused "frame-%04d.png" plane.h5 -o one.png
refused "known ending" plane.h5 -o film.avi
refused "known ending\|say where" plane.h5 -o 'frame-%s.png'
refused "needs a length" plane.h5 -o film.mp4 --from 3 --to 2
refused "needs a length" plane.h5 -o film.mp4 --from 0.2 --to 0.2
refused "above 0" plane.h5 -o film.mp4 --speed 0
refused "above 0" plane.h5 -o film.mp4 --fps -3
refused "1280x720" plane.h5 -o film.mp4 --size 1280
refused "64 .. 8192" plane.h5 -o film.mp4 --size 20x20
refused "show it faster" plane.h5 -o film.mp4 --speed 1e-6
refused "for films" plane.h5 -o page.html --dark
refused "cannot be written" plane.h5 -o none/film.mp4
refused "cannot be written" plane.h5 -o none/f%d.png
printf 'carom: 1\ncoordinates: {y: {start: 1}}\nkinetic: der(y)^2/2\nrun: {step: 0.1, end: 1}\n' >bare.yaml
"$carom" run bare.yaml -q -o bare.h5
CAROM_CHROMIUM=/no/chromium refused "apt install chromium" plane.h5 -o film.mp4
CAROM_FFMPEG=/no/ffmpeg refused "apt install ffmpeg.*frames/" plane.h5 -o film.mp4
[ ! -e film.mp4 ] || fail "a refused film is there"

skip() { echo "skipped, but for what is refused: $1"; exit 77; }
command -v chromium >/dev/null || command -v google-chrome >/dev/null || skip "chromium is missing"

# FILE WIDTH HEIGHT: a picture with so many pixels
is_picture() {
    python3 - "$@" <<'end' || fail "$1"
import struct, sys
data = open(sys.argv[1], "rb").read()
assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[-8:-4] == b"IEND", "no PNG"
assert struct.unpack(">II", data[16:24]) == (int(sys.argv[2]), int(sys.argv[3])), "another size"
end
}
for kind in plane space; do
    "$carom" report $kind.h5 -o $kind/ --from 0.1 --to 0.3 --speed 0.1 --fps 1 --size 480x300 -q || fail "$kind: pictures"
    [ "$(ls $kind | tr '\n' ' ')" = "frame-00001.png frame-00002.png frame-00003.png " ] || fail "$kind: $(ls $kind)"
    for picture in $kind/*; do is_picture $picture 480 300; done
    ! cmp -s $kind/frame-00001.png $kind/frame-00002.png || fail "$kind: nothing moves"
done
"$carom" report plane.h5 -o 'p%03d.png' --from 0.1 --to 0.2 --speed 1 --fps 10 --size 64x64 -q --dark || fail "numbered pictures"
[ "$(echo p*)" = "p001.png p002.png plane plane.h5" ] || fail "numbered: $(echo p*)"
! cmp -s p001.png plane/frame-00001.png || fail "dark is light"
[ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"

refused "no body 'wood'" space.h5 -o space/ --follow wood
refused "no body" plane.h5 -o plane/ --follow 'd[1]'
"$carom" report space.h5 -o near/ --from 0.1 --to 0.2 --speed 0.1 --fps 1 --size 480x300 -q --follow cue || fail "follow"
! cmp -s near/frame-00001.png space/frame-00001.png || fail "the camera stays"
refused "nothing to film" bare.h5 -o bare/

# a browser that is no browser, and one that ends at once
CAROM_CHROMIUM=/bin/true "$carom" report plane.h5 -o f/ 2>out && fail "true is no browser"
grep -q "browser has ended" out || fail "$(cat out)"

command -v ffmpeg >/dev/null || skip "ffmpeg is missing"
# FILE: frames, width, height
facts() { ffprobe -v error -count_frames -select_streams v:0 -show_entries stream=width,height,nb_read_frames -of csv=p=0 "$1"; }
"$carom" report plane.h5 -o -film.mp4 --speed 0.2 --fps 4 --size 321x201 -q || fail "mp4"
[ "$(facts ./-film.mp4)" = "322,202,9" ] || fail "mp4: $(facts ./-film.mp4)" # H.264 has even sizes
"$carom" report space.h5 plane.h5 -o both.gif --speed 0.2 --fps 4 --size 320x200 >out || fail "gif"
[ "$(facts both.gif)" = "320,200,9" ] || fail "gif: $(facts both.gif)"
grep -q "9, 4 a second, at 0.2" out || fail "$(cat out)"
CAROM_FFMPEG=/bin/false "$carom" report plane.h5 -o no.mp4 2>out && fail "false is no ffmpeg"
grep -q "ffmpeg failed" out && [ ! -e no.mp4 ] || fail "$(cat out)"

# killed in the middle
"$carom" report plane.h5 -o killed.mp4 --speed 0.001 -q &
process=$!
for i in $(seq 200); do
    [ -n "$(ls tmp)" ] && [ -e "$(echo tmp/*/page.html)" ] && break
    sleep 0.1
done
sleep 1
kill -9 $process
wait $process 2>/dev/null || true
for i in $(seq 100); do
    [ -z "$(ls tmp)" ] && [ -z "$(ls | grep 'killed\|part\|log$')" ] && break
    sleep 0.1
done
[ -z "$(ls tmp)" ] || fail "a kill leaves $(ls tmp)"
[ -z "$(ls | grep 'killed\|part\|log$')" ] || fail "a kill leaves $(ls)"
echo "films and pictures: all well"
