// The costs of one rank: folds, packing and joins. The least of many turns.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "costs.h"

#define FOLDS_LEAST 10
#define FOLDS_MOST 24
#define MEMORY_POWER 26  // floats that folds go through by turns, so that caches do not have them
#define MANY 1000        // partials that are joined

static void keep_least(double *least, double seconds) {
  if (seconds < *least)
    *least = seconds;
}

// ---- Folds: of elements that lie on the device

static double time_fold(const struct device *device, cl_mem buffer, clred_partial *partial, cl_ulong count) {
  const cl_ulong pieces = ((cl_ulong)1 << MEMORY_POWER) / count;
  double least = HUGE_VAL;
  clred_partial_info info;
  for (cl_ulong i = 0; i < TURNS; i++) {
    const clred_call call = {.in = buffer, .in_offset = i * 7919 % pieces * count, .count = count};
    stop_if(clred_partial_reset(partial, 0), "clred_partial_reset");
    const double begun = now();
    stop_if(clred_partial_fold(device->queue, partial, &call, 0, NULL, NULL), "clred_partial_fold");
    stop_if(clred_partial_inspect(partial, &info), "clred_partial_inspect");
    keep_least(&least, now() - begun);
  }
  return least;
}

static cl_mem make_floats(const struct device *device) {
  const size_t bytes = ((size_t)1 << MEMORY_POWER) * sizeof(float);
  const float one = 1;
  cl_int err;
  cl_mem buffer = clCreateBuffer(device->context, CL_MEM_READ_WRITE, bytes, NULL, &err);
  stop_if(err, "clCreateBuffer");
  stop_if(clEnqueueFillBuffer(device->queue, buffer, &one, sizeof one, 0, bytes, 0, NULL, NULL), "clEnqueueFillBuffer");
  stop_if(clFinish(device->queue), "clFinish");
  return buffer;
}

void print_folds(const struct device *device) {
  cl_mem buffer = make_floats(device);
  clred_partial *partial = create(device, 0);
  printf("{\"fold\": [");
  for (int power = FOLDS_LEAST; power <= FOLDS_MOST; power += 2)
    printf("%s[%lld, %.3g]", power > FOLDS_LEAST ? ", " : "", 1ll << power,
           time_fold(device, buffer, partial, (cl_ulong)1 << power));
  printf("],\n");
  clred_partial_release(partial);
  clReleaseMemObject(buffer);
}

// ---- What MPI's operator does with the blocks of two neighbours

struct packed {
  unsigned char *bytes;
  size_t size;
};

static struct packed pack(const struct device *device, cl_ulong first, cl_ulong count) {
  float *numbers = calloc((size_t)count, sizeof *numbers);
  clred_partial *partial = create(device, first);
  struct packed packed = {malloc(clred_partial_bytes(device->plan)), 0};
  stop_if(!numbers || !packed.bytes, "malloc");
  stop_if(clred_partial_push(device->queue, partial, &(clred_host_call){.in = numbers, .count = count}),
          "clred_partial_push");
  stop_if(clred_partial_pack(partial, packed.bytes, clred_partial_bytes(device->plan), &packed.size),
          "clred_partial_pack");
  clred_partial_release(partial);
  free(numbers);
  return packed;
}

// Reads two blocks, joins them and packs the joined one. *packing gets the time of the packing alone.
static double time_join(const struct device *device, const struct packed *a, const struct packed *b, double *packing) {
  clred_partial *left = create(device, 0), *right = create(device, 0);
  const size_t room = clred_partial_bytes(device->plan);
  unsigned char *bytes = malloc(room);
  double least = HUGE_VAL;
  size_t size;
  stop_if(!bytes, "malloc");
  *packing = HUGE_VAL;
  for (int i = 0; i < TURNS; i++) {
    const double begun = now();
    stop_if(clred_partial_read(left, a->bytes, a->size), "clred_partial_read");
    stop_if(clred_partial_read(right, b->bytes, b->size), "clred_partial_read");
    stop_if(clred_partial_join(left, right), "clred_partial_join");
    const double joined = now();
    stop_if(clred_partial_pack(left, bytes, room, &size), "clred_partial_pack");
    keep_least(packing, now() - joined);
    keep_least(&least, now() - begun);
  }
  clred_partial_release(left);
  clred_partial_release(right);
  free(bytes);
  return least;
}

// Joins neighbours of 2^14 elements to one partial.
static double time_many(const struct device *device, cl_ulong first) {
  static clred_partial *parts[MANY];
  static const float numbers[1 << 14];
  double least = HUGE_VAL;
  clred_partial *whole = create(device, first);
  for (cl_ulong i = 0; i < MANY; i++) {
    parts[i] = create(device, first + (i << 14));
    stop_if(clred_partial_fold_host(parts[i], &(clred_host_call){.in = numbers, .count = 1 << 14}),
            "clred_partial_fold_host");
  }
  for (int turn = 0; turn < 21; turn++) {
    stop_if(clred_partial_reset(whole, first), "clred_partial_reset");
    const double begun = now();
    for (int i = 0; i < MANY; i++)
      stop_if(clred_partial_join(whole, parts[i]), "clred_partial_join");
    keep_least(&least, now() - begun);
  }
  for (int i = 0; i < MANY; i++)
    clred_partial_release(parts[i]);
  clred_partial_release(whole);
  return least;
}

static void print_many(const struct device *device) {
  printf("\"bytes_most\": %zu, \"join_1000_whole\": %.3g, \"join_1000_cut\": %.3g,\n",
         clred_partial_bytes(device->plan), time_many(device, 0), time_many(device, SHIFT));
}

void print_joins(const struct device *device) {
  const cl_ulong count = 1 << 20;
  for (int is_cut = 0; is_cut < 2; is_cut++) {
    const cl_ulong first = is_cut ? SHIFT : 0;
    struct packed a = pack(device, first, count), b = pack(device, first + count, count);
    double packing, join = time_join(device, &a, &b, &packing);
    printf("\"join_%s\": %.3g, \"pack_%s\": %.3g, \"bytes_%s\": %zu,\n", is_cut ? "cut" : "whole", join,
           is_cut ? "cut" : "whole", packing, is_cut ? "cut" : "whole", a.size);
    free(a.bytes);
    free(b.bytes);
  }
  print_many(device);
}
