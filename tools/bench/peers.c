#include "peers.h"

#ifdef BENCH_HAVE_OPENMP
extern const struct bench_side bench_openmp;
#endif
#ifdef BENCH_HAVE_CUB
extern const struct bench_side bench_cub;
#endif

static const struct bench_side *const peers[] = {
#ifdef BENCH_HAVE_OPENMP
  &bench_openmp,
#endif
#ifdef BENCH_HAVE_CUB
  &bench_cub,
#endif
  NULL,
};

const struct bench_side *bench_peer(int on_gpu) {
  for (size_t i = 0; peers[i]; i++)
    if (peers[i]->on_gpu == on_gpu)
      return peers[i];
  return NULL;
}
