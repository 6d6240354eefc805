// What the peers on the host's cores share: host_side.c defines bench_peer, and each peer brings a table of loops.
#pragma once

#include "peer_side.h"

// Does the work of a job once and writes its parts. 0 on success.
typedef int host_loop(struct bench_job *job);

// The peer's name, and the loop for a work; NULL if it has none.
extern const char host_name[];
host_loop *host_loop_for(const struct bench_work *work);
