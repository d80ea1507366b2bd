#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs that are stopped or killed and go on: files keep their first part, other files are refused, two runs do not write
# one file, links and files of others are left alone, a full disk is told. The loop of random kills is test_kills.sh.
set -eu
carom=$(realpath "${1:-build/carom}")
folder=$(mktemp -d)
pids=
# shellcheck disable=SC2086
trap 'for pid in $pids; do kill -9 $pid 2>/dev/null || :; done; rm -rf "$folder"' EXIT
cd "$folder"
cat >ball.yaml <<'MODEL'
carom: 1
parameters: {e: 0.8}
coordinates: {y: {start: 1}}
kinetic: der(y)^2/2
potential: 9.81*y
contacts: [{name: floor, gap: y, restitution: e}]
run: {step: 1e-3, end: 3}
MODEL
fail() { echo "$*"; [ ! -s err ] || cat err; exit 1; }
# expect CODE TEXT COMMAND...: its exit code, and a text in what it says
expect() {
    wanted=$1 text=$2
    shift 2
    code=0
    "$@" >out 2>err || code=$?
    [ "$code" -eq "$wanted" ] || fail "exit code $code, not $wanted: $*"
    [ -z "$text" ] || grep -qF -- "$text" out err || fail "does not say '$text': $*"
}
same() { cmp "$1" "$2" || fail "$1 and $2 differ"; }
# in the background until it is stopped
start() {
    "$carom" run ball.yaml -q --step 1e-6 --end 500 --every 100 "$@" 2>err.start &
    pid=$!
    pids="$pids $pid"
}
wait_for() {
    tries=0
    until ls $1 >/dev/null 2>&1 && [ -s "$(ls $1 | head -n 1)" ]; do
        tries=$((tries + 1))
        [ $tries -lt 400 ] || fail "nothing came of $1"
        sleep 0.05
    done
}
# until there are so many bytes: a loaded machine may take its time
wait_for_bytes() {
    tries=0
    until [ "$(cat $1 2>/dev/null | wc -c)" -gt "$2" ]; do
        tries=$((tries + 1))
        [ $tries -lt 1200 ] || fail "$1 does not grow to $2 bytes"
        sleep 0.05
    done
}
nothing_left() {
    left=$(find . -maxdepth 1 \( -name '*.part*' -o -name '*.copy' -o -name '*.lock' \))
    [ -z "$left" ] || fail "left lying about: $left"
}

for kind in csv h5; do
    # a run whose end comes later; the last row of the first part is not in the file of one run
    expect 0 '' "$carom" run ball.yaml -q --every 7 -o "whole.$kind" --events whole.e
    expect 0 '' "$carom" run ball.yaml -q --every 7 --end 1 -o "r.$kind" --events r.e --checkpoint cp
    cp "r.$kind" "first.$kind" && cp r.e first.e
    [ ! -e "r.$kind.json" ] || cp "r.$kind.json" "first.$kind.json"
    cp r.e.json first.e.json
    expect 0 '' "$carom" run ball.yaml -q --every 7 --restart cp -o "r.$kind" --events r.e
    same "r.$kind" "whole.$kind"
    same r.e whole.e
    # the same again: the file has gone on, but what was written up to the checkpoint is still its beginning
    expect 0 '' "$carom" run ball.yaml -q --every 7 --restart cp -o "r.$kind" --events r.e
    same "r.$kind" "whole.$kind"
    # other rows, a file of another run, a file that was changed
    expect 2 'another --every' "$carom" run ball.yaml -q --every 6 --restart cp -o "r.$kind" --events r.e
    same "r.$kind" "whole.$kind"
    expect 0 '' "$carom" run ball.yaml -q --every 7 --end 1 --set e=0.5 -o "other.$kind"
    cp "other.$kind" kept
    expect 2 'does not hold what this run had written up to t = 1' \
        "$carom" run ball.yaml -q --every 7 --restart cp -o "other.$kind"
    same kept "other.$kind"
    # a new file gets the rest only; but not beside one that goes on
    expect 0 '' "$carom" run ball.yaml -q --every 7 --restart cp -o "rest.$kind"
    [ "$kind" = h5 ] || [ "$(wc -l <rest.csv)" -lt "$(wc -l <whole.csv)" ] || fail "the rest is all"
    [ "$kind" = csv ] || { rm -f r.e r.e.json && expect 2 'its events go on in one file and start in another' \
        "$carom" run ball.yaml -q --every 7 --restart cp -o r.h5 --events r.e; }
    # resumed: the file must be there
    expect 2 'with what the run that is resumed had written' \
        "$carom" run ball.yaml -q --every 7 --checkpoint cp --resume -o "gone.$kind"
    nothing_left
    rm -f cp
