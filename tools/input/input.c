// Opens an input: finds what it is, and gives its elements.
#include "input/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/guess.h"
#include "base/value.h"
#include "base/wrap.h"
#include "cli/verbs.h"
#include "input/reorder.h"
#include "input/stream.h"
#include "input/text_table.h"
#include "input/unpack.h"

// ---------------------------------------------------------------- The table of formats

// Formats that clreduce cannot read are here, too. It refuses such files, so it never takes their headers for elements.

#define BEGINS(text) text, sizeof text - 1

static const struct content contents[] = {
  {"a .npy file", BEGINS("\x93NUMPY"), NULL, &source_npy, NULL},
  {"packed by gzip", BEGINS("\x1f\x8b\x08"), &unpacking_gzip, NULL, NULL},
  {"packed by zstd", BEGINS("\x28\xb5\x2f\xfd"), &unpacking_zstd, NULL, NULL},
  {"packed by zstd", BEGINS("?\x2a\x4d\x18"), &unpacking_zstd, NULL, NULL},  // begins with a frame to be skipped
  {"a zip archive", BEGINS("PK\3\4"), &unpacking_zip, NULL, NULL},
  {"a zip archive", BEGINS("PK\5\6"), &unpacking_zip, NULL, NULL},  // without files
  {"packed by xz",
   BEGINS("\xfd"
          "7zXZ"),
   NULL, NULL, "unpack it first, as by xz -dc"},
  {"packed by bzip2", BEGINS("BZh?1AY&SY"), NULL, NULL, "unpack it first, as by bzip2 -dc"},
  {"packed by lz4", BEGINS("\x04\x22\x4d\x18"), NULL, NULL, "unpack it first, as by lz4 -dc"},
  {"an HDF5 file", BEGINS("\x89HDF\r\n\x1a\n"), NULL, NULL, "save the array with numpy.save"},
  {"a Parquet file", BEGINS("PAR1"), NULL, NULL, "save the column with numpy.save"},
  {"a PNG image", BEGINS("\x89PNG\r\n\x1a\n"), NULL, NULL, "save its pixels with numpy.save"},
  {"a JPEG image", BEGINS("\xff\xd8\xff"), NULL, NULL, "save its pixels with numpy.save"},
  {"a GIF image", BEGINS("GIF8"), NULL, NULL, "save its pixels with numpy.save"},
  {"a TIFF image", BEGINS("II*\0"), NULL, NULL, "save its pixels with numpy.save"},
  {"a TIFF image", BEGINS("MM\0*"), NULL, NULL, "save its pixels with numpy.save"},
  {"a WAVE sound", BEGINS("RIFF????WAVE"), NULL, NULL, "skip its header with --skip-bytes (44 in most files)"},
  {"a FITS image", BEGINS("SIMPLE  = "), NULL, NULL, "save its elements with numpy.save"},
};

static int input_take_type(struct input *input, clred_type otherwise);

static bool begins(const struct content *content, const char *bytes, size_t size) {
  if (size < content->size)
    return false;
  for (size_t i = 0; i < content->size; i++)
    if (content->begins[i] != '?' && content->begins[i] != bytes[i])
      return false;
  return true;
}

const struct content *content_of(const void *bytes, size_t size) {
  for (size_t i = 0; i < sizeof contents / sizeof contents[0]; i++)
    if (begins(&contents[i], bytes, size))
      return &contents[i];
  return NULL;
}

// True if the bytes have at least one line of numbers: digits, a line end, and otherwise only characters that numbers
// and separators have.
static bool content_is_numbers(const void *bytes, size_t size) {
  static const char digits[] = "0123456789", all[] = "0123456789+-.eE,;\t \r\n";
  const char *text = bytes;
  bool digit = false, line = false;
  for (size_t i = 0; i < size; i++) {
    if (text[i] == '\0' || strchr(all, text[i]) == NULL)
      return false;
    digit = digit || strchr(digits, text[i]) != NULL;
    line = line || text[i] == '\n';
  }
  return digit && line;
}

// ---------------------------------------------------------------- Elements in memory

static int read_piece(void *from, void *to, uint64_t bytes, uint64_t *got) {
  struct input *input = from;
  uint64_t count = 0;
  int code = input->source->read(input, to, bytes / input->type.size, &count);
  input->taken += count;  // for messages of the next read
  *got = count * input->type.size;
  return code;
}

