// Asks a device for its facts, once. The only file that turns a driver's answers into numbers.
#ifndef CLR_OPENCL_DEVICE_H
#define CLR_OPENCL_DEVICE_H

#include "model/facts.h"

// Refuses a device older than OpenCL 1.2. What a driver does not answer is 0 and made sane.
cl_int clr_device_ask(cl_device_id device, struct clr_facts *facts, struct clr_status *status);

// Whether the device divides and takes roots of floats correctly rounded, if the compiler is asked to.
bool clr_device_rounds_divide(cl_device_id device);

// What device, platform and driver call themselves; "" where they do not say.
struct clr_device_names {
  char device[512], platform[512], driver[512];
};
void clr_device_name(cl_device_id device, struct clr_device_names *names);

#endif
