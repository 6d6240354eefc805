// Records, which are the contents of the files of the cache of binaries: a damaged record is refused; and their keys:
// everything that shapes a build is in the key, and programs that may read files have no key. No device is opened.
// test_cache_files reads and writes the files.
#define _POSIX_C_SOURCE 200809L

#include "cache/binary_cache.h"
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

// ---------------------------------------------------------------- Keys

// Variables whose values drivers add to build options.
static const char *const variables[] = {"POCL_EXTRA_BUILD_FLAGS", "OCLGRIND_BUILD_OPTIONS", "AMD_OCL_BUILD_OPTIONS",
                                        "AMD_OCL_BUILD_OPTIONS_APPEND"};

static void forget_variables(void) {
  for (size_t i = 0; i < COUNT_OF(variables); i++)
    unsetenv(variables[i]);
}

// The key of a program; its bytes are NULL if the program must not be cached.
static struct clr_text key_of(const char *about, const char *options, const char *text) {
  struct clr_text device = {0}, key = {0};
  clr_text_append(&device, about);
  if (!clr_cache_key_program(&device, options, text, &key))
    clr_text_release(&key);
  clr_text_release(&device);
  return key;
}

static bool has_key(const char *options, const char *text) {
  struct clr_text key = key_of("about\n", options, text);
  bool has = key.bytes != NULL;
  clr_text_release(&key);
  return has;
}

static bool same_keys(struct clr_text one, struct clr_text other) {
  ck_assert(one.bytes && other.bytes);
  bool same = one.length == other.length && memcmp(one.bytes, other.bytes, one.length) == 0;
  clr_text_release(&one);
  clr_text_release(&other);
  return same;
}

TEST_CASE("keys", forget_variables, forget_variables);

TEST(programs_that_may_read_files_have_none) {
  static const char *const words[] = {"-include x.h", "#include \"x.h\"", "#import <x.h>", "-imacros x.h",
                                      "#embed \"x\""};
  ck_assert(has_key("", ""));
  ck_assert(has_key("-cl-mad-enable -I.", "kernel void f(void) {}"));
  for (size_t i = 0; i < COUNT_OF(words); i++) {
    ck_assert_msg(!has_key(words[i], ""), "options %s", words[i]);
    ck_assert_msg(!has_key("", words[i]), "text %s", words[i]);
  }
}

TEST(variables_of_compilers_count) {
  for (size_t i = 0; i < COUNT_OF(variables); i++) {
    struct clr_text without = key_of("about\n", "", "text");
    setenv(variables[i], "-O1", 1);
    struct clr_text with = key_of("about\n", "", "text");
    ck_assert_msg(!same_keys(without, with), "%s", variables[i]);
    setenv(variables[i], "-include x.h", 1);
    ck_assert_msg(!has_key("", "text"), "%s", variables[i]);
    unsetenv(variables[i]);
    ck_assert(has_key("", "text"));
  }
}

TEST(different_programs_have_different_keys) {
  struct clr_text nothing = {0}, key = {0};
  ck_assert(same_keys(key_of("about\n", "-O1", "text"), key_of("about\n", "-O1", "text")));
  ck_assert(!same_keys(key_of("about\n", "-O1", "text"), key_of("above\n", "-O1", "text")));
  ck_assert(!same_keys(key_of("about\n", "-O1", "text"), key_of("about\n", "-O2", "text")));
  ck_assert(!same_keys(key_of("about\n", "-O1", "text"), key_of("about\n", "-O1", "next")));
  // A text that contains the start of another field is still one field.
  ck_assert(!same_keys(key_of("", "a\ntext 1 b", "c"), key_of("", "a", "b\ntext 1 c")));
  ck_assert(!same_keys(key_of("", "a\ntext b", "c"), key_of("", "a", "b\ntext c")));
  ck_assert(clr_cache_key_program(&nothing, "", "text", &key));
  clr_text_release(&key);
  nothing.failed = key.failed = true;
  ck_assert(!clr_cache_key_program(&nothing, "", "text", &key));
}

// A driver that gets a binary of no bytes may do anything. The sizes and the checksum of this record are right.
TEST(a_record_without_a_binary_is_refused) {
  unsigned char bytes[] = "x";
  struct clr_text key = {0};
  clr_text_append(&key, "the key");
  for (size_t size = 0; size < 2; size++) {
    const struct clr_record record = {{bytes, size}, 3};
    struct clr_record found = {{NULL, 0}, 0};
    struct clr_bytes file = clr_record_write(&key, &record);
    ck_assert_ptr_nonnull(file.data);
    const char *wrong = clr_record_read(&file, &key, &found);
    ck_assert_msg(size ? !wrong : wrong && strstr(wrong, "size"), "%s", wrong ? wrong : "nothing is wrong");
    ck_assert_uint_eq(found.binary.size, size);
    free(file.data);
  }
  clr_text_release(&key);
}
