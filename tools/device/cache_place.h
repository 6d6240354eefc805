// Where binaries of programs are kept from one run to the next.

#ifndef CLREDUCE_TOOL_CACHE_PLACE_H
#define CLREDUCE_TOOL_CACHE_PLACE_H

// What --cache says (`asked`; NULL: it was not given), else CLREDUCE_CACHE_DIR, a folder or "off"; else clreduce in the
// user's cache folder, if that is there or can be made and is the user's own. *folder, to be freed, is NULL for none.
// An exit code, with the line on standard error written.
int cache_place(const char *asked, char **folder);

// clreduce in the user's cache folder, whether it is there or not; to be freed, NULL for none.
char *cache_default_folder(void);

// Makes a folder and those above it. What cannot be made shows when something is written there.
void cache_make_folder(const char *path);

#endif
