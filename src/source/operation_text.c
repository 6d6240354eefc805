// Writes the files of a program that are made of the operator's texts.

#include <string.h>

#include "model/identifiers.h"
#include "source/generated.h"

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

// Appends the caller's preamble. resolve.c expands the files of cl/ that it includes, so these #include stand outside
// the piece.
static void add_preamble(const char *preamble, struct clr_text *text) {
  struct clr_text piece = {0};
  struct clr_included found;
  const char *at = preamble;
  for (; clr_find_included(preamble, at, &found); at = found.end) {
    clr_text_add(&piece, at, (size_t)(found.begin - at));
    clr_text_format(&piece, "\n#line 1 \"generated\"\n#include \"%.*s\"\n#line %u \"preamble\"\n",
                    (int)found.name.length, found.name.text, found.name.line);
  }
  clr_text_append(&piece, at);
  text->failed |= piece.failed;
  if (!text->failed)
    add_piece("preamble", piece.bytes ? piece.bytes : "", "", text);
  clr_text_release(&piece);
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

// A caller's text on vectors may give values of another type, for example from a comparison. These values are converted
// to the state's type.
static void convert_lanes(const struct clr_operation *operation, struct clr_text *text) {
  const bool converts = operation->custom && operation->lanes_form == CLR_LANES_VECTOR;
  clr_define_text(text, "TO_STATE", converts ? "IF_SINGLE(, JOIN(JOIN(convert_, STATE), WIDTH))" : "");
}

// Long integers, and the words of texts on them.
void clr_operation_words(const struct clr_operation *operation, struct clr_text *text) {
  if (operation->words)
    clr_text_format(text, "#include \"%s\"\n", operation->words);
}

// Declares the types of an operator's texts.
static void write_types(const struct clr_operation *operation, struct clr_text *text) {
  const struct clr_custom *custom = operation->custom;
  convert_lanes(operation, text);
  clr_operation_words(operation, text);
  if (!custom)
    return;
  if (custom->preamble)
    add_preamble(custom->preamble, text);
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

// A function of the operation: its head (cl/common/operator.clh), and the operator's text for it.
struct function {
  const char *head, *piece, *words;
  const char *before;     // lines in front of a built-in text
  const char *convert;    // what wraps a caller's expression
  const char *arguments;  // the suffix of KEEP_ and OWN_; NULL: a caller's body needs no copies of the arguments
};

// A caller's body may change its arguments, but their values are used later (cl/scan/scan.clh). So the body gets copies
// with the same names.
static void add_body(const struct function *function, struct clr_text *text) {
  if (function->arguments)
    clr_text_format(text, "{\nKEEP_%s\n{\nOWN_%s\n", function->arguments, function->arguments);
  add_piece(function->piece, function->words, "", text);
  if (function->arguments)
    clr_text_append(text, "}\n}\n");
}

static void add_function(const struct clr_operation *operation, const struct function *function,
                         struct clr_text *text) {
  clr_text_format(text, "%s\n", function->head);
  if (!operation->custom) {
    clr_text_format(text, "{\n%s  return (", function->before ? function->before : "");
    clr_text_append(text, function->words);
    clr_text_append(text, ");\n}\n");
  } else if (clr_is_body(function->words)) {
    add_body(function, text);
  } else {
    clr_text_format(text, "{\nreturn %s(", function->convert);
    add_piece(function->piece, function->words, ");", text);
    clr_text_append(text, "}\n");
  }
}

// Declares the values that a form's lift reads, in the type of the arithmetic.
const char *clr_before_lift(const struct clr_operation *operation) {
  if (operation->custom)
    return "";
  const bool is_pair = operation->form->inputs == 2;
  if (operation->form->domain != CLR_DOMAIN_COMPLEX)
    return is_pair ? "  V(WIDE) x = WIDENED(element), y = WIDENED(second);\n" : "  V(WIDE) x = WIDENED(element);\n";
  return is_pair ? "  V(WIDE) x_re = TO(WIDE, element.even), x_im = TO(WIDE, element.odd);\n"
                   "  V(WIDE) y_re = TO(WIDE, second.even), y_im = TO(WIDE, second.odd);\n"
                 : "  V(WIDE) x_re = TO(WIDE, element.even), x_im = TO(WIDE, element.odd);\n";
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

// A lift that counts the elements for which the caller's text is not 0.
static void add_keep(const struct clr_operation *operation, struct clr_text *text) {
  const struct clr_custom *custom = operation->custom;
  const struct function keep = {"KEEP_HEAD", clr_custom_lift_name(custom), custom->lift, .convert = "0 != "};
  add_function(operation, &keep, text);
  clr_text_append(text, "LIFT_HEAD\n{\nreturn clred_keep(ELEMENT_NAME, index BEFORE_NAME INPUTS(INPUT_NAME) "
                        "PARAMETERS(PARAMETER_NAME)) != 0;\n}\n");
}

// Sets the bytes between the members of results to 0, so that equal results have equal bytes. From here on results are
// arrays of words, which compilers copy as a whole.
void clr_operation_padding(const struct clr_operation *operation, struct clr_text *text) {
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
  const char *words = words_of(operation).identity;
  const struct function identity = {"IDENTITY_HEAD", "identity", words, .convert = "TO_STATE"};
  if (!operation->custom || !clr_is_body(words)) {
    add_function(operation, &identity, text);
    return;
  }
  clr_text_append(text, "IDENTITY_HEAD\n{\nSTATE clred_made =");
  add_piece("identity", words, ";", text);
  clr_text_append(text, "return clred_made;\n}\n");
}

static void write_lift(const struct clr_operation *operation, struct clr_text *text) {
  const struct function lift = {"LIFT_HEAD", "lift", words_of(operation).lift, .before = clr_before_lift(operation),
                                .convert = "TO_STATE"};
  if (operation->custom && operation->custom->keeping.keeps)
    add_keep(operation, text);
  else
    add_function(operation, &lift, text);
}

static void add_combine(const struct clr_operation *operation, const char *head, bool follows, struct clr_text *text) {
  const struct function combine = {head, "combine", words_of(operation).combine, .convert = "TO_STATE",
                                   .arguments = "COMBINED"};
  clr_define_number(text, "FOLLOWS", follows);
  add_function(operation, &combine, text);
  clr_text_append(text, "#undef FOLLOWS\n");
}

static void write_combine(const struct clr_operation *operation, struct clr_text *text) {
  add_combine(operation, "COMBINE_HEAD", false, text);
}

static void write_follow(const struct clr_operation *operation, struct clr_text *text) {
  if (operation->moves)
    add_combine(operation, "FOLLOW_HEAD", true, text);
}

static void write_move(const struct clr_operation *operation, struct clr_text *text) {
  const struct function move = {.head = "MOVE_HEAD", .piece = "move", .words = operation->move};
  if (move.words)
    add_function(operation, &move, text);
}

static void write_normal(const struct clr_operation *operation, struct clr_text *text) {
  if (operation->form && operation->form->normal)
    add_function(operation,
                 &(const struct function){.head = "NORMAL_HEAD", .piece = "normal", .words = operation->form->normal},
                 text);
}

static void add_lower(const struct clr_operation *operation, const char *head, struct clr_text *text) {
  const struct function lower = {head, "lower", words_of(operation).lower, .convert = "", .arguments = "LOWERED"};
  add_function(operation, &lower, text);
}

// A selection has no lower. The result of a vector of three has the size of four.
static void write_lower(const struct clr_operation *operation, struct clr_text *text) {
  if (operation->custom && operation->custom->keeping.keeps)
    return;
  if (operation->element.components == 3)
    clr_text_format(text, "LOWER_HEAD\n{\nreturn (RESULT)((%s), 0);\n}\n", words_of(operation).lower);
  else
    add_lower(operation, "LOWER_HEAD", text);
  if (operation->padded)
    clr_operation_padding(operation, text);
}

static void write_lower_lanes(const struct clr_operation *operation, struct clr_text *text) {
  if (operation->lowers_lanes)
    add_lower(operation, "LOWER_LANES_HEAD", text);
}

const struct clr_operation_file clr_operation_files[] = {
  {"operator/types.clh", write_types},
  {"operator/members.clh", NULL},
  {"operator/identity.clh", write_identity},
  {"operator/lift.clh", write_lift},
  {"operator/combine.clh", write_combine},
  {"operator/follow.clh", write_follow},
  {"operator/move.clh", write_move},
  {"operator/normal.clh", write_normal},
  {"operator/lower.clh", write_lower},
  {"operator/lower_lanes.clh", write_lower_lanes},
  {"operator/narrow.clh", clr_operation_narrow},
  {"operator/widen.clh", clr_operation_widen},
};
