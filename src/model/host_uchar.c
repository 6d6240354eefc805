// The host's operators over uchar.
#define KIND of_uchar
#define WIDE cl_uchar
#define UNSIGNED cl_uchar
#define IS_SIGNED 0
#define EVERY_FORM 0
#define STORED(F, ...) F(cl_uchar, __VA_ARGS__)
#include "model/host_integers.h"
