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

// ---- vqsort, which sorts no pairs of unequal sizes: a key and its value become one unsigned number of 64 or 128 bits

#ifdef PEER_HAS_HIGHWAY
void pack(uint64_t key, uint32_t value, uint64_t &to) {
  to = key << 32 | value;
}
void pack(uint64_t key, uint32_t value, hwy::uint128_t &to) {
  to = {value, key};
}
uint64_t key_of(uint64_t from) {
  return from >> 32;
}
uint64_t key_of(const hwy::uint128_t &from) {
  return from.hi;
}
uint32_t value_of(uint64_t from) {
  return static_cast<uint32_t>(from);
}
uint32_t value_of(const hwy::uint128_t &from) {
  return static_cast<uint32_t>(from.lo);
}

// Bits that compare as the key does. `to_key` is the inverse of `to_bits`.
template <typename Key> struct ordered_bits {
  using bits = std::conditional_t<sizeof(Key) == 8, uint64_t, std::conditional_t<sizeof(Key) == 4, uint32_t, uint16_t>>;
  static constexpr bits sign = static_cast<bits>(bits{1} << (8 * sizeof(Key) - 1));
  static constexpr bool floating = std::is_floating_point<Key>::value;

  static bits to_bits(Key key) {
    bits from;
    std::memcpy(&from, &key, sizeof key);
    if (std::is_unsigned<Key>::value)
      return from;
    return static_cast<bits>(floating && (from & sign) ? ~from : from ^ sign);
  }
  static Key to_key(bits from) {
    Key key;
    if (!std::is_unsigned<Key>::value)
      from = static_cast<bits>(floating && !(from & sign) ? ~from : from ^ sign);
    std::memcpy(&key, &from, sizeof key);
    return key;
  }
};

template <typename Key> void vqsort_keys(sort_job &job) {
  Key *const out = job.out<Key>(BENCH_RESULTS);
  std::memcpy(out, job.in<Key>(), job.work.count * sizeof *out);
  hwy::Sorter()(out, job.work.count, hwy::SortAscending());
}

template <typename Key> void vqsort_pairs(sort_job &job) {
  using packed = std::conditional_t<sizeof(Key) == 8, hwy::uint128_t, uint64_t>;
  using ordered = ordered_bits<Key>;
  auto *const pairs = reinterpret_cast<packed *>(job.memory.get());
  const Key *const in = job.in<Key>();
  const size_t count = job.work.count;
  const bool indices = job.work.kind == BENCH_ARGSORT;
  uint32_t *const values_out = job.out<uint32_t>(indices ? BENCH_RESULTS : BENCH_VALUES_OUT);
  for (size_t i = 0; i < count; i++)
    pack(ordered::to_bits(in[i]), job.work.values[i], pairs[i]);
  hwy::Sorter()(pairs, count, hwy::SortAscending());
  for (size_t i = 0; i < count; i++)
    values_out[i] = value_of(pairs[i]);
  for (size_t i = 0; i < count && !indices; i++)
    job.out<Key>(BENCH_RESULTS)[i] = ordered::to_key(static_cast<typename ordered::bits>(key_of(pairs[i])));
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
  const call function = chosen[work->type](*work, static_cast<algorithm>(how));
  if (function == nullptr)
    return nullptr;
  auto *job = new sort_job{};
  job->name = names[how];
  job->work = *work;
  job->how = static_cast<algorithm>(how);
  job->call = function;
  if (work->kind != BENCH_SORT_KEYS)
    job->memory.reset(new unsigned char[work->count * 16]);
  return job;
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
