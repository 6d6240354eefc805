// Conversion of half and bfloat16 to float.
#include "model/storage.h"

#include <string.h>

static cl_float as_float(cl_uint bits) {
  cl_float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// Shift exponent and fraction into place. The biases differ by 112; multiplying by 2^112 corrects that, for denormals
// too.
cl_float clr_half_to_float(cl_ushort bits) {
  cl_uint sign = (cl_uint)(bits & 0x8000) << 16, magnitude = (cl_uint)(bits & 0x7fff) << 13;
  if (magnitude >= 0x0f800000)
    return as_float(sign | (magnitude + 0x70000000));
  cl_float value = as_float(magnitude) * 0x1p112f;
  return sign ? -value : value;
}

cl_float clr_bfloat16_to_float(cl_ushort bits) {
  return as_float((cl_uint)bits << 16);
}
