// A plugin of Oclgrind 21.10: see counting.h. Oclgrind loads it by its path, and counts.c is linked with it, so both
// have the same instance.
#include "counting.h"

#include <memory>
#include <set>
#include <tuple>

#include <oclgrind/Context.h>
#include <oclgrind/KernelInvocation.h>
#include <oclgrind/Memory.h>
#include <oclgrind/Plugin.h>
#include <oclgrind/WorkGroup.h>
#include <oclgrind/WorkItem.h>

namespace {

using Bytes = std::pair<size_t, size_t>;  // address and size

// Accesses that the work-items of a sub-group make together: each its nth execution of the same instruction.
struct Together {
  size_t sub_group;
  const void *instruction;
  size_t nth;
  bool operator<(const Together &other) const {
    return std::tie(sub_group, instruction, nth) < std::tie(other.sub_group, other.instruction, other.nth);
  }
};

// What a group did since its last barrier.
struct Group {
  size_t phase = 0, size = 0, operations = 0;
  std::set<size_t> active;
  std::map<std::pair<size_t, const void *>, size_t> executed;
  std::map<Together, std::vector<Bytes>> global, local;
};

size_t width = 1, line = 1;
const size_t banks = 32, word = 4;
std::vector<std::unique_ptr<counted_launch>> launches;
std::map<const oclgrind::WorkGroup *, Group> groups;

size_t pieces_of(const std::vector<Bytes> &accesses, size_t piece, std::set<size_t> &pieces) {
  for (const Bytes &bytes : accesses)
    for (size_t at = bytes.first / piece; at <= (bytes.first + bytes.second - 1) / piece; at++)
      pieces.insert(at);
  return pieces.size();
}

// Elements and states have one word, and a vector has several of them.
size_t values_of(const std::vector<Bytes> &accesses) {
  size_t values = 0;
  for (const Bytes &bytes : accesses)
    values += bytes.second / word;
  return values;
}

// The turns that the busiest bank takes, above those if all banks were equally busy.
size_t conflicts_of(const std::vector<Bytes> &accesses) {
  std::set<size_t> words;
  size_t in_bank[banks] = {0}, most = 0, all = pieces_of(accesses, word, words);
  for (size_t at : words)
    most = std::max(most, ++in_bank[at % banks]);
  return most - (all + banks - 1) / banks;
}

void end_phase(Group &group) {
  counted_launch &launch = *launches.back();
  size_t at = std::min(group.phase, size_t{COUNTED_PHASES - 1});
  counted_phase &phase = launch.phases[at];
  std::map<size_t, size_t> in_sub_group;
  launch.phase_count = std::max(launch.phase_count, at + 1);
  phase.operations += group.operations;
  phase.active_work_items += group.active.size();
  for (size_t item : group.active)
    in_sub_group[item / width]++;
  for (auto &active : in_sub_group) {
    phase.sub_groups++;
    phase.divergent_sub_groups += active.second < std::min(width, group.size);
  }
  for (auto &request : group.global) {
    std::set<size_t> lines;
    phase.requests++;
    phase.global_accesses += values_of(request.second);
    phase.lines += pieces_of(request.second, line, lines);
  }
  for (auto &request : group.local) {
    phase.local_accesses += values_of(request.second);
    phase.bank_conflicts += conflicts_of(request.second);
  }
  size_t next = group.phase + 1, size = group.size;
  group = Group();
  group.phase = next;
  group.size = size;
}

class Counting : public oclgrind::Plugin {
public:
  explicit Counting(const oclgrind::Context *context) : Plugin(context) {
  }

  bool isThreadSafe() const override {
    return false;
  }

  void kernelBegin(const oclgrind::KernelInvocation *launch) override {
    launches.emplace_back(new counted_launch());
    launches.back()->groups = launch->getNumGroups().x;
    launches.back()->least_barriers = UINT64_MAX;
    launches.back()->group_size = launch->getLocalSize().x;
  }

  void workGroupBegin(const oclgrind::WorkGroup *group) override {
    groups[group].size = launches.back()->group_size;
  }

  void workGroupBarrier(const oclgrind::WorkGroup *group, uint32_t) override {
    end_phase(groups[group]);
  }

  void workGroupComplete(const oclgrind::WorkGroup *group) override {
    counted_launch &launch = *launches.back();
    launch.barriers = std::max<uint64_t>(launch.barriers, groups[group].phase);
    launch.least_barriers = std::min<uint64_t>(launch.least_barriers, groups[group].phase);
    end_phase(groups[group]);
    groups.erase(group);
  }

  void memoryLoad(const oclgrind::Memory *memory, const oclgrind::WorkItem *item, size_t address,
                  size_t size) override {
    count(memory, item, address, size);
  }

  void memoryStore(const oclgrind::Memory *memory, const oclgrind::WorkItem *item, size_t address, size_t size,
                   const uint8_t *) override {
    count(memory, item, address, size);
  }

  // An atomic is one access of one value, although it loads and may store, and its value may have two words.
  void memoryAtomicLoad(const oclgrind::Memory *memory, const oclgrind::WorkItem *item, oclgrind::AtomicOp,
                        size_t address, size_t) override {
    count(memory, item, address, word);
  }

private:
  static void count(const oclgrind::Memory *memory, const oclgrind::WorkItem *item, size_t address, size_t size) {
    unsigned space = memory->getAddressSpace();
    if (space == oclgrind::AddrSpacePrivate)
      return;
    Group &group = groups[item->getWorkGroup()];
    size_t local = item->getLocalID().x;
    const void *instruction = item->getCurrentInstruction();
    group.active.insert(local);
    if (size == 1) {
      group.operations++;
      return;
    }
    Together together = {local / width, instruction, group.executed[{local, instruction}]++};
    (space == oclgrind::AddrSpaceLocal ? group.local : group.global)[together].push_back({address, size});
  }
};

}  // namespace

void counting_begin(uint64_t sub_group_width, uint64_t line_bytes) {
  width = sub_group_width;
  line = line_bytes;
  launches.clear();
}

const counted_launch *counting_launch(size_t index) {
  return index < launches.size() ? launches[index].get() : nullptr;
}

extern "C" {
void initializePlugins(oclgrind::Context *context);
void releasePlugins(oclgrind::Context *context);
}

static Counting *counting;

void initializePlugins(oclgrind::Context *context) {
  counting = new Counting(context);
  context->registerPlugin(counting);
}

void releasePlugins(oclgrind::Context *context) {
  context->unregisterPlugin(counting);
  delete counting;
}
