// The files, words and lines of a program while it is put together. Files are in cl/ or are generated for the plan;
// each is read once. source.c and resolve.c call this.
#pragma once

#include "base/status.h"
#include "base/text.h"

// --- Words and lines ---

// The identifier that begins at `at`, or one of length 0.
struct clr_word clr_identifier_at(const char *at);
const char *clr_skip_blanks(const char *at);

// True if the name in a #line belongs to the caller's operator. The library's files have a dot in their names.
bool clr_is_callers(struct clr_word name);

// Appends lines to a text. Writes #line before a line of another file, and before code for which a compiler would count
// a wrong line. The writer keeps one blank line where a file continues after blank lines.
struct clr_line_writer {
  struct clr_text *text;
  struct clr_word file;  // the file of the last line
  unsigned long next;    // the number that a compiler would give the next line
  bool blank;            // blank lines were left out before the next line
};

// Appends a line, with the lines that continue it after a backslash. `number` is its number in `file`. `counts` is
// false if no message of a compiler names this line, so its number may be wrong.
void clr_line_write(struct clr_line_writer *writer, struct clr_word line, struct clr_word file, unsigned long number,
                    bool counts);

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

// Where files of cl/ come from, and the build options. #if conditions in these files see the macros that the options
// define by -D.
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
bool clr_leaves_directory(struct clr_word name);

// Returns a file and reads it at its first use. NULL with CL_SUCCESS in `*err` if there is no file of this name.
struct clr_file *clr_files_find(struct clr_files *files, const struct clr_sources *sources, struct clr_word name,
                                struct clr_status *status, cl_int *err);

// Records that memory ran out while a program's text was written.
cl_int clr_fail_program_memory(struct clr_status *status);

void clr_files_release(struct clr_files *files);

// --- resolve.c ---
// Appends the text of the file `root` with all that it includes: expands #include, and takes one side of every #if that
// the plan decides (cl/README.md). The compiler drops functions that no kernel calls.
cl_int clr_resolve(const struct clr_sources *sources, const char *root, struct clr_text *text,
                   struct clr_status *status);

// --- Files of cl/ ---
// Texts of cl/: embedded at build time, or read from the directory CLREDUCE_CL_DIR, so that kernels can be changed
// without building the library again.

struct clr_kernel_text {
  const char *name;
  const char *text;
};
extern const struct clr_kernel_text clr_embedded_kernels[];  // ends with a row without a name

// A text is valid until the next one is read.
struct clr_kernel_reader {
  const char *directory;  // NULL: the embedded ones
  struct clr_text held;
};
struct clr_kernel_reader clr_kernel_reader_open(void);
const char *clr_kernel_read(void *reader, const char *name);  // a clr_read_file
void clr_kernel_reader_close(struct clr_kernel_reader *reader);
