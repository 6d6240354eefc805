// A caller's text: names in it, whether its brackets, comments and strings end, and types of the tables.
#include "model/identifiers.h"

#include <ctype.h>
#include <string.h>

#include "base/status.h"

// --- Names ---

static bool begins_name(char c) {
  return isalpha((unsigned char)c) || c == '_';
}

static bool is_name(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static const char *skip_quoted(const char *at) {
  const char quote = *at++;
  while (*at && *at != quote && *at != '\n')
    at += at[0] == '\\' && at[1] ? 2 : 1;
  return *at == quote ? at + 1 : NULL;
}

// A line that ends in a backslash continues in the next line, also within a comment.
static const char *skip_line(const char *at) {
  const char *end = at + strcspn(at, "\n");
  while (*end && (end[-1] == '\\' || (end[-1] == '\r' && end[-2] == '\\')))
    end += 1 + strcspn(end + 1, "\n");
  return end;
}

const char *clr_skip_foreign(const char *at) {
  if (at[0] == '/' && at[1] == '/')
    return skip_line(at);
  if (at[0] == '/' && at[1] == '*') {
    const char *end = strstr(at + 2, "*/");
    return end ? end + 2 : NULL;
  }
  return *at == '"' || *at == '\'' ? skip_quoted(at) : at;
}

static size_t name_length(const char *at) {
  size_t length = 0;
  while (is_name(at[length]))
    length++;
  return length;
}

// Computes the line and column of `at` in `text`, and the length of the name that begins there.
static void find_place(const char *text, const char *at, struct clr_place *place) {
  const char *line = text;
  *place = (struct clr_place){at, name_length(at), 1, 1};
  for (const char *c = text; c < at; c++)
    if (*c == '\n')
      line = c + 1, place->line++;
  place->column = (unsigned)(at - line) + 1;
}

// Returns the next identifier outside comments and strings; NULL if there is none.
static const char *next_name(const char *at) {
  while (*at) {
    const char *after = clr_skip_foreign(at);
    if (!after || (after == at && begins_name(*at)))
      return after;
    at = after != at ? after : at + (isdigit((unsigned char)*at) ? name_length(at) : 1);
  }
  return NULL;
}

bool clr_find_reserved(const char *text, struct clr_place *place) {
  const char prefix[] = "clred_";
  for (const char *at = text; (at = next_name(at)) != NULL; at += name_length(at))
    if (strncmp(at, prefix, sizeof prefix - 1) == 0) {
      find_place(text, at, place);
      return true;
    }
  return false;
}

static bool has_name(const char *text, const char *name, size_t length) {
  for (const char *at = text; (at = next_name(at)) != NULL; at += name_length(at))
    if (name_length(at) == length && strncmp(at, name, length) == 0)
      return true;
  return false;
}

bool clr_find_macro_of(const char *text, const char *source, struct clr_place *place) {
  const char define[] = "define";
  const size_t length = sizeof define - 1;
  for (const char *at = text; (at = next_name(at)) != NULL; at += name_length(at)) {
    if (name_length(at) != length || strncmp(at, define, length) != 0)
      continue;
    const char *name = at + length + strspn(at + length, " \t");
    if (begins_name(*name) && has_name(source, name, name_length(name))) {
      find_place(text, name, place);
      return true;
    }
  }
  return false;
}

bool clr_is_body(const char *text) {
  const char *at = text, *after;
  do {
    at += strspn(at, " \t\r\n");
    after = clr_skip_foreign(at);
    if (!after || after == at)
      break;
    at = after;
  } while (*at);
  return *at == '{';
}

bool clr_returns(const char *text) {
  const char word[] = "return";
  return has_name(text, word, sizeof word - 1);
}

// True if an operator that assigns ends with the = at `at`: not ==, !=, <= or >=.
static bool is_assignment(const char *text, const char *at) {
  const char before = at > text ? at[-1] : 0;
  if (at[1] == '=' || (before && strchr("=!", before)))
    return false;
  return !before || !strchr("<>", before) || (at - text > 1 && at[-2] == before);
}

// Returns the end of the index or the braces that begin at `at`. The text is balanced.
static const char *skip_nested(const char *at) {
  int depth = 0;
  do {
    const char *after = clr_skip_foreign(at);
    depth += after == at && strchr("[{", *at) ? 1 : after == at && strchr("]}", *at) ? -1 : 0;
    at = after != at ? after : at + 1;
  } while (depth > 0);
  return at;
}

bool clr_find_assigned(const char *text, struct clr_place *place) {
  const char *name = NULL;
  for (const char *at = text, *after; *at; at = after) {
    after = clr_skip_foreign(at);
    if (after != at)
      continue;
    after = *at == '[' || *at == '{' ? skip_nested(at) : is_name(*at) ? at + name_length(at) : at + 1;
    if (begins_name(*at) && (at == text || (at[-1] != '.' && at[-1] != '>')))
      name = at;
    const bool steps = (*at == '+' || *at == '-') && at[1] == *at;
    if (!steps && (*at != '=' || !is_assignment(text, at)))
      continue;
    name = name ? name : next_name(at);
    find_place(text, name ? name : at, place);
    return true;
  }
  return false;
}

bool clr_is_identifier(const char *name) {
  return begins_name(*name) && name[name_length(name)] == 0;
}

void clr_trim(char *text) {
  size_t begin = strspn(text, " \t\r\n"), length = strlen(text + begin);
  memmove(text, text + begin, length + 1);
  while (length && isspace((unsigned char)text[length - 1]))
    text[--length] = 0;
}

// --- Brackets ---

#define DEPTH_MAX 64

struct nest {
  const char *open[DEPTH_MAX];
  size_t depth;
};

static char closing(char open) {
  return open == '(' ? ')' : open == '[' ? ']' : '}';
}

// Pushes or pops one bracket; false if it does not match.
static bool take_bracket(struct nest *nest, const char *at) {
  if (strchr("([{", *at)) {
    if (nest->depth == DEPTH_MAX)
      return false;
    nest->open[nest->depth++] = at;
    return true;
  }
  if (!nest->depth || closing(*nest->open[nest->depth - 1]) != *at)
    return false;
  nest->depth--;
  return true;
}

bool clr_find_unbalanced(const char *text, struct clr_place *place) {
  struct nest nest = {.depth = 0};
  bool fits = true;
  const char *at = text;
  while (*at && fits) {
    const char *after = clr_skip_foreign(at);
    fits = after && (after != at || !strchr("()[]{}", *at) || take_bracket(&nest, at));
    if (fits)
      at = after != at ? after : at + 1;
  }
  if (fits && !nest.depth)
    return false;
  find_place(text, fits ? nest.open[nest.depth - 1] : at, place);
  place->length = place->length ? place->length : 1;
  return true;
}

// --- Files of cl/ that a preamble includes ---

static const char *skip_blanks(const char *at) {
  return at + strspn(at, " \t");
}

// Returns the end of the word if it stands at `at` after blanks, otherwise NULL.
static const char *behind(const char *at, const char *word) {
  at = skip_blanks(at);
  return strncmp(at, word, strlen(word)) == 0 ? at + strlen(word) : NULL;
}

// True if only blanks stand before `at` in its line.
static bool begins_line(const char *text, const char *at) {
  while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
    at--;
  return at == text || at[-1] == '\n';
}

// Reads the directive that begins with the # at `at`; false if it includes no file of exact/.
static bool read_include(const char *text, const char *at, struct clr_included *found) {
  const char *directory = "exact/", *directive = behind(at + 1, "include");
  const char *name = directive ? behind(directive, "\"") : NULL;
  if (!name || strncmp(name, directory, strlen(directory)) != 0)
    return false;
  found->begin = at;
  find_place(text, name, &found->name);
  found->name.length = strcspn(name, "\"\n");
  found->end = name + found->name.length;
  found->end += *found->end == '"';
  return true;
}

bool clr_find_included(const char *text, const char *from, struct clr_included *found) {
  for (const char *at = text; *at;) {
    const char *after = clr_skip_foreign(at);
    if (!after)
      return false;
    if (at >= from && *at == '#' && begins_line(text, at) && read_include(text, at, found))
      return true;
    at = after != at ? after : at + 1;
  }
  return false;
}

// --- Types of the tables ---

enum clr_reading clr_custom_reading(const char *type) {
  struct clr_element element;
  clred_type known = clr_type_spelt(type);
  if (!known || !clr_element_make(known, &element) || element.components > 1 ||
      element.row->reading == CLR_READING_COMPLEX || strcmp(element.row->name, type) != 0)
    return CLR_READING_STRUCT;
  return element.row->reading;
}

bool clr_custom_is_storage(enum clr_reading reading) {
  return reading == CLR_READING_HALF || reading == CLR_READING_BFLOAT16;
}

size_t clr_custom_size(const char *type) {
  struct clr_element element;
  clred_type known = clr_type_spelt(type);
  return known && clr_element_make(known, &element) && strcmp(element.name, type) == 0 ? element.size : 0;
}

static bool is_of_doubles(const char *type) {
  struct clr_element element;
  clred_type known = type ? clr_type_spelt(type) : CLRED_TYPE_NONE;
  return known && clr_element_make(known, &element) && element.row->need == CLR_NEEDS_FP64;
}

static bool shape_needs_fp64(const struct clr_shape_of_type *shape) {
  for (size_t i = 0; i < shape->member_count; i++)
    if (shape->members[i].type == CLRED_TYPE_DOUBLE)
      return true;
  return is_of_doubles(shape->type);
}

bool clr_custom_needs_fp64(const struct clr_custom *custom) {
  bool needs = is_of_doubles(custom->element) || shape_needs_fp64(&custom->state) || shape_needs_fp64(&custom->result);
  for (size_t i = 0; i < custom->input_count; i++)
    needs |= is_of_doubles(custom->inputs[i].type);
  for (size_t i = 0; i < custom->parameter_count; i++)
    needs |= is_of_doubles(custom->parameters[i].type);
  return needs;
}

cl_int clr_custom_check_elementwise(const struct clr_custom *custom, struct clr_status *status) {
  struct clr_element element;
  bool scalar_state =
    custom->state.member_count || (custom->state.scalar && clr_element_make(custom->state.scalar, &element) &&
                                   element.components == 1 && element.row->reading == CLR_READING_PLAIN);
  if (!custom->elementwise)
    return CL_SUCCESS;
  if (!scalar_state)
    return clr_fail_operator(status, custom->name,
                             "elementwise needs a state that is a scalar or a list in braces, not %.60s",
                             custom->state.type);
  if (custom->reading == CLR_READING_STRUCT)
    return clr_fail_operator(status, custom->name, "elementwise needs elements that are scalars, not %.60s",
                             custom->element);
  for (size_t i = 0; i < custom->input_count; i++)
    if (custom->inputs[i].reading == CLR_READING_STRUCT)
      return clr_fail_operator(status, custom->name, "elementwise needs inputs that are scalars, not %.60s",
                               custom->inputs[i].type);
  return CL_SUCCESS;
}
