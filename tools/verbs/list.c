// clreduce list: prints the library's tables of operators, element types and strategies.
#include <clreduce_device.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/guess.h"
#include "base/json.h"
#include "base/value.h"
#include "base/wrap.h"
#include "cli/verbs.h"

// Name of the result type of an operator over a type; NULL if it is not defined.
static const char *result_name(const clred_op_info *op, clred_type element) {
  clred_type type;
  return clred_result_type(op->op, element, &type) == CL_SUCCESS ? type_name(type) : NULL;
}

// The result types of an operator over all element types, each once.
static void result_types_text(const clred_op_info *op, char *text, size_t size) {
  clred_type_info element;
  *text = '\0';
  for (size_t i = 0; clred_type_inspect((clred_type)(i + 1), &element) == CL_SUCCESS; i++) {
    const char *name = result_name(op, element.type);
    if (name != NULL && !list_has(text, " ", name, strlen(name)))
      list_append(text, size, " ", name);
  }
}

static void print_ops(void) {
  clred_op_info op;
  char results[256], text[512];
  printf("%-14s %-8s what it gives, and the types of its results\n", "operator", "elements");
  for (size_t i = 0; clred_op_inspect((clred_op)(i + 1), &op) == CL_SUCCESS; i++) {
    result_types_text(&op, results, sizeof results);
    snprintf(text, sizeof text, "%s: %s", op.summary, results);
    printf("%-14s %-8s ", op.name, op.integers_only ? "integers" : "any");
    wrap_print(text, 24, 24, table_width());
  }
  wrap_print("and of reduce alone: median, quantile:Q, and top:K and bottom:K, the largest and smallest elements", 0, 0,
             table_width());
}

static void add_result_types(cJSON *item, const clred_op_info *op) {
  clred_type_info element;
  cJSON *types = cJSON_AddObjectToObject(item, "result_types");
  for (size_t i = 0; clred_type_inspect((clred_type)(i + 1), &element) == CL_SUCCESS; i++) {
    const char *name = result_name(op, element.type);
    if (name != NULL)
      json_add_text(types, element.name, name);
  }
}

static bool add_op(size_t index, cJSON *item) {
  clred_op_info op;
  if (clred_op_inspect((clred_op)(index + 1), &op) != CL_SUCCESS)
    return false;
  json_add_text(item, "name", op.name);
  json_add_text(item, "summary", op.summary);
  json_add_truth(item, "integers_only", op.integers_only);
  json_add_truth(item, "commutative", op.commutative);
  json_add_count(item, "inputs", op.inputs);
  json_add_truth(item, "has_identity", op.has_identity);
  json_add_truth(item, "portable", op.portable);
  add_result_types(item, &op);
  return true;
}

static const char *class_of(const clred_type_info *type) {
  if (type->is_complex)
    return "complex";
  return type->floating ? "floating" : type->is_signed ? "signed" : "unsigned";
}

static void print_types(void) {
  clred_type_info type;
  printf("%-8s %-10s %5s  %s\n", "type", "NumPy's", "bytes", "class");
  for (size_t i = 0; clred_type_inspect((clred_type)(i + 1), &type) == CL_SUCCESS; i++)
    printf("%-8s %-10s %5zu  %s%s\n", type.name, type.numpy_name, type.size, class_of(&type),
           type.needs_fp64 ? ", needs a device with fp64" : "");
  puts("and vectors of 2, 3, 4, 8 or 16 of the first ten: float4");
}

static bool add_type(size_t index, cJSON *item) {
  clred_type_info type;
  if (clred_type_inspect((clred_type)(index + 1), &type) != CL_SUCCESS)
    return false;
  json_add_text(item, "name", type.name);
  json_add_text(item, "numpy_name", type.numpy_name);
  json_add_count(item, "size", type.size);
  json_add_text(item, "class", class_of(&type));
  json_add_truth(item, "floating", type.floating);
  json_add_truth(item, "signed", type.is_signed);
  json_add_truth(item, "complex", type.is_complex);
  json_add_count(item, "components", type.components);
  json_add_text(item, "component", type_info(type.component).name);
  json_add_truth(item, "needs_fp64", type.needs_fp64);
  return true;
}

