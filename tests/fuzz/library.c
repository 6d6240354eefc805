// Targets that call the library: see fuzz.h.
#include "cache/cache_files.c"  // for its static functions

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "model/facts.h"
#include "model/layout.h"
#include "model/problem.h"
#include "model/tuning_text.h"
#include "source/source.h"

// ---------------------------------------------------------------- assume

// --assume: a text of facts, on a large device and on one with impossible facts.

static void assume(struct clr_facts facts, const char *text) {
  struct clr_status status = {0};
  clr_facts_make_sane(&facts);
  struct clr_facts before = facts;
  cl_int err = clr_facts_assume(&facts, text, &status);
  PROMISE(err == CL_SUCCESS || (status.message[0] != '\0' && memcmp(&facts, &before, sizeof facts) == 0));
  struct clr_facts sane = facts;
  clr_facts_make_sane(&sane);
  PROMISE(memcmp(&facts, &sane, sizeof facts) == 0);
  struct clr_tuning_key key;
  clr_tuning_key_make(text, text, text, &facts, &key);
  PROMISE(strlen(key.device) < CLR_TUNING_LINE - 1 && strlen(key.software) < CLR_TUNING_LINE - 1);
}

void target_assume(const uint8_t *data, size_t size) {
  struct clr_facts usual = {.compute_units = 132,
                            .max_work_group_size = 1024,
                            .max_work_item_size = 1024,
                            .preferred_multiple = 32,
                            .local_mem_size = 49152,
                            .local_mem_dedicated = 1,
                            .global_mem_size = (cl_ulong)1 << 36,
                            .max_alloc = (cl_ulong)1 << 34,
                            .fp64 = 1,
                            .int64_atomics = 1,
                            .device_fence = 2,
                            .opencl_version = 300};
  struct clr_facts nonsense;
  char *text = fuzz_text(data, size);
  memset(&nonsense, 0xff, sizeof nonsense);  // all facts have their largest value
  assume(usual, text);
  assume(nonsense, text);
  free(text);
}

// ---------------------------------------------------------------- build_log

// The input is a compiler's log, a zero byte, and the program that the log is about.

void target_build_log(const uint8_t *data, size_t size) {
  struct clr_status status = {0};
  char *log = fuzz_text(data, size);
  const char *program = strlen(log) < size ? log + strlen(log) + 1 : "";
  if (clr_explain_log(log, program, "mine", &status))
    PROMISE(status.code == CLRED_OPERATOR_TEXT && status.message[0] != '\0');
  free(log);
}

// ---------------------------------------------------------------- cache_record

// A file of the cache of binaries, as it is and with a corrected checksum. The checksum is a static function, so this
// file includes its source.

static const char key_text[] = "a key";

static void read_one(unsigned char *bytes, size_t size) {
  const struct clr_text key = {.bytes = (char *)(uintptr_t)key_text, .length = sizeof key_text - 1};
  const struct clr_bytes file = {bytes, size};
  struct clr_record record = {0};
  const char *wrong = clr_record_read(&file, &key, &record);
  PROMISE(wrong != NULL || (record.binary.data >= bytes + sizeof(struct header) + key.length &&
                            record.binary.size > 0 && record.binary.data + record.binary.size == bytes + size));
}

static void forge_record(unsigned char *bytes, size_t size) {
  struct header header;
  if (size < sizeof header)
    return;
  memcpy(&header, bytes, sizeof header);
  header.magic = MAGIC;
  header.version = VERSION;
  if (sizes_agree(&header, size - sizeof header))
    header.checksum = checksum(&header, bytes + sizeof header);
  memcpy(bytes, &header, sizeof header);
}

void target_cache_record(const uint8_t *data, size_t size) {
  unsigned char *bytes = (unsigned char *)fuzz_text(data, size);
  read_one(bytes, size);
  forge_record(bytes, size);
  read_one(bytes, size);
  free(bytes);
}

