// Texts: a growing string, and the messages of failures (status.h).
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

static bool make_room(struct clr_text *text, size_t more) {
  if (text->failed)
    return false;
  if (text->length + more + 1 <= text->capacity)
    return true;
  size_t capacity = 2 * (text->length + more + 1);
  char *bytes = realloc(text->bytes, capacity);
  if (!bytes) {
    text->failed = true;
    return false;
  }
  text->bytes = bytes;
  text->capacity = capacity;
  return true;
}

void clr_text_add(struct clr_text *text, const char *bytes, size_t length) {
  if (!make_room(text, length))
    return;
  memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  text->bytes[text->length] = 0;
}

void clr_text_append(struct clr_text *text, const char *piece) {
  clr_text_add(text, piece, strlen(piece));
}

void clr_text_format(struct clr_text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length < 0 || !make_room(text, (size_t)length))
    return;
  va_start(arguments, format);
  vsnprintf(text->bytes + text->length, (size_t)length + 1, format, arguments);
  va_end(arguments);
  text->length += (size_t)length;
}

size_t clr_text_copy(const char *from, char *to, size_t size) {
  size_t length = strlen(from), copied = length < size ? length : size - 1;
  if (to && size) {
    memcpy(to, from, copied);
    to[copied] = 0;
  }
  return length;
}

void clr_text_release(struct clr_text *text) {
  free(text->bytes);
  *text = (struct clr_text){0};
}

bool clr_words_equal(struct clr_word one, struct clr_word other) {
  return one.length == other.length && (!one.length || memcmp(one.begin, other.begin, one.length) == 0);
}

bool clr_word_is(struct clr_word word, const char *text) {
  return clr_words_equal(word, (struct clr_word){text, strlen(text)});
}

// --- Failures ---

struct row {
  cl_int code;
  const char *name;
};

#define OWN_ROW(name, value, message) {value, "CLRED_" #name},
#define CL_ROW(name) {name, #name},

static const struct row rows[] = {
  CLRED_STATUS_MAP(OWN_ROW) CL_ROW(CL_SUCCESS) CL_ROW(CL_DEVICE_NOT_FOUND) CL_ROW(CL_DEVICE_NOT_AVAILABLE)
    CL_ROW(CL_COMPILER_NOT_AVAILABLE) CL_ROW(CL_MEM_OBJECT_ALLOCATION_FAILURE) CL_ROW(CL_OUT_OF_RESOURCES)
      CL_ROW(CL_OUT_OF_HOST_MEMORY) CL_ROW(CL_PROFILING_INFO_NOT_AVAILABLE) CL_ROW(CL_MEM_COPY_OVERLAP)
        CL_ROW(CL_IMAGE_FORMAT_MISMATCH) CL_ROW(CL_IMAGE_FORMAT_NOT_SUPPORTED) CL_ROW(CL_BUILD_PROGRAM_FAILURE) CL_ROW(
          CL_MAP_FAILURE) CL_ROW(CL_MISALIGNED_SUB_BUFFER_OFFSET) CL_ROW(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
          CL_ROW(CL_COMPILE_PROGRAM_FAILURE) CL_ROW(CL_LINKER_NOT_AVAILABLE) CL_ROW(CL_LINK_PROGRAM_FAILURE)
            CL_ROW(CL_DEVICE_PARTITION_FAILED) CL_ROW(CL_KERNEL_ARG_INFO_NOT_AVAILABLE) CL_ROW(CL_INVALID_VALUE)
              CL_ROW(CL_INVALID_DEVICE_TYPE) CL_ROW(CL_INVALID_PLATFORM) CL_ROW(CL_INVALID_DEVICE)
                CL_ROW(CL_INVALID_CONTEXT) CL_ROW(CL_INVALID_QUEUE_PROPERTIES) CL_ROW(CL_INVALID_COMMAND_QUEUE)
                  CL_ROW(CL_INVALID_HOST_PTR) CL_ROW(CL_INVALID_MEM_OBJECT) CL_ROW(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR)
                    CL_ROW(CL_INVALID_IMAGE_SIZE) CL_ROW(CL_INVALID_SAMPLER) CL_ROW(CL_INVALID_BINARY)
                      CL_ROW(CL_INVALID_BUILD_OPTIONS) CL_ROW(CL_INVALID_PROGRAM) CL_ROW(CL_INVALID_PROGRAM_EXECUTABLE)
                        CL_ROW(CL_INVALID_KERNEL_NAME) CL_ROW(CL_INVALID_KERNEL_DEFINITION) CL_ROW(CL_INVALID_KERNEL)
                          CL_ROW(CL_INVALID_ARG_INDEX) CL_ROW(CL_INVALID_ARG_VALUE) CL_ROW(CL_INVALID_ARG_SIZE)
                            CL_ROW(CL_INVALID_KERNEL_ARGS) CL_ROW(CL_INVALID_WORK_DIMENSION)
                              CL_ROW(CL_INVALID_WORK_GROUP_SIZE) CL_ROW(CL_INVALID_WORK_ITEM_SIZE)
                                CL_ROW(CL_INVALID_GLOBAL_OFFSET) CL_ROW(CL_INVALID_EVENT_WAIT_LIST)
                                  CL_ROW(CL_INVALID_EVENT) CL_ROW(CL_INVALID_OPERATION) CL_ROW(CL_INVALID_GL_OBJECT)
                                    CL_ROW(CL_INVALID_BUFFER_SIZE) CL_ROW(CL_INVALID_MIP_LEVEL)
                                      CL_ROW(CL_INVALID_GLOBAL_WORK_SIZE) CL_ROW(CL_INVALID_PROPERTY)
                                        CL_ROW(CL_INVALID_IMAGE_DESCRIPTOR) CL_ROW(CL_INVALID_COMPILER_OPTIONS)
                                          CL_ROW(CL_INVALID_LINKER_OPTIONS) CL_ROW(CL_INVALID_DEVICE_PARTITION_COUNT)
  // The ICD loader returns this if no driver is registered.
  {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
};

const char *clr_status_name(cl_int status) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].code == status)
      return rows[i].name;
  return "unknown status";
}

cl_int(clr_fail)(struct clr_status *status, cl_int code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  status->code = code;
  vsnprintf(status->message, sizeof status->message, format, arguments);
  va_end(arguments);
  return code;
}

cl_int clr_fail_operator(struct clr_status *status, const char *name, const char *format, ...) {
  char rest[CLR_MESSAGE_SIZE];
  const char *quote = name ? "'" : "", *word = status->of_selection ? "selection" : "operator";
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(rest, sizeof rest, format, arguments);
  va_end(arguments);
  return clr_fail(status, CLRED_OPERATOR_TEXT, "%s%s%s%.60s%s: %.400s", word, name ? " " : "", quote, name ? name : "",
                  quote, rest);
}

cl_int clr_require(const void *argument, const char *name, struct clr_status *status) {
  return argument ? CL_SUCCESS : clr_fail(status, CLRED_INVALID_ARGUMENT, "%s is NULL", name);
}

cl_int clr_fail_call(struct clr_status *status, cl_int code, const char *call, const char *what) {
  return clr_fail(status, code, "%s: %s (%d): %s", call, clr_status_name(code), code, what);
}
