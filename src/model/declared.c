// Reads the declarations of structs in a caller's preamble, to compute their layout.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "model/layout.h"

// --- Members ---

bool clr_layout_add(struct clr_layout *layout, const struct clr_type *type, unsigned components, const char *name) {
  size_t room = type->size * (components == 3 ? 4 : components);
  if (layout->run_count == CLR_RUNS_MAX)
    return false;
  struct clr_run *run = &layout->runs[layout->run_count++];
  *run = (struct clr_run){.type = type->id, .offset = clr_round_up(layout->size, room), .count = components};
  snprintf(run->name, sizeof run->name, "%s", name);
  layout->size = run->offset + room;
  layout->align = room > layout->align ? room : layout->align;
  return true;
}

bool clr_layout_add_array(struct clr_layout *layout, const struct clr_type *type, unsigned count, const char *name) {
  if (!clr_layout_add(layout, type, 1, name))
    return false;
  layout->runs[layout->run_count - 1].count = count;
  layout->size += (count - 1) * type->size;
  return true;
}

size_t clr_layout_end(const struct clr_layout *layout) {
  return clr_round_up(layout->size, layout->align ? layout->align : 1);
}

// --- Texts ---

// Limits the nesting of structs in structs and of typedefs of typedefs.
#define DEPTH_MAX 6
#define WORD_SIZE 64

struct reader {
  const char *text;  // without comments
  unsigned depth;
};

static bool add_named(const struct reader *reader, const char *type, const char *name, unsigned long count,
                      struct clr_layout *layout);

// ---------------------------------------------------------------- Words

static void blank_comments(char *text) {
  while ((text = strchr(text, '/')) != NULL) {
    char *end = text + 1;
    if (text[1] == '/')
      end = text + strcspn(text, "\n");
    else if (text[1] == '*')
      end = strstr(text + 2, "*/") ? strstr(text + 2, "*/") + 2 : text + strlen(text);
    if (end > text + 1)
      memset(text, ' ', (size_t)(end - text));
    text = end;
  }
}

static void skip_blanks(const char **at) {
  *at += strspn(*at, " \t\r\n");
}

