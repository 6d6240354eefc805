// The files, words and lines of a program while it is put together. Files are those of cl/ and those that are generated
// for the plan; each is read once. source.c, resolve.c and unused.c call this.
#pragma once

#include "base/status.h"
#include "base/text.h"

// --- Words and lines ---

enum clr_line_kind {
  CLR_LINE_TEXT,
  CLR_LINE_DEFINE,
  CLR_LINE_UNDEF,
  CLR_LINE_CALLER  // of the caller's operator; it is not changed
};

// What was left out between a line and the one before it.
enum clr_gap {
  CLR_GAP_NONE,
  CLR_GAP_BRANCH,  // only directives of conditions, and inactive lines
  CLR_GAP_FILE     // another file, or the start of this one
};

// A line, and the lines that continue it after a backslash.
struct clr_line {
  struct clr_word text;
  struct clr_word file;   // the file that it comes from
  unsigned long number;   // its number in that file
  struct clr_word macro;  // the macro that it defines or undefines
  enum clr_line_kind kind;
  enum clr_gap gap;
  bool unused;
};

struct clr_lines {
  struct clr_line *at;
  size_t count, capacity;
};

// The identifier that begins at `at`, or one of length 0.
struct clr_word clr_identifier_at(const char *at);
const char *clr_skip_blanks(const char *at);

// True if the name in a #line belongs to the caller's operator. The library's files have a dot in their names.
bool clr_is_callers(struct clr_word name);

bool clr_line_is_blank(const struct clr_line *line);
bool clr_line_add(struct clr_lines *lines, struct clr_line line);  // false if memory runs out

// Appends the lines that are in use. Writes #line where another file begins, and before code for which a compiler would
// count a wrong line. Keeps one blank line where a file continues after blank lines.
void clr_lines_write(const struct clr_lines *lines, struct clr_text *text);

// --- Files ---

#define CLR_FILES_MAX 256
#define CLR_FILE_NAME_SIZE 128

// Gives the text of a file in cl/ by its name, or NULL if there is none. The text is valid until the next call. `from`
// is passed through.
typedef const char *clr_read_file(void *from, const char *name);

// Checks the text of a file from cl/. An error ends the work.
typedef cl_int clr_check_file(const void *of, const char *text, struct clr_status *status);

// A file that is generated for the plan. `#line 1 "NAME"` begins a piece of the caller's operator if NAME has no dot;
// `#line 1 "generated"` ends it.
struct clr_made_file {
  const char *name, *text;
};

// Where files of cl/ come from, and the build options. Conditions use the macros that -D defines there.
struct clr_source_from {
  clr_read_file *read;
  void *from;
  const char *options;
};

struct clr_sources {
  const struct clr_made_file *made;  // ends with a row without a name
  struct clr_source_from from;
  clr_check_file *check;
  const void *check_of;
};

struct clr_file {
  char name[CLR_FILE_NAME_SIZE];
  const char *begin;  // the text; it stays until the files are released, because lines and macros point into it
  char *owned;        // the same if the file is of cl/; NULL if it is generated
  bool once;          // the file has #pragma once
  bool open;          // the file is being expanded
  bool shown;         // the comment at the head of the file is in the text
};

struct clr_files {
  struct clr_file at[CLR_FILES_MAX];
  size_t count;
};

// The name between the quotes at `at`; its length is 0 if there is none.
struct clr_word clr_quoted_at(const char *at);

// True if the name may mean a file outside of cl/.
bool clr_leaves_folder(struct clr_word name);

// Returns a file and reads it at its first use. NULL with CL_SUCCESS in `*err` if there is no file of this name.
struct clr_file *clr_files_find(struct clr_files *files, const struct clr_sources *sources, struct clr_word name,
                                struct clr_status *status, cl_int *err);

// Records that memory ran out while a program's text was written.
cl_int clr_fail_program_memory(struct clr_status *status);

void clr_files_release(struct clr_files *files);

// --- resolve.c ---
// Appends the text of the file `root` with all that it includes: expands #include, takes one side of every #if that the
// plan decides, and leaves out macros and functions that nothing names (cl/README.md).
cl_int clr_resolve(const struct clr_sources *sources, const char *root, struct clr_text *text,
                   struct clr_status *status);

// --- unused.c ---
// Marks as unused the macros and functions that no other line uses, and the comments above them. JOIN makes names of
// two parts, so a name also counts as used
//   - if it names a macro and consists of two used words, the first with its underscore: LOAD_ and FLOAT use
//     LOAD_FLOAT;
//   - if it names a macro and consists of a used word, an underscore and a number;
//   - if it names a function and is used with something after it: an underscore, a width, or the suffix of a kernel.
// A function begins in the first column, its name begins with clred_, and its braces stand in the first column. False
// if memory runs out.
bool clr_find_unused(struct clr_lines *lines);

// --- Files of cl/ ---
// Texts of cl/: embedded at build time, or read from the folder CLREDUCE_CL_DIR, so that kernels can be changed without
// building the library again.

struct clr_kernel_text {
  const char *name;
  const char *text;
};
extern const struct clr_kernel_text clr_embedded_kernels[];  // ends with a row without a name

// A text is valid until the next one is read.
struct clr_kernel_reader {
  const char *folder;  // NULL: the embedded ones
  struct clr_text held;
};
struct clr_kernel_reader clr_kernel_reader_open(void);
const char *clr_kernel_read(void *reader, const char *name);  // a clr_read_file
void clr_kernel_reader_close(struct clr_kernel_reader *reader);
