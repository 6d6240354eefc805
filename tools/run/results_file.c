// Writes .npy piece by piece. The header is written again at the end. A pipe gets all at the end, from a temporary
// file: so it gets nothing if the work fails.
#include "run/results_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

enum { PIECE = 1 << 20 };

static int cannot(const struct results_file *file) {
  const bool kept = file->data == NULL || (file->data != file->output.file && ferror(file->data));
  if (kept)
    return fail(EXIT_WORK_FAILED,
                "%s %s: cannot keep the results in a temporary file: %s; set TMPDIR to a folder with room",
                file->output.option, file->output.path, strerror(errno));
  return fail(EXIT_WORK_FAILED, "%s %s: cannot write: %s", file->output.option, file->output.path, strerror(errno));
}

int results_file_open(struct results_file *file, const struct results *results, const struct layout *layout,
                      const char *option, const char *path, bool text) {
  file->data = NULL;
  file->header = 0;
  file->text = text;
  int code = output_open(&file->output, option, path);
  if (code)
    return code;
  file->data = file->output.temporary != NULL ? file->output.file : output_without_name();
  if (file->data == NULL)
    return cannot(file);
  return text ? EXIT_DONE : results_write_header(file->data, results, layout, &file->header);
}

int results_file_append(struct results_file *file, const struct results *results) {
  int code = file->text ? results_write_lines(file->data, results) : EXIT_DONE;
  if (code)
    return code;
  if (!file->text)
    results_write_bytes(file->data, results);
  return ferror(file->data) ? cannot(file) : EXIT_DONE;
}

static int copy(struct results_file *file) {
  char *piece = malloc(PIECE);
  size_t got;
  if (piece == NULL)
    return fail_memory();
  rewind(file->data);
  do {
    got = fread(piece, 1, PIECE, file->data);
  } while (fwrite(piece, 1, got, file->output.file) == got && got == PIECE);
  free(piece);
  return ferror(file->data) || ferror(file->output.file) ? cannot(file) : EXIT_DONE;
}

static int finish(struct results_file *file, const struct results *results, const struct layout *layout) {
  int code = EXIT_DONE;
  if (!file->text && fseek(file->data, 0, SEEK_SET) != 0)
    return cannot(file);
  if (!file->text)
    code = results_write_header(file->data, results, layout, &file->header);
  if (!code && fflush(file->data) != 0)
    code = cannot(file);
  return !code && file->data != file->output.file ? copy(file) : code;
}

int results_file_close(struct results_file *file, const struct results *results, const struct layout *layout,
                       int code) {
  if (file->output.path == NULL)
    return code;
  code = code ? code : finish(file, results, layout);
  if (file->data != NULL && file->data != file->output.file)
    fclose(file->data);
  return output_close(&file->output, code);
}
