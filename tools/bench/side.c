// The device, the buffers of elements and the rows of the report that the sides of a measurement share.
#include "bench/side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "bench/request.h"

enum { PIECE = 1 << 26 };

// ---- The device

int bench_bed_open(struct bench_bed *bed, const struct device *device, const struct bench_request *request) {
  cl_int status;
  *bed = (struct bench_bed){.in = NULL};
  int code = session_open_on(&bed->session, device, request->args, true);
  if (code)
    return code;
  bed->wall_queue = clCreateCommandQueue(bed->session.context, bed->session.device.id, 0, &status);
  return status ? fail_opencl("clCreateCommandQueue", status, "without profiling") : EXIT_DONE;
}

void bench_bed_close(struct bench_bed *bed) {
  if (bed->readers != NULL)
    clReleaseProgram(bed->readers);
  if (bed->wall_queue != NULL)
    clReleaseCommandQueue(bed->wall_queue);
  session_close(&bed->session);
  *bed = (struct bench_bed){.in = NULL};
}

// ---- Elements

void *bed_claim(size_t bytes) {
  const size_t page = 4096, whole = (bytes + page - 1) / page * page;
  void *memory = aligned_alloc(page, whole == 0 ? page : whole);
  if (memory != NULL)
    memset(memory, 0, whole);
  return memory;
}

// In pieces, because not every driver takes more than 2^32 bytes in one call.
int bed_write(const struct bench_bed *bed, cl_mem buffer, const void *data, size_t bytes) {
  cl_int status = CL_SUCCESS;
  for (size_t done = 0; done < bytes && status == CL_SUCCESS; done += PIECE)
    status = clEnqueueWriteBuffer(bed->wall_queue, buffer, CL_TRUE, done, bytes - done < PIECE ? bytes - done : PIECE,
                                  (const char *)data + done, 0, NULL, NULL);
  return status ? fail_opencl("clEnqueueWriteBuffer", status, "the elements") : EXIT_DONE;
}

int bed_buffer(const struct bench_bed *bed, void *data, size_t bytes, cl_mem *buffer) {
  const bool shares = session_fact(&bed->session, "unified_memory", 0) != 0;
  cl_int status;
  *buffer = clCreateBuffer(bed->session.context, CL_MEM_READ_ONLY | (shares ? CL_MEM_USE_HOST_PTR : 0), bytes,
                           shares ? data : NULL, &status);
  if (status != CL_SUCCESS)
    return fail_opencl("clCreateBuffer", status, "the elements");
  return shares ? EXIT_DONE : bed_write(bed, *buffer, data, bytes);
}

void bed_release_elements(struct bench_bed *bed) {
  if (bed->wall_queue != NULL)
    clFinish(bed->wall_queue);
  if (bed->session.queue != NULL)
    clFinish(bed->session.queue);
  if (bed->in != NULL)
    clReleaseMemObject(bed->in);
  if (bed->second != NULL)
    clReleaseMemObject(bed->second);
  bed->in = bed->second = NULL;
}

// ---- Sides and rows

struct sides *sides_begin(struct bench_report *report) {
  struct bench_row *rows = bench_rows_add(&report->rows, SIDES_MOST);
  struct sides *sides = rows == NULL ? NULL : calloc(1, sizeof *sides);
  if (sides != NULL)
    sides->rows = rows;
  else if (rows != NULL)
    report->rows.count -= SIDES_MOST;
  return sides;
}

void sides_name(struct sides *sides, const struct bench_case *of) {
  for (size_t i = 0; i < sides->count; i++) {
    sides->rows[i].of = *of;
    sides->rows[i].kind = sides->list[i].kind;
    snprintf(sides->rows[i].name, sizeof sides->rows[i].name, "%s", sides->list[i].name);
  }
}

void sides_end(struct sides *sides, struct bench_report *report) {
  if (sides == NULL)
    return;
  for (size_t i = 0; i < sides->count; i++)
    if (sides->list[i].own != NULL)
      sides->list[i].close(&sides->list[i]);
  report->rows.count -= SIDES_MOST - sides->count;
  free(sides);
}
