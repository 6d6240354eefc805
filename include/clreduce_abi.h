// clreduce_abi.h: the exported functions that take structs which may grow, and inline functions that call them with the
// version of this header. clreduce.h includes this file. Bindings from other languages need it.
//
// A binding calls the functions with the suffix _v and passes, as `header`, the CLRED_HEADER_VERSION that its structs
// were written for. The library then reads and writes only the fields of that version; fields that were added later
// have their default. If the library does not know the version, it returns CLRED_INVALID_ARGUMENT: install a newer
// library. Other functions are exported by their own names.

#ifndef CLREDUCE_ABI_H
#define CLREDUCE_ABI_H

CLRED_API cl_int clred_runtime_create_v(cl_uint header, cl_context context, cl_device_id device,
                                        const clred_options *options, clred_runtime **runtime);
CLRED_API cl_int clred_runtime_inspect_v(cl_uint header, clred_runtime *runtime, clred_runtime_info *info);
CLRED_API cl_int clred_select_host_v(cl_uint header, clred_runtime *runtime, clred_type type,
                                     const clred_selection *selection, const void *in, cl_ulong count, void *out,
                                     cl_ulong *kept);
CLRED_API cl_int clred_histogram_host_v(cl_uint header, clred_runtime *runtime, clred_type type,
                                        const clred_histogram *histogram, const void *in, cl_ulong count,
                                        cl_ulong *counts);
CLRED_API cl_int clred_plan_create_v(cl_uint header, clred_runtime *runtime, const clred_problem *problem,
                                     clred_plan **plan);
CLRED_API cl_int clred_plan_inspect_v(cl_uint header, const clred_plan *plan, cl_ulong count, clred_plan_info *info);
CLRED_API cl_int clred_plan_part_v(cl_uint header, const clred_plan *plan, size_t index, clred_part *part);
CLRED_API cl_int clred_enqueue_v(cl_uint header, cl_command_queue queue, clred_plan *plan, const clred_call *call,
                                 cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event);
CLRED_API cl_int clred_call_along_axis_v(cl_uint header, clred_call *call, clred_layout *layout, cl_uint dimensions,
                                         const cl_ulong *shape, cl_uint axis);
CLRED_API cl_int clred_plan_run_host_v(cl_uint header, cl_command_queue queue, clred_plan *plan,
                                       const clred_host_call *call);
CLRED_API cl_int clred_plan_reference_v(cl_uint header, const clred_plan *plan, const clred_host_call *call);
CLRED_API cl_int clred_stream_create_v(cl_uint header, cl_command_queue queue, clred_plan *plan,
                                       const clred_stream_options *options, clred_stream **stream);
CLRED_API cl_int clred_stream_inspect_v(cl_uint header, const clred_stream *stream, clred_stream_info *info);

CLRED_INLINE cl_int clred_runtime_create(cl_context context, cl_device_id device, const clred_options *options,
                                         clred_runtime **runtime) {
  return clred_runtime_create_v(CLRED_HEADER_VERSION, context, device, options, runtime);
}

CLRED_INLINE cl_int clred_runtime_inspect(clred_runtime *runtime, clred_runtime_info *info) {
  return clred_runtime_inspect_v(CLRED_HEADER_VERSION, runtime, info);
}

CLRED_INLINE cl_int clred_select_host(clred_runtime *runtime, clred_type type, const clred_selection *selection,
                                      const void *in, cl_ulong count, void *out, cl_ulong *kept) {
  return clred_select_host_v(CLRED_HEADER_VERSION, runtime, type, selection, in, count, out, kept);
}

CLRED_INLINE cl_int clred_histogram_host(clred_runtime *runtime, clred_type type, const clred_histogram *histogram,
                                         const void *in, cl_ulong count, cl_ulong *counts) {
  return clred_histogram_host_v(CLRED_HEADER_VERSION, runtime, type, histogram, in, count, counts);
}

CLRED_INLINE cl_int clred_plan_create(clred_runtime *runtime, const clred_problem *problem, clred_plan **plan) {
  return clred_plan_create_v(CLRED_HEADER_VERSION, runtime, problem, plan);
}

CLRED_INLINE cl_int clred_plan_inspect(const clred_plan *plan, cl_ulong count, clred_plan_info *info) {
  return clred_plan_inspect_v(CLRED_HEADER_VERSION, plan, count, info);
}

CLRED_INLINE cl_int clred_plan_part(const clred_plan *plan, size_t index, clred_part *part) {
  return clred_plan_part_v(CLRED_HEADER_VERSION, plan, index, part);
}

CLRED_INLINE cl_int clred_enqueue(cl_command_queue queue, clred_plan *plan, const clred_call *call,
                                  cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
  return clred_enqueue_v(CLRED_HEADER_VERSION, queue, plan, call, num_events_in_wait_list, event_wait_list, event);
}

CLRED_INLINE cl_int clred_call_along_axis(clred_call *call, clred_layout *layout, cl_uint dimensions,
                                          const cl_ulong *shape, cl_uint axis) {
  return clred_call_along_axis_v(CLRED_HEADER_VERSION, call, layout, dimensions, shape, axis);
}

CLRED_INLINE cl_int clred_plan_run_host(cl_command_queue queue, clred_plan *plan, const clred_host_call *call) {
  return clred_plan_run_host_v(CLRED_HEADER_VERSION, queue, plan, call);
}

CLRED_INLINE cl_int clred_plan_reference(const clred_plan *plan, const clred_host_call *call) {
  return clred_plan_reference_v(CLRED_HEADER_VERSION, plan, call);
}

CLRED_INLINE cl_int clred_stream_create(cl_command_queue queue, clred_plan *plan, const clred_stream_options *options,
                                        clred_stream **stream) {
  return clred_stream_create_v(CLRED_HEADER_VERSION, queue, plan, options, stream);
}

CLRED_INLINE cl_int clred_stream_inspect(const clred_stream *stream, clred_stream_info *info) {
  return clred_stream_inspect_v(CLRED_HEADER_VERSION, stream, info);
}

#endif
