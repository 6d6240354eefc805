// Draws the plot: gnuplot runs plot.gp, in a temporary file that begins with the rows.
#define _XOPEN_SOURCE 700

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/wrap.h"
#include "bench/report.h"

extern char **environ;

extern const char bench_plot_gp[];  // plot.gp; the build embeds it

static bool is_in_path(const char *program) {
  const char *folders = getenv("PATH");
  char path[1024];
  for (size_t length; folders != NULL && *folders != '\0'; folders += length + (folders[length] == ':')) {
    length = strcspn(folders, ":");
    snprintf(path, sizeof path, "%.*s/%s", (int)length, folders, program);
    if (access(path, X_OK) == 0)
      return true;
  }
  return false;
}

int bench_plot_check(const char *path) {
  if (!ends_in(path, ".svg") && !ends_in(path, ".png"))
    return fail(EXIT_BAD_USE, "--plot %s: the name has no known ending; end it in .svg or .png", path);
  if (!is_in_path("gnuplot"))
    return fail(EXIT_WORK_FAILED, "--plot: gnuplot is not installed; install it (Debian and Ubuntu: gnuplot-nox)");
  return EXIT_DONE;
}

// A line of the script that sets a variable to a text.
static void write_text(FILE *file, const char *name, const char *text) {
  fprintf(file, "%s = \"", name);
  for (; *text != '\0'; text++)
    fprintf(file, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
  fputs("\"\n", file);
}

void bench_plot_script(const struct bench_report *report, FILE *file, const char *picture, bool svg) {
  const bool device = report->request->clock == BENCH_DEVICE;
  char note[256];
  snprintf(note, sizeof note, "%s; medians and quartiles of up to %llu runs in turn, %.10s",
           device ? "device clock; peers without one are left out" : "wall clock, calls back to back",
           (unsigned long long)report->request->runs, report->date);
  fprintf(file, "svg = %d\n", svg);
  write_text(file, "clock", device ? "device" : "wall");
  write_text(file, "note", note);
  write_text(file, "picture", picture);
  fputs("$rows << EOD\n", file);
  bench_write_rows(report, file, '\t');
  fputs("EOD\n", file);
  fputs(bench_plot_gp, file);
}

static int draw(const char *script) {
  posix_spawn_file_actions_t actions;
  char program[] = "gnuplot", *copy = strdup(script);
  char *const words[] = {program, copy, NULL};
  pid_t process;
  int status = -1;
  if (copy == NULL)
    return fail_memory();
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  int error = posix_spawnp(&process, program, &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  free(copy);
  while (error == 0 && waitpid(process, &status, 0) < 0 && errno == EINTR)
    ;
  if (error != 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return fail(EXIT_WORK_FAILED, "--plot: gnuplot failed; install one with the terminals svg and pngcairo");
  return EXIT_DONE;
}

static int draw_script(const struct bench_report *report, const char *path, const char *picture) {
  char script[] = "/tmp/clreduce-plot.XXXXXX";
  int descriptor = mkstemp(script);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
  if (file == NULL)
    return fail(EXIT_WORK_FAILED, "--plot: /tmp: cannot create a temporary file: %s", strerror(errno));
  bench_plot_script(report, file, picture, ends_in(path, ".svg"));
  bool written = fclose(file) == 0;
  int code =
    written ? draw(script) : fail(EXIT_WORK_FAILED, "--plot: /tmp: cannot write the script: %s", strerror(errno));
  unlink(script);
  return code;
}

int bench_plot(const struct bench_report *report, const char *path) {
  struct output output;
  int code = output_open(&output, "--plot", path);
  if (!code)
    code = draw_script(report, path, output.temporary == NULL ? output.path : output.temporary);
  return output_close(&output, code);
}
