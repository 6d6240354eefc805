// The operators of the program bits: see bits_kinds.h.

#include "bits_kinds.h"

// The callbacks do in C what the texts say in OpenCL C, rounding by rounding.

// Weighted elements and squares, side by side: order does not matter but for rounding.
#define SQUARES(type, constant, text) \
  struct squares_of_##type { \
    type sum, norm; \
  }; \
  static void squares_identity_##type(void *state, void *user_data) { \
    (void)user_data; \
    *(struct squares_of_##type *)state = (struct squares_of_##type){0, 0}; \
  } \
  static void squares_lift_##type(const void *element, cl_ulong index, const void *const *inputs, \
                                  const void *const *parameters, void *state, void *user_data) { \
    const type x = *(const type *)element; \
    (void)index, (void)inputs, (void)parameters, (void)user_data; \
    *(struct squares_of_##type *)state = (struct squares_of_##type){x * constant, x * x}; \
  } \
  static void squares_combine_##type(void *a, const void *b, void *user_data) { \
    struct squares_of_##type *p = a; \
    const struct squares_of_##type *q = b; \
    (void)user_data; \
    *p = (struct squares_of_##type){p->sum + q->sum, p->norm + q->norm}; \
  } \
  static void squares_lower_##type(const void *state, void *result, void *user_data) { \
    (void)user_data; \
    *(struct squares_of_##type *)result = *(const struct squares_of_##type *)state; \
  } \
  static const clred_host_operator squares_host_##type = {squares_identity_##type, squares_lift_##type, \
                                                          squares_combine_##type, squares_lower_##type, NULL}; \
  static const clred_operator squares_##type = {.name = "squares", \
                                                .element = #type, \
                                                .state = "{ " #type " sum; " #type " norm; }", \
                                                .identity = "{ 0, 0 }", \
                                                .lift = "MAKE(x * " text ", x * x)", \
                                                .combine = "MAKE(a.sum + b.sum, a.norm + b.norm)", \
                                                .commutative = CL_TRUE, \
                                                .elementwise = CL_TRUE, \
                                                .host = &squares_host_##type};

// Maps x -> scale x + shift one after another, which do not commute.
#define MAPS(type, constant, text) \
  struct maps_of_##type { \
    type scale, shift; \
  }; \
  static void maps_identity_##type(void *state, void *user_data) { \
    (void)user_data; \
    *(struct maps_of_##type *)state = (struct maps_of_##type){1, 0}; \
  } \
  static void maps_lift_##type(const void *element, cl_ulong index, const void *const *inputs, \
                               const void *const *parameters, void *state, void *user_data) { \
    (void)index, (void)inputs, (void)parameters, (void)user_data; \
    *(struct maps_of_##type *)state = (struct maps_of_##type){constant, *(const type *)element}; \
  } \
  static void maps_combine_##type(void *a, const void *b, void *user_data) { \
    struct maps_of_##type *p = a; \
    const struct maps_of_##type *q = b; \
    const type shifted = p->shift * q->scale; \
    (void)user_data; \
    *p = (struct maps_of_##type){p->scale * q->scale, shifted + q->shift}; \
  } \
  static void maps_lower_##type(const void *state, void *result, void *user_data) { \
    (void)user_data; \
    *(struct maps_of_##type *)result = *(const struct maps_of_##type *)state; \
  } \
  static const clred_host_operator maps_host_##type = {maps_identity_##type, maps_lift_##type, maps_combine_##type, \
                                                       maps_lower_##type, NULL}; \
  static const clred_operator maps_##type = {.name = "maps", \
                                             .element = #type, \
                                             .state = "{ " #type " scale; " #type " shift; }", \
                                             .identity = "{ 1, 0 }", \
                                             .lift = "MAKE(" text ", x)", \
                                             .combine = "MAKE(a.scale * b.scale, a.shift * b.scale + b.shift)", \
                                             .host = &maps_host_##type};

SQUARES(float, 0.1f, "0.1f")
SQUARES(double, 0.1, "0.1")
MAPS(float, 0.999f, "0.999f")
MAPS(double, 0.999, "0.999")

#define KIND(number, op_name, is_wide, results, ...) \
  { #number "_" #op_name, {__VA_ARGS__ }, is_wide, (results) * sizeof(number) }
#define KINDS_OF(number, upper, is_wide) \
  KIND(number, add, is_wide, 1, .type = CLRED_TYPE_##upper, .op = CLRED_OP_ADD), \
    KIND(number, mean, is_wide, 1, .type = CLRED_TYPE_##upper, .op = CLRED_OP_MEAN), \
    KIND(number, var, is_wide, 1, .type = CLRED_TYPE_##upper, .op = CLRED_OP_VAR), \
    KIND(number, norm2, is_wide, 1, .type = CLRED_TYPE_##upper, .op = CLRED_OP_NORM2), \
    KIND(number, dot, is_wide, 1, .type = CLRED_TYPE_##upper, .op = CLRED_OP_DOT), \
    KIND(number, squares, is_wide, 2, .custom = &squares_##number), \
    KIND(number, maps, is_wide, 2, .custom = &maps_##number)

const struct bits_kind bits_kinds[] = {KINDS_OF(float, FLOAT, false), KINDS_OF(double, DOUBLE, true)};
const size_t bits_kind_count = sizeof bits_kinds / sizeof *bits_kinds;
const size_t bits_single_count = sizeof bits_kinds / sizeof *bits_kinds / 2;