// ---------------------------------------------------------------- operator_text

// The texts of an operator, separated by zero bytes: refusals, the layout of structs of a preamble, and the program's
// text.

enum { OPERANDS = 2 };

// The next piece, or NULL if it is empty.
static const char *take(char **at, const char *end) {
  char *piece = *at;
  if (piece > end)
    return NULL;
  *at += strlen(piece) + 1;
  return *piece == '\0' ? NULL : piece;
}

// The sizes that a device would find.
static void settle(struct clr_operation *operation) {
  operation->element.size = operation->element.size ? operation->element.size : 12;
  operation->state_size = operation->state_size ? operation->state_size : 16;
  operation->result_size = operation->result_size ? operation->result_size : 16;
  for (size_t i = 0; i < operation->input_count; i++)
    operation->input_sizes[i] = operation->input_sizes[i] ? operation->input_sizes[i] : 8;
  for (size_t i = 0; i < operation->parameter_count; i++)
    operation->parameter_sizes[i] = operation->parameter_sizes[i] ? operation->parameter_sizes[i] : 8;
}

static void check(const struct clr_layout *layout, size_t size) {
  size_t end = 0;
  PROMISE(layout->size == size && layout->run_count >= 1 && layout->run_count <= CLR_RUNS_MAX);
  for (size_t i = 0; i < layout->run_count; i++) {
    PROMISE(layout->runs[i].offset >= end);
    end = layout->runs[i].offset + layout->runs[i].count * clr_type_row(layout->runs[i].type)->size;
  }
  PROMISE(end <= size);
}

static void lay_out(const struct clr_operation *operation) {
  struct clr_layout layout;
  clr_layout_element(operation, &layout);
  check(&layout, operation->element.size);
  clr_layout_state(operation, &layout);
  check(&layout, operation->state_size);
  clr_layout_result(operation, &layout);
  check(&layout, operation->result_size);
  for (size_t i = 0; i < operation->input_count; i++) {
    clr_layout_input(operation, i, &layout);
    check(&layout, operation->input_sizes[i]);
  }
}

static void write_program(const struct clr_operation *operation) {
  struct clr_kernel_reader reader = clr_kernel_reader_open();
  struct clr_text text = {0};
  struct clr_status status = {0};
  const struct clr_source_from from = {clr_kernel_read, &reader, ""};
  cl_int err = clr_source_probe(operation, &from, &text, &status);
  PROMISE(err == CL_SUCCESS ? text.length > 0 : status.message[0] != '\0');
  clr_text_release(&text);
  clr_kernel_reader_close(&reader);
}

static void offer(const clred_problem *given) {
  struct clr_problem problem;
  struct clr_status status = {0};
  cl_int err = clr_problem_make(given, &problem, &status);
  PROMISE(err == CL_SUCCESS || status.message[0] != '\0');
  if (err == CL_SUCCESS) {
    settle(&problem.operation);
    lay_out(&problem.operation);
    write_program(&problem.operation);
  }
  clr_problem_release(&problem);
}

static void take_operands(char **at, const char *end, clred_operand operands[OPERANDS], size_t *count) {
  for (*count = 0; *count < OPERANDS; ++*count) {
    operands[*count] = (clred_operand){.type = take(at, end)};
    operands[*count].name = take(at, end);
    if (operands[*count].type == NULL && operands[*count].name == NULL)
      return;
  }
}

static void take_operator(char **at, const char *end, clred_operator *own, clred_operand inputs[OPERANDS],
                          clred_operand parameters[OPERANDS]) {
  const char **const pieces[] = {&own->name, &own->element, &own->state, &own->result,  &own->identity,
                                 &own->lift, &own->combine, &own->lower, &own->preamble};
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
    *pieces[i] = take(at, end);
  take_operands(at, end, inputs, &own->input_count);
  take_operands(at, end, parameters, &own->parameter_count);
}

