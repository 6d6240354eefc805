// The host's operators over uint.
#define KIND of_uint
#define WIDE cl_uint
#define UNSIGNED cl_uint
#define IS_SIGNED 0
#define EVERY_FORM 0
#define STORED(F, ...) F(cl_uchar, __VA_ARGS__) F(cl_ushort, __VA_ARGS__) F(cl_uint, __VA_ARGS__)
#include "model/host_integers.h"
