# SPDX-License-Identifier: Apache-2.0
# The picture in the README, from:  carom run docs/throw.yaml -o throw.csv
# Use: gnuplot -e "data='throw.csv'; out='docs/images/throw.svg'" docs/images/throw.gnuplot
set terminal svg size 760,310 font "Helvetica,12" background "#ffffff"
set output out
set datafile separator comma
set datafile commentschars "#"
set key autotitle columnhead
set key top right textcolor rgb "#444444" samplen 2
set border 3 lc rgb "#444444"
set tics nomirror textcolor rgb "#444444"
set grid lc rgb "#e4e4e4" lw 1 lt 1
set multiplot layout 1,2 margins 0.08,0.98,0.2,0.95 spacing 0.11,0
set xlabel "x [m]"
set ylabel "y [m]" offset 1
set yrange [-0.02:1.05]
set xtics 1
plot data every 6 using (column("x")):(column("y")) with lines lw 2.2 lc rgb "#1f5fa8" title "path"
set xlabel "t [s]"
unset ylabel
set yrange [-0.05:3.2]
plot data every 6 using (column("t")):(column("der_x")) with lines lw 2.2 lc rgb "#c4572a" title "sliding speed [m/s]", \
     data every 6 using (column("t")):(column("energy")/10) with lines lw 2.2 lc rgb "#5a8f3c" title "energy [10 J]"
unset multiplot
