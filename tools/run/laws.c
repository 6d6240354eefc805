// Tries the laws of the user's operator with the values of its parameters, and refuses it if one fails.
#include "run/laws.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"

// ---------------------------------------------------------------- Verdicts in files

enum { COUNTEREXAMPLE_SIZE = sizeof((clred_law *)0)->counterexample };

struct law_verdict {
  unsigned broken;  // index of the law that fails; CLRED_LAWS if all hold
  char counterexample[COUNTEREXAMPLE_SIZE];
};

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

// Everything that decides a verdict, as text to be freed; NULL if memory is short.
static char *law_key(const struct device *device, const struct args *args, const struct user_operator *user) {
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

// False if there is none, or if the file is damaged. "" stands for no directory.
static bool law_verdict_load(const char *directory, const char *key, struct law_verdict *verdict) {
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

// A failure is no error: the next call tries the laws again.
static void law_verdict_keep(const char *directory, const char *key, const struct law_verdict *verdict) {
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

// ---- The operator of the trials

// Writes the bits of a number, because no decimal text gives infinities and NaNs.
static void write_component(FILE *text, const clred_type_info *component, const void *from) {
  static const char *const words[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong"};
  unsigned long long bits = 0;
  for (size_t i = component->size; i > 0; i--)
    bits = bits << 8 | ((const unsigned char *)from)[i - 1];
  fprintf(text, "as_%s((%s)0x%llx%s)", component->name, words[component->size], bits, component->size == 8 ? "ul" : "");
}

// "float scale = as_float((uint)0x3f800000);"
static void write_parameter(FILE *text, const clred_operand *parameter, const union value *value) {
  clred_type_info type, component;
  if (!type_of_opencl(parameter->type, &type) || clred_type_inspect(type.component, &component) != CL_SUCCESS)
    return;
  fprintf(text, "%s %s = (%s)(", parameter->type, parameter->name, parameter->type);
  for (cl_uint i = 0; i < type.components; i++) {
    fputs(i == 0 ? "" : ", ", text);
    write_component(text, &component, value_component(&type, value->bytes, i));
  }
  fputs("); ", text);
}

// Comments may precede a body.
static bool is_body(const char *text) {
  for (;;) {
    text += strspn(text, " \t\r\n");
    const char *end = strncmp(text, "//", 2) == 0   ? strchr(text, '\n')
                      : strncmp(text, "/*", 2) == 0 ? strstr(text + 2, "*/")
                                                    : NULL;
    if (end == NULL)
      return *text == '{';
    text = end + (*end == '*' ? 2 : 1);
  }
}

// The body of a lift that has the parameters as variables. clred_check_laws itself would choose their values.
static char *lift_with_values(const struct user_operator *user) {
  const char *lift = user->made.lift == NULL ? "x" : user->made.lift;
  char *written = NULL;
  size_t length;
  FILE *text = open_memstream(&written, &length);
  if (text == NULL)
    return NULL;
  fputs("{ ", text);
  for (size_t i = 0; i < user->made.parameter_count; i++)
    write_parameter(text, &user->parameters[i], &user->values[i]);
  fprintf(text, is_body(lift) ? "%s\n}" : "return (%s\n); }", lift);
  bool failed = ferror(text) != 0;
  if (fclose(text) == 0 && !failed)
    return written;
  free(written);
  return NULL;
}

// ---- Trying

static cl_int try_operator(const struct session *session, const clred_operator *made, clred_law laws[CLRED_LAWS]) {
  const clred_problem problem = {.custom = made};
  return session_check_laws(session, &problem, 0, laws);
}

static cl_int try_with_values(const struct session *session, const struct user_operator *user,
                              clred_law laws[CLRED_LAWS]) {
  clred_operator made = user->made;
  char *lift = lift_with_values(user);
  made.lift = lift;
  made.parameter_count = 0;
  made.elementwise = CL_FALSE;  // the variables are not vectors
  cl_int status = lift == NULL ? CL_OUT_OF_HOST_MEMORY : try_operator(session, &made, laws);
  free(lift);
  return status;
}

// The text of the trials differs from the text of a plan. So a mistake is reported with its position in the text of a
// plan.
static int text_failed(const struct session *session, const struct user_operator *user, cl_int status) {
  const clred_problem problem = {.custom = &user->made};
  clred_plan *plan = NULL;
  char message[SESSION_ERROR_SIZE];
  snprintf(message, sizeof message, "%s", clred_last_error(session->runtime));
  cl_int of_plan = session_plan(session, &problem, &plan);
  clred_plan_release(plan);
  if (of_plan != CL_SUCCESS)
    return user_operator_failed(user, of_plan, clred_last_error(session->runtime));
  return fail(fail_code(status), "%s: its laws could not be tried: %s; give --unchecked to use it all the same",
              user->file == NULL ? "--combine" : user->file, message);
}

static int trial_failed(const struct session *session, const struct user_operator *user, cl_int status) {
  if (status == CLRED_OPERATOR_TEXT || status == CL_BUILD_PROGRAM_FAILURE)
    return text_failed(session, user, status);
  return session_check(session, status);
}

static int try_laws(const struct session *session, const struct user_operator *user, struct law_verdict *verdict) {
  // If several laws fail, the message names the first in this order.
  static const unsigned order[CLRED_LAWS] = {1, 0, 2};
  clred_law laws[CLRED_LAWS];
  cl_int status =
    user->made.parameter_count > 0 ? try_with_values(session, user, laws) : try_operator(session, &user->made, laws);
  if (status != CL_SUCCESS)
    return trial_failed(session, user, status);
  *verdict = (struct law_verdict){.broken = CLRED_LAWS};
  for (size_t i = CLRED_LAWS; i-- > 0;)
    if (laws[order[i]].claimed && !laws[order[i]].holds) {
      verdict->broken = order[i];
      memcpy(verdict->counterexample, laws[order[i]].counterexample, sizeof verdict->counterexample);
    }
  return EXIT_DONE;
}

// ---- Refusing

// For each law: the key of the operator that breaks it, and what is wrong.
static const struct breach {
  const char *key, *wrong;
} breaches[CLRED_LAWS] = {
  {"identity", "no identity"}, {"combine", "not associative"}, {"commutative", "does not commute"}};

static int refuse(const struct user_operator *user, const struct law_verdict *verdict) {
  const struct breach *breach = &breaches[verdict->broken];
  const struct user_key *key = user_keys;
  char culprit[1024];
  while (strcmp(key->name, breach->key) != 0)
    key++;
  if (user->file != NULL && !(user->by_option >> (key - user_keys) & 1))
    snprintf(culprit, sizeof culprit, "%s: %s", user->file, key->name);
  else if (key->kind == KEY_TRUTH)
    snprintf(culprit, sizeof culprit, "--%s", key->name);
  else
    snprintf(culprit, sizeof culprit, "--%s '%.500s'", key->name,
             *(const char *const *)(const void *)((const char *)&user->made + key->field));
  return fail(EXIT_BAD_USE, "%s: %s: %s; correct it, or give --unchecked if it holds for your data", culprit,
              breach->wrong, verdict->counterexample);
}

int laws_require(const struct session *session, const struct args *args, const struct operation *operation) {
  const struct user_operator *user = &operation->user;
  struct law_verdict verdict;
  char directory[KEPT_PATH_SIZE];
  if (!operation->own || operation->selects || args->unchecked)
    return EXIT_DONE;
  int code = kept_path(KEPT_CACHE, args->cache, directory);
  if (code)
    return code;
  char *key = law_key(&session->device, args, user);
  if (key == NULL)
    return fail_memory();
  if (!law_verdict_load(directory, key, &verdict)) {
    code = try_laws(session, user, &verdict);
    if (!code)
      law_verdict_keep(directory, key, &verdict);
  }
  free(key);
  return !code && verdict.broken < CLRED_LAWS ? refuse(user, &verdict) : code;
}
