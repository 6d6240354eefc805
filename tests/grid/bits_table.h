// The files of tests/data with stored bits, which the programs order and bits write and compare. The first line names
// the columns: n, offset, and one name for each operator over a type. Each line after it is one case: the number of
// elements, the offset of the first one, and the bits of each column's result as one word.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BITS_WORD_MAX 64

struct bits_entry {
  size_t column, row;  // without the columns n and offset, and without the first line
  uint64_t count, offset;
  char name[BITS_WORD_MAX], word[BITS_WORD_MAX];
};

// Called for each entry. To write a file, it sets all fields except column and row. To read a file, it gets all fields.
typedef void bits_entry_function(void *user, struct bits_entry *entry);

// False if the file cannot be written.
bool bits_table_write(const char *path, size_t columns, size_t rows, bits_entry_function *make, void *user);

// Calls `take` for each entry, row by row. False if the file cannot be read or a row lacks a column.
bool bits_table_read(const char *path, bits_entry_function *take, void *user);
