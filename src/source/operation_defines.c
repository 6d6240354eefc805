// Writes what plan.clh says about an operation: types, readings, sizes.

#include <string.h>

#include "source/generated.h"

static const char *reading_name(enum clr_reading reading) {
  static const char *const names[] = {[CLR_READING_PLAIN] = "PLAIN",
                                      [CLR_READING_HALF] = "HALF",
                                      [CLR_READING_BFLOAT16] = "BFLOAT16",
                                      [CLR_READING_COMPLEX] = "COMPLEX",
                                      [CLR_READING_STRUCT] = "STRUCT"};
  return names[reading];
}

// ---------------------------------------------------------------- Built-in operators

// OpenCL C's names for a kind: the type, its bits, its key, its limits, and the type of its magnitudes and counts.
// Integers of 8 and 16 bits are added as 32 bits.
struct kind_text {
  const char *name, *class, *bits, *key, *highest, *lowest, *unsigned_type;
  unsigned size;
};
static const struct kind_text kinds[CLR_KINDS] = {
  [CLR_KIND_CHAR] = {"char", "CLASS_SIGNED", "uint", "char", "CHAR_MAX", "CHAR_MIN", "uchar", 1},
  [CLR_KIND_UCHAR] = {"uchar", "CLASS_UNSIGNED", "uint", "uchar", "UCHAR_MAX", "0", "uchar", 1},
  [CLR_KIND_SHORT] = {"short", "CLASS_SIGNED", "uint", "short", "SHRT_MAX", "SHRT_MIN", "ushort", 2},
  [CLR_KIND_USHORT] = {"ushort", "CLASS_UNSIGNED", "uint", "ushort", "USHRT_MAX", "0", "ushort", 2},
  [CLR_KIND_INT] = {"int", "CLASS_SIGNED", "uint", "int", "INT_MAX", "INT_MIN", "uint", 4},
  [CLR_KIND_UINT] = {"uint", "CLASS_UNSIGNED", "uint", "uint", "UINT_MAX", "0", "uint", 4},
  [CLR_KIND_LONG] = {"long", "CLASS_SIGNED", "ulong", "long", "LONG_MAX", "LONG_MIN", "ulong", 8},
  [CLR_KIND_ULONG] = {"ulong", "CLASS_UNSIGNED", "ulong", "ulong", "ULONG_MAX", "0", "ulong", 8},
  [CLR_KIND_FLOAT] = {"float", "CLASS_FLOATING", "uint", "int", "INFINITY", "-INFINITY", "ulong", 4},
  [CLR_KIND_DOUBLE] = {"double", "CLASS_FLOATING", "ulong", "long", "INFINITY", "-INFINITY", "ulong", 8},
};

// The kinds of lanes that are held in 32 bits.
static const enum clr_kind narrow_kinds[CLR_KINDS] = {[CLR_KIND_LONG] = CLR_KIND_INT, [CLR_KIND_ULONG] = CLR_KIND_UINT};

static void define_wide(const struct kind_text *kind, struct clr_text *text) {
  clr_define_text(text, "WIDE", kind->name);
  clr_define_text(text, "KEY", kind->key);
  clr_define_text(text, "WIDE_BITS", kind->bits);
  clr_define_number(text, "WIDE_SIZE", kind->size);
  clr_define_text(text, "HIGHEST", kind->highest);
  clr_define_text(text, "LOWEST", kind->lowest);
}

static void undefine_wide(struct clr_text *text) {
  clr_text_append(text, "#undef WIDE\n#undef KEY\n#undef WIDE_BITS\n#undef WIDE_SIZE\n#undef HIGHEST\n#undef LOWEST\n");
}

static void define_kind(const struct clr_operation *operation, struct clr_text *text) {
  const struct kind_text *kind = &kinds[operation->kind], *real = &kinds[clr_kind_real(operation->kind)];
  clr_text_append(text, "#define CLASS_SIGNED 0\n#define CLASS_UNSIGNED 1\n#define CLASS_FLOATING 2\n");
  define_wide(kind, text);
  clr_define_text(text, "REAL", real->name);
  clr_define_text(text, "WIDE_CLASS", kind->class);
  clr_define_text(text, "UNSIGNED", kind->unsigned_type);
  clr_define_number(text, "REAL_SIZE", real->size);
  clr_define_number(text, "IGNORES_NAN", operation->ignores_nan);
}

