// All probes, by the file that defines them. probes.c lists them.
#ifndef CLR_PROBES_LIMITS_H
#define CLR_PROBES_LIMITS_H

#include "selftest/probe.h"

// --- limits.c ---
void clr_probe_groups(struct clr_prober *prober);
void clr_probe_local_memory(struct clr_prober *prober);
void clr_probe_buffers(struct clr_prober *prober);
void clr_probe_loops(struct clr_prober *prober);
void clr_probe_sizes(struct clr_prober *prober);

// --- memory.c ---
void clr_probe_transfers(struct clr_prober *prober);
void clr_probe_fills(struct clr_prober *prober);
void clr_probe_mapping(struct clr_prober *prober);
void clr_probe_host_memory(struct clr_prober *prober);
void clr_probe_queues(struct clr_prober *prober);

// --- numbers.c ---
void clr_probe_floats(struct clr_prober *prober);
void clr_probe_divides(struct clr_prober *prober);
void clr_probe_comparisons(struct clr_prober *prober);
void clr_probe_denormals(struct clr_prober *prober);
void clr_probe_doubles(struct clr_prober *prober);

// --- integers.c ---
void clr_probe_halves(struct clr_prober *prober);
void clr_probe_integers(struct clr_prober *prober);

// --- atomics.c ---
void clr_probe_atomics(struct clr_prober *prober);
void clr_probe_long_atomics(struct clr_prober *prober);
void clr_probe_local_atomics(struct clr_prober *prober);
void clr_probe_handing_on(struct clr_prober *prober);

#endif
