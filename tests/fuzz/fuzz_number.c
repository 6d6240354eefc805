// Numbers and values of every type, counts, generated data, lists of edges: the first byte chooses the type, the rest
// is the text.
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/value.h"
#include "fuzz.h"
#include "input/edges.h"
#include "input/generate.h"

// A value that can be read is printed so that it reads back to the same bits.
static void read_value(const clred_type_info *type, const char *text) {
  union value value = {{0}}, again = {{0}};
  char written[VALUE_TEXT_SIZE];
  if (!value_parse(type->type, text, value.bytes))
    return;
  value_text(type->type, value.bytes, written);
  for (char *space = written; (space = strchr(space, ' ')) != NULL;)
    *space = ',';
  PROMISE(value_parse(type->type, written, again.bytes));
  PROMISE(value_same(type->type, value.bytes, again.bytes));
}

static void generate(const clred_type_info *type, const char *text) {
  struct recipe recipe;
  union value piece[3];
  if (FUZZ_EXIT(generate_parse(text, type, &recipe)) == EXIT_DONE && recipe.count > 0)
    generate_piece(&recipe, piece, recipe.count - 1, 1, NULL);
}

static void take_edges(const clred_type_info *type, const char *text) {
  const struct args args = {.edges = text};
  struct edges edges;
  FUZZ_EXIT(edges_take(&edges, &args, type));
  edges_release(&edges);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  clred_type_info type, row;
  uint64_t count;
  size_t types = 0;
  if (size == 0)
    return 0;
  while (clred_type_inspect((clred_type)(types + 1), &row) == CL_SUCCESS)
    types++;
  clred_type_inspect((clred_type)(data[0] % types + 1), &row);
  static const cl_uint widths[] = {1, 1, 2, 3, 4, 8, 16};
  if (clred_type_inspect(CLRED_VECTOR(row.type, widths[data[0] / types % 7]), &type) != CL_SUCCESS)
    type = row;
  char *text = fuzz_text(data + 1, size - 1);
  read_value(&type, text);
  count_parse(text, strlen(text), &count);
  generate(&type, text);
  type_of_either(text, &row);
  if (type.components == 1 && !type.is_complex && strstr(text, ".npy") == NULL)
    take_edges(&type, text);
  free(text);
  return 0;
}
