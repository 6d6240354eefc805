// An input of the command line (INPUT or --with): a .npy file, raw elements from a file or standard input, or generated
// data. Files may be packed. All become an array in memory in C order and the machine's byte order.
#pragma once

#include <clreduce_device.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/guess.h"
#include "base/progress.h"
#include "cli/args.h"
#include "input/generate.h"
#include "input/npy.h"
#include "input/stream.h"
#include "input/text_table.h"

struct source;

// The options about one input. Texts that the user did not give are NULL.
struct request {
  const char *name;          // a file or "-"; the first of `names`
  const char *const *names;  // several files that are one range
  size_t name_count;         // 0 or 1: `name` alone
  const char *generate;
  const char *type;    // name of the type that the elements must have
  const char *format;  // a word of --format; NULL: found from the first bytes and the name
  const char *array;   // name of the array in an archive; NULL: the only one
  struct count skip_bytes;
  const char *column;                // of text: a name, or a number from 1; NULL: the only one
  enum text_use use;                 // of text; for TEXT_WORDS `otherwise` is uint
  bool keyed;                        // for TEXT_ROWS: each row has a key
  struct text_options text;          // options that apply to text alone
  struct text_gaps *gaps;            // of several texts that are one range
  struct text_table *table;          // the text is read already, for another column; NULL: `name` is opened
  const clred_type_info *otherwise;  // type of raw and generated elements if `type` is NULL; NULL: the source decides
  bool asked;                        // the user, or an operator of the user's, named the type in `otherwise`
  bool exactly;                      // `otherwise` is the type of the first input; other types are refused
};

// Several files as one range.
struct file_list {
  struct input *parts;
  size_t count, at;       // how many are open; which of them is read
  bool sequential, text;  // all are sequential; any is text
  bool again, in_files;   // all can be read again; all are in files in their final form
  uint64_t before;        // elements of the files before `at`, once input_find was called
  const char *odd;        // the first file with a shape that cannot be joined to the files before it; NULL: none
};

struct input {
  const struct source *source;
  struct request request;
  struct stream stream;
  char *member;    // for messages: ARCHIVE:FILE, or that there are several files; NULL: the name says it
  struct npy npy;  // if there are several files, only its shape is used
  struct file_list files;
  struct recipe recipe;
  struct text_table *table;  // shared by inputs that are columns of one text
  struct text_column *column;
  struct text_gaps gaps;      // rows of its text that were left out
  const struct words *words;  // if not NULL, each element is the number of one of these words
  clred_type_info type;
  bool unsized;  // the library does not know the type: `count` counts bytes until the size is known
  bool counted;  // `count` is known; always true after input_load
  uint64_t count;
  void *data;                 // NULL before input_load; after input_hold the first `held` elements
  uint64_t held;              // elements in `data` while the input is not counted
  uint64_t given;             // of the held elements, how many input_read returned
  uint64_t taken;             // elements that input_read returned
  struct progress *progress;  // while elements are loaded or held
};

// A source of elements. `open` finds the type, and the count if that does not need the data. Before `open`, the stream
// of a file is open, unpacked, and at its first byte.
struct source {
  int (*open)(struct input *input);
  int (*read)(struct input *input, void *to, uint64_t count, uint64_t *got);  // the next elements, less at the end
  int (*load)(struct input *input, struct progress *progress);                // all; NULL: `read` gives them
  void (*close)(struct input *input);                                         // NULL if there is nothing to release
};
extern const struct source source_generated, source_npy, source_raw, source_text, source_files;

// Takes INPUT and the options about it from the command line. There must be one input.
int input_choose(const struct args *args, struct request *request);

struct text_options text_options_of(const struct args *args);

// Refuses options about text if no input is text, and columns that no input reads. Call it when all inputs are open.
int input_check_text_options(const struct args *args, bool text, size_t columns_left);

// Finds the source from the first bytes, then the type and, if possible, the count. Returns an exit code, like all
// functions here. Call input_close in any case.
int input_open(struct input *input, const struct request *request);

// Reads or generates all elements.
int input_load(struct input *input, struct progress *progress);

// Reads at most `most` bytes of an input of unknown length. If the input ends within them, it is counted and loaded.
int input_hold(struct input *input, uint64_t most, struct progress *progress);

// True for a file of text with more than `bytes` bytes. Its elements should then not be kept in memory.
bool input_is_long_text(const struct input *input, uint64_t bytes);

// Replaces input_load: reads the next `count` elements. `got` is smaller only at the end.
int input_read(struct input *input, void *to, uint64_t count, uint64_t *got);

bool input_is_text(const struct input *input);

// True for generated input, and for files that give the same bytes when they are opened again.
bool input_can_read_again(const struct input *input);

// True if the elements are stored in C order, so that input_read works.
bool input_is_sequential(const struct input *input);

// True if a regular file has the elements in C order and in the machine's byte order, so that it can be mapped.
bool input_is_in_file(const struct input *input);

// The same, but also true if the elements are in several such files.
bool input_is_in_files(const struct input *input);

// For several files: opens one of them if it is not open. Call it before elements are read. input_close closes it.
int input_open_part(struct input *input, size_t index, struct input **part);

// The file that has an element, and the element's index there. For inputs with input_is_in_files.
struct file_place {
  const struct input *file;  // the input, or one of its files, which is open
  uint64_t index;            // in the file
};

// Finds the place of an element. The element must exist, and must not be before one that was found earlier.
int input_find(struct input *input, uint64_t element, struct file_place *place);

void input_close(struct input *input);

// The name of the input in messages.
const char *input_name(const struct input *input);

// Permutes the axes of loaded elements. `shape` is the shape before. Axis i of the result is axis order[i] of `shape`.
int input_reorder(struct input *input, const uint64_t *shape, unsigned dimensions, const unsigned *order);

uint64_t input_bytes(const struct input *input);

// The shape of the array. .npy files as one range are joined along axis 0; any other input has one dimension.
unsigned input_dimensions(const struct input *input);
uint64_t input_length(const struct input *input, unsigned dimension);

// A struct type that only the user's operator knows. Its size counts as 1 byte at first.
clred_type_info input_opaque_type(const char *name);

// The type of this name, or float if the name is NULL.
int input_type_named(const char *name, clred_type_info *type);
