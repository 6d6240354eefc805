// Files in which the tool keeps what it has measured and found, which every verb that makes plans reads.

#ifndef CLREDUCE_TOOL_TUNING_H
#define CLREDUCE_TOOL_TUNING_H

enum { TUNING_PATH_SIZE = 4096 };

// The file that --tuning names, else $CLREDUCE_TUNING, else clreduce/tuning.txt in the user's cache folder; "" where
// either is "off", or there is no such folder. An exit code.
int tuning_path(const char *option, char path[TUNING_PATH_SIZE]);

// Likewise --findings, $CLREDUCE_FINDINGS and clreduce/findings.txt.
int findings_path(const char *option, char path[TUNING_PATH_SIZE]);

// Makes the folder of the file, where nobody named the file.
void tuning_make_folder(const char *option, const char *path);
void findings_make_folder(const char *option, const char *path);

#endif
