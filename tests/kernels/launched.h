// Counts launches of kernels. The linker puts it between the library and OpenCL.
#pragma once

#include <stddef.h>

// The launches from now on belong to this strategy.
void launched_for(const char *strategy);

// Prints a line "kernel STRATEGY NAME TIMES" for each kernel of each strategy. Returns the number of kernels that were
// never launched but that some plan launches.
size_t launched_show(void);
