// The elements of a .npy file: a dtype such as '<f4', or the list of a structured array's fields, one of which is read.
#include <stdio.h>
#include <string.h>

#include "input/npy_words.h"

enum { DTYPE_SIZE = 48, FIELD_NAME_SIZE = 128, NAMES_SIZE = 160, STEP_MOST = 1 << 30 };

struct fields {
  bool found;              // the wanted one
  char names[NAMES_SIZE];  // of all, for messages
  bool full;               // no more fit
};

bool host_is_big_endian(void) {
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 0;
}

// ---- One dtype

// '<' and '>' name a byte order, '=' means the byte order of the machine, and '|' or nothing means none.
static const char *without_order(const char *dtype) {
  return dtype + (*dtype != '\0' && strchr("<>=|", *dtype) != NULL ? 1 : 0);
}

static bool is_swapped(char order) {
  return order == (host_is_big_endian() ? '<' : '>');
}

static bool take_elements(const struct cursor *cursor, const char *dtype, struct npy *npy) {
  static const char *const known[] = {"i1", "i2", "i4", "i8", "u1", "u2",  "u4",
                                      "u8", "f2", "f4", "f8", "c8", "c16", "b1"};
  const char *name = without_order(dtype);
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(name, known[i]) == 0) {
      npy->kind = name[0];
      npy->size = name[2] == '\0' ? (unsigned)(name[1] - '0') : 16;
      npy->swapped = npy->size > 1 && is_swapped(*dtype);
      return true;
    }
  if (*name == 'O')
    return npy_refuse(cursor->error, "holds pickled Python objects; save an array of numbers");
  return npy_refuse(cursor->error, "dtype '%s' cannot be reduced; i1 to i8, u1 to u8, f2 to f8, c8, c16 and b1 can",
                    dtype);
}

// Bytes of a value of any dtype, as 12 for '<U3'; larger than STEP_MOST if it is none, or pickled.
static uint64_t size_of_dtype(const char *dtype) {
  const char *name = without_order(dtype);
  uint64_t size = 0;
  if (*name == '\0' || strchr("iufcbSaVUmM", *name) == NULL)
    return UINT64_MAX;
  for (const char *digit = name + 1; *digit >= '0' && *digit <= '9' && size <= STEP_MOST; digit++)
    size = size * 10 + (uint64_t)(*digit - '0');
  return *name == 'U' ? 4 * size : size;
}

// ---- Fields

static bool malformed(const struct cursor *cursor) {
  return npy_refuse(cursor->error, "header: the fields of 'descr' are not a list such as [('x', '<f4'), ('y', '<i8')]");
}

// Padding has no name. Names that do not fit are left out.
static void add_name(struct fields *fields, const char *name) {
  size_t used = strlen(fields->names), room = sizeof fields->names - used;
  if (*name == '\0' || fields->full)
    return;
  fields->full = strlen(name) + sizeof ", " + sizeof ", ..." > room;
  snprintf(fields->names + used, room, "%s%s", used == 0 ? "" : ", ", fields->full ? "..." : name);
}

// A name, or a title and a name in parentheses.
static bool take_field_name(struct cursor *cursor, char name[FIELD_NAME_SIZE]) {
  bool titled = npy_take(cursor, '(');
  if (titled && !(npy_take_string(cursor, name, FIELD_NAME_SIZE) && npy_take(cursor, ',')))
    return false;
  return npy_take_string(cursor, name, FIELD_NAME_SIZE) && (!titled || npy_take(cursor, ')'));
}

// The shape of a field that has several values, after the comma; 1 if there is none.
static bool take_values(struct cursor *cursor, uint64_t *values) {
  *values = 1;
  if (!npy_take(cursor, '('))
    return true;
  while (!npy_take(cursor, ')')) {
    uint64_t length = 0;
    npy_skip_space(cursor);
    if (!npy_is_digit(cursor))
      return false;
    for (; npy_is_digit(cursor) && length <= STEP_MOST; cursor->at++)
      length = length * 10 + (uint64_t)(*cursor->at - '0');
    if (length > STEP_MOST || (*values *= length) > STEP_MOST)
      return false;
    npy_take(cursor, ',');
  }
  return true;
}

static bool take_wanted(struct cursor *cursor, struct npy *npy, struct fields *fields, const char *dtype, bool single) {
  fields->found = true;
  npy->offset = npy->step;
  if (!single)
    return npy_refuse(cursor->error, "field '%s' has several values in each element; name one with a single value",
                      cursor->field);
  return take_elements(cursor, dtype, npy);
}

// What follows '(': name, dtype, and maybe a shape.
static bool parse_field(struct cursor *cursor, struct npy *npy, struct fields *fields) {
  char name[FIELD_NAME_SIZE], dtype[DTYPE_SIZE];
  uint64_t values = 1;
  if (!take_field_name(cursor, name) || !npy_take(cursor, ','))
    return malformed(cursor);
  if (npy_take(cursor, '['))
    return npy_refuse(cursor->error, "field '%s' has fields of its own; save an array without such fields", name);
  if (!npy_take_string(cursor, dtype, sizeof dtype))
    return malformed(cursor);
  bool single = !npy_take(cursor, ',');
  if ((!single && !take_values(cursor, &values)) || !npy_take(cursor, ')'))
    return malformed(cursor);
  uint64_t size = size_of_dtype(dtype);
  if (size > STEP_MOST || npy->step + size * values > STEP_MOST)
    return npy_refuse(cursor->error, "field '%s' has the dtype '%s', which is pickled, unknown or too large", name,
                      dtype);
  add_name(fields, name);
  bool wanted = cursor->field != NULL && *name != '\0' && strcmp(name, cursor->field) == 0;
  if (wanted && !take_wanted(cursor, npy, fields, dtype, single))
    return false;
  npy->step += size * values;
  return true;
}

static bool parse_fields(struct cursor *cursor, struct npy *npy) {
  struct fields fields = {.found = false};
  bool comma = true;
  while (!npy_take(cursor, ']')) {
    if (!comma || !npy_take(cursor, '('))
      return malformed(cursor);
    if (!parse_field(cursor, npy, &fields))
      return false;
    comma = npy_take(cursor, ',');
  }
  if (cursor->field == NULL)
    return npy_refuse(cursor->error, "is a structured array; name a field by --field: %s", fields.names);
  return fields.found || npy_refuse(cursor->error, "has no field '%s'; its fields are %s", cursor->field, fields.names);
}

bool npy_parse_descr(struct cursor *cursor, struct npy *npy) {
  char dtype[DTYPE_SIZE];
  if (npy_take(cursor, '['))
    return parse_fields(cursor, npy);
  if (!npy_take_string(cursor, dtype, sizeof dtype))
    return npy_refuse(cursor->error, "header: 'descr' is not a dtype's name such as '<f4'");
  if (cursor->field != NULL)
    return npy_refuse(cursor->error, "is not a structured array and has no field '%s'; leave --field out",
                      cursor->field);
  npy->step = 0;
  if (!take_elements(cursor, dtype, npy))
    return false;
  npy->step = npy->size;
  return true;
}