// Reads until the input ends or there are `most` elements. The memory grows only if the count is not known.
static int read_growing(struct input *input, uint64_t most, uint64_t *count) {
  enum { FIRST_ROOM = 1 << 16 };
  const uint64_t size = input->type.size, first = input->counted ? input->count + 1 : FIRST_ROOM;
  uint64_t bytes;
  int code = pages_read(input->stream.name != NULL ? input->stream.name : input_name(input), read_piece, input,
                        first * size, most * size, &input->data, &bytes);
  *count = bytes / size;
  return code;
}

static int read_shown(struct input *input, uint64_t most, uint64_t *count, struct progress *progress) {
  input->progress = progress;
  int code = read_growing(input, most, count);
  input->progress = NULL;
  input->taken = 0;
  return code;
}

// The file may have changed since it was opened, so this sets the count again.
static int load_all(struct input *input, struct progress *progress) {
  int code = read_shown(input, INT64_MAX / input->type.size, &input->count, progress);
  input->counted = code == EXIT_DONE;
  return code;
}

int input_hold(struct input *input, uint64_t most, struct progress *progress) {
  uint64_t count, size = input->type.size, room = most / size + (most % size != 0);
  int code = read_shown(input, room, &count, progress);
  input->held = count;
  if (code || count == room)
    return code;
  input->count = count;
  input->counted = true;
  stream_close(&input->stream);
  return EXIT_DONE;
}

static uint64_t take_held(struct input *input, void *to, uint64_t count) {
  const uint64_t size = input->type.size, left = input->held - input->given, held = count < left ? count : left;
  if (held > 0)
    memcpy(to, (const char *)input->data + input->given * size, held * size);
  input->given += held;
  return held;
}

// ---------------------------------------------------------------- Elements without a header

// ---- Generated

static int open_generated(struct input *input) {
  const char *spec = input->request.generate;
  int code = input_take_type(input, CLRED_TYPE_FLOAT);
  if (!code && input->type.type == CLRED_TYPE_NONE)
    return fail(EXIT_BAD_USE, "--generate %s: elements of type %s cannot be generated; give --type TYPE", spec,
                input->type.name);
  code = code ? code : generate_parse(spec, &input->type, &input->recipe);
  if (code)
    return code;
  if (input->recipe.count > INT64_MAX / input->type.size)
    return fail(EXIT_BAD_USE, "--generate %s: needs more than 2^63 bytes; give a smaller N", spec);
  input->count = input->recipe.count;
  input->counted = true;
  return EXIT_DONE;
}

static int read_generated(struct input *input, void *to, uint64_t count, uint64_t *got) {
  uint64_t left = input->count - input->taken;
  *got = count < left ? count : left;
  generate_piece(&input->recipe, to, input->taken, *got, input->progress);
  return EXIT_DONE;
}

const struct source source_generated = {.open = open_generated, .read = read_generated};

// ---- Raw

static int count_elements(struct input *input, uint64_t bytes) {
  if (bytes % input->type.size != 0)
    return fail(EXIT_BAD_USE, "%s: %llu bytes are not a multiple of the %zu bytes of a %s", input->stream.name,
                (unsigned long long)bytes, input->type.size, input->type.name);
  input->count = bytes / input->type.size;
  input->counted = true;
  return EXIT_DONE;
}

static int skip(struct input *input, uint64_t size) {
  uint64_t skipped;
  int code = stream_skip(&input->stream, size, &skipped);
  if (!code && skipped < size)
    return fail(EXIT_BAD_USE, "%s: --skip-bytes %llu is past its end; it has %llu bytes", input->stream.name,
                (unsigned long long)size, (unsigned long long)skipped);
  return code;
}

static int open_raw(struct input *input) {
  const struct request *request = &input->request;
  int code = input_take_type(input, CLRED_TYPE_NONE);
  if (!code && request->skip_bytes.given)
    code = skip(input, request->skip_bytes.value);
  if (!code && input->stream.sized)
    code = count_elements(input, input->stream.left);
  return code;
}

static int read_raw(struct input *input, void *to, uint64_t count, uint64_t *got) {
  uint64_t size = input->type.size, bytes;
  int code = stream_read(&input->stream, to, count * size, &bytes, input->progress);
  *got = bytes / size;
  return !code && bytes % size != 0 ? count_elements(input, input->taken * size + bytes) : code;
}

const struct source source_raw = {.open = open_raw, .read = read_raw};

// ---------------------------------------------------------------- Elements of a .npy file

// npy.c parses the header. The functions below convert the data to C order and to the machine's byte order.

enum { HEADER_MAX = 1 << 24 };

