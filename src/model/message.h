// Problems and options as bytes, for another process that runs the same build of the library.
#pragma once

#include <stdint.h>

#include "base/text.h"
#include "clreduce.h"
#include "clreduce_quantile.h"
#include "clreduce_sort.h"

enum clr_packed { CLR_PACKED_OPTIONS, CLR_PACKED_PROBLEM, CLR_PACKED_QUANTILE, CLR_PACKED_SORT };

// Appends a struct (clred_options, clred_problem, clred_quantile_problem, clred_sort_problem) and everything that it
// points to. Functions are left out, and so are the caller's log and error.
void clr_pack(enum clr_packed what, const void *whole, struct clr_text *bytes);

// The blocks of memory of unpacked structs.
#define CLR_MESSAGE_BLOCKS 512
struct clr_unpacked {
  void *blocks[CLR_MESSAGE_BLOCKS];
  size_t count;
};

// Unpacks a struct from the bytes [*from, behind) and moves `from` behind it. False if the bytes are damaged or memory
// is out. Release the blocks also after a failure.
bool clr_unpack(enum clr_packed what, const char **from, const char *behind, void *whole, struct clr_unpacked *blocks);
void clr_unpacked_release(struct clr_unpacked *blocks);
