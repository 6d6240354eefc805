// The host's operators over int.
#define KIND of_int
#define WIDE cl_int
#define UNSIGNED cl_uint
#define IS_SIGNED 1
#define EVERY_FORM 0
#define STORED(F, ...) F(cl_char, __VA_ARGS__) F(cl_short, __VA_ARGS__) F(cl_int, __VA_ARGS__)
#include "model/host_integers.h"
