// All bytes that matter are found 64 at a time, as bits of a word. The loop over 64 bytes is for the compiler's
// vectors.
#include "input/text_split.h"

#include <string.h>

enum { BLOCK = 64 };

static char second_delimiter(char delimiter) {
  return delimiter == ' ' ? '\t' : delimiter;
}

// 16 bytes at once, in a vector of the machine where it has one.
typedef signed char vector __attribute__((vector_size(16)));
enum { LANES = sizeof(vector), WORDS = LANES / 8 };

// Bytes of 0 and -1 become bits, the first byte the lowest bit.
static inline uint64_t gather_bits(vector hits) {
  uint64_t words[WORDS], bits = 0;
  memcpy(words, &hits, sizeof words);
  for (size_t i = 0; i < WORDS; i++) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    words[i] = __builtin_bswap64(words[i]);
#endif
    bits |= ((words[i] & 0x0101010101010101u) * 0x0102040810204080u >> 56) << 8 * i;
  }
  return bits;
}

static uint64_t find_marks(const struct text_split *split, size_t block) {
  const vector first = (vector){0} + (signed char)split->delimiter;
  const vector second = (vector){0} + (signed char)second_delimiter(split->delimiter);
  uint64_t marks = 0;
  for (size_t i = 0; i < BLOCK; i += LANES) {
    vector bytes;
    memcpy(&bytes, split->bytes + block + i, LANES);
    marks |= gather_bits((bytes == first) | (bytes == second) | (bytes == '\n') | (bytes == '"') | (bytes == 0)) << i;
  }
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

// The marks of the first block, from this one on, that has any. 0 if there is none.
static inline uint64_t next_marks(struct text_split *split, uint64_t marks) {
  while (marks == 0 && split->size - split->block > BLOCK) {
    split->block += BLOCK;
    marks = find_marks(split, split->block);
  }
  return marks;
}

// The place of the next mark. False if there is none.
static inline bool next_mark(struct text_split *split, size_t *place) {
  split->marks = next_marks(split, split->marks);
  if (split->marks == 0)
    return false;
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

static enum text_step next_field(struct text_split *split, struct text_field *field) {
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

enum text_step text_split_next(struct text_split *split, struct text_field *field) {
  return next_field(split, field);
}

// Most fields have no quotes and end in the block. For these, the state of the loop stays in registers.
enum text_step text_split_row(struct text_split *split, const uint64_t *places, struct text_field *fields,
                              uint64_t *count, struct text_field *last) {
  const char delimiter = split->delimiter, *const bytes = split->bytes, *begin, *end;
  uint64_t place = 0, marks = split->marks;
  size_t at = split->at;
  enum text_step step;
  bool quoted;
  do {
    marks = next_marks(split, marks);
    size_t mark = split->block + (marks != 0 ? (size_t)__builtin_ctzll(marks) : 0);
    bool ends_line = bytes[mark] == '\n';
    if (marks != 0 && delimiter != ' ' && (ends_line || bytes[mark] == delimiter)) {
      begin = bytes + at;
      end = bytes + mark - (ends_line && mark > at && bytes[mark - 1] == '\r');
      quoted = false;
      step = ends_line ? TEXT_LAST : TEXT_FIELD;
      split->lines += ends_line;
      marks &= marks - 1;
      at = mark + 1;
    } else {
      split->marks = marks;
      split->at = at;
      step = next_field(split, last);
      begin = last->begin;
      end = last->end;
      quoted = last->quoted;
      marks = split->marks;
      at = split->at;
    }
    if (step > TEXT_LAST)
      break;
    for (; *places == place; places++, fields++) {
      fields->begin = begin;
      fields->end = end;
      fields->quoted = quoted;
    }
    place++;
  } while (step == TEXT_FIELD);
  split->marks = marks;
  split->at = at;
  *last = (struct text_field){begin, end, quoted};
  *count = place;
  return step;
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
