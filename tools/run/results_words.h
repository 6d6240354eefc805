// Results that are words: the keys of rows. Their values are numbers of words.
#pragma once

#include "run/results.h"

// Refuses keys that are needed as JSON or .npy and are not UTF-8. NULL: there are none. Returns an exit code.
int results_check_keys(const struct results *keys, const struct args *args);
