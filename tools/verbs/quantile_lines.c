// --rows: prints the lines of text in which top and bottom found their elements. The text is read once more, with the
// same columns, so that the same rows are left out.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "verbs/quantile_run.h"

// A line to print. `rank` is its place in the output.
struct line {
  cl_ulong place;  // of its element in INPUT
  size_t rank, size;
  char *text;
};

// ---- Options

int quantile_lines_check(const struct args *args, bool chooses) {
  const char *other = args_given(args, "json,output,keys-output,each", 0);
  size_t count;
  args_inputs(args, &count);
  if (!args->rows)
    return EXIT_DONE;
  if (!chooses)
    return fail(EXIT_BAD_USE, "--rows: applies only to top and bottom, as in top:1; leave it out");
  if (other != NULL || args->columns.count > 1)
    return fail(EXIT_BAD_USE, "--rows and %s--%s exclude each other; give one", other != NULL ? "" : "several ",
                other != NULL ? other : "column");
  return count < 2 ? EXIT_DONE : fail(EXIT_BAD_USE, "--rows: prints lines of one file, not of %zu; give one", count);
}

static int check_text(const struct input *input) {
  if (input->table != NULL)
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "--rows: %s is not text, so it has no lines; leave --rows out", input_name(input));
}

int quantile_lines_open(struct quantiles *at, const struct request *request, bool again) {
  if (!at->job.args->rows || request->name == NULL)
    return EXIT_DONE;
  if (stream_is_pipe(request->name))
    return fail(EXIT_BAD_USE,
                "%s: is a pipe, which can be read once, and --rows needs it twice; give it as standard input",
                request->name);
  return strcmp(request->name, "-") == 0 ? stream_repeat_standard(&at->start, again, &at->job.progress) : EXIT_DONE;
}

// ---- Lines

static int by_place(const void *a, const void *b) {
  const struct line *first = a, *second = b;
  return first->place < second->place ? -1 : first->place > second->place;
}

static int by_rank(const void *a, const void *b) {
  const struct line *first = a, *second = b;
  return first->rank < second->rank ? -1 : first->rank > second->rank;
}

static int keep(struct line *line, const char *text, size_t size) {
  line->text = malloc(size + 1);
  if (line->text == NULL)
    return fail_memory();
  memcpy(line->text, text, size);
  line->size = size;
  return EXIT_DONE;
}

// Reads on to the element at this place. `next` is the place of the next element.
static int read_to(struct input *input, uint64_t place, uint64_t *next) {
  enum { PIECE = 1 << 13 };
  char piece[PIECE * NUMBER_SIZE];
  uint64_t got = 1;
  for (; *next <= place && got > 0; *next += got) {
    const uint64_t before = place - *next, count = before == 0 ? 1 : before < PIECE ? before : PIECE;
    int code = input_read(input, piece, count, &got);
    if (code)
      return code;
  }
  if (got > 0)
    return EXIT_DONE;
  return fail(EXIT_WORK_FAILED, "%s: was changed while it was read", input_name(input));
}

// lines[0] is the header, or empty.
static int read_lines(struct input *input, struct line *lines, size_t count) {
  const char *text;
  size_t size;
  uint64_t next = 0;
  int code = text_table_header(input->table, &text, &size);
  code = code ? code : keep(&lines[0], text, size);
  for (size_t i = 1; i < count && !code; i++) {
    code = read_to(input, lines[i].place, &next);
    if (code)
      return code;
    text_table_row(input->table, &text, &size);
    code = keep(&lines[i], text, size);
  }
  return code;
}

// The last line of a text may lack its end.
static void print(const struct line *line) {
  fwrite(line->text, 1, line->size, stdout);
  if (line->size == 0 || line->text[line->size - 1] != '\n')
    putchar('\n');
}

int quantile_show_lines(struct quantiles *at) {
  const size_t count = at->rows.count + 1;
  struct line *lines = calloc(count, sizeof *lines);
  int code = lines == NULL ? fail_memory() : check_text(&at->job.input);
  for (size_t i = 1; i < count && !code; i++) {
    memcpy(&lines[i].place, results_part(&at->rows, i - 1, 0), sizeof lines[i].place);
    lines[i].rank = i;
  }
  code = code ? code : quantile_open_input(at, true);
  if (!code) {
    qsort(lines + 1, count - 1, sizeof *lines, by_place);
    code = read_lines(&at->job.input, lines, count);
  }
  if (!code) {
    qsort(lines + 1, count - 1, sizeof *lines, by_rank);
    for (size_t i = lines[0].size == 0; i < count; i++)
      print(&lines[i]);
  }
  for (size_t i = 0; i < count && lines != NULL; i++)
    free(lines[i].text);
  free(lines);
  return code;
}
