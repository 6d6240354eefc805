// Converts half and bfloat16, which the host's compiler may lack, to float. Exact: each is a subset of float.
#ifndef CLR_MODEL_STORAGE_H
#define CLR_MODEL_STORAGE_H

#include "clreduce.h"

cl_float clr_half_to_float(cl_ushort bits);
cl_float clr_bfloat16_to_float(cl_ushort bits);

#endif
