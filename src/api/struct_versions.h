// Structs of programs that were compiled with another version of the public header. The functions of this directory
// copy them into full structs and back; the rest of the library uses full structs only. `header` is the program's
// version.
#pragma once

#include "base/status.h"
#include "clreduce_device.h"
#include "clreduce_partial.h"
#include "clreduce_quantile.h"
#include "clreduce_sort.h"
#include "model/custom.h"
#include "model/histogram.h"

enum clr_struct {
#define CLR_STRUCT(name, type, last) CLR_STRUCT_##name,
#define CLR_UNTIL(name, type, header, last)
#include "api/struct_versions.def"
};

bool clr_knows_header(cl_uint header);

// Copies a struct of the program into a full struct. Fields that the program's version lacks become 0. `theirs` may be
// NULL; then all fields become 0. Fails if the version is unknown.
cl_int clr_struct_import(enum clr_struct what, cl_uint header, const void *theirs, void *full,
                         struct clr_status *status);

// As clr_struct_import, but fails if `theirs` is NULL. `name` is the argument's name in messages.
cl_int clr_take_given(enum clr_struct what, cl_uint header, const char *name, const void *theirs, void *full,
                      struct clr_status *status);

// As clr_struct_import, for element `index` of an array of the program. The version must be known.
void clr_take_one(enum clr_struct what, cl_uint header, const void *theirs, size_t index, void *full);

// Copies the fields that the program knows from `count` full structs into an array of the program. Fails if the version
// is unknown or `theirs` is NULL.
cl_int clr_struct_export(enum clr_struct what, cl_uint header, const void *full, size_t count, void *theirs);

// Full copies of a problem and of everything that it points to.
struct clr_operands_taken {
  clred_operand inputs[CLR_INPUTS_MAX], parameters[CLR_OPERANDS_MAX];
};
struct clr_problem_taken {
  clred_problem problem;
  clred_operator custom;
  clred_host_operator host;
  clred_selection selection;
  clred_histogram histogram[CLR_AXES_MAX + 1];  // one more shows that there are too many
  struct clr_operands_taken custom_operands, selection_operands;
};

// Fails if `theirs` is NULL or the version is unknown.
cl_int clr_take_problem(cl_uint header, const clred_problem *theirs, struct clr_problem_taken *taken,
                        struct clr_status *status);

// As clr_take_problem, if `taken` already has the problem's own struct: copies only the structs that the problem points
// to.
cl_int clr_take_parts(cl_uint header, struct clr_problem_taken *taken, struct clr_status *status);
