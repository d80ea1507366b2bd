# SPDX-License-Identifier: Apache-2.0
# Time per step, set-up and memory as the model grows; they should grow linearly. Also as CSV for `carom plot`.
mkdir -p bench/results
growth=bench/results/growth.csv
echo "n,chain_us_per_step,column_us_per_step,chain_setup_ms,column_setup_ms,chain_MB,column_MB" >"$growth"
grow() { # MODEL N ARGUMENT...: prints microseconds per step, milliseconds of set-up, MB
    model=$1 n=$2
    shift 2
    rm -f "$work/grow.json"
    "$work/watch" "$carom" run "models/$model.yaml" --set n="$n" "$@" --json "$work/grow.json" -q 2>"$work/watch.txt" || true
    awk -v s="$(json stepping "$work/grow.json")" -v k="$(json steps "$work/grow.json")" -v setup="$(json setup "$work/grow.json")" \
        '/^watch/ { printf "%.4g %.4g %.4g\n", s / k * 1e6, setup * 1e3, $4 / 1024 }' "$work/watch.txt"
}
for n in 10 100 1000 3000; do
    set -- $(grow chain-of-balls $n --scheme moreau_jean --step 1e-3 --end 0.2) $(grow column-of-beads $n --scheme moreau_jean --set height=0.1001 --set pitch=0.2001 --step 5e-4 --end 0.1)
    echo "$n,$1,$4,$2,$5,$3,$6" >>"$growth"
    note "chain-of-balls $n moreau_jean" tape "$(awk "BEGIN { print $1 * 1e3 }")"
    note "growth: column-of-beads $n" tape "$(awk "BEGIN { print $4 * 1e3 }")"
    note "chain-of-balls $n set-up [ms]" tape "$2"
    note "column-of-beads $n set-up [ms]" tape "$5"
    note "chain-of-balls $n memory [MB]" tape "$3"
    note "column-of-beads $n memory [MB]" tape "$6"
done