void clr_operation_narrow(const struct clr_operation *operation, struct clr_text *text) {
  if (!operation->form || !narrow_kinds[operation->kind])
    return;
  undefine_wide(text);
  define_wide(&kinds[narrow_kinds[operation->kind]], text);
  clr_text_append(text, "#undef LANE_STATE\n#define LANE_STATE WIDE\n");
}

void clr_operation_widen(const struct clr_operation *operation, struct clr_text *text) {
  if (!operation->form)
    return;
  undefine_wide(text);
  define_wide(&kinds[operation->kind], text);
}

// Defines macros over members, and members as the arguments of a function that sets them.
static void define_fields(const char *name, const struct clr_field *fields, struct clr_text *text) {
  const struct clr_field *field;
  clr_text_format(text, "#define %s_FIELDS(F) ", name);
  for (field = fields; field->name; field++)
    clr_text_format(text, "F(%s, %s) ", field->type, field->name);
  clr_text_format(text, "\n#define %s_ARGUMENTS", name);
  for (field = fields; field->name; field++)
    clr_text_format(text, "%s V(%s) %s", field == fields ? "" : ",", field->type, field->name);
  clr_text_append(text, "\n");
}

// Defines a state or result: members, one value, or a vector of values.
static void define_type(const char *name, const struct clr_field *fields, const clred_part *value, size_t components,
                        struct clr_text *text) {
  if (fields)
    define_fields(name, fields, text);
  else if (components > 1)
    clr_text_format(text, "#define %s %s%zu\n", name, clr_type_row(value->type)->name, components);
  else
    clr_define_text(text, name, clr_type_row(value->type)->name);
}

static void define_form(const struct clr_operation *operation, struct clr_text *text) {
  const struct clr_form *form = operation->form;
  const struct clr_element *element = &operation->element;
  const char *reading = element->components > 1 ? "STRUCT" : reading_name(element->row->reading);
  const char *type = element->components > 1 ? element->name : element->row->stored;
  define_kind(operation, text);
  clr_define_text(text, "ELEMENT_READING", reading);
  clr_define_text(text, "ELEMENT_TYPE", type);
  clr_define_text(text, "ELEMENT_NAME", "element");
  define_type("STATE", form->state_fields, operation->host->state_parts, element->components, text);
  clr_define_number(text, "RESULT_IS_STATE", 0);
  define_type("RESULT", form->result_fields, operation->host->parts, element->stride, text);
  if (form->inputs == 2)
    clr_text_format(text, "#define INPUTS(I) I(%s, %s, second)\n", reading, type);
  else
    clr_define_text(text, "INPUTS(I)", "");
  clr_define_text(text, "PARAMETERS(P)", "");
}

// ---------------------------------------------------------------- A caller's operators

// Defines a state or result. A type that the tables do not have is declared as `otherwise`.
static void define_own_type(const char *name, const struct clr_shape_of_type *type, const char *otherwise,
                            struct clr_text *text) {
  struct clr_field fields[CLR_MEMBERS_MAX + 1] = {{NULL, NULL}};
  for (size_t i = 0; i < type->member_count; i++)
    fields[i] = (struct clr_field){clr_type_row(type->members[i].type)->name, type->members[i].name};
  if (type->member_count)
    define_fields(name, fields, text);
  else
    clr_define_text(text, name, type->scalar ? type->type : otherwise);
}

// If the state and the result are equal lists, they are one struct, so that a text may return a state as the result.
static bool result_is_state(const struct clr_custom *custom) {
  const struct clr_shape_of_type *state = &custom->state, *result = &custom->result;
  bool same = state->member_count > 0 && state->member_count == result->member_count;
  for (size_t i = 0; i < state->member_count && same; i++)
    same =
      state->members[i].type == result->members[i].type && strcmp(state->members[i].name, result->members[i].name) == 0;
  return same;
}

// A type that the tables do not have is declared under a name of the library, so that the compiler reports errors in
// the declaration.
static void add_operand_type(const struct clr_operand *operand, struct clr_text *text) {
  if (operand->reading == CLR_READING_STRUCT)
    clr_text_format(text, "clred_type_of_%s", operand->name);
  else
    clr_text_append(text, operand->type);
}

