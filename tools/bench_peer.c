// A peer as a side.

#include <stdio.h>

#include "bench_side.h"
#include "fail.h"

static int run(struct side *side, enum bench_clock clock, uint64_t calls, double *seconds) {
  const char *value;
  if (!peer_run(side->peer, clock == BENCH_DEVICE, calls, seconds, &value))
    snprintf(side->lost, sizeof side->lost, "%s", side->peer->reason);
  else if (!expected_allows_text(side->expected, value))
    side->wrong = true;
  return EXIT_DONE;
}

void bench_peer_open(struct side *side, struct peer *peer, const struct bench_case *of,
                     const struct expected *expected) {
  *side = (struct side){.kind = SIDE_PEER,
                        .has_device_clock = peer->has_device_clock,
                        .bytes = (double)of->bytes,
                        .run = run,
                        .peer = peer,
                        .expected = expected};
  snprintf(side->name, sizeof side->name, "%s", peer->name);
  if (!expected->whole && !expected->real && !expected->place)
    snprintf(side->lost, sizeof side->lost, "results of %s are not told in lines", of->op);
  else if (!peer_prepare(peer, of->type, of->op, of->count))
    snprintf(side->lost, sizeof side->lost, "%s", peer->reason);
}
