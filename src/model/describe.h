// Copies rows of the tables of types and operators into the caller's structs. src/api calls this.
#pragma once

#include "clreduce_device.h"
#include "model/operator.h"

// Describes a type of the table, or a vector of one; CLRED_INVALID_ARGUMENT for any other value.
cl_int clr_type_describe(clred_type type, clred_type_info *info);

void clr_op_describe(const struct clr_op *row, clred_op_info *info);

// The operator with this name; CLRED_OP_NONE if there is none.
clred_op clr_op_named(const char *name);

// Implements clred_result_type.
cl_int clr_result_type(clred_op op, clred_type type, clred_type *result);
