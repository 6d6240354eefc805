// Checks, writes and runs the scripts of gnuplot.
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
#include "base/guard.h"
#include "base/output.h"
#include "base/plot.h"
#include "base/wrap.h"

extern char **environ;

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

static int draw_script(const char *path, const char *picture, plot_writer *write, const void *about) {
  char script[] = "/tmp/clreduce-plot.XXXXXX";
  cleanup_expect(script);
  int descriptor = mkstemp(script);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
  if (file == NULL)
    cleanup_forget(script);
  if (file == NULL)
    return fail(EXIT_WORK_FAILED, "--plot: /tmp: cannot create a temporary file: %s", strerror(errno));
  begin(file, picture, ends_in(path, ".svg"));
  write(about, file);
  bool written = fclose(file) == 0;
  int code =
    written ? draw(script) : fail(EXIT_WORK_FAILED, "--plot: /tmp: cannot write the script: %s", strerror(errno));
  unlink(script);
  cleanup_forget(script);
  return code;
}

int plot_draw(const char *path, plot_writer *write, const void *about) {
  struct output output;
  int code = output_open(&output, "--plot", path);
  if (!code)
    code = draw_script(path, output.temporary == NULL ? output.path : output.temporary, write, about);
  return output_close(&output, code);
}
