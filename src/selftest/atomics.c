// Probes of atomics, and of results that a group passes to another group of the same launch.
#include <string.h>

#include "selftest/probe.h"

static const char file[] = "probes/atomics.cl";
static const char handing_on[] = "probes/handing_on.cl";

#define WORDS 9
#define GROUPS 64

// ---------------------------------------------------------------- In global memory

// True if the tickets are 0 .. items - 1, each of them once.
static bool are_all_there(const struct clr_prober *prober, size_t items, size_t bytes) {
  unsigned char *seen = prober->expected;
  memset(seen, 0, items);
  for (size_t i = 0; i < items; i++) {
    cl_ulong ticket = clr_bits_get((const char *)prober->got + i * bytes, bytes);
    if (ticket >= items || seen[ticket])
      return false;
    seen[ticket] = 1;
  }
  return true;
}

static cl_ulong word_at(const unsigned char *words, size_t i, size_t bytes) {
  return clr_bits_get(words + i * bytes, bytes);
}

static const char *judge(const struct clr_prober *prober, const unsigned char *words, size_t items, size_t bytes) {
  const cl_ulong mask = bytes == sizeof(cl_ulong) ? CL_ULONG_MAX : CL_UINT_MAX, sum = (cl_ulong)items * (items + 1) / 2;
  cl_ulong bits = items < 32 ? ((cl_ulong)1 << items) - 1 : CL_UINT_MAX, all_xor = 0;
  for (cl_ulong i = 1; i <= items; i++)
    all_xor ^= i;
  if (word_at(words, 0, bytes) != items || !are_all_there(prober, items, bytes))
    return "inc lost counts";
  if (word_at(words, 1, bytes) != (sum & mask))
    return "add lost some";
  if (word_at(words, 2, bytes) != bits || word_at(words, 7, bytes) != all_xor)
    return "or, xor lost bits";
  if (word_at(words, 3, bytes) != items - 1 || word_at(words, 4, bytes) != 0)
    return "max, min are wrong";
  if (((word_at(words, 5, bytes) + word_at(words, 8, bytes)) & mask) != (sum & mask))
    return "xchg lost values";
  if (word_at(words, 6, bytes) != 3 * GROUPS)
    return "cmpxchg lost some";
  return NULL;
}

// Returns what is wrong. Returns NULL if all results are right, and also after an error.
static const char *run(struct clr_prober *prober, bool is_long) {
  const size_t size = clr_probe_group_size(prober), items = GROUPS * size,
               bytes = is_long ? sizeof(cl_ulong) : sizeof(cl_uint);
  const char *trouble = NULL;
  unsigned char words[WORDS * sizeof(cl_ulong)] = {0};
  memset(words + 4 * bytes, 0x7f, bytes);
  cl_kernel kernel =
    clr_probe_kernel(prober, is_long ? "#define LONG 1\n" : "#define LONG 0\n", file, false, "probe_atomics");
  cl_mem in_words = clr_probe_buffer(prober, WORDS * bytes, words);
  cl_mem in_tickets = clr_probe_buffer(prober, items * bytes, NULL);
  const struct clr_argument arguments[] = {CLR_ARGUMENT(in_words), CLR_ARGUMENT(in_tickets)};
  clr_probe_launch(prober, kernel, GROUPS, size, arguments, 2);
  clr_probe_read(prober, in_words, 0, WORDS * bytes, words);
  clr_probe_read(prober, in_tickets, 0, items * bytes, prober->got);
  if (!prober->err)
    trouble = judge(prober, words, items, bytes);
  clr_probe_drop(prober);
  return trouble;
}

static void try_atomics(struct clr_prober *prober, bool is_long) {
  const char *fact = is_long ? "int64_atomics" : "atomics", *trouble = NULL;
  const int rounds = 3;
  for (int i = 0; i < rounds && !prober->err && !trouble; i++)
    trouble = run(prober, is_long);
  if (prober->err)
    clr_probe_correct(prober, fact, 0, "atomics on %d bits fail with %s", is_long ? 64 : 32,
                      clr_status_name(prober->err));
  else if (trouble)
    clr_probe_correct(prober, fact, 0, "atomics on %d bits: %s", is_long ? 64 : 32, trouble);
}

void clr_probe_atomics(struct clr_prober *prober) {
  try_atomics(prober, false);
}

void clr_probe_long_atomics(struct clr_prober *prober) {
  if (prober->reported->int64_atomics)
    try_atomics(prober, true);
  else
    clr_probe_say(prober, CLRED_LACKING, "the device reports none");
}

// ---------------------------------------------------------------- In local memory

#define LOCAL_WORDS 6

