// The bits of scans on both devices beside those of one scan on the first.
#include "pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 3000017u

// What a device needs for its share.
struct scanner {
  clred_plan *scan, *folds;
  clred_partial *before, *partial;
  cl_mem in, out;
};

struct scanners {
  const struct pair *pair;
  struct scanner on[PAIR];
  size_t element, result;  // bytes
};

static cl_mem make_buffer(const struct pair_device *device, size_t size) {
  cl_int err;
  cl_mem buffer = clCreateBuffer(device->context, CL_MEM_READ_WRITE, size, NULL, &err);
  pair_check(device, err, "clCreateBuffer");
  return buffer;
}

// Both devices have all elements.
static void open_scanner(struct scanners *all, size_t index, const struct pair_problem *problem,
                         unsigned char *elements, cl_ulong most) {
  const struct pair_device *device = &all->pair->devices[index];
  struct scanner *it = &all->on[index];
  clred_problem scan = problem->problem;
  clred_plan_info info;
  scan.scan = CLRED_SCAN_INCLUSIVE;
  pair_check(device, clred_plan_create(device->runtime, &scan, &it->scan), "clred_plan_create");
  pair_check(device, clred_plan_inspect(it->scan, 1, &info), "clred_plan_inspect");
  pair_check(device, clred_plan_create_folds(it->scan, &it->folds), "clred_plan_create_folds");
  pair_check(device, clred_partial_create(it->folds, NULL, &it->before), "clred_partial_create");
  pair_check(device, clred_partial_create(it->folds, NULL, &it->partial), "clred_partial_create");
  all->element = problem->element;
  all->result = info.result_size;
  it->in = make_buffer(device, (size_t)most * all->element);
  it->out = make_buffer(device, (size_t)most * all->result);
  pair_check(
    device,
    clEnqueueWriteBuffer(device->queue, it->in, CL_TRUE, 0, (size_t)most * all->element, elements, 0, NULL, NULL),
    "clEnqueueWriteBuffer");
}

static void close_scanner(struct scanner *it) {
  clred_partial_release(it->before);
  clred_partial_release(it->partial);
  clred_plan_release(it->folds);
  clred_plan_release(it->scan);
  clReleaseMemObject(it->in);
  clReleaseMemObject(it->out);
}

static void scan(struct scanners *all, cl_ulong cut, cl_ulong count) {
  clred_call calls[PAIR];
  clred_device_scan shares[PAIR];
  const cl_ulong begins[PAIR + 1] = {0, cut, count};
  for (size_t i = 0; i < PAIR; i++) {
    struct scanner *it = &all->on[i];
    calls[i] = (clred_call){.in = it->in,
                            .in_offset = begins[i],
                            .inputs = &it->in,
                            .input_offsets = &begins[i],
                            .count = begins[i + 1] - begins[i],
                            .out = it->out,
                            .out_offset = begins[i]};
    shares[i] = (clred_device_scan){all->pair->devices[i].queue, it->scan, it->before, it->partial, &calls[i]};
  }
  pair_check(&all->pair->devices[0], clred_devices_scan(shares, PAIR), "clred_devices_scan");
}

static void scan_on_one(struct scanners *all, cl_ulong count) {
  const struct pair_device *device = &all->pair->devices[0];
  struct scanner *it = &all->on[0];
  const clred_call call = {.in = it->in, .inputs = &it->in, .count = count, .out = it->out};
  pair_check(device, clred_enqueue(device->queue, it->scan, &call, 0, NULL, NULL), "clred_enqueue");
  pair_check(device, clFinish(device->queue), "clFinish");
}

static void read_results(const struct scanners *all, size_t index, cl_ulong begin, cl_ulong end,
                         unsigned char *results) {
  const struct pair_device *device = &all->pair->devices[index];
  const size_t from = (size_t)begin * all->result, size = (size_t)(end - begin) * all->result;
  cl_int err =
    size ? clEnqueueReadBuffer(device->queue, all->on[index].out, CL_TRUE, from, size, results + from, 0, NULL, NULL)
         : CL_SUCCESS;
  pair_check(device, err, "clEnqueueReadBuffer");
}

static void compare(struct scanners *all, const char *name, cl_ulong count, unsigned char *one, unsigned char *both,
                    struct pair_tally *tally) {
  const cl_ulong cuts[] = {count / 2 / 1024 * 1024, count - count / 3, count / 7, 0, count};
  scan_on_one(all, count);
  read_results(all, 0, 0, count, one);
  for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
    scan(all, cuts[i], count);
    read_results(all, 0, 0, cuts[i], both);
    read_results(all, 1, cuts[i], count, both);
    const bool is_right = memcmp(one, both, (size_t)count * all->result) == 0;
    tally->right += is_right;
    tally->wrong += !is_right;
    if (!is_right)
      printf("wrong: scan, %s, %llu elements cut at %llu\n", name, (unsigned long long)count,
             (unsigned long long)cuts[i]);
  }
}

void pair_check_scans(const struct pair *pair, const struct pair_problem *problem, unsigned char *elements,
                      struct pair_tally *tally) {
  const cl_ulong counts[] = {1, 777, 5000, MOST};
  struct scanners all = {.pair = pair};
  for (size_t i = 0; i < PAIR; i++)
    open_scanner(&all, i, problem, elements, MOST);
  unsigned char *one = malloc((size_t)MOST * all.result), *both = malloc((size_t)MOST * all.result);
  if (!one || !both) {
    fprintf(stderr, "scaling_devices: out of memory for the results\n");
    exit(1);
  }
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    compare(&all, problem->name, counts[i], one, both, tally);
  free(one);
  free(both);
  for (size_t i = 0; i < PAIR; i++)
    close_scanner(&all.on[i]);
}