static bool is_letter(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

// Reads the identifier at the cursor; "" if there is none.
static void take_word(const char **at, char *word) {
  size_t length = 0;
  for (skip_blanks(at); is_letter(**at); ++*at)
    if (length < WORD_SIZE - 1)
      word[length++] = **at;
  word[length] = 0;
  skip_blanks(at);
}

// Reads a type and shortens its spelling: "struct point" becomes "point", "unsigned int" becomes "uint".
static void take_type(const char **at, char *word) {
  take_word(at, word);
  if (strcmp(word, "struct") == 0) {
    take_word(at, word);
  } else if (strcmp(word, "unsigned") == 0) {
    char rest[WORD_SIZE];
    take_word(at, rest);
    snprintf(word, WORD_SIZE, "u%.*s", WORD_SIZE - 2, rest);
  }
}

// The next occurrence of this word; NULL if there is none.
static const char *find_word(const char *text, const char *at, const char *word) {
  size_t length = strlen(word);
  for (; (at = strstr(at, word)) != NULL; at++)
    if ((at == text || !is_letter(at[-1])) && !is_letter(at[length]))
      return at;
  return NULL;
}

// ---------------------------------------------------------------- Members

// Returns a number, or the value of a macro that is defined as a number; otherwise 0.
static unsigned long take_number(const struct reader *reader, const char **at) {
  char name[WORD_SIZE], *end;
  unsigned long number = strtoul(*at, &end, 10);
  if (end != *at) {
    *at = end;
    return number;
  }
  take_word(at, name);
  for (const char *other = reader->text; *name && (other = find_word(reader->text, other, "define")) != NULL; other++) {
    char macro[WORD_SIZE];
    const char *next = other + strlen("define");
    take_word(&next, macro);
    if (strcmp(macro, name) == 0)
      return strtoul(next, NULL, 10);
  }
  return 0;
}

// Returns the product of array lengths: 8 for "[4][2]"; 0 if a length is not a number.
static unsigned long take_dimensions(const struct reader *reader, const char **at) {
  unsigned long count = 1;
  while (**at == '[') {
    ++*at;
    unsigned long size = take_number(reader, at);
    skip_blanks(at);
    if (**at != ']' || size > CLR_STATE_SIZE_MAX || count > CLR_STATE_SIZE_MAX)
      return 0;
    count *= size;
    ++*at;
    skip_blanks(at);
  }
  return count;
}

// Reads one declaration such as "float x, y[3];".
static bool add_declaration(const struct reader *reader, const char **at, struct clr_layout *layout) {
  char type[WORD_SIZE], name[WORD_SIZE];
  take_type(at, type);
  do {
    *at += **at == ',';
    take_word(at, name);
    unsigned long count = take_dimensions(reader, at);
    if (!*name || !count || !add_named(reader, type, name, count, layout))
      return false;
  } while (**at == ',');
  if (**at != ';')
    return false;
  ++*at;
  skip_blanks(at);
  return true;
}

static bool add_members(const struct reader *reader, const char *body, const char *end, struct clr_layout *layout) {
  skip_blanks(&body);
  while (body < end)
    if (!add_declaration(reader, &body, layout))
      return false;
  return layout->run_count > 0;
}

// ---------------------------------------------------------------- Declarations

// Finds "struct tag { ... } name;" by either name and returns the text between its braces.
static bool find_struct(const struct reader *reader, const char *name, const char **body, const char **end) {
  char tag[WORD_SIZE], alias[WORD_SIZE];
  const char *at = reader->text;
  for (; (at = find_word(reader->text, at, "struct")) != NULL; at++) {
    const char *next = at + strlen("struct");
    take_word(&next, tag);
    *body = next + 1;
    *end = *next == '{' ? strpbrk(*body, "{}") : NULL;
    if (!*end || **end == '{')
      continue;
    next = *end + 1;
    take_word(&next, alias);
    if (*next == ';' && (strcmp(tag, name) == 0 || strcmp(alias, name) == 0))
      return true;
  }
  return false;
}

// Finds "typedef float4 name;".
static bool find_alias(const struct reader *reader, const char *name, char *type) {
  char alias[WORD_SIZE];
  const char *at = reader->text;
  for (; (at = find_word(reader->text, at, "typedef")) != NULL; at++) {
    const char *next = at + strlen("typedef");
    take_type(&next, type);
    take_word(&next, alias);
    if (*next == ';' && strcmp(alias, name) == 0)
      return true;
  }
  return false;
}

static bool resolve(const struct reader *reader, const char *type, struct clr_layout *layout) {
  struct clr_element element;
  char other[WORD_SIZE];
  const char *body, *end;
  const struct reader inner = {reader->text, reader->depth + 1};
  if (!*type || inner.depth > DEPTH_MAX)
    return false;
  if (clr_element_make(clr_type_spelt(type), &element) && strcmp(element.name, type) == 0 &&
      element.row->reading != CLR_READING_COMPLEX)
    return clr_layout_add(layout, element.row, element.components, "");
  if (find_struct(reader, type, &body, &end))
    return add_members(&inner, body, end, layout);
  return find_alias(reader, type, other) && resolve(&inner, other, layout);
}

// Appends one value of a known layout.
static bool append(const struct clr_layout *value, const char *name, struct clr_layout *layout) {
  size_t first = clr_round_up(layout->size, value->align);
  for (size_t i = 0; i < value->run_count; i++) {
    struct clr_run run = value->runs[i];
    struct clr_run *last = layout->run_count ? &layout->runs[layout->run_count - 1] : NULL;
    run.offset += first;
    if (!*run.name)
      strncpy(run.name, name, sizeof run.name - 1);
    // The elements of an array of scalars are one run.
    if (last && last->type == run.type && strcmp(last->name, run.name) == 0 && value->run_count == 1 &&
        last->offset + last->count * clr_type_row(run.type)->size == run.offset)
      last->count += run.count;
    else if (layout->run_count < CLR_RUNS_MAX)
      layout->runs[layout->run_count++] = run;
    else
      return false;
  }
  layout->size = first + clr_layout_end(value);
  layout->align = value->align > layout->align ? value->align : layout->align;
  return true;
}

static bool add_named(const struct reader *reader, const char *type, const char *name, unsigned long count,
                      struct clr_layout *layout) {
  struct clr_layout value = {.size = 0};
  bool is_good = resolve(reader, type, &value);
  for (unsigned long i = 0; i < count && is_good; i++)
    is_good = append(&value, name, layout);
  return is_good;
}

bool clr_layout_declared(const char *type, const char *text, struct clr_layout *layout) {
  char name[WORD_SIZE];
  char *copy = malloc(strlen(text) + 1);
  if (!copy)
    return false;
  strcpy(copy, text);
  blank_comments(copy);
  take_type(&type, name);
  bool is_good = !*type && resolve(&(struct reader){copy, 0}, name, layout);
  free(copy);
  return is_good;
}
