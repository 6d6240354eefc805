// Reads files by name, and keeps words and lines of a program.
#include "source/files.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Files of cl/ ---

struct clr_kernel_reader clr_kernel_reader_open(void) {
  const char *directory = getenv("CLREDUCE_CL_DIR");
  return (struct clr_kernel_reader){.directory = directory && *directory ? directory : NULL};
}

static const char *embedded(const char *name) {
  for (const struct clr_kernel_text *row = clr_embedded_kernels; row->name; row++)
    if (strcmp(row->name, name) == 0)
      return row->text;
  return NULL;
}

static bool read_all(FILE *file, struct clr_text *text) {
  char piece[4096];
  size_t length;
  while ((length = fread(piece, 1, sizeof piece, file)) > 0)
    clr_text_add(text, piece, length);
  return !ferror(file) && !text->failed && text->bytes;
}

const char *clr_kernel_read(void *from, const char *name) {
  struct clr_kernel_reader *reader = from;
  if (!reader->directory)
    return embedded(name);
  clr_text_release(&reader->held);
  struct clr_text path = {0};
  clr_text_format(&path, "%s/%s", reader->directory, name);
  FILE *file = path.failed ? NULL : fopen(path.bytes, "rb");
  clr_text_release(&path);
  if (!file)
    return NULL;
  bool whole = read_all(file, &reader->held);
  fclose(file);
  return whole ? reader->held.bytes : NULL;
}

void clr_kernel_reader_close(struct clr_kernel_reader *reader) {
  clr_text_release(&reader->held);
}

// --- Files of a program ---

cl_int clr_fail_program_memory(struct clr_status *status) {
  return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while writing the program's text");
}

struct clr_word clr_quoted_at(const char *at) {
  at = clr_skip_blanks(at);
  size_t length = *at == '"' ? strcspn(at + 1, "\"\n") : 0;
  return (struct clr_word){at + 1, length && at[1 + length] == '"' ? length : 0};
}

bool clr_leaves_directory(struct clr_word name) {
  if (*name.begin == '/' || memchr(name.begin, '\\', name.length) || memchr(name.begin, ':', name.length))
    return true;
  for (const char *at = name.begin, *end = at + name.length; at < end;) {
    size_t length = strcspn(at, "/\"");
    if (length == 2 && strncmp(at, "..", 2) == 0)
      return true;
    at += length + 1;
  }
  return false;
}

static const char *made_text(const struct clr_sources *sources, const char *name) {
  for (const struct clr_made_file *made = sources->made; made && made->name; made++)
    if (strcmp(made->name, name) == 0)
      return made->text;
  return NULL;
}

static struct clr_file *find_file(struct clr_files *files, struct clr_word name) {
  for (size_t i = 0; i < files->count; i++)
    if (clr_word_is(name, files->at[i].name))
      return &files->at[i];
  return NULL;
}

static cl_int keep_text(struct clr_file *file, const struct clr_sources *sources, const char *text,
                        struct clr_status *status) {
  cl_int err = sources->check ? sources->check(sources->check_of, text, status) : CL_SUCCESS;
  if (err)
    return err;
  file->owned = malloc(strlen(text) + 1);
  if (!file->owned)
    return clr_fail_program_memory(status);
  file->begin = strcpy(file->owned, text);
  return CL_SUCCESS;
}

struct clr_file *clr_files_find(struct clr_files *files, const struct clr_sources *sources, struct clr_word name,
                                struct clr_status *status, cl_int *err) {
  struct clr_file *file = find_file(files, name);
  *err = CL_SUCCESS;
  if (file || files->count == CLR_FILES_MAX || name.length >= CLR_FILE_NAME_SIZE)
    return file;
  file = &files->at[files->count];
  memcpy(file->name, name.begin, name.length);
  file->name[name.length] = 0;
  file->begin = made_text(sources, file->name);
  const char *text = file->begin ? NULL : sources->from.read(sources->from.from, file->name);
  if (!file->begin && !text)
    return NULL;
  if (text)
    *err = keep_text(file, sources, text, status);
  if (*err)
    return NULL;
  files->count++;
  return file;
}

void clr_files_release(struct clr_files *files) {
  for (size_t i = 0; i < files->count; i++)
    free(files->at[i].owned);
}

// --- Words and lines ---

struct clr_word clr_identifier_at(const char *at) {
  struct clr_word word = {at, 0};
  if (isalpha((unsigned char)*at) || *at == '_')
    while (isalnum((unsigned char)at[word.length]) || at[word.length] == '_')
      word.length++;
  return word;
}

const char *clr_skip_blanks(const char *at) {
  return at + strspn(at, " \t");
}

bool clr_is_callers(struct clr_word name) {
  return !memchr(name.begin, '.', name.length) && !clr_word_is(name, "generated");
}

static unsigned long count_lines(struct clr_word text) {
  unsigned long count = 1;
  for (size_t i = 0; i < text.length; i++)
    count += text.begin[i] == '\n';
  return count;
}

void clr_line_write(struct clr_line_writer *writer, struct clr_word line, struct clr_word file, unsigned long number,
                    bool counts) {
  const bool goes_on = clr_words_equal(writer->file, file);
  if (writer->blank && goes_on) {
    clr_text_append(writer->text, "\n");
    writer->next++;
  }
  if (!goes_on || (counts && writer->next != number)) {
    clr_text_format(writer->text, "#line %lu \"%.*s\"\n", number, (int)file.length, file.begin);
    writer->next = number;
  }
  clr_text_format(writer->text, "%.*s\n", (int)line.length, line.begin);
  writer->file = file;
  writer->next += count_lines(line);
  writer->blank = false;
}
