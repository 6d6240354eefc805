// Sums by key: what each customer spent. The sales are sorted by customer, so those of a customer are adjacent. The
// device finds the number of customers and writes it to the outcome. It writes the keys of the customers to keys_out.
#include "device.h"

enum { COUNT = 8 };

static const cl_uint customers[COUNT] = {17, 17, 17, 23, 40, 40, 40, 40};
static const float spent[COUNT] = {1.5f, 2, 0.5f, 9, 1, 2, 3, 4};

static cl_int print_totals(const struct device *device, cl_mem keys, cl_mem sums, cl_ulong runs) {
  cl_uint customer[COUNT];
  float total[COUNT];
  cl_int err = clEnqueueReadBuffer(device->queue, keys, CL_TRUE, 0, sizeof customer, customer, 0, NULL, NULL);
  if (!err)
    err = clEnqueueReadBuffer(device->queue, sums, CL_TRUE, 0, sizeof total, total, 0, NULL, NULL);
  for (cl_ulong i = 0; i < runs && !err; i++)
    printf("customer %u: %g\n", customer[i], total[i]);
  return err;
}

int main(void) {
  const clred_problem problem = {.type = CLRED_TYPE_FLOAT,
                                 .op = CLRED_OP_SUM,
                                 .layout = CLRED_LAYOUT_KEYS,
                                 .segment_type = CLRED_TYPE_UINT,
                                 .count_max = COUNT};
  struct device device;
  clred_plan *plan = NULL;
  clred_outcome outcome = {0};
  cl_int err = device_open(&device);
  cl_mem values = device_copy(&device, spent, sizeof spent, &err),
         keys = device_copy(&device, customers, sizeof customers, &err);
  cl_mem sums = NULL, found = NULL;
  if (!err)
    sums = clCreateBuffer(device.context, CL_MEM_READ_WRITE, sizeof spent, NULL, &err);
  if (!err)
    found = clCreateBuffer(device.context, CL_MEM_READ_WRITE, sizeof customers, NULL, &err);
  if (!err)
    err = clred_plan_create(device.runtime, &problem, &plan);
  const clred_call call = {.in = values,
                           .segments = keys,
                           .count = COUNT,
                           .out = sums,
                           .keys_out = found,
                           .outcome = &outcome,
                           .blocking = CL_TRUE};
  if (!err)
    err = clred_enqueue(device.queue, plan, &call, 0, NULL, NULL);
  if (!err)
    err = print_totals(&device, found, sums, outcome.count);
  clred_plan_release(plan);
  device_free(found);
  device_free(sums);
  device_free(keys);
  device_free(values);
  return device_close(&device, err);
}