static int malformed(const struct input *input, const char *error) {
  return fail(EXIT_BAD_USE, "%s: %s", input->stream.name, error);
}

static int read_header(struct input *input) {
  unsigned char preamble[NPY_PREAMBLE_MAX];
  char error[NPY_ERROR_SIZE];
  size_t size;
  uint64_t got;
  void *header = NULL;
  int code = stream_look(&input->stream, preamble, sizeof preamble, &size);
  if (code)
    return code;
  const uint64_t offset = npy_data_offset(preamble, size, error);
  if (offset == 0)
    return malformed(input, error);
  if (offset > HEADER_MAX)
    return fail(EXIT_BAD_USE, "%s: its header has %llu bytes; at most %d are read", input->stream.name,
                (unsigned long long)offset, HEADER_MAX);
  code = stream_read_pages(&input->stream, offset, &header, &got, NULL);
  if (!code && !npy_parse(header, (size_t)got, &input->npy, error))
    code = malformed(input, error);
  free(header);
  return code;
}

// A bool becomes a uchar.
static int find_npy_type(struct input *input) {
  const struct npy *npy = &input->npy;
  char name[16];
  snprintf(name, sizeof name, "%c%u", npy->kind == 'b' ? 'u' : npy->kind, npy->size);
  if (type_of_numpy(name, &input->type))
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "%s: has the dtype %s, which clreduce does not support", input->stream.name, name);
}

static int check_npy_type(struct input *input) {
  const struct request *request = &input->request;
  clred_type_info held = input->type;
  if (request->type == NULL && !request->exactly)
    return EXIT_DONE;
  int code = input_take_type(input, held.type);
  if (!code && input->type.type != held.type)
    return fail(EXIT_BAD_USE, "%s: is a .npy file of %s, but %s is %s; the two must agree%s", input->stream.name,
                held.name, request->exactly ? "the first input" : "--type", input->type.name,
                request->exactly ? "" : " (--state says in which type to compute)");
  return code;
}

static int too_short(const struct input *input, uint64_t bytes) {
  return fail(EXIT_BAD_USE, "%s: truncated: its header says %llu elements of %llu bytes, it holds %llu bytes of them",
              input->stream.name, (unsigned long long)input->count, (unsigned long long)input->npy.size,
              (unsigned long long)bytes);
}

static int open_npy(struct input *input) {
  int code = read_header(input);
  code = code ? code : find_npy_type(input);
  code = code ? code : check_npy_type(input);
  if (code)
    return code;
  const struct npy *npy = &input->npy;
  input->count = npy->count;
  input->counted = true;
  return input->stream.sized && input->stream.left < npy->count * npy->size ? too_short(input, input->stream.left)
                                                                            : EXIT_DONE;
}

// As in NumPy, any byte but 0 is true.
static void make_truth(unsigned char *bytes, uint64_t count) {
  for (uint64_t i = 0; i < count; i++)
    bytes[i] = bytes[i] != 0;
}

// Fortran order is C order with all axes reversed.
static int bring_into_c_order(struct input *input) {
  uint64_t shape[NPY_DIMENSIONS_MAX];
  unsigned order[NPY_DIMENSIONS_MAX], last = input->npy.dimensions - 1;
  for (unsigned i = 0; i <= last; i++) {
    shape[i] = input->npy.shape[last - i];
    order[i] = last - i;
  }
  return input_reorder(input, shape, last + 1, order);
}

static void convert_bytes(const struct input *input, void *data, uint64_t count) {
  if (input->npy.swapped)
    reorder_swap(data, count * input->type.components, input->npy.size / input->type.components);
  if (input->npy.kind == 'b')
    make_truth(data, count);
}

static int read_npy(struct input *input, void *to, uint64_t count, uint64_t *got) {
  uint64_t left = input->count - input->taken, size = input->type.size, bytes;
  *got = count < left ? count : left;
  int code = stream_read(&input->stream, to, *got * size, &bytes, input->progress);
  if (code)
    return code;
  if (bytes < *got * size)
    return too_short(input, input->taken * size + bytes);
  convert_bytes(input, to, *got);
  return *got == left ? stream_finish(&input->stream) : EXIT_DONE;
}

static int load_npy(struct input *input, struct progress *progress) {
  int code = load_all(input, progress);
  return !code && input->npy.fortran && input->npy.dimensions > 1 ? bring_into_c_order(input) : code;
}

const struct source source_npy = {.open = open_npy, .load = load_npy, .read = read_npy};

// ---------------------------------------------------------------- Elements of a column of text

