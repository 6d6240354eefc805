// The host's operators over char.
#define KIND of_char
#define WIDE cl_char
#define UNSIGNED cl_uchar
#define IS_SIGNED 1
#define EVERY_FORM 0
#define STORED(F, ...) F(cl_char, __VA_ARGS__)
#include "model/host_integers.h"
