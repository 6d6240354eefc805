// Writes the files of a program that are made of the texts of several operators (cl/common/several.clh).

#include <string.h>

#include "model/several.h"
#include "source/generated.h"

static bool is_value(const struct clr_kept_state *state) {
  return !state->owner->form->state_fields;
}

// --- The parts of a state ---

// Writes a line for each member, with the member's name instead of every '@', its name in the whole state instead of
// every '#', and its type instead of every '$'.
static void each_member(const struct clr_kept_state *state, const char *line, struct clr_text *text) {
  for (size_t i = 0; i < state->member_count; i++) {
    const struct clr_part_member *member = &state->members[i];
    for (const char *at = line; *at; at++)
      if (*at == '@')
        clr_text_append(text, member->name);
      else if (*at == '#')
        clr_text_append(text, member->whole);
      else if (*at == '$')
        clr_text_append(text, member->type);
      else
        clr_text_add(text, at, 1);
  }
}

// Writes the struct, and the function that the macro MAKE calls.
static void write_struct(const struct clr_kept_state *state, struct clr_text *text) {
  const char *op = state->owner->name;
  clr_text_append(text, "typedef struct {\n");
  each_member(state, "  V($) @;\n", text);
  clr_text_format(text, "} STATE_PART(of_%s);\nSTATE_PART(of_%s) OF_WIDTH(clred_make_of_%s)(", op, op, op);
  for (size_t i = 0; i < state->member_count; i++)
    clr_text_format(text, "%sV(%s) %s", i ? ", " : "", state->members[i].type, state->members[i].name);
  clr_text_format(text, ")\n{\n  STATE_PART(of_%s) clred_made;\n", op);
  each_member(state, "  clred_made.@ = @;\n", text);
  clr_text_append(text, "  return clred_made;\n}\n");
}

static void write_pick(const struct clr_kept_state *state, struct clr_text *text) {
  clr_text_format(text, "PICK_PART_HEAD(of_%s)\n{\n  STATE_PART(of_%s) clred_made;\n", state->owner->name,
                  state->owner->name);
  each_member(state, "  IF_SINGLE(PICK_MEMBER($, @), PICK_LANES($, @))\n", text);
  clr_text_append(text, "  return clred_made;\n}\n");
}

// Writes the function that takes the part out of a whole state.
static void write_taking(const struct clr_kept_state *state, struct clr_text *text) {
  clr_text_format(text, "TAKE_PART_HEAD(of_%s)\n{\n  STATE_PART(of_%s) clred_made;\n", state->owner->name,
                  state->owner->name);
  each_member(state, is_value(state) ? "  clred_made = s.#;\n" : "  clred_made.@ = s.#;\n", text);
  clr_text_append(text, "  return clred_made;\n}\n");
}

static void write_members(const struct clr_operation *operation, struct clr_text *text) {
  const struct clr_op_list *several = operation->several;
  for (size_t i = 0; i < several->state_count; i++) {
    const struct clr_kept_state *state = &several->states[i];
    if (is_value(state))
      clr_text_format(text, "typedef V(%s) STATE_PART(of_%s);\n", state->members[0].type, state->owner->name);
    else
      write_struct(state, text);
    if (strstr(state->owner->form->combine, "PICK"))
      write_pick(state, text);
    write_taking(state, text);
  }
}

// --- Functions over states ---

// Redefines the macros MAKE and PICK: in the text that follows, they make and choose states of this operator.
static void define_words(const struct clr_kept_state *state, struct clr_text *text) {
  const char *op = state->owner->name;
  clr_text_append(text, "#undef MAKE\n#undef PICK\n");
  if (is_value(state))
    clr_text_append(text, "#define MAKE(v) (v)\n");
  else
    clr_text_format(text, "#define MAKE OF_WIDTH(clred_make_of_%s)\n", op);
  clr_text_format(text, "#define PICK(condition, p, q) PICK_PART(of_%s, condition, p, q)\n", op);
}

static void write_one(const struct clr_kept_state *state, const char *function, const char *before, const char *words,
                      struct clr_text *text) {
  define_words(state, text);
  clr_text_format(text, "%s_PART_HEAD(of_%s)\n{\n%s  return (%s);\n}\n", function, state->owner->name, before, words);
}

// Writes the function over the whole state: each part of its result is what the function over this part returns.
static void write_all(const struct clr_op_list *several, const char *function, struct clr_text *text) {
  clr_text_format(text, "%s_HEAD\n{\n  HERE clred_made;\n", function);
  for (size_t i = 0; i < several->state_count; i++) {
    const struct clr_kept_state *state = &several->states[i];
    clr_text_format(text, "  STATE_PART(of_%s) clred_part_%zu = %s_PART(of_%s);\n", state->owner->name, i, function,
                    state->owner->name);
    for (size_t j = 0; j < state->member_count; j++)
      clr_text_format(text, "  clred_made.%s = clred_part_%zu%s%s;\n", state->members[j].whole, i,
                      is_value(state) ? "" : ".", state->members[j].name);
  }
  clr_text_append(text, "  return clred_made;\n}\n");
}

