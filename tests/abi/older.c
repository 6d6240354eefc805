// A program compiled with the present headers, linked with a library whose structs all have one field more. Each struct
// ends directly before a page without access, so the program crashes if the library reads or writes past it. The
// program also checks the values in the structs.
#define _DEFAULT_SOURCE  // MAP_ANONYMOUS
#include <clreduce_device.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/callbacks.h"

// ---------------------------------------------------------------- Memory before a page without access

// The pages stay until the program ends.
static unsigned char *pages_for(size_t size, size_t *room) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  *room = (size + page - 1) / page * page;
  unsigned char *begin = mmap(NULL, *room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (begin == MAP_FAILED || mprotect(begin + *room, page, PROT_NONE) != 0) {
    perror("mmap");
    exit(1);
  }
  return begin;
}

// Memory of `size` bytes, filled with a pattern. It ends directly before a page without access.
static void *guarded(size_t size) {
  size_t room;
  unsigned char *begin = pages_for(size, &room);
  memset(begin, 0xa5, room);
  return begin + room - size;
}

// The same with a copy of `bytes`. Nothing may write to the copy.
static const void *guarded_copy(const void *bytes, size_t size) {
  size_t room;
  unsigned char *begin = pages_for(size, &room);
  memcpy(begin + room - size, bytes, size);
  if (mprotect(begin, room, PROT_READ) != 0) {
    perror("mprotect");
    exit(1);
  }
  return begin + room - size;
}

#define GUARDED(type) ((type *)guarded(sizeof(type)))
#define GUARDED_COPY(type, value) ((const type *)guarded_copy(&(value), sizeof(type)))

// ---------------------------------------------------------------- The device

enum { COUNT = 1000 };

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static clred_runtime *runtime;
static float numbers[COUNT], weights[COUNT];
static cl_mem numbers_buffer, weights_buffer;

static void check_at(int line, const char *text, int holds) {
  if (holds)
    return;
  fprintf(stderr, "older.c:%d: %s\n%s\n", line, text, clred_last_error(runtime));
  exit(1);
}
#define CHECK(holds) check_at(__LINE__, #holds, (holds))
#define DONE(call) CHECK((call) == CL_SUCCESS)

// Initializers from named fields.
#define FIELDS(...) \
  { __VA_ARGS__ }

// ---------------------------------------------------------------- Runtime and tables

static cl_mem buffer_of(void *bytes, size_t size) {
  cl_int err;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size, bytes, &err);
  DONE(err);
  return buffer;
}

