# SPDX-License-Identifier: Apache-2.0
# The slider-crank by hand and in Carom. First: do both follow the same trajectory? e = 0.4, h = 1e-4, 0.2 s; angles to
# 1e-10. Then the time: e = 0.4, mu = 0.01 (ggl_unified: e = 0.1, no friction), h = 1e-5.

# same_motion HAND_SCHEME SCHEME E MU
same_motion() {
    "$work/hand" "$1" "$3" "$4" 1e-4 0.2 >"$work/hand.txt"
    "$carom" run models/slider-crank.yaml --scheme "$2" --set e="$3" --set mu="$4" --step 1e-4 --end 0.2 \
        --json "$work/carom.json" -q
    awk -v th="$(json th1 "$work/carom.json") $(json th2 "$work/carom.json") $(json th3 "$work/carom.json")" -v mu="$4" -v s="$2" '
        $1 == "q" { split(th, x, " ")
            for (i = 1; i <= 3; i++) { d = $(i + 1) - x[i]; if (d < 0) d = -d; if (d > far) far = d }
            printf "%-20s mu = %-5s largest difference of the angles after 0.2 s: %.2g rad\n", s, mu, far
            if (far > 1e-10) exit 1 }' "$work/hand.txt" || { echo "bench/run: the trajectories differ" >&2; exit 1; }
}
for mu in 0 0.01; do
    same_motion midpoint moreau_midpoint 0.4 $mu
    same_motion jean moreau_jean_explicit 0.4 $mu
    same_motion tdg tdg_velocity 0.4 $mu
done
same_motion ggl ggl_unified 0.1 0

# one_turn HAND_SCHEME SCHEME E MU END
one_turn() {
    "$work/hand" "$1" "$3" "$4" 1e-5 "$5" 0 1 >"$work/hand.txt"
    note "slider-crank $2" hand "$(awk '/^ns_per_step / { print $2 }' "$work/hand.txt")"
    note "slider-crank $2" hand-audited "$(awk '/^ns_per_step_audited / { print $2 }' "$work/hand.txt")"
    for variant in tape native; do
        run_carom "slider-crank $2" $variant slider-crank --scheme "$2" --set e="$3" --set mu="$4" --step 1e-5 --end "$5"
    done
}
again one_turn midpoint moreau_midpoint 0.4 0.01 1
again one_turn jean moreau_jean_explicit 0.4 0.01 1
again one_turn tdg tdg_velocity 0.4 0.01 1
again one_turn ggl ggl_unified 0.1 0 0.4
