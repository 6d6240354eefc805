// The files of partials: what they say about a partial, and how they are read and written.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/output.h"
#include "input/stream.h"
#include "run/partial.h"

// ---------------------------------------------------------------- What a partial is of, as JSON

// The first line of the file is a JSON object: the operator, the type of the elements, and the policies.

#define VERSION_KEY "partial"

enum { VERSION = 2 };  // of the line

// Options that change what is computed, by their keys in the file.
static const struct {
  const char *key;
  size_t argument;  // in struct args
} policies[] = {{"nan", offsetof(struct args, nan)},
                {"overflow", offsetof(struct args, overflow)},
                {"result_type", offsetof(struct args, result_type)},
                {"state", offsetof(struct args, state)},
                {"order", offsetof(struct args, order)}};

enum { POLICIES = sizeof policies / sizeof policies[0] };

// The file has no text of the user's operator, because a data file must not bring code that is run. It has the sizes of
// the operator's inputs: only the compiler knows those of some types.
static void add_own(cJSON *about, const clred_operator *op) {
  cJSON *sizes = cJSON_AddArrayToObject(about, "input_bytes");
  for (size_t i = 0; i < op->input_count; i++)
    cJSON_AddItemToArray(sizes, cJSON_CreateNumber((double)op->inputs[i].size));
}

// Returns the JSON that describes in the file what the job computes.
static cJSON *make_about(const struct job *job) {
  cJSON *about = cJSON_CreateObject();
  json_add_count(about, VERSION_KEY, VERSION);
  json_add_text(about, "op", job->operation.name);
  json_add_text(about, "type", job->input.type.name);
  for (size_t i = 0; i < POLICIES && !job->operation.own; i++) {
    const char *word;
    memcpy(&word, (const char *)job->args + policies[i].argument, sizeof word);
    // A partial without an order is of the fixed order.
    if (word != NULL && strcmp(word, "fixed") != 0)
      json_add_text(about, policies[i].key, word);
  }
  if (job->operation.own)
    add_own(about, &job->operation.user.made);
  return about;
}

// ---- Reading

static int not_text(const struct partial_file *file, const char *key) {
  return fail(EXIT_BAD_USE, "%s: its first line has no text '%s'; make the partial again", file->name, key);
}

static int take_policies(struct args *args, const struct partial_file *file) {
  for (size_t i = 0; i < POLICIES; i++) {
    const cJSON *item = json_member(file->about, policies[i].key);
    if (item != NULL && !cJSON_IsString(item))
      return not_text(file, policies[i].key);
    if (item != NULL)
      memcpy((char *)args + policies[i].argument, &item->valuestring, sizeof item->valuestring);
  }
  return EXIT_DONE;
}

static int take_sizes(struct user_operator *user, const struct partial_file *file, const cJSON *sizes) {
  enum { OPERAND_BYTES_MAX = 1 << 20 };
  const cJSON *size = sizes->child;
  for (size_t i = 0; i < user->made.input_count; i++, size = size->next) {
    if (!cJSON_IsNumber(size) || !(size->valuedouble >= 0 && size->valuedouble <= (double)OPERAND_BYTES_MAX))
      return fail(EXIT_BAD_USE,
                  "%s: its input_bytes is not a list of sizes, one for each input; make the partial again", file->name);
    user->inputs[i].size = (size_t)size->valuedouble;
  }
  return EXIT_DONE;
}

// The options have the operator of the user, because the file has only its name.
static int take_own(struct operation *operation, const struct args *args, const struct partial_file *file,
                    const char *name, const cJSON *sizes) {
  if (!args_bring_operator(args))
    return fail(EXIT_BAD_USE, "%s: is of an operator of your own, '%s'; give --operator FILE or --combine for it",
                file->name, name);
  for (size_t i = 0; i < args->parameters.count; i++)
    if (strchr(args->parameters.list[i], '=') != NULL)
      return fail(EXIT_BAD_USE, "--parameter %s: the partials have the values of parameters; leave the value out",
                  args->parameters.list[i]);
  int code = operation_take(operation, args, NULL);
  if (!code && strcmp(operation->name, name) != 0)
    return fail(EXIT_BAD_USE, "%s: is of the operator '%s', not of '%s'; give the operator that made it", file->name,
                name, operation->name);
  return code ? code : take_sizes(&operation->user, file, sizes);
}

static int take_named(struct operation *operation, const struct args *args, const struct partial_file *file,
                      const char *name) {
  if (args_bring_operator(args))
    return fail(EXIT_BAD_USE, "%s: is of the operator %s; leave --operator and --combine out", file->name, name);
  fail_about(file->name);
  int code = operation_take(operation, args, name);
  fail_about(NULL);
  return code;
}

// Types that the library does not know are structs of the operator's own.
static int take_type(struct job *job, const struct partial_file *file, const char *name, bool own) {
  struct input *input = &job->input;
  if (type_of_opencl(name, &input->type))
    return EXIT_DONE;
  if (!own)
    return fail(EXIT_BAD_USE, "%s: its elements are of the type '%s', which this program does not know", file->name,
                name);
  input->type = input_opaque_type(name);
  return EXIT_DONE;
}

