// The scalars of a value, with their offsets and types. A struct of a caller's preamble is included if declared.c can
// parse it; otherwise it is an array of bytes.
#pragma once

#include "model/custom.h"
#include "model/operator.h"

#define CLR_RUNS_MAX 64

// Neighbouring scalars of one type: a member, a vector's components, an array.
struct clr_run {
  clred_type type;
  size_t offset;  // bytes
  unsigned count;
  char name[24];  // "" if there is none
};

struct clr_layout {
  struct clr_run runs[CLR_RUNS_MAX];
  size_t run_count;
  size_t size, align;  // bytes
  bool is_opaque;      // not parsed: one run of bytes
};

// The layout of an operation's values; its sizes must be known.
void clr_layout_element(const struct clr_operation *operation, struct clr_layout *layout);
void clr_layout_input(const struct clr_operation *operation, size_t index, struct clr_layout *layout);
void clr_layout_parameter(const struct clr_operation *operation, size_t index, struct clr_layout *layout);
void clr_layout_state(const struct clr_operation *operation, struct clr_layout *layout);
void clr_layout_result(const struct clr_operation *operation, struct clr_layout *layout);

// Sets the sizes of a built-in operation's state and result and the parts of the result, and calls clr_layout_pad.
void clr_layout_results(struct clr_operation *operation);

// Marks the bytes of the operation's results that belong to no member.
void clr_layout_pad(struct clr_operation *operation);

unsigned clr_layout_scalars(const struct clr_layout *layout);

// Treats a type as an array of bytes if it could not be parsed, or if the device reports another size.
void clr_layout_resolve(struct clr_layout *layout, bool is_understood, size_t size);

// --- declared.c ---
// Adds a member of `components` scalars at the offset that C gives it. Three components take the space of four. False
// if there are too many members.
bool clr_layout_add(struct clr_layout *layout, const struct clr_type *type, unsigned components, const char *name);
// Does the same for an array of scalars, which is aligned like one scalar.
bool clr_layout_add_array(struct clr_layout *layout, const struct clr_type *type, unsigned count, const char *name);

// The size that C gives a struct with these members.
size_t clr_layout_end(const struct clr_layout *layout);

// Finds the layout of a built-in type, or of a typedef or struct that this text declares. The members of a struct have
// such types themselves, or are arrays of them. Returns false for any other type.
bool clr_layout_declared(const char *type, const char *text, struct clr_layout *layout);

// --- Lists of a caller: "{ float value; ulong index; }" ---

// Parses type->type and replaces it by fields, members and the size of the struct. Messages use `name` and `what`.
cl_int clr_members_parse(const char *name, const char *what, struct clr_shape_of_type *type, struct clr_status *status);
void clr_members_release(struct clr_shape_of_type *type);
