#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# carom-mpi: one, two and three processes write the bytes that carom writes; a study that is killed goes on; what is wrong
# is said once. Left out, and said so, where carom-mpi or mpirun is missing.
# Usage: test_mpi.sh CAROM
set -eu
# OpenMPI ends with memory of its own in hand, in modules that are gone by then
export LSAN_OPTIONS=detect_leaks=0
mpi=$(dirname "$1")/carom-mpi
if ! test -x "$mpi" || ! command -v mpirun >/dev/null; then
    echo "left out: carom-mpi or mpirun is missing (libopenmpi-dev, openmpi-bin)"
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >ball.yaml <<END
carom: 1
name: ball
parameters: {e: 0.5, h: 1}
coordinates: {y: {start: h}}
kinetic: der(y)^2/2
potential: 10*y
contacts: [{name: floor, gap: y, restitution: e}]
run: {scheme: event_driven, tolerance: 1e-8, end: 3}
END
cat >study.yaml <<END
carom-study: 1
model: ball.yaml
do: sweep
vary: {h: {from: 0.5, to: 2, values: 40}, e: [0.3, 0.6]}
take: [events floor, event_time floor 2]
END
run() { # how many, then the study's options
    n=$1
    shift
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 60 mpirun --oversubscribe -n "$n" "$mpi" "$@"
}
"$1" study study.yaml -q -o alone.csv
for n in 1 2 3; do
    run $n study study.yaml -q -o shared-$n.csv -o shared-$n.caromdb
    cmp alone.csv shared-$n.csv
done
"$1" study status shared-3.caromdb | grep -q '80 of 80 runs done'
# the store of one is gone on with by the other
"$1" study study.yaml --part 1/2 -q -o half.caromdb
run 2 study study.yaml -q -o half.csv -o half.caromdb
cmp alone.csv half.csv
sed -i 's/events floor/events wall/' study.yaml
if run 3 study study.yaml -o wrong.csv >said 2>&1; then echo "a wrong study is taken"; exit 1; fi
test "$(grep -c "no contact 'wall'" said)" = 1 || { cat said; exit 1; }
# a rank that is killed ends the job; with two processes it goes on, and the bytes are the same
sed -i 's/events wall/events floor/; s/values: 40/values: 400/; s/from: 0.5/from: 0.0005/' study.yaml
sed -i 's/tolerance: 1e-8, end: 3/tolerance: 1e-11, end: 30/' ball.yaml
"$1" study study.yaml -q -o alone.csv
run 3 study study.yaml -q -o killed.csv -o killed.caromdb 2>said &
job=$!
tries=0
until test -s killed.caromdb || test $tries -gt 200; do sleep 0.02; tries=$((tries + 1)); done
rank() { # the process of this job that is rank $1
    for path in /proc/[0-9]*; do
        grep -qz "^OMPI_COMM_WORLD_RANK=$1$" "$path/environ" 2>/dev/null &&
            test "$(readlink "$path/cwd" 2>/dev/null)" = "$folder" && basename "$path" && return
    done
    true
}
victim=$(rank 2)
if test -n "$victim"; then kill -9 "$victim"; else echo "the job was over before its rank could be killed"; fi
wait $job || true
run 2 study study.yaml -q -o killed.csv -o killed.caromdb
cmp alone.csv killed.csv
# rank 0 sleeps between its looks for messages: at most 1 % of a core while others work for seconds
sed -i 's/values: 400/values: 4/; s/from: 0.0005/from: 50/; s/to: 2/to: 60/' study.yaml
sed -i 's/end: 30/end: 6e6/' ball.yaml
sed -i 's/e: .0.3, 0.6./e: [1, 1]/' study.yaml
run 2 study study.yaml -q -o long.csv 2>said &
job=$!
sleep 2
zero=$(rank 0)
ticks() { awk '{print $14 + $15}' "/proc/$zero/stat"; }
test -n "$zero" || { echo "rank 0 is not to be found"; cat said; exit 1; }
before=$(ticks)
sleep 4
after=$(ticks)
kill "$(awk '{print $4}' "/proc/$zero/stat")" # mpirun
wait $job || true
echo "rank 0 took $((after - before)) of 400 ticks"
test $((after - before)) -le 4 || { echo "rank 0 does not sleep"; exit 1; }
