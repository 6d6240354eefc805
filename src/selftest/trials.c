// Shared by the trials of plans: which ones the caller asked for, and reports to the caller.
#include <stdio.h>
#include <string.h>

#include "selftest/probe_plans.h"

bool clr_trials_begin(struct clr_plan_trials *trials, const char *name, double done) {
  const clred_probe_options *options = trials->options;
  if (!trials->stopped && options->begins)
    trials->stopped = options->begins(name, trials->begun + done * trials->share, options->user_data) != CL_FALSE;
  return !trials->stopped;
}

bool clr_trials_want(const struct clr_plan_trials *trials, const char *about) {
  const char *at = trials->options->only;
  size_t length = strlen(about);
  if (!at)
    return true;
  for (; (at = strstr(at, about)) != NULL; at += length)
    if ((at == trials->options->only || at[-1] == ',') && (at[length] == ',' || at[length] == 0))
      return true;
  return false;
}

void clr_trials_end(struct clr_plan_trials *trials, const char *name, const char *about,
                    const struct clr_probed *probed) {
  cl_ulong *const counts[] = {&trials->counts.holds, &trials->counts.avoided, &trials->counts.wrong,
                              &trials->counts.lacking};
  clred_finding finding = {.name = name, .about = about, .verdict = probed->verdict};
  ++*counts[probed->verdict];
  snprintf(finding.detail, sizeof finding.detail, "%s", probed->detail);
  for (char *at = finding.detail; *at; at++)
    if ((unsigned char)*at < ' ')
      *at = ' ';
  if (trials->options->ends)
    trials->options->ends(&finding, trials->options->user_data);
}
