#include "verbs/textbook.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/json.h"
#include "base/wrap.h"

enum { USUAL_COUNT = 8000, USUAL_CALLS = 11 };

static const double budget = 2;  // seconds of calls, unless --repeat is given

// A float cannot represent multiples of the value, so the error of each tree is visible. Integers take the whole part.
void textbook_data(const struct args *args, char spec[TEXTBOOK_SPEC_SIZE]) {
  clred_type_info type = {.floating = CL_TRUE};
  const uint64_t count = args->n.given ? args->n.value : USUAL_COUNT;
  if (args->type != NULL)
    type_of_either(args->type, &type);
  // A char cannot hold 1000.
  const char *value = type.floating ? "1000.23" : value_size(type.component) == 1 ? "100" : "1000";
  snprintf(spec, TEXTBOOK_SPEC_SIZE, "constant:%" PRIu64 ":%s", count, value);
}

struct repeats textbook_repeats(const struct args *args) {
  if (args->repeat.given)
    return (struct repeats){.count = args->repeat.value, .warm = true};
  return (struct repeats){.count = USUAL_CALLS, .budget = budget, .warm = true};
}

void textbook_title(const struct job *job, char title[TEXTBOOK_TITLE_SIZE]) {
  snprintf(title, TEXTBOOK_TITLE_SIZE, "%s%s of %" PRIu64 " elements of %s on %s",
           job->problem.scan ? "inclusive scan by " : "", job->operation.name, (uint64_t)job->input.count,
           job->input.type.name, job->session.device.name);
}

void textbook_print_title(const struct job *job) {
  char title[TEXTBOOK_TITLE_SIZE], line[1536];
  textbook_title(job, title);
  snprintf(line, sizeof line, "%s (%s, %s)", title, job->session.device.platform, job->session.device.driver);
  wrap_print(line, 0, 2, table_width());
}

cJSON *textbook_json(const struct job *job) {
  cJSON *object = cJSON_CreateObject();
  json_add_count(object, "count", job->input.count);
  json_add_text(object, "op", job->operation.name);
  json_add_text(object, "scan", problem_scan_name(&job->problem));
  json_add_text(object, "type", job->input.type.name);
  device_add_json(object, &job->session.device);
  json_add_text(object, "assumed", job->args->assume);
  return object;
}
