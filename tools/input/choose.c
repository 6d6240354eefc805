// Finds what an input is: its first bytes decide, then its name, then --type.
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/wrap.h"
#include "input/content.h"
#include "input/input.h"
#include "input/unpack.h"

enum { PACKED_MOST = 4 };  // data that unpacks to itself exists

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
  char bytes[STREAM_AHEAD_MOST];
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

// Unpacks the stream until its elements come. `content` is what they are, NULL if they begin like nothing known.
static int unpack(struct input *input, const struct content **content) {
  int code = look(input, content);
  for (unsigned i = 0; !code && *content != NULL && (*content)->unpacking != NULL; i++) {
    if (i == PACKED_MOST)
      return fail(EXIT_BAD_USE, "%s: is packed more than %d times; unpack it first", input->stream.name, PACKED_MOST);
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

// Returns the source of input if its first bytes are of no known format.
static const struct source *source_by_name(const struct input *input) {
  const struct request *request = &input->request;
  if (stream_is_named(&input->stream, ".npy"))
    return &source_npy;
  if (is_named_text(&input->stream))
    return &source_text;
  bool typed = request->type != NULL || request->otherwise != NULL;
  return !typed && strcmp(request->name, "-") == 0 ? &source_text : &source_raw;
}

// Text that is taken as raw elements gives a number, and nothing shows that it is wrong.
static int refuse_numbers(struct input *input) {
  char bytes[STREAM_AHEAD_MOST];
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

static int choose_npy(struct input *input, const struct content *content) {
  (void)content;
  input->source = &source_npy;
  return EXIT_DONE;
}

static int choose_text(struct input *input, const struct content *content) {
  input->source = &source_text;
  return content == NULL ? EXIT_DONE : refuse_content(input, content, "leave --format text out");
}

// The words of --format.
static const struct format {
  const char *name;
  int (*choose)(struct input *input, const struct content *content);  // NULL: raw, whatever the first bytes are
} formats[] = {{"raw", NULL}, {"npy", choose_npy}, {"text", choose_text}, {NULL, choose_by_content}};

// NULL is found, too: it is the last row.
static const struct format *find_format(const char *name) {
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
    if (formats[i].name == NULL ? name == NULL : name != NULL && strcmp(formats[i].name, name) == 0)
      return &formats[i];
  return NULL;
}

static int choose_generated(struct input *input) {
  const struct request *request = &input->request;
  input->source = &source_generated;
  const char *given = request->skip_bytes.given ? "skip-bytes"
                      : request->format != NULL ? "format"
                      : request->array != NULL  ? "array"
                      : request->field != NULL  ? "field"
                                                : NULL;
  if (given != NULL)
    return fail(EXIT_BAD_USE, "--%s: generated input is no file; leave it out", given);
  return EXIT_DONE;
}

static int choose_for_file(struct input *input, const struct format *format) {
  const struct request *request = &input->request;
  const struct content *content = NULL;
  int code = stream_open(&input->stream, request->name);
  input->source = &source_raw;
  if (!code && format->choose != NULL)
    code = unpack(input, &content);
  if (code || format->choose == NULL || (request->format == NULL && request->skip_bytes.given))
    return code;
  if (request->skip_bytes.given)
    return fail(EXIT_BAD_USE, "--skip-bytes: applies only to raw input; leave it or --format %s out", request->format);
  return format->choose(input, content);
}

// These options need what was found.
static int check_use(const struct input *input) {
  const struct request *request = &input->request;
  if (request->array != NULL && input->member == NULL)
    return fail(EXIT_BAD_USE, "--array %s: %s is no archive of arrays; leave --array out", request->array,
                input->stream.name);
  if (request->field != NULL && input->source != &source_npy)
    return fail(EXIT_BAD_USE, "--field %s: %s is no structured array; leave --field out", request->field,
                input->stream.name);
  return EXIT_DONE;
}

int source_choose(struct input *input) {
  const struct format *format = find_format(input->request.format);
  struct guess guess;
  if (format == NULL)
    return fail(EXIT_BAD_USE, "--format: '%s' is none of raw, npy and text;%s give one of them", input->request.format,
                guess_among(&guess, input->request.format, "raw npy text"));
  if (input->request.generate != NULL)
    return choose_generated(input);
  int code = choose_for_file(input, format);
  return code ? code : check_use(input);
}
