// The rows that run on the host, over elements in host memory: the loop, and host_openmp, the textbook's
// reduction(op:total). In host_openmp each thread folds a contiguous share of the elements into its own total, and the
// totals are folded in order. Each thread folds as host_serial does, so the row takes the same types.
#include "verbs/ladder_host.h"

#include <stdlib.h>

#include "base/fail.h"

#ifdef _OPENMP
#include <omp.h>
// A team of `threads` threads.
#define ON_ALL_THREADS _Pragma("omp parallel for schedule(static, 1) num_threads((int)threads)")
static cl_ulong thread_count(void) {
  return (cl_ulong)omp_get_max_threads();
}
#else
#define ON_ALL_THREADS
static cl_ulong thread_count(void) {
  return 0;
}
#endif

// ---- The loop

struct loop {
  const clred_plan *plan;
  clred_host_call call;
  const void *inputs[USER_INPUTS_MAX];
};

static cl_int call_loop(void *about, void *results) {
  const struct loop *loop = about;
  clred_host_call call = loop->call;
  call.out = results;
  return clred_plan_reference(loop->plan, &call);
}

int loop_run(const struct job *job, clred_plan *plan, struct repeats repeats, struct outcome *outcome) {
  struct loop loop = {.plan = plan, .call = {.in = job->input.data, .count = job->work.call.count}};
  struct work work = job->work;
  for (size_t i = 0; i < job->other_count; i++)
    loop.inputs[i] = job->others[i].data;
  loop.call.inputs = loop.inputs;
  loop.call.initial = job->work.call.initial;
  work.by_hand = call_loop;
  work.about = &loop;
  return run_plan(&job->session, plan, &work, repeats, outcome);
}

// ---- host_openmp

struct team {
  const struct job *job;
  const clred_plan *fold;  // elements to a total
  clred_plan *join;        // totals to the result
  cl_ulong threads;
  size_t size;  // bytes of a total
  unsigned char *totals;
  cl_int *statuses;
};

// Each thread gives a total, which is a result. A second reduction joins the totals, so a result must be an element of
// the same operator.
static bool is_closed(const clred_plan_info *info, clred_op op) {
  static const clred_op ops[] = {CLRED_OP_SUM, CLRED_OP_PROD, CLRED_OP_MIN, CLRED_OP_MAX, CLRED_OP_AND,
                                 CLRED_OP_OR,  CLRED_OP_XOR,  CLRED_OP_ALL, CLRED_OP_ANY};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    if (ops[i] == op)
      return info->result_type != CLRED_TYPE_NONE && info->result_type == info->state_type;
  return false;
}

const char *openmp_refuses(const clred_plan_info *info, clred_op op) {
  if (thread_count() == 0)
    return "this build has no OpenMP; build the tool with a compiler that has it";
  if (!is_closed(info, op))
    return "threads join results, so only sum, prod, min, max, and, or, xor, all and any run here, and only if the "
           "type of the state is that of the result";
  return NULL;
}

static cl_int fold_shares(struct team *team) {
  const cl_ulong threads = team->threads, count = team->job->work.call.count;
  const size_t size = team->job->input.type.size;
  const unsigned char *in = team->job->input.data;
  ON_ALL_THREADS
  for (cl_ulong i = 0; i < threads; i++) {
    const cl_ulong first = count * i / threads, end = count * (i + 1) / threads;
    const clred_host_call call = {.in = in + first * size, .count = end - first, .out = team->totals + i * team->size};
    team->statuses[i] = clred_plan_reference(team->fold, &call);
  }
  for (cl_ulong i = 0; i < threads; i++)
    if (team->statuses[i] != CL_SUCCESS)
      return team->statuses[i];
  return CL_SUCCESS;
}

static cl_int call_team(void *about, void *result) {
  struct team *team = about;
  const clred_host_call join = {.in = team->totals, .count = team->threads, .out = result};
  cl_int status = fold_shares(team);
  return status == CL_SUCCESS ? clred_plan_reference(team->join, &join) : status;
}

static int make_room(struct team *team) {
  team->totals = calloc(team->threads, team->size);
  team->statuses = calloc(team->threads, sizeof *team->statuses);
  return team->totals != NULL && team->statuses != NULL ? EXIT_DONE : fail_memory();
}

static int make_join(struct team *team, const clred_problem *problem, clred_type total) {
  clred_problem join = *problem;
  join.type = total;
  cl_int status = session_plan(&team->job->session, &join, &team->join);
  return session_check(&team->job->session, status);
}

int openmp_run(const struct job *job, const clred_problem *problem, clred_plan *plan, struct repeats repeats,
               struct outcome *outcome) {
  const cl_ulong count = job->work.call.count, threads = thread_count();
  struct team team = {.job = job, .fold = plan, .threads = threads < count ? threads : count};
  struct work work = job->work;
  clred_plan_info info;
  clred_plan_inspect(plan, count, &info);
  team.size = info.result_size;
  int code = make_join(&team, problem, info.result_type);
  if (!code && count > 0) {
    code = make_room(&team);
    work.by_hand = call_team;
    work.about = &team;
  }
  code = code ? code : run_plan(&job->session, plan, &work, repeats, outcome);
  // The number of threads decides in which order the elements are combined.
  outcome->info.order = "any";
  outcome->info.elements = count;
  clred_plan_release(team.join);
  free(team.totals);
  free(team.statuses);
  return code;
}
