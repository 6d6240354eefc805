// Chooses the numbers of elements, as far as they fit into memory.

#include "bench/sizes.h"

#include <string.h>
#include <unistd.h>

#include "base/fail.h"

enum { USUAL_FIRST = 1 << 10, USUAL_FACTOR = 4 };

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static uint64_t host_memory(void) {
#ifdef _SC_PHYS_PAGES
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (pages > 0 && size > 0)
    return (uint64_t)pages * (uint64_t)size;
#endif
  return UINT64_MAX;
}

// A quarter of each memory holds the elements; the rest is for a copy on the device and for peers.
static uint64_t bytes_that_fit(const struct session *session, uint64_t room) {
  cl_ulong memory = 0;
  clGetDeviceInfo(session->device.id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
  uint64_t bytes = least(session_fact(session, "max_alloc", memory), memory / 4);
  return least(bytes, least(host_memory() / 4, room / 2));
}

static int check_largest(const struct bench_sizes *sizes, const struct session *session, const clred_type_info *type) {
  uint64_t largest = sizes->list[sizes->count - 1] * type->size, most = session_fact(session, "max_alloc", UINT64_MAX);
  if (largest > host_memory() / 2)
    return fail(EXIT_WORK_FAILED, "--sizes: %llu elements of %s take more than half of the host's memory",
                (unsigned long long)sizes->list[sizes->count - 1], type->name);
  if (largest > most)
    return fail(EXIT_WORK_FAILED, "--sizes: %llu elements of %s are %llu bytes, one buffer of %s holds at most %llu",
                (unsigned long long)sizes->list[sizes->count - 1], type->name, (unsigned long long)largest,
                session->device.name, (unsigned long long)most);
  return EXIT_DONE;
}

int bench_sizes_choose(struct bench_sizes *sizes, const struct bench_request *request, const struct session *session,
                       const clred_type_info *type, uint64_t room) {
  uint64_t most = bytes_that_fit(session, room) / type->size;
  memcpy(sizes->list, request->sizes, sizeof sizes->list);
  sizes->count = request->size_count;
  if (sizes->count == 0)
    for (uint64_t size = USUAL_FIRST; sizes->count == 0 || size <= most; size *= USUAL_FACTOR)
      sizes->list[sizes->count++] = size;
  return check_largest(sizes, session, type);
}
