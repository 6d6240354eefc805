// The host's operators over ushort.
#define KIND of_ushort
#define WIDE cl_ushort
#define UNSIGNED cl_ushort
#define IS_SIGNED 0
#define EVERY_FORM 0
#define STORED(F, ...) F(cl_ushort, __VA_ARGS__)
#include "model/host_integers.h"
