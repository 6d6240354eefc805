// The tables of operators and of their forms: data only. operator.c finds rows in them.
#include "model/operator.h"
#include "model/operators.def"
#include "model/shortcuts.def"

#define OP_ROW(op, number, word, text) \
  [CLRED_OP_##op].id = CLRED_OP_##op, [CLRED_OP_##op].name = word, [CLRED_OP_##op].summary = text,
#define CHOICE_ROW(op, of_keys, of_values) [CLRED_OP_##op].choice = {#of_keys, #of_values},
#define ROWS_ROW(op, ...) [CLRED_OP_##op].row_fold = {true, __VA_ARGS__},
#define BINS_ROW(op, term, products, counts, squares) [CLRED_OP_##op].bins = {#term, products, counts, squares},
#define MOVE_ROW(op, text) [CLRED_OP_##op].move = #text,
#define NARROW_ROW(op, bytes) [CLRED_OP_##op].narrow_bytes = bytes,
const struct clr_op clr_ops[] = {CLRED_OP_MAP(OP_ROW) CLR_CHOICE_MAP(CHOICE_ROW) CLR_ROWS_MAP(ROWS_ROW)
                                   CLR_BINS_MAP(BINS_ROW) CLR_MOVE_MAP(MOVE_ROW) CLR_NARROW_MAP(NARROW_ROW)};
const size_t clr_op_count = sizeof clr_ops / sizeof *clr_ops;

#define CLR_YES true
#define CLR_NO false
#define CLR_SINGLE 1
#define CLR_PAIR 2
// The members of VALUE(type) or of FIELDS(list).
#define FIELD_ROW(type, name) {#type, #name},
#define FIELDS_VALUE(type) NULL
#define FIELDS_SCALED_FIELDS(list) FIELDS_FIELDS(list)
#define NORMAL_VALUE(type) NULL
#define NORMAL_FIELDS(list) NULL
#define NORMAL_SCALED_FIELDS(list) "NORMAL_" #list "(s)"
#define FIELDS_FIELDS(list) ((const struct clr_field[]){CLR_FIELDS_##list(FIELD_ROW){NULL, NULL}})
#define FORM_ROW(op, domain, mode, inputs, state, result, identity, lift, combine, lower, exact, commutes, \
                 elementwise, real, atomic, portable, has_identity, lowers_lanes) \
  {CLRED_OP_##op,      CLR_DOMAIN_##domain, \
   CLR_MODE_##mode,    CLR_##inputs, \
   FIELDS_##state,     FIELDS_##result, \
   #identity,          #lift, \
   #combine,           #lower, \
   NORMAL_##state,     CLR_EXACT_##exact, \
   CLR_##commutes,     CLR_##elementwise, \
   CLR_##real,         atomic, \
   CLR_##portable,     CLR_##has_identity, \
   CLR_##lowers_lanes, CLR_CUTS_##result},
const struct clr_form clr_forms[] = {CLR_FORM_MAP(FORM_ROW)};
const size_t clr_form_count = sizeof clr_forms / sizeof *clr_forms;

// The operators on the host: each kind has a file, host_char.c to host_double.c.
#define HOST_TABLES(id, type, ...) \
  extern const struct clr_host_form *const clr_forms_of_##type[]; \
  extern const struct clr_derived clr_taken_of_##type[];
CLR_KIND_MAP(HOST_TABLES, )

#define FORMS_OF(id, type, ...) [CLR_KIND_##id] = clr_forms_of_##type,
const struct clr_host_form *const *const clr_host_forms[CLR_KINDS] = {CLR_KIND_MAP(FORMS_OF, )};

#define TAKEN_OF(id, type, ...) [CLR_KIND_##id] = clr_taken_of_##type,
const struct clr_derived *const clr_derived_rows[CLR_KINDS] = {CLR_KIND_MAP(TAKEN_OF, )};
