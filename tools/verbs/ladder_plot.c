// The picture of the ladder: ladder.gp after the rows.

#include <inttypes.h>
#include <stdio.h>

#include "base/plot.h"
#include "base/wrap.h"
#include "verbs/ladder.h"

extern const char verbs_ladder_gp[];  // ladder.gp; the build embeds it

static void write_row(const struct ladder *ladder, const struct rung *rung, FILE *script) {
  char time[CELL_SIZE] = "refused", speedup[CELL_SIZE] = "-";
  if (rung->refused == NULL) {
    write_short_time(rung->outcome.wall_seconds, time);
    write_short(rung_scale_of(ladder, rung).speedup, speedup);
  }
  if (rung->refused != NULL)
    fprintf(script, "%s\tNaN\tNaN\t%s\n", rung->name, time);
  else
    fprintf(script, "%s\t%.9g\t%.9g\t%s, x %s%s\n", rung->name, rung->outcome.wall_seconds * 1e6,
            rung->outcome.kernel_seconds * 1e6, time, speedup, rung->correct ? "" : ", WRONG");
}

void ladder_write_plot(const void *of, FILE *script) {
  const struct ladder *ladder = of;
  const struct job *job = &ladder->job;
  char title[512], note[256];
  snprintf(title, sizeof title, "%s%s of %" PRIu64 " elements of %s on %s",
           job->problem.scan ? "inclusive scan by " : "", job->operation.name, (uint64_t)job->input.count,
           job->input.type.name, job->session.device.name);
  snprintf(note, sizeof note, "medians; x is the speedup over %s", ladder->rungs[0].name);
  plot_text(script, "title", title);
  plot_text(script, "note", note);
  fputs("$rows << EOD\nname\twall\tkernels\tlabel\n", script);
  for (size_t i = 0; i < ladder->count; i++)
    write_row(ladder, &ladder->rungs[i], script);
  fputs("EOD\n", script);
  fputs(verbs_ladder_gp, script);
}
