// Writes scripts to gnuplot.
#define _XOPEN_SOURCE 700

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/output.h"
#include "base/plot.h"
#include "base/wrap.h"

static bool is_in_path(const char *program) {
  const char *directories = getenv("PATH"), *directory;
  char path[1024];
  size_t length;
  while (list_next(&directories, ":", &directory, &length)) {
    snprintf(path, sizeof path, "%.*s/%s", (int)length, directory, program);
    if (access(path, X_OK) == 0)
      return true;
  }
  return false;
}

int plot_check(const char *path) {
  if (!ends_in(path, ".svg") && !ends_in(path, ".png"))
    return fail(EXIT_BAD_USE, "--plot %s: the name has no known ending; end it in .svg or .png", path);
  if (!is_in_path("gnuplot"))
    return fail(EXIT_WORK_FAILED, "--plot: gnuplot is not installed; install it (Debian and Ubuntu: gnuplot-nox)");
  return output_check_directory("--plot", path);
}

void plot_text(FILE *script, const char *name, const char *text) {
  fprintf(script, "%s = \"", name);
  for (; *text != '\0'; text++)
    fprintf(script, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
  fputs("\"\n", script);
}

// Writes the first lines of a script. Data are tables with headings and tabs. The variable `terminal` is the command
// that opens the file `picture`, with %d instead of the height in pixels.
static void begin(FILE *script, const char *picture, bool svg) {
  fputs("set encoding utf8\nset datafile separator tab\nset datafile columnheaders\nset datafile commentschars \"\"\n"
        "set datafile missing NaN\n",
        script);
  plot_text(script, "picture", picture);
  plot_text(script, "terminal",
            svg ? "set terminal svg size 1080,%d dynamic enhanced font 'sans-serif,13' background rgb 'white'; "
                  "set output picture"
                : "set terminal pngcairo size 1080,%d enhanced font 'sans,11' background rgb 'white'; "
                  "set output picture");
}

// If gnuplot ends early, writing fails, and its exit status says so.
static int draw(const char *path, const char *picture, plot_writer *write, const void *about) {
  const struct sigaction ignored = {.sa_handler = SIG_IGN};
  struct sigaction before;
  sigaction(SIGPIPE, &ignored, &before);
  FILE *script = popen("exec gnuplot >/dev/null 2>&1", "w");
  if (script != NULL) {
    begin(script, picture, ends_in(path, ".svg"));
    write(about, script);
  }
  const int status = script == NULL ? -1 : pclose(script);
  sigaction(SIGPIPE, &before, NULL);
  return status == 0
           ? EXIT_DONE
           : fail(EXIT_WORK_FAILED, "--plot: gnuplot failed; install one with the terminals svg and pngcairo");
}

int plot_draw(const char *path, plot_writer *write, const void *about) {
  struct output output;
  int code = output_open(&output, "--plot", path);
  if (!code)
    code = draw(path, output.temporary == NULL ? output.path : output.temporary, write, about);
  return output_close(&output, code);
}
