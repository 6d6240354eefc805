// Groups of elements by keys.
#include "run/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "input/row_files.h"
#include "run/job.h"

// ---------------------------------------------------------------- Lists of keys

// Keys in columns of several texts are read together with the elements of each text. So if a row is left out because
// its value is missing, its key is left out, too.

static const struct input not_open = {.stream = {.descriptor = -1}};

static bool groups_number_key(struct words *words, const clred_type_info *type, const void *key, uint32_t *found);

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
    if (keys->count == KEYS_MAX)
      return fail(EXIT_BAD_USE, "--group %s: has more than %d keys; give fewer", list, KEYS_MAX);
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
  for (size_t i = 1; i < KEYS_MAX; i++)
    *keys_at(job, i) = not_open;
  int code = take_names(job);
  job->keys.by_file = !code && are_by_file(job);
  for (size_t i = 0; i < job->keys.count && !code && !job->keys.by_file; i++)
    code = row_file_open(keys_at(job, i), job->args, &job->input, i, job->keys.names[i]);
  return code;
}

void keys_close(struct job *job) {
  struct keys *keys = &job->keys;
  for (size_t i = 0; i < KEYS_MAX; i++)
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
                input_name(part), WORDS_MAX, WORDS_BYTES_MAX);
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
  struct input elements;         // of all texts
  uint64_t rooms[KEYS_MAX + 1];  // of the keys, then of the elements
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
  struct input keys[KEYS_MAX], *part;
  size_t opened = 0;
  int code = input_open_part(&job->input, index, &part);
  for (; opened < job->keys.count && !code; opened++) {
    keys[opened] = not_open;
    code = row_file_open(&keys[opened], job->args, part, opened, job->keys.names[opened]);
  }
  code = code ? code : input_load(part, &job->progress);
  code = code ? code : append(&read->elements, &read->rooms[KEYS_MAX], part);
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
    code = code ? code : run_check_size(&job->session, &read.elements);
  }
  progress_end(&job->progress);
  job->input.data = read.elements.data;
  job->input.count = read.elements.count;
  job->input.counted = true;
  for (size_t i = 0; i < job->keys.count; i++)
    keys_at(job, i)->counted = true;
  return code;
}

// ---------------------------------------------------------------- Equal keys of --by-key that stand apart

struct run_keys {
  const clred_type_info *type;
  const char *at;
  uint64_t count;
};

static uint64_t bits_at(const struct run_keys *keys, uint64_t index) {
  return number_order(keys->type->type, keys->at + index * keys->type->size);
}

// A NaN equals no other key, so each NaN is a run of one element.
static bool is_nan(const struct run_keys *keys, uint64_t index) {
  return keys->type->floating && isnan(number_as_double(keys->type->type, keys->at + index * keys->type->size));
}

// True if the keys ascend or descend. Then equal keys are neighbours.
static bool are_sorted(const struct run_keys *keys) {
  bool up = true, down = true;
  for (uint64_t i = 1; i < keys->count && (up || down); i++) {
    uint64_t before = bits_at(keys, i - 1), bits = bits_at(keys, i);
    up = up && before <= bits;
    down = down && before >= bits;
  }
  return up || down;
}

// True if the key begins a run of keys that are no NaN.
static bool begins_run(const struct run_keys *keys, uint64_t index) {
  return !is_nan(keys, index) && (index == 0 || bits_at(keys, index - 1) != bits_at(keys, index));
}

void groups_note_apart(const struct job *job, const clred_type_info *type, const void *at, uint64_t count) {
  const struct run_keys keys = {type, at, count};
  struct words words = {0};
  bool apart = false, room = true;
  if (job->args->quiet || are_sorted(&keys))
    return;
  for (uint64_t i = 0; i < count && room && !apart && words_fit(&words); i++) {
    uint32_t before = words.count, found;
    bool begins = begins_run(&keys, i);
    room = !begins || groups_number_key(&words, type, keys.at + i * type->size, &found);
    apart = room && begins && words.count == before;
  }
  words_release(&words);
  if (apart)
    note(job->problem.scan
           ? "--by-key: equal keys stand apart, so the scan begins anew at each run of them; sort by key "
             "to join them"
           : "--by-key: equal keys stand apart and have several rows; --group gives one row for each "
             "key");
}

