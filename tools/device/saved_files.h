// Files that the tool keeps from one run to the next. Called by session.c and tune.
#pragma once

enum { KEPT_PATH_SIZE = 4096 };

// A directory of compiled programs, and the tuning file (numbers that the verb tune measured).
enum kept { KEPT_CACHE, KEPT_TUNING };

// Writes the path that the option names (`value` is its value or NULL), else the path of the environment variable, else
// a path in the user's cache directory. Writes "" if there is none of them, or if the path is the word off. Compiled
// programs are kept in the user's cache directory only if the user owns it or it can be made. Returns an exit code.
int kept_path(enum kept kept, const char *value, char path[KEPT_PATH_SIZE]);

// Makes the directory of a file in the user's cache directory. A failure shows when the file is written.
void kept_make_directory(enum kept kept, const char *value, const char *path);
