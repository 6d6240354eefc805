// The texts of an operator, separated by zero bytes: refusals, the layout of structs of a preamble, and the program's
// text.
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "model/layout.h"
#include "model/problem.h"
#include "source/source.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
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
  return 0;
}
