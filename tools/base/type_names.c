// Searches the library's table of types; vectors are searched by their component.

#include "base/type_names.h"

#include <stdlib.h>
#include <string.h>

bool type_of_numpy(const char *name, clred_type_info *type) {
  clred_type_info row;
  for (size_t i = 0; clred_type_inspect((clred_type)(i + 1), &row) == CL_SUCCESS; i++)
    if (strcmp(row.numpy_name, name) == 0) {
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