static void print_strategies(void) {
  clred_strategy_info strategy;
  const int at = printf("%-23s %-7s %-5s ", "strategy", "work", "order");
  wrap_print("what it does; its finishes, the default first", (size_t)at, (size_t)at, table_width());
  for (size_t i = 0; clred_strategy_at(i, &strategy) == CL_SUCCESS; i++) {
    char text[512];
    snprintf(text, sizeof text, "%s", strategy.summary);
    for (size_t f = 0; strategy.finishes[f] != NULL; f++)
      snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", f == 0 ? "; " : ", ", strategy.finishes[f]);
    printf("%-23s %-7s %-5s ", strategy.name,
           strategy.scans    ? "scans"
           : strategy.counts ? "counts"
                             : "reduces",
           strategy.fixed_order ? "fixed" : "own");
    wrap_print(text, 38, 38, table_width());
  }
}

static bool add_strategy(size_t index, cJSON *item) {
  clred_strategy_info strategy;
  if (clred_strategy_at(index, &strategy) != CL_SUCCESS)
    return false;
  json_add_text(item, "name", strategy.name);
  json_add_text(item, "summary", strategy.summary);
  json_add_truth(item, "scans", strategy.scans);
  json_add_truth(item, "counts", strategy.counts);
  json_add_truth(item, "fixed_order", strategy.fixed_order);
  json_add_truth(item, "needs_bound", strategy.needs_bound);
  cJSON *finishes = cJSON_AddArrayToObject(item, "finishes");
  for (size_t f = 0; strategy.finishes[f] != NULL; f++)
    cJSON_AddItemToArray(finishes, cJSON_CreateString(strategy.finishes[f]));
  return true;
}

static const struct list {
  const char *name;
  const char *kind;
  void (*print)(void);
  bool (*add)(size_t index, cJSON *item);
} lists[] = {{"ops", "op", print_ops, add_op},
             {"types", "type", print_types, add_type},
             {"strategies", "strategy", print_strategies, add_strategy}};
enum { LIST_COUNT = sizeof lists / sizeof lists[0] };

static bool is_wanted(const struct list *list, const char *name) {
  return name == NULL || strcmp(list->name, name) == 0;
}

static void add_rows(cJSON *array, const struct list *list) {
  cJSON *item = cJSON_CreateObject();
  for (size_t i = 0; list->add(i, item); i++) {
    json_add_text(item, "kind", list->kind);
    cJSON_AddItemToArray(array, item);
    item = cJSON_CreateObject();
  }
  cJSON_Delete(item);
}

static int print_json(const char *name) {
  cJSON *array = cJSON_CreateArray();
  for (size_t i = 0; i < LIST_COUNT; i++)
    if (is_wanted(&lists[i], name))
      add_rows(array, &lists[i]);
  return json_print(array);
}

static int print_text(const char *name) {
  bool first = true;
  for (size_t i = 0; i < LIST_COUNT; i++)
    if (is_wanted(&lists[i], name)) {
      fputs(first ? "" : "\n", stdout);
      lists[i].print();
      first = false;
    }
  return EXIT_DONE;
}

int cmd_list(const struct args *args) {
  const char *name = args->operand_count == 0 ? NULL : args->operands[0];
  struct guess guess;
  bool known = false;
  for (size_t i = 0; i < LIST_COUNT; i++)
    known = known || is_wanted(&lists[i], name);
  if (!known)
    return fail(EXIT_BAD_USE, "list: unknown table '%s';%s give ops, types or strategies", name,
                guess_among(&guess, name, "ops,types,strategies"));
  return args->json ? print_json(name) : print_text(name);
}
