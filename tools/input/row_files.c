// Reads and checks the files.
#include "input/row_files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/number.h"

static bool is_offset(const clred_type_info *type) {
  return !type->floating && !type->is_complex && type->size >= 4;
}

static bool is_key(const clred_type_info *type) {
  return !type->is_complex && type->type != CLRED_TYPE_HALF;
}

static bool is_flag(const clred_type_info *type) {
  return type->size == 1;
}

static const struct kind {
  const char *option;
  const char *what;
  const char *types;
  bool (*allows)(const clred_type_info *type);
} kinds[] = {{"--segments", "offsets", "uint32, int32, uint64 or int64", is_offset},
             {"--by-key", "keys", "integers, float32 or float64", is_key},
             {"--group", "keys", "integers, float32 or float64", is_key},
             {"--heads", "flags", "bool, uint8 or int8", is_flag}};

static const char *path_of(const struct args *args, const struct kind *kind) {
  return args_text(args, kind->option + strlen("--"));
}

// NULL if no such option is given.
static const struct kind *find_kind(const struct args *args) {
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (path_of(args, &kinds[i]) != NULL)
      return &kinds[i];
  return NULL;
}

bool runs_given(const struct args *args) {
  return args->by_key != NULL || args->heads != NULL;
}

const char *row_file_name(const struct args *args) {
  const struct kind *kind = find_kind(args);
  return kind == NULL ? NULL : path_of(args, kind);
}

bool row_file_given(const struct args *args) {
  return find_kind(args) != NULL;
}

// ---- Keys in a column of the elements' text

// How a column of keys may be named. NULL instead of `kind`: the name names a file.
struct column_name {
  const struct column_kind *kind;
  const char *name;
};

static const struct column_kind {
  const char *prefix;
  bool guessed;  // the first key decides
  clred_type type;
} column_kinds[] = {
  {"column:", true, CLRED_TYPE_NONE}, {"text:", false, CLRED_TYPE_NONE}, {"double:", false, CLRED_TYPE_DOUBLE}};

static bool is_file(const char *path) {
  struct stat status;
  return strcmp(path, "-") == 0 || stat(path, &status) == 0;
}

// The kind of a column by the prefix of its name; NULL if there is no prefix.
static const struct column_kind *find_prefix(const char *text) {
  for (size_t i = 0; i < sizeof column_kinds / sizeof column_kinds[0]; i++)
    if (strncmp(text, column_kinds[i].prefix, strlen(column_kinds[i].prefix)) == 0)
      return &column_kinds[i];
  return NULL;
}

static struct column_name column_named(const char *text) {
  const struct column_kind *kind = find_prefix(text);
  return (struct column_name){kind, text + (kind == NULL ? 0 : strlen(kind->prefix))};
}

bool row_file_is_whole(const char *list, const struct input *elements) {
  return is_file(list) || (elements->table != NULL && text_table_has(elements->table, column_named(list).name));
}

bool row_file_is_column(const char *name) {
  return find_prefix(name) != NULL || !is_file(name);
}

static int no_such_key(const char *option, const char *text, const struct input *elements) {
  char names[TEXT_NAMES_SIZE];
  struct guess guess;
  const char *near = text_table_near(elements->table, text, &guess);
  if (strcmp(option, "--by-key") == 0 && strchr(text, ',') != NULL)
    near = " only --group takes several keys;";
  if (*text_table_names(elements->table, names) == '\0')
    return fail(EXIT_BAD_USE, "%s %s: is no file, and %s is empty; it has no columns", option, text,
                input_name(elements));
  return fail(EXIT_BAD_USE, "%s %s: is neither a file nor a column of %s;%s its columns are %s", option, text,
              input_name(elements), near, names);
}

// A name without a prefix is a column, unless a file has this name.
static int find_column(const char *option, const char *text, const struct input *elements, struct column_name *found) {
  bool is_text = elements->table != NULL, is_column = is_text && text_table_has(elements->table, text);
  *found = column_named(text);
  if (!is_text && input_is_text(elements) && row_file_is_column(text))
    return fail(EXIT_BAD_USE, "%s %s: is a column of several files, and another key is a file; give columns alone",
                option, text);
  if (found->kind != NULL && !is_text)
    return fail(EXIT_BAD_USE, "%s %s: %s is not text; give KEYS.npy", option, text, input_name(elements));
  if (found->kind != NULL || !is_text || (!is_column && is_file(text)))
    return EXIT_DONE;
  found->kind = &column_kinds[0];
  if (is_column && is_file(text))
    return fail(EXIT_BAD_USE, "%s %s: is a file and a column of %s; give ./%s or column:%s", option, text,
                input_name(elements), text, text);
  return is_column ? EXIT_DONE : no_such_key(option, text, elements);
}

