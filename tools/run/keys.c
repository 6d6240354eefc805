// Splits lists of keys. Keys in columns of several texts are read text by text, so that a row that is left out for its
// value has no key, either.
#include "run/keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "input/row_files.h"
#include "run/job.h"

static const struct input not_open = {.stream = {.descriptor = -1}};

struct input *keys_at(struct job *job, size_t index) {
  return index == 0 ? &job->segments : &job->keys.more[index - 1];
}

// ---- Names

// A comma may be part of the name of a file or column.
static int split(struct keys *keys, const char *list, const struct input *elements) {
  keys->names[0] = list;
  keys->count = 1;
  if (strchr(list, ',') == NULL || row_file_is_whole(list, elements))
    return EXIT_DONE;
  keys->copy = strdup(list);
  if (keys->copy == NULL)
    return fail_memory();
  keys->names[0] = keys->copy;
  for (char *comma = keys->copy; (comma = strchr(comma, ',')) != NULL;
       *comma++ = '\0', keys->names[keys->count++] = comma)
    if (keys->count == KEYS_MOST)
      return fail(EXIT_BAD_USE, "--group %s: has more than %d keys; give fewer", list, KEYS_MOST);
  return EXIT_DONE;
}

static int take_names(struct job *job) {
  const struct args *args = job->args;
  job->keys.count = 1;
  job->keys.names[0] = row_file_name(args);
  int code = args->group != NULL ? split(&job->keys, args->group, &job->input) : EXIT_DONE;
  if (!code && job->keys.count > 1 && args->keys_output != NULL)
    return fail(EXIT_BAD_USE, "--keys-output: writes one key, and --group %s has %zu; --json and lines have all keys",
                args->group, job->keys.count);
  return code;
}

// ---- Opening

static bool are_by_file(struct job *job) {
  const struct args *args = job->args;
  bool columns = args->group != NULL || args->by_key != NULL;
  for (size_t i = 0; i < job->keys.count && columns; i++)
    columns = row_file_is_column(job->keys.names[i]);
  return columns && job->input.request.name_count > 1 && input_is_text(&job->input);
}

int keys_open(struct job *job) {
  if (!row_file_given(job->args))
    return EXIT_DONE;
  for (size_t i = 1; i < KEYS_MOST; i++)
    *keys_at(job, i) = not_open;
  int code = take_names(job);
  job->keys.by_file = !code && are_by_file(job);
  for (size_t i = 0; i < job->keys.count && !code && !job->keys.by_file; i++)
    code = row_file_open(keys_at(job, i), job->args, &job->input, i, job->keys.names[i]);
  return code;
}

void keys_close(struct job *job) {
  struct keys *keys = &job->keys;
  for (size_t i = 0; i < KEYS_MOST; i++)
    words_release(&keys->words[i]);
  for (size_t i = 1; i < keys->count; i++)
    input_close(keys_at(job, i));
  free(keys->copy);
  *keys = (struct keys){.count = 0};
}

// ---- Several texts

// Appends the elements of `part`. `room` is the number of elements that fit the memory of `to`.
static int append(struct input *to, uint64_t *room, const struct input *part) {
  const uint64_t size = to->type.size, needed = to->count + part->count;
  if (needed > *room || to->data == NULL) {
    *room = needed > *room * 2 ? needed + 1 : *room * 2;
    void *grown = pages_grow(to->data, to->count * size, *room * size);
    if (grown == NULL)
      return fail_memory();
    to->data = grown;
  }
  if (part->count > 0)
    memcpy((char *)to->data + to->count * size, part->data, part->count * size);
  to->count = needed;
  return EXIT_DONE;
}

// The numbers of words of one text become numbers of the words of all.
static int renumber(struct input *part, struct words *all) {
  uint32_t *numbers = part->data, *to = calloc(part->words->count + 1, sizeof *to);
  bool room = to != NULL;
  for (uint32_t i = 0; i < part->words->count && room; i++) {
    size_t length;
    const char *word = words_at(part->words, i, &length);
    room = words_number(all, word, length, &to[i]);
  }
  for (uint64_t i = 0; i < part->count && room; i++)
    numbers[i] = to[numbers[i]];
  free(to);
  if (room && !words_fit(all))
    return fail(EXIT_BAD_USE, "%s: the keys up to this file exceed %d different keys or %d bytes; give fewer files",
                input_name(part), WORDS_MOST, WORDS_BYTES_MOST);
  return room ? EXIT_DONE : fail_memory();
}

// The first text with a row decides the type of the keys.
static int check_type(const struct job *job, const struct input *all, const struct input *part, const char *name) {
  if (all->type.type == part->type.type && (all->words == NULL) == (part->words == NULL))
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "%s %s: the keys of %s are %s, those before it %s; give text:NAME or double:NAME",
              job->args->group != NULL ? "--group" : "--by-key", name, part->request.name,
              part->words != NULL ? "text" : part->type.name, all->words != NULL ? "text" : all->type.name);
}

struct texts_read {
  struct input elements;          // of all texts
  uint64_t rooms[KEYS_MOST + 1];  // of the keys, then of the elements
};

static int append_key(struct job *job, struct texts_read *read, size_t index, struct input *part) {
  struct input *all = keys_at(job, index);
  if (all->count == 0) {
    all->type = part->type;
    all->words = part->words != NULL ? &job->keys.words[index] : NULL;
  }
  int code = part->count > 0 ? check_type(job, all, part, job->keys.names[index]) : EXIT_DONE;
  if (!code && part->words != NULL)
    code = renumber(part, &job->keys.words[index]);
  return code ? code : append(all, &read->rooms[index], part);
}

static int read_text(struct job *job, struct texts_read *read, size_t index) {
  struct input keys[KEYS_MOST], *part;
  size_t opened = 0;
  int code = input_open_part(&job->input, index, &part);
  for (; opened < job->keys.count && !code; opened++) {
    keys[opened] = not_open;
    code = row_file_open(&keys[opened], job->args, part, opened, job->keys.names[opened]);
  }
  code = code ? code : input_load(part, &job->progress);
  code = code ? code : append(&read->elements, &read->rooms[KEYS_MOST], part);
  for (size_t i = 0; i < opened && !code; i++) {
    code = input_load(&keys[i], &job->progress);
    code = code ? code : append_key(job, read, i, &keys[i]);
  }
  for (size_t i = 0; i < opened; i++)
    input_close(&keys[i]);
  input_close(part);
  return code;
}

int keys_load(struct job *job) {
  struct texts_read read = {.elements = {.type = job->input.type}};
  int code = EXIT_DONE;
  if (!job->keys.by_file || job->input.data != NULL)
    return EXIT_DONE;
  for (size_t i = 0; i < job->input.request.name_count && !code; i++) {
    code = read_text(job, &read, i);
    code = code ? code : job_check_size(job, &read.elements);
  }
  progress_end(&job->progress);
  job->input.data = read.elements.data;
  job->input.count = read.elements.count;
  job->input.counted = true;
  for (size_t i = 0; i < job->keys.count; i++)
    keys_at(job, i)->counted = true;
  return code;
}