void target_operator_text(const uint8_t *data, size_t size) {
  if (size == 0)
    return;
  char *text = fuzz_text(data + 1, size - 1), *at = text;
  clred_operand inputs[OPERANDS], parameters[OPERANDS];
  clred_operator own = {
    .inputs = inputs, .parameters = parameters, .commutative = data[0] & 1, .elementwise = data[0] >> 1 & 1};
  take_operator(&at, text + size - 1, &own, inputs, parameters);
  const clred_selection selection = {.name = own.name,
                                     .preamble = own.preamble,
                                     .keep = own.lift,
                                     .element = own.element,
                                     .inputs = inputs,
                                     .input_count = own.input_count,
                                     .parameters = parameters,
                                     .parameter_count = own.parameter_count};
  if (data[0] & 4)
    offer(&(clred_problem){.selection = &selection, .indices = data[0] >> 3 & 1});
  else
    offer(&(clred_problem){.custom = &own});
  free(text);
}

// ---------------------------------------------------------------- tuning

// A tuning file, as it is and with a corrected checksum. Rows that were read can be written and read again.

static const struct clr_tuning_key here = {"a device", "software 1"};

static enum clr_tuning_state read_rows(const char *bytes, size_t length, struct clr_tuning *tuning) {
  enum clr_tuning_state state = clr_tuning_read(bytes, length, &here, tuning);
  PROMISE(state == CLR_TUNING_FOUND || tuning->count == 0);
  for (size_t i = 0; i < tuning->count; i++)
    for (unsigned j = 0; j < CLR_TUNABLES; j++)
      PROMISE(!clr_tuned_has(&tuning->rows[i].tuned, j) || clr_tunable_allows(j, tuning->rows[i].tuned.values[j]));
  return state;
}

static void read_as_it_is(const uint8_t *data, size_t size) {
  struct clr_tuning tuning = {0};
  read_rows((const char *)data, size, &tuning);
  clr_tuning_release(&tuning);
}

// Adds the first line of a file before the bytes and its last line behind them.
static char *forge_tuning(const uint8_t *data, size_t size, size_t *length) {
  static const char begin[] = CLR_TUNING_BEGIN "\n";
  char *bytes = malloc(sizeof begin + size + 64);
  uint64_t sum = 0xcbf29ce484222325u;
  if (bytes == NULL)
    exit(125);
  memcpy(bytes, begin, sizeof begin - 1);
  if (size > 0)
    memcpy(bytes + sizeof begin - 1, data, size);
  *length = sizeof begin - 1 + size;
  for (size_t i = 0; i < *length; i++)
    sum = (sum ^ (unsigned char)bytes[i]) * 0x100000001b3u;
  *length += (size_t)snprintf(bytes + *length, 64, "check %016llx\n", (unsigned long long)sum);
  return bytes;
}

// If the file is written again, the rows of this key stay.
static void write_again(const char *old, size_t length, enum clr_tuning_state state, const struct clr_tuning *rows) {
  const struct clr_tuning none = {0};
  struct clr_tuning again = {0};
  struct clr_text text = {0};
  clr_tuning_write(old, length, &here, &none, &text);
  PROMISE(!text.failed);
  if (text.length <= CLR_TUNING_FILE_MAX) {
    PROMISE(read_rows(text.bytes, text.length, &again) == CLR_TUNING_FOUND);
    PROMISE(state != CLR_TUNING_FOUND || again.count == rows->count);
  }
  clr_tuning_release(&again);
  clr_text_release(&text);
}

void target_tuning(const uint8_t *data, size_t size) {
  struct clr_tuning tuning = {0};
  size_t length;
  read_as_it_is(data, size);
  char *forged = forge_tuning(data, size, &length);
  enum clr_tuning_state state = read_rows(forged, length, &tuning);
  write_again(forged, length, state, &tuning);
  clr_tuning_release(&tuning);
  free(forged);
}
