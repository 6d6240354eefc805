// Opens each file or column, one after the other, and prints what waits after the last. A label with blanks or quotes
// is printed as a quoted field, so that programs can read the lines.
#define _XOPEN_SOURCE 700  // fileno, open_memstream

#include "run/per_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/output.h"
#include "base/standard.h"
#include "cli/verbs.h"
#include "device/session.h"
#include "input/unpack.h"
#include "run/results.h"

// Standard input is empty for the second file.
static const char *read_for_each(const struct args *args) {
  for (size_t i = 0; i < args->with.count; i++)
    if (output_is_standard(args->with.list[i]))
      return "--with";
  return output_is_standard(args->segments) ? "--segments"
         : output_is_standard(args->by_key) ? "--by-key"
         : output_is_standard(args->group)  ? "--group"
         : output_is_standard(args->heads)  ? "--heads"
                                            : NULL;
}

static int open_list(struct each *each) {
  if (each->list != NULL || each->text != NULL)
    return EXIT_DONE;
  if (each->args->json)
    each->list = cJSON_CreateArray();
  else
    each->text = open_memstream(&each->bytes, &each->size);
  return each->list == NULL && each->text == NULL ? fail_memory() : EXIT_DONE;
}

// `what` is the option that asks for several results.
static int begin(struct each *each, const char *what) {
  const struct args *args = each->args;
  const char *option = each->count > 1 ? read_for_each(args) : NULL;
  if (option != NULL)
    return fail(EXIT_BAD_USE, "%s -: standard input can be read once, and %s needs it for every %s; give a file",
                option, what, each->column_count > 0 ? "column" : "file");
  return open_list(each);
}

int each_begin(struct each *each, const struct args *args) {
  *each = (struct each){.args = args};
  if (!args->each)
    return EXIT_DONE;
  each->names = args_inputs(args, &each->files);
  each->count = each->files;
  return begin(each, "--each");
}

int each_columns(struct each *each) {
  const struct args *args = each->args;
  if (args->columns.count < 2 || !(args->verb->bit & (VERB_REDUCE | VERB_SELECT)))
    return EXIT_DONE;
  int code =
    args_exclude(args, "several --column", spread_wanted(args) ? "device" : "partial,generate,output,keys-output");
  if (code)
    return code;
  each->column_count = args->columns.count;
  each->count = each->column_count * (each->files > 0 ? each->files : 1);
  return begin(each, "several --column");
}

// ---- Standard input that is read for each of several columns

static bool is_pipe(const char *path) {
  struct stat status;
  return strcmp(path, "-") != 0 && stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

static bool is_regular(void) {
  struct stat status;
  return fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode);
}

static int cannot_keep(void) {
  return fail(
    EXIT_WORK_FAILED,
    "standard input: cannot keep it in a temporary file: %s; set TMPDIR to a directory with room, or give a file",
    strerror(errno));
}

// Bytes of a device may have no end. What is neither text nor of a known format is refused when it is opened.
static bool may_be_text(const char *bytes, size_t size) {
  return content_of(bytes, size) != NULL || memchr(bytes, '\0', size) == NULL;
}

static int copy(FILE *kept, struct progress *progress) {
  enum { PIECE = 1 << 20 };
  struct stream stream;
  char *piece = malloc(PIECE);
  uint64_t got = PIECE;
  bool goes_on = true;
  int code = piece == NULL ? fail_memory() : stream_open(&stream, "-");
  for (bool first = true; !code && goes_on; first = false) {
    code = stream_read(&stream, piece, PIECE, &got, progress);
    if (!code && fwrite(piece, 1, got, kept) < got)
      code = cannot_keep();
    goes_on = got == PIECE && (!first || may_be_text(piece, PIECE));
  }
  free(piece);
  return code;
}

// A temporary file must not get the place of a standard input that is closed.
static int check_open(void) {
  if (fcntl(STDIN_FILENO, F_GETFD) >= 0)
    return EXIT_DONE;
  return fail(EXIT_WORK_FAILED, "standard input: cannot read: %s", strerror(errno));
}

static int keep(struct progress *progress) {
  FILE *kept = output_without_name();
  if (kept == NULL)
    return cannot_keep();
  int code = copy(kept, progress);
  progress_end(progress);
  if (!code && (fflush(kept) != 0 || !standard_replace(fileno(kept))))
    code = cannot_keep();
  fclose(kept);
  return code;
}

// The next stream of "-" begins where the first one began. If standard input is not a regular file, a temporary file
// without a name replaces it.
static int repeat_standard(struct each *each, struct progress *progress) {
  int code = EXIT_DONE;
  if (each->at == 0) {
    each->start = is_regular() ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
    code = check_open();
    if (!code && !is_regular())
      code = keep(progress);
  }
  if (!code && lseek(STDIN_FILENO, each->start, SEEK_SET) < 0)
    code = cannot_keep();
  return code;
}