// ---------------------------------------------------------------- The groups

// A table numbers the different keys. It stores a numeric key as eight bytes that sort in the order of the numbers.
// Then a counting sort by the table's numbers puts the elements of each group side by side.

// ---- Keys as words

static bool number_ordered(struct words *words, uint64_t bits, uint32_t *found) {
  unsigned char word[sizeof bits];
  for (size_t i = 0; i < sizeof word; i++)
    word[i] = (unsigned char)(bits >> (56 - 8 * i));
  return words_number(words, word, sizeof word, found);
}

// The number of a key among the words. Returns false if memory is short.
static bool groups_number_key(struct words *words, const clred_type_info *type, const void *key, uint32_t *found) {
  return number_ordered(words, number_order(type->type, key), found);
}

// ---- The number of each element's key

// A column of keys: the different ones, and of each element the number of its key.
struct column {
  const struct words *words;
  struct words own;
  const uint32_t *numbers;
  uint32_t *made;         // `numbers`, unless they are those of an input
  struct recent *recent;  // NULL after all numbers are made
};

// Keys that were numbered lately, in one slot for each hash: a search among the words costs ten times as much.
struct recent {
  uint64_t bits;
  uint32_t number;
  bool is_known;
};

enum { RECENT_BITS = 18, RECENT = 1 << RECENT_BITS };

static void release_column(struct column *column) {
  words_release(&column->own);
  free(column->made);
  free(column->recent);
}

static int too_many(const char *option) {
  return fail(EXIT_BAD_USE,
              "--group %s: more than %d different keys, the most for groups; sort by key and give --by-key", option,
              WORDS_MAX);
}

static int begin_numbers(struct column *column, uint64_t count) {
  column->words = &column->own;
  if (column->made == NULL)
    column->made = pages_allocate(count * sizeof *column->made);
  column->numbers = column->made;
  column->recent = calloc(RECENT, sizeof *column->recent);
  return column->made == NULL || column->recent == NULL ? fail_memory() : EXIT_DONE;
}

static inline int number_element(struct column *column, uint64_t index, uint64_t bits, const char *option) {
  struct recent *recent = &column->recent[(bits ^ bits >> RECENT_BITS ^ bits >> 2 * RECENT_BITS) & (RECENT - 1)];
  if (!recent->is_known || recent->bits != bits) {
    if (!number_ordered(&column->own, bits, &recent->number))
      return fail_memory();
    if (!words_fit(&column->own))
      return too_many(option);
    recent->bits = bits;
    recent->is_known = true;
  }
  column->made[index] = recent->number;
  return EXIT_DONE;
}

static void end_numbers(struct column *column) {
  free(column->recent);
  column->recent = NULL;
}

// Keys that are words are numbered already.
static int take_column(struct column *column, const struct args *args, const struct input *keys) {
  const char *at = keys->data;
  *column = (struct column){.words = keys->words, .numbers = keys->data};
  if (keys->words != NULL)
    return EXIT_DONE;
  int code = begin_numbers(column, keys->count);
  for (uint64_t i = 0; i < keys->count && !code; i++, at += keys->type.size)
    code = number_element(column, i, number_order(keys->type.type, at), args->group);
  end_numbers(column);
  return code;
}

// The place of each key among the sorted ones. NULL if memory is short.
static uint32_t *rank_words(const struct words *words) {
  uint32_t *order = calloc(words->count + 1, sizeof *order), *ranks = calloc(words->count + 1, sizeof *ranks);
  bool room = order != NULL && ranks != NULL;
  for (uint32_t i = 0; i < words->count && room; i++)
    order[i] = i;
  room = room && words_sort(words, order, words->count);
  for (uint32_t i = 0; i < words->count && room; i++)
    ranks[order[i]] = i;
  free(order);
  if (room)
    return ranks;
  free(ranks);
  return NULL;
}

