// Files of the cache of binaries: a file is read whole or not at all, also if system calls fail. No device is opened,
// so tests may fork. The linker puts the wrappers below between the static library and the system (--wrap=NAME).
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cache/cache_files.h"
#include "support/suite.h"

#define NAME "0123456789abcdef"
#define FILE_NAME NAME ".clred"

static char directory[64];
static struct clr_text remarks;

// ---------------------------------------------------------------- System calls that fail

static struct trouble {
  bool full;  // the disk is full after `room` bytes
  size_t room;
  bool least;      // reads and writes handle one byte
  int interrupts;  // the number of interrupted calls before one that is not
  int interrupted;
  int close, rename;  // the errors of these calls; 0: none
} trouble;

static bool is_interrupted(void) {
  trouble.interrupted = trouble.interrupted < trouble.interrupts ? trouble.interrupted + 1 : 0;
  errno = EINTR;
  return trouble.interrupted > 0;
}

WRAPPED(ssize_t, write, (int to, const void *bytes, size_t size)) {
  if (is_interrupted())
    return -1;
  errno = ENOSPC;
  if (trouble.full && trouble.room == 0)
    return -1;
  size = trouble.full && size > trouble.room ? trouble.room : size;
  trouble.room -= trouble.full ? size : 0;
  return __real_write(to, bytes, trouble.least ? 1 : size);
}

WRAPPED(ssize_t, read, (int from, void *bytes, size_t size)) {
  return is_interrupted() ? -1 : __real_read(from, bytes, trouble.least ? 1 : size);
}

WRAPPED(int, close, (int which)) {
  int result = __real_close(which);
  errno = trouble.close;
  return trouble.close ? -1 : result;
}

WRAPPED(int, rename, (const char *from, const char *to)) {
  errno = trouble.rename;
  return trouble.rename ? -1 : __real_rename(from, to);
}

// ---------------------------------------------------------------- Directories

static void open_directory(void) {
  strcpy(directory, "/tmp/clreduce-cache-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(directory));
}

static void close_directory(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", directory);
  ck_assert_int_eq(system(command), 0);
  clr_text_release(&remarks);
}

static const char *in_directory(const char *name) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return path;
}

static bool write_words(const char *to, const char *words) {
  const struct clr_bytes bytes = {(unsigned char *)(size_t)words, strlen(words)};
  clr_text_release(&remarks);
  return clr_directory_write(to, NAME, CLR_RECORD_BINARY, &bytes, &remarks);
}

static void check_read(const char *words) {
  clr_text_release(&remarks);
  struct clr_bytes bytes = clr_directory_read(directory, NAME, CLR_RECORD_BINARY, &remarks);
  ck_assert_msg(bytes.data, "%s", remarks.bytes ? remarks.bytes : "no file");
  ck_assert_uint_eq(bytes.size, strlen(words));
  ck_assert_int_eq(memcmp(bytes.data, words, bytes.size), 0);
  ck_assert_ptr_null(remarks.bytes);
  free(bytes.data);
}

static void check_remark(const char *word, const char *also) {
  ck_assert_msg(remarks.bytes && strstr(remarks.bytes, word) && strstr(remarks.bytes, also), "'%s' does not say %s, %s",
                remarks.bytes ? remarks.bytes : "", word, also);
}

static void check_not_read(const char *word) {
  clr_text_release(&remarks);
  struct clr_bytes bytes = clr_directory_read(directory, NAME, CLR_RECORD_BINARY, &remarks);
  ck_assert_ptr_null(bytes.data);
  check_remark(word, NAME);
}

static void check_not_written(const char *to, const char *word) {
  ck_assert(!write_words(to, "words"));
  check_remark(word, "");
}

static void make(const char *name, off_t size, time_t used) {
  const struct timespec times[2] = {{used, 0}, {used, 0}};
  int made = open(in_directory(name), O_WRONLY | O_CREAT, 0600);
  ck_assert_int_ge(made, 0);
  ck_assert_int_eq(ftruncate(made, size), 0);
  ck_assert_int_eq(futimens(made, times), 0);
  close(made);
}

