# Draws the ladder as bars: the time of a call, and within it the time of its kernels. Needs gnuplot 5.4.
# ladder.c writes this script after the lines of base/plot.c and the definitions of title, note and $rows
# (microseconds).

count = 0
least = 1e9
most = 1e-9
lower(x) = (least = x < least ? x : least)
upper(x) = (most = x > most ? x : most)
seen(x) = x > 0 ? (lower(x), upper(x)) : 0
stats $rows using (count = count + 1, seen(column("wall")), seen(column("kernels")), 0) nooutput
begin = 10 ** floor(log10(least * 0.99))
end = most * 60

# Pixels: 62 above the bars, 24 for each, 62 below them for the axis and its title.
pixels = 142 + 24 * count
eval sprintf(terminal, pixels)
set label 1 title . "\n" . note at screen 0.02,screen 1 - 24.0 / pixels left noenhanced
set logscale x 10
set format x '10^{%L}'
set xlabel 'time, microseconds'
set xrange [begin:end]
set yrange [-count + 0.4:0.6]
set grid xtics lt 1 lw 0.5 lc rgb '#bbbbbb'
set border 3
set tics nomirror
set ytics noenhanced
set lmargin at screen 0.30
set rmargin at screen 0.97
set tmargin at screen 1 - 62.0 / pixels
set bmargin at screen 62.0 / pixels
set key at screen 0.97,screen 1 - 24.0 / pixels right top horizontal samplen 2 noenhanced
set style fill solid 1 border rgb '#000000'

# Whole calls are light, kernels are dark and narrow, so that the picture can be read without colours.
plot $rows using (begin):(-$0):(begin):(column("wall")):(-$0 - 0.4):(-$0 + 0.4) with boxxyerror lc rgb '#d9d9d9' \
    title 'whole call', \
  '' using (begin):(-$0):(begin):(column("kernels")):(-$0 - 0.18):(-$0 + 0.18) with boxxyerror lc rgb '#404040' \
    title 'its kernels', \
  '' using (column("wall") > 0 ? column("wall") : begin):(-$0):(strcol("label")):yticlabels(strcol("name")) \
    with labels left offset 0.5,0 noenhanced notitle
unset output