static int find_type(struct input *input) {
  int code = input_take_type(input, CLRED_TYPE_DOUBLE);
  if (!code && text_reader_of(input->type.type) == NULL)
    return fail(EXIT_BAD_USE, "%s: is text, where each element is one number, but the elements are %s",
                input->stream.name, input->type.name);
  return code;
}

// True if the user did not choose double for these elements. Keys are different: the prefix double: chooses it.
static bool is_unasked(const struct input *input) {
  const struct request *request = &input->request;
  return request->type == NULL && !request->asked && input->column->use == TEXT_ELEMENTS &&
         input->type.type == CLRED_TYPE_DOUBLE;
}

// TEXT_ROWS counts rows. If the text has one column and there are no keys, its numbers are read and counted instead.
static int open_text(struct input *input) {
  const struct request *request = &input->request;
  enum text_use use = request->use;
  int code = find_type(input);
  if (!code && request->table != NULL) {
    input->table = request->table;
    input->table->users++;
  } else if (!code)
    code = text_table_open(&input->table, &input->stream, &request->text,
                           request->gaps != NULL ? request->gaps : &input->gaps);
  if (!code && use == TEXT_ROWS && input->table->columns < 2 && !request->keyed)
    use = TEXT_ELEMENTS;
  if (!code && use == TEXT_ROWS)
    clred_type_inspect(CLRED_TYPE_UCHAR, &input->type);
  code = code ? code : text_table_add(input->table, request->column, use, &input->type, &input->column);
  if (!code && use == TEXT_WORDS)
    input->words = &input->column->words;
  if (!code && is_unasked(input))
    input->column->read = text_read_unasked;
  return code;
}

static int read_text(struct input *input, void *to, uint64_t count, uint64_t *got) {
  input->table->progress = input->progress;
  return text_table_read(input->table, input->column, to, count, got);
}

static void close_text(struct input *input) {
  text_table_release(input->table);
  input->table = NULL;
}

const struct source source_text = {.open = open_text, .read = read_text, .close = close_text};

// ---------------------------------------------------------------- Elements of several files

// The elements of the files follow each other in the order of the command line. A regular file is opened twice: first
// for its type, shape and count, later for its elements. So few files are open at a time, and their number has no
// limit.

// ---- Opening

static int check_same_type(const struct input *first, const struct input *part) {
  if (part->unsized)
    return fail(EXIT_BAD_USE,
                "%s: elements of %s, whose size only the operator knows, come from one file; join the files",
                input_name(part), part->type.name);
  if (part->type.type == first->type.type)
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "%s: holds %s, but %s holds %s; files that are one range have one type", input_name(part),
              part->type.name, input_name(first), first->type.name);
}

// True if the shapes agree behind axis 0, along which the files are joined.
static bool continues(const struct input *first, const struct input *part) {
  unsigned dimensions = input_dimensions(first);
  bool same = dimensions > 0 && dimensions == input_dimensions(part);
  for (unsigned i = 1; i < dimensions && same; i++)
    same = input_length(first, i) == input_length(part, i);
  return same;
}

// False if the sum is too large.
static bool add(uint64_t *sum, uint64_t more, uint64_t most) {
  bool fits = more <= most && *sum <= most - more;
  *sum += more;
  return fits;
}

static int take_facts(struct input *input, const struct input *part) {
  struct file_list *files = &input->files;
  const struct input *first = files->parts;
  int code = check_same_type(first, part);
  if (files->odd == NULL && !continues(first, part))
    files->odd = input_name(part);
  files->sequential = files->sequential && input_is_sequential(part);
  files->again = files->again && input_can_read_again(part);
  files->in_files = files->in_files && (input_is_in_file(part) || (part->counted && part->count == 0));
  files->text = files->text || input_is_text(part);
  input->counted = input->counted && part->counted;
  uint64_t length = input_dimensions(part) > 0 ? input_length(part, 0) : 1;
  if (!code &&
      (!add(&input->count, part->count, INT64_MAX / part->type.size) || !add(&input->npy.shape[0], length, INT64_MAX)))
    code = fail(EXIT_WORK_FAILED, "%s: with it the input has 2^63 bytes or more; leave files out", input_name(part));
  return code;
}

static int open_part(struct input *input, size_t index) {
  struct request request = input->request;
  struct input *part = &input->files.parts[index];
  request.name = request.names[index];
  request.name_count = 0;
  request.gaps = &input->gaps;
  int code = input_open(part, &request);
  code = code ? code : take_facts(input, part);
  if (!code && input_can_read_again(part))
    input_close(part);
  return code;
}

