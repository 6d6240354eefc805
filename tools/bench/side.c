// The device, the buffers of elements and the rows of the report that the sides of a measurement share.
#include "bench/side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "bench/request.h"

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

void *bed_claim(size_t bytes) {
  const size_t page = 4096, whole = (bytes + page - 1) / page * page;
  void *memory = aligned_alloc(page, whole == 0 ? page : whole);
  if (memory != NULL)
    memset(memory, 0, whole);
  return memory;
}

void bed_release_elements(struct bench_bed *bed) {
  if (bed->wall_queue != NULL)
    clFinish(bed->wall_queue);
  if (bed->session.queue != NULL)
    clFinish(bed->session.queue);
  buffer_release(bed->in);
  buffer_release(bed->second);
  bed->in = bed->second = NULL;
}

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
