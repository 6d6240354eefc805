// Writes the report as JSON. docs/performance.md lists the keys.

#include "bench/report.h"

static const char *text_or_null(const char *text) {
  return *text == '\0' ? NULL : text;
}

static void add_words(cJSON *object, const struct args *args) {
  cJSON *words = cJSON_AddArrayToObject(object, "arguments");
  for (int i = 0; i < args->word_count; i++)
    cJSON_AddItemToArray(words, cJSON_CreateString(args->words[i]));
}

static void add_devices(cJSON *object, const struct bench_report *report) {
  cJSON *list = cJSON_AddArrayToObject(object, "devices");
  for (size_t i = 0; i < report->device_count; i++) {
    cJSON *item = cJSON_CreateObject();
    json_add_text(item, "name", report->devices[i].name);
    json_add_text(item, "platform", report->devices[i].platform);
    json_add_text(item, "driver", report->devices[i].driver);
    json_add_text(item, "version", report->devices[i].version);
    cJSON_AddItemToArray(list, item);
  }
}

static void add_peers(cJSON *object, const struct peers *peers) {
  cJSON *list = cJSON_AddArrayToObject(object, "peers");
  for (size_t i = 0; i < peers->count; i++) {
    const struct peer *peer = &peers->list[i];
    cJSON *item = cJSON_CreateObject();
    json_add_text(item, "name", peer->name);
    json_add_text(item, "version", text_or_null(peer->version));
    json_add_text(item, "left_out", peer->out ? peer->reason : NULL);
    cJSON_AddItemToArray(list, item);
  }
}

static void add_clock(cJSON *item, const struct bench_row *row, enum bench_clock clock, const char *name) {
  const struct spread *spread = &row->times[clock];
  cJSON *times = cJSON_AddObjectToObject(item, name);
  json_add_measure(times, "seconds", spread->median);
  json_add_measure(times, "lower", spread->lower);
  json_add_measure(times, "upper", spread->upper);
  json_add_count(times, "runs", spread->runs);
  json_add_measure(times, "gigabytes_per_second", bench_row_speed(row, clock));
}

static void add_case(cJSON *item, const struct bench_row *row) {
  json_add_text(item, "device", row->of.device->name);
  json_add_text(item, "op", row->of.op);
  json_add_text(item, "type", row->of.type);
  json_add_count(item, "count", row->of.count);
  json_add_count(item, "bytes", row->of.bytes);
  json_add_text(item, "kind", side_kind_name(row->kind));
  json_add_text(item, "name", row->name);
}

static cJSON *make_row(const struct bench_row *row) {
  cJSON *item = cJSON_CreateObject();
  add_case(item, row);
  json_add_text(item, "strategy", text_or_null(row->strategy));
  json_add_text(item, "finish", text_or_null(row->finish));
  json_add_text(item, "order", text_or_null(row->order));
  json_add_count(item, "calls", row->calls);
  add_clock(item, row, BENCH_WALL, "wall_clock");
  add_clock(item, row, BENCH_DEVICE, "device_clock");
  if (*row->refused == '\0')
    json_add_truth(item, "correct", row->correct);
  else
    cJSON_AddNullToObject(item, "correct");
  json_add_text(item, "refused", text_or_null(row->refused));
  return item;
}

cJSON *bench_json(const struct bench_report *report) {
  cJSON *object = cJSON_CreateObject();
  json_add_text(object, "clreduce", clred_version());
  json_add_text(object, "date", report->date);
  json_add_text(object, "task", report->request->task->name);
  add_words(object, report->request->args);
  json_add_text(object, "clock", report->request->clock == BENCH_DEVICE ? "device" : "wall");
  json_add_count(object, "repeat", report->request->runs);
  json_add_text(object, "assumed", report->request->args->assume);
  add_devices(object, report);
  add_peers(object, report->peers);
  cJSON *rows = cJSON_AddArrayToObject(object, "rows");
  for (size_t i = 0; i < report->rows.count; i++)
    cJSON_AddItemToArray(rows, make_row(&report->rows.list[i]));
  return object;
}
