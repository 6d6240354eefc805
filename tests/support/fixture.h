// What the suites share: the device under test as a checked fixture, and short ways to plans, buffers and results.
// The fixture opens the device in the process that runs the test and never in its parent, for drivers do not survive a
// fork. Helpers fail the running test when something they need goes wrong.

#ifndef CLREDUCE_TESTS_DEVICE_FIXTURE_H
#define CLREDUCE_TESTS_DEVICE_FIXTURE_H

#include "support/device.h"
#include "support/suite.h"

extern struct device under_test;

void fixture_open(void);
void fixture_close(void);

// The plan for a problem that must be solvable.
clred_plan *fixture_plan(const clred_problem *problem);

// A buffer of the context with these bytes, written on a queue of its own.
cl_mem fixture_buffer(const void *bytes, size_t size);

// `count` floats 1, 2, 3, ..., 97, 1, 2, ... whose sums are exact in any order, and the sum of a range of them.
cl_mem fixture_numbers(size_t count);
float fixture_sum(size_t offset, size_t count);

// Element `index` of a buffer of floats, read on a queue of its own.
float fixture_read(cl_mem buffer, size_t index);

// Says aloud that something was not tested, and why.
void fixture_skip(const char *what, const char *why);

// Opens the device as if it had other facts; where it shares no memory with the host, as these say, without sharing.
void fixture_open_assuming(const char *facts);

// Closes the device and opens it again with these facts assumed.
void fixture_reopen(const char *facts);

// Whether queues of the device can run out of order; such a queue; another in-order queue.
bool fixture_has_out_of_order(void);
bool fixture_has_user_events(void);
cl_command_queue fixture_queue(cl_command_queue_properties properties);

#define assert_status(call, status) assert_status_at(__FILE__, __LINE__, #call, (call), (status))

// Fails with the names of both statuses and the library's sentence.
void assert_status_at(const char *file, int line, const char *call, cl_int got, cl_int expected);

// Fail where the sentence, or the runtime's last error, lacks the word.
void check_sentence(const char *sentence, const char *word);
void check_said(const char *word);

#endif