static int name_files(struct input *input) {
  const struct request *request = &input->request;
  const char format[] = "%s and %zu more file%s";
  size_t more = request->name_count - 1, room = strlen(request->name) + 64;
  input->member = malloc(room);
  if (input->member == NULL)
    return fail_memory();
  snprintf(input->member, room, format, request->name, more, more == 1 ? "" : "s");
  input->stream.name = input->member;
  return EXIT_DONE;
}

static void join_shapes(struct input *input) {
  const struct input *first = input->files.parts;
  input->npy.dimensions = input->files.odd == NULL ? input_dimensions(first) : 1;
  for (unsigned i = 1; i < input->npy.dimensions; i++)
    input->npy.shape[i] = input_length(first, i);
}

static int open_files(struct input *input) {
  struct file_list *files = &input->files;
  int code = name_files(input);
  files->parts = code ? NULL : calloc(input->request.name_count, sizeof *files->parts);
  if (!code && files->parts == NULL)
    code = fail_memory();
  files->sequential = files->again = files->in_files = input->counted = true;
  for (; files->count < input->request.name_count && !code; files->count++)
    code = open_part(input, files->count);
  if (code)
    return code;
  join_shapes(input);
  input->type = files->parts[0].type;
  return EXIT_DONE;
}

// ---- Reading

// The pointer to the default type in the request may be invalid by now, so it is replaced.
static int reopen(struct input *part) {
  const struct input before = *part;
  struct request request = part->request;
  request.otherwise = request.otherwise != NULL ? &before.type : NULL;
  int code = input_open(part, &request);
  if (code || (part->type.type == before.type.type && part->count == before.count))
    return code;
  return fail(EXIT_WORK_FAILED, "%s: was changed while it was read", input_name(part));
}

static bool is_closed(const struct input *part) {
  return part->stream.descriptor < 0 && part->stream.origin == NULL && part->data == NULL;
}

int input_open_part(struct input *input, size_t index, struct input **part) {
  *part = &input->files.parts[index];
  return is_closed(*part) ? reopen(*part) : EXIT_DONE;
}

// Arrays in Fortran order are loaded whole.
static int read_part(struct input *part, void *to, uint64_t count, uint64_t *got) {
  if (input_is_sequential(part))
    return input_read(part, to, count, got);
  int code = input_load(part, NULL);
  uint64_t left = part->count - part->taken, size = part->type.size;
  *got = count < left ? count : left;
  if (!code && *got > 0)
    memcpy(to, (const char *)part->data + part->taken * size, *got * size);
  part->taken += *got;
  return code;
}

static int read_files(struct input *input, void *to, uint64_t count, uint64_t *got) {
  struct file_list *files = &input->files;
  uint64_t some, size = input->type.size;
  int code = EXIT_DONE;
  for (*got = 0; *got < count && files->at < files->count && !code; *got += some) {
    struct input *part = &files->parts[files->at];
    some = 0;
    if (is_closed(part))
      code = reopen(part);
    code = code ? code : read_part(part, (char *)to + *got * size, count - *got, &some);
    if (*got + some == count)
      continue;
    input_close(part);
    files->at++;
  }
  return code;
}

int input_find(struct input *input, uint64_t element, struct file_place *place) {
  struct file_list *files = &input->files;
  *place = (struct file_place){input, element};
  if (input->source != &source_files)
    return EXIT_DONE;
  while (element - files->before >= files->parts[files->at].count) {
    files->before += files->parts[files->at].count;
    input_close(&files->parts[files->at++]);
  }
  struct input *part = &files->parts[files->at];
  *place = (struct file_place){part, element - files->before};
  return is_closed(part) ? reopen(part) : EXIT_DONE;
}

static void close_files(struct input *input) {
  for (size_t i = 0; i < input->files.count; i++)
    input_close(&input->files.parts[i]);
  free(input->files.parts);
  input->files.parts = NULL;
}

const struct source source_files = {.open = open_files, .read = read_files, .close = close_files};

// ---------------------------------------------------------------- The choice of the source

enum { PACKED_MAX = 4 };  // data that unpacks to itself exists

// ---- Names

static bool is_named_text(const struct stream *stream) {
  return stream_is_named(stream, ".csv") || stream_is_named(stream, ".tsv") || stream_is_named(stream, ".txt");
}