// Two columns become one of pairs, which sort by the first key, then by the second. Its numbers replace the first ones.
static int join(struct column *column, const struct column *next, uint64_t count, const char *option) {
  struct column pairs = {.made = column->made};
  const uint32_t *numbers = column->numbers;
  const uint64_t width = next->words->count;
  uint32_t *first = rank_words(column->words), *second = rank_words(next->words);
  column->made = NULL;
  int code = begin_numbers(&pairs, count);
  code = code || (first != NULL && second != NULL) ? code : fail_memory();
  for (uint64_t i = 0; i < count && !code; i++)
    code = number_element(&pairs, i, first[numbers[i]] * width + second[next->numbers[i]], option);
  end_numbers(&pairs);
  free(first);
  free(second);
  release_column(column);
  *column = pairs;
  column->words = &column->own;
  return code;
}

// ---- Groups

struct groups {
  struct column keys;
  uint64_t elements, count;
  uint64_t *first;  // of each word, its first element
  uint64_t *next;   // of each word, how many elements have it; then where the next of them goes
  uint32_t *order;  // the words, in the order of their groups
};

static int take_keys(struct groups *groups, struct job *job) {
  int code = take_column(&groups->keys, job->args, &job->segments);
  for (size_t i = 1; i < job->keys.count && !code; i++) {
    struct column next;
    code = take_column(&next, job->args, keys_at(job, i));
    code = code ? code : join(&groups->keys, &next, groups->elements, job->args->group);
    release_column(&next);
  }
  return code;
}

static int count_elements(struct groups *groups) {
  size_t words = groups->keys.words->count;
  groups->first = calloc(words + 1, sizeof *groups->first);
  groups->next = calloc(words + 1, sizeof *groups->next);
  groups->order = calloc(words + 1, sizeof *groups->order);
  if (groups->first == NULL || groups->next == NULL || groups->order == NULL)
    return fail_memory();
  for (uint64_t i = groups->elements; i-- > 0;) {
    groups->first[groups->keys.numbers[i]] = i;
    groups->next[groups->keys.numbers[i]]++;
  }
  for (uint32_t i = 0; i < words; i++)
    if (groups->next[i] > 0)
      groups->order[groups->count++] = i;
  return words_sort(groups->keys.words, groups->order, groups->count) ? EXIT_DONE : fail_memory();
}

static int make_offsets(struct groups *groups, struct input *runs) {
  uint64_t *offsets = pages_allocate((groups->count + 1) * sizeof *offsets), at = 0;
  if (offsets == NULL)
    return fail_memory();
  runs->data = offsets;
  runs->count = groups->count + 1;
  clred_type_inspect(CLRED_TYPE_ULONG, &runs->type);
  for (uint64_t i = 0; i < groups->count; i++) {
    uint64_t *next = &groups->next[groups->order[i]], elements = *next;
    *next = offsets[i] = at;
    at += elements;
  }
  offsets[groups->count] = at;
  return EXIT_DONE;
}

static int make_keys(const struct groups *groups, const struct input *keys, struct results *results) {
  int code = results_make_values(results, keys->type.type, groups->count);
  results->words = keys->words;
  for (uint64_t i = 0; i < groups->count && !code; i++)
    memcpy(results_at(results, i), (const char *)keys->data + groups->first[groups->order[i]] * keys->type.size,
           keys->type.size);
  return code;
}

// Frees the memory of the keys, because the next step needs the most memory. Numbers of words are still needed.
static int make_all_keys(const struct groups *groups, struct job *job) {
  const size_t count = job->keys.count;
  int code = EXIT_DONE;
  for (size_t i = 0; i < count && !code; i++) {
    struct input *keys = keys_at(job, i);
    code = make_keys(groups, keys, &job->group_keys[i]);
    job->group_keys[i].next = i + 1 < count ? &job->group_keys[i + 1] : NULL;
    job->group_keys[i].title = count > 1 ? job->keys.names[i] : NULL;
    if (keys->data == groups->keys.numbers)
      continue;
    free(keys->data);
    keys->data = NULL;
  }
  return code;
}

// ---- Places

