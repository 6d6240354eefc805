// The host's operators over one kind, as macros, and their use: functions over states, loops over elements, and the
// rows of tables. host_integers.h and host_floating.h include this file after they have defined the macros that texts
// use.
#pragma once
#include "../../cl/common/formulas.clh"

// IF: the other arguments if the condition is 1, nothing if it is 0. OR_NULL: NULL if it is 0.
#define IF(condition, ...) IF_NOW(condition, __VA_ARGS__)
#define IF_NOW(condition, ...) IF_##condition(__VA_ARGS__)
#define IF_0(...)
#define IF_1(...) __VA_ARGS__
#define OR_NULL(condition, row) OR_NULL_NOW(condition, row)
#define OR_NULL_NOW(condition, row) OR_NULL_##condition(row)
#define OR_NULL_0(row) NULL
#define OR_NULL_1(row) row
#define NOT(condition) NOT_NOW(condition)
#define NOT_NOW(condition) NOT_##condition
#define NOT_0 1
#define NOT_1 0

// 1 if the kind has the forms of this domain.
#define HAS_ANY 1
#define HAS_INTEGERS IS_INTEGER
#define HAS_FLOATING NOT(IS_INTEGER)
#define HAS_COMPLEX NOT(IS_INTEGER)

// 1 if a condition is 1. A kind has a form if it has every form, or if the form's result may be narrow.
#define EITHER(a, b) EITHER_NOW(a, b)
#define EITHER_NOW(a, b) EITHER_##a##b
#define EITHER_00 0
#define EITHER_01 1
#define EITHER_10 1
#define EITHER_11 1

// VALUES_: the values of an element, as parameters. READ_: these values, read from memory, as arguments.
#define VALUES_ANY WIDE x, WIDE y
#define VALUES_INTEGERS VALUES_ANY
#define VALUES_FLOATING VALUES_ANY
#define VALUES_COMPLEX WIDE x_re, WIDE x_im, WIDE y_re, WIDE y_im
#define READ_ANY(x, y, stored) READ(x, stored), READ(y, stored)
#define READ_INTEGERS(x, y, stored) READ_ANY(x, y, stored)
#define READ_FLOATING(x, y, stored) READ_ANY(x, y, stored)
#define READ_BOTH(x, stored) READ(x, stored), READ((x) + sizeof(stored), stored)
#define READ_COMPLEX(x, y, stored) READ_BOTH(x, stored), READ_BOTH(y, stored)
#define USE_ANY (void)x, (void)y
#define USE_INTEGERS USE_ANY
#define USE_FLOATING USE_ANY
#define USE_COMPLEX (void)x_re, (void)x_im, (void)y_re, (void)y_im

#define READ(from, stored) (WIDE) JOIN(read_, stored)(from)

