// Shared by the device suites: see fixture.h.
#define _POSIX_C_SOURCE 200809L

#include "support/fixture.h"

#include <time.h>

#define PERIOD 97

struct device under_test;

void fixture_open(void) {
  const char *trouble = device_open(&under_test);
  if (trouble)
    ck_abort_msg("%s", trouble);
}

// ---------------------------------------------------------------- Objects that fixture_close releases

static struct owned {
  void *object;
  void (*release)(void *object);
  struct owned *before;
} * latest;

void *fixture_own(void *object, void (*release)(void *object)) {
  struct owned *owned = malloc(sizeof *owned);
  ck_assert_msg(object && owned, "an object could not be made");
  *owned = (struct owned){object, release, latest};
  latest = owned;
  return object;
}

void *fixture_disown(void *object) {
  struct owned **at = &latest;
  while (*at && (*at)->object != object)
    at = &(*at)->before;
  if (*at) {
    struct owned *found = *at;
    *at = found->before;
    free(found);
  }
  return object;
}

#define RELEASES(type, function) \
  void own_##function(void *object) { \
    function(object); \
  }
RELEASE_MAP(RELEASES)

void fixture_close(void) {
  while (latest) {
    void (*const release)(void *object) = latest->release;
    release(fixture_disown(latest->object));
  }
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
  assert_ok(clred_plan_create(under_test.runtime, problem, &plan));
  return OWN(plan);
}

clred_stream *fixture_stream(clred_plan *plan, const clred_stream_options *options) {
  clred_stream *stream = NULL;
  assert_ok(clred_stream_create(under_test.queue, plan, options, &stream));
  return OWN(stream);
}

clred_quantile *fixture_quantile(const clred_quantile_problem *problem) {
  clred_quantile *quantile = NULL;
  assert_ok(clred_quantile_create(under_test.runtime, problem, &quantile));
  return OWN(quantile);
}

clred_sorter *fixture_sorter(const clred_sort_problem *problem) {
  clred_sorter *sorter = NULL;
  assert_ok(clred_sorter_create(under_test.runtime, problem, &sorter));
  return OWN(sorter);
}

clred_partial *fixture_partial(clred_plan *plan, cl_ulong first) {
  clred_partial *partial = NULL;
  assert_ok(clred_partial_create(plan, &(clred_partial_options){.first = first}, &partial));
  return OWN(partial);
}

size_t partial_pack(clred_partial *partial, unsigned char *bytes, size_t room) {
  size_t size = 0;
  assert_ok(clred_partial_pack(partial, bytes, room, &size));
  ck_assert_uint_le(size, clred_partial_bytes(clred_partial_plan(partial)));
  return size;
}

void fixture_refused_plan_at(const char *file, int line, const clred_problem *problem, cl_int status,
                             const char *words) {
  clred_plan *plan = (clred_plan *)(void *)&plan;
  const cl_int got = clred_plan_create(under_test.runtime, problem, &plan);
  assert_status_at(file, line, "clred_plan_create", got, status);
  check_said_at(file, line, words);
  ck_assert_msg(plan == NULL, "%s:%d: a refused plan is not NULL", file, line);
}

void check_applies_at(const char *file, int line, const char *strategy, const clred_problem *problem, cl_int status,
                      const char *words) {
  char reason[512] = "";
  const cl_int got = clred_strategy_applies(under_test.runtime, strategy, problem, reason, sizeof reason);
  assert_status_at(file, line, "clred_strategy_applies", got, status);
  check_message_at(file, line, reason, words);
}

void fixture_call_at(const char *file, int line, cl_command_queue queue, clred_plan *plan, const clred_call *call,
                     cl_int status, const char *words) {
  assert_status_at(file, line, "clred_enqueue", clred_enqueue(queue, plan, call, 0, NULL, NULL), status);
  check_said_at(file, line, words);
}

cl_event fixture_enqueue_event(cl_command_queue queue, clred_plan *plan, cl_event wait, const clred_call *call) {
  cl_event event = NULL;
  assert_ok(clred_enqueue(queue, plan, call, wait ? 1 : 0, wait ? &wait : NULL, &event));
  return OWN(event);
}

clred_plan_info fixture_inspect(const clred_plan *plan, cl_ulong count) {
  clred_plan_info info;
  assert_ok(clred_plan_inspect(plan, count, &info));
  return info;
}

void *claim(size_t size) {
  return OWN(calloc(size ? size : 1, 1));
}

static void release_directory(void *directory) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", (char *)directory);
  ck_assert_int_eq(system(command), 0);
  free(directory);
}

