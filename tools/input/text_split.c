// Finds delimiters, line ends, quotes and zeros in 64 bytes at a time, as the bits of a word. The compiler makes vector
// instructions of the loop over 64 bytes.
#include "input/text_split.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { BLOCK = 64 };

static char second_delimiter(char delimiter) {
  return delimiter == ' ' ? '\t' : delimiter;
}

// 16 bytes at once, in a vector of the machine where it has one.
typedef signed char vector __attribute__((vector_size(16)));
enum { LANES = sizeof(vector), WORDS = LANES / 8 };

// Bytes of 0 and -1 become bits, the first byte the lowest bit.
static inline uint64_t gather_bits(vector hits) {
#ifdef __SSE2__
  return (uint64_t)_mm_movemask_epi8((__m128i)hits);
#else
  uint64_t words[WORDS], bits = 0;
  memcpy(words, &hits, sizeof words);
  for (size_t i = 0; i < WORDS; i++) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    words[i] = __builtin_bswap64(words[i]);
#endif
    bits |= ((words[i] & 0x0101010101010101u) * 0x0102040810204080u >> 56) << 8 * i;
  }
  return bits;
#endif
}

static struct text_marks find_marks(const struct text_split *split, size_t block) {
  const vector first = (vector){0} + (signed char)split->delimiter;
  const vector second = (vector){0} + (signed char)second_delimiter(split->delimiter);
  const char quote = split->unquoted ? '\n' : '"';
  struct text_marks marks = {block, 0, 0};
  for (size_t i = 0; i < BLOCK; i += LANES) {
    vector bytes;
    memcpy(&bytes, split->bytes + block + i, LANES);
    vector stops = (bytes == '\n') | (bytes == quote) | (bytes == 0);
    marks.stops |= gather_bits(stops) << i;
    marks.all |= gather_bits(stops | (bytes == first) | (bytes == second)) << i;
  }
  size_t left = split->size - block;
  uint64_t within = left < BLOCK ? ((uint64_t)1 << left) - 1 : UINT64_MAX;
  marks.stops &= within;
  marks.all &= within;
  return marks;
}

void text_split_from(struct text_split *split, size_t at) {
  split->at = at;
  split->marks = at < split->size ? find_marks(split, at) : (struct text_marks){at, 0, 0};
}

bool text_split_done(const struct text_split *split) {
  return split->ends && split->at == split->size;
}

// Goes to the next block. False if there is none.
static inline bool next_block(const struct text_split *split, struct text_marks *marks) {
  bool more = split->size - marks->block > BLOCK;
  if (more)
    *marks = find_marks(split, marks->block + BLOCK);
  return more;
}

// The place of the next mark. False if there is none.
static inline bool next_mark(struct text_split *split, size_t *place) {
  while (split->marks.all == 0)
    if (!next_block(split, &split->marks))
      return false;
  *place = split->marks.block + (size_t)__builtin_ctzll(split->marks.all);
  split->marks.all &= split->marks.all - 1;
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
  return split->ends || split->cut ? TEXT_OPEN_QUOTE : TEXT_MORE;
}

// ---- Fields

// If the delimiter is a blank, skips spaces and tabs before a field.
static void skip_blanks(struct text_split *split) {
  size_t place;
  if (split->delimiter != ' ')
    return;
  while (split->at < split->size && is_delimiter(split, split->bytes[split->at])) {
    next_mark(split, &place);
    split->at++;
  }
}

