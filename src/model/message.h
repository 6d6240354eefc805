// Problems and options as bytes, for another process that runs the same build of the library.
#pragma once

#include <stdint.h>

#include "base/text.h"
#include "clreduce.h"
#include "clreduce_quantile.h"

// Append a struct and everything that it points to. Functions are left out, and so are the caller's log and error.
void clr_pack_problem(const clred_problem *problem, struct clr_text *bytes);
void clr_pack_quantile(const clred_quantile_problem *problem, struct clr_text *bytes);
void clr_pack_options(const clred_options *options, struct clr_text *bytes);

// The blocks of memory of unpacked structs.
#define CLR_MESSAGE_BLOCKS 512
struct clr_unpacked {
  void *blocks[CLR_MESSAGE_BLOCKS];
  size_t count;
};

// Unpack a struct from the bytes [*from, behind) and move `from` behind it. False if the bytes are damaged or memory is
// out. Release the blocks also after a failure.
bool clr_unpack_problem(const char **from, const char *behind, clred_problem *problem, struct clr_unpacked *blocks);
bool clr_unpack_quantile(const char **from, const char *behind, clred_quantile_problem *problem,
                         struct clr_unpacked *blocks);
bool clr_unpack_options(const char **from, const char *behind, clred_options *options, struct clr_unpacked *blocks);
void clr_unpacked_release(struct clr_unpacked *blocks);
