// Files that the tool keeps from one run to the next: compiled programs, tunings and findings.

#ifndef CLREDUCE_TOOL_KEPT_FILES_H
#define CLREDUCE_TOOL_KEPT_FILES_H

enum { KEPT_PATH_SIZE = 4096 };

// The folder of compiled programs, to be freed; NULL for none. It is `asked` (the value of --cache, or NULL), else
// CLREDUCE_CACHE_DIR, else clreduce in the user's cache folder if the user owns that folder or it can be made. "off"
// means none. Returns an exit code, like all functions here.
int cache_place(const char *asked, char **folder);

// The file that --tuning names, else $CLREDUCE_TUNING, else clreduce/tuning.txt in the user's cache folder; "" for
// none.
int tuning_path(const char *option, char path[KEPT_PATH_SIZE]);

// The same for --findings, $CLREDUCE_FINDINGS and clreduce/findings.txt.
int findings_path(const char *option, char path[KEPT_PATH_SIZE]);

// Makes the folder of a file in the user's cache folder. A failure shows when the file is written.
void tuning_make_folder(const char *option, const char *path);
void findings_make_folder(const char *option, const char *path);

#endif