// If the delimiter is a blank, an empty field after blanks does not count, unless it is the first of its row. It is the
// first if the byte before it is not a blank.
static enum text_step last_step(const struct text_split *split, const struct text_field *field, size_t begun) {
  bool empty = split->delimiter == ' ' && field->begin == field->end;
  bool first = begun == 0 || !is_delimiter(split, split->bytes[begun - 1]);
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

// Takes the rest of the line unchanged, with its quotes.
static enum text_step take_rest(struct text_split *split, struct text_field *field) {
  skip_blanks(split);
  const char *begin = split->bytes + split->at, *text_end = split->bytes + split->size;
  const char *end = memchr(begin, '\n', (size_t)(text_end - begin));
  if (end == NULL && !split->ends)
    return TEXT_MORE;
  end = end == NULL ? text_end : end;
  const char *zero = memchr(begin, '\0', (size_t)(end - begin));
  *field = (struct text_field){.begin = zero == NULL ? begin : zero, .end = zero};
  if (zero != NULL)
    return TEXT_ZERO;
  end_line(split, (size_t)(end - split->bytes), field);
  text_split_from(split, split->at);
  return TEXT_LAST;
}

enum text_step text_split_at(struct text_split *split, uint64_t place, struct text_field *field) {
  if (split->rest != place + 1)
    return text_split_next(split, field);
  const struct text_split begun = *split;
  enum text_step step = text_split_next(split, field);
  if (step != TEXT_FIELD && step != TEXT_AFTER_QUOTE)
    return step;
  *split = begun;
  return take_rest(split, field);
}

enum text_step text_split_unread(struct text_split *split, uint64_t place, struct text_field *field) {
  const size_t at = split->at;
  const uint64_t lines = split->lines;
  enum text_step step = text_split_at(split, place, field);
  if (step != TEXT_OPEN_QUOTE && step != TEXT_AFTER_QUOTE)
    return step;
  split->unquoted = true;
  split->lines = lines;
  text_split_from(split, at);
  step = text_split_at(split, place, field);
  split->unquoted = false;
  text_split_from(split, split->at);
  return step;
}

enum text_step text_split_row(struct text_split *split, const uint64_t *places, struct text_field *fields,
                              uint64_t *count, struct text_field *last) {
  enum text_step step = TEXT_FIELD;
  for (*count = 0; step == TEXT_FIELD; *count += step <= TEXT_LAST) {
    step = (*places == *count ? text_split_at : text_split_unread)(split, *count, last);
    for (; step <= TEXT_LAST && *places == *count; places++)
      *fields++ = *last;
  }
  return step;
}

// ---- Plain rows

static uint64_t count_bits(uint64_t bits) {
  bits -= bits >> 1 & 0x5555555555555555u;
  bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
  bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return bits * 0x0101010101010101u >> 56;
}

// The byte after the last mark, or `begin` if there is none.
static const char *after_marks(const char *block, uint64_t marks, const char *begin) {
  return marks != 0 ? block + BLOCK - __builtin_clzll(marks) : begin;
}

// Stores the members one by one: two words that are copied as one wait for each other.
static inline void set_plain(struct text_field *field, const char *begin, const char *end) {
  bool two = *end == '\n' && end > begin && end[-1] == '\r';  // bytes of the line end
  field->begin = begin;
  field->end = end - two;
  field->quoted = false;
}

// Of fields before the next place only the number is found.
bool text_split_plain(struct text_split *split, const uint64_t *places, uint64_t columns, struct text_field *fields) {
  struct text_marks marks = split->marks;
  const char *begin = split->bytes + split->at;
  uint64_t count = 0, stops;
  if (split->delimiter == ' ')
    return false;
  do {
    const char *block = split->bytes + marks.block;
    stops = marks.stops & marks.all;
    uint64_t ends = marks.all & (stops ^ (stops - 1));  // up to the first stop
    uint64_t left = ends, next = count + count_bits(ends);
    for (; *places < next; places++) {
      for (; count < *places; count++)
        left &= left - 1;
      uint64_t before = ends & ((left & (0 - left)) - 1);
      set_plain(fields++, after_marks(block, before, begin), block + __builtin_ctzll(left));
    }
    count = next;
    begin = after_marks(block, ends, begin);
    marks.all &= ~ends;
  } while (stops == 0 && next_block(split, &marks));
  if (stops == 0 || begin[-1] != '\n' || count != columns)
    return false;
  split->marks = marks;
  split->at = (size_t)(begin - split->bytes);
  split->lines++;
  return true;
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
