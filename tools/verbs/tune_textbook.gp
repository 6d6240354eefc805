# Draws a heat map for each strategy of `tune --textbook`. Needs gnuplot 5.4. tune_textbook.c writes this script after
# the lines of base/plot.c and the definitions of title, note, panels and $cells.

least = 1e30
most = 0
seen(x) = x > 0 ? (least = x < least ? x : least, most = x > most ? x : most) : 0
stats $cells using (seen(column("microseconds")), 0) nooutput
is_in(x) = column("panel") == p ? x : NaN
array rows[panels]
do for [p = 1:panels] {
  stats $cells using (is_in(column("y"))) nooutput
  rows[p] = STATS_max + 1
}

# Heights in pixels: a head, then for each map its title, its rows of cells and its axis.
head = 66
height(i) = 78 + 26 * rows[i]
pixels = head + (sum [i = 1:panels] height(i))
from_top(y) = 1 - 1.0 * y / pixels

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
set xlabel 'group_size' offset 0,0.5 noenhanced
tic(name, at) = column(name) > 0 ? sprintf("'%s' %d", strcol(name), column(at)) : "'' 0"
with_tic(list, name, at) = list . (list eq "" ? "" : ", ") . tic(name, at)
# Collects the names of the tics of a map. Returns x.
around(x) = (strategy = strcol("strategy"), parameter = strcol("parameter"), \
  x_tics = column("y") == 0 ? with_tic(x_tics, "group_size", "x") : x_tics, \
  y_tics = column("x") == 0 ? with_tic(y_tics, "value", "y") : y_tics, x)
top = head
do for [p = 1:panels] {
  x_tics = ""
  y_tics = ""
  stats $cells using (column("panel") == p ? around(column("x")) : NaN) nooutput
  set tmargin at screen from_top(top + 24)
  set bmargin at screen from_top(top + 24 + 26 * rows[p])
  set label 2 strategy at screen 0.16,screen from_top(top + 11) left noenhanced font ',14'
  set xrange [-0.5:STATS_max + 0.5]
  set yrange [-0.5:rows[p] - 0.5]
  eval "set xtics (" . x_tics . "); set ytics (" . y_tics . ")"
  set ylabel parameter noenhanced
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
