// ours_keys.h: the library as a side of a comparison of what stands on scan.

#ifndef BENCH_OURS_KEYS_H
#define BENCH_OURS_KEYS_H

#include "keys_side.h"
#include "session.h"

extern const struct keys_side keys_ours;

void ours_keys_set(const struct session *session, const char *strategy);  // before all else
int ours_keys_describe(char *text, size_t size);                          // after choose

#endif
