// An operator of the user as JSON.
#pragma once

#include <cjson/cJSON.h>

#include "operator/user_operator.h"

// The keys of operator files with their texts; inputs and parameters are lists.
cJSON *user_operator_json(const struct user_operator *user);

// Sets an operator from such an object, which was read from this line of a file. Checks all of it, because anyone may
// have written the file. Returns an exit code. Call user_operator_release in any case.
int user_operator_take_json(struct user_operator *user, const cJSON *object, const char *path, unsigned line);