// A file of an archive is called ARCHIVE:FILE in messages.
static int name_member(struct input *input, const char *member) {
  char *name = text_join(input->stream.name, ":", member);
  if (name == NULL)
    return fail_memory();
  free(input->member);
  input->stream.name = input->member = name;
  return EXIT_DONE;
}

// ---- First bytes

static int look(struct input *input, const struct content **content) {
  char bytes[STREAM_AHEAD_MAX];
  size_t size;
  int code = stream_look(&input->stream, bytes, sizeof bytes, &size);
  *content = code ? NULL : content_of(bytes, size);
  return code;
}

static int unpack_once(struct input *input, const struct unpacking *unpacking) {
  bool archive = unpacking == &unpacking_zip;
  const char *member = archive ? input->request.array : NULL;
  if (archive && input->member != NULL)
    return fail(EXIT_BAD_USE, "%s: is an archive in an archive; unpack the outer one first", input->stream.name);
  int code = stream_unpack(&input->stream, unpacking, &member);
  return !code && member != NULL ? name_member(input, member) : code;
}

// Unpacks the stream, several times if needed. `content` becomes the format of the unpacked bytes, or NULL if their
// first bytes are of no known format.
static int unpack(struct input *input, const struct content **content) {
  int code = look(input, content);
  for (unsigned i = 0; !code && *content != NULL && (*content)->unpacking != NULL; i++) {
    if (i == PACKED_MAX)
      return fail(EXIT_BAD_USE, "%s: is packed more than %d times; unpack it first", input->stream.name, PACKED_MAX);
    code = unpack_once(input, (*content)->unpacking);
    code = code ? code : look(input, content);
  }
  return code;
}

// ---- The source

static int refuse_content(const struct input *input, const struct content *content, const char *instead) {
  return fail(EXIT_BAD_USE, "%s: is %s; %s, or give --format raw for its bytes as they are", input->stream.name,
              content->what, instead);
}

// Returns the source of an input whose first bytes are of no known format.
static const struct source *source_by_name(const struct input *input) {
  const struct request *request = &input->request;
  if (stream_is_named(&input->stream, ".npy"))
    return &source_npy;
  if (is_named_text(&input->stream))
    return &source_text;
  bool typed = request->type != NULL || request->otherwise != NULL;
  return !typed && strcmp(request->name, "-") == 0 ? &source_text : &source_raw;
}

// If text were read as raw elements, the result would be a wrong number without any message.
static int refuse_numbers(struct input *input) {
  char bytes[STREAM_AHEAD_MAX];
  size_t size;
  int code = stream_look(&input->stream, bytes, sizeof bytes, &size);
  if (code || !content_is_numbers(bytes, size))
    return code;
  bool further = input->request.names == NULL;  // --format is about INPUT
  return fail(EXIT_BAD_USE, "%s: looks like text; %s", input->stream.name,
              further ? "let its name end in .txt, or save its elements with numpy.save"
                      : "give --format text, or --format raw to take the bytes as they are");
}

static int choose_by_content(struct input *input, const struct content *content) {
  if (content == NULL) {
    input->source = source_by_name(input);
    return input->source == &source_raw ? refuse_numbers(input) : EXIT_DONE;
  }
  input->source = content->source;
  return content->source != NULL ? EXIT_DONE : refuse_content(input, content, content->instead);
}

static int choose_generated(struct input *input) {
  const struct request *request = &input->request;
  input->source = &source_generated;
  const char *given = request->skip_bytes.given ? "skip-bytes"
                      : request->format != NULL ? "format"
                      : request->array != NULL  ? "array"
                                                : NULL;
  if (given != NULL)
    return fail(EXIT_BAD_USE, "--%s: generated input is no file; leave it out", given);
  return EXIT_DONE;
}

static int choose_for_file(struct input *input) {
  const struct request *request = &input->request;
  const char *format = request->format;
  const struct content *content = NULL;
  int code = stream_open(&input->stream, request->name);
  input->source = &source_raw;
  if (code || (format != NULL && strcmp(format, "raw") == 0))
    return code;
  code = unpack(input, &content);
  if (code || request->skip_bytes.given)
    return code;
  if (format == NULL)
    return choose_by_content(input, content);
  input->source = strcmp(format, "npy") == 0 ? &source_npy : &source_text;
  return content == NULL || input->source == &source_npy ? EXIT_DONE
                                                         : refuse_content(input, content, "leave --format text out");
}

