#include "planning/operation_text.h"

#include <string.h>

static void define_number(struct clr_text *text, const char *name, cl_ulong value)
{
  clr_text_format(text, "#define %s %llu\n", name, (unsigned long long)value);
}

static void define_text(struct clr_text *text, const char *name, const char *value)
{
  clr_text_append(text, "#define ");
  clr_text_append(text, name);
  clr_text_append(text, " ");
  clr_text_append(text, value);
  clr_text_append(text, "\n");
}

enum clr_lanes_form clr_lanes_form(const struct clr_operation *operation)
{
  bool has_fields = operation->custom ? operation->custom->state.fields != NULL : operation->form->state_fields != NULL;
  if (!operation->elementwise || operation->element.components > 1)
    return CLR_LANES_ARRAY;
  return has_fields ? CLR_LANES_FIELDS : CLR_LANES_VECTOR;
}

static const char *reading_name(enum clr_reading reading)
{
  static const char *const names[] = {[CLR_READING_PLAIN] = "PLAIN",
                                      [CLR_READING_HALF] = "HALF",
                                      [CLR_READING_BFLOAT16] = "BFLOAT16",
                                      [CLR_READING_COMPLEX] = "COMPLEX",
                                      [CLR_READING_STRUCT] = "STRUCT"};
  return names[reading];
}

// ---------------------------------------------------------------- Built-in operators

// What the device calls an arithmetic type, and what stands for it in LONG_MAX and its like.
struct kind_text {
  const char *name, *class, *bits, *key, *highest, *lowest;
  unsigned    size;
};
static const struct kind_text kinds[CLR_KINDS] = {
  [CLR_KIND_LONG] = {"long", "CLASS_SIGNED", "ulong", "long", "LONG_MAX", "LONG_MIN", 8},
  [CLR_KIND_ULONG] = {"ulong", "CLASS_UNSIGNED", "ulong", "ulong", "ULONG_MAX", "0", 8},
  [CLR_KIND_FLOAT] = {"float", "CLASS_FLOATING", "uint", "int", "INFINITY", "-INFINITY", 4},
  [CLR_KIND_DOUBLE] = {"double", "CLASS_FLOATING", "ulong", "long", "INFINITY", "-INFINITY", 8},
};

static void define_kind(const struct clr_operation *operation, struct clr_text *text)
{
  const struct kind_text *kind = &kinds[operation->kind], *real = &kinds[clr_kind_real(operation->kind)];
  clr_text_append(text, "#define CLASS_SIGNED 0\n#define CLASS_UNSIGNED 1\n#define CLASS_FLOATING 2\n");
  define_text(text, "WIDE", kind->name);
  define_text(text, "REAL", real->name);
  define_text(text, "KEY", kind->key);
  define_text(text, "WIDE_BITS", kind->bits);
  define_text(text, "WIDE_CLASS", kind->class);
  define_number(text, "WIDE_SIZE", kind->size);
  define_number(text, "REAL_SIZE", real->size);
  define_text(text, "HIGHEST", kind->highest);
  define_text(text, "LOWEST", kind->lowest);
  define_number(text, "IGNORES_NAN", operation->ignores_nan);
}

// A type of a form over one component: WIDE and REAL by the kind, others as they are.
static const char *type_in(const struct clr_operation *operation, const char *type)
{
  if (strcmp(type, "WIDE") == 0)
    return kinds[operation->kind].name;
  return strcmp(type, "REAL") == 0 ? kinds[clr_kind_real(operation->kind)].name : type;
}

// Members "F(type, name) F(type, name) " for macros over them, and as the arguments of a function that sets them.
static void define_fields(const char *name, const char *fields, struct clr_text *text)
{
  const char *separator = "";
  clr_text_format(text, "#define %s_FIELDS(F) ", name);
  clr_text_append(text, fields);
  clr_text_format(text, "\n#define %s_ARGUMENTS", name);
  for (const char *at = fields; (at = strchr(at, '(')) != NULL; at++) {
    int type = (int)strcspn(at + 1, ","), rest = (int)strcspn(at + 1 + type, ")");
    clr_text_format(text, "%s V(%.*s) %.*s", separator, type, at + 1, rest - 2, at + 1 + type + 2);
    separator = ",";
  }
  clr_text_append(text, "\n");
}