int partial_take_problem(struct job *job, struct args *args, const struct partial_file *file) {
  const cJSON *op = json_member(file->about, "op"), *type = json_member(file->about, "type");
  const cJSON *own = json_member(file->about, "input_bytes");
  if (!cJSON_IsString(op) || !cJSON_IsString(type))
    return not_text(file, cJSON_IsString(op) ? "type" : "op");
  int code = own != NULL ? take_own(&job->operation, args, file, op->valuestring, own) : EXIT_DONE;
  code = code || own != NULL ? code : take_policies(args, file);
  code = code || own != NULL ? code : take_named(&job->operation, args, file, op->valuestring);
  code = code ? code : take_type(job, file, type->valuestring, own != NULL);
  fail_about(file->name);
  code = code ? code : problem_take(args, &job->operation, &job->input.type, &job->problem);
  fail_about(NULL);
  return code;
}

// ---- Comparing

// The first key whose value differs; NULL if there is none.
static const char *differing_key(const cJSON *a, const cJSON *b) {
  for (const cJSON *item = a->child; item != NULL; item = item->next)
    if (!cJSON_Compare(item, json_member(b, item->string), true))
      return item->string;
  for (const cJSON *item = b->child; item != NULL; item = item->next)
    if (json_member(a, item->string) == NULL)
      return item->string;
  return NULL;
}

static const char *value_of(const struct partial_file *file, const char *key) {
  const cJSON *item = json_member(file->about, key);
  return cJSON_IsString(item) ? item->valuestring : "not given";
}

int partial_differs(const struct partial_file *file, const struct partial_file *other) {
  const char *key = differing_key(file->about, other->about);
  if (key == NULL && json_member(file->about, "input_bytes") != NULL && file == other)
    return fail(EXIT_BAD_USE, "%s: its operator '%s' is not that of the options; give the options that made it",
                file->name, value_of(file, "op"));
  if (key == NULL && json_member(file->about, "input_bytes") != NULL)
    return fail(EXIT_BAD_USE, "%s: its operator '%s' is not that of the options, or its parameters are not those of %s",
                file->name, value_of(file, "op"), other->name);
  if (key == NULL)
    return fail(EXIT_BAD_USE,
                "%s: its packed bytes are of another problem than its first line says, or of another "
                "version of the library; make the partial again",
                file->name);
  return fail(EXIT_BAD_USE, "%s: is of another reduction than %s: %s is %s here and %s there; join parts of one",
              file->name, other->name, key, value_of(file, key), value_of(other, key));
}

// ---------------------------------------------------------------- The file of a partial

// A line of JSON, and the packed bytes. The library checks the bytes: their checksum, and whether they are of this
// problem.

static int damaged(const struct partial_file *file, const char *what) {
  return fail(EXIT_BAD_USE, "%s: %s; make the partial again", file->name, what);
}

static int check_version(const struct partial_file *file) {
  const cJSON *version = json_member(file->about, VERSION_KEY);
  if (cJSON_IsNumber(version) && version->valuedouble == VERSION)
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "%s: is no partial of version %d, which this program reads; make the partial again",
              file->name, VERSION);
}

static int take_bytes(struct partial_file *file) {
  static const char begins[] = "{\"" VERSION_KEY "\":";
  const char *bytes = file->bytes, *end = memchr(bytes, '\n', file->size);
  const size_t length = end == NULL ? file->size : (size_t)(end - bytes);
  if (file->size < sizeof begins || memcmp(bytes, begins, sizeof begins - 1) != 0)
    return fail(EXIT_BAD_USE, "%s: is no partial; give files that 'clreduce reduce --partial FILE' wrote", file->name);
  const char *parsed = NULL;
  file->about = cJSON_ParseWithLengthOpts(bytes, length, &parsed, false);
  if (end == NULL || parsed != end || !cJSON_IsObject(file->about))
    return damaged(file, "its first line is no JSON object");
  file->packed = (const unsigned char *)end + 1;
  file->packed_size = file->size - length - 1;
  return check_version(file);
}

int partial_file_read(struct partial_file *file, const char *path) {
  enum { FILE_MAX = 64 << 20 };
  uint64_t size;
  *file = (struct partial_file){.name = path};
  int code = stream_read_file(path, FILE_MAX + 1, &file->bytes, &size);
  file->size = (size_t)size;
  if (!code && size > FILE_MAX)
    return fail(EXIT_BAD_USE,
                "%s: is too large to be a partial; give files that 'clreduce reduce --partial FILE' wrote", path);
  return code ? code : take_bytes(file);
}

void partial_file_release(struct partial_file *file) {
  cJSON_Delete(file->about);
  free(file->bytes);
  *file = (struct partial_file){.name = NULL};
}

// ---- Writing

static int write_all(const char *path, const char *line, const void *packed, size_t size) {
  struct output output;
  int code = output_open(&output, "--partial", path);
  if (!code) {
    fprintf(output.file, "%s\n", line);
    fwrite(packed, size, 1, output.file);
  }
  return output_close(&output, code);
}

int partial_file_write(const struct job *job, clred_partial *partial, size_t *size) {
  size_t packed_size = 0;
  cl_int status = clred_partial_pack(partial, NULL, 0, &packed_size);
  void *packed = malloc(packed_size + 1);
  cJSON *about = make_about(job);
  char *line = cJSON_PrintUnformatted(about);
  int code = packed == NULL || line == NULL ? fail_memory() : EXIT_DONE;
  if (!code && status == CL_SUCCESS)
    status = clred_partial_pack(partial, packed, packed_size, &packed_size);
  code = code ? code : session_check(&job->session, status);
  code = code ? code : write_all(job->args->partial, line, packed, packed_size);
  *size = code ? 0 : strlen(line) + 1 + packed_size;
  free(packed);
  cJSON_free(line);
  cJSON_Delete(about);
  return code;
}
