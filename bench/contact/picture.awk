# SPDX-License-Identifier: Apache-2.0
# Times of contact solvers (see profile.c) as a performance profile: SVG on standard output. Across: time over the best
# time of any solver, logarithmic, 1 to 10000. Up: fraction of the problems solved within that. Spatial problems only,
# because not every solver takes plane ones.
function x(ratio) { return left + width * log(ratio) / log(widest) }
function y(fraction) { return top + height * (1 - fraction) }
BEGIN {
    left = 60; top = 20; width = 560; height = 340; widest = 10000
    split("#0b3d91 #c1121f #2a9d3f #8338ec #e07a00 #00838f #ad1457 #5d4037 #607d8b #9e9d24 #33691e #000000", colour, " ")
}
$3 == 3 {
    if (!($1 in best)) { n_file++; best[$1] = -1 }
    if (!($4 in seen)) { seen[$4] = 1; solver[++n_solver] = $4 }
    if ($5 == "-" || $7 + 0 > 1e-8 || $8 + 0 > 1e-8 || $7 ~ /nan|inf/) next
    time[$1, $4] = $5; n_solved[$4]++
    if (best[$1] < 0 || $5 < best[$1]) best[$1] = $5
}
END {
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 820 420\" font-family=\"sans-serif\" font-size=\"12\">\n"
    print "<title>Performance profile of contact solvers</title>"
    print "<rect width=\"820\" height=\"420\" fill=\"white\"/>"
    for (r = 1; r <= widest; r *= 10)
        printf "<path d=\"M%.1f %d v%d\" stroke=\"#ddd\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>\n", x(r), top, height, x(r), top + height + 18, r
    for (f = 0; f <= 10; f += 2)
        printf "<path d=\"M%d %.1f h%d\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.1f</text>\n", left, y(f / 10), width, left - 8, y(f / 10) + 4, f / 10
    printf "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">time / best time of any solver</text>\n", left + width / 2, top + height + 42
    printf "<text transform=\"translate(16 %.1f) rotate(-90)\" text-anchor=\"middle\">fraction of %d spatial problems solved to 1e-8</text>\n", top + height / 2, n_file
    for (s = 1; s <= n_solver; s++) if (n_solved[solver[s]]) draw(solver[s], ++n_drawn)
    print "</svg>"
}
# one solver: a step at each of its sorted ratios; Siconos dashed
function draw(name, number,    f, n, k, ratio, path, row, style) {
    n = 0
    for (f in best) if ((f, name) in time) {
        ratio = time[f, name] / best[f]
        for (k = ++n; k > 1 && sorted[k - 1] > ratio; k--) sorted[k] = sorted[k - 1]
        sorted[k] = ratio
    }
    path = sprintf("M%.1f %.1f", x(1), y(0))
    for (k = 1; k <= n; k++) {
        if (sorted[k] > widest) break
        path = path sprintf(" H%.1f V%.1f", x(sorted[k]), y(k / n_file))
    }
    path = path sprintf(" H%.1f", x(widest))
    row = top + 8 + 18 * number
    style = sprintf("fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"%s", colour[(number - 1) % 12 + 1], name == "auto" ? "3" : "1.6", name ~ /^siconos/ ? " stroke-dasharray=\"5 3\"" : "")
    printf "<path d=\"%s\" %s/>\n", path, style
    printf "<path d=\"M%d %d h24\" %s/><text x=\"%d\" y=\"%d\">%s (%d)</text>\n", left + width + 14, row - 4, style, left + width + 44, row, name, n_solved[name]
}
