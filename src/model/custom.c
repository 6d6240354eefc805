// Copies and checks a caller's operator or selection. Called when a problem is made.
#include "model/custom.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "model/identifiers.h"
#include "model/layout.h"

static cl_int copy(const char *text, char **to, struct clr_status *status) {
  *to = NULL;
  if (!text)
    return CL_SUCCESS;
  size_t size = strlen(text) + 1;
  *to = malloc(size);
  if (!*to)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while copying an operator");
  memcpy(*to, text, size);
  return CL_SUCCESS;
}

static bool is_blank(const char *text) {
  return !text || text[strspn(text, " \t\r\n")] == 0;
}

static cl_int complain(const char *name, const char *piece, const struct clr_place *place, const char *what,
                       struct clr_status *status) {
  return clr_fail_operator(status, name, "%s, line %u, column %u: '%.*s'%s", piece, place->line, place->column,
                           (int)(place->length < 60 ? place->length : 60), place->text, what);
}

// Checks that a piece is given, that its brackets match, and that it uses no name of the library.
static cl_int copy_piece(const clred_operator *given, const char *piece, const char *text, bool required, char **to,
                         struct clr_status *status) {
  struct clr_place place;
  if (required && is_blank(text))
    return clr_fail_operator(status, given->name, "%s is missing", piece);
  if (text && clr_find_reserved(text, &place))
    return complain(given->name, piece, &place, ": names that begin with clred_ are the library's", status);
  if (text && clr_find_unbalanced(text, &place))
    return complain(given->name, piece, &place, " has no counterpart", status);
  return copy(is_blank(text) ? NULL : text, to, status);
}

static cl_int check_size(const clred_operator *given, const char *what, size_t said, size_t known, size_t *size,
                         struct clr_status *status) {
  if (said && known && said != known)
    return clr_fail_operator(status, given->name, "%s is said to have %zu bytes on the host; it has %zu", what, said,
                             known);
  *size = known ? known : said;
  return CL_SUCCESS;
}

static cl_int copy_type(const clred_operator *given, const char *what, const char *text, size_t said,
                        struct clr_shape_of_type *type, struct clr_status *status) {
  cl_int err = copy_piece(given, what, text, true, &type->type, status);
  if (!err && type->type[strspn(type->type, " \t\r\n")] == '{') {
    err = clr_members_parse(given->name, what, type, status);
  } else if (!err) {
    clr_trim(type->type);
    if (clr_custom_is_storage(clr_custom_reading(type->type)))
      return clr_fail_operator(status, given->name, "%s cannot be %s, which exists only in memory; use float", what,
                               type->type);
    type->size = clr_custom_size(type->type);
    type->scalar = type->size ? clr_type_spelt(type->type) : CLRED_TYPE_NONE;
  }
  return err ? err : check_size(given, what, said, type->size, &type->size, status);
}

// Checks that the name of an input or parameter is unique, and that it is none of the names that every piece has (x,
// index, a, b, s).
static cl_int check_name(const clred_operator *given, const char *what, const clred_operand *operand,
                         struct clr_status *status) {
  static const char *const taken[] = {"x", "index", "a", "b", "s"};
  unsigned times = 0;
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
    if (strcmp(operand->name, taken[i]) == 0)
      return clr_fail_operator(status, given->name, "%s '%s': pieces already use this name; rename it", what,
                               operand->name);
  for (size_t i = 0; i < given->input_count; i++)
    times += given->inputs[i].name && strcmp(given->inputs[i].name, operand->name) == 0;
  for (size_t i = 0; i < given->parameter_count; i++)
    times += given->parameters[i].name && strcmp(given->parameters[i].name, operand->name) == 0;
  return times < 2
           ? CL_SUCCESS
           : clr_fail_operator(status, given->name, "%s '%.60s' is given twice; rename one", what, operand->name);
}

static cl_int copy_operand(const clred_operator *given, const char *what, const clred_operand *from,
                           struct clr_operand *to, struct clr_status *status) {
  if (!from->name || !clr_is_identifier(from->name) || is_blank(from->type))
    return clr_fail_operator(status, given->name, "%s '%.60s' needs a name that is an identifier, and a type", what,
                             from->name ? from->name : "");
  cl_int err = copy_piece(given, what, from->name, true, &to->name, status);
  if (!err)
    err = copy_piece(given, from->name, from->type, true, &to->type, status);
  if (!err)
    err = check_name(given, what, from, status);
  if (err)
    return err;
  clr_trim(to->type);
  to->reading = clr_custom_reading(to->type);
  return check_size(given, to->name, from->size, clr_custom_size(to->type), &to->size, status);
}

