// How kernels hold an operation's states, and what the optional tables of forms.def say about it.
#include "model/forms.def"
#include "model/operator.h"

enum clr_lanes_form clr_lanes_form(const struct clr_operation *operation) {
  bool has_fields =
    operation->custom ? operation->custom->state.member_count > 0 : operation->form->state_fields != NULL;
  if (!operation->elementwise || operation->element.components > 1)
    return CLR_LANES_ARRAY;
  return has_fields ? CLR_LANES_FIELDS : CLR_LANES_VECTOR;
}

const struct clr_words_of_choice *clr_operation_choice(const struct clr_operation *operation) {
#define CHOICE_ROW(id, keys, values) {CLRED_OP_##id, #keys, #values},
  static const struct clr_words_of_choice choices[] = {CLR_CHOICE_MAP(CHOICE_ROW)};
#undef CHOICE_ROW
  // If NaNs are ignored, a state without an index may have the best key, so keys alone do not determine the element.
  const bool is_plain = operation->form && !operation->ignores_nan && clr_lanes_form(operation) == CLR_LANES_FIELDS;
  for (size_t i = 0; is_plain && i < sizeof choices / sizeof *choices; i++)
    if (choices[i].op == operation->form->op)
      return &choices[i];
  return NULL;
}

const struct clr_row_fold *clr_operation_row_fold(const struct clr_operation *operation) {
#define ROWS_ROW(id, mean, m2, ends, sum) {CLRED_OP_##id, mean, m2, ends, sum},
  static const struct clr_row_fold folds[] = {CLR_ROWS_MAP(ROWS_ROW)};
#undef ROWS_ROW
  // If NaNs are ignored, lanes have different counts, and states without an index.
  const bool is_plain = operation->form && !operation->ignores_nan && clr_lanes_form(operation) == CLR_LANES_FIELDS;
  const bool is_floating = clr_kind_real(operation->kind) == operation->kind;
  for (size_t i = 0; is_plain && i < sizeof folds / sizeof *folds; i++)
    if (folds[i].op == operation->form->op)
      return is_floating || !folds[i].mean ? &folds[i] : NULL;
  return NULL;
}

const struct clr_bins *clr_operation_bins(const struct clr_operation *operation) {
#define BINS_ROW(id, term, products, counts) {CLRED_OP_##id, #term, products, counts},
  static const struct clr_bins rows[] = {CLR_BINS_MAP(BINS_ROW)};
#undef BINS_ROW
  // NaNs that are ignored would need a test for each element.
  const bool is_plain = operation->form && operation->form->mode == CLR_MODE_EXACT && !operation->ignores_nan &&
                        operation->element.row->class == CLR_FLOATING;
  for (size_t i = 0; is_plain && i < sizeof rows / sizeof *rows; i++)
    if (rows[i].op == operation->form->op)
      return &rows[i];
  return NULL;
}

const char *clr_operation_move(const struct clr_operation *operation) {
#define MOVE_ROW(id, text) {CLRED_OP_##id, #text},
  static const struct {
    clred_op op;
    const char *text;
  } moves[] = {CLR_MOVE_MAP(MOVE_ROW)};
#undef MOVE_ROW
  const bool is_plain = operation->form && operation->form->mode == CLR_MODE_WRAP;
  for (size_t i = 0; is_plain && i < sizeof moves / sizeof *moves; i++)
    if (moves[i].op == operation->form->op)
      return moves[i].text;
  return NULL;
}