// A state or result: one value, a vector of them, or members.
static void define_type(const struct clr_operation *operation, const char *name, const char *type, const char *fields,
                        unsigned components, struct clr_text *text)
{
  if (fields)
    define_fields(name, fields, text);
  else if (components > 1)
    clr_text_format(text, "#define %s %s%u\n", name, type_in(operation, type), components);
  else
    define_text(text, name, type_in(operation, type));
}

static void define_form(const struct clr_operation *operation, struct clr_text *text)
{
  const struct clr_form *form = operation->form;
  const struct clr_element *element = &operation->element;
  const char *reading = element->components > 1 ? "STRUCT" : reading_name(element->row->reading);
  const char *type = element->components > 1 ? element->name : element->row->stored;
  define_kind(operation, text);
  define_text(text, "ELEMENT_READING", reading);
  define_text(text, "ELEMENT_TYPE", type);
  define_text(text, "ELEMENT_NAME", "element");
  define_type(operation, "STATE", form->state_type, form->state_fields, element->components, text);
  define_number(text, "RESULT_IS_STATE", 0);
  define_type(operation, "RESULT", form->result_type, form->result_fields, (unsigned)element->stride, text);
  if (form->inputs == 2)
    clr_text_format(text, "#define INPUTS(I) I(%s, %s, second)\n", reading, type);
  else
    define_text(text, "INPUTS(I)", "");
  define_text(text, "PARAMETERS(P)", "");
}

// ---------------------------------------------------------------- Operators of the caller's own

static void define_own_type(const char *name, const struct clr_shape_of_type *type, struct clr_text *text)
{
  if (type->fields)
    define_fields(name, type->fields, text);
  else
    define_text(text, name, type->scalar ? type->type : name[0] == 'S' ? "clred_own_state" : "clred_own_result");
}

// Two lists alike are one struct, so that a state may be given back as it is.
static bool result_is_state(const struct clr_custom *custom)
{
  return custom->state.fields && custom->result.fields && strcmp(custom->state.fields, custom->result.fields) == 0;
}

// Types that the tables do not know are declared by a name of ours, so that the compiler can say where they are wrong.
static void add_operand_type(const struct clr_operand *operand, struct clr_text *text)
{
  if (operand->reading == CLR_READING_STRUCT)
    clr_text_format(text, "clred_type_of_%s", operand->name);
  else
    clr_text_append(text, operand->type);
}