// For input_open: opens the stream, unpacks it, and sets the source.
static int source_choose(struct input *input) {
  const struct request *request = &input->request;
  size_t which;
  int code = args_take_word("format", "format", request->format, &which);
  if (code)
    return code;
  if (request->generate != NULL)
    return choose_generated(input);
  code = choose_for_file(input);
  if (!code && request->array != NULL && input->member == NULL)
    return fail(EXIT_BAD_USE, "--array %s: %s is no archive of arrays; leave --array out", request->array,
                input->stream.name);
  return code;
}

// ---------------------------------------------------------------- The input

struct text_options text_options_of(const struct args *args) {
  return (struct text_options){.delimiter = args->delimiter,
                               .missing = args->missing,
                               .missing_values = args->missing_values,
                               .header = args->header,
                               .quote = args->quote,
                               .comment = args->comment,
                               .quiet = args->quiet};
}

int input_check_text_options(const struct args *args, bool text, size_t columns_left) {
  const char *option = args_given(args, "column,by,delimiter,missing,missing-values,header,quote,comment");
  if (!text && option != NULL)
    return fail(EXIT_BAD_USE, "--%s: the input is not text; leave it out, or give --format text", option);
  if (columns_left > 0)
    return fail(EXIT_BAD_USE, "--column %s: no input is left for it; leave it out",
                args->columns.list[args->columns.count - columns_left]);
  return EXIT_DONE;
}

// True for operators that may stand in a list with others.
static bool is_operator(const char *name) {
  return clred_op_from_name(name) != CLRED_OP_NONE || list_has("median,quantile", ",", name, strcspn(name, ":"));
}

// Users may write a column's name or a second operator where clreduce expects more files.
static int check_files(const struct request *request) {
  for (size_t i = 0; i < request->name_count && request->name_count > 1; i++) {
    const char *name = request->names[i];
    if (strpbrk(name, "./") != NULL || strcmp(name, "-") == 0 || access(name, F_OK) == 0)
      continue;
    if (is_operator(name))
      return fail(EXIT_BAD_USE, "%s: is no file; several operators stand in one list, as in sum,%s", name, name);
    return fail(EXIT_WORK_FAILED, "%s: cannot open: %s; for a column of text give --column %s", name, strerror(errno),
                name);
  }
  return EXIT_DONE;
}

int input_choose(const struct args *args, struct request *request) {
  size_t count;
  const char *const *names = args_inputs(args, &count);
  *request = (struct request){.name = args_input(args),
                              .names = names,
                              .name_count = count,
                              .generate = args->generate,
                              .type = args->type,
                              .format = args->format,
                              .array = texts_at(&args->arrays, 0),
                              .skip_bytes = args->skip_bytes,
                              .column = args->by != NULL ? args->by : texts_at(&args->columns, 0),
                              .text = text_options_of(args)};
  if (request->name == NULL && request->generate == NULL)
    return fail(EXIT_BAD_USE, "%s: INPUT is missing; give a file, - for standard input, or --generate KIND:N",
                args->verb->name);
  if (request->name != NULL && request->generate != NULL)
    return fail(EXIT_BAD_USE, "%s: both the input '%s' and --generate; give one", args->verb->name, request->name);
  return check_files(request);
}

int input_open(struct input *input, const struct request *request) {
  *input = (struct input){.request = *request, .stream = {.descriptor = -1}};
  bool chosen = request->table != NULL || request->name_count > 1;
  int code = chosen ? EXIT_DONE : source_choose(input);
  if (chosen)
    input->source = request->table != NULL ? &source_text : &source_files;
  return code ? code : input->source->open(input);
}

int input_load(struct input *input, struct progress *progress) {
  if (input->data != NULL)
    return EXIT_DONE;
  int code = (input->source->load != NULL ? input->source->load : load_all)(input, progress);
  stream_close(&input->stream);
  return code;
}

bool input_is_long_text(const struct input *input, uint64_t bytes) {
  return input->table != NULL && input->stream.sized && input->stream.left > bytes;
}

int input_read(struct input *input, void *to, uint64_t count, uint64_t *got) {
  const uint64_t held = take_held(input, to, count);
  input->taken += held;
  int code = input->source->read(input, (char *)to + held * input->type.size, count - held, got);
  if (!code)
    input->taken += *got;
  *got += held;
  return code;
}

bool input_is_text(const struct input *input) {
  return input->source == &source_text || (input->source == &source_files && input->files.text);
}

bool input_can_read_again(const struct input *input) {
  struct stat status;
  const char *name = input->request.name;
  if (input->source == &source_files)
    return input->files.again;
  return input->source == &source_generated ||
         (name != NULL && strcmp(name, "-") != 0 && stat(name, &status) == 0 && S_ISREG(status.st_mode));
}

