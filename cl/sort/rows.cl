// sort/rows.cl: the kernels of sorts of many rows on devices whose work-groups have many work-items.
#include "sort/segments.clh"
#include "sort/gather.clh"
