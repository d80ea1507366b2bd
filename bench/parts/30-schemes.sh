# SPDX-License-Identifier: Apache-2.0
# Every scheme that takes contacts and fixed steps, on three models.
# A scheme that refuses a model leaves no line.
schemes=$("$carom" list schemes --json | sed -n 's/^    "name": *"\([a-z_0-9]*\)".*/\1/p')
may_refuse=yes
schemes_turn() {
    for scheme in $schemes; do
        case $scheme in hem5 | phem56 | rkf45 | gen_alpha | mexx | event_driven | event_capturing) continue ;; esac
        run_carom "slider-crank mu=0 h=1e-4 $scheme" tape slider-crank --scheme "$scheme" --set mu=0 --step 1e-4 --end 0.5 || true
        run_carom "rocking-block $scheme" tape rocking-block --scheme "$scheme" --step 5e-4 --end 2 || true
        run_carom "woodpecker mu=0 h=1e-4 $scheme" tape woodpecker --scheme "$scheme" --set mu=0 --step 1e-4 --end 0.5 || true
    done
}
again schemes_turn
may_refuse=
