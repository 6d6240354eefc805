// Findings: facts that a device reports wrongly, each with its true value and a reason. Probes find them, and a file
// keeps them; a few are listed by device name.
#pragma once

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

// Adds the value of a fact. If there is a finding about this fact, the two are joined (facts.h).
void clr_finding_add(struct clr_findings *findings, const char *fact, cl_ulong value, const char *why);

// The row of a fact; NULL if there is none.
const struct clr_finding_row *clr_finding_of(const struct clr_findings *findings, const struct clr_fact_row *fact);

// True if both have the same values of the same facts.
bool clr_findings_same(const struct clr_findings *a, const struct clr_findings *b);

// Replaces reported facts by findings where the fact's kind allows it: no limit becomes larger.
void clr_findings_apply(const struct clr_findings *findings, struct clr_facts *facts);

// The first line of a file of findings.
#define CLR_FINDINGS_BEGIN "clreduce findings 1"

// Adds the findings that a file has for the device. The bytes may be anything.
enum clr_tuning_state clr_findings_read(const char *bytes, size_t length, const struct clr_tuning_key *key,
                                        struct clr_findings *findings);

// Writes a file: a section with these findings for the key, and the sections that `old` has for other devices.
void clr_findings_write(const char *old, size_t length, const struct clr_tuning_key *key,
                        const struct clr_findings *findings, struct clr_text *text);
