// Reads a device's facts, once for each runtime. Only device.c turns a driver's answers into facts.
#pragma once

#include "model/facts.h"

// Refuses a device below OpenCL 1.2, and one that does not answer a query that 1.2 requires. Optional facts without an
// answer become 0; then all facts are made consistent.
cl_int clr_device_ask(cl_device_id device, struct clr_facts *facts, struct clr_status *status);

// Sets `rounds` if a build option makes the device round quotients and square roots of floats correctly.
cl_int clr_device_rounds_divide(cl_device_id device, bool *rounds, struct clr_status *status);

// Returns the bytes of the L2 cache of an NVIDIA device. OpenCL has no query for it, so the sizes come from data
// sheets. Returns 0 if the size is unknown, or if the driver is too old for PTX cache hints.
cl_ulong clr_device_shared_cache(cl_ulong ptx_target, cl_ulong compute_units, const char *driver);

// Names that the device, its platform and its driver report.
struct clr_device_names {
  char device[512], platform[512], driver[512];
};
cl_int clr_device_name(cl_device_id device, struct clr_device_names *names, struct clr_status *status);
