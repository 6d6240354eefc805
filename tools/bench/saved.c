// Reads rows that --json wrote in an earlier run, so that they can be reported again (--from).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "bench/report.h"

int bench_saved_check(const struct args *args) {
  const char *other = args_given(
    args, "type,strategy,sizes,device,peers,task,only,variant,after,calls,bins,repeat,patience,assume,result-type,json",
    0);
  if (args_op(args) != NULL || other != NULL)
    return fail(EXIT_BAD_USE,
                "bench: %s%s and --from exclude each other: rows of an earlier run are not measured again; leave one "
                "out",
                args_op(args) != NULL ? "OP" : "--", args_op(args) != NULL ? "" : other);
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

static bool take_kind(const cJSON *row, enum side_kind *kind) {
  const char *name = cJSON_GetStringValue(json_member(row, "kind"));
  for (int i = SIDE_OURS; i <= SIDE_PEER; i++)
    if (strcmp(name, side_kind_name((enum side_kind)i)) == 0) {
      *kind = (enum side_kind)i;
      return true;
    }
  return false;
}

static bool take_device(const struct bench_report *report, const cJSON *row, const struct device **device) {
  const char *name = cJSON_GetStringValue(json_member(row, "device"));
  for (size_t i = 0; i < report->device_count; i++)
    if (strcmp(report->devices[i].name, name) == 0) {
      *device = &report->devices[i];
      return true;
    }
  return false;
}

// Returns the key of the first member that is missing or wrong; NULL if all are right. `type` points into the document.
static const char *take_row(const struct bench_report *report, const cJSON *from, struct bench_row *row) {
  const cJSON *correct = json_member(from, "correct");
  row->of.type = cJSON_GetStringValue(json_member(from, "type"));
  row->correct = cJSON_IsTrue(correct);
  const struct {
    const char *key;
    bool good;
  } members[] = {{"op", take_text(from, "op", row->of.op, sizeof row->of.op)},
                 {"device", take_device(report, from, &row->of.device)},
                 {"count", take_count(from, "count", &row->of.count) && row->of.count > 0},
                 {"bytes", take_count(from, "bytes", &row->of.bytes) && row->of.bytes > 0},
                 {"kind", take_kind(from, &row->kind)},
                 {"name", take_text(from, "name", row->name, sizeof row->name)},
                 {"strategy", take_text(from, "strategy", row->strategy, sizeof row->strategy)},
                 {"finish", take_text(from, "finish", row->finish, sizeof row->finish)},
                 {"order", take_text(from, "order", row->order, sizeof row->order)},
                 {"calls", take_count(from, "calls", &row->calls)},
                 {"wall_clock", take_clock(from, "wall_clock", &row->times[BENCH_WALL])},
                 {"device_clock", take_clock(from, "device_clock", &row->times[BENCH_DEVICE])},
                 {"refused", take_text(from, "refused", row->refused, sizeof row->refused)},
                 {"correct", cJSON_IsBool(correct) || (cJSON_IsNull(correct) && *row->refused != '\0')}};
  bool copies = row->kind == SIDE_LIMIT && strcmp(row->name, "copy") == 0;
  row->bytes = (copies ? 2 : 1) * (double)row->of.bytes;
  for (size_t i = 0; i < sizeof members / sizeof *members; i++)
    if (!members[i].good)
      return members[i].key;
  return NULL;
}

static int bad_row(const char *path, size_t number, const char *key) {
  char what[80];
  snprintf(what, sizeof what, "row %zu: '%s' is missing or wrong", number, key);
  return bench_baseline_bad("--from", path, what);
}

static int take_rows(struct bench_report *report, const cJSON *rows, const char *path) {
  const cJSON *from;
  size_t number = 0;
  const size_t count = (size_t)cJSON_GetArraySize(rows);
  struct bench_row *list = count == 0 ? NULL : bench_rows_add(&report->rows, count);
  if (count == 0)
    return bench_baseline_bad("--from", path, "it has no rows");
  if (list == NULL)
    return fail_memory();
  cJSON_ArrayForEach(from, rows) {
    const char *bad = take_row(report, from, &list[number++]);
    if (bad != NULL)
      return bad_row(path, number, bad);
  }
  return EXIT_DONE;
}

static bool take_devices(struct bench_report *report, const cJSON *list) {
  const cJSON *from;
  bool good = cJSON_IsArray(list);
  if (!good || cJSON_GetArraySize(list) > BENCH_LIST_MOST)
    return false;
  cJSON_ArrayForEach(from, list) {
    struct device *device = &report->devices[report->device_count++];
    good = good && take_text(from, "name", device->name, sizeof device->name) &&
           take_text(from, "platform", device->platform, sizeof device->platform) &&
           take_text(from, "driver", device->driver, sizeof device->driver) &&
           take_text(from, "version", device->version, sizeof device->version);
  }
  return good;
}

int bench_saved_take(struct bench_report *report, struct bench_request *request, const struct bench_baseline *saved,
                     const char *path) {
  request->task = bench_task_find(cJSON_GetStringValue(json_member(saved->document, "task")));
  if (request->task == NULL)
    return bench_baseline_bad("--from", path, "it has an unknown task");
  if (!take_text(saved->document, "date", report->date, sizeof report->date))
    return bench_baseline_bad("--from", path, "it has no date");
  if (!take_count(saved->document, "repeat", &request->runs))
    return bench_baseline_bad("--from", path, "it has no number 'repeat'");
  if (!take_devices(report, json_member(saved->document, "devices")))
    return bench_baseline_bad("--from", path, "its list of devices is missing or wrong");
  return take_rows(report, saved->rows, path);
}
