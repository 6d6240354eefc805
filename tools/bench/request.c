// Lists separated by commas, item by item.
#include "bench/bench.h"

#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/number.h"
#include "input/input.h"
#include "operator/operation.h"

enum { USUAL_RUNS = 21, MOST_RUNS = 1000, SIZE_BITS_MAX = 40 };

// Takes one item of a list.
typedef int take_item(void *to, const char *item);

static int take_list(void *to, const char *what, const char *list, size_t most, take_item *take) {
  char item[BENCH_NAME_SIZE];
  size_t count = 0;
  int code = EXIT_DONE;
  do {
    size_t length = strcspn(list, ",");
    if (length == 0)
      return fail(EXIT_BAD_USE, "%s: an item of the list is empty", what);
    if (length >= sizeof item || count++ == most)
      return fail(EXIT_BAD_USE, "%s: '%.*s' is too long, or there are more than %zu", what, (int)length, list, most);
    snprintf(item, sizeof item, "%.*s", (int)length, list);
    code = take(to, item);
    list += length;
  } while (!code && *list++ == ',');
  return code;
}

// ---- Operators and types

static int take_op(void *to, const char *item) {
  struct bench_request *request = to;
  clred_op_info *op = &request->ops[request->op_count];
  struct guess guess;
  if (clred_op_inspect(clred_op_from_name(item), op) != CL_SUCCESS)
    return fail(EXIT_BAD_USE, "unknown operator '%s';%s 'clreduce list ops' lists them", item,
                operation_guess(&guess, item));
  if (op->inputs > 1)
    return fail(EXIT_BAD_USE, "bench: operator %s reads %u inputs; give operators of one", op->name, op->inputs);
  request->op_count++;
  return EXIT_DONE;
}

static int take_type(void *to, const char *item) {
  struct bench_request *request = to;
  return input_type_named(item, &request->types[request->type_count++]);
}

static int check_pairs(const struct bench_request *request) {
  clred_type result;
  for (size_t i = 0; i < request->op_count; i++)
    for (size_t j = 0; j < request->type_count; j++)
      if (clred_result_type(request->ops[i].op, request->types[j].type, &result) != CL_SUCCESS)
        return fail(EXIT_BAD_USE, "operator %s is not defined for elements of type %s; leave one of them out",
                    request->ops[i].name, request->types[j].name);
  return EXIT_DONE;
}

// ---- Strategies

static bool reduces_a_line(const clred_strategy_info *row) {
  return !row->scans && !row->counts && (row->layouts & 1u << CLRED_LAYOUT_LINE) != 0;
}

static int check_strategy(const char *name) {
  clred_strategy_info row;
  struct guess guess;
  bool known = strcmp(name, "auto") == 0;
  guess_begin(&guess, name);
  for (size_t i = 0; clred_strategy_at(i, &row) == CL_SUCCESS; i++)
    if (reduces_a_line(&row)) {
      known = known || strcmp(row.name, name) == 0;
      guess_offer(&guess, row.name);
    }
  return known ? EXIT_DONE
               : fail(EXIT_BAD_USE,
                      "--strategy: '%s' is no strategy that reduces a line;%s 'clreduce list strategies' lists them",
                      name, guess.text);
}

static bool take_order(const char *order, clred_order *value) {
  *value = strcmp(order, "any") == 0     ? CLRED_ORDER_ANY
           : strcmp(order, "fixed") == 0 ? CLRED_ORDER_FIXED
           : strcmp(order, "exact") == 0 ? CLRED_ORDER_EXACT
                                         : CLRED_ORDER_DEFAULT;
  return *order == '\0' || *value != CLRED_ORDER_DEFAULT;
}

static int take_strategy(void *to, const char *item) {
  struct bench_request *request = to;
  struct bench_strategy *strategy = &request->strategies[request->strategy_count++];
  const char *order = item + strcspn(item, ":");
  const char *finish = item + strcspn(item, "+:");
  size_t which;
  snprintf(strategy->spelt, sizeof strategy->spelt, "%s", item);
  snprintf(strategy->name, sizeof strategy->name, "%.*s", (int)(finish - item), item);
  if (*finish == '+')
    snprintf(strategy->finish, sizeof strategy->finish, "%.*s", (int)(order - finish - 1), finish + 1);
  if (!take_order(*order == ':' ? order + 1 : order, &strategy->order))
    return fail(EXIT_BAD_USE, "--strategy %s: the order is fixed, any or exact", item);
  int code = check_strategy(strategy->name);
  return !code && *strategy->finish != '\0' ? args_take_word("finish", "finish", strategy->finish, &which) : code;
}

// ---- Sizes