static int open_column(struct input *file, const struct column_name *column, const struct input *elements) {
  struct request request = {.name = elements->request.name, .column = column->name, .table = elements->table};
  clred_type_info type;
  clred_type key = column->kind->type;
  int code = column->kind->guessed ? text_table_guess(elements->table, column->name, &key) : EXIT_DONE;
  if (code)
    return code;
  request.use = key == CLRED_TYPE_NONE ? TEXT_WORDS : column->kind->guessed ? TEXT_PLAIN_KEYS : TEXT_KEYS;
  clred_type_inspect(key == CLRED_TYPE_NONE ? CLRED_TYPE_UINT : key, &type);
  request.otherwise = &type;
  code = input_open(file, &request);
  file->request.otherwise = NULL;
  return code;
}

int row_file_open(struct input *file, const struct args *args, const struct input *elements, size_t index,
                  const char *name) {
  struct column_name column = {NULL, NULL};
  const struct kind *kind = find_kind(args);
  if (kind == NULL)
    return EXIT_DONE;
  int code = kind->allows == is_key ? find_column(kind->option, name, elements, &column) : EXIT_DONE;
  if (code || column.kind != NULL)
    return code ? code : open_column(file, &column, elements);
  size_t place = 1 + args->with.count + index;  // behind INPUT and the further inputs
  const struct request request = {.name = name, .format = "npy", .array = texts_at(&args->arrays, place)};
  code = input_open(file, &request);
  if (code)
    return code;
  if (!kind->allows(&file->type) || file->npy.dimensions != 1)
    return fail(EXIT_BAD_USE, "%s %s: has %u dimension%s of %s; %s are one dimension of %s", kind->option, name,
                file->npy.dimensions, file->npy.dimensions == 1 ? "" : "s", file->type.numpy_name, kind->what,
                kind->types);
  if (args->segments != NULL && file->count == 0)
    return fail(EXIT_BAD_USE, "--segments %s: has no offsets; give one more than there are segments", name);
  return EXIT_DONE;
}

// ---- Segments

uint64_t segments_number(const struct input *segments) {
  return segments->count - 1;
}

// A negative offset becomes larger than any number of elements.
uint64_t segments_offset(const struct input *segments, uint64_t index) {
  return number_bits(segments->type.type, (const char *)segments->data + index * segments->type.size);
}

static int wrong_offset(const struct input *segments, uint64_t index, uint64_t offset, uint64_t count) {
  const char *name = segments->request.name;
  unsigned long long which = index, value = offset;
  if (segments->type.is_signed && (int64_t)offset < 0)
    return fail(EXIT_BAD_USE, "--segments %s: offset number %llu is %lld, less than 0", name, which, (long long)offset);
  if (offset > count)
    return fail(EXIT_BAD_USE, "--segments %s: offset number %llu is %llu, but there are only %llu elements", name,
                which, value, (unsigned long long)count);
  return fail(EXIT_BAD_USE, "--segments %s: offset number %llu is %llu, smaller than the one before it, %llu", name,
              which, value, (unsigned long long)segments_offset(segments, index - 1));
}

int segments_check(const struct input *segments, uint64_t count, const char *op) {
  uint64_t before = 0;
  for (uint64_t i = 0; i < segments->count; i++) {
    uint64_t offset = segments_offset(segments, i);
    if (offset < before || offset > count)
      return wrong_offset(segments, i, offset, count);
    if (op != NULL && i > 0 && offset == before)
      return fail(EXIT_BAD_USE, "--segments %s: segment number %llu is empty, and %s of 0 elements has no result",
                  segments->request.name, (unsigned long long)(i - 1), op);
    before = offset;
  }
  return EXIT_DONE;
}

// ---- Runs

int runs_check(const struct input *file, const struct args *args, const struct input *elements, const char *name) {
  const struct kind *kind = find_kind(args);
  if (file->count == elements->count)
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "%s %s: has %llu %s for the %llu elements of %s; give one for each", kind->option, name,
              (unsigned long long)file->count, kind->what, (unsigned long long)elements->count, input_name(elements));
}

// Compares as == does: -0 equals 0, and a NaN equals nothing.
static bool same_key(const clred_type_info *type, const char *a, const char *b) {
  return type->floating ? number_as_double(type->type, a) == number_as_double(type->type, b)
                        : memcmp(a, b, type->size) == 0;
}

static bool is_head(const struct input *file, bool by_key, uint64_t index) {
  size_t size = file->type.size;
  const char *at = (const char *)file->data + index * size;
  if (index == 0)
    return true;
  return by_key ? !same_key(&file->type, at - size, at) : *at != 0;
}

int runs_find(const struct input *file, bool by_key, struct input *offsets) {
  uint64_t runs = 0;
  for (uint64_t i = 0; i < file->count; i++)
    runs += is_head(file, by_key, i);
  uint64_t *list = malloc((size_t)(runs + 1) * sizeof *list);
  if (list == NULL)
    return fail_memory();
  offsets->data = list;
  offsets->count = runs + 1;
  clred_type_inspect(CLRED_TYPE_ULONG, &offsets->type);
  for (uint64_t i = 0; i < file->count; i++)
    if (is_head(file, by_key, i))
      *list++ = i;
  *list = file->count;
  return EXIT_DONE;
}
