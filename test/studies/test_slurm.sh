#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The Slurm script of docs/studies.md, on a cluster of this machine alone (Debian's slurm-wlm and munge on loopback): a job
# array does parts, which are put together to the bytes that one process writes. Left out, and said so, where Slurm is
# missing or does not start.
# Usage: test_slurm.sh CAROM
set -eu
skip() {
    echo "left out: $1"
    exit 77
}
for program in slurmctld slurmd munged sbatch; do
    PATH=$PATH:/usr/sbin command -v $program >/dev/null || skip "$program is missing (slurm-wlm, munge)"
done
PATH=$PATH:/usr/sbin
test "$(id -u)" -eq 0 || skip "only root can start slurmd"
carom=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
source=${CAROM_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
folder=$(mktemp -d)
chmod 755 "$folder"
stop() {
    for name in slurmd ctld munged; do
        if test -s "$folder/$name.pid"; then kill "$(cat "$folder/$name.pid")" 2>/dev/null || true; fi
    done
    sleep 1
    rm -rf "$folder"
}
trap stop EXIT
cd "$folder"
mkdir state spool
dd if=/dev/urandom of=key bs=128 count=1 2>/dev/null
chmod 600 key
host=$(hostname -s) port=$((20000 + $$ % 20000 / 2 * 2))
munged --force --socket="$folder/munge.sock" --key-file="$folder/key" --pid-file="$folder/munged.pid" \
    --log-file="$folder/munged.log" --seed-file="$folder/seed" --num-threads=1 2>said || { cat said; skip "munged does not start"; }
cat >slurm.conf <<END
ClusterName=loop
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$folder/munge.sock
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/ctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/ctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
MpiDefault=none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF="$folder/slurm.conf"
slurmctld -f slurm.conf 2>said || { cat said; skip "slurmctld does not start"; }
slurmd -f slurm.conf 2>said || { cat said; skip "slurmd does not start"; }
tries=0
until sinfo -h -o %T 2>/dev/null | grep -q idle; do
    tries=$((tries + 1))
    test $tries -lt 30 || { cat ctld.log slurmd.log; skip "the cluster does not come up"; }
    sleep 0.5
done

# the page's script, shorter
mkdir bin
ln -s "$carom" bin/carom
PATH=$folder/bin:$PATH
cat >diagram.yaml <<END
carom-study: 1
model: $source/models/impact-oscillator.yaml
do: bif
section: {period: 2*pi/w}
vary: {A: {from: 0.8, to: 1.2, values: 5}, e: [0.6, 0.7, 0.8]}
show: [x]
skip: 20
points: 6
END
awk '/^#!\/bin\/sh/ {inside = 1} /^```/ {inside = 0} inside && /./ {print} inside && /--part/ {exit}' "$source/docs/studies.md" |
    sed 's/--array=1-16 --cpus-per-task=8/--array=1-3 --cpus-per-task=1/; s,/16 ,/3 ,' >job.sh
grep -q 'SBATCH --array=1-3' job.sh || { cat job.sh; echo "the page's script is another"; exit 1; }
carom study diagram.yaml -q -o alone.csv
timeout 120 sbatch --wait --quiet --output="$folder/job-%a.txt" job.sh || { cat job-*.txt ctld.log; exit 1; }
carom study merge part-1.caromdb part-2.caromdb part-3.caromdb -o all.caromdb
carom study export all.caromdb -o all.csv
cmp all.csv alone.csv
