# SPDX-License-Identifier: Apache-2.0
# Start-up (parse, derive, first step) of the slider-crank, and memory of a long run that records every 100th step.
startup_turn() {
    "$work/watch" "$carom" run models/slider-crank.yaml --step 1e-5 --end 1e-5 -q --json "$work/carom.json" 2>"$work/watch.txt"
    note "slider-crank start-up, whole process [ms]" tape "$(awk '/^watch/ { print $2 }' "$work/watch.txt")"
    note "slider-crank start-up, set-up and first step [ms]" tape \
        "$(awk -v a="$(json setup "$work/carom.json")" -v b="$(json stepping "$work/carom.json")" 'BEGIN { print 1e3 * (a + b) }')"
}
again startup_turn
"$work/watch" "$carom" run models/slider-crank.yaml --step 1e-5 --end 4 --every 100 -o "$work/long.h5" -q 2>"$work/watch.txt"
note "slider-crank 4 s at 1e-5, every 100th step to HDF5: memory [MB]" tape "$(awk '/^watch/ { print $4 / 1024 }' "$work/watch.txt")"
