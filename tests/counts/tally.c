// The operator of counts: see tally.h.
#include "counts/tally.h"

#include <string.h>

#include "support/device.h"

cl_ulong tally_on_host;

static cl_uint tally_of(cl_uint a, cl_uint b) {
  cl_uint deeper = (a & TALLY_DEPTH) > (b & TALLY_DEPTH) ? a & TALLY_DEPTH : b & TALLY_DEPTH;
  return ((a >> 16) + (b >> 16) + 1) << 16 | (deeper + 1);
}

static void identity(void *state, void *data) {
  (void)data;
  memset(state, 0, sizeof(cl_uint));
}

static void lift(const void *element, cl_ulong index, const void *const *inputs, const void *const *parameters,
                 void *state, void *data) {
  (void)element, (void)index, (void)inputs, (void)parameters;
  identity(state, data);
}

static void combine(void *a, const void *b, void *data) {
  cl_uint made, p, q;
  (void)data;
  memcpy(&p, a, sizeof p);
  memcpy(&q, b, sizeof q);
  made = tally_of(p, q);
  memcpy(a, &made, sizeof made);
  tally_on_host++;
}

static void lower(const void *state, void *result, void *data) {
  (void)data;
  memcpy(result, state, sizeof(cl_uint));
}

static const clred_host_operator on_host = {identity, lift, combine, lower, NULL};

// `marks` reads a byte for each lane.
#define MARKS(n) \
  "uint" #n " __attribute__((overloadable)) marks(uint" #n " a) { return (uint" #n ")(marks(a.lo), marks(a.hi)); }\n"
#define TALLY \
  .name = "tally", .element = "uint", .state = "uint", .identity = "0", .lift = "0 * x", .commutative = CL_TRUE, \
  .host = &on_host, .combine = "((a >> 16) + (b >> 16) + 1 + marks(a)) << 16 | (max(a & 65535u, b & 65535u) + 1)", \
  .preamble = \
    "__constant uchar mark[1] = {0};\n" \
    "uint __attribute__((overloadable)) marks(uint a) { return mark[0]; }\n" MARKS(2) MARKS(4) MARKS(8) MARKS(16)
const clred_operator tally = OPERATOR(TALLY), tally_of_vectors = OPERATOR(TALLY, .elementwise = CL_TRUE);
