// probes/probe.cl: writes the sizes of an operator's types: element, state, result, further inputs, parameters. One
// work-item.
#include "common/lanes.clh"
#include "common/input.clh"

#define PROBE_INPUT(reading, type, name) *sizes++ = JOIN(SIZE_, reading)(type);
#define PROBE_PARAMETER(type, name) *sizes++ = sizeof(type);

__kernel void clred_probe(__global ulong *sizes)
{
  *sizes++ = JOIN(SIZE_, ELEMENT_READING)(ELEMENT_TYPE);
  *sizes++ = sizeof(STATE);
  *sizes++ = sizeof(RESULT);
  INPUTS(PROBE_INPUT)
  PARAMETERS(PROBE_PARAMETER)
}
