// Writes results as .npy: format 1.0, C order, the machine's byte order, no gaps between parts.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/output.h"
#include "run/results_words.h"

enum { PREAMBLE = 10, ALIGNMENT = 64, ENTRY_SIZE = PART_NAME_SIZE + 16 };

// The dtype such as "<f4"; for a vector the dtype of its component.
static void write_dtype(clred_type type, char *text, size_t size) {
  const clred_type_info info = type_info(type);
  // NumPy has no bfloat16. A selection writes its bits as uint16.
  char kind = type == CLRED_TYPE_BFLOAT16 ? 'u'
              : info.is_complex           ? 'c'
              : info.floating             ? 'f'
              : info.is_signed            ? 'i'
                                          : 'u';
  size_t bytes = info.is_complex ? info.size : value_size(info.component);
  snprintf(text, size, "'%c%c%zu'", bytes == 1 ? '|' : host_is_big_endian() ? '>' : '<', kind, bytes);
}

// The descr of the header: a dtype, or a list of named ones. A complex number is one value.
static char *make_descr(const struct results *results) {
  size_t room = 3 + results->part_count * ENTRY_SIZE, length = 0;
  char dtype[16], *text = malloc(room);
  if (text == NULL)
    return NULL;
  if (results->words != NULL) {
    snprintf(text, room, "'%cU%zu'", host_is_big_endian() ? '>' : '<', results_word_width(results));
    return text;
  }
  if (!results_named(results) || results->type != CLRED_TYPE_NONE) {
    write_dtype(results->type, text, room);
    return text;
  }
  for (size_t i = 0; i < results->part_count; i++) {
    write_dtype(results->parts[i].type, dtype, sizeof dtype);
    length += (size_t)snprintf(text + length, room - length, "%s('%s', %s)", i == 0 ? "[" : ", ",
                               results->parts[i].name, dtype);
  }
  strcpy(text + length, "]");
  return text;
}

// The shape as a Python tuple. A vector adds an axis.
static void write_shape(const struct results *results, const struct layout *layout, char *text) {
  clred_type_info info = {.components = 1};
  unsigned dimensions = layout->dimensions;
  if (!results_named(results))
    clred_type_inspect(results->type, &info);
  *text++ = '(';
  for (unsigned i = 0; i < layout->dimensions; i++)
    text += sprintf(text, "%s%" PRIu64, i == 0 ? "" : ", ", layout->shape[i]);
  if (info.components > 1)
    text += sprintf(text, "%s%u", dimensions++ == 0 ? "" : ", ", (unsigned)info.components);
  strcpy(text, dimensions == 1 ? ",)" : ")");
}

int results_write_header(FILE *file, const struct results *results, const struct layout *layout, size_t *size) {
  char shape[(NPY_DIMENSIONS_MOST + 1) * 22 + 4];
  char *descr = make_descr(results);
  if (descr == NULL)
    return fail_memory();
  write_shape(results, layout, shape);
  const char format[] = "{'descr': %s, 'fortran_order': False, 'shape': %s, }";
  size_t length = (size_t)snprintf(NULL, 0, format, descr, shape) + 1;
  size_t whole = (PREAMBLE + length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  *size = whole > *size ? whole : *size;
  size_t padded = *size - PREAMBLE;
  fprintf(file, "\x93NUMPY%c%c%c%c", 1, 0, (int)(padded & 0xff), (int)(padded >> 8 & 0xff));
  fprintf(file, format, descr, shape);
  fprintf(file, "%*s\n", (int)(padded - length), "");
  free(descr);
  return EXIT_DONE;
}

// A vector of 3 has a fourth component in memory but not in the file.
static size_t size_in_file(clred_type type) {
  const clred_type_info info = type_info(type);
  return value_size(info.component) * info.components;
}

static bool write_result(FILE *file, const struct results *results, uint64_t index) {
  bool written = true;
  for (size_t i = 0; i < results->part_count && written; i++)
    written = fwrite(results_part(results, index, i), size_in_file(results->parts[i].type), 1, file) == 1;
  return written;
}

size_t results_size_in_file(const struct results *results) {
  size_t size = 0;
  for (size_t i = 0; i < results->part_count; i++)
    size += size_in_file(results->parts[i].type);
  return size;
}

// True if results have no gaps in memory.
static bool is_gapless(const struct results *results) {
  return results_size_in_file(results) == results->size;
}

void results_write_bytes(FILE *file, const struct results *results) {
  if (results->words != NULL)
    results_write_words(file, results);
  else if (is_gapless(results))
    fwrite(results->bytes, results->size, (size_t)results->count, file);
  else
    for (uint64_t i = 0; i < results->count; i++)
      if (!write_result(file, results, i))
        break;
}

int results_write(const struct results *results, const struct layout *layout, const char *option, const char *path) {
  struct output output;
  size_t header = 0;
  int code = output_open(&output, option, path);
  code = code ? code : results_write_header(output.file, results, layout, &header);
  if (!code)
    results_write_bytes(output.file, results);
  return output_close(&output, code);
}
