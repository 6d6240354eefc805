// Finds the first error of a compiler's log that is in the caller's text.
#include "source/source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "source/files.h"

#define PIECES_MAX 64

// The caller's pieces in a program: the names between the quotes of #line.
struct pieces {
  struct clr_word names[PIECES_MAX];
  size_t count;
};

struct message {
  struct clr_word piece;
  unsigned long line, column;
  const char *text;
  size_t length;
};

// True if the line is a #line; gives its name and number.
static bool read_directive(const char *line, struct clr_word *name, unsigned long *number) {
  const char directive[] = "#line ";
  char *end;
  if (strncmp(line, directive, sizeof directive - 1) != 0)
    return false;
  *number = strtoul(line + sizeof directive - 1, &end, 10);
  if (strncmp(end, " \"", 2) != 0)
    return false;
  name->begin = end + 2;
  name->length = strcspn(name->begin, "\"");
  return true;
}

static bool has_piece(const struct pieces *pieces, struct clr_word name) {
  for (size_t i = 0; i < pieces->count; i++)
    if (clr_words_equal(pieces->names[i], name))
      return true;
  return false;
}

static void collect_pieces(const char *text, struct pieces *pieces) {
  struct clr_word name;
  unsigned long number;
  pieces->count = 0;
  for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
    if (read_directive(text, &name, &number) && clr_is_callers(name) && !has_piece(pieces, name) &&
        pieces->count < PIECES_MAX)
      pieces->names[pieces->count++] = name;
}

// Reads "PIECE:LINE:COLUMN: error: TEXT" at `at`.
static bool read_message(const char *at, struct clr_word piece, struct message *message) {
  char *end;
  if (strncmp(at, piece.begin, piece.length) != 0 || at[piece.length] != ':' ||
      !isdigit((unsigned char)at[piece.length + 1]))
    return false;
  message->piece = piece;
  message->line = strtoul(at + piece.length + 1, &end, 10);
  message->column = *end == ':' ? strtoul(end + 1, &end, 10) : 0;
  // Some compilers add <...>, which says where a macro was written. This part may contain quotes and brackets.
  const char *spelling = *end == ' ' && end[1] == '<' ? strstr(end, ">: ") : NULL;
  message->text = spelling ? spelling + 1 : end;
  message->text += strspn(message->text, ": ");
  message->text += strncmp(message->text, "error: ", strlen("error: ")) == 0 ? strlen("error: ") : 0;
  message->text += strncmp(message->text, "warning: ", strlen("warning: ")) == 0 ? strlen("warning: ") : 0;
  message->length = strcspn(message->text, "\r\n");
  return true;
}

// True if the line at `at` is a warning or a note. This word comes before or after the line and column.
static bool is_warning(const char *log, const char *at) {
  const char *begin = at;
  while (begin > log && begin[-1] != '\n')
    begin--;
  const char *end = begin + strcspn(begin, "\r\n"), *warning = strstr(begin, "warning: ");
  const char *note = strstr(begin, "note: ");
  return (warning && warning < end) || (note && note < end);
}

static bool begins_word(const char *log, const char *at) {
  return at == log || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
}

// Finds the piece that line number `physical` of the program belongs to; false if the line is the library's own.
static bool find_piece(const char *text, unsigned long physical, struct message *message) {
  bool callers = false;
  unsigned long number;
  message->line = 0;
  for (unsigned long line = 1; *text && line <= physical; line++) {
    if (read_directive(text, &message->piece, &number)) {
      callers = clr_is_callers(message->piece);
      message->line = number - 1;
    } else {
      message->line++;
    }
    text += strcspn(text, "\n");
    text += *text == '\n';
  }
  return callers;
}

// Reads "<kernel>:LINE:COLUMN: error: TEXT", where LINE counts the lines of the program.
static bool read_physical(const char *at, const char *text, struct message *message) {
  const char anonymous[] = "<kernel>";
  struct message found;
  if (!read_message(at, (struct clr_word){anonymous, sizeof anonymous - 1}, &found) ||
      !find_piece(text, found.line, message))
    return false;
  found.piece = message->piece;
  found.line = message->line;
  *message = found;
  return true;
}

static bool read_any(const char *at, const char *text, const struct pieces *pieces, struct message *message) {
  for (size_t i = 0; i < pieces->count; i++)
    if (read_message(at, pieces->names[i], message))
      return true;
  return read_physical(at, text, message);
}

static bool explain(const char *log, const char *text, const struct pieces *pieces, bool warnings,
                    const char *operator_name, struct clr_status *status) {
  struct message message;
  for (const char *at = log; *at; at++) {
    if (!begins_word(log, at) || !read_any(at, text, pieces, &message) || is_warning(log, at) != warnings)
      continue;
    clr_fail_operator(status, operator_name, "%.*s, line %lu, column %lu: %.*s", (int)message.piece.length,
                      message.piece.begin, message.line, message.column,
                      (int)(message.length < 240 ? message.length : 240), message.text);
    return true;
  }
  return false;
}

// Some compilers only warn about an unknown function and report the failure later without a line. So we search for
// errors first, then for warnings.
bool clr_explain_log(const char *log, const char *text, const char *operator_name, struct clr_status *status) {
  struct pieces pieces;
  collect_pieces(text, &pieces);
  return explain(log, text, &pieces, false, operator_name, status) ||
         explain(log, text, &pieces, true, operator_name, status);
}
