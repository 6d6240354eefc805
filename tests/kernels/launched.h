// Which kernels were launched: the linker puts this between the library and OpenCL.

#ifndef CLREDUCE_TESTS_KERNELS_LAUNCHED_H
#define CLREDUCE_TESTS_KERNELS_LAUNCHED_H

#include <stddef.h>

// What is launched from now on belongs to this strategy.
void launched_for(const char *strategy);

// A line "kernel STRATEGY NAME TIMES" for every kernel of every strategy's programs. Returns how many were never
// launched that some plan would launch.
size_t launched_show(void);

#endif