// Decimal digits, or 2^ and decimal digits.
static bool parse_size(const char *text, size_t length, uint64_t *size) {
  bool power = length > 2 && memcmp(text, "2^", 2) == 0;
  size_t before = power ? 2 : 0;
  if (!count_parse(text + before, length - before, size))
    return false;
  if (power && *size <= SIZE_BITS_MAX)
    *size = (uint64_t)1 << *size;
  else if (power)
    return false;
  return *size > 0 && *size <= (uint64_t)1 << SIZE_BITS_MAX;
}

static int bad_size(const struct bench_sizes *sizes, const char *item) {
  return fail(EXIT_BAD_USE, "%s: '%s' is no size; give digits, 2^K up to 2^%d, or FIRST..LAST[:FACTOR]", sizes->option,
              item, SIZE_BITS_MAX);
}

// The sizes are in increasing order. The same size twice would be two rows with one name.
static int add_size(struct bench_sizes *sizes, uint64_t size) {
  size_t place = sizes->count;
  while (place > 0 && sizes->list[place - 1] > size)
    place--;
  if (place > 0 && sizes->list[place - 1] == size)
    return EXIT_DONE;
  if (sizes->count == BENCH_SIZES_MAX)
    return fail(EXIT_BAD_USE, "%s: there are more than %d", sizes->option, BENCH_SIZES_MAX);
  memmove(sizes->list + place + 1, sizes->list + place, (sizes->count++ - place) * sizeof *sizes->list);
  sizes->list[place] = size;
  return EXIT_DONE;
}

static int take_range(struct bench_sizes *sizes, const char *item, const char *dots) {
  const char *colon = dots + strcspn(dots, ":");
  uint64_t first, last, factor = 4;
  int code = EXIT_DONE;
  if (!parse_size(item, (size_t)(dots - item), &first) || !parse_size(dots + 2, (size_t)(colon - dots - 2), &last) ||
      first > last || (*colon == ':' && (!count_parse(colon + 1, strlen(colon + 1), &factor) || factor < 2)))
    return bad_size(sizes, item);
  for (uint64_t size = first; size < last && !code; size = size > last / factor ? last : size * factor)
    code = add_size(sizes, size);
  return code ? code : add_size(sizes, last);
}

static int take_size(void *to, const char *item) {
  const char *dots = strstr(item, "..");
  uint64_t size;
  if (dots != NULL)
    return take_range(to, item, dots);
  return parse_size(item, strlen(item), &size) ? add_size(to, size) : bad_size(to, item);
}

static int take_numbers(struct bench_request *request, const struct args *args) {
  request->runs = args->repeat.given ? args->repeat.value : USUAL_RUNS;
  request->slower = 0.9;
  if (request->runs > MOST_RUNS)
    return fail(EXIT_BAD_USE, "--repeat: %llu is too many; give up to %d", (unsigned long long)request->runs,
                MOST_RUNS);
  if (args->fail_below != NULL && !(number_parse(CLRED_TYPE_DOUBLE, args->fail_below, &request->slower) &&
                                    request->slower > 0 && request->slower <= 1))
    return fail(EXIT_BAD_USE, "--fail-below: '%s' is not a share; give a number above 0 and up to 1", args->fail_below);
  return EXIT_DONE;
}

int bench_sizes_take(struct bench_sizes *sizes, const char *option, const char *list) {
  sizes->option = option;
  return take_list(sizes, option, list, BENCH_SIZES_MAX, take_size);
}

// Strategies that name no order get the one of --order.
static int take_usual_order(struct bench_request *request, const char *word) {
  clred_order usual = CLRED_ORDER_DEFAULT;
  if (word != NULL && (*word == '\0' || !take_order(word, &usual)))
    return fail(EXIT_BAD_USE, "--order: unknown order '%s'; give fixed, any or exact", word);
  for (size_t i = 0; i < request->strategy_count; i++)
    if (request->strategies[i].order == CLRED_ORDER_DEFAULT)
      request->strategies[i].order = usual;
  return EXIT_DONE;
}

int bench_request_take(struct bench_request *request, const struct args *args) {
  const char *op = args_op(args), *type = args->type, *strategy = args->strategy;
  size_t clock = BENCH_WALL;  // the words are in the order of the enumeration
  *request = (struct bench_request){.args = args};
  int code = take_list(request, "OP", op == NULL ? "sum" : op, BENCH_LIST_MAX, take_op);
  code = code ? code : take_list(request, "--type", type == NULL ? "float" : type, BENCH_LIST_MAX, take_type);
  code = code ? code : check_pairs(request);
  if (!code)
    code = take_list(request, "--strategy", strategy == NULL ? "auto" : strategy, BENCH_LIST_MAX, take_strategy);
  code = code ? code : take_usual_order(request, args->order);
  if (!code && args->sizes != NULL)
    code = bench_sizes_take(&request->sizes, "--sizes", args->sizes);
  code = code ? code : args_take_word("clock", "clock", args->clock, &clock);
  request->clock = (enum bench_clock)clock;
  return code ? code : take_numbers(request, args);
}