static void open_device(void) {
  const clred_options options = {.assume = ""};
  cl_platform_id platform;
  cl_int err;
  DONE(clGetPlatformIDs(1, &platform, NULL));
  DONE(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
  DONE(err);
  queue = clCreateCommandQueue(context, device, 0, &err);
  DONE(err);
  DONE(clred_runtime_create(context, device, GUARDED_COPY(clred_options, options), &runtime));
  for (int i = 0; i < COUNT; i++) {
    numbers[i] = (float)(i % 7);
    weights[i] = (float)(i % 3);
  }
  numbers_buffer = buffer_of(numbers, sizeof numbers);
  weights_buffer = buffer_of(weights, sizeof weights);
}

static void look_up(void) {
  clred_runtime_info *about = GUARDED(clred_runtime_info);
  clred_type_info *type = GUARDED(clred_type_info);
  clred_op_info *op = GUARDED(clred_op_info);
  clred_strategy_info *strategy = GUARDED(clred_strategy_info);
  clred_fact *fact = GUARDED(clred_fact);
  DONE(clred_runtime_inspect(runtime, about));
  CHECK(strcmp(about->tuning_note, "") == 0);
  DONE(clred_type_inspect((clred_type)(CLRED_TYPE_DOUBLE | 4 << 8), type));
  CHECK(type->size == 32 && type->needs_fp64);
  DONE(clred_op_inspect(CLRED_OP_ARGMIN, op));
  CHECK(strcmp(op->name, "argmin") == 0 && op->portable);
  DONE(clred_strategy_at(0, strategy));
  CHECK(strategy->name && strategy->layouts);
  DONE(clred_runtime_fact(runtime, 0, fact));
  CHECK(strcmp(fact->name, "cpu") == 0 && fact->value == fact->reported && fact->summary);
}

// ---------------------------------------------------------------- An operator

#define AT(list, i) (*(const float *)list[i])
IDENTITY(weighted, float, 0)
LIFT(weighted, float, float, AT(inputs, 0) * x + AT(inputs, 1) + AT(parameters, 0) * AT(parameters, 1))
COMBINE(weighted, float, a + b)
HOST(weighted, float);

static const clred_operator *weighted(void) {
  const clred_operand inputs[] = {{"w", "float", sizeof(float)}, {"v", "float", sizeof(float)}};
  const clred_operand parameters[] = {{"p", "float", sizeof(float)}, {"q", "float", sizeof(float)}};
  const clred_operator custom =
    FIELDS(.name = "weighted", .element = "float", .state = "float", .identity = "0", .lift = "x * w + v + p * q",
           .combine = "a + b", .inputs = guarded_copy(inputs, sizeof inputs), .input_count = 2,
           .parameters = guarded_copy(parameters, sizeof parameters), .parameter_count = 2, .commutative = CL_TRUE,
           .host = GUARDED_COPY(clred_host_operator, weighted_host));
  return GUARDED_COPY(clred_operator, custom);
}

static void inspect(const clred_plan *plan) {
  clred_plan_info *info = GUARDED(clred_plan_info);
  clred_part *part = GUARDED(clred_part);
  clred_step *step = GUARDED(clred_step);
  DONE(clred_plan_inspect(plan, COUNT, info));
  CHECK(info->result_type == CLRED_TYPE_FLOAT && info->passes && !info->tuned);
  DONE(clred_plan_part(plan, 0, part));
  CHECK(part->type == CLRED_TYPE_FLOAT && part->offset == 0);
  CHECK(clred_plan_part(plan, 1, part) == CLRED_INVALID_ARGUMENT);
  DONE(clred_plan_step(plan, COUNT, 0, step));
  CHECK(step->global_accesses > 0);
}

static void run_operator(void) {
  const clred_problem problem = {.custom = weighted(), .strategy = "local_sequential", .count_max = COUNT};
  const float p = 0.5f, q = 4;
  const void *const parameters[] = {&p, &q}, *const inputs[] = {weights, weights};
  const cl_mem buffers[] = {weights_buffer, weights_buffer};
  clred_plan *plan;
  float expected = 0, result = -1, of_host = -1, reference = -1;
  for (int i = 0; i < COUNT; i++)
    expected += numbers[i] * weights[i] + weights[i] + p * q;
  DONE(clred_plan_create(runtime, GUARDED_COPY(clred_problem, problem), &plan));
  inspect(plan);
  const clred_call call = FIELDS(.in = numbers_buffer, .inputs = buffers, .parameters = parameters, .count = COUNT,
                                 .result = &result, .blocking = CL_TRUE);
  DONE(clred_enqueue(queue, plan, GUARDED_COPY(clred_call, call), 0, NULL, NULL));
  clred_host_call host = {.in = numbers, .inputs = inputs, .parameters = parameters, .count = COUNT, .out = &of_host};
  DONE(clred_plan_run_host(queue, plan, GUARDED_COPY(clred_host_call, host)));
  host.out = &reference;
  DONE(clred_plan_reference(plan, GUARDED_COPY(clred_host_call, host)));
  CHECK(result == expected && of_host == expected && reference == expected);
  clred_plan_release(plan);
}

static void check_laws(void) {
  const clred_problem problem = {.custom = weighted()};
  clred_law *laws = guarded(CLRED_LAWS * sizeof *laws);
  DONE(clred_check_laws(runtime, GUARDED_COPY(clred_problem, problem), 1, laws));
  CHECK(strcmp(laws[0].name, "identity") == 0 && strcmp(laws[2].name, "commutativity") == 0);
  CHECK(laws[0].holds && laws[1].holds && laws[2].holds && laws[2].trials && laws[2].claimed);
}

// ---------------------------------------------------------------- Selections, histograms, streams, arrays

static void select_numbers(void) {
  const clred_operand parameters[] = {{"low", "float", sizeof(float)}, {"high", "float", sizeof(float)}};
  const clred_selection selection = {.name = "between",
                                     .keep = "(x > low) & (x < high)",
                                     .parameters = guarded_copy(parameters, sizeof parameters),
                                     .parameter_count = 2};
  const clred_selection above = {.name = "above", .keep = "x > 5"};
  const clred_problem problem = {.type = CLRED_TYPE_FLOAT, .selection = GUARDED_COPY(clred_selection, selection)};
  const float low = 2, high = 4;
  const void *const limits[] = {&low, &high};
  float kept[COUNT];
  cl_ulong count = 0;
  clred_plan *plan;
  DONE(clred_plan_create(runtime, GUARDED_COPY(clred_problem, problem), &plan));
  const clred_host_call call = {.in = numbers, .parameters = limits, .count = COUNT, .out = kept, .kept = &count};
  DONE(clred_plan_run_host(queue, plan, GUARDED_COPY(clred_host_call, call)));
  CHECK(count == 143 && kept[0] == 3 && kept[142] == 3);
  clred_plan_release(plan);
  DONE(
    clred_select_host(runtime, CLRED_TYPE_FLOAT, GUARDED_COPY(clred_selection, above), numbers, COUNT, kept, &count));
  CHECK(count == 142 && kept[0] == 6);
}

static void count_numbers(void) {
  const float low = 0, high = 8;
  const clred_histogram histogram = {.bins = 4, .low_element = &low, .high_element = &high};
  const clred_problem problem = {.type = CLRED_TYPE_FLOAT, .histogram = GUARDED_COPY(clred_histogram, histogram)};
  cl_ulong counts[4], again[4];
  clred_plan *plan;
  DONE(clred_histogram_host(runtime, CLRED_TYPE_FLOAT, problem.histogram, numbers, COUNT, counts));
  DONE(clred_plan_create(runtime, GUARDED_COPY(clred_problem, problem), &plan));
  const clred_call call = {.in = numbers_buffer, .count = COUNT, .result = again, .blocking = CL_TRUE};
  DONE(clred_enqueue(queue, plan, GUARDED_COPY(clred_call, call), 0, NULL, NULL));
  CHECK(counts[0] == 286 && counts[3] == 142 && memcmp(counts, again, sizeof counts) == 0);
  clred_plan_release(plan);
}

static void stream_numbers(void) {
  const clred_problem problem = {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_MAX, .strategy = "chunked"};
  const clred_stream_options options = {.chunk = 1};
  clred_stream_info *info = GUARDED(clred_stream_info);
  clred_plan *plan;
  clred_stream *stream;
  float result;
  DONE(clred_plan_create(runtime, GUARDED_COPY(clred_problem, problem), &plan));
  DONE(clred_stream_create(queue, plan, GUARDED_COPY(clred_stream_options, options), &stream));
  DONE(clred_stream_push(stream, numbers, NULL, COUNT));
  DONE(clred_stream_inspect(stream, info));
  CHECK(info->count == COUNT && info->seconds == 0);
  DONE(clred_stream_finish(stream, &result));
  CHECK(result == 6);
  clred_stream_release(stream);
  clred_plan_release(plan);
}

static void reduce_an_array(void) {
  const cl_ulong shape[] = {2, 3, 4};
  clred_call *call = GUARDED(clred_call);
  clred_layout layout;
  memset(call, 0, sizeof *call);
  call->outcome_offset = 7;
  DONE(clred_call_along_axis(call, &layout, 3, shape, 1));
  CHECK(layout == CLRED_LAYOUT_COLUMNS && call->count == 3 && call->rows == 2 && call->columns == 4);
  CHECK(call->outcome_offset == 7);
}

// ---------------------------------------------------------------- Tuning and selftest

static cl_bool go_on(double done, void *user_data) {
  (void)done;
  ++*(int *)user_data;
  return CL_FALSE;
}

static void tune(void) {
  int calls = 0;
  char reason[256];
  const clred_problem problem = {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_SUM, .strategy = "chunked"};
  const clred_tune_options options = {.seconds = 0.001, .progress = go_on, .user_data = &calls};
  const clred_problem *given = GUARDED_COPY(clred_problem, problem);
  clred_tuned *tuned = guarded(CLRED_TUNED_MAX * sizeof *tuned);
  size_t count = 0;
  DONE(clred_strategy_applies(runtime, "chunked", given, reason, sizeof reason));
  DONE(clred_tune(runtime, given, GUARDED_COPY(clred_tune_options, options), tuned, &count));
  CHECK(calls && count >= 1);
  for (size_t i = 0; i < count; i++)
    CHECK(strcmp(tuned[i].strategy, "chunked") == 0 && memchr(tuned[i].numbers, 0, sizeof tuned[i].numbers));
}

static cl_bool is_second(const char *name, double done, void *user_data) {
  (void)name;
  (void)done;
  return *(int *)user_data > 0;
}

static void note(const clred_finding *finding, void *user_data) {
  CHECK(strcmp(finding->about, "limits") == 0 && memchr(finding->detail, 0, sizeof finding->detail));
  ++*(int *)user_data;
}

static void probe(void) {
  int findings = 0;
  const clred_probe_options options = {.only = "limits", .begins = is_second, .ends = note, .user_data = &findings};
  clred_probe_result *result = GUARDED(clred_probe_result);
  DONE(clred_probe_device(runtime, GUARDED_COPY(clred_probe_options, options), result));
  CHECK(findings == 1 && result->holds + result->avoided + result->wrong + result->lacking == 1);
  CHECK(memchr(result->assume, 0, sizeof result->assume) != NULL);
}

// ---------------------------------------------------------------- Unknown versions

static void refuse_versions(void) {
  const clred_problem problem = {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_SUM};
  const cl_uint unknown[] = {0, 1000};
  clred_plan *plan;
  clred_type_info type = {.size = 5};
  for (size_t i = 0; i < 2; i++) {
    CHECK(clred_plan_create_v(unknown[i], runtime, &problem, &plan) == CLRED_INVALID_ARGUMENT && plan == NULL);
    CHECK(strstr(clred_last_error(runtime), "header") != NULL);
    CHECK(clred_type_inspect_v(unknown[i], CLRED_TYPE_INT, &type) == CLRED_INVALID_ARGUMENT && type.size == 5);
  }
}

int main(void) {
  open_device();
  look_up();
  run_operator();
  check_laws();
  select_numbers();
  count_numbers();
  stream_numbers();
  reduce_an_array();
  tune();
  probe();
  refuse_versions();
  clReleaseMemObject(numbers_buffer);
  clReleaseMemObject(weights_buffer);
  clred_runtime_release(runtime);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
