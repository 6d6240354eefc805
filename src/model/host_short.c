// The host's operators over short.
#define KIND of_short
#define WIDE cl_short
#define UNSIGNED cl_ushort
#define IS_SIGNED 1
#define EVERY_FORM 0
#define STORED(F, ...) F(cl_short, __VA_ARGS__)
#include "model/host_integers.h"
