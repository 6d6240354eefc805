// Within user_operator.c: memory for texts, and the keys that declare inputs and parameters.

#ifndef CLREDUCE_TOOL_USER_OPERATOR_PARTS_H
#define CLREDUCE_TOOL_USER_OPERATOR_PARTS_H

#include "operator/user_operator.h"

// A copy that lives as long as the operator; NULL if memory is short.
char *user_keep(struct user_operator *user, const char *text, size_t length);

// Leaves out the blanks around a text: the new length.
size_t user_trim(const char **text, size_t length);

// "TYPE NAME" or "TYPE:NAME", and for parameters "= VALUE". Exit codes, as all here.
int user_set_input(struct user_operator *user, const char *text, const struct place *place);
int user_set_parameter(struct user_operator *user, const char *text, const struct place *place);

// --param's "NAME=VALUE".
int user_set_parameter_value(struct user_operator *user, const char *text);

// To check its laws an operator needs no values; else all parameters must have one.
int user_check_parameters(const struct user_operator *user, const struct args *args);

#endif
