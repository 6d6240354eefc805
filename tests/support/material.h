// Elements and further inputs of a problem, on the host and in buffers, and what calls over them must give: for samples
// a loop over the host callbacks, for built-in operators the oracle.
#pragma once

#include "support/fixture.h"
#include "support/operators.h"

struct material {
  char name[64];            // begins messages
  clred_problem problem;    // the sample, or a built-in operator
  const struct sample *of;  // NULL: a built-in operator
  size_t length;
  size_t size, input_size;  // bytes of an element
  unsigned char *elements;
  unsigned char *input;  // NULL where there is none
  cl_mem in, input_buffer;
  const void *const *parameters;  // NULL where there are none
};

struct material material_create(const struct sample *of, size_t length);

// Elements as random_elements makes them.
struct material material_of_problem(const clred_problem *problem, size_t length, unsigned binades, unsigned bits);

// A call over the elements from `*first` on, in buffers or in host memory, without parameters. `input` keeps the
// address of the input.
clred_call material_call(const struct material *material, const cl_ulong *first, cl_ulong count);
clred_host_call material_host_call(const struct material *material, cl_ulong first, cl_ulong count, const void **input);

// Where the elements of a row are.
struct row {
  uint64_t first;
  uint64_t input_first;
  uint64_t stride;
  uint64_t count;
};

// For samples: the result of a loop over the row, or the consecutive results of a scan.
void material_fold(const struct material *material, const struct row *row, void *result);
void material_scan(const struct material *material, const struct row *row, const oracle_scan *scan, void *results);

// The result over the elements of a row, or over the first `count` elements.
struct answer {
  cl_ulong count;
  oracle_result parts;                    // of a built-in operator
  _Alignas(16) unsigned char bytes[256];  // of a sample
};

struct answer material_answer_of_row(const struct material *material, const struct row *row);
struct answer material_answer(const struct material *material, cl_ulong count);
void material_check_answer(const struct material *material, const struct answer *answer, const void *result,
                           const char *what);

// The results of a scan of the first `count` elements, in the order fixed/1. fixture_close releases them.
unsigned char *material_scan_all(const struct material *material, const oracle_scan *scan, cl_ulong count,
                                 size_t result);