static void write_identity(const struct clr_operation *operation, struct clr_text *text) {
  const struct clr_op_list *several = operation->several;
  for (size_t i = 0; i < several->state_count; i++)
    write_one(&several->states[i], "IDENTITY", "", several->states[i].owner->form->identity, text);
  write_all(several, "IDENTITY", text);
}

static void write_lift(const struct clr_operation *operation, struct clr_text *text) {
  const struct clr_op_list *several = operation->several;
  for (size_t i = 0; i < several->state_count; i++) {
    const struct clr_operation *owner = several->states[i].owner;
    write_one(&several->states[i], "LIFT", clr_before_lift(owner), owner->form->lift, text);
  }
  write_all(several, "LIFT", text);
}

static void add_combine(const struct clr_op_list *several, const char *function, bool follows, struct clr_text *text) {
  clr_define_number(text, "FOLLOWS", follows);
  for (size_t i = 0; i < several->state_count; i++)
    write_one(&several->states[i], function, "", several->states[i].owner->form->combine, text);
  clr_text_append(text, "#undef FOLLOWS\n");
  write_all(several, function, text);
}

static void write_combine(const struct clr_operation *operation, struct clr_text *text) {
  add_combine(operation->several, "COMBINE", false, text);
}

static void write_follow(const struct clr_operation *operation, struct clr_text *text) {
  if (operation->moves)
    add_combine(operation->several, "FOLLOW", true, text);
}

static void write_move(const struct clr_operation *operation, struct clr_text *text) {
  const struct clr_op_list *several = operation->several;
  for (size_t i = 0; operation->moves && i < several->state_count; i++) {
    const char *move = several->states[i].owner->move;
    write_one(&several->states[i], "MOVE", "", move ? move : "s", text);
  }
  if (operation->moves)
    write_all(several, "MOVE", text);
}

// --- Results ---

// Writes the result that the operator has without a list, and the macro GIVE that makes it.
static void write_result(const struct clr_listed *listed, struct clr_text *text) {
  const struct clr_part_member *members = listed->members;
  const size_t count = listed->operation.part_count;
  const char *op = listed->operation.name;
  clr_text_append(text, "typedef struct {\n");
  for (size_t i = 0; i < count; i++)
    clr_text_format(text, "  %s %s;\n", members[i].type, members[i].name);
  clr_text_format(text, "} clred_result_of_%s;\nclred_result_of_%s clred_give_%s(", op, op, op);
  for (size_t i = 0; i < count; i++)
    clr_text_format(text, "%s%s %s", i ? ", " : "", members[i].type, members[i].name);
  clr_text_format(text, ")\n{\n  clred_result_of_%s clred_made;\n", op);
  for (size_t i = 0; i < count; i++)
    clr_text_format(text, "  clred_made.%s = %s;\n", members[i].name, members[i].name);
  clr_text_format(text, "  return clred_made;\n}\n#define GIVE clred_give_%s\n", op);
}

// Lowers the part of the state that the operator's result follows from.
static void write_one_lower(const struct clr_op_list *several, const struct clr_listed *listed, struct clr_text *text) {
  const char *op = listed->operation.name;
  clr_text_append(text, "#undef GIVE\n");
  if (listed->operation.form->result_fields)
    write_result(listed, text);
  else
    clr_text_format(text, "typedef %s clred_result_of_%s;\n#define GIVE(v) (v)\n", listed->members[0].type, op);
  clr_text_format(text, "clred_result_of_%s clred_lower_%s(STATE_PART(of_%s) s)\n{\n  return (%s);\n}\n", op, op,
                  several->states[listed->state].owner->name, clr_listed_lower(listed));
}

static void write_lower(const struct clr_operation *operation, struct clr_text *text) {
  const struct clr_op_list *several = operation->several;
  for (size_t i = 0; i < several->listed_count; i++)
    write_one_lower(several, &several->listed[i], text);
  clr_text_append(text, "LOWER_HEAD\n{\n  clred_result clred_made;\n");
  for (size_t i = 0; i < several->listed_count; i++) {
    const struct clr_listed *listed = &several->listed[i];
    const char *op = listed->operation.name;
    clr_text_format(text, "  clred_result_of_%s clred_part_%zu = clred_lower_%s(TAKE_PART(of_%s, s));\n", op, i, op,
                    several->states[listed->state].owner->name);
    for (size_t j = 0; j < listed->operation.part_count; j++)
      clr_text_format(text, "  clred_made.%s = clred_part_%zu%s%s;\n", listed->members[j].whole, i,
                      *listed->members[j].name ? "." : "", listed->members[j].name);
  }
  clr_text_append(text, "  return clred_made;\n}\n");
  if (operation->padded)
    clr_operation_padding(operation, text);
}

// --- Files ---

const struct clr_operation_file clr_op_list_files[] = {
  {"operator/types.clh", clr_operation_words},
  {"operator/members.clh", write_members},
  {"operator/identity.clh", write_identity},
  {"operator/lift.clh", write_lift},
  {"operator/combine.clh", write_combine},
  {"operator/follow.clh", write_follow},
  {"operator/move.clh", write_move},
  {"operator/lower.clh", write_lower},
  {"operator/normal.clh", NULL},
  {"operator/lower_lanes.clh", NULL},
  {"operator/narrow.clh", clr_operation_narrow},
  {"operator/widen.clh", clr_operation_widen},
};