static void define_custom(const struct clr_custom *custom, struct clr_text *text)
{
  define_text(text, "ELEMENT_READING", reading_name(custom->reading));
  define_text(text, "ELEMENT_TYPE", custom->reading == CLR_READING_STRUCT ? "clred_own_element" : custom->element);
  define_text(text, "ELEMENT_NAME", "x");
  define_own_type("STATE", &custom->state, text);
  define_number(text, "RESULT_IS_STATE", result_is_state(custom));
  if (result_is_state(custom))
    define_text(text, "RESULT", "STATE");
  else
    define_own_type("RESULT", &custom->result, text);
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

// The compiler's messages then name the caller's piece, its line and column. What follows stands in the piece's last line, so
// that what is missing there is missed there; not behind a comment, which would swallow it.
static void add_piece(const char *piece, const char *words, const char *after, struct clr_text *text)
{
  clr_text_format(text, "\n#line 1 \"%s\"\n", piece);
  clr_text_append(text, words);
  clr_text_append(text, strstr(words, "//") ? "\n" : "");
  clr_text_append(text, after);
  clr_text_append(text, "\n#line 1 \"generated\"\n");
}

static void declare_type(const char *name, const char *piece, const char *type, struct clr_text *text)
{
  clr_text_append(text, "typedef");
  add_piece(piece, type, "", text);
  clr_text_format(text, "%s;\n", name);
}

static void declare_operand(const char *what, const struct clr_operand *operand, struct clr_text *text)
{
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

void clr_operation_declarations(const struct clr_operation *operation, struct clr_text *text)
{
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

static bool is_body(const char *words)
{
  return words[strspn(words, " \t\r\n")] == '{';
}

// A function from an expression, or from its body. `before` is what the expression may rely on, `convert` wraps it.
static void add_function(const char *head, const char *before, const char *convert, const char *piece, const char *words,
                         struct clr_text *text)
{
  clr_text_append(text, head);
  clr_text_append(text, "\n");
  if (is_body(words) && !*before) {
    add_piece(piece, words, "", text);
    return;
  }
  clr_text_format(text, "{\n%sreturn %s(", before, convert);
  add_piece(piece, words, ");", text);
  clr_text_append(text, "}\n");
}

// What a form's lift finds: values of the type arithmetic is done in.
static const char *before_lift(const struct clr_operation *operation)
{
  if (operation->custom)
    return "";
  if (operation->form->domain == CLR_DOMAIN_COMPLEX)
    return "V(WIDE) x_re = TO(WIDE, element.even), x_im = TO(WIDE, element.odd);\n";
  return operation->form->inputs == 2 ? "V(WIDE) x = TO(WIDE, element), y = TO(WIDE, second);\n"
                                      : "V(WIDE) x = TO(WIDE, element);\n";
}

struct words {
  const char *identity, *lift, *combine, *lower;
};

static struct words words_of(const struct clr_operation *operation)
{
  const struct clr_custom *custom = operation->custom;
  const struct clr_form *form = operation->form;
  if (!custom)
    return (struct words){form->identity, form->lift, form->combine, form->lower};
  return (struct words){custom->identity, custom->lift ? custom->lift : "x", custom->combine,
                        custom->lower ? custom->lower : "s"};
}

// Texts that look at indices are shorter where one side's are known to lie above the other's.
static bool tells_following(const struct clr_operation *operation)
{
  const char *combine = words_of(operation).combine;
  return !operation->custom && (strstr(combine, "IS_LESS") || strstr(combine, "IS_GREATER") || strstr(combine, "LESS_INDEX"));
}

static void add_combine(const struct clr_operation *operation, const char *convert, const char *none, struct clr_text *text)
{
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

static const char *move_of(const struct clr_operation *operation)
{
  return operation->form ? clr_move_text(operation->form->op) : NULL;
}

static void add_move(const struct clr_operation *operation, struct clr_text *text)
{
  if (move_of(operation))
    add_function("MOVE_HEAD", "", "", "move", move_of(operation), text);
}

void clr_operation_single(const struct clr_operation *operation, struct clr_text *text)
{
  struct words words = words_of(operation);
  bool padded = operation->element.components == 3;
  if (operation->custom && is_body(words.identity)) {
    clr_text_append(text, "IDENTITY_HEAD\n{\nSTATE clred_made =");
    add_piece("identity", words.identity, ";", text);
    clr_text_append(text, "return clred_made;\n}\n");
  } else {
    add_function("IDENTITY_HEAD", "", "", "identity", words.identity, text);
  }
  add_function("LIFT_HEAD", before_lift(operation), "", "lift", words.lift, text);
  add_combine(operation, "", "clred_combine", text);
  add_move(operation, text);
  if (padded)
    clr_text_format(text, "LOWER_HEAD\n{\nreturn (RESULT)((%s), 0);\n}\n", words.lower);
  else
    add_function("LOWER_HEAD", "", "", "lower", words.lower, text);
}

void clr_operation_lanes(const struct clr_operation *operation, struct clr_text *text)
{
  struct words words = words_of(operation);
  bool converts = operation->custom && clr_lanes_form(operation) == CLR_LANES_VECTOR;
  const char *convert = converts ? "JOIN(JOIN(convert_, STATE), WIDTH)" : "";
  add_function("LIFT_HEAD", before_lift(operation), convert, "lift", words.lift, text);
  add_combine(operation, convert, "OF_WIDTH(clred_combine)", text);
  add_move(operation, text);
}

void clr_operation_defines(const struct clr_operation *operation, struct clr_text *text)
{
  static const char *const forms[] = {
    [CLR_LANES_VECTOR] = "LANES_VECTOR", [CLR_LANES_FIELDS] = "LANES_FIELDS", [CLR_LANES_ARRAY] = "LANES_ARRAY"};
  clr_text_append(text, "#define LANES_VECTOR 0\n#define LANES_FIELDS 1\n#define LANES_ARRAY 2\n");
  define_text(text, "LANES_FORM", forms[clr_lanes_form(operation)]);
  define_number(text, "MOVES", move_of(operation) != NULL);
  define_number(text, "ELEMENT_SIZE", operation->element.size);
  define_number(text, "STATE_SIZE", operation->state_size);
  if (operation->state_size == 4 || operation->state_size == 8)
    define_text(text, "STATE_BITS", operation->state_size == 4 ? "uint" : "ulong");
  if (operation->needs_fp64)
    clr_text_append(text, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
  if (operation->custom)
    define_custom(operation->custom, text);
  else
    define_form(operation, text);
}
