// Digits, eight bytes at once. text_number.h says which bytes must be readable.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { DECIMAL_DIGITS = 19, AT_ONCE = 8 };  // digits that always fit 64 bits; bytes in a word

#define EACH_BYTE(byte) (0x0101010101010101u * (byte))

// The first byte is the lowest. A digit becomes 0 to 9, any other byte more.
static inline uint64_t load_eight(const char *at) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word ^ EACH_BYTE('0');
}

// 0 if all bytes are digits. The lowest bit that is set is the highest bit of the first byte that is none.
static inline uint64_t find_others(uint64_t word) {
  return ((word + EACH_BYTE(0x76)) | word) & EACH_BYTE(0x80);
}

// Neighbours are added three times: digits, pairs, fours.
static inline uint64_t add_eight(uint64_t word) {
  word = word * 10 + (word >> 8);
  return ((word & 0x000000ff000000ff) * (100 + (1000000ull << 32)) +
          (word >> 16 & 0x000000ff000000ff) * (1 + (10000ull << 32))) >>
         32;
}

// Appends the first `count` of eight digits to a number.
static inline uint64_t append_digits(uint64_t sum, uint64_t word, unsigned count) {
  static const uint64_t places[AT_ONCE + 1] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  unsigned half = 4 * (AT_ONCE - count);  // a shift by 64 is not defined
  return sum * places[count] + add_eight(word << half << half);
}

// Reads digits up to the first other byte, and returns its place.
static inline const char *read_digits(const char *at, uint64_t *sum) {
  unsigned count;
  do {
    uint64_t word = load_eight(at), others = find_others(word);
    count = others != 0 ? (unsigned)__builtin_ctzll(others) / 8 : AT_ONCE;
    *sum = append_digits(*sum, word, count);
    at += count;
  } while (count == AT_ONCE);
  return at;
}

// Reads all bytes up to `end`. False if one is no digit.
static inline bool read_all_digits(const char *at, const char *end, uint64_t *sum) {
  uint64_t others = 0;
  for (; end - at >= AT_ONCE; at += AT_ONCE) {
    others |= find_others(load_eight(at));
    *sum = *sum * 100000000 + add_eight(load_eight(at));
  }
  unsigned count = (unsigned)(end - at), half = 4 * (AT_ONCE - count);
  others |= find_others(load_eight(at) << half << half);
  *sum = append_digits(*sum, load_eight(at), count);
  return others == 0;
}