// Defines what a selection writes: positions, or elements as arrays of words.
static void define_keeping(const struct clr_custom *custom, size_t element_size, struct clr_text *text) {
  static const char *const words[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong"};
  size_t word = 8;
  while (element_size % word)
    word /= 2;
  clr_define_number(text, "INDICES", custom->keeping.indices);
  clr_define_number(text, "LOOKS_BEFORE", custom->keeping.looks_before);
  clr_define_number(text, "ENDS", custom->keeping.ends);
  // The size is 0 in the program that measures it. That program writes no elements.
  if (element_size > word)
    clr_text_format(text, "typedef struct { %s words[%zu]; } clred_word;\n", words[word], element_size / word);
  else
    clr_text_format(text, "typedef %s clred_word;\n", words[element_size ? word : 1]);
  clr_define_text(text, "RESULT", custom->keeping.indices ? "ulong" : "clred_word");
}

static void define_custom(const struct clr_custom *custom, struct clr_text *text) {
  clr_define_text(text, "ELEMENT_READING", reading_name(custom->reading));
  clr_define_text(text, "ELEMENT_TYPE", custom->reading == CLR_READING_STRUCT ? "clred_own_element" : custom->element);
  clr_define_text(text, "ELEMENT_NAME", "x");
  define_own_type("STATE", &custom->state, "clred_own_state", text);
  clr_define_number(text, "RESULT_IS_STATE", result_is_state(custom));
  if (result_is_state(custom))
    clr_define_text(text, "RESULT", "STATE");
  else if (!custom->keeping.keeps)
    define_own_type("RESULT", &custom->result, "clred_own_result", text);
  clr_text_append(text, "#define INPUTS(I)");
  for (size_t i = 0; i < custom->input_count; i++) {
    clr_text_format(text, " I(%s, ", reading_name(custom->inputs[i].reading));
    add_operand_type(&custom->inputs[i], text);
    clr_text_format(text, ", %s)", custom->inputs[i].name);
  }
  clr_text_append(text, "\n#define PARAMETERS(P)");
  for (size_t i = 0; i < custom->parameter_count; i++) {
    clr_text_append(text, " P(");
    add_operand_type(&custom->parameters[i], text);
    clr_text_format(text, ", %s)", custom->parameters[i].name);
  }
  clr_text_append(text, "\n");
}

// ---------------------------------------------------------------- Everything

static void define_row_fold(const struct clr_operation *operation, struct clr_text *text) {
  const struct clr_row_fold *fold = operation->row_fold;
  clr_define_number(text, "HAS_ROW_FOLD", fold != NULL);
  clr_define_number(text, "ROW_MEAN", fold && fold->mean);
  clr_define_number(text, "ROW_M2", fold && fold->m2);
  clr_define_number(text, "ROW_ENDS", fold && fold->ends);
  clr_define_number(text, "ROW_SUM", fold && fold->sum);
  clr_define_number(text, "ROW_PRODUCT", fold && fold->product ? 1 + clr_element_is_complex(&operation->element) : 0);
}

// True if the operator, or one operator of a list, combines by this macro.
static bool combines_by(const struct clr_operation *operation, const char *word) {
  const struct clr_op_list *several = operation->several;
  bool has = operation->form && !several && strstr(operation->form->combine, word);
  for (size_t i = 0; several && i < several->state_count; i++)
    has |= strstr(several->states[i].owner->form->combine, word) != NULL;
  return has;
}

struct bins_of_sum {
  unsigned all;    // bins
  unsigned few;    // bins that are enough for most data
  unsigned parts;  // doubles for each term
};

// A product of two doubles is the sum of two doubles.
static struct bins_of_sum bins_of_sum(bool products, bool of_doubles) {
  if (products && of_doubles)
    return (struct bins_of_sum){4, 4, 2};
  return products || of_doubles ? (struct bins_of_sum){3, 2, 1} : (struct bins_of_sum){2, 1, 1};
}

// The numbers that cl/exact/bins.clh uses. A bin holds 40 bits: terms over 40 binades, but the squares of terms over
// only 20. So there is one bin of terms for two bins of squares.
void clr_bins_defines(const struct clr_operation *operation, const struct clr_shape *shape, struct clr_text *text) {
  const struct clr_bins *bins = operation->bins;
  const bool of_doubles = operation->kind == CLR_KIND_DOUBLE;
  struct bins_of_sum terms = bins_of_sum(bins->products, of_doubles), squares = {0};
  if (bins->squares) {
    squares = bins_of_sum(true, of_doubles);
    terms = (struct bins_of_sum){(squares.all + 1) / 2, (squares.few + 1) / 2, 1};
  }
  clr_text_format(text, "#define BINNED_TERM(x, y) (%s)\n", bins->term);
  clr_define_number(text, "BINS", terms.all);
  clr_define_number(text, "FEW_BINS", terms.few);
  clr_define_number(text, "BIN_PARTS", terms.parts);
  clr_define_number(text, "SQUARE_BINS", squares.all);
  clr_define_number(text, "FEW_SQUARE_BINS", squares.few);
  clr_define_number(text, "SQUARE_PARTS", squares.parts);
  clr_define_number(text, "BIN_LANES", shape->fold.bin_lanes);
  clr_define_number(text, "BINS_ARE_PRODUCTS", bins->products);
  clr_define_number(text, "BINS_ARE_PAIRS", operation->input_count > 0);
  clr_define_number(text, "BINS_COUNT", bins->counts);
  clr_define_number(text, "BINS_SQUARES", bins->squares);
  clr_define_number(text, "DIGIT_CELLS", shape->wide.digit_cells);
  clr_define_number(text, "DIGIT_COPIES", shape->wide.digit_copies);
}

void clr_operation_defines(const struct clr_operation *operation, struct clr_text *text) {
  static const char *const forms[] = {
    [CLR_LANES_VECTOR] = "LANES_VECTOR", [CLR_LANES_FIELDS] = "LANES_FIELDS", [CLR_LANES_ARRAY] = "LANES_ARRAY"};
  clr_text_append(text, "#define LANES_VECTOR 0\n#define LANES_FIELDS 1\n#define LANES_ARRAY 2\n");
  clr_define_text(text, "LANES_FORM", forms[operation->lanes_form]);
  clr_define_text(text, "LANE_STATE", "STATE");
  clr_define_number(text, "LOWERS_LANES", operation->lowers_lanes);
  clr_define_number(text, "MOVES", operation->moves);
  const struct clr_words_of_choice *choice = operation->choice;
  clr_define_number(text, "HAS_CHOICE", choice != NULL);
  if (choice) {
    clr_define_text(text, "BETTER_KEY", choice->keys);
    clr_define_text(text, "BETTER_VALUE", choice->values);
  }
  define_row_fold(operation, text);
  clr_define_number(text, "HAS_NORMAL", operation->form && operation->form->normal);
  // What cl/common/scaled.clh defines.
  clr_define_number(text, "HAS_MOMENTS",
                    combines_by(operation, "MERGED_MOMENTS") || combines_by(operation, "MERGED_SCALED"));
  clr_define_number(text, "HAS_FACTORS", combines_by(operation, "UNEVEN_PRODUCT"));
  clr_define_number(text, "ELEMENT_SIZE", operation->element.size);
  clr_define_number(text, "RESULT_SIZE", operation->result_size);
  clr_define_number(text, "RESULT_IS_PADDED", operation->padded);
  clr_define_number(text, "STATE_SIZE", operation->state_size);
  if (operation->state_size == 4 || operation->state_size == 8)
    clr_define_text(text, "STATE_BITS", operation->state_size == 4 ? "uint" : "ulong");
  // If DOUBLES is 0, no function may contain a double: sums of integers run on devices without double.
  clr_define_number(text, "DOUBLES", operation->needs_fp64);
  if (operation->needs_fp64)
    clr_text_append(text, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
  clr_define_number(text, "COMPONENTS", operation->element.components);
  clr_define_number(text, "IS_BUILT_IN", operation->form != NULL);
  clr_define_number(text, "SEVERAL", operation->several != NULL);
  clr_define_number(text, "FOLLOWS_APART", operation->moves);
  clr_define_number(text, "SELECTS", operation->custom && operation->custom->keeping.keeps);
  if (operation->custom && operation->custom->keeping.keeps)
    define_keeping(operation->custom, operation->element.size, text);
  if (operation->custom)
    define_custom(operation->custom, text);
  else
    define_form(operation, text);
}
