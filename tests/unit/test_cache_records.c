// Records, which are the contents of the files of the cache of binaries: a damaged record is refused. test_cache_files
// reads and writes the files.

#include "cache/cache_files.h"
#include "support/suite.h"

// The texts are literals: nothing changes or frees them.
static struct clr_text text_of(const char *words) {
  return (struct clr_text){.bytes = (char *)(size_t)words, .length = strlen(words)};
}

static struct clr_bytes record_of(const struct clr_text *key, const char *binary) {
  const struct clr_record record = {{(unsigned char *)(size_t)binary, strlen(binary)}, 3};
  struct clr_bytes bytes = clr_record_write(key, &record);
  ck_assert_ptr_nonnull(bytes.data);
  return bytes;
}

// The key and the file of most tests.
static struct clr_text key;
static struct clr_bytes file;

static void make_file(void) {
  key = text_of("the key of a program");
  file = record_of(&key, "its binary, of some length");
}

static void free_file(void) {
  free(file.data);
}

// A copy of the file in its own block of memory, so that a sanitizer reports reads past its end.
static struct clr_bytes copy_of_file(size_t size) {
  struct clr_bytes copy = {malloc(size ? size : 1), size};
  memcpy(copy.data, file.data, size);
  return copy;
}

static void check_refused(const struct clr_bytes *bytes, const struct clr_text *of, const char *word, size_t at) {
  struct clr_record record = {{NULL, 0}, 0};
  const char *wrong = clr_record_read(bytes, of, &record);
  ck_assert_msg(wrong && strstr(wrong, word), "at %zu: '%s' does not say '%s'", at, wrong ? wrong : "nothing is wrong",
                word);
  ck_assert_ptr_null(record.binary.data);
}

TEST_CASE("records", make_file, free_file);

// Sizes on both sides of whole words.
TEST(a_record_comes_back) {
  const char letters[] = "abcdefghijklmnopqrstuvwxyz";
  for (size_t i = 1; i < sizeof letters; i++) {
    const char *binary = letters + sizeof letters - 1 - i;
    struct clr_text name = text_of(letters + i - 1);
    struct clr_bytes bytes = record_of(&name, binary);
    struct clr_record record;
    ck_assert_ptr_null((void *)(size_t)clr_record_read(&bytes, &name, &record));
    ck_assert_uint_eq(record.binary.size, i);
    ck_assert_int_eq(memcmp(record.binary.data, binary, i), 0);
    ck_assert_uint_eq(record.kernels, 3);
    free(bytes.data);
  }
}

TEST(every_cut_shows) {
  for (size_t size = 0; size < file.size; size++) {
    struct clr_bytes cut = copy_of_file(size);
    check_refused(&cut, &key, "it", size);
    free(cut.data);
  }
  struct clr_bytes longer = {calloc(1, file.size + 1), file.size + 1};
  memcpy(longer.data, file.data, file.size);
  check_refused(&longer, &key, "size", longer.size);
  free(longer.data);
}

// Writes these bytes at `at`. The file must be refused.
static void check_change(size_t at, const void *bytes, size_t size, const char *word) {
  struct clr_bytes changed = copy_of_file(file.size);
  memcpy(changed.data + at, bytes, size);
  check_refused(&changed, &key, word, at);
  free(changed.data);
}

TEST(every_flipped_bit_shows) {
  const unsigned char zeros[256] = {0};
  for (size_t i = 0; i < 8 * file.size; i++)
    check_change(i / 8, &(unsigned char){file.data[i / 8] ^ (unsigned char)(1 << i % 8)}, 1, "it");
  ck_assert_uint_le(file.size, sizeof zeros);
  for (size_t i = 0; i + 8 < file.size; i++)
    check_change(i, zeros, file.size - i, "it");
}

// The words of the header: magic, version, size of the key, size of the binary, kernels, checksum.
static void check_word(size_t word, uint64_t value, const char *expected) {
  check_change(8 * word, &value, sizeof value, expected);
}

TEST(headers_are_checked) {
  const uint64_t sizes[] = {0, 2, 9, 10, UINT64_MAX, UINT64_MAX - 5, (uint64_t)1 << 63};
  check_word(0, 0, "form");
  check_word(1, 0, "form");
  check_word(1, 2, "form");
  for (size_t i = 0; i < COUNT_OF(sizes); i++) {
    check_word(2, sizes[i], "size");
    check_word(3, sizes[i], "size");
  }
  check_word(4, 4, "checksum");
  check_word(5, 0, "checksum");
}

// Both sizes are wrong, but their sum wraps to the size of the file.
TEST(sizes_that_wrap_are_refused) {
  const uint64_t sizes[] = {UINT64_MAX, file.size - 48 - UINT64_MAX};
  check_change(16, sizes, sizeof sizes, "size");
}

TEST(another_key_is_refused) {
  const struct clr_text others[] = {text_of("the key of a prograM"), text_of("the key of a program and more")};
  char name[CLR_RECORD_NAME_SIZE], other_name[CLR_RECORD_NAME_SIZE];
  clr_record_name(&key, name);
  ck_assert_uint_eq(strspn(name, "0123456789abcdef"), 16);
  for (size_t i = 0; i < 2; i++) {
    check_refused(&file, &others[i], "another program", i);
    clr_record_name(&others[i], other_name);
    ck_assert_str_ne(name, other_name);
  }
}