static mode_t rights_of(const char *path) {
  struct stat facts;
  ck_assert_int_eq(stat(path, &facts), 0);
  return facts.st_mode & 07777;
}

static size_t files_in_directory(void) {
  size_t count = 0;
  DIR *entries = opendir(directory);
  ck_assert_ptr_nonnull(entries);
  for (const struct dirent *entry; (entry = readdir(entries)) != NULL;)
    count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
  closedir(entries);
  return count;
}

TEST_CASE("directories", open_directory, close_directory);

TEST(a_file_comes_back) {
  ck_assert_ptr_null(clr_directory_read(directory, NAME, CLR_RECORD_BINARY, &remarks).data);
  ck_assert_ptr_null(remarks.bytes);
  ck_assert(write_words(directory, "first"));
  check_read("first");
  ck_assert(write_words(directory, "second, longer"));
  check_read("second, longer");
  ck_assert(write_words(directory, ""));
  check_read("");
  ck_assert_uint_eq(files_in_directory(), 1);
  ck_assert_uint_eq(rights_of(in_directory(FILE_NAME)), 0600);
}

TEST(only_the_last_directory_is_made) {
  ck_assert(write_words(in_directory("below"), "words"));
  ck_assert_uint_eq(rights_of(in_directory("below")), 0700);
  check_not_written(in_directory("further/down"), "No such file");
}

TEST(a_file_in_the_directories_place) {
  make("place", 0, 1000);
  check_not_written(in_directory("place"), "Not a directory");
  ck_assert_ptr_null(clr_directory_read(in_directory("place"), NAME, CLR_RECORD_BINARY, &remarks).data);
}

TEST(a_directory_in_the_files_place) {
  ck_assert_int_eq(mkdir(in_directory(FILE_NAME), 0700), 0);
  check_not_read("cannot read");
  check_not_written(directory, "cannot write");
  ck_assert_uint_eq(files_in_directory(), 1);
}

TEST(a_pipe_does_not_block) {
  ck_assert_int_eq(mkfifo(in_directory(FILE_NAME), 0600), 0);
  check_not_read("cannot read");
}

TEST(files_that_others_may_write_are_not_read) {
  static const mode_t rights[] = {0620, 0602};
  ck_assert(write_words(directory, "words"));
  for (size_t i = 0; i < COUNT_OF(rights); i++) {
    ck_assert_int_eq(chmod(in_directory(FILE_NAME), rights[i]), 0);
    check_not_read("not permitted");
  }
  ck_assert_int_eq(chmod(in_directory(FILE_NAME), 0644), 0);
  check_read("words");
  if (geteuid() != 0)
    return;
  ck_assert_int_eq(chown(in_directory(FILE_NAME), 65534, 65534), 0);
  check_not_read("not permitted");
}

TEST(failures_leave_nothing) {
  const struct {
    struct trouble trouble;
    const char *word;
  } rows[] = {{{.full = true, .room = 0}, "No space left"},
              {{.full = true, .room = 1}, "No space left"},
              {{.full = true, .room = 2}, "No space left"},
              {{.full = true, .room = 3}, "No space left"},
              {{.full = true, .room = 4}, "No space left"},
              {{.close = EDQUOT}, strerror(EDQUOT)},
              {{.rename = EACCES}, "denied"}};
  ck_assert(write_words(directory, "old"));
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    trouble = rows[i].trouble;
    check_not_written(directory, rows[i].word);
    trouble = (struct trouble){.full = false};
    check_read("old");
    ck_assert_uint_eq(files_in_directory(), 1);
  }
  trouble = (struct trouble){.full = true, .room = 5};
  ck_assert(write_words(directory, "words"));
  check_read("words");
}

TEST(interrupted_calls_are_repeated) {
  trouble = (struct trouble){.interrupts = 3, .least = true};
  ck_assert(write_words(directory, "words, byte by byte"));
  trouble = (struct trouble){.interrupts = 3, .least = true};
  check_read("words, byte by byte");
}

