// Reductions and scans in parts.
#include "run/partial.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/output.h"
#include "base/wrap.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "input/stream.h"
#include "operator/user_operator_json.h"
#include "run/partial_file.h"
#include "run/streaming.h"

// ---------------------------------------------------------------- What a partial is of, as JSON

// What a partial is of, as a JSON object in its file: the operator, the type of the elements, and the policies.

enum { ABOUT_LINE = 2 };  // of the file

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

// Returns the JSON that describes in the file what the job computes.
static cJSON *partial_about(const struct job *job) {
  cJSON *about = cJSON_CreateObject();
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
    cJSON_AddItemToObject(about, "operator", user_operator_json(&job->operation.user));
  return about;
}

// ---- Reading

static int not_text(const struct partial_file *file, const char *key) {
  return fail(EXIT_BAD_USE, "%s: its second line has no text '%s'; make the partial again", file->name, key);
}

// An operator of the user's has none.
static int take_policies(struct args *args, const struct partial_file *file, bool own) {
  for (size_t i = 0; i < POLICIES; i++) {
    const cJSON *item = json_member(file->about, policies[i].key);
    if (item != NULL && own)
      return fail(EXIT_BAD_USE, "%s: its second line has an operator and '%s'; make the partial again", file->name,
                  policies[i].key);
    if (item != NULL && !cJSON_IsString(item))
      return not_text(file, policies[i].key);
    if (item != NULL)
      memcpy((char *)args + policies[i].argument, &item->valuestring, sizeof item->valuestring);
  }
  return EXIT_DONE;
}

static int take_own(struct operation *operation, const cJSON *object, const char *path) {
  *operation = (struct operation){.own = true};
  int code = user_operator_take_json(&operation->user, object, path, ABOUT_LINE);
  operation->name = operation->user.made.name;
  operation->inputs = operation->user.made.input_count;
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
  const cJSON *own = json_member(file->about, "operator");
  if (!cJSON_IsString(op) || !cJSON_IsString(type))
    return not_text(file, cJSON_IsString(op) ? "type" : "op");
  int code = own != NULL ? take_own(&job->operation, own, file->name) : EXIT_DONE;
  code = code ? code : take_policies(args, file, own != NULL);
  code = code ? code : take_type(job, file, type->valuestring, own != NULL);
  fail_about(file->name);
  if (!code && own == NULL)
    code = operation_take(&job->operation, args, op->valuestring);
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
  if (key == NULL)
    return fail(EXIT_BAD_USE,
                "%s: its packed bytes are of another problem than its second line says, or of another "
                "version of the library; make the partial again",
                file->name);
  if (cJSON_IsObject(json_member(file->about, key)))
    return fail(EXIT_BAD_USE, "%s: is of another operator or other parameters than %s; join parts of one reduction",
                file->name, other->name);
  return fail(EXIT_BAD_USE, "%s: is of another reduction than %s: %s is %s here and %s there; join parts of one",
              file->name, other->name, key, value_of(file, key), value_of(other, key));
}

// ---------------------------------------------------------------- The file of a partial

// The version of the two lines. The library has one of its own for the packed bytes.
#define BEGINS "clreduce partial "
#define VERSION 1

enum { LINE_SIZE = PARTIAL_LINE_SIZE, CHECKSUM_DIGITS = 16, FILE_MAX = 64 << 20 };

// FNV-1a: a change of any single byte changes the sum.
static uint64_t hash(uint64_t sum, const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < size; i++)
    sum = (sum ^ at[i]) * UINT64_C(0x100000001b3);
  return sum;
}

// Writes the first line up to the checksum. Returns its length.
static size_t write_first_line(char line[LINE_SIZE], uint64_t first, uint64_t count, uint64_t size) {
  return (size_t)snprintf(line, LINE_SIZE,
                          BEGINS "%d, first %" PRIu64 ", count %" PRIu64 ", bytes %020" PRIu64 ", checksum ", VERSION,
                          first, count, size);
}

