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
