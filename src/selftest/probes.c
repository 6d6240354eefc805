// The list of probes in running order. A probe that relies on the findings of another comes after it.
#include "selftest/limits.h"

const struct clr_probe clr_probes[] = {
  {"work-groups", "limits", clr_probe_groups},
  {"local memory", "limits", clr_probe_local_memory},
  {"largest buffer", "limits", clr_probe_buffers},
  {"turns of loops", "limits", clr_probe_loops},
  {"sizes of types", "numbers", clr_probe_sizes},
  {"reads, writes, copies", "memory", clr_probe_transfers},
  {"fills", "memory", clr_probe_fills},
  {"mapping", "memory", clr_probe_mapping},
  {"buffers in host memory", "memory", clr_probe_host_memory},
  {"order in queues", "memory", clr_probe_queues},
  {"integers", "numbers", clr_probe_integers},
  {"float", "numbers", clr_probe_floats},
  {"divide, sqrt", "numbers", clr_probe_divides},
  {"NaN, infinities", "numbers", clr_probe_comparisons},
  {"denormals", "numbers", clr_probe_denormals},
  {"half", "numbers", clr_probe_halves},
  {"double", "numbers", clr_probe_doubles},
  {"atomics", "atomics", clr_probe_atomics},
  {"atomics, 64 bits", "atomics", clr_probe_long_atomics},
  {"atomics, local", "atomics", clr_probe_local_atomics},
  {"handing on", "atomics", clr_probe_handing_on},
  {.name = NULL},
};
