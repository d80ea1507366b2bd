# SPDX-License-Identifier: Apache-2.0
# Times of contact solvers (see profile.c) as a table and as JSON. A solver that refuses every problem is left out.
# Solved: err_rel and err_max at most 1e-8. "own": err_max alone, the measure that Siconos stops by.
function quote(text) { gsub(/["\\]/, "\\\\&", text); return "\"" text "\"" }
{
    key = $1 SUBSEP $4
    if (!($1 in best)) { file[++n_file] = $1; best[$1] = best_other[$1] = -1; size[$1] = $2 ", \"dimension\": " $3 }
    if (!($4 in seen)) { seen[$4] = 1; solver[++n_solver] = $4 }
    if ($5 == "-") next
    takes[$4]++
    time[key] = $5; its[key] = $6; rel[key] = $7; max[key] = $8
    total[$4] += $5
    if ($8 + 0 <= 1e-8) own[$4]++
    if ($7 + 0 > 1e-8 || $8 + 0 > 1e-8) next
    both[$4]++; is_solved[key] = 1; total_solved[$4] += $5
    if (best[$1] < 0 || $5 < best[$1]) best[$1] = $5
    if ($4 ~ /^siconos/ && (best_other[$1] < 0 || $5 < best_other[$1])) best_other[$1] = $5
}
END {
    printf "%d problems; solved: err_rel and err_max <= 1e-8; own: err_max <= 1e-8\n\n", n_file
    printf "%-16s %6s %7s %5s %12s %14s\n", "solver", "taken", "solved", "own", "time [s]", "of solved [s]"
    for (s = 1; s <= n_solver; s++)
        if (takes[solver[s]])
            printf "%-16s %6d %7d %5d %12.4g %14.4g\n", solver[s], takes[solver[s]], both[solver[s]], own[solver[s]], total[solver[s]], total_solved[solver[s]]
    for (f = 1; f <= n_file; f++) {
        name = file[f]; key = name SUBSEP "auto"
        if (best[name] > 1e-3 && key in is_solved && time[key] / best[name] > worst_any) { worst_any = time[key] / best[name]; worst_any_name = name }
        if (best_other[name] < 0) continue
        n_other++; virtual += best_other[name]
        if (!(key in is_solved)) { n_lost++; continue }
        mine += time[key]
        ratio = time[key] / best_other[name]
        if (best_other[name] > 1e-3 && ratio > worst) { worst = ratio; worst_name = name }
    }
    if (n_other) {
        printf "\nvirtual best of Siconos: %d problems, %.4g s; auto on the same: %.4g s%s\n", n_other, virtual, mine, n_lost ? ", " n_lost " not solved" : ""
        if (worst) printf "above 1 ms auto takes at most %.2f times the best of Siconos (%s)\n", worst, worst_name
    }
    if (worst_any) printf "above 1 ms auto takes at most %.2f times the best of all solvers (%s)\n", worst_any, worst_any_name
    print "{\"tolerance\": 1e-8, \"problems\": [" >json
    for (f = 1; f <= n_file; f++) {
        printf "  {\"file\": %s, \"contacts\": %s, \"solvers\": {", quote(file[f]), size[file[f]] >json
        first = 1
        for (s = 1; s <= n_solver; s++) {
            key = file[f] SUBSEP solver[s]
            if (!(key in time)) continue
            printf "%s\n    %s: {\"time\": %s, \"iterations\": %s, \"err_rel\": %s, \"err_max\": %s}", first ? "" : ",", quote(solver[s]), number(time[key]), number(its[key]), number(rel[key]), number(max[key]) >json
            first = 0
        }
        printf "}}%s\n", f < n_file ? "," : "" >json
    }
    print "]}" >json
    print "\nresults: " json
}
function number(text) { return text ~ /inf|nan/ ? "null" : text }
