// The host's operators over double.
#define KIND of_double
#define WIDE cl_double
#define REAL cl_double
#define KEY cl_long
#define KEY_MIN CL_LONG_MIN
#define KEY_MAX CL_LONG_MAX
#define TO_KEY(v) double_key(v)
#define FROM_KEY(k) double_from_key(k)
#include "model/host_floating.h"