static bool is_right(const cl_uint *words, size_t size) {
  cl_uint bits = size < 32 ? (1u << size) - 1 : CL_UINT_MAX, all_xor = 0;
  for (cl_uint i = 1; i <= size; i++)
    all_xor ^= i;
  return words[0] == size && words[1] == size * (size + 1) / 2 && words[2] == size - 1 && words[3] == bits &&
         words[4] == 5 && words[5] == all_xor;
}

void clr_probe_local_atomics(struct clr_prober *prober) {
  const size_t size = clr_probe_group_size(prober);
  cl_uint got[GROUPS * LOCAL_WORDS] = {0};
  if (prober->reported->local_mem_size < 256) {
    clr_probe_say(prober, CLRED_LACKING, "the device has too little local memory");
    return;
  }
  cl_kernel kernel = clr_probe_kernel(prober, "#define LONG 0\n", file, false, "probe_local_atomics");
  cl_mem out = clr_probe_buffer(prober, sizeof got, got);
  const struct clr_argument arguments[] = {{LOCAL_WORDS * sizeof(cl_uint), NULL}, CLR_ARGUMENT(out)};
  clr_probe_launch(prober, kernel, GROUPS, size, arguments, 2);
  clr_probe_read(prober, out, 0, sizeof got, got);
  const char *trouble = clr_probe_trouble(prober);
  for (size_t i = 0; i < GROUPS && !trouble; i++)
    trouble = is_right(got + i * LOCAL_WORDS, size) ? NULL : "a wrong result";
  if (trouble)
    clr_probe_correct(prober, "local_atomics", 0, "atomics in local memory: %s", trouble);
}

// ---------------------------------------------------------------- From group to group

static bool hands_on(struct clr_prober *prober, cl_kernel kernel, cl_uint round, cl_mem partials, cl_mem ticket,
                     cl_mem out) {
  cl_uint got[4] = {0}, expected[4] = {0};
  const struct clr_argument arguments[] = {CLR_ARGUMENT(partials), CLR_ARGUMENT(ticket), CLR_ARGUMENT(out),
                                           CLR_ARGUMENT(round)};
  for (cl_uint group = 0; group < GROUPS * 4; group++) {
    const cl_uint one[4] = {group + round, 1, group ^ round, 3 * group};
    for (int i = 0; i < 4; i++)
      expected[i] += one[i];
  }
  clr_probe_write(prober, out, 0, sizeof got, got);
  clr_probe_launch(prober, kernel, (size_t)GROUPS * 4, clr_probe_group_size(prober), arguments, 4);
  clr_probe_read(prober, out, 0, sizeof got, got);
  return !prober->err && memcmp(got, expected, sizeof got) == 0;
}

// Returns how many rounds gave the right result with this kind of fence.
static int count_right(struct clr_prober *prober, cl_ulong fence, int rounds) {
  struct clr_text defines = {0};
  cl_uint zeros[4] = {0};
  int right = 0;
  clr_text_format(
    &defines,
    "#define FENCE_NONE 0\n#define FENCE_C11 1\n#define FENCE_PTX 2\n#define FENCE %d\n#define STATE uint4\n"
    "#define STATE_SIZE 16\n#define FINISH_ATOMIC 3\n#define FINISH 2\n",
    (int)fence);
  cl_kernel kernel = clr_probe_kernel(prober, defines.bytes ? defines.bytes : "", handing_on, fence == CLR_FENCE_C11,
                                      "probe_last_group");
  cl_mem partials = clr_probe_buffer(prober, (size_t)GROUPS * 4 * sizeof zeros, NULL);
  cl_mem ticket = clr_probe_buffer(prober, sizeof zeros, zeros);
  cl_mem out = clr_probe_buffer(prober, sizeof zeros, zeros);
  for (int i = 0; i < rounds && !prober->err; i++)
    right += hands_on(prober, kernel, (cl_uint)i, partials, ticket, out);
  clr_probe_drop(prober);
  clr_text_release(&defines);
  return right;
}

void clr_probe_handing_on(struct clr_prober *prober) {
  const struct clr_facts facts = clr_probe_facts(prober);
  const int rounds = 50;
  if (!facts.atomics) {
    clr_probe_say(prober, CLRED_LACKING, "it needs correct atomics");
    return;
  }
  int right = count_right(prober, facts.device_fence, rounds);
  if (right == rounds)
    return;
  if (facts.device_fence)
    clr_probe_correct(prober, "device_fence", 0,
                      "the last group of a launch missed writes of other groups in %d of %d launches%s", rounds - right,
                      rounds, clr_probe_because(prober));
  prober->err = CL_SUCCESS;
  if (!facts.device_fence || count_right(prober, CLR_FENCE_NONE, rounds) != rounds)
    clr_probe_correct(prober, "atomics", 0, "the last group of a launch missed writes of other groups by atomics%s",
                      clr_probe_because(prober));
}