// A write beyond the limit would raise a signal that ends the process. The library must check the limit first.
static int write_within_a_limit(void) {
  const struct rlimit little = {4, RLIM_INFINITY};
  const struct clr_bytes bytes = {(unsigned char *)(size_t) "words", 5};
  if (setrlimit(RLIMIT_FSIZE, &little))
    return 2;
  return clr_directory_write(directory, NAME, CLR_RECORD_BINARY, &bytes, &remarks) ? 3
         : strstr(remarks.bytes, "too large")                                      ? 0
                                                                                   : 4;
}

TEST(the_limit_of_files_is_kept) {
  int status = 0;
  ck_assert(write_words(directory, "old"));
  pid_t child = fork();
  if (child == 0)
    _exit(write_within_a_limit());
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the process ended with %#x", (unsigned)status);
  check_read("old");
  ck_assert_uint_eq(files_in_directory(), 1);
}

TEST(a_temporary_name_that_exists_is_skipped) {
  for (int i = 0; i < 3; i++) {
    char name[64];
    snprintf(name, sizeof name, FILE_NAME ".%ld.%d.tmp", (long)getpid(), i);
    make(name, 9, 1000);
  }
  ck_assert(write_words(directory, "words"));
  check_read("words");
  ck_assert_uint_eq(files_in_directory(), 4);
}

// Readers see the whole file of one writer.
enum { SIZE = 100000 };

static void write_until_killed(char letter) {
  struct clr_bytes bytes = {malloc(SIZE), SIZE};
  memset(bytes.data, letter, SIZE);
  for (;;)
    clr_directory_write(directory, NAME, CLR_RECORD_BINARY, &bytes, &remarks);
}

TEST(two_processes_write_one_file) {
  pid_t writers[2];
  size_t seen[2] = {0};
  for (int i = 0; i < 2; i++)
    if ((writers[i] = fork()) == 0)
      write_until_killed((char)('a' + i));
  for (int turn = 0; turn < 100000 && (turn < 300 || !seen[0] || !seen[1]); turn++) {
    struct clr_bytes bytes = clr_directory_read(directory, NAME, CLR_RECORD_BINARY, &remarks);
    // All bytes are the same.
    ck_assert(!bytes.data || (bytes.size == SIZE && memcmp(bytes.data, bytes.data + 1, SIZE - 1) == 0));
    if (bytes.data)
      seen[bytes.data[0] - 'a']++;
    free(bytes.data);
  }
  for (int i = 0; i < 2; i++) {
    kill(writers[i], SIGKILL);
    waitpid(writers[i], NULL, 0);
  }
  ck_assert(seen[0] > 0 && seen[1] > 0);
}

TEST(the_oldest_go) {
  static const struct {
    const char *name;
    off_t size;
    time_t used;
    bool stays;
  } rows[] = {
    {"0000000000000001.note", 100, 4000, true},  {"0000000000000002.clred", 100, 1000, false},
    {"0000000000000003.clred", 100, 3000, true}, {"0000000000000004.clred.17.0.tmp", 100, 2000, false},
    {"a user's own file", 1000, 10, true},       {"0000000000000005.txt", 1000, 10, true},
  };
  for (size_t i = 0; i < COUNT_OF(rows); i++)
    make(rows[i].name, rows[i].size, rows[i].used);
  clr_directory_trim(directory, 400);
  ck_assert_uint_eq(files_in_directory(), 6);
  // 399 is above the bound; three quarters of it are 297.
  clr_directory_trim(directory, 399);
  for (size_t i = 0; i < COUNT_OF(rows); i++)
    ck_assert_msg((access(in_directory(rows[i].name), F_OK) == 0) == rows[i].stays, "%s", rows[i].name);
  clr_directory_trim("/nonexistent/directory", 1);
}

TEST(what_is_read_is_not_old) {
  struct stat facts;
  ck_assert(write_words(directory, "words"));
  make(FILE_NAME, 5, 1000);
  check_read("words");
  ck_assert_int_eq(stat(in_directory(FILE_NAME), &facts), 0);
  ck_assert_int_gt(facts.st_mtime, 1000);
}
