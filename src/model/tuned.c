// The table of numbers that can be measured.
#include "model/tuned.h"

#define ROW(id, name, kind, least, most, sentence) {#name, sentence, CLR_TUNABLE_##kind, least, most},
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
