// device_serial: one work-item folds the array in order, for comparison. Launched as one group of one work-item.

#include "group/deliver.clh"
#include "common/kernel.clh"

ENTRY(clred_device_serial)(ARGUMENTS)
{
  ONE_ITEM
  STATE state = LOAD(0);
  for (ulong i = 1; i < count; i++)
    state = clred_combine(state, LOAD(i));
  out[out_index] = clred_lower(state);
}
