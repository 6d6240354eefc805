// Shared by the device suites: the device under test as a checked fixture, and helpers for plans, calls, buffers and
// results. The fixture opens the device in the process of the test, because drivers do not survive a fork. If a helper
// fails, the running test fails.
#pragma once

#include "support/device.h"
#include "support/suite.h"

extern struct device under_test;

void fixture_open(void);

// Also releases all objects that the helpers below made, the latest first, so tests need not release them. RELEASE does
// that earlier, for loops that make many. Do not release these objects by other functions.
void fixture_close(void);

#undef RELEASED
#define RELEASED(object) fixture_disown(object)
void *fixture_disown(void *object);  // returns the object

// Has fixture_close release an object that the test made. Returns the object.
#define OWN(object) fixture_own((object), _Generic((object)RELEASE_MAP(OWN_CASE), default : free))
#define OWN_CASE(type, function) , type : own_##function
#define OWN_FUNCTION(type, function) void own_##function(void *object);
RELEASE_MAP(OWN_FUNCTION)
void *fixture_own(void *object, void (*release)(void *object));

// Plans and calls from named fields, as in PLAN(OP(SUM, FLOAT), .strategy = "wide"). Each must succeed. Calls go to the
// fixture's queue if no queue is given. ENQUEUE does not wait, and RUN waits until the result or outcome in host memory
// is written. ENQUEUE_EVENT returns the event of the call; the call waits for the event `wait`, or for none if it is
// NULL.
#define PLAN(...) fixture_plan(&(clred_problem){__VA_ARGS__})
#define ENQUEUE(plan, ...) ENQUEUE_ON(under_test.queue, plan, __VA_ARGS__)
#define ENQUEUE_ON(queue, plan, ...) \
  fixture_call_at(__FILE__, __LINE__, queue, plan, &(clred_call){__VA_ARGS__}, CL_SUCCESS, "")
#define RUN(plan, ...) ENQUEUE(plan, .blocking = CL_TRUE, __VA_ARGS__)
#define RUN_ON(queue, plan, ...) ENQUEUE_ON(queue, plan, .blocking = CL_TRUE, __VA_ARGS__)
#define ENQUEUE_EVENT(queue, plan, wait, ...) fixture_enqueue_event(queue, plan, wait, &(clred_call){__VA_ARGS__})
#define RUN_HOST(plan, ...) \
  assert_status(clred_plan_run_host(under_test.queue, plan, &(clred_host_call){__VA_ARGS__}), CL_SUCCESS)
#define REFERENCE(plan, ...) assert_status(clred_plan_reference(plan, &(clred_host_call){__VA_ARGS__}), CL_SUCCESS)

// A call that must give this status, with a message that contains the words. "a|b" means that the message must contain
// both a and b.
#define REFUSED_CALL(plan, status, words, ...) \
  fixture_call_at(__FILE__, __LINE__, under_test.queue, plan, &(clred_call){__VA_ARGS__}, status, words)

#define STREAM(plan, ...) fixture_stream(plan, &(clred_stream_options){__VA_ARGS__})
#define QUANTILE(...) fixture_quantile(&(clred_quantile_problem){__VA_ARGS__})
#define SORTER(...) fixture_sorter(&(clred_sort_problem){__VA_ARGS__})

clred_plan *fixture_plan(const clred_problem *problem);
clred_stream *fixture_stream(clred_plan *plan, const clred_stream_options *options);
clred_quantile *fixture_quantile(const clred_quantile_problem *problem);
clred_sorter *fixture_sorter(const clred_sort_problem *problem);
clred_partial *fixture_partial(clred_plan *plan, cl_ulong first);

// Packs a partial into `room` bytes, and returns how many it took.
size_t partial_pack(clred_partial *partial, unsigned char *bytes, size_t room);

// Also checks that the plan is NULL.
#define fixture_refused_plan(problem, status, words) fixture_refused_plan_at(__FILE__, __LINE__, problem, status, words)
void fixture_refused_plan_at(const char *file, int line, const clred_problem *problem, cl_int status,
                             const char *words);

