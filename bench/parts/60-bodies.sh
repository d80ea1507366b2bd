# SPDX-License-Identifier: Apache-2.0
# Bodies: the slider-crank by words against its equations; a spatial four-bar; a chain of jointed bodies; a carried arm of
# six axes beside mj_step of MuJoCo (Euler, no contacts), where Debian's libmujoco-dev is installed. Both arms end within
# the error of their methods of each other.
has_mujoco=
if [ -f /usr/include/mujoco/mujoco.h ] && $cc -O2 bench/peers/mujoco/arm.c -o "$work/mujoco_arm" -lmujoco 2>"$work/mujoco.txt"; then
    has_mujoco=yes
else
    echo "bench: no MuJoCo here (apt-get install libmujoco-dev): not compared"
fi
mujoco_turn() {
    [ -n "$has_mujoco" ] || return 0
    "$work/mujoco_arm" bench/peers/mujoco/arm.xml 10000 >"$work/mujoco.txt" || return 1
    note "arm of six axes moreau_midpoint" mujoco "$(sed -n 's/^ns_per_step //p' "$work/mujoco.txt")"
    sed -n '/"q": {/,/}/p' "$work/carom.json" | sed -n 's/.*: *\([-0-9.e+]*\),*$/\1/p' >"$work/q.carom"
    sed -n 's/^q //p' "$work/mujoco.txt" | tr ' ' '\n' >"$work/q.mujoco"
    paste "$work/q.carom" "$work/q.mujoco" | awk '
        { d = $1 - $2; if (d < 0) d = -d; if (d > far) far = d }
        END { if (far > 0.01) printf "bench: the arm of MuJoCo ends %.3g rad away from that of Carom\n", far }'
}
bodies_turn() {
    for how in slider-crank slider-crank-carried slider-crank-bodies; do
        run_carom "$how moreau_midpoint by words" tape $how --scheme moreau_midpoint --step 1e-5 --end 0.5
    done
    run_carom "four-bar in space moreau_midpoint" tape ../bench/models/four-bar-spatial --end 2
    run_carom "four-bar with three clearances moreau_midpoint" tape four-bar-clearances --scheme moreau_midpoint --end 0.5
    # Siconos' own example of it, Debian's package, as the issue of bodies gives it: 305 us
    note "four-bar with three clearances moreau_midpoint" siconos 305000
    run_carom "arm of six axes moreau_midpoint" tape ../bench/peers/mujoco/arm
    mujoco_turn
}
again bodies_turn
for n in 100 1000; do
    run_carom "chain of $n bodies moreau_midpoint" tape ../bench/models/chain-of-bodies --set n=$n
    note "chain of $n bodies set-up [ms]" tape "$(awk -v s="$(json setup "$work/carom.json")" 'BEGIN { print 1e3 * s }')"
done
