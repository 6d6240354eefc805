// Scans elements of one tile that are in host memory: on the host if the operator has host callbacks, otherwise on the
// device.
#include "opencl/session.h"
#include "partial/scan.h"

static void scan_on_host(const struct clr_scan_of_part *scanning, const struct clr_prefix *prefix, cl_ulong first,
                         cl_ulong count) {
  const clred_partial *before = scanning->before;
  const struct clr_values values = {.operation = &before->plan->problem.operation,
                                    .elements = before->tail.elements[0],
                                    .count = count,
                                    .stride = 1,
                                    .inputs = (const void *const *)before->tail.elements + 1,
                                    .parameters = before->parameters,
                                    .first = first};
  const struct clr_scan scan = {.inclusive = scanning->scan->problem.scan == CLRED_SCAN_INCLUSIVE,
                                .start = prefix->has_value ? &prefix->state : NULL,
                                .results = before->results,
                                .stride = 1};
  clr_scan_lanes(&scan, &values, before->plan->shape.rows);
}

static cl_int enqueue_and_read(const struct clr_scan_of_part *scanning, const struct clr_prefix *prefix,
                               const cl_mem *buffers, cl_mem out, cl_ulong count, struct clr_status *status) {
  cl_event scanned = NULL;
  const cl_command_queue queue = scanning->request->queue;
  const struct clr_request request = {.purpose = CLR_FOR_SCANS,
                                      .queue = queue,
                                      .call = {.in = buffers[0],
                                               .inputs = buffers + 1,
                                               .parameters = scanning->mine->parameters,
                                               .count = count,
                                               .stride = 1,
                                               .initial = prefix->has_value ? &prefix->state : NULL,
                                               .out = out},
                                      .first_index = scanning->at - scanning->at % scanning->before->tile,
                                      .event = &scanned};
  cl_int err = clr_enqueue(scanning->scan, &request, status);
  if (err)
    return err;
  // PoCL 3.1 never ends a blocking command that waits for a failed event.
  err = clr_finish_event(&scanned, "the results of a tile", status);
  if (err)
    return err;
  err = clEnqueueReadBuffer(queue, out, CL_TRUE, 0, (size_t)count * scanning->scan->problem.operation.result_size,
                            scanning->before->results, 0, NULL, NULL);
  return err ? clr_fail_call(status, err, "clEnqueueReadBuffer", "the results of a tile") : CL_SUCCESS;
}

static cl_int scan_on_device(const struct clr_scan_of_part *scanning, const struct clr_prefix *prefix, cl_ulong count,
                             struct clr_status *status) {
  const clred_partial *before = scanning->before;
  const cl_context context = scanning->scan->runtime->context;
  cl_mem buffers[CLR_SOURCES_MAX] = {NULL}, out = NULL;
  cl_int err =
    clr_buffer_make(context, CL_MEM_READ_WRITE, (size_t)count * scanning->scan->problem.operation.result_size, NULL,
                    "the results of a tile", &out, status);
  for (size_t i = 0; i < before->source_count && !err; i++)
    err = clr_buffer_make(context, CL_MEM_COPY_HOST_PTR, (size_t)count * before->sizes[i], before->tail.elements[i],
                          "the elements of a tile", &buffers[i], status);
  if (!err)
    err = enqueue_and_read(scanning, prefix, buffers, out, count, status);
  clr_release_buffers(buffers, before->source_count);
  clr_release_buffers(&out, 1);
  return err;
}

cl_int clr_partial_scan_tile(const struct clr_scan_of_part *scanning, const struct clr_prefix *prefix, cl_ulong count,
                             struct clr_status *status) {
  if (!clr_partial_is_joined_on_host(&scanning->scan->problem.operation))
    return scan_on_device(scanning, prefix, count, status);
  const clred_partial *before = scanning->before;
  scan_on_host(scanning, prefix, scanning->at - scanning->at % before->tile, count);
  return CL_SUCCESS;
}
