# SPDX-License-Identifier: Apache-2.0
# One scene of bench/many/run as SVG: milliseconds of a step (across) against err_rel (left) and overlap over the smallest
# half size (right), logarithmic. Carom at several tolerances is a line, other programs are points.
function x(panel, t) { return 70 + 390 * panel + 300 * (log(t) - log(t_low)) / (log(t_high) - log(t_low)) }
function y(v) { return 340 - 290 * (log(v) - log(v_low)) / (log(v_high) - log(v_low)) }
function decade(v, up,    e) { e = log(v) / log(10); e = int(e + 1000) - 1000; return 10 ^ (e + up) }
function note(t, e, o) {
    n++; time[n] = t; value[n, 0] = e > 1e-9 ? e : 1e-9; value[n, 1] = o > 1e-9 ? o : 1e-9
    if (!t_high || t > t_high) t_high = t
    if (!t_low || t < t_low) t_low = t
    for (k = 0; k < 2; k++) if (!v_low || value[n, k] < v_low) v_low = value[n, k]
}
$1 == "Carom" { note($3 + 0, $4 + 0, $5 + 0); name[n] = "Carom " $2; next }
$4 == "ms" { for (i = 1; i < NF; i++) { if ($i == "err_rel") e = $(i + 1); if ($i == "overlap") o = $(i + 1) } note($3 + 0, e + 0, o + 0); name[n] = $1 }
END {
    t_low = decade(t_low, 0); t_high = decade(t_high, 1); v_high = 1; v_low = decade(v_low, 0)
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 400\" font-family=\"sans-serif\" font-size=\"12\">"
    printf "<title>%s: time of a step against accuracy</title>\n<rect width=\"800\" height=\"400\" fill=\"white\"/>\n", scene
    for (panel = 0; panel < 2; panel++) draw(panel, panel ? "deepest overlap / smallest half size" : "err_rel of the impulses")
    print "</svg>"
}
function draw(panel, label,    t, v, i, path) {
    for (t = t_low; t <= t_high * 1.001; t *= 10)
        printf "<path d=\"M%.1f 50 V340\" stroke=\"#ddd\"/><text x=\"%.1f\" y=\"358\" text-anchor=\"middle\">%g</text>\n", x(panel, t), x(panel, t), t
    for (v = v_low; v <= v_high * 1.001; v *= 10)
        printf "<path d=\"M%.1f %.1f H%.1f\" stroke=\"#ddd\"/><text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%.0e</text>\n", x(panel, t_low), y(v), x(panel, t_high), x(panel, t_low) - 6, y(v) + 4, v
    printf "<text x=\"%.1f\" y=\"34\" text-anchor=\"middle\">%s</text><text x=\"%.1f\" y=\"382\" text-anchor=\"middle\">processor time of a step [ms]</text>\n", x(panel, sqrt(t_low * t_high)), label, x(panel, sqrt(t_low * t_high))
    for (i = 1; i <= n; i++) if (name[i] ~ /^Carom/) path = path (path ? " L" : "M") sprintf("%.1f %.1f", x(panel, time[i]), y(value[i, panel]))
    if (path) printf "<path d=\"%s\" fill=\"none\" stroke=\"#0b3d91\" stroke-width=\"1.6\"/>\n", path
    for (i = 1; i <= n; i++)
        printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/><text x=\"%.1f\" y=\"%.1f\">%s</text>\n", x(panel, time[i]), y(value[i, panel]), name[i] ~ /^Carom/ ? "#0b3d91" : name[i] == "ODE" ? "#c1121f" : "#e07a00", x(panel, time[i]) + 6, y(value[i, panel]) - 5, panel && name[i] ~ /^Carom/ ? (i == n ? "Carom" : "") : name[i]
}
