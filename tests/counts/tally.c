// The operator of counts: see tally.h.
#include "counts/tally.h"

#include "support/callbacks.h"
#include "support/device.h"

cl_ulong tally_on_host;

static cl_uint tally_of(cl_uint a, cl_uint b) {
  cl_uint deeper = (a & TALLY_DEPTH) > (b & TALLY_DEPTH) ? a & TALLY_DEPTH : b & TALLY_DEPTH;
  tally_on_host++;
  return ((a >> 16) + (b >> 16) + 1) << 16 | (deeper + 1);
}

IDENTITY(tally, cl_uint, 0)
LIFT(tally, cl_uint, cl_uint, 0 * x)
COMBINE(tally, cl_uint, tally_of(a, b))
HOST(tally, cl_uint);

// `mark` is read for each combination.
const clred_operator tally =
  OPERATOR(.name = "tally", .element = "uint", .state = "uint", .identity = "0", .lift = "0 * x",
           .commutative = CL_TRUE, .host = &tally_host, .preamble = "__constant uchar mark[1] = {0};",
           .combine = "((a >> 16) + (b >> 16) + 1 + mark[0]) << 16 | (max(a & 65535u, b & 65535u) + 1)");
