# SPDX-License-Identifier: Apache-2.0
# Flexible bodies: the bar of models/elastic-bar.yaml by equations and from C functions (examples/callbacks/bar.c) beside
# the same by hand and in Siconos, growth from 1000 to 5000 elements; a plane beam beside the same by hand. The bar is
# pressed against the wall nearly all the time. First: do all end in the same place?
# shellcheck disable=SC2086  # words of CC and of the options are separate arguments
$cc $strict bench/hand/bar.c -o "$work/bar" -lm
# shellcheck disable=SC2086
$cc $strict bench/hand/beam.c -o "$work/beam" -lm
lib=$(dirname "$carom")/lib
has_example=
# shellcheck disable=SC2086
if $cc -std=c17 -O3 -Iinclude examples/callbacks/bar.c -L"$lib" -lcarom -lm -Wl,-rpath,"$(cd "$lib" && pwd)" -o "$work/bar_c" 2>"$work/bar.txt"; then
    has_example=yes
else
    echo "bench: the bar from C functions cannot be linked with $lib/libcarom.so: not measured"
fi
has_siconos_bar=
if [ -d "$siconos/kernel" ] && ${CXX:-c++} -std=c++17 -O2 -w -I$siconos -I$siconos/kernel -I$siconos/numerics \
    bench/peers/siconos/bar.cpp -o "$work/siconos_bar" -lsiconos_kernel -lsiconos_numerics; then
    has_siconos_bar=yes
fi

# same_end NAME TOLERANCE "NUMBERS OF HAND" "NUMBERS OF CAROM"
same_end() {
    echo "$3 $4" | awk -v t="$2" -v c="$1" '
        { for (i = 1; i <= NF / 2; i++) { d = $i - $(i + NF / 2); if (d < 0) d = -d; if (d > far) far = d }
          printf "%-36s largest difference by hand and in Carom: %.2g m\n", c, far
          if (far > t) exit 1 }' || { echo "bench/run: $1: the ends differ" >&2; exit 1; }
}
bar_step() { [ "$1" = 5000 ] && echo 2e-8 || echo 1e-7; }
same_bar() { # HAND SCHEME: 1000 elements, 500 steps
    "$work/bar" "$1" 1000 1e-7 5e-5 1e-6 0 >"$work/bar.txt"
    "$carom" run models/elastic-bar.yaml --scheme "$2" --set N=1000 --set gap0=1e-6 --end 5e-5 --json "$work/carom.json" -q
    same_end "bar 1000 $2" 1e-17 "$(sed -n 's/^q //p' "$work/bar.txt")" \
        "$(for i in 0 500 1000; do json "bar\\.u\\[$i\\]" "$work/carom.json"; done | tr '\n' ' ')"
}
same_bar tdg tdg_velocity
same_bar jean moreau_jean

hand_bar() { # N HAND CASE STEPS
    h=$(bar_step "$1")
    "$work/bar" "$2" "$1" "$h" "$(awk "BEGIN { print $4 * $h }")" 1e-8 0 >"$work/bar.txt"
    note "$3" hand "$(sed -n 's/^ns_per_step //p' "$work/bar.txt")"
}
carom_bar() { # N SCHEME STEPS
    h=$(bar_step "$1")
    end=$(awk "BEGIN { print $3 * $h }")
    run_carom "bar $1 $2" tape elastic-bar --scheme "$2" --set N="$1" --set gap0=1e-8 --step "$h" --end "$end"
    note "bar $1 set-up [ms]" tape "$(awk -v s="$(json setup "$work/carom.json")" 'BEGIN { print 1e3 * s }')"
    [ -n "$has_example" ] || return 0
    "$work/bar_c" "$2" "$1" "$h" "$end" >"$work/bar.txt"
    note "bar $1 $2" callbacks "$(sed -n 's/.* \([-+.0-9e]*\) us for a step$/\1e3/p' "$work/bar.txt")"
}
bar_turn() { # N STEPS
    hand_bar "$1" lumped "bar $1 lumped moreau_midpoint" "$2"
    hand_bar "$1" tdg "bar $1 tdg_velocity" "$2"
    hand_bar "$1" jean "bar $1 moreau_jean" "$2"
    hand_bar "$1" jean "bar $1 nonsmooth_gen_alpha" "$2"
    for scheme in moreau_midpoint tdg_velocity moreau_jean nonsmooth_gen_alpha ggl_unified schatzman_paoli; do
        carom_bar "$1" $scheme "$2"
    done
}
again bar_turn 1000 2000
again bar_turn 5000 400
if [ -n "$has_siconos_bar" ]; then
    "$work/siconos_bar" 1000 1e-7 60 1e-8 >"$work/siconos.txt" 2>&1
    note "bar 1000 moreau_jean" siconos "$(sed -n 's/^ns_per_step //p' "$work/siconos.txt")"
fi

beam_turn() { # ELEMENTS STEP STEPS
    end=$(awk "BEGIN { print $2 * $3 }")
    for pair in midpoint:moreau_midpoint jean:moreau_jean; do
        scheme=${pair#*:}
        "$work/beam" "${pair%:*}" "$1" "$2" "$end" >"$work/beam.txt"
        note "beam $1 $scheme" hand "$(sed -n 's/^ns_per_step //p' "$work/beam.txt")"
        for variant in tape native; do
            [ "$1" -le 100 ] || [ $variant = tape ] || continue
            run_carom "beam $1 $scheme" $variant ../bench/models/beam --set elements="$1" --scheme "$scheme" \
                --step "$2" --end "$end"
        done
        same_end "beam $1 $scheme" 1e-11 "$(sed -n 's/^tip //p' "$work/beam.txt")" \
            "$(for x in x y; do json "cord\\[$1\\].$x" "$work/carom.json"; done | tr '\n' ' ')" >"$work/same.txt"
    done
}
again beam_turn 20 1e-4 2000
again beam_turn 100 2e-5 400
again beam_turn 1000 2e-6 40
