// The peer `sorts`: what a C++ programmer calls to sort host memory. `strategy` chooses std::sort (`std`, the default),
// std::stable_sort (`stable`), libstdc++'s sort on all cores (`parallel`) or Highway's (`vqsort`). Values are sorted as
// pairs with their keys; std::pair compares values if keys are equal, so each of these sorts has one result. The time
// counts the copies into pairs and out of them.
#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <parallel/algorithm>
#include <type_traits>
#include <utility>
#ifdef PEER_HAS_HIGHWAY
#include <hwy/contrib/sort/vqsort.h>
#endif

#include "peer_side.h"

namespace {

enum algorithm { STD, STABLE, PARALLEL, VQSORT, ALGORITHMS };
const char *const strategies[ALGORITHMS] = {"std", "stable", "parallel", "vqsort"};
const char *const names[ALGORITHMS] = {"std::sort", "std::stable_sort", "__gnu_parallel::sort", "vqsort"};

struct sort_job : bench_job {
  algorithm how;
  void (*call)(sort_job &);
  std::unique_ptr<unsigned char[]> memory;  // the pairs

  template <typename Key> const Key *in() const {
    return static_cast<const Key *>(work.elements);
  }
  template <typename Item> Item *out(bench_part part) const {
    return static_cast<Item *>(parts[part]);
  }
};

// Calls `each` for every index, on all cores in the parallel algorithm.
template <typename Each> void for_all(const sort_job &job, Each each) {
  const size_t count = job.work.count;
#pragma omp parallel for if (job.how == PARALLEL)
  for (size_t i = 0; i < count; i++)
    each(i);
}

template <typename Item, typename Less> void sort_items(const sort_job &job, Item *items, Less less) {
  Item *const end = items + job.work.count;
  if (job.how == STABLE)
    std::stable_sort(items, end, less);
  else if (job.how == PARALLEL)
    __gnu_parallel::sort(items, end, less);
  else
    std::sort(items, end, less);
}

template <typename Key> void sort_pairs(sort_job &job) {
  using pair = std::pair<Key, uint32_t>;
  auto *const pairs = reinterpret_cast<pair *>(job.memory.get());
  const Key *const in = job.in<Key>();
  const uint32_t *const values = job.work.values;
  const bool indices = job.work.kind == BENCH_ARGSORT;
  Key *const keys_out = job.out<Key>(BENCH_RESULTS);
  uint32_t *const values_out = job.out<uint32_t>(indices ? BENCH_RESULTS : BENCH_VALUES_OUT);
  for_all(job, [=](size_t i) { pairs[i] = pair(in[i], values[i]); });
  if (job.how == STABLE)
    sort_items(job, pairs, [](const pair &a, const pair &b) { return a.first < b.first; });
  else
    sort_items(job, pairs, std::less<pair>());
  for_all(job, [=](size_t i) {
    if (!indices)
      keys_out[i] = pairs[i].first;
    values_out[i] = pairs[i].second;
  });
}

template <typename Key> void sort_keys(sort_job &job) {
  const Key *const in = job.in<Key>();
  Key *const out = job.out<Key>(BENCH_RESULTS);
  for_all(job, [=](size_t i) { out[i] = in[i]; });
  sort_items(job, out, std::less<Key>());
}

// ---- vqsort, which sorts no such pairs: a key and its value become one unsigned number of 64 or 128 bits

#ifdef PEER_HAS_HIGHWAY
template <typename Key> using half_of = std::conditional_t<sizeof(Key) == 8, uint64_t, uint32_t>;

// In this order on a little-endian machine. The bits of `key` compare as the key does.
template <typename Half> struct packed { Half value, key; };

// Flips all bits of a negative floating number, and the sign of others; or back.
template <typename Key> half_of<Key> flip(half_of<Key> bits, bool is_back) {
  constexpr auto sign = static_cast<half_of<Key>>(half_of<Key>{1} << (8 * sizeof(Key) - 1));
  if (std::is_unsigned<Key>::value)
    return bits;
  return std::is_floating_point<Key>::value && ((bits & sign) != 0) != is_back ? ~bits : bits ^ sign;
}

template <typename Key> void vqsort_keys(sort_job &job) {
  Key *const out = job.out<Key>(BENCH_RESULTS);
  std::memcpy(out, job.in<Key>(), job.work.count * sizeof *out);
  hwy::Sorter()(out, job.work.count, hwy::SortAscending());
}

template <typename Key> void vqsort_pairs(sort_job &job) {
  using number = std::conditional_t<sizeof(Key) == 8, hwy::uint128_t, uint64_t>;
  auto *const pairs = reinterpret_cast<packed<half_of<Key>> *>(job.memory.get());
  const Key *const in = job.in<Key>();
  const size_t count = job.work.count;
  const bool indices = job.work.kind == BENCH_ARGSORT;
  Key *const keys_out = job.out<Key>(BENCH_RESULTS);
  uint32_t *const values_out = job.out<uint32_t>(indices ? BENCH_RESULTS : BENCH_VALUES_OUT);
  for (size_t i = 0; i < count; i++) {
    half_of<Key> bits = 0;
    std::memcpy(&bits, &in[i], sizeof in[i]);
    pairs[i] = {job.work.values[i], flip<Key>(bits, false)};
  }
  hwy::Sorter()(reinterpret_cast<number *>(pairs), count, hwy::SortAscending());
  for (size_t i = 0; i < count; i++) {
    const half_of<Key> bits = flip<Key>(pairs[i].key, true);
    if (!indices)
      std::memcpy(&keys_out[i], &bits, sizeof in[i]);
    values_out[i] = static_cast<uint32_t>(pairs[i].value);
  }
}
#endif

// ---- The peer

using call = void (*)(sort_job &);

template <typename Key> call choose(const bench_work &work, algorithm how) {
  const bool pairs = work.kind != BENCH_SORT_KEYS;
  if (how != VQSORT)
    return pairs ? sort_pairs<Key> : sort_keys<Key>;
#ifdef PEER_HAS_HIGHWAY
  if constexpr (sizeof(Key) > 1)
    return pairs ? vqsort_pairs<Key> : vqsort_keys<Key>;
#endif
  return nullptr;
}

// In the order of enum bench_type.
call (*const chosen[BENCH_TYPES])(const bench_work &, algorithm) = {
  choose<float>,    choose<double>,  choose<int32_t>,  choose<uint8_t>, nullptr,
  choose<uint16_t>, choose<int64_t>, choose<uint32_t>, choose<uint64_t>};

bench_job *prepare(const bench_work *work) {
  const char *const name = work->strategy == nullptr ? strategies[STD] : work->strategy;
  int how = 0;
  while (how < ALGORITHMS && std::strcmp(strategies[how], name) != 0)
    how++;
  if (how == ALGORITHMS || work->kind < BENCH_SORT_KEYS || work->kind > BENCH_ARGSORT || chosen[work->type] == nullptr)
    return nullptr;
  auto *job = new sort_job{};
  job->name = names[how];
  job->work = *work;
  job->how = static_cast<algorithm>(how);
  job->call = chosen[work->type](*work, job->how);
  if (work->kind != BENCH_SORT_KEYS)
    job->memory.reset(new unsigned char[work->count * 16]);
  if (job->call != nullptr)
    return job;
  delete job;
  return nullptr;
}

void release(bench_job *job) {
  delete static_cast<sort_job *>(job);
}

int enqueue(bench_job *base) {
  auto &job = *static_cast<sort_job *>(base);
  job.call(job);
  return 0;
}

}  // namespace

extern "C" const bench_side bench_peer = {"sorts", 0,       nullptr, prepare, release,
                                          enqueue, nullptr, nullptr, nullptr, nullptr};
