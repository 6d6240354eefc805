// All bytes that matter are found 64 at a time, as bits of a word. The loop over 64 bytes is for the compiler's
// vectors.
#include "input/text_split.h"

#include <string.h>

#include "input/npy.h"

enum { BLOCK = 64 };

static char second_delimiter(char delimiter) {
  return delimiter == ' ' ? '\t' : delimiter;
}

// Bytes of 0 and 1 become bits, the first byte the lowest bit.
static uint64_t gather_bits(const unsigned char hits[BLOCK]) {
  uint64_t marks = 0, word;
  for (size_t i = 0; i < BLOCK; i += sizeof word) {
    memcpy(&word, hits + i, sizeof word);
    if (host_is_big_endian())
      word = __builtin_bswap64(word);
    marks |= (word * 0x0102040810204080u >> 56) << i;
  }
  return marks;
}

static uint64_t find_marks(const struct text_split *split, size_t block) {
  unsigned char hits[BLOCK];
  const char *bytes = split->bytes + block, first = split->delimiter, second = second_delimiter(first);
  for (size_t i = 0; i < BLOCK; i++)
    hits[i] = (bytes[i] == first) | (bytes[i] == second) | (bytes[i] == '\n') | (bytes[i] == '"') | (bytes[i] == '\0');
  uint64_t marks = gather_bits(hits);
  size_t left = split->size - block;
  return left < BLOCK ? marks & (((uint64_t)1 << left) - 1) : marks;
}

void text_split_from(struct text_split *split, size_t at) {
  split->at = split->block = at;
  split->marks = at < split->size ? find_marks(split, at) : 0;
}

bool text_split_done(const struct text_split *split) {
  return split->ends && split->at == split->size;
}

// The place of the next mark. False if there is none.
static inline bool next_mark(struct text_split *split, size_t *place) {
  while (split->marks == 0) {
    if (split->size - split->block <= BLOCK)
      return false;
    split->block += BLOCK;
    split->marks = find_marks(split, split->block);
  }
  *place = split->block + (size_t)__builtin_ctzll(split->marks);
  split->marks &= split->marks - 1;
  return true;
}

// ---- The end of a field

static bool is_delimiter(const struct text_split *split, char byte) {
  return byte == split->delimiter || byte == second_delimiter(split->delimiter);
}

// A line that ends at `place`: with a line feed, or with the text.
static void end_line(struct text_split *split, size_t place, struct text_field *field) {
  const char *end = split->bytes + place;
  field->end = end > field->begin && end[-1] == '\r' ? end - 1 : end;
  split->lines += place < split->size;
  split->at = place < split->size ? place + 1 : place;
}

// After the closing quote. The mark of the byte that follows is consumed, if it has one.
static enum text_step end_quoted(struct text_split *split, struct text_field *field) {
  const char *at = field->end + 1, *end = split->bytes + split->size;
  size_t place;
  if (end - at < 2 && !split->ends)
    return TEXT_MORE;
  at += at < end && *at == '\r' && (at + 1 == end || at[1] == '\n');
  if (at < end && *at != '\n' && !is_delimiter(split, *at))
    return TEXT_AFTER_QUOTE;
  bool last = at == end || *at == '\n';
  split->lines += at < end && *at == '\n';
  split->at = (size_t)(at - split->bytes) + (at < end);
  if (at < end)
    next_mark(split, &place);
  return last ? TEXT_LAST : TEXT_FIELD;
}

static enum text_step next_quoted(struct text_split *split, struct text_field *field) {
  const char *bytes = split->bytes;
  size_t place;
  field->quoted = true;
  field->begin++;
  while (next_mark(split, &place)) {
    bool doubled = place + 1 < split->size && bytes[place + 1] == '"';
    field->end = bytes + place;
    if (bytes[place] == '\0')
      return field->begin = field->end, TEXT_ZERO;
    split->lines += bytes[place] == '\n';
    if (bytes[place] != '"')
      continue;
    if (!doubled)
      return end_quoted(split, field);
    next_mark(split, &place);
  }
  return split->ends ? TEXT_OPEN_QUOTE : TEXT_MORE;
}

// ---- Fields

// Spaces and tabs before a field are no fields.
static void skip_blanks(struct text_split *split) {
  size_t place;
  if (split->delimiter != ' ')
    return;
  while (split->at < split->size && is_delimiter(split, split->bytes[split->at])) {
    next_mark(split, &place);
    split->at++;
  }
}

// An empty field after blanks is none, unless it is the first of its row.
static enum text_step last_step(const struct text_split *split, const struct text_field *field, size_t begun) {
  bool empty = split->delimiter == ' ' && field->begin == field->end;
  bool first = begun == 0 || split->bytes[begun - 1] == '\n';
  return empty && !first ? TEXT_NO_FIELD : TEXT_LAST;
}

enum text_step text_split_next(struct text_split *split, struct text_field *field) {
  const char *bytes = split->bytes;
  size_t begun = split->at, place;
  skip_blanks(split);
  *field = (struct text_field){.begin = bytes + split->at};
  while (next_mark(split, &place)) {
    field->end = bytes + place;
    if (bytes[place] == '\n') {
      end_line(split, place, field);
      return last_step(split, field, begun);
    }
    if (bytes[place] == '\0')
      return field->begin = field->end, TEXT_ZERO;
    if (bytes[place] != '"') {
      split->at = place + 1;
      return TEXT_FIELD;
    }
    if (field->end == field->begin)
      return next_quoted(split, field);
  }
  if (!split->ends)
    return TEXT_MORE;
  end_line(split, split->size, field);
  return last_step(split, field, begun);
}

size_t text_field_copy(const struct text_field *field, char *text, size_t size) {
  struct text_field trimmed = *field;
  size_t length = 0;
  text_field_trim(&trimmed);
  for (const char *at = trimmed.begin; at < trimmed.end; at++) {
    if (length + 1 < size)
      text[length] = *at;
    length++;
    at += trimmed.quoted && *at == '"';
  }
  if (size > 0)
    text[length < size ? length : size - 1] = '\0';
  return length;
}
