// clreduce query: prints every device and its facts. A device that cannot be used is listed with the reason.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/wrap.h"
#include "cli/verbs.h"
#include "device/drivers.h"
#include "device/session.h"

enum { FACTS_MAX = 64 };

// The facts of one device.
struct answer {
  struct device device;
  char error[SESSION_ERROR_SIZE];  // "" if the device can be used
  clred_fact facts[FACTS_MAX];
  size_t fact_count;
};

static void take_facts(const struct session *session, struct answer *answer) {
  while (answer->fact_count < FACTS_MAX &&
         clred_runtime_fact(session->runtime, answer->fact_count, &answer->facts[answer->fact_count]) == CL_SUCCESS)
    answer->fact_count++;
}

// A wrong --assume is an error of the command line. Other failures are reported in the device's row.
static int inspect(const struct device *device, const struct args *args, const struct session_files *files,
                   struct answer *answer) {
  struct session session;
  *answer = (struct answer){.device = *device};
  cl_int status = session_open(&session, device, args->assume, files, answer->error);
  if (status != CL_SUCCESS && args->assume != NULL && fail_code(status) == EXIT_BAD_USE)
    return session_refused(device, args->assume, files, status, answer->error);
  if (status != CL_SUCCESS)
    return EXIT_DONE;
  take_facts(&session, answer);
  session_close(&session);
  return EXIT_DONE;
}

static void print_fact(const clred_fact *fact) {
  printf("   %-22s %12" PRIu64 "  ", fact->name, (uint64_t)fact->value);
  wrap_print(fact->summary, 40, 40, table_width());
}

static void print_line(const char *format, const char *first, const char *second) {
  char line[2 * DEVICE_TEXT_SIZE + SESSION_ERROR_SIZE];
  snprintf(line, sizeof line, format, first, second);
  printf("   ");
  wrap_print(line, 3, 5, table_width());
}

static void print_text(const struct answer *answer) {
  char type[DEVICE_TEXT_SIZE], line[2 * DEVICE_TEXT_SIZE + 32];
  device_type_text(answer->device.type, type);
  snprintf(line, sizeof line, "%zu  %s (%s)\n", answer->device.index, answer->device.name, type);
  wrap_print_lines(line);
  print_line("platform %s, vendor %s", answer->device.platform, answer->device.vendor);
  print_line("version %s, driver %s", answer->device.version, answer->device.driver);
  if (*answer->error != '\0')
    print_line("cannot be used: %s%s", answer->error, "");
  for (size_t i = 0; i < answer->fact_count; i++)
    print_fact(&answer->facts[i]);
}

static void add_answer(cJSON *list, const struct answer *answer) {
  char type[DEVICE_TEXT_SIZE];
  cJSON *object = json_add_item(list);
  device_type_text(answer->device.type, type);
  json_add_text(object, "name", answer->device.name);
  json_add_count(object, "index", answer->device.index);
  json_add_text(object, "platform", answer->device.platform);
  json_add_text(object, "vendor", answer->device.vendor);
  json_add_text(object, "version", answer->device.version);
  json_add_text(object, "driver", answer->device.driver);
  json_add_text(object, "type", type);
  json_add_text(object, "error", *answer->error == '\0' ? NULL : answer->error);
  cJSON *facts = cJSON_AddObjectToObject(object, "facts");
  for (size_t i = 0; i < answer->fact_count; i++)
    json_add_count(facts, answer->facts[i].name, answer->facts[i].value);
}

static int print_answers(const struct answer *answers, size_t count, bool json) {
  cJSON *list = json ? cJSON_CreateArray() : NULL;
  for (size_t i = 0; i < count; i++)
    if (json)
      add_answer(list, &answers[i]);
    else
      print_text(&answers[i]);
  return json ? json_print(list) : EXIT_DONE;
}

static int inspect_all(const struct devices *devices, const struct args *args, const struct session_files *files) {
  struct answer *answers = calloc(devices->count, sizeof *answers);
  int code = answers == NULL ? fail_memory() : EXIT_DONE;
  for (size_t i = 0; i < devices->count && !code; i++)
    code = inspect(&devices->list[i], args, files, &answers[i]);
  code = code ? code : print_answers(answers, devices->count, args->json);
  free(answers);
  return code;
}

int cmd_query(const struct args *args) {
  struct devices devices;
  struct session_files files;
  int code = session_files_take(&files, args, false);
  if (code)
    return code;
  code = devices_list(&devices);
  code = code ? code : devices_restrict(&devices, args->device);
  code = code ? code : inspect_all(&devices, args, &files);
  const char *const messages[] = {devices_broken(), devices_without(), drivers_not_loaded()};
  for (size_t i = 0; i < 3 && !code && !args->quiet; i++)
    if (*messages[i] != '\0')
      note(messages[i]);
  devices_release(&devices);
  return code;
}