// ---- One pass

static const char *file_of(const struct each *each) {
  return each->files == 0 ? NULL : each->names[each->column_count > 0 ? each->at / each->column_count : each->at];
}

static const char *column_of(const struct each *each) {
  return each->column_count == 0 ? NULL : each->args->columns.list[each->at % each->column_count];
}

// The words before a result (`is_label`), or those before a message.
static int write_names(const struct each *each, bool is_label, char **text) {
  const char *const names[] = {file_of(each), column_of(each)}, *const before[] = {"", "column "};
  size_t size;
  FILE *file = open_memstream(text, &size);
  if (file == NULL)
    return fail_memory();
  for (size_t i = 0; i < 2; i++)
    if (names[i] != NULL && is_label) {
      quote_put(file, names[i], strlen(names[i]));
      fputc(' ', file);
    } else if (names[i] != NULL)
      fprintf(file, "%s%s: ", before[i], names[i]);
  return fclose(file) == 0 ? EXIT_DONE : fail_memory();
}

static void release_names(struct each *each) {
  free(each->label);
  free(each->prefix);
  each->label = each->prefix = NULL;
}

// Several columns are read from one file, one after the other.
static int check_again(struct each *each, const struct request *request, struct progress *progress) {
  bool standard = request->name != NULL && strcmp(request->name, "-") == 0;
  for (size_t i = 0; i < request->name_count; i++) {
    standard = standard || strcmp(request->names[i], "-") == 0;
    if (is_pipe(request->names[i]))
      return fail(EXIT_BAD_USE,
                  "%s: is a pipe, which can be read once, and several --column need it for every column; "
                  "give it as standard input",
                  request->names[i]);
  }
  return standard ? repeat_standard(each, progress) : EXIT_DONE;
}

int each_choose(struct each *each, struct request *request, struct progress *progress) {
  if (each->count == 0)
    return EXIT_DONE;
  if (each->files > 0) {
    request->name = file_of(each);
    request->names = &each->names[each->column_count > 0 ? each->at / each->column_count : each->at];
    request->name_count = 1;
  }
  if (each->column_count > 0)
    request->column = *column_of(each) == '\0' ? NULL : column_of(each);
  release_names(each);
  int code = each->column_count > 0 ? check_again(each, request, progress) : EXIT_DONE;
  code = code ? code : write_names(each, true, &each->label);
  return code ? code : write_names(each, false, &each->prefix);
}

bool each_next(struct each *each, int *code) {
  bool more = each->at + 1 < each->count && (*code == EXIT_DONE || *code == EXIT_WRONG);
  each->wrong = each->wrong || *code == EXIT_WRONG;
  if (more)
    *code = EXIT_DONE;
  else if (*code == EXIT_DONE && each->wrong)
    *code = EXIT_WRONG;
  each->at += more;
  return more;
}

static int print_all(struct each *each) {
  cJSON *list = each->list;
  each->list = NULL;
  if (list != NULL)
    return json_print(list);
  if (each->text == NULL)
    return EXIT_DONE;
  if (fflush(each->text) != 0 || ferror(each->text))
    return fail_memory();
  return lines_print(each->bytes, each->size, true);
}

int each_end(struct each *each, int code) {
  int printed = code == EXIT_DONE || code == EXIT_WRONG ? print_all(each) : EXIT_DONE;
  if (each->text != NULL)
    fclose(each->text);
  free(each->bytes);
  release_names(each);
  cJSON_Delete(each->list);
  *each = (struct each){.count = 0};
  return printed ? printed : code;
}

struct lines each_lines(const struct each *each) {
  return (struct lines){.file = each->text != NULL ? each->text : stdout,
                        .label = each->label != NULL ? each->label : "",
                        .heading = each->column_count == 0 ? "file "
                                   : each->files == 0      ? "column "
                                                           : "file column ",
                        .first = each->at == 0};
}

const char *each_prefix(const struct each *each) {
  return each->prefix != NULL ? each->prefix : "";
}

cJSON *each_object(const struct each *each, const struct input *input) {
  cJSON *object = cJSON_CreateObject();
  const struct request *request = &input->request;
  if (each->files > 0)
    json_add_text(object, "file", request->name);
  else if (request->name_count > 1)
    cJSON_AddItemToObject(object, "files",
                          cJSON_CreateStringArray((const char **)request->names, (int)request->name_count));
  if (each->column_count > 0)
    json_add_text(object, "column", column_of(each));
  return object;
}

int each_print(const struct each *each, cJSON *object) {
  if (each->list == NULL)
    return json_print(object);
  cJSON_AddItemToArray(each->list, object);
  return object == NULL ? fail_memory() : EXIT_DONE;
}
