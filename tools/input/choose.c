// Finds what an input is: its first bytes decide, then its name, then --type.
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/wrap.h"
#include "input/content.h"
#include "input/input.h"
#include "input/unpack.h"

enum { PACKED_MOST = 4 };  // data that unpacks to itself exists

// ---- Names

// True if the name has this ending, or the ending of packed data behind it.
static bool is_named(const struct input *input, const char *ending) {
  static const char *const packed[] = {"", ".gz", ".zst"};
  char whole[16];
  for (size_t i = 0; i < (input->stream.origin != NULL ? sizeof packed / sizeof packed[0] : 1); i++) {
    snprintf(whole, sizeof whole, "%s%s", ending, packed[i]);
    if (ends_in(input->request.name, whole))
      return true;
  }
  return false;
}

static bool is_named_text(const struct input *input) {
  return is_named(input, ".csv") || is_named(input, ".tsv") || is_named(input, ".txt");
}

// ---- First bytes

static int look(struct input *input, const struct content **content) {
  char bytes[STREAM_AHEAD_MOST];
  size_t size;
  int code = stream_look(&input->stream, bytes, sizeof bytes, &size);
  *content = code ? NULL : content_of(bytes, size);
  return code;
}

// Unpacks the stream until its elements come. `content` is what they are, NULL if they begin like nothing known.
static int unpack(struct input *input, const struct content **content) {
  int code = look(input, content);
  for (unsigned i = 0; !code && *content != NULL && (*content)->unpacking != NULL; i++) {
    if (i == PACKED_MOST)
      return fail(EXIT_BAD_USE, "%s: is packed more than %d times; unpack it first", input->stream.name, PACKED_MOST);
    code = stream_unpack(&input->stream, (*content)->unpacking);
    code = code ? code : look(input, content);
  }
  return code;
}

// ---- The source

static int refuse_content(const struct input *input, const struct content *content, const char *instead) {
  return fail(EXIT_BAD_USE, "%s: is %s; %s, or give --format raw for its bytes as they are", input->stream.name,
              content->what, instead);
}

// Of input whose first bytes are not known.
static const struct source *source_by_name(const struct input *input) {
  const struct request *request = &input->request;
  if (is_named(input, ".npy"))
    return &source_npy;
  if (is_named_text(input))
    return &source_text;
  bool typed = request->type != NULL || request->otherwise != NULL;
  return !typed && strcmp(request->name, "-") == 0 ? &source_text : &source_raw;
}

static int choose_by_content(struct input *input, const struct content *content) {
  if (content == NULL)
    input->source = source_by_name(input);
  else if (content->source != NULL)
    input->source = content->source;
  else
    return refuse_content(input, content, content->instead);
  return EXIT_DONE;
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
  if (request->skip_bytes.given || request->format != NULL)
    return fail(EXIT_BAD_USE, "--%s: generated input is no file; leave it out",
                request->format != NULL ? "format" : "skip-bytes");
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

int source_choose(struct input *input) {
  const struct format *format = find_format(input->request.format);
  if (format == NULL)
    return fail(EXIT_BAD_USE, "--format: '%s' is none of raw, npy and text", input->request.format);
  return input->request.generate != NULL ? choose_generated(input) : choose_for_file(input, format);
}
