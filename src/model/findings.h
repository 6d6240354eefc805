// What is known of a device beside what it says of itself: facts that are not so, each with the reason. Found by probes
// and kept in a file, or known by the device's name.
#ifndef CLR_MODEL_FINDINGS_H
#define CLR_MODEL_FINDINGS_H

#include "model/kept_text.h"

#define CLR_FINDING_WHY 200
#define CLR_FINDINGS_MAX 32  // more than there are facts

struct clr_finding_row {
  const struct clr_fact_row *fact;
  cl_ulong value;
  char why[CLR_FINDING_WHY];  // one line
};

struct clr_findings {
  struct clr_finding_row rows[CLR_FINDINGS_MAX];
  size_t count;
};

// Adds that a fact is `value`; what else was found of the same fact is joined: the lesser limit, all the bits that are
// taken away or set.
void clr_finding_add(struct clr_findings *findings, const char *fact, cl_ulong value, const char *why);

// The row of a fact; NULL: nothing is known of it.
const struct clr_finding_row *clr_finding_of(const struct clr_findings *findings, const struct clr_fact_row *fact);

// Whether two say the same of all facts.
bool clr_findings_same(const struct clr_findings *a, const struct clr_findings *b);

// Puts what is found in place of what was reported, where that can be: no limit becomes larger.
void clr_findings_apply(const struct clr_findings *findings, struct clr_facts *facts);

// What is known by name: devices that say nothing of it themselves.
void clr_findings_known(const char *platform, const char *device, struct clr_findings *findings);

// What a file of findings begins with.
#define CLR_FINDINGS_BEGIN "clreduce findings 1"

// Adds what a file says of a device. Any bytes will do.
enum clr_tuning_state clr_findings_read(const char *bytes, size_t length, const struct clr_tuning_key *key,
                                        struct clr_findings *findings);

// Writes a file with these findings for the key, in place of those that `old` has, and its sections for other devices.
void clr_findings_write(const char *old, size_t length, const struct clr_tuning_key *key,
                        const struct clr_findings *findings, struct clr_text *text);

#endif
