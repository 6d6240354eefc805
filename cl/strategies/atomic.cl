// atomic: local_sequential with FINISH_ATOMIC: each group folds one partial into the result by an atomic.

#define clred_local_sequential clred_atomic
#include "strategies/local_sequential.cl"
#undef clred_local_sequential
