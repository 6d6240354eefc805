// The host's operators over float.
#define KIND of_float
#define WIDE cl_float
#define REAL cl_float
#define KEY cl_int
#define KEY_MIN CL_INT_MIN
#define KEY_MAX CL_INT_MAX
#define TO_KEY(v) float_key(v)
#define FROM_KEY(k) float_from_key(k)
#include "model/host_floating.h"
