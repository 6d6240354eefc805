// The host's operators over long.
#define KIND of_long
#define WIDE cl_long
#define UNSIGNED cl_ulong
#define IS_SIGNED 1
#define EVERY_FORM 1
#define STORED(F, ...) F(cl_char, __VA_ARGS__) F(cl_short, __VA_ARGS__) F(cl_int, __VA_ARGS__) F(cl_long, __VA_ARGS__)
#include "model/host_integers.h"
