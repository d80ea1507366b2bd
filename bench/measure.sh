# SPDX-License-Identifier: Apache-2.0
# How the parts of the bench measure and how the result is shown. Read by bench/run.

strict="-std=c17 -D_XOPEN_SOURCE=700 -O3 -fno-math-errno -ffp-contract=off"
# shellcheck disable=SC2086  # words of CC and of the options are separate arguments
$cc $strict bench/hand/slider_crank.c -o "$work/hand" -lm
$cc $strict bench/watch.c -o "$work/watch"

# without a compiler --native warns and runs the tape, which must not be noted as native
has_native=
if why=$("$carom" run models/bouncing-ball.yaml --end 0.01 --native -q 2>&1) && [ -z "$why" ]; then
    has_native=yes
else
    echo "bench: no compiled models here, only the tape is measured: $why"
fi

# json NAME FILE: the number after "NAME": in a JSON file (the first one)
json() { tr ',{}' '\n\n\n' <"$2" | sed -n "s/^ *\"$1\": *//p" | head -n 1 | tr -d ' '; }

# note CASE VARIANT VALUE
note() { printf '%s\t%s\t%s\n' "$1" "$2" "$3" >>"$rows"; }

# run_carom CASE VARIANT MODEL ARGUMENT...: one run; notes its nanoseconds per step
run_carom() {
    case_name=$1 variant=$2 model=$3
    shift 3
    [ "$variant" != native ] || [ -n "$has_native" ] || return 0
    native=
    [ "$variant" != native ] || native=--native
    if ! "$carom" run "models/$model.yaml" $native "$@" --json "$work/carom.json" -q 2>"$work/carom.txt"; then
        [ -n "${may_refuse:-}" ] || { echo "bench: $case_name, $variant: carom failed:" && cat "$work/carom.txt"; } >&2
        return 1
    fi
    note "$case_name" "$variant" "$(awk -v s="$(json stepping "$work/carom.json")" -v n="$(json steps "$work/carom.json")" \
        'BEGIN { printf "%.3f", s / n * 1e9 }')"
}

# statistic CASE VARIANT: median and smallest, nothing where there is none
statistic() {
    awk -F '\t' -v c="$1" -v v="$2" '$1 == c && $2 == v { print $3 }' "$rows" | sort -g | awk '{ x[NR] = $1 }
        END { if (NR) printf "%.6g %.6g\n", NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2, x[1] }'
}

median() { statistic "$1" "$2" | cut -d ' ' -f 1; }

# again COMMAND...: as often as there are repeats
again() {
    turn=0
    while [ "$turn" -lt "$repeats" ]; do
        "$@"
        turn=$((turn + 1))
    done
}

