// The tables behind clreduce.h: one row a status, an element type, an operator. The library, the tool and the tests are
// all made from these rows, so a new row is all that a new status, type or operator takes (docs/design.md says how).
// Programs may use them too, to make a switch-free binding of their own.

#ifndef CLREDUCE_ROWS_H
#define CLREDUCE_ROWS_H

// Statuses of this library; they lie outside the ranges of OpenCL and of the known libraries over it.
//  name                  value   sentence
#define CLRED_STATUS_MAP(X) \
  X(INVALID_ARGUMENT,     -4001, "an argument is missing or contradicts another") \
  X(INVALID_PROBLEM,      -4002, "the problem is incomplete or contradicts itself") \
  X(UNKNOWN_NAME,         -4003, "no operator, type, strategy, finish or fact has this name") \
  X(TYPE_NOT_SUPPORTED,   -4004, "the device cannot compute with this element type") \
  X(OPERATOR_TYPE,        -4005, "the operator is not defined for this element type") \
  X(STRATEGY_REFUSED,     -4006, "the strategy cannot solve this problem on this device") \
  X(OUT_OF_RANGE,         -4007, "offset and count reach past the end of a buffer") \
  X(COUNT_ABOVE_MAXIMUM,  -4008, "the count is above the plan's count_max") \
  X(CONTEXT_MISMATCH,     -4009, "a queue, buffer or event belongs to another context or device") \
  X(KERNEL_SOURCE,        -4010, "a kernel source could not be read") \
  X(WRONG_RESULT,         -4011, "the device gave a wrong result in a trial")

// Element types. `name` is OpenCL C's, cl_<name> the host's; `wide` names the row whose type carries sums of this one.
//  enum    value name  NumPy      class     wide    lowest     highest    needs
#define CLRED_TYPE_MAP(X) \
  X(CHAR,   1,  char,   "int8",    SIGNED,   LONG,   CHAR_MIN,  CHAR_MAX,  NOTHING) \
  X(UCHAR,  2,  uchar,  "uint8",   UNSIGNED, ULONG,  0,         UCHAR_MAX, NOTHING) \
  X(SHORT,  3,  short,  "int16",   SIGNED,   LONG,   SHRT_MIN,  SHRT_MAX,  NOTHING) \
  X(USHORT, 4,  ushort, "uint16",  UNSIGNED, ULONG,  0,         USHRT_MAX, NOTHING) \
  X(INT,    5,  int,    "int32",   SIGNED,   LONG,   INT_MIN,   INT_MAX,   NOTHING) \
  X(UINT,   6,  uint,   "uint32",  UNSIGNED, ULONG,  0,         UINT_MAX,  NOTHING) \
  X(LONG,   7,  long,   "int64",   SIGNED,   LONG,   LONG_MIN,  LONG_MAX,  NOTHING) \
  X(ULONG,  8,  ulong,  "uint64",  UNSIGNED, ULONG,  0,         ULONG_MAX, NOTHING) \
  X(FLOAT,  9,  float,  "float32", FLOATING, FLOAT,  -INFINITY, INFINITY,  NOTHING) \
  X(DOUBLE, 10, double, "float64", FLOATING, DOUBLE, -INFINITY, INFINITY,  FP64)

// Operators, as monoids with a way in: lift takes an element x to a state, combine joins states a and b (a stands before b).
// The text of lift and combine is kernel code and, in the same words, the host's reference; src/README.md lists the words.
//  domain: the classes of element it is defined for. state: WIDE = the element's wide type, FLAG = a uint of 0 or 1.
//  exact: the states for which any order of combination gives the same bits. commutes: elements may be permuted.
//  elementwise: the texts stay valid when every scalar is an OpenCL vector. atomic: the direct atomic, "" if there is none.
//  enum value name    synonym domain    state  exact     identity  lift      combine                  lower commutes elementwise atomic  sentence
#define CLRED_OP_MAP(X) \
  X(ADD, 1,  "add",  "sum",  ANY,      WIDE,  INTEGERS, ZERO,     x,        WRAP(a) + WRAP(b),       s,    YES,     YES,        "add",  "the sum") \
  X(MUL, 2,  "mul",  "prod", ANY,      WIDE,  INTEGERS, ONE,      x,        WRAP(a) * WRAP(b),       s,    YES,     YES,        "",     "the product") \
  X(MIN, 3,  "min",  "min",  ANY,      WIDE,  ALL,      HIGHEST,  x,        LESSER(a, b),            s,    YES,     YES,        "min",  "the least element; NaN if any is") \
  X(MAX, 4,  "max",  "max",  ANY,      WIDE,  ALL,      LOWEST,   x,        GREATER(a, b),           s,    YES,     YES,        "max",  "the greatest element; NaN if any is") \
  X(AND, 5,  "and",  "and",  INTEGERS, WIDE,  ALL,      ALL_ONES, x,        a & b,                   s,    YES,     YES,        "and",  "bitwise and") \
  X(OR,  6,  "or",   "or",   INTEGERS, WIDE,  ALL,      ZERO,     x,        a | b,                   s,    YES,     YES,        "or",   "bitwise or") \
  X(XOR, 7,  "xor",  "xor",  INTEGERS, WIDE,  ALL,      ZERO,     x,        a ^ b,                   s,    YES,     YES,        "xor",  "bitwise exclusive or") \
  X(ALL, 8,  "all",  "all",  ANY,      FLAG,  ALL,      ONE,      TRUTH(x), a & b,                   s,    YES,     YES,        "and",  "1 if no element is zero, else 0") \
  X(ANY, 9,  "any",  "any",  ANY,      FLAG,  ALL,      ZERO,     TRUTH(x), a | b,                   s,    YES,     YES,        "or",   "1 if some element is not zero, else 0")

#endif
