// The plot of bench: plot.gp after the rows.
#include "base/plot.h"
#include "bench/report.h"

extern const char bench_plot_gp[];  // plot.gp; the build embeds it

void bench_write_plot(const void *of, FILE *script) {
  const struct bench_report *report = of;
  const bool device = report->request->clock == BENCH_DEVICE;
  char note[256];
  snprintf(note, sizeof note, "%s; medians and quartiles of up to %llu runs in turn, %.10s",
           device ? "device clock; peers without one are left out" : "wall clock, calls back to back",
           (unsigned long long)report->request->runs, report->date);
  plot_text(script, "clock", device ? "device" : "wall");
  plot_text(script, "note", note);
  fputs("$rows << EOD\n", script);
  bench_write_rows(report, script, '\t');
  fputs("EOD\n", script);
  fputs(bench_plot_gp, script);
}
