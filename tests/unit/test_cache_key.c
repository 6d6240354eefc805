// Keys of the cache of binaries: everything that shapes a build is in the key, and programs that may read files have no
// key. No device is opened.
#define _POSIX_C_SOURCE 200809L

#include "cache/binary_cache.h"
#include "cache/cache_files.h"
#include "support/suite.h"

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