// Appends the checksum of the line so far and of the bytes behind it, and a line break.
static void end_first_line(char line[LINE_SIZE], const void *rest, size_t size) {
  const size_t length = strlen(line);
  const uint64_t sum = hash(hash(UINT64_C(0xcbf29ce484222325), line, length), rest, size);
  snprintf(line + length, LINE_SIZE - length, "%0*" PRIx64 "\n", CHECKSUM_DIGITS, sum);
}

size_t partial_first_line(char line[PARTIAL_LINE_SIZE], uint64_t first, uint64_t count, const void *rest, size_t size) {
  const size_t all = write_first_line(line, first, count, 0) + CHECKSUM_DIGITS + 1 + size;
  write_first_line(line, first, count, all);
  end_first_line(line, rest, size);
  return all;
}

// ---- Reading

static int damaged(const struct partial_file *file, const char *what) {
  return fail(EXIT_BAD_USE, "%s: %s; make the partial again", file->name, what);
}

// Reads the number behind a label. 0 if there is none: then the line differs from the one that is made of the numbers.
static uint64_t number_behind(const char *line, const char *label) {
  const char *at = strstr(line, label);
  return at == NULL ? 0 : strtoull(at + strlen(label), NULL, 10);
}

static int wrong_begin(const struct partial_file *file, const char *line) {
  const size_t begins = strlen(BEGINS);
  if (strncmp(line, BEGINS, begins) != 0)
    return fail(EXIT_BAD_USE, "%s: is no partial; give files that 'clreduce reduce --partial FILE' wrote", file->name);
  const uint64_t version = strtoull(line + begins, NULL, 10);
  if (version != VERSION)
    return fail(EXIT_BAD_USE,
                "%s: is a partial of version %" PRIu64 ", this program reads version %d; make the "
                "partial again",
                file->name, version, VERSION);
  return damaged(file, "its first line was altered");
}

// The line must be, byte by byte, the one that partial_file_write makes of these numbers.
static int check_first_line(struct partial_file *file, const char *line, const char *end, const void *rest,
                            size_t size) {
  char expected[LINE_SIZE];
  file->first = number_behind(line, ", first ");
  file->count = number_behind(line, ", count ");
  const uint64_t bytes = number_behind(line, ", bytes ");
  const size_t length = write_first_line(expected, file->first, file->count, bytes);
  if (strlen(line) != length + CHECKSUM_DIGITS || memcmp(line, expected, length) != 0)
    return wrong_begin(file, line);
  if (bytes != file->size)
    return fail(EXIT_BAD_USE, "%s: has %zu of its %" PRIu64 " bytes; copy it again", file->name, file->size, bytes);
  end_first_line(expected, rest, size);
  return memcmp(line, expected, length + CHECKSUM_DIGITS) == 0 && *end == '\n'
           ? EXIT_DONE
           : damaged(file, "its checksum is wrong, so some bytes were altered");
}

static int take_json(struct partial_file *file, const char *rest, size_t size) {
  const char *end = memchr(rest, '\n', size);
  const size_t length = end == NULL ? size : (size_t)(end - rest);
  file->about = cJSON_ParseWithLength(rest, length);
  if (end == NULL || !cJSON_IsObject(file->about))
    return damaged(file, "its second line is no JSON object");
  file->packed = (const unsigned char *)end + 1;
  file->packed_size = size - length - 1;
  return EXIT_DONE;
}

static int take_bytes(struct partial_file *file) {
  char line[LINE_SIZE] = "";
  const char *bytes = file->bytes, *end = memchr(bytes, '\n', file->size < LINE_SIZE ? file->size : LINE_SIZE - 1);
  const size_t length = end == NULL ? (file->size < LINE_SIZE ? file->size : LINE_SIZE - 1) : (size_t)(end - bytes);
  memcpy(line, bytes, length);
  if (end == NULL)
    return strncmp(line, BEGINS, strlen(BEGINS)) == 0 ? damaged(file, "ends in its first line")
                                                      : wrong_begin(file, line);
  const size_t size = file->size - length - 1;
  int code = check_first_line(file, line, end, end + 1, size);
  return code ? code : take_json(file, end + 1, size);
}

