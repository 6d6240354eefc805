# Draws a heat map for each strategy of a sweep. Needs gnuplot 5.4. sweep_plot.c writes this script
# after the lines of base/plot.c and the definitions of title, note, the arrays of the maps, and $cells.

# Heights in pixels: a head, then for each map its title, its lines of cells and its axis.
head = 66
height(i) = 78 + 26 * up_count[i]
pixels = head + (sum [i = 1:panels] height(i))
from_top(y) = 1 - 1.0 * y / pixels
least = 1e30
most = 0
seen(x) = x > 0 ? (least = x < least ? x : least, most = x > most ? x : most) : 0
stats $cells using (seen(column("microseconds")), 0) nooutput

eval sprintf(terminal, pixels)
unset colorbox
# Light is fast. Every cell has its time in black, so the greys stay light.
set palette defined (0 '#ffffff', 1 '#909090')
set cbrange [log10(most > 0 ? least : 1):log10(most > least ? most : 10 * (most > 0 ? least : 1))]
set border 3
set tics nomirror scale 0
set lmargin at screen 0.16
set rmargin at screen 0.97
set multiplot
set label 1 title . "\n" . note at screen 0.02,screen from_top(20) left noenhanced
top = head
do for [p = 1:panels] {
  set tmargin at screen from_top(top + 24)
  set bmargin at screen from_top(top + 24 + 26 * up_count[p])
  set label 2 strategy[p] at screen 0.16,screen from_top(top + 11) left noenhanced font ',14'
  set xrange [-0.5:across_count[p] - 0.5]
  set yrange [-0.5:up_count[p] - 0.5]
  eval across_tics[p] eq "" ? "unset xtics" : "set xtics (" . across_tics[p] . ")"
  eval up_tics[p] eq "" ? "unset ytics" : "set ytics (" . up_tics[p] . ")"
  set xlabel across[p] offset 0,0.5 noenhanced
  set ylabel up[p] noenhanced
  is_in(x) = column("panel") == p ? x : NaN
  plot $cells using (is_in(column("x"))):(column("y")):(column("x") - 0.5):(column("x") + 0.5):(column("y") - 0.5) \
      :(column("y") + 0.5):(log10(column("microseconds"))) with boxxyerror fill solid border lc rgb '#ffffff' \
      lc palette notitle, \
    '' using (is_in(column("best") > 0 ? column("x") : NaN)):(column("y")):(column("x") - 0.49) \
      :(column("x") + 0.49):(column("y") - 0.46):(column("y") + 0.46) with boxxyerror lc rgb '#000000' \
      lw 3 fill empty border -1 notitle, \
    '' using (is_in(column("x"))):(column("y")):(strcol("label") . (column("best") > 0 ? " best" : "")) \
      with labels notitle
  unset label 1
  top = top + height(p)
}
unset multiplot
unset output
