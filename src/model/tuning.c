// The numbers that measuring may choose, and the rows of measured numbers that a runtime keeps.
#include "model/tuning.h"

#include <stdlib.h>
#include <string.h>

#include "model/tuned.h"

// --- Numbers that may be measured ---

#define ROW(id, name, kind, least, most, message) {#name, message, CLR_TUNABLE_##kind, least, most},
static const struct clr_tunable_row rows[] = {CLR_TUNABLE_MAP(ROW)};
#undef ROW

const struct clr_tunable_row *clr_tunable_row(enum clr_tunable tunable) {
  return &rows[tunable];
}

bool clr_tunable_allows(enum clr_tunable tunable, cl_ulong value) {
  const struct clr_tunable_row *row = &rows[tunable];
  bool is_power = value && !(value & (value - 1));
  return value >= row->least && value <= row->most && (row->kind != CLR_TUNABLE_POWER || is_power);
}

bool clr_tuned_has(const struct clr_tuned *tuned, enum clr_tunable tunable) {
  return tuned->given & 1u << tunable;
}

void clr_tuned_set(struct clr_tuned *tuned, enum clr_tunable tunable, cl_ulong value) {
  tuned->given |= 1u << tunable;
  tuned->values[tunable] = value;
}

// --- Rows of measured numbers ---

static const char *const length_names[CLR_LENGTHS] = {"any", "small", "middle", "large"};

const char *clr_length_name(enum clr_length length) {
  return length_names[length];
}

enum clr_length clr_length_of(cl_ulong count_max) {
  if (!count_max)
    return CLR_LENGTH_ANY;
  return count_max < CLR_SMALL_BELOW    ? CLR_LENGTH_SMALL
         : count_max < CLR_MIDDLE_BELOW ? CLR_LENGTH_MIDDLE
                                        : CLR_LENGTH_LARGE;
}

void clr_tuning_release(struct clr_tuning *tuning) {
  free(tuning->rows);
  *tuning = (struct clr_tuning){0};
}

// Replaces blanks and control characters in the caller's names and types: they would end a word of the file.
static void copy_word(char *to, const char *from) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  size_t length = 0;
  for (; length < CLR_TUNING_WORD - 1 && from[length]; length++)
    to[length] = strchr(plain, from[length]) ? from[length] : '_';
  if (length == 0)
    to[length++] = '_';
  to[length] = 0;
}

void clr_tuning_name(const char *strategy, const struct clr_problem *problem, struct clr_tuning_row *row) {
  *row =
    (struct clr_tuning_row){.state_size = problem->operation.state_size, .length = clr_length_of(problem->count_max)};
  copy_word(row->strategy, strategy);
  copy_word(row->op, problem->operation.name);
  copy_word(row->type, problem->operation.element.name);
}

static bool same_names(const struct clr_tuning_row *a, const struct clr_tuning_row *b, enum clr_length length) {
  return a->length == length && a->state_size == b->state_size && strcmp(a->strategy, b->strategy) == 0 &&
         strcmp(a->op, b->op) == 0 && strcmp(a->type, b->type) == 0;
}

static struct clr_tuning_row *find(const struct clr_tuning *tuning, const struct clr_tuning_row *like,
                                   enum clr_length length) {
  for (size_t i = 0; i < tuning->count; i++)
    if (same_names(&tuning->rows[i], like, length))
      return &tuning->rows[i];
  return NULL;
}

const struct clr_tuning_row *clr_tuning_find(const struct clr_tuning *tuning, const struct clr_tuning_row *like) {
  const struct clr_tuning_row *row = find(tuning, like, like->length);
  return row ? row : find(tuning, like, CLR_LENGTH_ANY);
}

static bool make_room(struct clr_tuning *tuning) {
  if (tuning->count < tuning->capacity)
    return true;
  size_t capacity = tuning->capacity ? 2 * tuning->capacity : 16;
  struct clr_tuning_row *grown =
    capacity > CLR_TUNING_ROWS_MAX ? NULL : realloc(tuning->rows, capacity * sizeof *grown);
  if (!grown)
    return false;
  tuning->rows = grown;
  tuning->capacity = capacity;
  return true;
}

bool clr_tuning_put(struct clr_tuning *tuning, const struct clr_tuning_row *row) {
  struct clr_tuning_row *old = find(tuning, row, row->length);
  if (!old && !make_room(tuning))
    return false;
  if (!old)
    old = &tuning->rows[tuning->count++];
  *old = *row;
  return true;
}
