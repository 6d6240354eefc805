// Scans a share of loaded elements on each of several devices: all fold their shares, the partials are joined, then all
// scan from the partial of everything before their share.
#include <stdlib.h>

#include "base/fail.h"
#include "run/spread.h"

struct scanner {
  struct spread_share share;
  clred_call call;
  clred_partial *before;
  cl_mem out;
  struct spread_fold scan;
};

// Joins what is before the share of this device. `before` of the device before it has no elements of its share yet.
static int join_before(const struct spread *spread, size_t device, struct scanner *scanners) {
  int code = spread_partial(spread, device, 0, &scanners[device].before);
  if (code || device == 0)
    return code;
  clred_partial *before = scanners[device].before;
  code = spread_check(spread, device, clred_partial_join(before, scanners[device - 1].before));
  return code ? code : spread_check(spread, device, clred_partial_join(before, scanners[device - 1].share.partial));
}

// The queue is in order, so the marker is complete when the scan can begin.
static int begin_scan(const struct spread *spread, size_t device, size_t size, struct scanner *scanner) {
  const struct spread_device *on = &spread->devices[device];
  const cl_command_queue queue = on->session->queue;
  if (scanner->call.count == 0)
    return EXIT_DONE;
  int code =
    session_room(on->session, NULL, (size_t)scanner->call.count * size, "the results of a share", &scanner->out);
  if (code)
    return code;
  cl_int status = clEnqueueMarkerWithWaitList(queue, 0, NULL, &scanner->scan.begun);
  if (status != CL_SUCCESS)
    return fail_opencl("clEnqueueMarkerWithWaitList", status, "the begin of a scan");
  scanner->call.out = scanner->out;
  scanner->call.initial = spread->job->work.call.initial;
  status = clred_partial_scan(queue, on->plan, scanner->before, scanner->share.partial, &scanner->call, 0, NULL,
                              &scanner->scan.folded);
  return spread_check(spread, device, status);
}

static int read_results(struct spread *spread, size_t device, const struct results *results, struct scanner *scanner) {
  const struct spread_device *on = &spread->devices[device];
  if (scanner->call.count == 0)
    return EXIT_DONE;
  // PoCL 3.1 never ends a blocking command that waits for a failed event.
  cl_int status = clWaitForEvents(1, &scanner->scan.folded);
  if (status != CL_SUCCESS)
    return fail_opencl("clWaitForEvents", status, "the scan of a share");
  int code = spread_wait(spread, device, scanner->before, &scanner->scan);
  return code ? code
              : session_read(on->session, scanner->out, (size_t)scanner->call.count * results->size,
                             results_at(results, on->first), "the results of a share");
}

static int scan_all(struct spread *spread, const struct results *results, struct scanner *scanners) {
  int code = spread_cut(spread);
  for (size_t i = 0; i < spread->count && !code; i++)
    code = spread_begin(spread, i, &scanners[i].share, &scanners[i].call);
  for (size_t i = 0; i < spread->count && !code; i++)
    code = spread_wait(spread, i, scanners[i].share.partial, &scanners[i].share.fold);
  for (size_t i = 0; i < spread->count && !code; i++)
    code = join_before(spread, i, scanners);
  for (size_t i = 0; i < spread->count && !code; i++)
    code = begin_scan(spread, i, results->size, &scanners[i]);
  for (size_t i = 0; i < spread->count && !code; i++)
    code = read_results(spread, i, results, &scanners[i]);
  return code;
}

int spread_scan(struct spread *spread, const struct results *results) {
  struct scanner *scanners = calloc(spread->count, sizeof *scanners);
  if (scanners == NULL)
    return fail_memory();
  int code = scan_all(spread, results, scanners);
  for (size_t i = 0; i < spread->count; i++) {
    spread_release(spread, i, &scanners[i].share);
    spread_drop(&scanners[i].scan);
    clred_partial_release(scanners[i].before);
    buffer_release(scanners[i].out);
  }
  free(scanners);
  return code;
}
