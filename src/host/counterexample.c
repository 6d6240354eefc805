// Writes a failed law as equations with the values of the trial.
#include <math.h>

#include "host/law_check.h"

static void add_integer(const struct clr_type *type, const unsigned char *bytes, struct clr_text *text) {
  cl_long whole;
  cl_ulong natural;
  type->widen[CLR_KIND_LONG](bytes, 1, &whole);
  type->widen[CLR_KIND_ULONG](bytes, 1, &natural);
  if (type->class == CLR_SIGNED)
    clr_text_format(text, "%lld", (long long)whole);
  else
    clr_text_format(text, "%llu", (unsigned long long)natural);
}

static void add_scalar(const struct clr_type *type, const unsigned char *bytes, struct clr_text *text) {
  double number;
  type->widen[CLR_KIND_DOUBLE](bytes, 1, &number);
  if (type->class != CLR_FLOATING)
    add_integer(type, bytes, text);
  else if (isnan(number))
    clr_text_append(text, "NaN");
  else
    clr_text_format(text, type->id == CLRED_TYPE_DOUBLE ? "%.17g" : "%.9g", number);
}

static void add_bytes(const struct clr_layout *layout, const unsigned char *value, struct clr_text *text) {
  const size_t shown_most = 32, shown = layout->size < shown_most ? layout->size : shown_most;
  clr_text_append(text, "bytes ");
  for (size_t i = 0; i < shown; i++)
    clr_text_format(text, "%s%02x", i && i % 4 == 0 ? " " : "", value[i]);
  if (shown < layout->size)
    clr_text_append(text, " ...");
}

static void add_run(const struct clr_run *run, bool is_named, const unsigned char *value, struct clr_text *text) {
  const struct clr_type *type = clr_type_row(run->type);
  if (is_named && *run->name)
    clr_text_format(text, "%s ", run->name);
  for (unsigned i = 0; i < run->count; i++) {
    clr_text_append(text, i ? ", " : run->count > 1 ? "(" : "");
    add_scalar(type, value + run->offset + i * type->size, text);
  }
  clr_text_append(text, run->count > 1 ? ")" : "");
}

// Writes a value: "1", "(1, 2)" or "{index 0, value 1}".
static void add_value(const struct clr_layout *layout, bool is_named, const unsigned char *value,
                      struct clr_text *text) {
  if (layout->is_opaque) {
    add_bytes(layout, value, text);
    return;
  }
  clr_text_append(text, layout->run_count > 1 ? "{" : "");
  for (size_t i = 0; i < layout->run_count; i++) {
    clr_text_append(text, i ? ", " : "");
    add_run(&layout->runs[i], is_named && layout->run_count > 1, value, text);
  }
  clr_text_append(text, layout->run_count > 1 ? "}" : "");
}

// An element with its further inputs: "1 with y = 2".
static void add_element(const struct clr_law_check *judge, const struct clr_counterexample *evidence, cl_uint pick,
                        struct clr_text *text) {
  add_value(&judge->element, false, evidence->pool->elements + pick * judge->element.size, text);
  for (size_t i = 0; i < judge->input_count; i++) {
    clr_text_format(text, "%s%s = ", i ? ", " : " with ", judge->input_names[i]);
    add_value(&judge->inputs[i], false, evidence->pool->inputs[i] + pick * judge->inputs[i].size, text);
  }
}

// Short elements are written inside the equation; long ones are replaced by letters.
static bool are_short(const struct clr_law_check *judge) {
  return !judge->input_count && !judge->element.is_opaque && clr_layout_scalars(&judge->element) == 1;
}

static void add_name(const struct clr_law_check *judge, const struct clr_counterexample *evidence, unsigned piece,
                     unsigned i, struct clr_text *text) {
  bool is_alone = evidence->triple->lengths[piece] == 1;
  if (are_short(judge))
    add_element(judge, evidence, evidence->triple->picks[piece][i], text);
  else if (is_alone)
    clr_text_format(text, "%c", "abc"[piece]);
  else
    clr_text_format(text, "%c%u", "abc"[piece], i + 1);
}

// Writes a state of three elements as "combine(combine(1, 2), 3)".
static void add_state(const struct clr_law_check *judge, const struct clr_counterexample *evidence, unsigned piece,
                      struct clr_text *text) {
  unsigned length = evidence->triple->lengths[piece];
  for (unsigned i = 1; i < length; i++)
    clr_text_append(text, "combine(");
  add_name(judge, evidence, piece, 0, text);
  for (unsigned i = 1; i < length; i++) {
    clr_text_append(text, ", ");
    add_name(judge, evidence, piece, i, text);
    clr_text_append(text, ")");
  }
}

static void add_letters(const struct clr_law_check *judge, const struct clr_counterexample *evidence, unsigned pieces,
                        struct clr_text *text) {
  for (unsigned piece = 0; piece < pieces; piece++)
    for (unsigned i = 0; i < evidence->triple->lengths[piece]; i++) {
      clr_text_append(text, piece || i ? "; " : "");
      add_name(judge, evidence, piece, i, text);
      clr_text_append(text, " = ");
      add_element(judge, evidence, evidence->triple->picks[piece][i], text);
    }
  clr_text_append(text, ": ");
}

// One side of an equation. In `form`, a digit stands for a state, i for the identity, and ( for "combine(".
struct side {
  const char *form;
  unsigned result;
};

static const struct side sides[CLRED_LAWS][2][2] = {
  [CLR_LAW_IDENTITY] = {{{"(i,0)", 5}, {"0 alone", 0}}, {{"(0,i)", 6}, {"0 alone", 0}}},
  [CLR_LAW_ASSOCIATIVITY] = {{{"((0,1),2)", 1}, {"(0,(1,2))", 2}}},
  [CLR_LAW_COMMUTATIVITY] = {{{"(0,1)", 3}, {"(1,0)", 4}}},
};

static void add_side(const struct clr_law_check *judge, const struct clr_counterexample *evidence,
                     const struct side *side, struct clr_text *text) {
  for (const char *at = side->form; *at; at++)
    if (*at >= '0' && *at <= '2')
      add_state(judge, evidence, (unsigned)(*at - '0'), text);
    else if (*at == '(')
      clr_text_append(text, "combine(");
    else if (*at == 'i')
      clr_text_append(text, "identity");
    else if (*at == ',')
      clr_text_append(text, ", ");
    else if (*at == ')')
      clr_text_append(text, ")");
    else {
      clr_text_append(text, at);
      break;
    }
  clr_text_append(text, " gives ");
  add_value(&judge->result, true, evidence->results + side->result * judge->result.size, text);
}

void clr_counterexample_text(const struct clr_law_check *judge, const struct clr_counterexample *evidence,
                             enum clr_law law, unsigned side, struct clr_text *text) {
  if (!are_short(judge))
    add_letters(judge, evidence, clr_law_pieces(law), text);
  add_side(judge, evidence, &sides[law][side][0], text);
  clr_text_append(text, ", ");
  add_side(judge, evidence, &sides[law][side][1], text);
}
