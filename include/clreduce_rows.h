// The tables behind clreduce.h: one table row for each status, element type and operator. The library, the tool and the
// tests include these tables. To add a status, type or operator, add a row here; src/design.md lists the other steps.
// Programs may include the tables, too, for example for a binding without a switch over types.

#ifndef CLREDUCE_ROWS_H
#define CLREDUCE_ROWS_H

// Statuses of this library. No code of OpenCL, or of another known library over OpenCL, has these values.
//  name                  value   message
#define CLRED_STATUS_MAP(X) \
  X(INVALID_ARGUMENT, -4001, "an argument is missing or contradicts another") \
  X(INVALID_PROBLEM, -4002, "the problem is incomplete or contradicts itself") \
  X(UNKNOWN_NAME, -4003, "no operator, type, strategy, finish or fact has this name") \
  X(TYPE_NOT_SUPPORTED, -4004, "the device cannot compute with this element type") \
  X(OPERATOR_TYPE, -4005, "the operator is not defined for this element type") \
  X(STRATEGY_REFUSED, -4006, "the strategy cannot solve this problem on this device") \
  X(OUT_OF_RANGE, -4007, "offset and count reach past the end of a buffer") \
  X(COUNT_ABOVE_MAXIMUM, -4008, "the count is above the plan's count_max") \
  X(CONTEXT_MISMATCH, -4009, "a queue, buffer or event belongs to another context or device") \
  X(KERNEL_SOURCE, -4010, "a kernel source could not be read") \
  X(WRONG_RESULT, -4011, "the device gave a wrong result in a trial") \
  X(OVERFLOW, -4012, "a sum of integers left its range (overflow = detect)") \
  X(OPERATOR_TEXT, -4013, "the text of an operator is incomplete or wrong") \
  X(NO_HOST_OPERATOR, -4014, "the plan computes on the host, and the operator has no host callbacks") \
  X(INVALID_SEGMENTS, -4015, "the device found wrong offsets, heads or keys") \
  X(TUNING_FILE, -4016, "a tuning file could not be written") \
  X(PARTIAL_MISMATCH, -4017, "partials of different problems cannot be joined") \
  X(PARTIAL_GAP, -4018, "partials are not neighbours, or elements before them are missing") \
  X(PARTIAL_DAMAGED, -4019, "the bytes are not a packed partial that this library can read") \
  X(MPI_FAILED, -4020, "a function of MPI failed")

// Element types. `name` is the name in OpenCL C if the type exists there. `wide` is the type of sums over this type.
// `stored`: elements are cl_<stored> in memory, two for each complex number. `reading`: how a kernel reads an element.
// half and bfloat16 exist only in memory; arithmetic on them is done in float.
//  enum        value name      NumPy         class     wide    stored  reading   needs
#define CLRED_TYPE_MAP(X) \
  X(CHAR, 1, char, "int8", SIGNED, LONG, char, PLAIN, NOTHING) \
  X(UCHAR, 2, uchar, "uint8", UNSIGNED, ULONG, uchar, PLAIN, NOTHING) \
  X(SHORT, 3, short, "int16", SIGNED, LONG, short, PLAIN, NOTHING) \
  X(USHORT, 4, ushort, "uint16", UNSIGNED, ULONG, ushort, PLAIN, NOTHING) \
  X(INT, 5, int, "int32", SIGNED, LONG, int, PLAIN, NOTHING) \
  X(UINT, 6, uint, "uint32", UNSIGNED, ULONG, uint, PLAIN, NOTHING) \
  X(LONG, 7, long, "int64", SIGNED, LONG, long, PLAIN, NOTHING) \
  X(ULONG, 8, ulong, "uint64", UNSIGNED, ULONG, ulong, PLAIN, NOTHING) \
  X(FLOAT, 9, float, "float32", FLOATING, FLOAT, float, PLAIN, NOTHING) \
  X(DOUBLE, 10, double, "float64", FLOATING, DOUBLE, double, PLAIN, FP64) \
  X(HALF, 11, half, "float16", FLOATING, FLOAT, half, HALF, NOTHING) \
  X(BFLOAT16, 12, bfloat16, "bfloat16", FLOATING, FLOAT, ushort, BFLOAT16, NOTHING) \
  X(CFLOAT, 13, cfloat, "complex64", COMPLEX, FLOAT, float, COMPLEX, NOTHING) \
  X(CDOUBLE, 14, cdouble, "complex128", COMPLEX, DOUBLE, double, COMPLEX, FP64)

// Operators by name. docs/numerics.md has a table of what each operator computes, over which elements and with which
// state. src/model/operators.def has the definitions.
//  enum              value name             summary
#define CLRED_OP_MAP(X) \
  X(SUM, 1, "sum", "the sum") \
  X(PROD, 2, "prod", "the product") \
  X(MIN, 3, "min", "the smallest element") \
  X(MAX, 4, "max", "the largest element") \
  X(AND, 5, "and", "bitwise and") \
  X(OR, 6, "or", "bitwise or") \
  X(XOR, 7, "xor", "bitwise exclusive or") \
  X(ALL, 8, "all", "1 if no element is zero, else 0") \
  X(ANY, 9, "any", "1 if some element is not zero, else 0") \
  X(COUNT_NONZERO, 10, "count_nonzero", "how many elements are not zero") \
  X(ARGMIN, 11, "argmin", "the index of the first smallest element, and its value") \
  X(ARGMAX, 12, "argmax", "the index of the first largest element, and its value") \
  X(MINMAX, 13, "minmax", "the smallest and the largest element") \
  X(ARGMINMAX, 14, "argminmax", "the smallest and the largest element, and the first index of each") \
  X(MEAN, 15, "mean", "the arithmetic mean; of integers exact, rounded once") \
  X(VAR, 16, "var", "the variance of the population") \
  X(VAR_SAMPLE, 17, "var_sample", "the variance estimated from a sample: divided by n - 1") \
  X(STD, 18, "std", "the standard deviation of the population") \
  X(NORM1, 19, "norm1", "the sum of magnitudes") \
  X(NORM2, 20, "norm2", "the Euclidean norm, without overflow of the squares") \
  X(SUMSQ, 21, "sumsq", "the sum of squares") \
  X(DOT, 22, "dot", "the sum of products with a second input") \
  X(LOGSUMEXP, 23, "logsumexp", "the logarithm of the sum of exponentials") \
  X(STATS, 24, "stats", "count, NaNs, extremes and where they are, mean, variance, sum") \
  X(COUNT, 25, "count", "how many elements there are, without ignored NaNs") \
  X(STD_SAMPLE, 26, "std_sample", "the root of var_sample: the deviation estimated from a sample") \
  X(VDOT, 27, "vdot", "the sum of products of complex conjugates with a second input")

#endif
