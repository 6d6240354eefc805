# Draws speed over n, and below it the time of a call, for each device, operator and type. Needs gnuplot 5.4. rows.c
# writes this script after the lines of base/plot.c and the definitions of clock ("wall" or "device"), note and $rows.

# The panels (a device, an operator and a type each) and the strategies, in the order of the rows.
array panel[12]
array title[12]
array side[64]
array points[64]
panels = 0
sides = 0
group(x) = strcol("device") . "|" . strcol("op") . "|" . strcol("type")
name_of_panel(x) = sprintf("%s of %s on %s (%s, driver %s)", strcol("op"), strcol("type"), strcol("device"), \
  strcol("platform"), strcol("driver"))
add_panel(g) = panels < 12 && (panels == 0 || panel[panels] ne g) ? \
  (panels = panels + 1, panel[panels] = g, title[panels] = name_of_panel(0), 1) : 0
find(n, i) = i > sides ? 0 : side[i] eq n ? i : find(n, i + 1)
add_side(n) = sides == 64 || find(n, 1) ? 0 : (sides = sides + 1, side[sides] = n, 1)
stats $rows using (add_panel(group(0)), add_side(strcol("name")), 0) nooutput

# A line: the rows of a side in a panel that have a time.
seconds(what) = column(clock . "_seconds" . what)
is_in(p, i) = group(0) eq panel[p] && strcol("name") eq side[i] && seconds("") > 0
n(p, i) = is_in(p, i) ? column("count") : NaN
gigabytes(x) = column(clock . "_gigabytes_per_second") * seconds("")

# Lines differ in marks, so that the plot can be read without colours. A strategy has the same look in all panels.
looks = "'lw 2.5 lc rgb \"#000000\" pt 7 ps 0.9' 'lw 2 lc rgb \"#1f4e9c\" pt 5 ps 0.9'" \
  . " 'lw 2 lc rgb \"#8c2d04\" pt 9 ps 1.1' 'lw 2 lc rgb \"#3f6b1f\" pt 11 ps 1.1'" \
  . " 'lw 2 lc rgb \"#6a3d9a\" pt 13 ps 1.1' 'lw 2 lc rgb \"#555555\" pt 2 ps 1'"
look(i) = word(looks, (i - 1) % words(looks) + 1)

# The first strategy is drawn last, above the others. The key lists them in reverse order.
plot_lines = 'command = ""; \
do for [j = 1:sides] { i = sides + 1 - j; \
  if (points[i] > 0) { command = command . sprintf(", $rows using (n(%d,%d)):(%s):(%s):(%s) with yerrorlines %s %s", \
    p, i, middle, lower, upper, look(i), named ? "title side[" . i . "]" : "notitle") } }; \
eval "plot " . command[3:*]'

pixels = 700 * (panels > 0 ? panels : 1)
eval sprintf(terminal, pixels)
set logscale x 2
set format x '2^{%L}'
set xlabel 'elements n'
set grid lt 1 lw 0.5 lc rgb '#bbbbbb'
set border 3
set tics nomirror
set bars small
set lmargin at screen 0.09
set rmargin at screen 0.73
set multiplot
height = 1.0 / (panels > 0 ? panels : 1)
do for [p = 1:panels] {
  top = 1 - height * (p - 1)
  do for [i = 1:sides] { points[i] = 0; stats $rows using (points[i] = points[i] + is_in(p, i), 0) nooutput }
  if (sum [i = 1:sides] points[i] > 0) {
    # Speed above.
    set origin 0,top - 0.56 * height
    set size 1,0.56 * height
    set tmargin at screen top - 0.1 * height
    set label 1 title[p] . "\n" . note at screen 0.02,screen top - 0.03 * height left noenhanced
    set ylabel 'speed, GB/s'
    unset logscale y
    set format y '%g'
    set yrange [0:*]
    set key at screen 0.745,screen top - 0.1 * height left top Left reverse invert samplen 5 spacing 1.3 noenhanced
    middle = 'gigabytes(0) / seconds("")'; lower = 'gigabytes(0) / seconds("_upper")'
    upper = 'gigabytes(0) / seconds("_lower")'; named = 1
    eval plot_lines
    # Below it the time of a call, which shows the cost of few elements.
    set origin 0,top - height
    set size 1,0.44 * height
    unset label 1
    unset tmargin
    set ylabel 'time of one call, microseconds'
    set logscale y 10
    set format y '10^{%L}'
    set yrange [*:*]
    middle = '1e6 * seconds("")'; lower = '1e6 * seconds("_lower")'; upper = '1e6 * seconds("_upper")'; named = 0
    eval plot_lines
  }
}
unset multiplot
unset output
