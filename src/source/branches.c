#include "source/branches.h"

bool clr_branch_is_active(const struct clr_branches *branches) {
  return !branches->depth || branches->at[branches->depth - 1].active;
}

static enum clr_truth truth_of(const struct clr_macros *macros, struct clr_word directive, struct clr_word condition) {
  if (clr_word_is(directive, "else"))
    return CLR_TRUE;
  if (clr_word_is(directive, "if") || clr_word_is(directive, "elif"))
    return clr_condition(macros, condition);
  bool defined = clr_macro_find(macros, clr_identifier_at(condition.begin)) != NULL;
  return defined == clr_word_is(directive, "ifdef") ? CLR_TRUE : CLR_FALSE;
}

// A branch inside an inactive one stays inactive, so its condition is not evaluated.
static enum clr_branching open_branch(struct clr_branches *branches, const struct clr_macros *macros,
                                      struct clr_word directive, struct clr_word condition) {
  struct clr_branch branch = {.taken = true};
  if (branches->depth == CLR_BRANCHES_MAX)
    return CLR_BRANCHING_TOO_DEEP;
  if (clr_branch_is_active(branches)) {
    enum clr_truth truth = truth_of(macros, directive, condition);
    if (truth == CLR_NO_CONDITION)
      return CLR_BRANCHING_NO_CONDITION;
    branch = (struct clr_branch){truth != CLR_FALSE, truth == CLR_TRUE, truth == CLR_LEFT_OPEN};
  }
  branches->at[branches->depth++] = branch;
  return branch.left_open ? CLR_BRANCHING_LEFT_OPEN : CLR_BRANCHING_DONE;
}

static enum clr_branching next_branch(struct clr_branch *branch, const struct clr_macros *macros,
                                      struct clr_word directive, struct clr_word condition) {
  if (branch->left_open)
    return CLR_BRANCHING_LEFT_OPEN;
  enum clr_truth truth = branch->taken ? CLR_FALSE : truth_of(macros, directive, condition);
  if (truth == CLR_NO_CONDITION || truth == CLR_LEFT_OPEN)
    return CLR_BRANCHING_NO_CONDITION;
  branch->active = truth == CLR_TRUE;
  branch->taken |= branch->active;
  return CLR_BRANCHING_DONE;
}

enum clr_branching clr_branch(struct clr_branches *branches, const struct clr_macros *macros, struct clr_word directive,
                              struct clr_word condition) {
  bool goes_on = clr_word_is(directive, "elif") || clr_word_is(directive, "else");
  bool ends = clr_word_is(directive, "endif");
  if (clr_word_is(directive, "if") || clr_word_is(directive, "ifdef") || clr_word_is(directive, "ifndef"))
    return open_branch(branches, macros, directive, condition);
  if (!goes_on && !ends)
    return CLR_BRANCHING_NONE;
  if (!branches->depth)
    return CLR_BRANCHING_NO_IF;
  if (goes_on)
    return next_branch(&branches->at[branches->depth - 1], macros, directive, condition);
  return branches->at[--branches->depth].left_open ? CLR_BRANCHING_LEFT_OPEN : CLR_BRANCHING_DONE;
}
