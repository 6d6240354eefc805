// Runs the whole tool, from a command line with one word on each line to the first compilation (opencl.c is the
// device). It makes files in the current directory, so run it in an empty one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

int clreduce_main(int argc, char *argv[]);

enum { WORDS_MAX = 40, REPEATS_MAX = 1000, ELEMENTS_MAX = 100000 };

// ---- Files and environment

static void make_file(const char *name, const void *bytes, size_t size) {
  FILE *file = fopen(name, "wb");
  if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
    perror(name);
    exit(125);
  }
}

// A .npy file of `count` small numbers.
static void make_array(const char *name, const char *type, unsigned element, unsigned count) {
  unsigned char bytes[512] = "\x93NUMPY\x01";
  unsigned length = (unsigned)snprintf((char *)bytes + 10, 200,
                                       "{'descr': '%s', 'fortran_order': False, 'shape': (%u,), }\n", type, count);
  bytes[8] = (unsigned char)length;
  for (unsigned i = 0; i < count; i++)
    bytes[10 + length + i * element] = (unsigned char)(2 * i);
  make_file(name, bytes, 10 + length + element * count);
}

static void prepare(void) {
  static const char *const unset[] = {"HOME", "XDG_CACHE_HOME", "CLREDUCE_CL_DIR", "CLREDUCE_TEST_DEVICE"};
  static const char own[] = "name: mine\nidentity: 0\ncombine: a + b\nparameter: float w = 1\n";
  static const char rows[] = "{\"rows\": []}";
  for (size_t i = 0; i < sizeof unset / sizeof *unset; i++)
    unsetenv(unset[i]);
  setenv("CLREDUCE_CACHE_DIR", "off", 1);
  setenv("CLREDUCE_TUNING", "off", 1);
  setenv("OMP_WAIT_POLICY", "passive", 1);  // ladder starts the process again unless both are set
  setenv("POCL_AFFINITY", "1", 1);
  make_array("a.npy", "<f4", 4, 8);
  make_array("i.npy", "<i4", 4, 8);
  make_array("o.npy", "<u8", 8, 5);
  make_file("r.raw", own, 32);
  make_file("own.op", own, sizeof own - 1);
  make_file("rows.json", rows, sizeof rows - 1);
  if (freopen("/dev/null", "rb", stdin) == NULL)
    exit(125);
}

// ---- Words

static bool is_elsewhere(const char *word) {
  return *word == '/' || strstr(word, "=/") != NULL || strstr(word, "..") != NULL || strstr(word, ":/") != NULL;
}

// True for options that are valid but would make the run too long.
static bool is_long(const char *option, const char *word) {
  const char *equals = strchr(word, '='), *colon = strchr(word, ':');
  bool repeats = strcmp(option, "--repeat") == 0, joined = strncmp(word, "--repeat=", 9) == 0;
  if (repeats || joined)
    return strtoull(joined ? equals + 1 : word, NULL, 10) > REPEATS_MAX;
  return colon != NULL && strtoull(colon + 1, NULL, 10) > ELEMENTS_MAX;
}

static int take_words(char *text, char *words[WORDS_MAX]) {
  static char name[] = "clreduce", nothing[] = "";
  int count = 0;
  words[count++] = name;
  for (char *line = text, *end; line != NULL && count < WORDS_MAX - 1; line = end) {
    end = strchr(line, '\n');
    if (end != NULL)
      *end++ = '\0';
    if (is_elsewhere(line) || is_long(count > 1 ? words[count - 1] : nothing, line))
      return 0;
    words[count++] = line;
  }
  words[count] = NULL;
  return count;
}

void target_command_line(const uint8_t *data, size_t size) {
  static bool ready;
  char *words[WORDS_MAX], *text = fuzz_text(data, size);
  if (!ready)
    prepare();
  ready = true;
  int count = take_words(text, words);
  if (count > 0)
    FUZZ_EXIT(clreduce_main(count, words));
  free(text);
}
