// clreduce reduce, select and scan.
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "cli/verbs.h"
#include "run/job.h"
#include "run/partial.h"
#include "verbs/quantile.h"

static int refuse_quantile(const struct args *args) {
  if (args->partial != NULL)
    return fail(EXIT_BAD_USE, "--partial: %s needs all elements at once; leave --partial out", args_op(args));
  return fail(EXIT_BAD_USE, "--device %s: %s needs all elements at once; name one device", args->device, args_op(args));
}

static bool has_value(const char *name) {
  return name != NULL && (strcmp(name, "-") == 0 || access(name, F_OK) == 0);
}

// Refuses `select FILE` and `select FILE PREDICATE`: the predicate comes first.
static int check_predicate(const struct args *args) {
  const char *text = args_op(args);
  if (args->verb->bit != VERB_SELECT || args->generate != NULL || has_value(args_input(args)) || !has_value(text))
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "select: '%s' is a file; give the predicate first, as in select 'x > 0' %s", text, text);
}

int cmd_compute(const struct args *args) {
  struct job job;
  int code = partial_check(args);
  code = code ? code : check_predicate(args);
  if (code)
    return code;
  if (args->verb->bit == VERB_REDUCE && (quantile_is_named(args_op(args)) || quantile_is_list(args_op(args))))
    return args->partial != NULL || spread_wanted(args) ? refuse_quantile(args) : quantile_reduce(args);
  if (args->interpolation != NULL)
    return fail(EXIT_BAD_USE, "--interpolation: applies only to median and quantile; leave it out");
  if (args->verb->bit == VERB_SCAN && args->output == NULL)
    return fail(EXIT_BAD_USE, "scan: --output is missing; give --output FILE.npy, or --output - --text");
  code = job_compute(&job, job_begin_operation(&job, args, args_op(args)));
  job_close(&job);
  return code;
}