done
expect 2 "there is no checkpoint 'none'" "$carom" run ball.yaml -q --checkpoint none --resume
expect 2 '--resume needs --checkpoint' "$carom" run ball.yaml -q --resume

# a signal: the row of the cut is dropped when the run goes on, and impulses are counted once
start -o sig.csv --checkpoint sig.cp
wait_for 'sig.csv.*.part'
sleep 0.3
kill -TERM $pid && wait $pid 2>/dev/null || :
t=$(tail -n 1 sig.csv | cut -d, -f1)
expect 0 '' "$carom" run ball.yaml -q --step 1e-6 --every 100 --end "$t+0.05" -o sig.csv --checkpoint sig.cp --resume
expect 0 '' "$carom" run ball.yaml -q --step 1e-6 --every 100 --end "$t+0.05" -o once.csv
same sig.csv once.csv

# one writer: rows, events and checkpoint are locked; what is there stays
start -o one.csv --events one.e --checkpoint one.cp
wait_for 'one.csv.*.part'
wait_for one.cp
expect 2 "cannot write '$PWD/one.csv': another run is writing it" "$carom" run ball.yaml -q -o "$PWD/one.csv"
expect 2 'another run is writing it' "$carom" run ball.yaml -q --events one.e
expect 2 'another run is writing it' "$carom" run ball.yaml -q --checkpoint one.cp
# killed: the part is read, named, and not emptied by a run that starts anew
kill -9 $pid && wait $pid 2>/dev/null || :
part=$(ls one.csv.*.part)
head -n 50 "$part" >some && cat some >"$part" # however far it came
printf '0.5,' >>"$part"
expect 0 'cut off after line' "$carom" plot "$part" -c y -o part.svg
expect 1 'cut off after line' "$carom" compare "$part" sig.csv
cp "$part" kept && cp "$part.json" kept.json
expect 0 "'$PWD/$part' is left of a run that was killed" "$carom" run ball.yaml -q -o "$PWD/one.csv"
same "$part" kept
t=$(tail -n 2 "$part" | head -n 1 | cut -d, -f1)
expect 0 '' "$carom" run ball.yaml -q --step 1e-6 --every 100 --end "$t" -o one.csv --events one.e --checkpoint one.cp --resume
expect 0 '' "$carom" run ball.yaml -q --step 1e-6 --every 100 --end "$t" -o once.csv --events once.e
same one.csv once.csv
same one.e once.e
nothing_left

# the part of an HDF5 file, with all that a page needs; a figure is that of the rows that are there
start -o part.h5
wait_for_bytes 'part.h5.*.part' 300000
kill -9 $pid && wait $pid 2>/dev/null || :
part=$(ls part.h5.*.part)
expect 0 'not whole' "$carom" plot "$part" -c 'y,P_*' -o part.svg
expect 0 'not whole' "$carom" report "$part" -o part.html
expect 2 'only CSV files are compared' "$carom" compare "$part" "$part"
rm "$part" part.h5.lock

# pages and figures are locked too
expect 0 '' "$carom" run ball.yaml -q -o a.h5
touch p.svg.lock f.html.lock
( flock 9; expect 2 'another run is writing it' "$carom" plot a.h5 -c y -o p.svg ) 9>>p.svg.lock
( flock 9; expect 2 'another run is writing it' "$carom" report a.h5 -o f.html ) 9>>f.html.lock
expect 0 '' "$carom" plot a.h5 -c y -o p.svg
expect 0 '' "$carom" report a.h5 -o f.html
nothing_left

# a lock, a part or a checkpoint's part that is a link, or something else, is left alone
echo precious >precious
ln -s precious l.csv.lock
expect 2 "which is another file" "$carom" run ball.yaml -q -o l.csv
rm l.csv.lock && echo mine >l.csv.lock
expect 2 "which is another file" "$carom" run ball.yaml -q -o l.csv
rm l.csv.lock
sh -c 'ln -s precious l.csv.$$.part; ln -s precious l.cp.$$.part; ln -s precious l.csv.$$.part.json
       exec "$0" run ball.yaml -q -o l.csv --checkpoint l.cp --json l.json' "$carom"