static cl_int copy_operands(const clred_operator *given, struct clr_custom *custom, struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  if (given->input_count > CLR_INPUTS_MAX || given->parameter_count > CLR_OPERANDS_MAX)
    return clr_fail_operator(status, given->name, "at most %d inputs and %d parameters are possible", CLR_INPUTS_MAX,
                             CLR_OPERANDS_MAX);
  if ((given->input_count && !given->inputs) || (given->parameter_count && !given->parameters))
    return clr_fail_operator(status, given->name, "%s is NULL",
                             given->input_count && !given->inputs ? "inputs" : "parameters");
  for (size_t i = 0; i < given->input_count && !err; i++, custom->input_count++)
    err = copy_operand(given, "input", &given->inputs[i], &custom->inputs[i], status);
  for (size_t i = 0; i < given->parameter_count && !err; i++, custom->parameter_count++) {
    err = copy_operand(given, "parameter", &given->parameters[i], &custom->parameters[i], status);
    if (!err && clr_custom_is_storage(custom->parameters[i].reading))
      err =
        clr_fail_operator(status, given->name, "parameter '%.60s' cannot be %s, which exists only in memory; use float",
                          custom->parameters[i].name, custom->parameters[i].type);
  }
  return err;
}

static cl_int copy_texts(const clred_operator *given, struct clr_custom *custom, struct clr_status *status) {
  const struct {
    const char *piece, *text;
    bool required;
    char **to;
  } pieces[] = {
    {"name", given->name, true, &custom->name},
    {"preamble", given->preamble, false, &custom->preamble},
    {"element", given->element, true, &custom->element},
    {"identity", given->identity, true, &custom->identity},
    {clr_custom_lift_name(custom), given->lift, false, &custom->lift},
    {"combine", given->combine, true, &custom->combine},
    {"lower", given->lower, false, &custom->lower},
  };
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces && !err; i++)
    err = copy_piece(given, pieces[i].piece, pieces[i].text, pieces[i].required, pieces[i].to, status);
  return err;
}

// A text that assigns to an element was probably meant to compare. Compilers report such an assignment in different
// ways.
static cl_int refuse_assignment(const struct clr_custom *custom, const char *piece, const char *text,
                                struct clr_status *status) {
  struct clr_place place;
  if (clr_is_body(text) || !clr_find_assigned(text, &place))
    return CL_SUCCESS;
  return complain(custom->name, piece, &place, " is constant and cannot be changed; == compares", status);
}

// Compilers only warn about a function body without return. The return may also be in a macro of the preamble.
static cl_int check_functions(const struct clr_custom *custom, struct clr_status *status) {
  const struct {
    const char *piece, *text;
  } pieces[] = {{clr_custom_lift_name(custom), custom->lift}, {"combine", custom->combine}, {"lower", custom->lower}};
  struct clr_place place;
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
    const char *text = pieces[i].text;
    cl_int err = text ? refuse_assignment(custom, pieces[i].piece, text, status) : CL_SUCCESS;
    if (err)
      return err;
    bool is_body = text && clr_is_body(text) && !clr_returns(text);
    if (is_body && !(custom->preamble && clr_find_macro_of(custom->preamble, text, &place)))
      return clr_fail_operator(status, custom->name, "%s is a function body without return; return its value",
                               pieces[i].piece);
  }
  return CL_SUCCESS;
}

static cl_int take_host(const clred_operator *given, struct clr_custom *custom, struct clr_status *status) {
  if (!given->host)
    return CL_SUCCESS;
  custom->host = *given->host;
  custom->has_host = custom->host.identity && custom->host.lift && custom->host.combine && custom->host.lower;
  return custom->has_host
           ? CL_SUCCESS
           : clr_fail_operator(status, custom->name, "host needs all of identity, lift, combine and lower");
}

// The files of cl/ that a preamble may include (docs/operators.md).
static const struct file {
  const char *name;
  bool needs_fp64;
} files[] = {{"exact/float_sum.clh", false}, {"exact/double_sum.clh", true}};

static const struct file *file_of(const struct clr_place *name) {
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    if (strlen(files[i].name) == name->length && strncmp(name->text, files[i].name, name->length) == 0)
      return &files[i];
  return NULL;
}

