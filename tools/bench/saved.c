// Reads what --json wrote in an earlier run, for --from and --compare.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "bench/bench.h"
#include "input/stream.h"

enum { BYTES_MAX = 1 << 26 };

static int bad_file(const char *option, const char *path, const char *what) {
  return fail(EXIT_BAD_USE, "%s %s: %s; give a file that 'clreduce bench --json' wrote", option, path, what);
}

int bench_saved_check(const struct args *args) {
  if (args_op(args) != NULL)
    return fail(EXIT_BAD_USE, "bench: OP and --from exclude each other; leave one of them out");
  return EXIT_DONE;
}

// True if the member is a text that fits. null is the text "".
static bool take_text(const cJSON *object, const char *key, char *text, size_t size) {
  const cJSON *item = json_member(object, key);
  const char *given = cJSON_IsNull(item) ? "" : cJSON_GetStringValue(item);
  return given != NULL && snprintf(text, size, "%s", given) < (int)size;
}

static bool take_count(const cJSON *object, const char *key, uint64_t *count) {
  const double most = 9007199254740992.0;
  const cJSON *item = json_member(object, key);
  if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble <= most))
    return false;
  *count = (uint64_t)item->valuedouble;
  return true;
}

static bool take_seconds(const cJSON *times, const char *key, double *seconds) {
  const cJSON *item = json_member(times, key);
  *seconds = cJSON_IsNumber(item) ? item->valuedouble : NAN;
  return cJSON_IsNull(item) || (*seconds > 0 && isfinite(*seconds));
}

static bool take_clock(const cJSON *row, const char *key, struct spread *spread) {
  const cJSON *times = json_member(row, key);
  return take_seconds(times, "seconds", &spread->median) && take_seconds(times, "lower", &spread->lower) &&
         take_seconds(times, "upper", &spread->upper) && take_count(times, "runs", &spread->runs);
}

static bool take_device(const struct bench_report *report, const cJSON *row, const struct device **device) {
  const char *name = cJSON_GetStringValue(json_member(row, "device"));
  for (size_t i = 0; name != NULL && i < report->devices.count; i++)
    if (strcmp(report->devices.list[i].name, name) == 0) {
      *device = &report->devices.list[i];
      return true;
    }
  return false;
}

// Returns the key of the first member that is missing or wrong; NULL if all are right. `type` points into the document.
static const char *take_row(const struct bench_report *report, const cJSON *from, struct bench_row *row) {
  const cJSON *correct = json_member(from, "correct");
  row->type = cJSON_GetStringValue(json_member(from, "type"));
  row->correct = cJSON_IsTrue(correct);
  const struct {
    const char *key;
    bool good;
  } members[] = {{"type", row->type != NULL},
                 {"op", take_text(from, "op", row->op, sizeof row->op)},
                 {"device", take_device(report, from, &row->device)},
                 {"count", take_count(from, "count", &row->count) && row->count > 0},
                 {"bytes", take_count(from, "bytes", &row->bytes) && row->bytes > 0},
                 {"name", take_text(from, "name", row->name, sizeof row->name)},
                 {"strategy", take_text(from, "strategy", row->strategy, sizeof row->strategy)},
                 {"finish", take_text(from, "finish", row->finish, sizeof row->finish)},
                 {"order", take_text(from, "order", row->order, sizeof row->order)},
                 {"calls", take_count(from, "calls", &row->calls)},
                 {"wall_clock", take_clock(from, "wall_clock", &row->times[BENCH_WALL])},
                 {"device_clock", take_clock(from, "device_clock", &row->times[BENCH_DEVICE])},
                 {"refused", take_text(from, "refused", row->refused, sizeof row->refused)},
                 {"correct", cJSON_IsBool(correct) || (cJSON_IsNull(correct) && *row->refused != '\0')}};
  for (size_t i = 0; i < sizeof members / sizeof *members; i++)
    if (!members[i].good)
      return members[i].key;
  return NULL;
}

static int take_rows(struct bench_report *report, const cJSON *rows, const char *option, const char *path) {
  const cJSON *from;
  size_t number = 0;
  const int count = cJSON_GetArraySize(rows);
  char what[80];
  if (!cJSON_IsArray(rows) || count == 0)
    return bad_file(option, path, "it has no list of rows");
  struct bench_row *list = bench_rows_add(report, (size_t)count);
  if (list == NULL)
    return fail_memory();
  cJSON_ArrayForEach(from, rows) {
    const char *bad = take_row(report, from, &list[number++]);
    snprintf(what, sizeof what, "row %zu: '%s' is missing or wrong", number, bad == NULL ? "" : bad);
    if (bad != NULL)
      return bad_file(option, path, what);
  }
  return EXIT_DONE;
}

static bool take_devices(struct bench_report *report, const cJSON *list) {
  const cJSON *from;
  const int count = cJSON_GetArraySize(list);
  bool good = cJSON_IsArray(list) && count > 0 && count <= BENCH_LIST_MAX;
  report->devices.list = good ? calloc((size_t)count, sizeof *report->devices.list) : NULL;
  good = report->devices.list != NULL;
  cJSON_ArrayForEach(from, list) {
    if (!good)
      break;
    struct device *device = &report->devices.list[report->devices.count++];
    good = good && take_text(from, "name", device->name, sizeof device->name) &&
           take_text(from, "platform", device->platform, sizeof device->platform) &&
           take_text(from, "driver", device->driver, sizeof device->driver) &&
           take_text(from, "version", device->version, sizeof device->version);
  }
  return good;
}

static int take_report(struct bench_saved *saved, const char *option, const char *path) {
  struct bench_report *report = &saved->report;
  const cJSON *document = saved->document;
  if (document == NULL)
    return bad_file(option, path, "it is not JSON");
  if (!take_text(document, "date", report->date, sizeof report->date))
    return bad_file(option, path, "it has no date");
  if (!take_count(document, "repeat", &report->runs))
    return bad_file(option, path, "it has no number 'repeat'");
  if (!take_devices(report, json_member(document, "devices")))
    return bad_file(option, path, "its list of devices is missing or wrong");
  return take_rows(report, json_member(document, "rows"), option, path);
}

int bench_saved_load(struct bench_saved *saved, const char *option, const char *path) {
  void *data = NULL;
  uint64_t size;
  *saved = (struct bench_saved){.document = NULL};
  int code = stream_read_file(path, BYTES_MAX, &data, &size);
  if (code)
    return code;
  saved->document = cJSON_ParseWithLength(data, (size_t)size);
  free(data);
  return take_report(saved, option, path);
}

void bench_report_release(struct bench_report *report) {
  free(report->rows);
  devices_release(&report->devices);
}

void bench_saved_release(struct bench_saved *saved) {
  bench_report_release(&saved->report);
  cJSON_Delete(saved->document);
}
