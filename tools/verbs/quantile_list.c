// Reads lists of operators that have a median or quantiles among them, as in sum,median,quantile:0.05,0.95.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/number.h"
#include "base/wrap.h"
#include "operator/operation.h"
#include "verbs/quantile.h"

// ---- Words

// The number behind a comma continues the quantiles before it, also if it is none from 0 to 1.
static bool is_number(const char *word) {
  double value;
  return number_parse_part(CLRED_TYPE_DOUBLE, word, strlen(word), &value);
}

static bool is_quantile(const char *word) {
  return strncmp(word, "quantile:", strlen("quantile:")) == 0;
}

static int check_word(const struct quantile_list *list, const char *op, const char *word) {
  const char *chosen = strncmp(word, "top", 3) == 0 || strncmp(word, "bottom", 6) == 0 ? word : NULL;
  if (chosen != NULL && quantile_is_named(word))
    return fail(EXIT_BAD_USE, "'%s': %s gives places and elements, the others numbers; reduce it in a run of its own",
                op, word);
  if (strncmp(word, "median:", 7) == 0)
    return fail(EXIT_BAD_USE, "%s: median takes no number; give median, or quantile:Q", word);
  if (*word == '\0')
    return fail(EXIT_BAD_USE, "'%s': an operator is missing; put one comma between two operators, as in sum,median",
                op);
  if (strcmp(word, "quantile") == 0 || strcmp(word, "quantile:") == 0)
    return fail(EXIT_BAD_USE, "%s: the quantile is missing; give numbers from 0 to 1, as in quantile:0.99", word);
  for (size_t i = 0; i < list->count; i++)
    if (strcmp(list->words[i].name, word) == 0)
      return fail(EXIT_BAD_USE, "'%s': %s is given twice; give each operator once", op, word);
  if (list->count == QUANTILE_WORDS_MOST)
    return fail(EXIT_BAD_USE, "'%s': more than %d operators; give the rest in another run", op, QUANTILE_WORDS_MOST);
  return EXIT_DONE;
}

static int add_word(struct quantile_list *list, const char *op, const char *word, bool continues) {
  struct quantile_word *next = &list->words[list->count];
  char name[QUANTILE_NAME_SIZE];
  if ((size_t)snprintf(name, sizeof name, "%s%s", continues ? "quantile:" : "", word) >= sizeof name)
    return fail(EXIT_BAD_USE, "'%s': '%s' is no operator; it is too long", op, word);
  int code = check_word(list, op, name);
  if (code)
    return code;
  next->ranked = quantile_is_named(name);
  strcpy(next->name, name);
  list->count++;
  const char *item = !next->ranked ? name : is_quantile(name) ? name + strlen("quantile:") : "0.5";
  list_append(next->ranked ? list->quantiles : list->plain, list->room, ",", item);
  return EXIT_DONE;
}

int quantile_list_take(struct quantile_list *list, const char *op) {
  *list = (struct quantile_list){.room = 4 * strlen(op) + 1};  // 0.5 takes less room than median
  char *copy = malloc(list->room), *next = copy;
  list->plain = calloc(list->room, 1);
  list->quantiles = calloc(list->room, 1);
  int code = copy != NULL && list->plain != NULL && list->quantiles != NULL ? EXIT_DONE : fail_memory();
  if (!code)
    strcpy(copy, op);
  for (bool quantiles = false; !code && next != NULL;) {
    char *word = next;
    if ((next = strchr(word, ',')) != NULL)
      *next++ = '\0';
    const bool continues = quantiles && is_number(word);
    code = add_word(list, op, word, continues);
    quantiles = continues || is_quantile(word);
  }
  free(copy);
  return code;
}

void quantile_list_release(struct quantile_list *list) {
  free(list->plain);
  free(list->quantiles);
  *list = (struct quantile_list){.count = 0};
}

// ---- Which operators are such a list

// Calls `is` for each word up to its colon.
static bool has_word(const char *op, bool (*is)(const char *word)) {
  char word[QUANTILE_NAME_SIZE];
  for (const char *from = op; from != NULL; from = strchr(from, ',')) {
    from += *from == ',';
    snprintf(word, sizeof word, "%.*s", (int)strcspn(from, ",:"), from);
    if (is(word))
      return true;
  }
  return false;
}

static bool is_operator(const char *word) {
  return quantile_is_named(word) || clred_op_from_name(word) != CLRED_OP_NONE;
}

bool quantile_is_list(const char *op) {
  const char *comma = op == NULL ? NULL : strchr(op, ',');
  if (comma == NULL)
    return false;
  return is_quantile(op) ? has_word(comma + 1, is_operator) : has_word(op, quantile_is_named);
}