# report: table of all cases with the ratios asked for, and the JSON file
report() {
    mkdir -p bench/results
    out=bench/results/$(date +%Y-%m-%d).json
    cut -f 1,2 "$rows" | awk '!seen[$0]++' >"$work/cases"
    : >"$work/table"
    while IFS="$(printf '\t')" read -r case_name variant; do
        printf '%s\t%s\t%s\n' "$case_name" "$variant" "$(statistic "$case_name" "$variant")" >>"$work/table"
    done <"$work/cases"
    awk -F '\t' 'BEGIN { printf "\n%-58s %-14s %12s %12s\n", "case [unit, ns per step unless said]", "variant", "median", "min" }
        { split($3, x, " "); printf "%-58s %-14s %12.5g %12.5g\n", $1, $2, x[1], x[2] }' "$work/table"
    awk -F '\t' '
        { split($3, x, " "); m[$1, $2] = x[1]; least[$1, $2] = x[2] }
        function ratio(name, c1, v1, c2, v2, target) {
            if (((c1, v1) in m) && ((c2, v2) in m))
                printf "%-66s %8.2f %8.2f   %s\n", name, m[c1, v1] / m[c2, v2], least[c1, v1] / least[c2, v2], target
        }
        # the faster of the two solvers of Siconos, where both were tried
        function siconos(c) {
            return ((c, "siconos-newton") in m) && m[c, "siconos-newton"] < m[c, "siconos"] ? "siconos-newton" : "siconos"
        }
        END {
            print "\nratio of                                                           medians   minima   target"
            n = split("moreau_midpoint moreau_jean_explicit tdg_velocity ggl_unified", s, " ")
            split("1.5 1.5 2 2", native, " "); split("3 3 4 4", tape, " ")
            for (i = 1; i <= n; i++) {
                c = "slider-crank " s[i]
                ratio(c ": native / hand-written", c, "native", c, "hand", "<= " native[i])
                ratio(c ": native / hand-written with audit", c, "native", c, "hand-audited", "")
                ratio(c ": tape / hand-written", c, "tape", c, "hand", "<= " tape[i])
                ratio(c ": tape / hand-written with audit", c, "tape", c, "hand-audited", "")
            }
            c = "slider-crank moreau_jean"
            ratio(c ": Siconos / native", c, "siconos", c, "native", ">= 25")
            ratio(c ": Siconos / tape", c, "siconos", c, "tape", "")
            c = "bouncing-ball moreau_jean"; ratio(c ": Siconos / Carom", c, "siconos", c, "tape", ">= 12")
            c = "woodpecker moreau_jean"; ratio(c ": Siconos / Carom", c, "siconos", c, "tape", ">= 10")
            c = "column-of-beads 10 moreau_jean"; ratio(c ": Siconos / Carom", c, siconos(c), c, "tape", "")
            c = "column-of-beads 100 moreau_jean"; ratio(c ": Siconos / Carom", c, siconos(c), c, "tape", "")
            c = "column-of-beads 1000 moreau_jean"; ratio(c ": Siconos / Carom", c, siconos(c), c, "tape", "")
            c = "closed column-of-beads 100 moreau_jean"; ratio(c ": Siconos / Carom", c, siconos(c), c, "tape", ">= 50")
            c = "closed column-of-beads 1000 moreau_jean"; ratio(c ": Siconos / Carom", c, siconos(c), c, "tape", ">= 200")
            e = "slider-crank moreau_midpoint by words"
            ratio("slider-crank: carried bodies / equations", "slider-crank-carried moreau_midpoint by words", "tape", e, "tape", "<= 1.1")
            ratio("slider-crank: free bodies / equations", "slider-crank-bodies moreau_midpoint by words", "tape", e, "tape", "<= 6")
            c = "four-bar with three clearances moreau_midpoint"; ratio(c ": Siconos (given) / Carom", c, "siconos", c, "tape", ">= 50")
            c = "arm of six axes moreau_midpoint"; ratio(c ": Carom / MuJoCo", c, "tape", c, "mujoco", "<= 2")
            n = split("tdg_velocity moreau_jean nonsmooth_gen_alpha", s, " "); split("2 2 5", most, " ")
            for (i = 1; i <= n; i++) {
                c = "bar 1000 " s[i]; by = i == 3 ? "moreau_jean" : s[i]
                ratio(c ": equations / " by " by hand", c, "tape", c, "hand", "<= " most[i])
                ratio(c ": C functions / " by " by hand", c, "callbacks", c, "hand", "<= " most[i])
            }
            c = "bar 1000 moreau_jean"; ratio(c ": Siconos / Carom", c, "siconos", c, "tape", ">= 2000")
            n = split("moreau_midpoint tdg_velocity moreau_jean nonsmooth_gen_alpha ggl_unified schatzman_paoli", s, " ")
            for (i = 1; i <= n; i++)
                ratio("bar 5000 / 1000 " s[i], "bar 5000 " s[i], "tape", "bar 1000 " s[i], "tape", "<= 6")
            for (k = 20; k <= 1000; k = k == 20 ? 100 : 10 * k) {
                c = "beam " k " moreau_midpoint"; ratio(c ": tape / hand-written", c, "tape", c, "hand", "<= 2.5")
                c = "beam " k " moreau_midpoint"; ratio(c ": native / hand-written", c, "native", c, "hand", "<= 2.5")
                c = "beam " k " moreau_jean"; ratio(c ": tape / hand-written", c, "tape", c, "hand", "<= 2.5")
            }
        }' "$work/table"
    awk -F '\t' -v n="$repeats" -v date="$(date +%Y-%m-%d)" 'BEGIN { printf "{\"date\": \"%s\", \"repeats\": %d, \"cases\": [", date, n }
        { split($3, x, " "); printf "%s\n  {\"case\": \"%s\", \"variant\": \"%s\", \"median\": %s, \"min\": %s}", (NR > 1 ? "," : ""), $1, $2, x[1], x[2] }
        END { print "\n]}" }' "$work/table" >"$out"
    echo "written to $out"
}
