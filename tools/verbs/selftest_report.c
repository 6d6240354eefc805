// What selftest has found, as a table for people, with a text for a report of a driver's faults; and as JSON for
// scripts.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/wrap.h"
#include "verbs/selftest.h"

const char *selftest_verdict(clred_verdict verdict) {
  static const char *const names[] = {
    [CLRED_HOLDS] = "holds", [CLRED_AVOIDED] = "avoided", [CLRED_WRONG] = "wrong", [CLRED_LACKING] = "lacking"};
  return names[verdict];
}

// ---- Text

static void print_verdict(const struct selftest_row *row, size_t at) {
  char line[sizeof row->detail + 16];
  snprintf(line, sizeof line, "%s%s%s", selftest_verdict(row->verdict), *row->detail == '\0' ? "" : ": ", row->detail);
  wrap_print(line, at, at, TABLE_WIDTH);
}

static void print_rows(const struct selftest *selftest) {
  const char *about = "";
  for (size_t i = 0; i < selftest->count; i++) {
    const struct selftest_row *row = &selftest->rows[i];
    if (strcmp(about, row->about) != 0)
      printf("%s\n", row->about);
    about = row->about;
    printf("  %-26s ", row->name);
    print_verdict(row, 29);
  }
}

static void print_device(const struct selftest *selftest) {
  const struct device *device = &selftest->session.device;
  printf("device   %s\nplatform %s\ndriver   %s, %s\nlibrary  clreduce %s\n", device->name, device->platform,
         device->driver, device->version, clred_version());
}

static void print_facts(const struct selftest *selftest) {
  clred_fact fact;
  char line[4096] = "";
  for (size_t i = 0; clred_probed_fact(selftest->session.runtime, i, &fact) == CL_SUCCESS; i++) {
    size_t length = strlen(line);
    snprintf(line + length, sizeof line - length, fact.value == fact.reported ? "%s%s=%llu" : "%s%s=%llu (found: %llu)",
             i == 0 ? "" : " ", fact.name, (unsigned long long)fact.reported, (unsigned long long)fact.value);
  }
  printf("facts    ");
  wrap_print(line, 9, 9, TABLE_WIDTH);
}

static void print_faults(const struct selftest *selftest) {
  size_t faults = 0;
  for (size_t i = 0; i < selftest->count; i++) {
    const struct selftest_row *row = &selftest->rows[i];
    if (row->verdict != CLRED_AVOIDED && row->verdict != CLRED_WRONG)
      continue;
    faults++;
    printf("%s: ", row->name);
    print_verdict(row, 2 + strlen(row->name));
  }
  if (faults == 0)
    printf("no faults were found\n");
}

int selftest_print_text(const struct selftest *selftest) {
  const clred_probe_counts *counts = &selftest->counts;
  print_rows(selftest);
  printf("\n%llu hold, %llu are avoided, %llu are wrong, %llu are lacking; %s, %.1f s\n",
         (unsigned long long)counts->holds, (unsigned long long)counts->avoided, (unsigned long long)counts->wrong,
         (unsigned long long)counts->lacking, selftest->args->full ? "full" : "quick", selftest->seconds);
  if (*selftest->path != '\0')
    printf("kept in %s, which all verbs read\n", selftest->path);
  printf("\nFor a report:\n\n");
  print_device(selftest);
  print_facts(selftest);
  print_faults(selftest);
  return EXIT_DONE;
}

// ---- JSON

static void add_facts(cJSON *object, const struct selftest *selftest) {
  clred_fact fact;
  cJSON *facts = cJSON_AddObjectToObject(object, "facts");
  for (size_t i = 0; clred_probed_fact(selftest->session.runtime, i, &fact) == CL_SUCCESS; i++) {
    cJSON *one = cJSON_AddObjectToObject(facts, fact.name);
    json_add_count(one, "reported", fact.reported);
    json_add_count(one, "found", fact.value);
    json_add_text(one, "why", *fact.why == '\0' ? NULL : fact.why);
  }
}

static void add_rows(cJSON *object, const struct selftest *selftest) {
  cJSON *rows = cJSON_AddArrayToObject(object, "rows");
  for (size_t i = 0; i < selftest->count; i++) {
    const struct selftest_row *row = &selftest->rows[i];
    cJSON *one = cJSON_CreateObject();
    json_add_text(one, "name", row->name);
    json_add_text(one, "about", row->about);
    json_add_text(one, "verdict", selftest_verdict(row->verdict));
    json_add_text(one, "detail", *row->detail == '\0' ? NULL : row->detail);
    cJSON_AddItemToArray(rows, one);
  }
}

int selftest_print_json(const struct selftest *selftest) {
  const struct device *device = &selftest->session.device;
  cJSON *object = cJSON_CreateObject();
  json_add_text(object, "device", device->name);
  json_add_text(object, "platform", device->platform);
  json_add_text(object, "driver", device->driver);
  json_add_text(object, "version", device->version);
  json_add_text(object, "library", clred_version());
  json_add_truth(object, "full", selftest->args->full);
  json_add_measure(object, "seconds", selftest->seconds);
  json_add_count(object, "holds", selftest->counts.holds);
  json_add_count(object, "avoided", selftest->counts.avoided);
  json_add_count(object, "wrong", selftest->counts.wrong);
  json_add_count(object, "lacking", selftest->counts.lacking);
  json_add_text(object, "file", *selftest->path == '\0' ? NULL : selftest->path);
  add_facts(object, selftest);
  add_rows(object, selftest);
  return json_print(object);
}
