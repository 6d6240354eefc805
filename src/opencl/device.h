// Asks a device for its facts, once. The only file that turns a driver's answers into numbers.
#ifndef CLR_OPENCL_DEVICE_H
#define CLR_OPENCL_DEVICE_H

#include "model/facts.h"

// Refuses a device older than OpenCL 1.2, and one that does not answer what all of those must. What may be unknown is 0
// then, and made sane.
cl_int clr_device_ask(cl_device_id device, struct clr_facts *facts, struct clr_status *status);

// Whether the device divides and takes roots of floats correctly rounded, if the compiler is asked to.
cl_int clr_device_rounds_divide(cl_device_id device, bool *rounds, struct clr_status *status);

// Bytes of the cache that all compute units of an NVIDIA device share, from what data sheets say, as OpenCL asks for no
// such size; 0 where they are not known, or where the driver is too old for PTX to tell a cache what to keep.
cl_ulong clr_device_shared_cache(cl_ulong ptx_target, cl_ulong compute_units, const char *driver);

// What device, platform and driver call themselves.
struct clr_device_names {
  char device[512], platform[512], driver[512];
};
cl_int clr_device_name(cl_device_id device, struct clr_device_names *names, struct clr_status *status);

#endif
