// probes/numbers.cl: arithmetic that the host compares with its own, bit by bit.
//   REAL, BITS    float and uint, or double and ulong
#include "plan.clh"
#pragma OPENCL FP_CONTRACT OFF
#if REAL_SIZE == 8
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#define RESULTS 8
__kernel void probe_real(__global const REAL *a, __global const REAL *b, __global const REAL *c, __global BITS *out)
{
  size_t i = get_global_id(0);
  REAL x = a[i], y = b[i], z = c[i];
  __global BITS *to = out + i * RESULTS;
  to[0] = AS_BITS(x + y);
  to[1] = AS_BITS(x * y);
  to[2] = AS_BITS(x * y + z);
  to[3] = AS_BITS(x / y);
  to[4] = AS_BITS(sqrt(fabs(x)));
  to[5] = (BITS)((x == y) | (x < y) << 1 | (x > y) << 2 | (x != y) << 3 | (isnan(x) != 0) << 4 |
                 (!(x < y)) << 5 | (x <= y) << 6);
  to[6] = AS_BITS((REAL)(int)(BITS)i);
  to[7] = AS_BITS(-x);
}

#if REAL_SIZE == 4
__kernel void probe_integers(__global const ulong *a, __global const ulong *b, __global ulong *out)
{
  size_t i = get_global_id(0);
  ulong x = a[i], y = b[i];
  __global ulong *to = out + i * RESULTS;
  to[0] = x * y;
  to[1] = mul_hi(x, y);
  to[2] = (ulong)mul_hi((long)x, (long)y);
  to[3] = (ulong)((long)x >> (y & 63));
  to[4] = (ulong)(((long)x < (long)y) | (x < y) << 1 | ((int)x < (int)y) << 2);
  to[5] = (ulong)(long)(char)x + (ulong)(long)(short)x * 3 + (ulong)(uchar)x * 5 + (ulong)(long)(int)x * 7;
  to[6] = (ulong)as_uint((float)(long)x);
  to[7] = (ulong)as_uint((float)x);
}

__kernel void probe_narrow(__global const short *shorts, __global const char *chars, __global const ushort *ushorts,
                           __global long *out)
{
  size_t i = get_global_id(0);
  out[3 * i] = shorts[i];
  out[3 * i + 1] = chars[i];
  out[3 * i + 2] = ushorts[i];
}

__kernel void probe_half(__global const half *halves, __global uint *out)
{
  out[get_global_id(0)] = as_uint(vload_half(get_global_id(0), halves));
}
#endif
