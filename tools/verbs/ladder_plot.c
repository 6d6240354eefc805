// Draws the ladder: the rows, and then ladder.gp.
#include <stdio.h>

#include "base/plot.h"
#include "base/wrap.h"
#include "verbs/ladder.h"

extern const char verbs_ladder_gp[];  // ladder.gp; the build embeds it

static void write_bar(const struct ladder *ladder, const struct rung *rung, FILE *script) {
  char time[CELL_SIZE], speedup[CELL_SIZE];
  if (rung->refused != NULL) {
    fprintf(script, "%s\tNaN\tNaN\trefused\n", rung->name);
    return;
  }
  write_short_time(rung->outcome.wall_seconds, time);
  write_short(rung_scale_of(ladder, rung).speedup, speedup);
  fprintf(script, "%s\t%.9g\t%.9g\t%s, x %s%s\n", rung->name, rung->outcome.wall_seconds * 1e6,
          rung->outcome.kernel_seconds * 1e6, time, speedup, rung->correct ? "" : ", WRONG");
}

void ladder_write_plot(const void *of, FILE *script) {
  const struct ladder *ladder = of;
  char title[512], note[256];
  ladder_title(&ladder->job, title, sizeof title);
  snprintf(note, sizeof note, "medians; x is the speedup over %s", ladder->rungs[0].name);
  plot_text(script, "title", title);
  plot_text(script, "note", note);
  fputs("$rows << EOD\nname\twall\tkernels\tlabel\n", script);
  for (size_t i = 0; i < ladder->count; i++)
    write_bar(ladder, &ladder->rungs[i], script);
  fputs("EOD\n", script);
  fputs(verbs_ladder_gp, script);
}
