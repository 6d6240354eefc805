// Locks, aligned memory and files of the system, on POSIX systems and on Windows.
#include <errno.h>

#ifdef _WIN32
#include <direct.h>
#define rmdir _rmdir
#else
#include <unistd.h>
#endif

#include "platform/files.h"
#include "platform/platform.h"
#include "support/suite.h"

static char directory[64], first[96], second[96];

static void open_directory(void) {
  snprintf(directory, sizeof directory, "test-platform-%ld", clr_os_process_number());
  snprintf(first, sizeof first, "%s/first", directory);
  snprintf(second, sizeof second, "%s/second", directory);
  ck_assert(clr_os_make_directory(directory));
}

static void write_file(const char *path, const char *words, bool is_private) {
  int file = clr_os_create(path, is_private);
  ck_assert_msg(file >= 0, "%s: %s", path, strerror(errno));
  ck_assert(clr_os_write(file, words, strlen(words)));
  ck_assert(clr_os_close(file));
}

static void check_file(const char *path, const char *words) {
  char got[64] = "";
  struct clr_os_facts facts;
  int file = clr_os_open(path);
  ck_assert_msg(file >= 0, "%s: %s", path, strerror(errno));
  ck_assert(clr_os_facts(file, &facts));
  ck_assert_uint_eq(facts.size, strlen(words));
  ck_assert(facts.is_regular);
  ck_assert(clr_os_read(file, got, strlen(words)));
  ck_assert_str_eq(got, words);
  ck_assert(!clr_os_read(file, got, 1));
  clr_os_touch(file);
  ck_assert(clr_os_close(file));
}

TEST_CASE("memory and locks", NULL, NULL);

TEST(memory_is_aligned) {
  for (size_t alignment = 16; alignment <= 4096; alignment *= 2) {
    char *memory = clr_aligned_alloc(alignment, 3 * alignment);
    ck_assert_ptr_nonnull(memory);
    ck_assert_uint_eq((uintptr_t)memory % alignment, 0);
    memset(memory, 1, 3 * alignment);
    clr_aligned_free(memory);
  }
  clr_aligned_free(NULL);
}

TEST(locks_and_conditions) {
  clr_mutex lock;
  clr_condition condition;
  ck_assert(clr_mutex_init(&lock));
  ck_assert(clr_condition_init(&condition));
  for (int i = 0; i < 2; i++) {
    clr_mutex_lock(&lock);
    clr_condition_signal(&condition);
    clr_mutex_unlock(&lock);
  }
  clr_condition_release(&condition);
  clr_mutex_destroy(&lock);
  const double before = clr_seconds();
  ck_assert(before > 0 && clr_seconds() - before < 3600);
}

TEST_CASE("files", open_directory, NULL);

// The bytes 10 and 26 end a line or a file in the text mode of Windows.
TEST(files_come_back) {
  struct clr_os_facts facts;
  write_file(first, "a\nb\032c\r\n", true);
  check_file(first, "a\nb\032c\r\n");
  int file = clr_os_open(first);
  ck_assert(clr_os_facts(file, &facts) && facts.is_private);
  ck_assert(clr_os_close(file));
  ck_assert_int_eq(clr_os_create(first, true), -1);
  ck_assert_int_eq(errno, EEXIST);
  ck_assert(clr_os_remove(first));
  ck_assert_int_eq(clr_os_open(first), -1);
  ck_assert_int_eq(errno, ENOENT);
  ck_assert(clr_os_make_directory(directory));
  ck_assert(clr_os_may_write(1));
  ck_assert_int_eq(rmdir(directory), 0);
}

static bool count_file(void *self, const char *name, const struct clr_os_facts *facts) {
  ck_assert(strcmp(name, "first") == 0 || strcmp(name, "second") == 0);
  ck_assert_uint_eq(facts->size, strcmp(name, "first") == 0 ? 3 : 5);
  ++*(int *)self;
  return true;
}

static bool stop(void *self, const char *name, const struct clr_os_facts *facts) {
  (void)name, (void)facts;
  ++*(int *)self;
  return false;
}

TEST(files_are_listed_and_replaced) {
  int files = 0, visits = 0;
  write_file(first, "new", false);
  write_file(second, "older", false);
  clr_os_visit_directory(directory, count_file, &files);
  ck_assert_int_eq(files, 2);
  clr_os_visit_directory(directory, stop, &visits);
  ck_assert_int_eq(visits, 1);
  ck_assert(clr_os_replace(first, second));
  check_file(second, "new");
  ck_assert(!clr_os_replace(first, second));
  ck_assert_int_eq(errno, ENOENT);
  ck_assert(clr_os_remove(second));
  clr_os_visit_directory("no-such-directory", count_file, &files);
  ck_assert_int_eq(files, 2);
  ck_assert_int_eq(rmdir(directory), 0);
}

TEST_CASE("words", NULL, NULL);

TEST(errors_have_words) {
  char words[64] = "", cut[4] = "abc";
  clr_os_error_words(ENOENT, words, sizeof words);
  ck_assert(strlen(words) > 3);
  clr_os_error_words(ENOENT, cut, sizeof cut);
  ck_assert_uint_lt(strlen(cut), sizeof cut);
}
