#include "source/operation_text.h"

#include <string.h>

#include "model/identifiers.h"
#include "source/shape_defines.h"

// ---------------------------------------------------------------- Declarations

// Appends a piece with a #line, so that the compiler's messages name the piece, its line and column. `after` follows on
// the last line of the piece, so that an error of a missing token is reported on that line. If the piece may end in a
// comment, `after` gets a line of its own; otherwise it would be part of the comment.
static void add_piece(const char *piece, const char *words, const char *after, struct clr_text *text) {
  clr_text_format(text, "\n#line 1 \"%s\"\n", piece);
  clr_text_append(text, words);
  clr_text_append(text, strstr(words, "//") ? "\n" : "");
  clr_text_append(text, after);
  clr_text_append(text, "\n#line 1 \"generated\"\n");
}

static void declare_type(const char *name, const char *piece, const char *type, struct clr_text *text) {
  clr_text_append(text, "typedef");
  add_piece(piece, type, "", text);
  clr_text_format(text, "%s;\n", name);
}

static void declare_operand(const char *what, const struct clr_operand *operand, struct clr_text *text) {
  struct clr_text name = {0}, piece = {0};
  if (operand->reading != CLR_READING_STRUCT)
    return;
  clr_text_format(&name, "clred_type_of_%s", operand->name);
  clr_text_format(&piece, "%s %s", what, operand->name);
  text->failed |= name.failed || piece.failed;
  if (!text->failed)
    declare_type(name.bytes, piece.bytes, operand->type, text);
  clr_text_release(&name);
  clr_text_release(&piece);
}

// A caller's text for lanes that are vectors may give values of another type, as comparisons do.
static void convert_lanes(const struct clr_operation *operation, struct clr_text *text) {
  const bool converts = operation->custom && clr_lanes_form(operation) == CLR_LANES_VECTOR;
  clr_define_text(text, "TO_STATE", converts ? "IF_SINGLE(, JOIN(JOIN(convert_, STATE), WIDTH))" : "");
}

// The types that a caller's own operator declares.
static void write_types(const struct clr_operation *operation, struct clr_text *text) {
  const struct clr_custom *custom = operation->custom;
  convert_lanes(operation, text);
  if (!custom)
    return;
  if (custom->preamble)
    add_piece("preamble", custom->preamble, "", text);
  if (custom->reading == CLR_READING_STRUCT)
    declare_type("clred_own_element", "element", custom->element, text);
  if (custom->state.type && !custom->state.scalar)
    declare_type("clred_own_state", "state", custom->state.type, text);
  if (custom->result.type && !custom->result.scalar)
    declare_type("clred_own_result", "result", custom->result.type, text);
  for (size_t i = 0; i < custom->input_count; i++)
    declare_operand("input", &custom->inputs[i], text);
  for (size_t i = 0; i < custom->parameter_count; i++)
    declare_operand("parameter", &custom->parameters[i], text);
}

// ---------------------------------------------------------------- Functions

// A caller's body may change its arguments, which must stay as they are (cl/scan/scan.clh): so it gets copies by the
// same names.
static void add_body(const char *piece, const char *words, const char *arguments, struct clr_text *text) {
  clr_text_format(text, "{\nKEEP_%s\n{\nOWN_%s\n", arguments, arguments);
  add_piece(piece, words, "", text);
  clr_text_append(text, "}\n}\n");
}

// A function of a caller's expression, which `convert` wraps, or of a body.
static void add_callers(const char *head, const char *convert, const char *piece, const char *words,
                        struct clr_text *text) {
  clr_text_format(text, "%s\n", head);
  if (clr_is_body(words)) {
    const bool combines = strcmp(piece, "combine") == 0, lowers = strcmp(piece, "lower") == 0;
    if (combines || lowers)
      add_body(piece, words, combines ? "COMBINED" : "LOWERED", text);
    else
      add_piece(piece, words, "", text);
    return;
  }
  clr_text_format(text, "{\nreturn %s(", convert);
  add_piece(piece, words, ");", text);
  clr_text_append(text, "}\n");
}

// A function of a text of the operation. `before` is what a built-in text stands on.
static void add_function(const struct clr_operation *operation, const char *head, const char *before, const char *piece,
                         const char *words, struct clr_text *text) {
  if (operation->custom)
    add_callers(head, strcmp(piece, "lower") == 0 ? "" : "TO_STATE", piece, words, text);
  else
    clr_text_format(text, "%s\n{\n%s  return (%s);\n}\n", head, before, words);
}

// What a form's lift finds: values of the type arithmetic is done in.
static const char *before_lift(const struct clr_operation *operation) {
  if (operation->custom)
    return "";
  if (operation->form->domain == CLR_DOMAIN_COMPLEX)
    return "  V(WIDE) x_re = TO(WIDE, element.even), x_im = TO(WIDE, element.odd);\n";
  return operation->form->inputs == 2 ? "  V(WIDE) x = WIDENED(element), y = WIDENED(second);\n"
                                      : "  V(WIDE) x = WIDENED(element);\n";
}

struct words {
  const char *identity, *lift, *combine, *lower;
};

