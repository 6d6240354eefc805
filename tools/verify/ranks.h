// Verifies quantiles, chosen elements and sorts with a sort on the host, which compares the elements as numbers.
#pragma once

#include <clreduce_quantile.h>
#include <clreduce_sort.h>
#include <stdbool.h>
#include <stdint.h>

// Sets *correct if `values`, and `places` of top and bottom, are the results for these elements. Returns an exit code.
int ranks_verify(const clred_quantile_problem *problem, const void *elements, uint64_t count, const void *values,
                 const cl_ulong *places, bool *correct);

// The same for a sort of one row. `results` are the sorted elements, or their indices as ulong.
int ranks_verify_sort(const clred_sort_problem *problem, const void *elements, uint64_t count, const void *results,
                      bool *correct);