static int make_places(const struct groups *groups, struct job *job) {
  size_t bytes = groups->keys.words->count * sizeof *groups->next;
  uint64_t *next = malloc(bytes + 1);
  job->places = pages_allocate(groups->elements * sizeof *job->places);
  if (next != NULL && job->places != NULL) {
    memcpy(next, groups->next, bytes);
    for (uint64_t i = 0; i < groups->elements; i++)
      job->places[next[groups->keys.numbers[i]]++] = i;
  }
  free(next);
  return next != NULL && job->places != NULL ? EXIT_DONE : fail_memory();
}

static bool is_index(const struct part *part) {
  const char *name = part_own_name(part);
  const size_t length = strlen(name), index = strlen("index");
  return length >= index && strcmp(name + length - index, "index") == 0;
}

// Replaces all indices in results of `per_group` rows for each group. With `all`, every part is an index.
static void change_indices(const struct job *job, struct results *results, bool all,
                           uint64_t (*change)(const struct job *job, uint64_t group, uint64_t index)) {
  const uint64_t per_group = results->per_line > 0 ? results->per_line : 1;
  for (size_t i = 0; i < results->part_count; i++)
    for (uint64_t row = 0; row < results->count && (all || is_index(&results->parts[i])); row++) {
      char *at = (char *)results_at(results, row) + results->parts[i].offset;
      uint64_t index;
      memcpy(&index, at, sizeof index);
      index = change(job, row / per_group, index);
      memcpy(at, &index, sizeof index);
    }
}

static uint64_t index_in_input(const struct job *job, uint64_t group, uint64_t index) {
  const uint64_t first = segments_offset(&job->runs, group), end = segments_offset(&job->runs, group + 1);
  return index < end - first ? job->places[first + index] : index;
}

void groups_place(const struct job *job, struct results *results) {
  change_indices(job, results, false, index_in_input);
}

static uint64_t row_in_text(const struct job *job, uint64_t group, uint64_t index) {
  (void)group;
  return index < job->input.gaps.taken ? text_row_number(&job->input.gaps, index) : index;
}

void groups_number_rows(const struct job *job, struct results *results) {
  if (job->input.gaps.count > 0 && !runs_given(job->args) && job->args->segments == NULL)
    change_indices(job, results, job->problem.indices, row_in_text);
}

// ---- Elements

static inline void move_elements(const struct groups *groups, uint64_t *next, const char *from, char *to, size_t size) {
  for (uint64_t i = 0; i < groups->elements; i++)
    memcpy(to + next[groups->keys.numbers[i]]++ * size, from + i * size, size);
}

// The frequent sizes are constants, so that the compiler moves an element by one instruction.
static int move_input(const struct groups *groups, struct input *input) {
  size_t bytes = groups->keys.words->count * sizeof(uint64_t), size = input->type.size;
  char *to = pages_allocate(input_bytes(input)), *from = input->data;
  uint64_t *next = malloc(bytes + 1);
  if (to != NULL && next != NULL) {
    memcpy(next, groups->next, bytes);
    if (size == 4)
      move_elements(groups, next, from, to, 4);
    else if (size == 8)
      move_elements(groups, next, from, to, 8);
    else
      move_elements(groups, next, from, to, size);
  }
  free(next);
  free(to == NULL || next == NULL ? to : from);
  if (to == NULL || next == NULL)
    return fail_memory();
  input->data = to;
  return EXIT_DONE;
}

int groups_gather(struct job *job) {
  struct groups groups = {.elements = job->input.count};
  int code = take_keys(&groups, job);
  code = code ? code : count_elements(&groups);
  code = code ? code : make_offsets(&groups, &job->runs);
  code = code ? code : make_all_keys(&groups, job);
  code = code ? code : move_input(&groups, &job->input);
  for (size_t i = 0; i < job->other_count && !code; i++)
    code = move_input(&groups, &job->others[i]);
  if (!code && job->wants_places)
    code = make_places(&groups, job);
  release_column(&groups.keys);
  free(groups.first);
  free(groups.next);
  free(groups.order);
  return code;
}
