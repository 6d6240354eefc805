// The components of a value are stored one after the other.
#include "base/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

clred_type_info type_info(clred_type type) {
  clred_type_info info = {0};
  clred_type_inspect(type, &info);
  return info;
}

const char *type_name(clred_type type) {
  return type == CLRED_TYPE_NONE ? "struct" : type_info(type).name;
}

size_t value_size(clred_type type) {
  return type_info(type).size;
}

const void *value_component(const clred_type_info *type, const void *from, cl_uint component) {
  return (const char *)from + component * value_size(type->component);
}

void value_text(clred_type type, const void *from, char text[VALUE_TEXT_SIZE]) {
  const clred_type_info info = type_info(type);
  for (cl_uint i = 0; i < info.components; i++) {
    text += i == 0 ? 0 : strlen(text);
    if (i > 0)
      *text++ = ' ';
    number_text(info.component, value_component(&info, from, i), text);
  }
}

// Reads a number up to the next comma, with blanks around it. Returns where it ends; NULL if it is no such number.
static const char *take_number(clred_type type, const char *text, void *to) {
  text += strspn(text, " \t\n");
  size_t whole = strcspn(text, ","), length = whole;
  while (length > 0 && strchr(" \t\n", text[length - 1]) != NULL)
    length--;
  return number_parse_part(type, text, length, to) ? text + whole : NULL;
}

bool value_parse(clred_type type, const char *text, void *to) {
  const clred_type_info info = type_info(type);
  memset(to, 0, info.size);
  for (cl_uint i = 0; i < info.components; i++) {
    if (i > 0 && *text++ != ',')
      return false;
    text = take_number(info.component, text, (char *)to + i * value_size(info.component));
    if (text == NULL)
      return false;
  }
  return *text == '\0';
}

bool value_same(clred_type type, const void *a, const void *b) {
  const clred_type_info info = type_info(type);
  for (cl_uint i = 0; i < info.components; i++) {
    const void *x = value_component(&info, a, i), *y = value_component(&info, b, i);
    bool both_nan = isnan(number_as_double(info.component, x)) && isnan(number_as_double(info.component, y));
    if (!both_nan && memcmp(x, y, value_size(info.component)) != 0)
      return false;
  }
  return true;
}

// ---- Types by name

// "f4" for float32: a letter for the class, and the size in bytes. bfloat16 has no such name.
static bool is_short_name(const clred_type_info *row, const char *name) {
  char text[16];
  snprintf(text, sizeof text, "%c%zu", row->numpy_name[0], row->size);
  return strchr("iufc", row->numpy_name[0]) != NULL && strcmp(text, name) == 0;
}

bool type_of_numpy(const char *name, clred_type_info *type) {
  clred_type_info row;
  for (size_t i = 0; clred_type_inspect((clred_type)(i + 1), &row) == CL_SUCCESS; i++)
    if (strcmp(row.numpy_name, name) == 0 || is_short_name(&row, name)) {
      *type = row;
      return true;
    }
  return false;
}

// True for the row "float" and the name "float4".
static bool names_component(const clred_type_info *row, const char *name) {
  return strncmp(name, row->name, strlen(row->name)) == 0 && strcspn(name, "0123456789") == strlen(row->name);
}

bool type_of_opencl(const char *name, clred_type_info *type) {
  clred_type_info row, vector;
  for (size_t i = 0; clred_type_inspect((clred_type)(i + 1), &row) == CL_SUCCESS; i++) {
    if (strcmp(row.name, name) == 0) {
      *type = row;
      return true;
    }
    if (!names_component(&row, name))
      continue;
    unsigned long width = strtoul(name + strlen(row.name), NULL, 10);
    if (clred_type_inspect(CLRED_VECTOR(row.type, width & 0xff), &vector) == CL_SUCCESS &&
        strcmp(vector.name, name) == 0) {
      *type = vector;
      return true;
    }
  }
  return false;
}

bool type_of_either(const char *name, clred_type_info *type) {
  return type_of_numpy(name, type) || type_of_opencl(name, type);
}
