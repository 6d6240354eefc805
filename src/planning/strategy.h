// A strategy: what it needs, its numbers, its launches and its tree. One file in src/strategies, one kernel in
// cl/strategies, one row in strategies.def. Everything here is arithmetic; nothing calls OpenCL.
#ifndef CLR_PLANNING_STRATEGY_H
#define CLR_PLANNING_STRATEGY_H

#include "clreduce_device.h"
#include "host/scans.h"
#include "host/trees.h"
#include "planning/pass.h"
#include "planning/shape.h"

// Finishes as a set, in the order of clr_finish_name.
#define CLR_FINISH_BIT(finish) (1u << (finish))

// Layouts as a set.
#define CLR_LAYOUT_BIT(layout) (1u << (layout))
#define CLR_LAYOUT_SEGMENTS \
  (CLR_LAYOUT_BIT(CLRED_LAYOUT_SEGMENTS) | CLR_LAYOUT_BIT(CLRED_LAYOUT_HEADS) | CLR_LAYOUT_BIT(CLRED_LAYOUT_KEYS))
#define CLR_LAYOUT_LINES (CLR_LAYOUT_BIT(CLRED_LAYOUT_LINE) | CLR_LAYOUT_BIT(CLRED_LAYOUT_STRIDED))

// Kernels as a set.
#define CLR_KERNEL_BIT(kernel) (1u << (kernel))

// What a strategy relies on, beside what all do: a set.
enum clr_relies {
  CLR_ON_ATOMICS = 1,  // in global memory
  CLR_ON_LOCAL_ATOMICS = 2,
  CLR_ON_WAITING = 4  // of groups for each other, in loops
};

enum clr_team {
  CLR_TEAM_GROUPS,   // groups of a size that is chosen
  CLR_TEAM_SINGLES,  // groups of one work-item
  CLR_TEAM_HOST      // no kernel at all
};

struct clr_strategy {
  const char *name;
  const char *sentence;
  bool scans;    // one result for every element
  bool selects;  // and serves selections, by its own part select_part of cl/ if it has a kernel
  const char *select_part;
  bool counts;           // elements in bins
  bool fixed_order;      // computes fixed/1; else a tree of its own
  bool permutes;         // combines elements out of order: needs an operator that commutes
  bool tree_in_global;   // its tree needs no local memory
  const char *parts[4];  // of cl/ that its kernel stands on, beside those of all
  const char *own_part;  // one more, compiled twice as its kernel is; NULL: none
  unsigned kernels;      // set of CLR_KERNEL_BIT; 0: those of a reduction
  unsigned layouts;      // set of CLR_LAYOUT_BIT; 0: lines, strided or not
  unsigned relies;       // set of enum clr_relies
  bool takes_nothing;    // launches as ever where there are no elements
  bool takes_groups;     // the caller may say how many groups
  unsigned tunables;     // set of CLR_TUNE_BIT: its free numbers, for lines of neighbours
  bool takes_elements;   // the caller may say how many elements a work-item folds
  enum clr_team team;
  unsigned finishes;       // set of CLR_FINISH_BIT; 0: nothing to finish
  enum clr_finish finish;  // when the caller names none
  cl_ulong local_states;   // of local memory that each work-item needs

  // Fills in what is the strategy's own, once group size, finish and tile are set. NULL: nothing.
  cl_int (*fit)(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                struct clr_status *status);
  // Elements a work-item folds before the tree, in a call over n. NULL: what it reads at once, one or two.
  cl_ulong (*elements)(const struct clr_shape *shape, cl_ulong n);
  // States of scratch for calls over up to n elements; `bounded` says that n does not matter.
  cl_ulong (*scratch)(const struct clr_shape *shape, cl_ulong n, bool *bounded);
  // Launch `index` of a call over n > 0 elements; false past the last.
  bool (*pass)(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *pass);
  // Turns that the loops of a work-item take in a launch, at most. NULL: as many as if it did all by itself.
  cl_ulong (*trips)(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *pass);
  // Step `index` of a launch's tree; false past the last.
  bool (*step)(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *pass, unsigned index,
               struct clred_step *step);
  // The strategy's tree on the host: the root's state.
  cl_int (*reference)(const struct clr_shape *shape, const struct clr_values *values, void *state);
  // The same of elements that come in pieces of whole tiles, the last of which may be shorter. NULL: it takes no
  // streams. The kernels of one that does heed `work` and `rows` as cl/entry.clh says.
  void (*fold)(const struct clr_shape *shape, const struct clr_values *values, struct clr_pairs *pairs);
  // Of a scan: all results.
  cl_int (*scan_reference)(const struct clr_shape *shape, const struct clr_values *values, const struct clr_scan *scan);
};

// The kernels a strategy has.
unsigned clr_strategy_kernels(const struct clr_strategy *strategy);

const struct clr_strategy *clr_strategy_at(size_t index);
const struct clr_strategy *clr_strategy_named(const char *name);  // NULL if there is none

// --- choice.c ---
#define CLR_CHOICES 3
#define CLR_STRATEGY(name) extern const struct clr_strategy clr_strategy_##name;
#include "strategies/strategies.def"
#undef CLR_STRATEGY

// The strategy `auto` stands for on this device, for a problem like this.
const struct clr_strategy *clr_strategy_auto(const struct clr_facts *facts, const struct clr_problem *problem);

// Choice `index` of those that may stand for it, the best first; NULL past the last.
const struct clr_strategy *clr_strategy_choice(const struct clr_facts *facts, const struct clr_problem *problem,
                                               size_t index);

// --- trust.c ---
// The strategy's bit of the fact `avoided`.
cl_ulong clr_strategy_bit(const struct clr_strategy *strategy);

// Whether the device is right in what a strategy relies on; and the same with the reason.
bool clr_strategy_is_trusted(const struct clr_strategy *strategy, const struct clr_facts *facts);
cl_int clr_strategy_check_trust(const struct clr_strategy *strategy, const struct clr_facts *facts,
                                struct clr_status *status);
cl_int clr_finish_check_trust(enum clr_finish finish, const struct clr_facts *facts, struct clr_status *status);

// --- strategy.c ---

// Says why a strategy cannot solve the problem here, or fills in the numbers it would use.
cl_int clr_strategy_fit(const struct clr_strategy *strategy, const struct clr_facts *facts,
                        const struct clr_problem *problem, struct clr_shape *shape, struct clr_status *status);

// Pass `index` of a call over n elements, also for n = 0, where one pass delivers the identity; false past the last.
bool clr_strategy_pass(const struct clr_strategy *strategy, const struct clr_shape *shape, cl_ulong n, unsigned index,
                       struct clr_pass *pass);

#endif
