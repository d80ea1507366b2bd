# SPDX-License-Identifier: Apache-2.0
# The same models, steps and tolerances in Siconos (bench/peers/siconos), where Debian's package is installed. Its
# positions at the end are compared with Carom's, but for the slider-crank: there Siconos' scheme takes mass and rows at
# the end of the step, and both agree to the order of the step only.
siconos=/usr/include/siconos
if [ ! -d $siconos/kernel ]; then
    echo "bench: no Siconos here (apt-get install libsiconos-kernel-dev libsiconos-numerics-dev g++): not compared"
else
    for peer in beads woodpecker slider_crank; do
        ${CXX:-c++} -std=c++17 -O2 -w -I$siconos -I$siconos/kernel -I$siconos/numerics bench/peers/siconos/$peer.cpp \
            -o "$work/siconos_$peer" -lsiconos_kernel -lsiconos_numerics
    done
fi

# run_siconos CASE TOLERANCE PEER ARGUMENT...: notes its time as $solver (siconos unless set) and compares with the
# positions of the last Carom run
run_siconos() {
    case_name=$1 tolerance=$2 peer=$3
    shift 3
    [ -d $siconos/kernel ] || return 0
    "$work/siconos_$peer" "$@" >"$work/siconos.txt" 2>&1
    note "$case_name" "${solver:-siconos}" "$(sed -n 's/^ns_per_step //p' "$work/siconos.txt")"
    sed -n '/"q": {/,/}/p' "$work/carom.json" | sed -n 's/.*: *\([-0-9.e+]*\),*$/\1/p' >"$work/q.carom"
    sed -n 's/^q //p' "$work/siconos.txt" | tr ' ' '\n' >"$work/q.siconos"
    paste "$work/q.carom" "$work/q.siconos" | awk -v t="$tolerance" -v c="$case_name" '
        { d = $1 - $2; if (d < 0) d = -d; if (d > far) far = d }
        END { if (far > t) printf "bench: %s: Siconos ends %.3g away from Carom (allowed %g)\n", c, far, t }'
}

# Columns with two of Siconos' solvers: Lemke, its default, and Newton's method on Fischer and Burmeister's function, up to
# 15 times faster where many contacts are closed; the ratio takes the faster one. A column that lands has few contacts at
# first; one whose contacts are all closed (1e-7 m deep, so that rounding does not decide which) is as a column at rest.
beads_turn() { # N STEPS HEIGHT PITCH [NAME TOLERANCE]
    name="${5:-}column-of-beads $1 moreau_jean"
    run_carom "$name" tape column-of-beads --set n="$1" --set height="$3" --set pitch="$4" \
        --step 5e-4 --end "$(awk "BEGIN { print $2 * 5e-4 }")"
    run_siconos "$name" "${6:-1e-9}" beads "$1" 5e-4 "$2" "$3" "$4" lemke
    solver=siconos-newton
    run_siconos "$name" "${6:-1e-9}" beads "$1" 5e-4 "$2" "$3" "$4" newton
    solver=
}
peer_turn() {
    run_carom "bouncing-ball moreau_jean" tape bouncing-ball --step 0.005 --end 100
    run_carom "bouncing-ball moreau_jean" native bouncing-ball --step 0.005 --end 100
    run_siconos "bouncing-ball moreau_jean" 1e-9 beads 1 0.005 20000
    run_carom "woodpecker moreau_jean" native woodpecker --scheme moreau_jean --step 2e-5 --end 1
    run_carom "woodpecker moreau_jean" tape woodpecker --scheme moreau_jean --step 2e-5 --end 1
    run_siconos "woodpecker moreau_jean" 1e-6 woodpecker 2e-5 50000
    run_carom "slider-crank moreau_jean" native slider-crank --scheme moreau_jean --step 1e-5 --end 0.2
    run_carom "slider-crank moreau_jean" tape slider-crank --scheme moreau_jean --step 1e-5 --end 0.2
    run_siconos "slider-crank moreau_jean" 0.2 slider_crank 1e-5 20000
    beads_turn 10 400 0.1001 0.2001
    beads_turn 100 400 0.1001 0.2001
}
again peer_turn
beads_turn 1000 150 0.1001 0.2001
again beads_turn 100 100 0.1 0.1999999 "closed " 1e-6
beads_turn 1000 5 0.1 0.1999999 "closed " 1e-6