[ "$(cat precious)" = precious ] || fail "a file behind a link was written"
expect 0 '' "$carom" compare l.csv l.csv

# a file that may not grow, as a full disk: said, exit code 1, what was written and the last checkpoint go on
( ulimit -f 60; expect 1 'File too large' "$carom" run ball.yaml -q -o full.csv --checkpoint full.cp )
( ulimit -f 60; expect 1 'File too large' "$carom" run ball.yaml -q -o full.h5 --checkpoint full2.cp )
for kind in csv h5; do
    cp=full.cp
    [ $kind = csv ] || cp=full2.cp
    expect 0 '' "$carom" run ball.yaml -q -o full.$kind --checkpoint $cp --resume
    expect 0 '' "$carom" run ball.yaml -q -o once.$kind
    same full.$kind once.$kind
done
( ulimit -f 1; expect 1 'File too large' "$carom" plot a.h5 -c y -o big.svg )
( ulimit -f 1; expect 1 'File too large' "$carom" report a.h5 -o big.html )
( ulimit -f 1; expect 1 'File too large' "$carom" run ball.yaml -q --json big.json )
( ulimit -f 1; expect 1 'File too large' "$carom" run ball.yaml -q --checkpoint big.cp )
( ulimit -f 1; expect 1 'File too large' "$carom" run ball.yaml -q -o big2.csv )
( ulimit -f 20; expect 1 'File too large' "$carom" run ball.yaml -q -o full.csv --checkpoint full.cp --end 4 --resume )
( ulimit -f 1; expect 1 'File too large' "$carom" export ball.yaml -o big.c )
# a file with a damaged row is not continued, and stays as it is
expect 0 '' "$carom" run ball.yaml -q -o hurt.csv --checkpoint hurt.cp --end 1
sed '500s/\./?/' hurt.csv >hurt2.csv
cp hurt2.csv hurt.csv
expect 2 "cannot continue" "$carom" run ball.yaml -q -o hurt.csv --checkpoint hurt.cp --resume
same hurt.csv hurt2.csv
rm -f hurt*

# a link to a file whose name says nothing of HDF5: what it points to becomes the results
echo old >plain-name
ln -s plain-name linked.h5
expect 0 '' "$carom" run ball.yaml -q -o linked.h5
expect 0 '' "$carom" run ball.yaml -q -o once-more.h5
same linked.h5 once-more.h5
[ -L linked.h5 ] || fail "a link was replaced"
[ -z "$(ls plain-name.* 2>/dev/null)" ] || fail "something is left of plain-name"

# the same for what is written at once: a file behind a link is replaced by something whole or stays as it was
cat >long.yaml <<'MODEL'
carom: 1
coordinates: {"y[i]": {for: {i: 1..200}}}
kinetic: sum(i, 1, 200, der(y[i])^2)
potential: sum(i, 1, 200, y[i]^2)
run: {step: 1e-3, end: 1e-2}
MODEL
for what in "export long.yaml -o" "run long.yaml -q --json" "equilibrium long.yaml -q --json" "equilibrium long.yaml -q -o"; do
    echo old >behind && ln -sf behind link
    # shellcheck disable=SC2086
    ( ulimit -f 1; expect 1 'File too large' "$carom" $what link )
    [ "$(cat behind)" = old ] || fail "$what: what was behind a link is lost"
    # shellcheck disable=SC2086
    expect 0 '' "$carom" $what link
    [ -L link ] && [ "$(cat behind)" != old ] || fail "$what: does not write through a link"
done
rm link behind

# a folder of contact problems has one writer
start --save-contact problems:every=1000
wait_for "problems/*.dat"
expect 2 'another run is writing it' "$carom" run ball.yaml -q --save-contact problems
kill -9 $pid
wait $pid 2>/dev/null || :
expect 0 '' "$carom" run ball.yaml -q --save-contact problems
[ ! -e problems.lock ] || fail "the lock of a folder is left"

ln -s /dev/full full.svg
expect 1 'No space left' "$carom" plot a.h5 -c y -o full.svg
rm -f l.*.part l.*.json
nothing_left
echo "files go on"
