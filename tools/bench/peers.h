// peers.h: the peers that were built into this program; which ones depends on the toolchains found.

#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "side.h"

// The peer that computes where the library does: on the GPU, or on the host's cores. NULL if none was built.
const struct bench_side *bench_peer(int on_gpu);

#endif