// Calls clred_strategy_applies, which must return this status, with a reason that contains the words.
#define check_applies(strategy, problem, status, words) \
  check_applies_at(__FILE__, __LINE__, strategy, problem, status, words)
void check_applies_at(const char *file, int line, const char *strategy, const clred_problem *problem, cl_int status,
                      const char *words);

// Enqueues a call that must give this status, with a message that contains the words.
#define fixture_call(plan, call, status, words) \
  fixture_call_at(__FILE__, __LINE__, under_test.queue, plan, call, status, words)
void fixture_call_at(const char *file, int line, cl_command_queue queue, clred_plan *plan, const clred_call *call,
                     cl_int status, const char *words);

cl_event fixture_enqueue_event(cl_command_queue queue, clred_plan *plan, cl_event wait, const clred_call *call);

// What the plan reports about calls over `count` elements.
clred_plan_info fixture_inspect(const clred_plan *plan, cl_ulong count);

// Memory that holds zeros.
void *claim(size_t size);

// A new directory, which fixture_close removes with all files in it.
char *fixture_directory(void);

// A buffer with these bytes, written on another queue; and a sub-buffer of `count` floats of a buffer.
cl_mem fixture_buffer(const void *bytes, size_t size);
cl_mem fixture_sub_buffer(cl_mem whole, size_t first, size_t count);

// Read or write a buffer from its beginning on the fixture's queue, and wait.
void read_buffer(cl_mem buffer, void *bytes, size_t size);
void write_buffer(cl_mem buffer, const void *bytes, size_t size);

// Images (support/device.h) on the device under test. take_image copies the bytes that may have changed, checks the
// others and releases the image; `what` begins the message.
struct image fixture_image(size_t size);
void take_image(struct image *image, size_t at, size_t size, void *result, const char *what);

// A buffer of the floats 1, 2, 3, ..., 97, 1, 2, ..., and the sum of a range of them, exact in any order.
cl_mem fixture_numbers(size_t count);
float fixture_sum(size_t offset, size_t count);

// Reads element `index` of a buffer of floats on another queue.
float fixture_read(cl_mem buffer, size_t index);

// Returns the reference counts of the context and the queue under test, as one number. Programs, kernels, buffers and
// commands hold references. Drivers release completed commands a moment later, so check_references waits for that.
cl_uint fixture_references(void);
void check_references(cl_uint expected);

// Prints that something was not tested, and why.
void fixture_skip(const char *what, const char *why);

// True if the device has no double; prints that `what` was not tested.
bool fixture_lacks_double(const char *what);

// Adds options for the compiler to those of the suite, until the test ends. Called before the device is opened.
void fixture_add_build_options(const char *further);

// Opens the device with assumed facts. If the facts say that it shares memory with the host, but it does not, opens it
// without sharing.
void fixture_open_assuming(const char *facts);

// Closes the device and opens it again with these facts assumed.
void fixture_reopen(const char *facts);

// fixture_has_...: true if the device has out-of-order queues, or user events, that work. The other two create a user
// event or a queue.
bool fixture_has_out_of_order(void);
bool fixture_has_user_events(void);
cl_event fixture_user_event(void);
cl_command_queue fixture_queue(cl_command_queue_properties properties);

#define assert_ok(call) assert_status(call, CL_SUCCESS)
#define assert_invalid(call) assert_status(call, CLRED_INVALID_ARGUMENT)
#define assert_status(call, status) assert_status_at(__FILE__, __LINE__, #call, (call), (status))

// Fails with the names of both statuses and the library's message.
void assert_status_at(const char *file, int line, const char *call, cl_int got, cl_int expected);

// The same, with a message that contains the words.
#define assert_refused(call, status, words) (assert_status(call, status), check_said(words))
#define refused_naming(call, words) assert_refused(call, CLRED_INVALID_ARGUMENT, words)

// Fail if the message, or the runtime's last error, does not contain the words.
#define check_message(message, words) check_message_at(__FILE__, __LINE__, message, words)
#define check_said(words) check_said_at(__FILE__, __LINE__, words)
void check_message_at(const char *file, int line, const char *message, const char *words);
void check_said_at(const char *file, int line, const char *words);
