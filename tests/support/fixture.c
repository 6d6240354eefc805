// What the suites share: see fixture.h.

#include "support/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PERIOD 97

struct device under_test;

void fixture_open(void) {
  const char *trouble = device_open(&under_test);
  if (trouble)
    ck_abort_msg("%s", trouble);
}

void fixture_close(void) {
  device_close(&under_test);
}

void assert_status_at(const char *file, int line, const char *call, cl_int got, cl_int expected) {
  if (got == expected)
    return;
  ck_abort_msg("%s:%d: %s gave %s (%d), not %s (%d): %s", file, line, call, clred_status_name(got), (int)got,
               clred_status_name(expected), (int)expected,
               under_test.runtime ? clred_last_error(under_test.runtime) : "no runtime");
}

clred_plan *fixture_plan(const clred_problem *problem) {
  clred_plan *plan = NULL;
  assert_status(clred_plan_create(under_test.runtime, problem, &plan), CL_SUCCESS);
  ck_assert_ptr_nonnull(plan);
  return plan;
}

cl_mem fixture_buffer(const void *bytes, size_t size) {
  cl_int err;
  cl_mem buffer = clCreateBuffer(under_test.context, CL_MEM_READ_WRITE, size, NULL, &err);
  assert_status(err, CL_SUCCESS);
  cl_command_queue queue = fixture_queue(0);
  assert_status(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, size, bytes, 0, NULL, NULL), CL_SUCCESS);
  clReleaseCommandQueue(queue);
  return buffer;
}

static float number(size_t index) {
  return (float)(index % PERIOD + 1);
}

cl_mem fixture_numbers(size_t count) {
  float *numbers = malloc(count * sizeof *numbers);
  ck_assert_ptr_nonnull(numbers);
  for (size_t i = 0; i < count; i++)
    numbers[i] = number(i);
  cl_mem buffer = fixture_buffer(numbers, count * sizeof *numbers);
  free(numbers);
  return buffer;
}

float fixture_sum(size_t offset, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += (double)number(offset + i);
  ck_assert_msg(sum < 16777216, "the sum of %zu numbers is not exact in float", count);
  return (float)sum;
}

float fixture_read(cl_mem buffer, size_t index) {
  cl_command_queue queue = fixture_queue(0);
  float value = 0;
  assert_status(clEnqueueReadBuffer(queue, buffer, CL_TRUE, index * sizeof value, sizeof value, &value, 0, NULL, NULL),
                CL_SUCCESS);
  clReleaseCommandQueue(queue);
  return value;
}

void fixture_skip(const char *what, const char *why) {
  printf("skipped: %s: %s\n", what, why);
  fflush(stdout);
}

// That device and host share memory cannot be assumed where they do not: then the same without.
static const char *open_without_sharing(const char *facts) {
  const char *sharing = strstr(facts, "unified_memory=1");
  char without[128];
  if (!sharing || !strstr(under_test.message, "unified_memory=1 is above the device's"))
    return under_test.message;
  device_close(&under_test);
  snprintf(without, sizeof without, "%.*sunified_memory=0%s", (int)(sharing - facts), facts,
           sharing + strlen("unified_memory=1"));
  fixture_skip("memory that device and host share", "the device has none");
  return device_open_assuming(&under_test, without);
}

void fixture_open_assuming(const char *facts) {
  const char *trouble = device_open_assuming(&under_test, facts);
  if (trouble)
    trouble = open_without_sharing(facts);
  if (trouble)
    ck_abort_msg("%s", trouble);
}

void fixture_reopen(const char *facts) {
  fixture_close();
  const char *trouble = device_open_assuming(&under_test, facts);
  ck_assert_msg(!trouble, "%s", trouble);
}

void check_sentence(const char *sentence, const char *word) {
  ck_assert_msg(strstr(sentence, word) != NULL, "the sentence does not say '%s': '%s'", word, sentence);
}

void check_said(const char *word) {
  check_sentence(clred_last_error(under_test.runtime), word);
}

bool fixture_has_out_of_order(void) {
  cl_command_queue_properties properties = 0;
  clGetDeviceInfo(under_test.id, CL_DEVICE_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
  return (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
}

bool fixture_has_user_events(void) {
  char name[64] = "";
  clGetDeviceInfo(under_test.id, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
  const bool has = strncmp(name, "basic-", strlen("basic-")) != 0;
  if (!has)
    printf("skipped: PoCL's driver without threads does not return where a launch waits for a user event "
           "(tests/bugs/user_event.c)\n");
  return has;
}

cl_command_queue fixture_queue(cl_command_queue_properties properties) {
  cl_int err;
  cl_command_queue queue = clCreateCommandQueue(under_test.context, under_test.id, properties, &err);
  assert_status(err, CL_SUCCESS);
  return queue;
}