#define FUNCTIONS(id, domain, state, result, identity_text, lift_text, combine_text, lower_text) \
  typedef TYPE_OF_##state NAMED(state_##id); \
  typedef TYPE_OF_##result NAMED(result_##id); \
  static void NAMED(identity_##id)(void *to) { \
    typedef NAMED(state_##id) MADE; \
    const MADE made = (identity_text); \
    *(MADE *)to = made; \
  } \
  static inline NAMED(state_##id) NAMED(lifted_##id)(VALUES_##domain, cl_ulong index, bool IGNORES_NAN) { \
    typedef NAMED(state_##id) MADE; \
    USE_##domain, (void)index, (void)IGNORES_NAN; \
    const MADE made = (lift_text); \
    return made; \
  } \
  static inline NAMED(state_##id) NAMED(combined_##id)(NAMED(state_##id) a, NAMED(state_##id) b) { \
    typedef NAMED(state_##id) MADE; \
    const MADE made = (combine_text); \
    return made; \
  } \
  static inline void NAMED(put_##id)(NAMED(state_##id) s, void *to, bool IGNORES_NAN) { \
    typedef NAMED(result_##id) GIVEN; \
    const GIVEN given = (lower_text); \
    (void)IGNORES_NAN; \
    PUT_##result \
  } \
  static void NAMED(lift_##id)(const struct clr_host_element *at, void *to) { \
    *(NAMED(state_##id) *)to = NAMED(lifted_##id)(READ_##domain(at->x, at->y, WIDE), at->index, at->ignores_nan); \
  } \
  static void NAMED(combine_##id)(void *left, const void *right, cl_ulong count) { \
    NAMED(state_##id) *a = left; \
    const NAMED(state_##id) *b = right; \
    for (cl_ulong i = 0; i < count; i++) \
      a[i] = NAMED(combined_##id)(a[i], b[i]); \
  } \
  static void NAMED(pairs_##id)(void *states, cl_ulong count) { \
    NAMED(state_##id) *s = states; \
    for (; count > 1; count = count / 2 + count % 2) { \
      for (cl_ulong i = 0; i < count / 2; i++) \
        s[i] = NAMED(combined_##id)(s[2 * i], s[2 * i + 1]); \
      if (count % 2) \
        s[count / 2] = s[count - 1]; \
    } \
  } \
  static void NAMED(normal_##id)(void *to) { \
    typedef NAMED(state_##id) MADE; \
    const MADE s = *(MADE *)to, made = NORMAL_##state; \
    *(MADE *)to = made; \
  } \
  static void NAMED(lower_##id)(const void *from, cl_ulong count, void *to, bool ignores_nan) { \
    const NAMED(state_##id) *s = from; \
    for (cl_ulong i = 0; i < count; i++) \
      NAMED(put_##id)(s[i], (unsigned char *)to + i * sizeof(NAMED(result_##id)), ignores_nan); \
  }

// LOOPS_ says for which types in memory a form has loops, and whether its scans have a separate loop for ignores_nan. A
// form whose state is never exact has loops for one type only, and its scans test ignores_nan for each element: its
// arithmetic takes much longer than the conversion and the test.
#define LOOPS_ALL(F, ...) STORED(F, BOTH, __VA_ARGS__)
#define LOOPS_INTEGERS(F, ...) STORED(F, BOTH, __VA_ARGS__)
#define LOOPS_NONE(F, ...) F(WIDE, TURNS, __VA_ARGS__)

// The loop over one type in memory. The loop is written out for each kind of run over neighbours, so compilers optimize
// it as well as a loop written by hand. Runs with other steps use the first loop, which tests for each element what to
// write.
#define LOOP(stored, SCAN, id, domain) \
  static void LOOP_NAME(stored, id)(const struct clr_host_run *run, void *state) { \
    const cl_ulong count = run->count, first = run->index, turn = run->turn; \
    const ptrdiff_t size = SIZE_OF_##domain(stored), result_size = (ptrdiff_t)sizeof(NAMED(result_##id)), \
                    step = run->step, apart = run->apart; \
    const unsigned char *x = run->x, *y = run->y; \
    unsigned char *results = run->results; \
    const bool ignores_nan = !IS_INTEGER && run->ignores_nan, inclusive = run->inclusive; \
    NAMED(state_##id) s = *(const NAMED(state_##id) *)state; \
    (void)y; \
    if (step != size || (results && apart != result_size)) \
      TURNS(stored, id, domain, PUT_IF(results && !inclusive), PUT_IF(results &&inclusive), step, apart, turn, \
            ignores_nan) \
    else if (!results) \
      BOTH(stored, id, domain, PUT_NOT, PUT_NOT, size, result_size, 1, ignores_nan) \
    else if (inclusive) \
      SCAN(stored, id, domain, PUT_NOT, PUT, size, result_size, 1, ignores_nan) \
    else \
      SCAN(stored, id, domain, PUT, PUT_NOT, size, result_size, 1, ignores_nan) \
    *(NAMED(state_##id) *)state = s; \
  }
#define LOOP_NAME(stored, id) JOIN(JOIN(NAMED(loop_##id), _), stored)
#define LOOP_OF(stored, SCAN, id, domain) [CLR_LOOP_OF(sizeof(stored))] = LOOP_NAME(stored, id),
#define BOTH(stored, id, domain, before, after, step, apart, turn, ignores_nan) \
  { \
    if (ignores_nan) \
      TURNS(stored, id, domain, before, after, step, apart, turn, true) \
    else \
      TURNS(stored, id, domain, before, after, step, apart, turn, false) \
  }
#define TURNS(stored, id, domain, before, after, step, apart, turn, ignores_nan) \
  for (cl_ulong i = 0; i < count; i++) { \
    const NAMED(state_##id) lifted = NAMED(lifted_##id)(READ_##domain(x, y, stored), first + i * turn, ignores_nan); \
    before(id, apart, ignores_nan) s = NAMED(combined_##id)(s, lifted); \
    after(id, apart, ignores_nan) x += step; \
    y += step; \
  }
#define SIZE_OF_ANY(stored) ((ptrdiff_t)sizeof(stored))
#define SIZE_OF_INTEGERS(stored) SIZE_OF_ANY(stored)
#define SIZE_OF_FLOATING(stored) SIZE_OF_ANY(stored)
#define SIZE_OF_COMPLEX(stored) (2 * SIZE_OF_ANY(stored))
#define PUT_NOT(id, apart, ignores_nan)
#define PUT(id, apart, ignores_nan) \
  { \
    NAMED(put_##id)(s, results, ignores_nan); \
    results += apart; \
  }
#define PUT_IF(condition) \
  if (condition) \
  PUT

// Folds several lanes at once. Compilers make vector instructions of the inner loops if neighbouring lanes begin at
// neighbouring elements, and states are one number. A last block of lanes that is not full begins earlier then, and
// folds some lanes once more.
#define IS_VECTOR_VALUE(type) true
#define IS_VECTOR_FIELDS(list) false
#define IS_VECTOR_SCALED_FIELDS(list) false
#define LANES(id, domain, state) \
  static inline void NAMED(fold_lanes_##id)(const struct clr_host_run *run, cl_ulong first, int width, \
                                            ptrdiff_t apart, bool ignores_nan, NAMED(state_##id) * to) { \
    const unsigned char *x = run->x + (ptrdiff_t)first * apart, *y = run->y + (ptrdiff_t)first * apart; \
    const cl_ulong across = run->across; \
    cl_ulong index = run->index + first * across; \
    NAMED(state_##id) s[CLR_LANES_AT_ONCE]; \
    (void)y, (void)across; \
    for (int i = 0; i < width; i++) \
      s[i] = NAMED(lifted_##id)(READ_##domain(x + i * apart, y + i * apart, WIDE), index + (cl_ulong)i * across, \
                                ignores_nan); \
    for (cl_ulong row = 1; row < run->count; row++) { \
      x += run->step, y += run->step, index += run->turn; \
      for (int i = 0; i < width; i++) \
        s[i] = NAMED(combined_##id)(s[i], NAMED(lifted_##id)(READ_##domain(x + i * apart, y + i * apart, WIDE), \
                                                             index + (cl_ulong)i * across, ignores_nan)); \
    } \
    for (int i = 0; i < width; i++) \
      to[i] = s[i]; \
  } \
  static void NAMED(lanes_##id)(const struct clr_host_run *run, cl_ulong width, void *states) { \
    enum { MOST = CLR_LANES_AT_ONCE }; \
    const ptrdiff_t size = SIZE_OF_##domain(WIDE); \
    const bool ignores_nan = !IS_INTEGER && run->ignores_nan, \
               blocks = IS_VECTOR_##state && width >= MOST && run->apart == size; \
    NAMED(state_##id) *to = states; \
    for (cl_ulong lane = 0; lane < width; lane += MOST) { \
      const cl_ulong left = width - lane, at = left < MOST ? width - MOST : lane; \
      if (!blocks) \
        NAMED(fold_lanes_##id)(run, lane, left < MOST ? (int)left : MOST, run->apart, ignores_nan, to + lane); \
      else if (ignores_nan) \
        NAMED(fold_lanes_##id)(run, at, MOST, size, true, to + at); \
      else \
        NAMED(fold_lanes_##id)(run, at, MOST, size, false, to + at); \
    } \
  }

#define FORM(id, domain, state, result, exact) \
  _Static_assert(sizeof(NAMED(state_##id)) <= CLR_STATE_SIZE_MAX, "a state is too large"); \
  static const clred_part NAMED(parts_##id)[] = {PARTS_OF_##result}, NAMED(state_parts_##id)[] = {PARTS_OF_##state}; \
  static const size_t NAMED(state_sizes_##id)[] = {SIZES_OF_##state}; \
  static const struct clr_host_form NAMED(form_##id) = {sizeof(NAMED(state_##id)), \
                                                        sizeof(NAMED(result_##id)), \
                                                        NAMED(state_parts_##id), \
                                                        NAMED(parts_##id), \
                                                        NAMED(state_sizes_##id), \
                                                        sizeof NAMED(state_parts_##id) / \
                                                          sizeof *NAMED(state_parts_##id), \
                                                        sizeof NAMED(parts_##id) / sizeof *NAMED(parts_##id), \
                                                        NAMED(identity_##id), \
                                                        NAMED(lift_##id), \
                                                        NAMED(combine_##id), \
                                                        NAMED(lower_##id), \
                                                        NAMED(normal_##id), \
                                                        {LOOPS_##exact(LOOP_OF, id, domain)}, \
                                                        NAMED(lanes_##id), \
                                                        NAMED(pairs_##id)};

#define DEFINE(op, domain, mode, inputs, state, result, identity, lift, combine, lower, exact, ...) \
  IF(EITHER(EVERY_FORM, CLR_CUTS_##result), \
     IF(HAS_##domain, \
        FUNCTIONS(op##_##domain##_##mode, domain, state, result, identity, lift, combine, lower) \
          LOOPS_##exact(LOOP, op##_##domain##_##mode, domain) LANES(op##_##domain##_##mode, domain, state) \
            FORM(op##_##domain##_##mode, domain, state, result, exact)))
#define LIST(op, domain, mode, inputs, state, result, ...) \
  OR_NULL(EITHER(EVERY_FORM, CLR_CUTS_##result), OR_NULL(HAS_##domain, &NAMED(form_##op##_##domain##_##mode))),

// Lowering from the state of another operator; CLR_DERIVED_MAP.
#define TAKEN(op, domain, mode, from, from_domain, both, lower_text) \
  IF(EVERY_FORM, IF(HAS_##both, TAKING(op, domain, mode, from, from_domain, lower_text)))
#define TAKING(op, domain, mode, from, from_domain, lower_text) \
  static void NAMED(taken_##op##_##mode##_from_##from##_##from_domain)(const void *state, void *to, \
                                                                       bool IGNORES_NAN) { \
    typedef NAMED(result_##op##_##domain##_##mode) GIVEN; \
    const NAMED(state_##from##_##from_domain##_##mode) s = \
      *(const NAMED(state_##from##_##from_domain##_##mode) *)state; \
    const GIVEN given = (lower_text); \
    (void)IGNORES_NAN; \
    memcpy(to, &given, sizeof given); \
  }
#define TAKEN_ROW(op, domain, mode, from, from_domain, both, lower_text) \
  IF(EVERY_FORM, IF(HAS_##both, TAKING_ROW(op, domain, mode, from, from_domain, #lower_text)))
#define TAKING_ROW(op, domain, mode, from, from_domain, lower_text) \
  {CLRED_OP_##op, \
   CLR_DOMAIN_##domain, \
   CLR_MODE_##mode, \
   CLRED_OP_##from, \
   CLR_DOMAIN_##from_domain, \
   lower_text, \
   NAMED(taken_##op##_##mode##_from_##from##_##from_domain)},

CLR_FORM_MAP(DEFINE)
const struct clr_host_form *const NAMED(clr_forms)[] = {CLR_FORM_MAP(LIST)};
CLR_DERIVED_MAP(TAKEN)
const struct clr_derived NAMED(clr_taken)[] = {CLR_DERIVED_MAP(TAKEN_ROW){CLRED_OP_NONE, 0, 0, 0, 0, NULL, NULL}};
