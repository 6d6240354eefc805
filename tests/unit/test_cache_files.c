// Files of the cache of binaries: a file is read whole or not at all, even if it is damaged. No device is opened, so
// tests may fork. The linker puts the wrappers below between the static library and the system (--wrap=NAME).
#define _POSIX_C_SOURCE 200809L

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

static char folder[64];
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

// ---------------------------------------------------------------- Records

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
  file.data = realloc(file.data, file.size + 1);
  file.data[file.size++] = 0;
  check_refused(&file, &key, "size", file.size);
}

TEST(every_flipped_bit_shows) {
  for (size_t i = 0; i < 8 * file.size; i++) {
    file.data[i / 8] ^= (unsigned char)(1 << i % 8);
    check_refused(&file, &key, "it", i);
    file.data[i / 8] ^= (unsigned char)(1 << i % 8);
  }
  for (size_t i = 0; i + 8 < file.size; i++) {
    struct clr_bytes zeroed = copy_of_file(file.size);
    memset(zeroed.data + i, 0, file.size - i);
    check_refused(&zeroed, &key, "it", i);
    free(zeroed.data);
  }
}

// The words of the header: magic, version, size of the key, size of the binary, kernels, checksum.
static void check_word(size_t word, uint64_t value, const char *expected) {
  struct clr_bytes changed = copy_of_file(file.size);
  memcpy(changed.data + 8 * word, &value, sizeof value);
  check_refused(&changed, &key, expected, word);
  free(changed.data);
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
  const uint64_t key_size = UINT64_MAX, binary_size = file.size - 48 - key_size;
  memcpy(file.data + 16, &key_size, 8);
  memcpy(file.data + 24, &binary_size, 8);
  check_refused(&file, &key, "size", 16);
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

// ---------------------------------------------------------------- Folders

static void open_folder(void) {
  strcpy(folder, "/tmp/clreduce-cache-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void close_folder(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  ck_assert_int_eq(system(command), 0);
  clr_text_release(&remarks);
}

static const char *in_folder(const char *name) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static bool write_words(const char *to, const char *words) {
  const struct clr_bytes bytes = {(unsigned char *)(size_t)words, strlen(words)};
  clr_text_release(&remarks);
  return clr_folder_write(to, NAME, &bytes, &remarks);
}

static void check_read(const char *words) {
  clr_text_release(&remarks);
  struct clr_bytes bytes = clr_folder_read(folder, NAME, &remarks);
  ck_assert_msg(bytes.data, "%s", remarks.bytes ? remarks.bytes : "no file");
  ck_assert_uint_eq(bytes.size, strlen(words));
  ck_assert_int_eq(memcmp(bytes.data, words, bytes.size), 0);
  ck_assert_ptr_null(remarks.bytes);
  free(bytes.data);
}

static void check_not_read(const char *word) {
  clr_text_release(&remarks);
  struct clr_bytes bytes = clr_folder_read(folder, NAME, &remarks);
  ck_assert_ptr_null(bytes.data);
  ck_assert_msg(!word == !remarks.bytes, "remarks: %s", remarks.bytes ? remarks.bytes : "none");
  if (word)
    ck_assert_msg(strstr(remarks.bytes, word) && strstr(remarks.bytes, NAME), "'%s' does not name %s", remarks.bytes,
                  word);
}

static void check_not_written(const char *to, const char *word) {
  ck_assert(!write_words(to, "words"));
  ck_assert_msg(remarks.bytes && strstr(remarks.bytes, word), "'%s' does not say %s",
                remarks.bytes ? remarks.bytes : "", word);
}

static mode_t rights_of(const char *path) {
  struct stat facts;
  ck_assert_int_eq(stat(path, &facts), 0);
  return facts.st_mode & 07777;
}

static size_t files_in_folder(void) {
  char command[128], line[32] = "";
  snprintf(command, sizeof command, "ls -A %s | wc -l", folder);
  FILE *lines = popen(command, "r");
  ck_assert_ptr_nonnull(lines);
  ck_assert_ptr_nonnull(fgets(line, sizeof line, lines));
  pclose(lines);
  return (size_t)atoi(line);
}

TEST_CASE("folders", open_folder, close_folder);

TEST(a_file_comes_back) {
  check_not_read(NULL);
  ck_assert(write_words(folder, "first"));
  check_read("first");
  ck_assert(write_words(folder, "second, longer"));
  check_read("second, longer");
  ck_assert(write_words(folder, ""));
  check_read("");
  ck_assert_uint_eq(files_in_folder(), 1);
  ck_assert_uint_eq(rights_of(in_folder(FILE_NAME)), 0600);
}

TEST(only_the_last_folder_is_made) {
  char below[96], further[128];
  snprintf(below, sizeof below, "%s/below", folder);
  snprintf(further, sizeof further, "%s/further/down", folder);
  ck_assert(write_words(below, "words"));
  ck_assert_uint_eq(rights_of(below), 0700);
  check_not_written(further, "No such file");
}

TEST(a_file_in_the_folders_place) {
  char place[96];
  snprintf(place, sizeof place, "%s/place", folder);
  fclose(fopen(place, "w"));
  check_not_written(place, "Not a directory");
  clr_text_release(&remarks);
  ck_assert_ptr_null(clr_folder_read(place, NAME, &remarks).data);
}

TEST(a_folder_in_the_files_place) {
  ck_assert_int_eq(mkdir(in_folder(FILE_NAME), 0700), 0);
  check_not_read("cannot read");
  check_not_written(folder, "cannot write");
  ck_assert_uint_eq(files_in_folder(), 1);
}

TEST(a_pipe_does_not_block) {
  ck_assert_int_eq(mkfifo(in_folder(FILE_NAME), 0600), 0);
  check_not_read("cannot read");
}

TEST(files_that_others_may_write_are_not_read) {
  ck_assert(write_words(folder, "words"));
  ck_assert_int_eq(chmod(in_folder(FILE_NAME), 0620), 0);
  check_not_read("not permitted");
  ck_assert_int_eq(chmod(in_folder(FILE_NAME), 0602), 0);
  check_not_read("not permitted");
  ck_assert_int_eq(chmod(in_folder(FILE_NAME), 0644), 0);
  check_read("words");
  if (geteuid() != 0)
    return;
  ck_assert_int_eq(chown(in_folder(FILE_NAME), 65534, 65534), 0);
  check_not_read("not permitted");
}

// The disk is full after each number of bytes.
TEST(a_full_disk_leaves_nothing) {
  ck_assert(write_words(folder, "old"));
  for (size_t i = 0; i < 5; i++) {
    trouble = (struct trouble){.full = true, .room = i};
    check_not_written(folder, "No space left");
    check_read("old");
    ck_assert_uint_eq(files_in_folder(), 1);
  }
  trouble = (struct trouble){.full = true, .room = 5};
  ck_assert(write_words(folder, "words"));
  check_read("words");
}

TEST(other_failures_leave_nothing) {
  ck_assert(write_words(folder, "old"));
  trouble = (struct trouble){.close = EDQUOT};
  check_not_written(folder, strerror(EDQUOT));
  trouble = (struct trouble){.rename = EACCES};
  check_not_written(folder, "denied");
  trouble = (struct trouble){.full = false};
  check_read("old");
  ck_assert_uint_eq(files_in_folder(), 1);
}

TEST(interrupted_calls_are_repeated) {
  trouble = (struct trouble){.interrupts = 3, .least = true};
  ck_assert(write_words(folder, "words, byte by byte"));
  trouble = (struct trouble){.interrupts = 3, .least = true};
  check_read("words, byte by byte");
}

// A write beyond the limit would raise a signal that ends the process. The library must check the limit first.
static int write_within_a_limit(void) {
  const struct rlimit little = {4, RLIM_INFINITY};
  const struct clr_bytes bytes = {(unsigned char *)(size_t) "words", 5};
  if (setrlimit(RLIMIT_FSIZE, &little))
    return 2;
  return clr_folder_write(folder, NAME, &bytes, &remarks) ? 3 : strstr(remarks.bytes, "too large") ? 0 : 4;
}

TEST(the_limit_of_files_is_kept) {
  int status = 0;
  ck_assert(write_words(folder, "old"));
  pid_t child = fork();
  if (child == 0)
    _exit(write_within_a_limit());
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the process ended with %#x", (unsigned)status);
  check_read("old");
  ck_assert_uint_eq(files_in_folder(), 1);
}

TEST(a_temporary_name_that_exists_is_skipped) {
  for (int i = 0; i < 3; i++) {
    char name[64];
    snprintf(name, sizeof name, FILE_NAME ".%ld.%d.tmp", (long)getpid(), i);
    FILE *taken = fopen(in_folder(name), "w");
    fputs("another's", taken);
    fclose(taken);
  }
  ck_assert(write_words(folder, "words"));
  check_read("words");
  ck_assert_uint_eq(files_in_folder(), 4);
}

// Readers see the whole file of one writer.
enum { SIZE = 100000 };

static void write_until_killed(char letter) {
  struct clr_bytes bytes = {malloc(SIZE), SIZE};
  memset(bytes.data, letter, SIZE);
  for (;;)
    clr_folder_write(folder, NAME, &bytes, &remarks);
}

TEST(two_processes_write_one_file) {
  pid_t writers[2];
  size_t seen[2] = {0};
  for (int i = 0; i < 2; i++)
    if ((writers[i] = fork()) == 0)
      write_until_killed((char)('a' + i));
  for (int turn = 0; turn < 100000 && (turn < 300 || !seen[0] || !seen[1]); turn++) {
    struct clr_bytes bytes = clr_folder_read(folder, NAME, &remarks);
    ck_assert(!bytes.data || bytes.size == SIZE);
    // All bytes are the same.
    ck_assert(!bytes.data || memcmp(bytes.data, bytes.data + 1, SIZE - 1) == 0);
    if (bytes.data)
      seen[bytes.data[0] - 'a']++;
    free(bytes.data);
  }
  for (int i = 0; i < 2; i++) {
    kill(writers[i], SIGKILL);
    waitpid(writers[i], NULL, 0);
  }
  ck_assert_uint_gt(seen[0], 0);
  ck_assert_uint_gt(seen[1], 0);
}

// ---------------------------------------------------------------- Room

static void make(const char *name, off_t size, time_t used) {
  const struct timespec times[2] = {{used, 0}, {used, 0}};
  int made = open(in_folder(name), O_WRONLY | O_CREAT, 0600);
  ck_assert_int_ge(made, 0);
  ck_assert_int_eq(ftruncate(made, size), 0);
  ck_assert_int_eq(futimens(made, times), 0);
  close(made);
}

static bool is_there(const char *name) {
  return access(in_folder(name), F_OK) == 0;
}

TEST(the_oldest_go) {
  make("0000000000000001.clred", 100, 4000);
  make("0000000000000002.clred", 100, 1000);
  make("0000000000000003.clred", 100, 3000);
  make("0000000000000004.clred.17.0.tmp", 100, 2000);
  make("a user's own file", 1000, 10);
  make("0000000000000005.txt", 1000, 10);
  clr_folder_trim(folder, 400);
  ck_assert_uint_eq(files_in_folder(), 6);
  // 399 is above the bound; three quarters of it are 297.
  clr_folder_trim(folder, 399);
  ck_assert(is_there("0000000000000001.clred"));
  ck_assert(!is_there("0000000000000002.clred"));
  ck_assert(is_there("0000000000000003.clred"));
  ck_assert(!is_there("0000000000000004.clred.17.0.tmp"));
  ck_assert(is_there("a user's own file"));
  ck_assert(is_there("0000000000000005.txt"));
  clr_folder_trim("/nonexistent/folder", 1);
}

TEST(what_is_read_is_not_old) {
  struct stat facts;
  ck_assert(write_words(folder, "words"));
  make(FILE_NAME, 5, 1000);
  check_read("words");
  ck_assert_int_eq(stat(in_folder(FILE_NAME), &facts), 0);
  ck_assert_int_gt(facts.st_mtime, 1000);
}
