// Verdicts about operators, in files of the cache's directory. A file has a checksum, the whole key, and the verdict. A
// hash of the key chooses one of NAMES file names, so the number of files is bounded. A newer verdict replaces an older
// one with the same name.
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/laws.h"

// Raise this if the same operator may get another verdict.
#define CHECK_VERSION 1

enum { NAMES = 4096, CHECKSUM_DIGITS = 16 };

// ---- The key

// The length marks where a value ends, so a value may contain any byte.
static void write_field(FILE *text, const char *name, const char *value) {
  fprintf(text, "%s %zu %s\n", name, value == NULL ? 0 : strlen(value), value == NULL ? "" : value);
}

// Blanks before a text only keep its position in the file, so they are not in the key.
static void write_piece(FILE *text, const struct user_operator *user, const struct user_key *key) {
  const char *field = (const char *)&user->made + key->field;
  if (key->kind == KEY_TRUTH)
    write_field(text, key->name, *(const cl_bool *)(const void *)field ? "yes" : "no");
  const char *piece = key->kind == KEY_TEXT || key->kind == KEY_WORD ? *(const char *const *)(const void *)field : NULL;
  if (piece != NULL && strcmp(key->name, "name") != 0)
    write_field(text, key->name, piece + strspn(piece, " \t\r\n"));
}

static void write_operands(FILE *text, const struct user_operator *user) {
  for (size_t i = 0; i < user->made.input_count; i++)
    fprintf(text, "input %s %s\n", user->inputs[i].type, user->inputs[i].name);
  for (size_t i = 0; i < user->made.parameter_count; i++) {
    fprintf(text, "parameter %s %s", user->parameters[i].type, user->parameters[i].name);
    for (size_t k = 0; k < sizeof user->values[i].bytes; k++)
      fprintf(text, "%02x", user->values[i].bytes[k]);
    fputs("\n", text);
  }
}

char *law_key(const struct device *device, const struct args *args, const struct user_operator *user) {
  const char *const facts[][2] = {{"clreduce", clred_version()},  {"kernels", getenv("CLREDUCE_CL_DIR")},
                                  {"platform", device->platform}, {"device", device->name},
                                  {"vendor", device->vendor},     {"version", device->version},
                                  {"driver", device->driver},     {"assumed", args->assume}};
  char *key = NULL;
  size_t length;
  FILE *text = open_memstream(&key, &length);
  if (text == NULL)
    return NULL;
  fprintf(text, "laws %d\n", CHECK_VERSION);
  for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
    write_field(text, facts[i][0], facts[i][1]);
  for (const struct user_key *piece = user_keys; piece->name != NULL; piece++)
    write_piece(text, user, piece);
  write_operands(text, user);
  bool failed = ferror(text) != 0;
  if (fclose(text) == 0 && !failed)
    return key;
  free(key);
  return NULL;
}

// ---- Files

// FNV-1a
static uint64_t hash(const char *bytes, size_t length) {
  uint64_t sum = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < length; i++)
    sum = (sum ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
  return sum;
}

// False if nothing can be kept: no directory, or texts that may read other files, which the key does not cover.
static bool find_path(const char *directory, const char *key, char path[KEPT_PATH_SIZE]) {
  static const char *const readers[] = {"include", "import", "embed"};
  for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++)
    if (strstr(key, readers[i]) != NULL)
      return false;
  unsigned name = (unsigned)(hash(key, strlen(key)) % NAMES);
  return *directory != '\0' && snprintf(path, KEPT_PATH_SIZE, "%s/%03x.laws", directory, name) < KEPT_PATH_SIZE;
}

// The bytes of a regular file with at most `most` bytes, with a 0 behind them, to be freed. Else NULL.
static char *read_file(const char *path, size_t most) {
  struct stat facts;
  // Opening a pipe of this name must not wait.
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  bool fits = file >= 0 && fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && (uintmax_t)facts.st_size <= most;
  size_t size = fits ? (size_t)facts.st_size : 0;
  char *bytes = fits ? calloc(size + 1, 1) : NULL;
  if (bytes != NULL && read(file, bytes, size) != (ssize_t)size) {
    free(bytes);
    bytes = NULL;
  }
  if (file >= 0)
    close(file);
  return bytes;
}

// Reads the checksum and a line break, the key, the law and a space, and the counterexample.
static bool read_verdict(const char *bytes, const char *key, struct law_verdict *verdict) {
  size_t length = strlen(bytes), begin = CHECKSUM_DIGITS + 1, end = begin + strlen(key) + 2;
  char sum[CHECKSUM_DIGITS + 1];
  if (length < end || length - end >= sizeof verdict->counterexample)
    return false;
  snprintf(sum, sizeof sum, "%016" PRIx64, hash(bytes + begin, length - begin));
  if (memcmp(bytes, sum, CHECKSUM_DIGITS) != 0 || memcmp(bytes + begin, key, strlen(key)) != 0)
    return false;
  verdict->broken = (unsigned)(bytes[end - 2] - '0');
  strcpy(verdict->counterexample, bytes + end);
  return verdict->broken <= CLRED_LAWS;
}

bool law_verdict_load(const char *directory, const char *key, struct law_verdict *verdict) {
  char path[KEPT_PATH_SIZE];
  if (!find_path(directory, key, path))
    return false;
  char *bytes = read_file(path, strlen(key) + CHECKSUM_DIGITS + 3 + COUNTEREXAMPLE_SIZE);
  bool found = bytes != NULL && read_verdict(bytes, key, verdict);
  free(bytes);
  return found;
}

// Beyond the limit of file sizes a write would end the process.
static bool is_within_limit(size_t size) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || size <= limit.rlim_cur;
}

// Writes a temporary file and renames it, so that readers see the old file or the new one.
static void replace_file(const char *path, const char *bytes, size_t size) {
  char temporary[KEPT_PATH_SIZE + 8];
  snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
  int file = is_within_limit(size) ? mkstemp(temporary) : -1;
  if (file < 0)
    return;
  bool written = write(file, bytes, size) == (ssize_t)size;
  written = close(file) == 0 && written;
  if (!written || rename(temporary, path) != 0)
    unlink(temporary);
}

void law_verdict_keep(const char *directory, const char *key, const struct law_verdict *verdict) {
  char path[KEPT_PATH_SIZE];
  size_t begin = CHECKSUM_DIGITS + 1, size = begin + strlen(key) + 2 + strlen(verdict->counterexample);
  char *bytes = find_path(directory, key, path) ? malloc(size + 1) : NULL;
  if (bytes == NULL)
    return;
  snprintf(bytes + begin, size + 1 - begin, "%s%u %s", key, verdict->broken, verdict->counterexample);
  char sum[CHECKSUM_DIGITS + 1];
  snprintf(sum, sizeof sum, "%016" PRIx64, hash(bytes + begin, size - begin));
  memcpy(bytes, sum, CHECKSUM_DIGITS);
  bytes[CHECKSUM_DIGITS] = '\n';
  mkdir(directory, S_IRWXU);
  replace_file(path, bytes, size);
  free(bytes);
}
