// The kernels of limit.c, in OpenCL C 1.2.

#ifndef CLREDUCE_TOOL_BENCH_READERS_H
#define CLREDUCE_TOOL_BENCH_READERS_H

// read_runs is for CPUs: a work-item reads a run of neighbouring words of 64 bytes. read_turns is for GPUs:
// neighbouring work-items read neighbouring words of 16 bytes, with four loads in flight. The exclusive or of all words
// shows that all were read.
static const char bench_readers[] =
  "__kernel void nothing(void)\n"
  "{\n"
  "}\n"
  "__kernel void read_runs(__global const uint16 *in, ulong words, __global uint *out)\n"
  "{\n"
  "  ulong each = (words + get_global_size(0) - 1) / get_global_size(0);\n"
  "  ulong first = min(words, get_global_id(0) * each), last = min(words, first + each), i = first;\n"
  "  uint16 a = 0, b = 0, c = 0, d = 0;\n"
  "  for (; i + 4 <= last; i += 4) {\n"
  "    a ^= in[i];\n"
  "    b ^= in[i + 1];\n"
  "    c ^= in[i + 2];\n"
  "    d ^= in[i + 3];\n"
  "  }\n"
  "  for (; i < last; i++)\n"
  "    a ^= in[i];\n"
  "  uint16 all = a ^ b ^ c ^ d;\n"
  "  uint8 x = all.lo ^ all.hi;\n"
  "  uint4 y = x.lo ^ x.hi;\n"
  "  out[get_global_id(0)] = y.x ^ y.y ^ y.z ^ y.w;\n"
  "}\n"
  "__kernel void read_turns(__global const uint4 *in, ulong words, __global uint *out)\n"
  "{\n"
  "  ulong step = get_global_size(0), i = get_global_id(0);\n"
  "  uint4 a = 0, b = 0, c = 0, d = 0;\n"
  "  for (; i + 3 * step < words; i += 4 * step) {\n"
  "    a ^= in[i];\n"
  "    b ^= in[i + step];\n"
  "    c ^= in[i + 2 * step];\n"
  "    d ^= in[i + 3 * step];\n"
  "  }\n"
  "  for (; i < words; i += step)\n"
  "    a ^= in[i];\n"
  "  uint4 y = a ^ b ^ c ^ d;\n"
  "  out[get_global_id(0)] = y.x ^ y.y ^ y.z ^ y.w;\n"
  "}\n";

#endif
