#include "source/operation_text.h"

#include <string.h>

#include "model/identifiers.h"

// ---------------------------------------------------------------- Declarations

// The compiler's messages then name the caller's piece, its line and column. What follows stands in the piece's last
// line, so that what is missing there is missed there; not behind a comment, which would swallow it.
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

void clr_operation_declarations(const struct clr_operation *operation, struct clr_text *text) {
  const struct clr_custom *custom = operation->custom;
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

// A caller's body may change its arguments, which must stay as they are (cl/scan.clh): so it gets copies by the same
// names.
static void add_body(const char *piece, const char *words, const char *arguments, struct clr_text *text) {
  clr_text_format(text, "{\nKEEP_%s\n{\nOWN_%s\n", arguments, arguments);
  add_piece(piece, words, "", text);
  clr_text_append(text, "}\n}\n");
}

// A function from an expression, or from its body. `before` is what the expression may rely on, `convert` wraps it.
static void add_function(const char *head, const char *before, const char *convert, const char *piece,
                         const char *words, struct clr_text *text) {
  clr_text_append(text, head);
  clr_text_append(text, "\n");
  if (clr_is_body(words) && !*before) {
    const bool combines = strcmp(piece, "combine") == 0, lowers = strcmp(piece, "lower") == 0;
    if (combines || lowers)
      add_body(piece, words, combines ? "COMBINED" : "LOWERED", text);
    else
      add_piece(piece, words, "", text);
    return;
  }
  clr_text_format(text, "{\n%sreturn %s(", before, convert);
  add_piece(piece, words, ");", text);
  clr_text_append(text, "}\n");
}

// What a form's lift finds: values of the type arithmetic is done in.
static const char *before_lift(const struct clr_operation *operation) {
  if (operation->custom)
    return "";
  if (operation->form->domain == CLR_DOMAIN_COMPLEX)
    return "V(WIDE) x_re = TO(WIDE, element.even), x_im = TO(WIDE, element.odd);\n";
  return operation->form->inputs == 2 ? "V(WIDE) x = WIDENED(element), y = WIDENED(second);\n"
                                      : "V(WIDE) x = WIDENED(element);\n";
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

// Texts that look at indices are shorter where one side's are known to lie above the other's.
static bool tells_following(const struct clr_operation *operation) {
  return !operation->custom && clr_move_text(operation->form->op);
}

static void add_combine(const struct clr_operation *operation, const char *convert, const char *none,
                        struct clr_text *text) {
  const char *combine = words_of(operation).combine;
  clr_text_append(text, "#define FOLLOWS 0\n");
  add_function("COMBINE_HEAD", "", convert, "combine", combine, text);
  clr_text_append(text, "#undef FOLLOWS\n#define FOLLOWS 1\n");
  if (tells_following(operation))
    add_function("FOLLOW_HEAD", "", convert, "combine", combine, text);
  else
    clr_text_format(text, "FOLLOW_HEAD\n{\nreturn %s(a, b);\n}\n", none);
  clr_text_append(text, "#undef FOLLOWS\n");
}

static void add_move(const struct clr_operation *operation, struct clr_text *text) {
  if (clr_operation_move(operation))
    add_function("MOVE_HEAD", "", "", "move", clr_operation_move(operation), text);
}

// A lift that counts what the caller's text keeps, whatever number that says so by.
static void add_keep(const struct clr_operation *operation, struct clr_text *text) {
  add_function("KEEP_HEAD", "", "0 != ", clr_custom_lift_name(operation->custom), operation->custom->lift, text);
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

void clr_operation_single(const struct clr_operation *operation, struct clr_text *text) {
  struct words words = words_of(operation);
  bool padded = operation->element.components == 3;
  if (operation->custom && clr_is_body(words.identity)) {
    clr_text_append(text, "IDENTITY_HEAD\n{\nSTATE clred_made =");
    add_piece("identity", words.identity, ";", text);
    clr_text_append(text, "return clred_made;\n}\n");
  } else {
    add_function("IDENTITY_HEAD", "", "", "identity", words.identity, text);
  }
  if (operation->custom && operation->custom->keeping.keeps)
    add_keep(operation, text);
  else
    add_function("LIFT_HEAD", before_lift(operation), "", "lift", words.lift, text);
  add_combine(operation, "", "clred_combine", text);
  add_move(operation, text);
  if (operation->custom && operation->custom->keeping.keeps)
    return;
  if (padded)
    clr_text_format(text, "LOWER_HEAD\n{\nreturn (RESULT)((%s), 0);\n}\n", words.lower);
  else
    add_function("LOWER_HEAD", "", "", "lower", words.lower, text);
  if (operation->padded)
    add_padding(operation, text);
}

void clr_operation_lanes(const struct clr_operation *operation, bool narrow, struct clr_text *text) {
  struct words words = words_of(operation);
  bool converts = operation->custom && clr_lanes_form(operation) == CLR_LANES_VECTOR;
  const char *convert = converts ? "JOIN(JOIN(convert_, STATE), WIDTH)" : "";
  add_function("LIFT_HEAD", before_lift(operation), convert, "lift", words.lift, text);
  add_combine(operation, convert, "OF_WIDTH(clred_combine)", text);
  add_move(operation, text);
  if (clr_lowers_lanes(operation) && !narrow)
    add_function("LOWER_LANES_HEAD", "", "", "lower", words.lower, text);
}
