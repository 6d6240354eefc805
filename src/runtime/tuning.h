// What a runtime knows of measured numbers.
#ifndef CLR_API_TUNING_H
#define CLR_API_TUNING_H

#include "model/tuning_text.h"
#include "planning/strategy.h"
#include "runtime/runtime.h"

// Takes the rows of a file for this device; a file that is of no use is noted, and no failure.
void clr_runtime_read_tuning(clred_runtime *runtime, const char *file);

// The numbers for a problem; none `given` where nothing is known.
struct clr_tuned clr_runtime_tuned(clred_runtime *runtime, const struct clr_strategy *strategy,
                                   const struct clr_problem *problem);

// Keeps a row; false without memory.
bool clr_runtime_keep_tuned(clred_runtime *runtime, const struct clr_tuning_row *row);

// As clred_tuning_save.
cl_int clr_runtime_save_tuning(clred_runtime *runtime, const char *file, struct clr_status *status);

#endif
