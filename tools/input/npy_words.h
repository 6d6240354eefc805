// For the parser of .npy headers alone: its place in the text, and the words of Python there.
#pragma once

#include "input/npy.h"

struct cursor {
  const char *at;
  const char *end;
  const char *field;  // the wanted one, or NULL
  char *error;
};

// Writes the message and returns false.
__attribute__((format(printf, 2, 3))) bool npy_refuse(char error[NPY_ERROR_SIZE], const char *format, ...);

void npy_skip_space(struct cursor *cursor);

// Each takes what is next after spaces, or returns false.
bool npy_take(struct cursor *cursor, char wanted);
bool npy_take_word(struct cursor *cursor, const char *word);
bool npy_take_string(struct cursor *cursor, char *text, size_t size);

bool npy_is_digit(const struct cursor *cursor);

// Reads the value of 'descr': a dtype, or the list of a structured array's fields.
bool npy_parse_descr(struct cursor *cursor, struct npy *npy);
