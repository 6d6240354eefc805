// Error messages, and the exit codes of the library's statuses.
#include "base/fail.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// ---- Colour, by the sequences of ECMA-48

static const char *const begins[] = {
  [COLOUR_ERROR] = "\033[1;31m",  // bold red
  [COLOUR_BAR] = "\033[36m",      // cyan
  [COLOUR_BEST] = "\033[1m",      // bold
};

static bool is_wanted(int descriptor) {
  const char *terminal = getenv("TERM"), *never = getenv("NO_COLOR");
  return (never == NULL || *never == '\0') && terminal != NULL && strcmp(terminal, "dumb") != 0 && isatty(descriptor);
}

const char *colour_begin(int descriptor, enum colour colour) {
  return is_wanted(descriptor) ? begins[colour] : "";
}

const char *colour_end(int descriptor) {
  return is_wanted(descriptor) ? "\033[0m" : "";
}

// ---- Messages

// Statuses that mean a wrong request. All others mean that the work failed.
static const cl_int refusals[] = {CLRED_INVALID_ARGUMENT,  // only --assume can cause it
                                  CLRED_INVALID_PROBLEM,    CLRED_UNKNOWN_NAME,     CLRED_OPERATOR_TYPE,
                                  CLRED_TYPE_NOT_SUPPORTED, CLRED_STRATEGY_REFUSED, CLRED_OPERATOR_TEXT,
                                  CLRED_NO_HOST_OPERATOR,   CLRED_PARTIAL_MISMATCH, CLRED_PARTIAL_GAP,
                                  CLRED_PARTIAL_DAMAGED};

// File names and messages of drivers may contain line breaks.
static void keep_to_one_line(char *text) {
  size_t length = strlen(text);
  while (length > 0 && text[length - 1] == '\n')
    text[--length] = '\0';
  for (; *text != '\0'; text++)
    if ((unsigned char)*text < ' ' || *text == 0x7f)
      *text = ' ';
}

// One line per process, even if several threads fail at once.
enum { SILENT, WRITING, WRITTEN };
static atomic_int state = SILENT;

static void sleep_a_millisecond(void) {
  nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

void fail_in_handler(int descriptor, const char *line) {
  int before = SILENT;
  if (atomic_compare_exchange_strong(&state, &before, WRITING) && write(descriptor, line, strlen(line)) >= 0)
    _exit(EXIT_WORK_FAILED);
  // The thread that writes may be in another handler, which ends the process.
  while (before == WRITING && atomic_load(&state) == WRITING)
    sleep_a_millisecond();
  _exit(EXIT_WORK_FAILED);
}

// Does not return if a handler of another thread is about to end the process.
static void begin_line(void) {
  int before = SILENT;
  while (!atomic_compare_exchange_strong(&state, &before, WRITING) && before == WRITING) {
    sleep_a_millisecond();
    before = SILENT;
  }
}

static const char *subject;

void fail_about(const char *name) {
  subject = name;
}

static const char *program = "clreduce";
static char *held;

void fail_hold(const char *name, char message[FAIL_MESSAGE_SIZE]) {
  program = name;
  held = message;
}

int(fail)(enum exit_code code, const char *format, ...) {
  char line[FAIL_MESSAGE_SIZE];
  const int used = subject == NULL ? 0 : snprintf(line, sizeof line / 2, "%.1000s: ", subject);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line + used, sizeof line - (size_t)used, format, arguments);
  va_end(arguments);
  keep_to_one_line(line);
  if (held != NULL) {
    memcpy(held, line, sizeof line);
    return (int)code;
  }
  begin_line();
  // Erase a progress bar. Notes have no colour.
  const char *begin = code == EXIT_DONE ? "" : colour_begin(STDERR_FILENO, COLOUR_ERROR);
  fprintf(stderr, "%s%s%s:%s %s\n", isatty(STDERR_FILENO) ? "\r\033[K" : "", begin, program,
          *begin == '\0' ? "" : colour_end(STDERR_FILENO), line);
  atomic_store(&state, WRITTEN);
  return (int)code;
}

// ---- Notes

enum { NOTES_MAX = 8 };
static char *notes[NOTES_MAX];

static bool is_noted(const char *message) {
  for (size_t i = 0; i < NOTES_MAX && notes[i] != NULL; i++)
    if (strcmp(notes[i], message) == 0)
      return true;
  return false;
}

void note(const char *message) {
  size_t i = 0;
  while (i < NOTES_MAX && notes[i] != NULL)
    i++;
  if (i < NOTES_MAX && !is_noted(message))
    notes[i] = strdup(message);
}

void notes_end(bool wanted) {
  for (size_t i = 0; i < NOTES_MAX && notes[i] != NULL; i++) {
    if (wanted)
      fail(EXIT_DONE, "%s", notes[i]);
    free(notes[i]);
    notes[i] = NULL;
  }
}

// ---- OpenCL and the library

int fail_opencl(const char *call, cl_int status, const char *about) {
  return fail(EXIT_WORK_FAILED, "%s failed with %s (%d): %s", call, clred_status_name(status), (int)status, about);
}

int(fail_memory)(void) {
  return fail(EXIT_WORK_FAILED, "out of memory");
}

int fail_library(cl_int status, const char *message) {
  const char *name = clred_status_name(status);
  bool is_silent = message == NULL || *message == '\0';
  if (is_silent && status == CL_OUT_OF_HOST_MEMORY)
    return fail_memory();
  if (is_silent)
    return fail(fail_code(status), "%s", name);
  // For a wrong request the message is enough: the name of the status would not help the user.
  if (strstr(message, name) != NULL || fail_code(status) == EXIT_BAD_USE)
    return fail(fail_code(status), "%s", message);
  return fail(fail_code(status), "%s (%s)", message, name);
}

enum exit_code fail_code(cl_int status) {
  for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
    if (refusals[i] == status)
      return EXIT_BAD_USE;
  return EXIT_WORK_FAILED;
}
