// sort/radix.cl: the kernels of a sort on devices whose work-groups have many work-items.
#include "sort/count.clh"
#include "sort/small.clh"
#include "sort/sweep.clh"
#include "sort/copy.clh"
#include "sort/gather.clh"