static cl_int take_included(struct clr_custom *custom, struct clr_status *status) {
  struct clr_included found;
  for (const char *at = custom->preamble; at && clr_find_included(custom->preamble, at, &found); at = found.end) {
    const struct clr_place *name = &found.name;
    const struct file *file = file_of(name);
    if (!file)
      return complain(custom->name, "preamble", name,
                      " is no file for operators; include exact/float_sum.clh or exact/double_sum.clh", status);
    custom->needs_fp64 |= file->needs_fp64;
  }
  return CL_SUCCESS;
}

const char *clr_custom_lift_name(const struct clr_custom *custom) {
  return custom->keeping.keeps ? "keep" : "lift";
}

static cl_int make(const clred_operator *given, struct clr_custom *custom, struct clr_status *status) {
  if (is_blank(given->name))
    return clr_fail_operator(status, NULL, "name is missing");
  cl_int err = copy_texts(given, custom, status);
  if (!err)
    err = check_functions(custom, status);
  if (!err)
    err = take_included(custom, status);
  if (!err) {
    clr_trim(custom->element);
    custom->reading = clr_custom_reading(custom->element);
    err = check_size(given, "element", given->element_size, clr_custom_size(custom->element), &custom->element_size,
                     status);
  }
  if (!err)
    err = copy_type(given, "state", given->state, given->state_size, &custom->state, status);
  if (!err)
    err = copy_type(given, "result", given->result ? given->result : given->state,
                    given->result_size ? given->result_size
                    : given->result    ? 0
                                       : given->state_size,
                    &custom->result, status);
  if (!err)
    err = copy_operands(given, custom, status);
  if (!err)
    err = clr_custom_check_elementwise(custom, status);
  custom->needs_fp64 |= !err && clr_custom_needs_fp64(custom);
  return err ? err : take_host(given, custom, status);
}

cl_int clr_custom_make(const clred_operator *given, struct clr_custom *custom, struct clr_status *status) {
  *custom = (struct clr_custom){.commutative = given->commutative, .elementwise = given->elementwise};
  return make(given, custom, status);
}

// Spells the type in OpenCL C. A complex number is a vector of two there.
static cl_int spell(clred_type type, struct clr_element *element, struct clr_status *status) {
  if (!clr_element_make(type, element))
    return clr_fail(status, CLRED_INVALID_PROBLEM, "type: %d is no value of clred_type", (int)type);
  if (element->row->class == CLR_COMPLEX)
    strcpy(element->name, element->row->wide == CLRED_TYPE_FLOAT ? "float2" : "double2");
  return CL_SUCCESS;
}

cl_int clr_custom_make_selection(const clred_selection *given, clred_type type, struct clr_keeping keeping,
                                 struct clr_custom *custom, struct clr_status *status) {
  struct clr_element element = {.name = ""};
  clred_operator counting = {.name = given->name,
                             .preamble = given->preamble,
                             .element = given->element,
                             .element_size = given->element_size,
                             .state = keeping.wide ? "ulong" : "uint",
                             .identity = "0",
                             .lift = given->keep,
                             .combine = "a + b",
                             .inputs = given->inputs,
                             .input_count = given->input_count,
                             .parameters = given->parameters,
                             .parameter_count = given->parameter_count};
  *custom = (struct clr_custom){.keeping = keeping, .keep = given->host, .keep_data = given->user_data};
  if (type && given->element)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "selection: element '%.60s' is given together with type",
                    given->element);
  cl_int err = type ? spell(type, &element, status) : CL_SUCCESS;
  if (err)
    return err;
  if (!given->element)
    counting.element = element.name;
  if (is_blank(given->keep) && !is_blank(given->name))
    return clr_fail_operator(status, given->name, "keep is missing");
  err = make(&counting, custom, status);
  custom->has_host = given->host != NULL;
  return err;
}

static void release_type(struct clr_shape_of_type *type) {
  free(type->type);
  clr_members_release(type);
}

void clr_custom_release(struct clr_custom *custom) {
  char *const texts[] = {custom->name,    custom->preamble, custom->identity, custom->lift,
                         custom->combine, custom->lower,    custom->element};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    free(texts[i]);
  release_type(&custom->state);
  release_type(&custom->result);
  for (size_t i = 0; i < CLR_INPUTS_MAX; i++)
    free(custom->inputs[i].name), free(custom->inputs[i].type);
  for (size_t i = 0; i < CLR_OPERANDS_MAX; i++)
    free(custom->parameters[i].name), free(custom->parameters[i].type);
  *custom = (struct clr_custom){0};
}
