# Draws speed over n, and below it the time of a call: a line for each operator, type, strategy and device. Needs
# gnuplot 5.4. rows.c writes this script after the lines of base/plot.c and the definitions of clock ("wall" or
# "device"), note and $rows.

# The lines, in the order of the rows that have a time.
array line[64]
lines = 0
first = ""
seconds(what) = column(clock . "_seconds" . what)
label(x) = sprintf("%s of %s, %s", strcol("op"), strcol("type"), strcol("name")) \
  . (strcol("device") eq first ? "" : ", " . strcol("device"))
find(text, i) = i > lines ? 0 : line[i] eq text ? i : find(text, i + 1)
add(text) = lines == 64 || find(text, 1) ? 0 : (lines = lines + 1, line[lines] = text, 0)
heading(x) = (first = strcol("device"), \
  sprintf("%s (%s, driver %s)", first, strcol("platform"), strcol("driver")))
stats $rows using ((first eq "" ? (title = heading(0), 0) : 0), (seconds("") > 0 ? add(label(0)) : 0), 0) nooutput

n(i) = label(0) eq line[i] && seconds("") > 0 ? column("count") : NaN
speed(what) = column(clock . "_gigabytes_per_second") * seconds("") / seconds(what)
microseconds(what) = 1e6 * seconds(what)

# Lines differ in marks, so that the plot can be read without colours. The key lies below the speeds.
eval sprintf(terminal, 700 + 11 * lines)
set logscale x 2
set format x '2^{%L}'
set xlabel 'elements n'
set grid lt 1 lw 0.5 lc rgb '#bbbbbb'
set border 3
set tics nomirror
set bars small
set lmargin at screen 0.09
set multiplot layout 2,1 title title . "\n" . note noenhanced
if (lines > 0) {
  set ylabel 'speed, GB/s'
  set yrange [0:*]
  set key below maxcols 2 noenhanced
  plot for [i = 1:lines] $rows using (n(i)):(speed("")):(speed("_upper")):(speed("_lower")) with yerrorlines \
    lt i lw 2 pt i title line[i]
  set ylabel 'time of one call, microseconds'
  set logscale y 10
  set format y '10^{%L}'
  set yrange [*:*]
  unset key
  plot for [i = 1:lines] $rows using (n(i)):(microseconds("")):(microseconds("_lower")):(microseconds("_upper")) \
    with yerrorlines lt i lw 2 pt i
}
unset multiplot
unset output