char *fixture_directory(void) {
  char *directory = malloc(64);
  ck_assert_ptr_nonnull(directory);
  strcpy(directory, "/tmp/clreduce-test-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(directory));
  return fixture_own(directory, release_directory);
}

// ---------------------------------------------------------------- Buffers

void read_buffer(cl_mem buffer, void *bytes, size_t size) {
  assert_ok(clEnqueueReadBuffer(under_test.queue, buffer, CL_TRUE, 0, size, bytes, 0, NULL, NULL));
}

void write_buffer(cl_mem buffer, const void *bytes, size_t size) {
  assert_ok(clEnqueueWriteBuffer(under_test.queue, buffer, CL_TRUE, 0, size, bytes, 0, NULL, NULL));
}

struct image fixture_image(size_t size) {
  struct image image;
  const char *trouble = image_create(&image, &under_test, size);
  ck_assert_msg(!trouble, "%s", trouble);
  return image;
}

void take_image(struct image *image, size_t at, size_t size, void *result, const char *what) {
  const char *trouble = image_check_except(image, &under_test, at, size, result);
  ck_assert_msg(!trouble, "%s: %s", what, trouble);
  image_release(image);
}

cl_mem fixture_buffer(const void *bytes, size_t size) {
  cl_int err;
  cl_mem buffer = clCreateBuffer(under_test.context, CL_MEM_READ_WRITE, size, NULL, &err);
  assert_ok(err);
  cl_command_queue queue = fixture_queue(0);
  assert_ok(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, size, bytes, 0, NULL, NULL));
  RELEASE(queue);
  return OWN(buffer);
}

cl_mem fixture_sub_buffer(cl_mem whole, size_t first, size_t count) {
  const cl_buffer_region region = {first * sizeof(float), count * sizeof(float)};
  cl_int err;
  cl_mem part = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
  assert_ok(err);
  return OWN(part);
}

static float number(size_t index) {
  return (float)(index % PERIOD + 1);
}

cl_mem fixture_numbers(size_t count) {
  float *numbers = claim(count * sizeof *numbers);
  for (size_t i = 0; i < count; i++)
    numbers[i] = number(i);
  cl_mem buffer = fixture_buffer(numbers, count * sizeof *numbers);
  RELEASE(numbers);
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
  assert_ok(clEnqueueReadBuffer(queue, buffer, CL_TRUE, index * sizeof value, sizeof value, &value, 0, NULL, NULL));
  RELEASE(queue);
  return value;
}

cl_uint fixture_references(void) {
  cl_uint context = 0, queue = 0;
  assert_ok(clGetContextInfo(under_test.context, CL_CONTEXT_REFERENCE_COUNT, sizeof context, &context, NULL));
  assert_ok(clGetCommandQueueInfo(under_test.queue, CL_QUEUE_REFERENCE_COUNT, sizeof queue, &queue, NULL));
  return 1000 * context + queue;
}

void check_references(cl_uint expected) {
  const struct timespec moment = {.tv_nsec = 1000000};
  for (int i = 0; i < 2000 && fixture_references() != expected; i++)
    nanosleep(&moment, NULL);
  ck_assert_uint_eq(fixture_references(), expected);
}

void fixture_skip(const char *what, const char *why) {
  printf("skipped: %s: %s\n", what, why);
  fflush(stdout);
}

bool fixture_lacks_double(const char *what) {
  const bool lacks = !device_has_fp64(&under_test);
  if (lacks)
    fixture_skip(what, "the device has no double");
  return lacks;
}

// If the device does not share memory with the host, opens it with the same facts but without sharing.
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

void fixture_add_build_options(const char *further) {
  static const char name[] = "CLREDUCE_TEST_BUILD_OPTIONS";
  const char *given = getenv(name);
  char options[256];
  snprintf(options, sizeof options, "%s %s", given ? given : "", further);
  ck_assert_int_eq(setenv(name, options, 1), 0);
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

void check_message_at(const char *file, int line, const char *message, const char *words) {
  while (*words) {
    char word[512];
    const size_t length = strcspn(words, "|");
    snprintf(word, sizeof word, "%.*s", (int)length, words);
    ck_assert_msg(strstr(message, word) != NULL, "%s:%d: the message does not say '%s': '%s'", file, line, word,
                  message);
    words += length + (words[length] == '|');
  }
}

void check_said_at(const char *file, int line, const char *words) {
  check_message_at(file, line, clred_last_error(under_test.runtime), words);
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
           "(bugs user_event)\n");
  return has;
}

cl_event fixture_user_event(void) {
  cl_int err;
  cl_event event = clCreateUserEvent(under_test.context, &err);
  assert_ok(err);
  return OWN(event);
}

cl_command_queue fixture_queue(cl_command_queue_properties properties) {
  cl_int err;
  cl_command_queue queue = clCreateCommandQueue(under_test.context, under_test.id, properties, &err);
  assert_ok(err);
  return OWN(queue);
}
