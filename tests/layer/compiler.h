// What build_layer.c sends to compiler.c: this head, and then the texts, each with its final zero.
#pragma once

#include <stddef.h>
#include <sys/un.h>

enum { SOURCE, OPTIONS, EXTRA_OPTIONS, TEXTS };  // the last are POCL_EXTRA_BUILD_FLAGS

struct order {
  size_t sizes[TEXTS];
};

#define COMPILER_SOCKET "CLREDUCE_TEST_COMPILER"  // the variable that holds the path of the socket
#define COMPILER_TEXT_MAX (1u << 24)
