// The kernels of limit.c, in OpenCL C 1.2. limit.c embeds this text.

// For CPUs: a work-item reads a run of neighbouring words of 64 bytes. The exclusive or shows that all were read.
__kernel void read_runs(__global const uint16 *in, ulong words, __global uint *out) {
  ulong each = (words + get_global_size(0) - 1) / get_global_size(0);
  ulong first = min(words, get_global_id(0) * each), last = min(words, first + each), i = first;
  uint16 a = 0, b = 0, c = 0, d = 0;
  for (; i + 4 <= last; i += 4) {
    a ^= in[i];
    b ^= in[i + 1];
    c ^= in[i + 2];
    d ^= in[i + 3];
  }
  for (; i < last; i++)
    a ^= in[i];
  uint16 all = a ^ b ^ c ^ d;
  uint8 x = all.lo ^ all.hi;
  uint4 y = x.lo ^ x.hi;
  out[get_global_id(0)] = y.x ^ y.y ^ y.z ^ y.w;
}

// For GPUs: neighbouring work-items read neighbouring words of 16 bytes, with four loads in flight.
__kernel void read_words(__global const uint4 *in, ulong words, __global uint *out) {
  ulong step = get_global_size(0), i = get_global_id(0);
  uint4 a = 0, b = 0, c = 0, d = 0;
  for (; i + 3 * step < words; i += 4 * step) {
    a ^= in[i];
    b ^= in[i + step];
    c ^= in[i + 2 * step];
    d ^= in[i + 3 * step];
  }
  for (; i < words; i += step)
    a ^= in[i];
  uint4 y = a ^ b ^ c ^ d;
  out[get_global_id(0)] = y.x ^ y.y ^ y.z ^ y.w;
}
