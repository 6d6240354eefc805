// clreduce_shares.h: one reduction or scan over elements that are on several devices of one process, in any contexts.
// The results have the bits of one call. clreduce_partial.h includes this file.
//
//   for (size_t i = 0; i < devices; i++) {
//     clred_share(plans[i], n, devices, i, &first, &calls[i].count);  // which elements device i gets
//     ...                                                             // copy them to calls[i].in
//     shares[i] = (clred_device_share){queues[i], partials[i], &calls[i]};
//   }
//   clred_devices_reduce(shares, devices, &total);

#ifndef CLREDUCE_SHARES_H
#define CLREDUCE_SHARES_H

#include "clreduce_partial.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------- Shares

// Cuts `count` elements into `parts` shares, for devices or processes: share `part` (from 0 on) has the `share`
// elements from `first` on. All shares but the last one differ by at most 1/256 of a share. They are cut at whole
// tiles. If all elements together have at most 128 MiB, they go to part 0: one device is then done before a second one
// could begin. The shares depend on the problem of the plan and the arguments, not on the device. Errors:
// CLRED_INVALID_ARGUMENT (no parts, `part` is not below `parts`, a plan that makes no partials).
CLRED_API cl_int clred_share(clred_plan *plan, cl_ulong count, size_t parts, size_t part, cl_ulong *first,
                             cl_ulong *share);

// The same with shares in the ratio of `weights`: `parts` numbers, such as measured speeds, at least 0 and not all 0.
// `weights` NULL: equal. If all elements have at most 128 MiB, they go to the part with the largest weight.
CLRED_API cl_int clred_share_weighted(clred_plan *plan, cl_ulong count, size_t parts, const double *weights,
                                      size_t part, cl_ulong *first, cl_ulong *share);

// ---------------------------------------------------------------- Reductions

// The elements of one device. The queue and the plan of the partial are of this device. The call has no wait list: the
// elements must be complete, or be written by earlier commands of this in-order queue.
typedef struct clred_device_share {
  cl_command_queue queue;  // gets the work of this share
  clred_partial *partial;  // is reset; gets the elements
  const clred_call *call;  // as for clred_partial_fold
} clred_device_share;

// Reduces elements in buffers of several devices, in any contexts. The elements of shares[0] come first, then those of
// shares[1], and so on. Enqueues the folds of all devices before it waits, joins the partials, and writes the result,
// with the bits of one call. If one share has all elements, the reduction is one call of its plan. Each device has at
// most one share. Allocates nothing on the devices, so keep the partials for further calls; what they contain
// afterwards is undefined. Errors: those of clred_partial_fold and clred_partial_join. The message has the name of the
// device, and clred_last_error returns it for the runtime of each plan. After an error no work of the call is under
// way. CLRED_INVALID_ARGUMENT if `count` is 0, or if two shares are of one device.
CLRED_INLINE cl_int clred_devices_reduce(const clred_device_share *shares, size_t count, void *result);

// ---------------------------------------------------------------- Scans

// The elements of one device, and where their results go. The plan, the partials and the queue belong to this device;
// the plan of the partials is from clred_plan_create_scan_partials. The call has no wait list: see clred_device_share.
typedef struct clred_device_scan {
  cl_command_queue queue;  // gets the work of this share
  clred_plan *scan;        // the scan
  clred_partial *before;   // is reset; gets the elements of all earlier shares, then those of this one
  clred_partial *partial;  // is reset; gets the elements of this share
  const clred_call *call;  // as for clred_partial_scan
} clred_device_scan;

// Scans elements in buffers of several devices. The elements of shares[0] come first, then those of shares[1], and so
// on. The results of a share are in the buffers of its device. All results together have the bits of one scan. First
// all devices fold their elements at the same time. The host joins the partials. Then all devices scan at the same
// time. Waits until all results are written; `before` of the last share is then the partial of all elements. In the
// call of shares[0], `initial` is the state before the first element; in other calls it must be NULL. Each device has
// at most one share. Errors: those of clred_partial_fold and clred_partial_scan, with messages as for
// clred_devices_reduce. The results are then undefined, and no work of the call is under way. CLRED_INVALID_ARGUMENT
// also if another call has an `initial`, or if the plan and the partials of a share belong to different devices.
CLRED_INLINE cl_int clred_devices_scan(const clred_device_scan *shares, size_t count);

// ---------------------------------------------------------------- The exported functions behind the inline ones

// See clreduce_abi.h.
CLRED_API cl_int clred_devices_reduce_v(cl_uint header, const clred_device_share *shares, size_t count, void *result);
CLRED_API cl_int clred_devices_scan_v(cl_uint header, const clred_device_scan *shares, size_t count);

CLRED_INLINE cl_int clred_devices_reduce(const clred_device_share *shares, size_t count, void *result) {
  return clred_devices_reduce_v(CLRED_HEADER_VERSION, shares, count, result);
}

CLRED_INLINE cl_int clred_devices_scan(const clred_device_scan *shares, size_t count) {
  return clred_devices_scan_v(CLRED_HEADER_VERSION, shares, count);
}

#ifdef __cplusplus
}
#endif

#endif
