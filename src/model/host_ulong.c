// The host's operators over ulong.
#define KIND of_ulong
#define WIDE cl_ulong
#define UNSIGNED cl_ulong
#define IS_SIGNED 0
#define EVERY_FORM 1
#define STORED(F, ...) \
  F(cl_uchar, __VA_ARGS__) F(cl_ushort, __VA_ARGS__) F(cl_uint, __VA_ARGS__) F(cl_ulong, __VA_ARGS__)
#include "model/host_integers.h"
