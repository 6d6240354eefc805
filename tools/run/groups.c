// A table numbers the different keys. A key that is a number enters it as eight bytes, which sort as the numbers do.
// Then a counting sort by these numbers puts the elements of each group side by side.
#include "run/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "input/row_files.h"

// ---- Keys as words

// Integers that are ordered as the keys are. Keys that == calls equal give one integer.
static uint64_t ordered_bits(const clred_type_info *type, const void *key) {
  const uint64_t top = (uint64_t)1 << 63;
  uint64_t bits;
  if (!type->floating)
    return number_bits(type->type, key) ^ (type->is_signed ? top : 0);
  double value = number_as_double(type->type, key) + 0.0;
  memcpy(&bits, &value, sizeof bits);
  return isnan(value) ? UINT64_MAX : bits >= top ? ~bits : bits | top;
}

static bool number_key(struct words *words, const clred_type_info *type, const void *key, uint32_t *found) {
  const uint64_t bits = ordered_bits(type, key);
  unsigned char word[sizeof bits];
  for (size_t i = 0; i < sizeof word; i++)
    word[i] = (unsigned char)(bits >> (56 - 8 * i));
  return words_number(words, word, sizeof word, found);
}

// ---- Groups

struct groups {
  const struct words *words;
  struct words own;  // of keys that are numbers
  uint64_t elements, count;
  uint32_t *word_of;  // of each element
  uint64_t *first;    // of each word, its first element
  uint64_t *next;     // of each word, how many elements have it; then where the next of them goes
  uint32_t *order;    // the words, in the order of their groups
};

static int number_keys(struct groups *groups, const struct args *args, const struct input *keys) {
  const char *at = keys->data;
  groups->word_of = pages_allocate(groups->elements * sizeof *groups->word_of);
  if (groups->word_of == NULL)
    return fail_memory();
  for (uint64_t i = 0; i < groups->elements; i++, at += keys->type.size)
    if (!number_key(&groups->own, &keys->type, at, &groups->word_of[i]))
      return fail_memory();
    else if (!words_fit(&groups->own))
      return fail(EXIT_BAD_USE,
                  "--group %s: more than %d different keys, the most for groups; sort by key and give --by-key",
                  args->group, WORDS_MOST);
  return EXIT_DONE;
}

// Keys that are words are numbered already.
static int take_words(struct groups *groups, const struct args *args, struct input *keys) {
  groups->words = row_file_words(keys);
  if (groups->words == NULL) {
    groups->words = &groups->own;
    return number_keys(groups, args, keys);
  }
  groups->word_of = keys->data;
  keys->data = NULL;
  return EXIT_DONE;
}

// A word may have no element, if another column of its row has no value.
static int count_elements(struct groups *groups) {
  size_t words = groups->words->count;
  groups->first = calloc(words + 1, sizeof *groups->first);
  groups->next = calloc(words + 1, sizeof *groups->next);
  groups->order = calloc(words + 1, sizeof *groups->order);
  if (groups->first == NULL || groups->next == NULL || groups->order == NULL)
    return fail_memory();
  for (uint64_t i = groups->elements; i-- > 0;) {
    groups->first[groups->word_of[i]] = i;
    groups->next[groups->word_of[i]]++;
  }
  for (uint32_t i = 0; i < words; i++)
    if (groups->next[i] > 0)
      groups->order[groups->count++] = i;
  return words_sort(groups->words, groups->order, groups->count) ? EXIT_DONE : fail_memory();
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
  results->words = row_file_words(keys);
  for (uint64_t i = 0; i < groups->count && !code; i++) {
    uint32_t word = groups->order[i];
    const void *key =
      results->words != NULL ? (const void *)&word : (const char *)keys->data + groups->first[word] * keys->type.size;
    memcpy(results_at(results, i), key, keys->type.size);
  }
  return code;
}

// ---- Elements

static inline void move_elements(const struct groups *groups, uint64_t *next, const char *from, char *to, size_t size) {
  for (uint64_t i = 0; i < groups->elements; i++)
    memcpy(to + next[groups->word_of[i]]++ * size, from + i * size, size);
}

// The frequent sizes are constants, so that the compiler moves an element by one instruction.
static int move_input(const struct groups *groups, struct input *input) {
  size_t bytes = groups->words->count * sizeof(uint64_t), size = input->type.size;
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
  int code = take_words(&groups, job->args, &job->segments);
  code = code ? code : count_elements(&groups);
  code = code ? code : make_offsets(&groups, &job->runs);
  code = code ? code : make_keys(&groups, &job->segments, &job->group_keys);
  free(job->segments.data);  // the largest memory comes next
  job->segments.data = NULL;
  code = code ? code : move_input(&groups, &job->input);
  for (size_t i = 0; i < job->other_count && !code; i++)
    code = move_input(&groups, &job->others[i]);
  words_release(&groups.own);
  free(groups.word_of);
  free(groups.first);
  free(groups.next);
  free(groups.order);
  return code;
}

// ---- Runs

struct run_keys {
  const clred_type_info *type;
  const char *at;
  uint64_t count;
};

static uint64_t bits_at(const struct run_keys *keys, uint64_t index) {
  return ordered_bits(keys->type, keys->at + index * keys->type->size);
}

// Each NaN is a run by itself, and equals no other.
static bool is_nan(const struct run_keys *keys, uint64_t index) {
  return keys->type->floating && isnan(number_as_double(keys->type->type, keys->at + index * keys->type->size));
}

// True if the keys ascend or descend, so that none is equal to another behind a different one.
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
    room = !begins || number_key(&words, type, keys.at + i * type->size, &found);
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
