// The costs of messages and of the calls of libclreduce-mpi.
#include <stdio.h>
#include <stdlib.h>

#include "costs.h"

// ---- Messages between ranks

struct times {
  double least, median;
};

static int compare(const void *a, const void *b) {
  const double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

static struct times times_of(double *seconds) {
  qsort(seconds, TURNS, sizeof *seconds, compare);
  return (struct times){seconds[0], seconds[TURNS / 2]};
}

// All ranks leave the barrier at about the same time. The time of a turn is that of the last rank.
static double end_turn(double begun) {
  double mine = now() - begun, later;
  MPI_Allreduce(&mine, &later, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return later;
}

static struct times time_message(int bytes) {
  static double seconds[TURNS];
  unsigned char *from = calloc(1, (size_t)bytes), *to = calloc(1, (size_t)bytes);
  stop_if(!from || !to, "calloc");
  for (int i = 0; i < TURNS; i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begun = now();
    MPI_Allreduce(from, to, bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
    seconds[i] = end_turn(begun);
  }
  free(from);
  free(to);
  return times_of(seconds);
}

// The bytes of a block of libclreduce-mpi: a head of 128 bytes, and room for any packed partial.
static int block_bytes(const struct device *device) {
  return 128 + (int)(clred_partial_bytes(device->plan) + 15) / 16 * 16;
}

// A call on partials of 2^20 elements. `first`: where the elements of rank 0 begin. `before` NULL: a reduction; shares
// that do not begin at element 0 are refused after the collective, which is what is timed.
static struct times time_call(const struct device *device, clred_mpi *ranks, cl_ulong first, int rank,
                              clred_partial *before) {
  static const float numbers[1 << 20];
  static double seconds[TURNS];
  const cl_ulong count = 1 << 20;
  float result;
  clred_partial *partial = create(device, first + (cl_ulong)rank * count);
  stop_if(clred_partial_push(device->queue, partial, &(clred_host_call){.in = numbers, .count = count}),
          "clred_partial_push");
  for (int i = 0; i < TURNS; i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begun = now();
    const cl_int err = before ? clred_mpi_exscan(ranks, partial, before) : clred_mpi_allreduce(ranks, partial, &result);
    stop_if(err && err != CLRED_PARTIAL_GAP, "a call of libclreduce-mpi");
    seconds[i] = end_turn(begun);
  }
  clred_partial_release(partial);
  return times_of(seconds);
}

static void measure_calls(const struct device *device, int rank) {
  clred_mpi *ranks;
  stop_if(clred_mpi_open(MPI_COMM_WORLD, device->plan, &ranks), "clred_mpi_open");
  const double whole = time_call(device, ranks, 0, rank, NULL).least;
  const double cut = time_call(device, ranks, SHIFT, rank, NULL).least;
  if (rank == 0)
    printf("\"call_whole\": %.3g, \"call_cut\": %.3g,\n", whole, cut);
  clred_mpi_close(ranks);
}

void print_messages(const struct device *device, int rank) {
  measure_calls(device, rank);
  const int sizes[] = {4, 64, 1024, block_bytes(device), 65536};
  if (rank == 0)
    printf("\"block\": %d, \"message\": [", sizes[3]);
  for (int i = 0; i < 5; i++) {
    const double seconds = time_message(sizes[i]).least;
    if (rank == 0)
      printf("%s[%d, %.3g]", i ? ", " : "", sizes[i], seconds);
  }
  if (rank == 0)
    printf("]}\n");
}

// The medians of the calls, in microseconds.
void print_calls(const struct device *device, int rank, int count) {
  clred_mpi *ranks;
  clred_partial *before = create(device, 0);
  stop_if(clred_mpi_open(MPI_COMM_WORLD, device->plan, &ranks), "clred_mpi_open");
  double medians[5];
  for (int i = 0; i < 4; i++)
    medians[i] = time_call(device, ranks, i % 2 ? SHIFT : 0, rank, i < 2 ? NULL : before).median;
  medians[4] = time_message(block_bytes(device)).median;
  if (rank == 0)
    printf("%d ranks: allreduce %.1f us, cut anywhere %.1f; exscan %.1f, cut anywhere %.1f; MPI_Allreduce of %d bytes "
           "%.1f\n",
           count, medians[0] * 1e6, medians[1] * 1e6, medians[2] * 1e6, medians[3] * 1e6, block_bytes(device),
           medians[4] * 1e6);
  clred_mpi_close(ranks);
  clred_partial_release(before);
}