bool input_is_sequential(const struct input *input) {
  if (input->source == &source_files)
    return input->files.sequential;
  return input->source != &source_npy || !input->npy.fortran || input->npy.dimensions < 2;
}

const char *input_name(const struct input *input) {
  if (input->source == &source_files)
    return input->member;
  return input->request.name != NULL ? input->request.name : input->request.generate;
}

bool input_is_in_file(const struct input *input) {
  bool as_they_are =
    input->source == &source_raw || (input->source == &source_npy && !input->npy.swapped && input->npy.kind != 'b');
  return as_they_are && input_is_sequential(input) && input->stream.sized && input->counted && input->count > 0;
}

bool input_is_in_files(const struct input *input) {
  return input->source == &source_files ? input->files.in_files && input->count > 0 : input_is_in_file(input);
}

void input_close(struct input *input) {
  stream_close(&input->stream);
  if (input->source != NULL && input->source->close != NULL)
    input->source->close(input);
  free(input->data);
  free(input->member);
  free(input->gaps.list);
  input->gaps = (struct text_gaps){.list = NULL};
  input->data = input->member = NULL;
}

int input_reorder(struct input *input, const uint64_t *shape, unsigned dimensions, const unsigned *order) {
  void *ordered = pages_allocate(input_bytes(input));
  if (ordered == NULL)
    return fail_memory();
  reorder_axes(input->data, ordered, shape, dimensions, order, input->type.size);
  free(input->data);
  input->data = ordered;
  return EXIT_DONE;
}

uint64_t input_bytes(const struct input *input) {
  return input->count * input->type.size;
}

// Several files without a common shape are one line of `count` elements: the elements of text are counted late.
static bool has_shape(const struct input *input) {
  return input->source == &source_npy || (input->source == &source_files && input->npy.dimensions > 1);
}

unsigned input_dimensions(const struct input *input) {
  return has_shape(input) ? input->npy.dimensions : 1;
}

uint64_t input_length(const struct input *input, unsigned dimension) {
  return has_shape(input) ? input->npy.shape[dimension] : input->count;
}

clred_type_info input_opaque_type(const char *name) {
  return (clred_type_info){.type = CLRED_TYPE_NONE, .name = name, .size = 1, .components = 1};
}

// Returns the text of a guess: the type whose name is most similar to `word`.
static const char *input_guess_type(struct guess *guess, const char *word) {
  clred_type_info row;
  guess_begin(guess, word);
  for (size_t i = 0; clred_type_inspect((clred_type)(i + 1), &row) == CL_SUCCESS; i++) {
    guess_offer(guess, row.name);
    guess_offer(guess, row.numpy_name);
  }
  return guess->text;
}

static int unknown_type(const char *name) {
  char list[320] = " give one of";
  clred_type_info row;
  struct guess guess;
  for (size_t i = 0; clred_type_inspect((clred_type)(i + 1), &row) == CL_SUCCESS; i++)
    snprintf(list + strlen(list), sizeof list - strlen(list), " %s", row.name);
  strcat(list, ", or a vector such as float4");
  input_guess_type(&guess, name);
  return fail(EXIT_BAD_USE, "unknown type '%s';%s", name, guess_or(&guess, list));
}

// For sources: sets input->type to the requested type, else to `otherwise`. NONE means that a type is required.
static int input_take_type(struct input *input, clred_type otherwise) {
  const struct request *request = &input->request;
  if (request->type != NULL)
    return type_of_either(request->type, &input->type) ? EXIT_DONE : unknown_type(request->type);
  if (request->otherwise != NULL) {
    input->type = *request->otherwise;
    input->unsized = input->type.type == CLRED_TYPE_NONE;
    return EXIT_DONE;
  }
  if (otherwise == CLRED_TYPE_NONE)
    return fail(EXIT_BAD_USE, "%s: %s; raw elements need --type TYPE%s", request->name,
                request->skip_bytes.given ? "--skip-bytes makes it raw"
                : request->format != NULL ? "--format raw makes it raw"
                                          : "begins like nothing known",
                request->skip_bytes.given || request->format != NULL ? "" : ", text needs --format text");
  clred_type_inspect(otherwise, &input->type);
  return EXIT_DONE;
}

int input_type_named(const char *name, clred_type_info *type) {
  struct input input = {.request = {.type = name}};
  int code = input_take_type(&input, CLRED_TYPE_FLOAT);
  *type = input.type;
  return code;
}