int partial_file_read(struct partial_file *file, const char *path) {
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

static int write_all(const char *path, const char *line, const void *rest, size_t size) {
  struct output output;
  int code = output_open(&output, "--partial", path);
  if (!code) {
    fputs(line, output.file);
    fwrite(rest, size, 1, output.file);
  }
  return output_close(&output, code);
}

// `rest` has room for the JSON, a line break, and the packed bytes.
static int pack_and_write(const struct session *session, clred_partial *partial, const char *text, char *rest,
                          size_t packed_size, const char *path, size_t *size) {
  char line[LINE_SIZE];
  clred_partial_info info;
  const size_t length = (size_t)sprintf(rest, "%s\n", text);
  cl_int status = clred_partial_pack(partial, rest + length, packed_size, &packed_size);
  if (status == CL_SUCCESS)
    status = clred_partial_inspect(partial, &info);
  if (status != CL_SUCCESS)
    return session_check(session, status);
  *size = partial_first_line(line, info.first, info.count, rest, length + packed_size);
  return write_all(path, line, rest, length + packed_size);
}

int partial_file_write(const struct session *session, clred_partial *partial, const cJSON *about, const char *path,
                       size_t *size) {
  size_t packed_size = 0;
  cl_int status = clred_partial_pack(partial, NULL, 0, &packed_size);
  if (status != CL_SUCCESS)
    return session_check(session, status);
  char *text = cJSON_PrintUnformatted(about);
  char *rest = text == NULL ? NULL : malloc(strlen(text) + 2 + packed_size);
  int code = rest == NULL ? fail_memory() : pack_and_write(session, partial, text, rest, packed_size, path, size);
  free(rest);
  cJSON_free(text);
  return code;
}

// ---------------------------------------------------------------- Folding a stream

// Folds the elements of a stream into a partial. The elements are read in chunks, which the devices get round-robin:
// while they fold, the next chunk is read. Each chunk is a partial of its own, and joins the whole in the order of the
// chunks.

enum { TURNS_EACH = 2, CHUNK_BYTES = 32 << 20 };

// A chunk of one device.
struct turn {
  size_t device;
  cl_command_queue transfers;
  cl_mem buffers[SPREAD_SOURCES];
  void *memory[SPREAD_SOURCES];  // while they are mapped
  clred_partial *partial;
  struct spread_fold fold;
};

struct folding {
  struct spread *spread;
  struct job *job;
  clred_partial *whole;
  struct turn *turns;
  size_t turn_count;
  cl_ulong chunk;  // elements
  uint64_t count;
};

static size_t size_of(const struct folding *folding, size_t source) {
  return folding->job->inputs[source].type.size;
}

// Chunks end at their multiples in the whole, so that they have large aligned parts.
static uint64_t room_of(const struct folding *folding) {
  return folding->chunk - (folding->job->args->first.value + folding->count) % folding->chunk;
}

static cl_ulong choose_chunk(const struct folding *folding) {
  const struct job *job = folding->job;
  size_t largest = 1;
  cl_ulong most = CL_ULONG_MAX, chunk = 1;
  for (size_t i = 0; i <= job->other_count; i++)
    largest = size_of(folding, i) > largest ? size_of(folding, i) : largest;
  for (size_t i = 0; i < folding->spread->count; i++) {
    const cl_ulong room = session_fact(folding->spread->devices[i].session, "max_alloc", CL_ULONG_MAX) / largest;
    most = room < most ? room : most;
  }
  if (job->args->chunk.given)
    return job->args->chunk.value < most ? job->args->chunk.value : most;
  while (2 * chunk <= CHUNK_BYTES / largest && 2 * chunk <= most)
    chunk *= 2;
  return chunk;
}

// ---- Buffers

static int open_turn(struct folding *folding, struct turn *turn) {
  const struct session *session = folding->spread->devices[turn->device].session;
  cl_int status;
  turn->transfers = clCreateCommandQueue(session->context, session->device.id, 0, &status);
  if (status != CL_SUCCESS)
    return fail_opencl("clCreateCommandQueue", status, "the transfers of a stream");
  for (size_t k = 0; k <= folding->job->other_count; k++) {
    turn->buffers[k] = clCreateBuffer(session->context, CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR,
                                      (size_t)folding->chunk * size_of(folding, k), NULL, &status);
    if (status != CL_SUCCESS)
      return fail_opencl("clCreateBuffer", status, "a chunk of the input");
  }
  return spread_partial(folding->spread, turn->device, 0, &turn->partial);
}

static int open_turns(struct folding *folding) {
  const size_t count = TURNS_EACH * folding->spread->count;
  folding->chunk = choose_chunk(folding);
  folding->turns = calloc(count, sizeof *folding->turns);
  int code = folding->turns == NULL ? fail_memory() : EXIT_DONE;
  for (; folding->turn_count < count && !code; folding->turn_count++) {
    struct turn *turn = &folding->turns[folding->turn_count];
    turn->device = folding->turn_count % folding->spread->count;
    code = open_turn(folding, turn);
  }
  return code;
}

// After a failure a fold may still read the buffers.
static void close_turn(const struct folding *folding, struct turn *turn) {
  if (turn->transfers != NULL)
    clFinish(turn->transfers);
  clFinish(folding->spread->devices[turn->device].session->queue);
  spread_drop(&turn->fold);
  clred_partial_release(turn->partial);
  for (size_t k = 0; k < SPREAD_SOURCES; k++)
    buffer_release(turn->buffers[k]);
  if (turn->transfers != NULL)
    clReleaseCommandQueue(turn->transfers);
}

static int map(const struct folding *folding, struct turn *turn, uint64_t room) {
  cl_int status = CL_SUCCESS;
  for (size_t i = 0; i <= folding->job->other_count && status == CL_SUCCESS; i++)
    turn->memory[i] = clEnqueueMapBuffer(turn->transfers, turn->buffers[i], CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0,
                                         (size_t)room * size_of(folding, i), 0, NULL, NULL, &status);
  return status ? fail_opencl("clEnqueueMapBuffer", status, "a chunk of the input") : EXIT_DONE;
}

// *ready is the event of the last unmapping; the queue is in order.
static int unmap(const struct folding *folding, struct turn *turn, cl_event *ready) {
  cl_int status = CL_SUCCESS;
  const size_t last = folding->job->other_count;
  for (size_t i = 0; i <= last && status == CL_SUCCESS; i++)
    if (turn->memory[i] != NULL)
      status =
        clEnqueueUnmapMemObject(turn->transfers, turn->buffers[i], turn->memory[i], 0, NULL, i == last ? ready : NULL);
  memset(turn->memory, 0, sizeof turn->memory);
  if (status != CL_SUCCESS)
    return fail_opencl("clEnqueueUnmapMemObject", status, "a chunk of the input");
  status = clFlush(turn->transfers);
  return status ? fail_opencl("clFlush", status, "a chunk of the input") : EXIT_DONE;
}

// ---- Chunks

// Joins the chunk of this turn to the whole. It follows the chunks that were joined before.
static int finish_turn(struct folding *folding, struct turn *turn) {
  if (turn->fold.folded == NULL)
    return EXIT_DONE;
  int code = spread_wait(folding->spread, turn->device, turn->partial, &turn->fold);
  return code ? code : spread_check(folding->spread, 0, clred_partial_join(folding->whole, turn->partial));
}

static int fold_chunk(struct folding *folding, struct turn *turn, uint64_t count, cl_event ready) {
  const clred_call call = {
    .in = turn->buffers[0], .inputs = folding->job->other_count > 0 ? turn->buffers + 1 : NULL, .count = count};
  if (count == 0)
    return EXIT_DONE;
  folding->spread->devices[turn->device].count += count;
  int code = spread_check(folding->spread, turn->device,
                          clred_partial_reset(turn->partial, folding->job->args->first.value + folding->count));
  return code ? code : spread_enqueue(folding->spread, turn->device, turn->partial, &call, ready, &turn->fold);
}

static int take_chunk(struct folding *folding, struct turn *turn, bool *ends) {
  struct job *job = folding->job;
  const uint64_t room = room_of(folding);
  uint64_t got = 0;
  cl_event ready = NULL;
  int code = finish_turn(folding, turn);
  code = code ? code : map(folding, turn, room);
  if (code)
    return code;
  code = reader_read(job, turn->memory[0], turn->memory + 1, room, &got);
  int unmapped = unmap(folding, turn, &ready);
  code = code ? code : unmapped;
  code = code ? code : fold_chunk(folding, turn, got, ready);
  if (ready != NULL)
    clReleaseEvent(ready);
  folding->count += got;
  *ends = got < room;
  progress_bytes(&job->progress, "reading and folding", folding->count * job->input.type.size,
                 job->input.counted ? input_bytes(&job->input) : 0);
  return code;
}

static int take_all(struct folding *folding) {
  bool ends = false;
  size_t turn = 0;
  int code = EXIT_DONE;
  for (; !code && !ends; turn++)
    code = take_chunk(folding, &folding->turns[turn % folding->turn_count], &ends);
  // The next turn has the first chunk that was not joined yet.
  for (size_t i = 0; i < folding->turn_count && !code; i++)
    code = finish_turn(folding, &folding->turns[(turn + i) % folding->turn_count]);
  return code;
}

// Folds a stream of elements. `whole` is an empty partial of the first device.
static int partial_fold_stream(struct spread *spread, clred_partial *whole) {
  struct folding folding = {.spread = spread, .job = spread->job, .whole = whole};
  int code = open_turns(&folding);
  code = code ? code : take_all(&folding);
  progress_end(&spread->job->progress);
  for (size_t i = 0; folding.turns != NULL && i < TURNS_EACH * spread->count; i++)
    close_turn(&folding, &folding.turns[i]);
  free(folding.turns);
  return code ? code : job_recount(spread->job, folding.count);
}

// ---------------------------------------------------------------- Reductions and scans in parts

// Reductions and scans in parts: reduce --partial, and reduce and scan on several devices. Which options agree with
// it, and what it writes.

// ---- Options

int partial_check_parts(const struct args *args, const char *asking) {
  int code = args_exclude(args, asking, PARTS_EXCLUDE);
  if (!code && args->verb->bit == VERB_SCAN)
    return args_exclude(args, asking, "chunk");
  if (!code && args->strategy != NULL && !list_has("auto,wide,chunked", ',', args->strategy, strlen(args->strategy)))
    return fail(EXIT_BAD_USE, "--strategy %s: makes no partials; give wide or chunked, or leave --strategy out",
                args->strategy);
  return code;
}

int partial_check(const struct args *args) {
  char asking[DEVICE_TEXT_SIZE];
  snprintf(asking, sizeof asking, "--device %s", args->device);
  if (args->weights.text != NULL && !spread_wanted(args))
    return fail(EXIT_BAD_USE, "--weights: applies only to several devices; name them, as in --device 0,1");
  if (spread_wanted(args))
    return partial_check_parts(args, asking);
  return args->partial != NULL ? partial_check_parts(args, "--partial") : EXIT_DONE;
}

// ---- The file

int partial_print_json(const struct job *job, clred_partial *partial, size_t size, double seconds, const cJSON *more) {
  clred_partial_info info = {0};
  clred_partial_inspect(partial, &info);
  cJSON *object = each_object(&job->each, &job->input);
  json_add_text(object, "partial", job->args->partial);
  json_add_count(object, "bytes", size);
  json_add_text(object, "op", job->operation.name);
  json_add_text(object, "type", job->input.type.name);
  json_add_count(object, "first", info.first);
  json_add_count(object, "count", info.count);
  device_add_json(object, &job->session.device);
  json_add_text(object, "assumed", job->args->assume);
  json_add_programs(object, job->session.runtime);
  json_add_measure(object, "wall_seconds", seconds);
  json_add_all(object, more);
  return json_print(object);
}

// ---- The result

int partial_print_result(struct job *job, clred_plan *plan, clred_partial *whole, double seconds, cJSON *more) {
  struct outcome outcome = {.steady = true, .calls = 1, .kernel_seconds = NAN, .wall_seconds = seconds, .more = more};
  int code = session_check(&job->session, clred_plan_inspect(plan, job->input.count, &outcome.info));
  outcome.info.passes = 0;
  code = code ? code : results_make(&outcome.results, plan, &outcome.info, 1, job->work.checked, job->work.words);
  cl_int status = code ? CL_SUCCESS : clred_partial_result(whole, outcome.results.bytes);
  if (status == CLRED_OVERFLOW)
    code = fail(EXIT_WORK_FAILED, "--overflow detect: %s (CLRED_OVERFLOW)", clred_last_error(job->session.runtime));
  else if (!code)
    code = session_check(&job->session, status);
  code = code ? code : answer_joined(job, &outcome);
  outcome_release(&outcome);
  return code;
}

static int write_partial(struct job *job, clred_partial *whole, double seconds, const cJSON *more) {
  size_t size = 0;
  cJSON *about = partial_about(job);
  int code = partial_file_write(&job->session, whole, about, job->args->partial, &size);
  cJSON_Delete(about);
  return code || !job->args->json ? code : partial_print_json(job, whole, size, seconds, more);
}

int partial_finish(struct job *job, clred_plan *plan, clred_partial *whole, double seconds, cJSON *more) {
  if (job->args->partial == NULL)
    return partial_print_result(job, plan, whole, seconds, more);
  int code = write_partial(job, whole, seconds, more);
  cJSON_Delete(more);
  return code;
}

// ---- Folding

// An object with the devices, if there are several, or NULL.
static cJSON *devices_json(const struct spread *spread) {
  if (!spread_wanted(spread->job->args))
    return NULL;
  cJSON *more = cJSON_CreateObject();
  cJSON_AddItemToObject(more, "devices", spread_json(spread));
  return more;
}

static int fold(struct spread *spread, clred_partial *whole) {
  return spread->job->streams ? partial_fold_stream(spread, whole) : spread_fold(spread, whole);
}

static int fold_and_print(struct spread *spread, clred_partial *whole) {
  struct job *job = spread->job;
  double begun = seconds_now();
  int code = fold(spread, whole);
  double seconds = seconds_now() - begun;
  return code ? code : partial_finish(job, spread->devices[0].plan, whole, seconds, devices_json(spread));
}

static int fold_to_whole(struct spread *spread) {
  clred_partial *whole = NULL;
  int code = spread_partial(spread, 0, spread->job->args->first.value, &whole);
  code = code ? code : fold_and_print(spread, whole);
  clred_partial_release(whole);
  return code;
}

// ---- Scans

static int scan_and_print(struct spread *spread) {
  struct job *job = spread->job;
  const uint64_t count = job->work.call.count;
  clred_plan *plan = spread->devices[0].plan;
  struct outcome outcome = {.steady = true, .calls = 1, .kernel_seconds = NAN};
  int code = session_check(&job->session, clred_plan_inspect(plan, count, &outcome.info));
  outcome.info.passes = 0;
  code = code ? code : results_make(&outcome.results, plan, &outcome.info, count, job->work.checked, NULL);
  const double begun = seconds_now();
  code = code ? code : spread_scan(spread, &outcome.results);
  outcome.wall_seconds = seconds_now() - begun;
  code = code ? code : results_check_overflows(&outcome.results);
  outcome.more = code ? NULL : devices_json(spread);
  code = code ? code : answer_joined(job, &outcome);
  outcome_release(&outcome);
  return code;
}

int partial_answer(struct job *job, clred_plan *plan) {
  struct spread spread;
  int code = spread_open(&spread, job, plan);
  if (!code)
    code = job->problem.scan == CLRED_SCAN_NONE ? fold_to_whole(&spread) : scan_and_print(&spread);
  if (!code && job->args->explain && !job->args->quiet)
    code = session_explain(&job->session, plan, job->layout.call.count);
  if (!code && job->args->explain && !job->args->quiet && spread_wanted(job->args))
    spread_explain(&spread);
  spread_close(&spread);
  return code;
}
