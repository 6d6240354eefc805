// Parses lists of members of a caller's state or result.
#include "model/members.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/identifiers.h"

static const char blanks[] = " \t\r\n";

static cl_int complain(const char *name, const char *what, const char *at, struct clr_status *status) {
  size_t length = strcspn(at, ";}");
  return clr_fail_operator(
    status, name, "%s: '%.*s' should be a scalar type and a name of its own, as in { float value; ulong index; }", what,
    (int)(length < 60 ? length : 60), at);
}

// Reads one member "type name" of this length. `name` has enough memory for it; the member keeps it, or it is released.
static bool parse_member(const char *at, size_t length, char *name, clred_part *member, struct clr_element *element) {
  char type[16] = "";
  size_t letters = strcspn(at, blanks);
  if (letters < sizeof type && letters < length) {
    memcpy(type, at, letters);
    memcpy(name, at + letters, length - letters);
    name[length - letters] = 0;
    clr_trim(name);
    *member = (clred_part){.name = name, .type = clr_type_spelt(type)};
    if (member->type && clr_element_make(member->type, element) && element->components == 1 &&
        element->row->reading == CLR_READING_PLAIN && strcmp(element->row->name, type) == 0 && clr_is_identifier(name))
      return true;
  }
  free(name);
  *member = (clred_part){0};
  return false;
}

static bool has_member(const struct clr_shape_of_type *type, const char *name) {
  for (size_t i = 0; i < type->member_count; i++)
    if (strcmp(type->members[i].name, name) == 0)
      return true;
  return false;
}

// Sets the offsets of C and OpenCL C: each member is aligned to its size, the struct's size to the largest member.
static void lay_out(struct clr_shape_of_type *type, size_t *align, const struct clr_element *element) {
  clred_part *member = &type->members[type->member_count++];
  member->offset = (type->size + element->size - 1) / element->size * element->size;
  type->size = member->offset + element->size;
  *align = element->size > *align ? element->size : *align;
}

cl_int clr_members_parse(const char *name, const char *what, struct clr_shape_of_type *type,
                         struct clr_status *status) {
  struct clr_text fields = {0};
  size_t align = 1;
  const char *at = strchr(type->type, '{') + 1;
  for (at += strspn(at, blanks); *at && *at != '}'; at += strspn(at, blanks)) {
    struct clr_element element;
    size_t length = strcspn(at, ";}");
    if (type->member_count == CLR_MEMBERS_MAX) {
      clr_text_release(&fields);
      return clr_fail_operator(status, name, "%s: a list has at most %d members", what, CLR_MEMBERS_MAX);
    }
    if (at[length] != ';') {
      clr_text_release(&fields);
      return clr_fail_operator(status, name, "%s: a ';' is missing after '%.*s'", what,
                               (int)(length < 60 ? length : 60), at);
    }
    char *room = malloc(length + 1);
    if (!room) {
      clr_text_release(&fields);
      return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while copying an operator");
    }
    if (!parse_member(at, length, room, &type->members[type->member_count], &element) ||
        has_member(type, type->members[type->member_count].name)) {
      clr_text_release(&fields);
      return complain(name, what, at, status);
    }
    clr_text_format(&fields, "F(%s, %s) ", element.row->name, type->members[type->member_count].name);
    lay_out(type, &align, &element);
    at += length + 1;
  }
  type->fields = fields.bytes;
  if (*at != '}' || at[1 + strspn(at + 1, blanks)] || !type->member_count)
    return complain(name, what, type->type, status);
  if (fields.failed)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while copying an operator");
  type->size = (type->size + align - 1) / align * align;
  free(type->type);
  type->type = NULL;
  return CL_SUCCESS;
}

void clr_members_release(struct clr_shape_of_type *type) {
  // We allocated the names ourselves; only their users see them as const.
  for (size_t i = 0; i < CLR_MEMBERS_MAX; i++) {
    union {
      const char *read;
      char *owned;
    } name = {type->members[i].name};
    free(name.owned);
  }
}