static struct words words_of(const struct clr_operation *operation) {
  const struct clr_custom *custom = operation->custom;
  const struct clr_form *form = operation->form;
  if (!custom)
    return (struct words){form->identity, form->lift, form->combine, form->lower};
  return (struct words){custom->identity, custom->lift ? custom->lift : "x", custom->combine,
                        custom->lower ? custom->lower : "s"};
}

// A lift that counts what the caller's text keeps, whatever number that says so by.
static void add_keep(const struct clr_operation *operation, struct clr_text *text) {
  add_callers("KEEP_HEAD", "0 != ", clr_custom_lift_name(operation->custom), operation->custom->lift, text);
  clr_text_append(text, "LIFT_HEAD\n{\nreturn clred_keep(ELEMENT_NAME, index BEFORE_NAME INPUTS(INPUT_NAME) "
                        "PARAMETERS(PARAMETER_NAME)) != 0;\n}\n");
}

// Zeros between the members of results, so that equal results have equal bytes. From here on results are rows of words,
// which compilers copy whole.
static void add_padding(const struct clr_operation *operation, struct clr_text *text) {
  const size_t size = operation->result_size;
  const char *word = size % 8 == 0 ? "ulong" : size % 4 == 0 ? "uint" : "ushort";
  clr_text_format(text, "typedef struct {\n  %s clred_words[%zu / sizeof(%s)];\n} clred_padded_result;\n", word, size,
                  word);
  clr_text_append(text, "clred_padded_result clred_lower(STATE clred_s)\n{\n");
  clr_text_format(text, "union { RESULT members; uchar bytes[%zu]; clred_padded_result padded; } clred_made;\n", size);
  clr_text_append(text, "clred_made.members = clred_lower_members(clred_s);\n");
  for (size_t i = 0; i < size; i++)
    if (clr_is_padding(operation, i))
      clr_text_format(text, "clred_made.bytes[%zu] = 0;\n", i);
  clr_text_append(text, "return clred_made.padded;\n}\n#undef RESULT\n#define RESULT clred_padded_result\n");
}

// ---------------------------------------------------------------- Files

static void write_identity(const struct clr_operation *operation, struct clr_text *text) {
  const char *identity = words_of(operation).identity;
  if (!operation->custom || !clr_is_body(identity)) {
    add_function(operation, "IDENTITY_HEAD", "", "identity", identity, text);
    return;
  }
  clr_text_append(text, "IDENTITY_HEAD\n{\nSTATE clred_made =");
  add_piece("identity", identity, ";", text);
  clr_text_append(text, "return clred_made;\n}\n");
}

static void write_lift(const struct clr_operation *operation, struct clr_text *text) {
  if (operation->custom && operation->custom->keeping.keeps)
    add_keep(operation, text);
  else
    add_function(operation, "LIFT_HEAD", before_lift(operation), "lift", words_of(operation).lift, text);
}

static void write_combine(const struct clr_operation *operation, struct clr_text *text) {
  clr_text_append(text, "#define FOLLOWS 0\n");
  add_function(operation, "COMBINE_HEAD", "", "combine", words_of(operation).combine, text);
  clr_text_append(text, "#undef FOLLOWS\n");
}

static void write_follow(const struct clr_operation *operation, struct clr_text *text) {
  if (!clr_follows_apart(operation))
    return;
  clr_text_append(text, "#define FOLLOWS 1\n");
  add_function(operation, "FOLLOW_HEAD", "", "combine", words_of(operation).combine, text);
  clr_text_append(text, "#undef FOLLOWS\n");
}

static void write_move(const struct clr_operation *operation, struct clr_text *text) {
  if (clr_operation_move(operation))
    add_function(operation, "MOVE_HEAD", "", "move", clr_operation_move(operation), text);
}

// A selection has no lower. The result of a vector of three takes the room of four.
static void write_lower(const struct clr_operation *operation, struct clr_text *text) {
  const char *lower = words_of(operation).lower;
  if (operation->custom && operation->custom->keeping.keeps)
    return;
  if (operation->element.components == 3)
    clr_text_format(text, "LOWER_HEAD\n{\nreturn (RESULT)((%s), 0);\n}\n", lower);
  else
    add_function(operation, "LOWER_HEAD", "", "lower", lower, text);
  if (operation->padded)
    add_padding(operation, text);
}

static void write_lower_lanes(const struct clr_operation *operation, struct clr_text *text) {
  if (clr_lowers_lanes(operation))
    add_function(operation, "LOWER_LANES_HEAD", "", "lower", words_of(operation).lower, text);
}

const struct clr_operation_file clr_operation_files[] = {
  {"operator/types.clh", write_types},
  {"operator/identity.clh", write_identity},
  {"operator/lift.clh", write_lift},
  {"operator/combine.clh", write_combine},
  {"operator/follow.clh", write_follow},
  {"operator/move.clh", write_move},
  {"operator/lower.clh", write_lower},
  {"operator/lower_lanes.clh", write_lower_lanes},
  {"operator/narrow.clh", clr_operation_narrow},
  {"operator/widen.clh", clr_operation_widen},
};
