// The folder of binaries: as asked, or as the XDG base directory specification has it.

#include "device/cache_place.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"

static char *join(const char *folder, const char *name) {
  size_t size = strlen(folder) + strlen(name) + 2;
  char *joined = malloc(size);
  if (joined != NULL)
    snprintf(joined, size, "%s/%s", folder, name);
  return joined;
}

static bool is_absolute(const char *folder) {
  return folder != NULL && *folder == '/';
}

// Root in another user's home, as sudo has it, leaves nothing there that the user cannot change.
static bool is_own(const char *folder) {
  struct stat facts;
  return stat(folder, &facts) == 0 && S_ISDIR(facts.st_mode) && facts.st_uid == geteuid();
}

// $XDG_CACHE_HOME, or $HOME/.cache, whether it is there or not; NULL for none.
static char *users_folder(void) {
  const char *named = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (is_absolute(named))
    return strdup(named);
  return is_absolute(home) && is_own(home) ? join(home, ".cache") : NULL;
}

char *cache_default_folder(void) {
  char *users = users_folder();
  char *folder = users == NULL ? NULL : join(users, "clreduce");
  free(users);
  return folder;
}

void cache_make_folder(const char *path) {
  char *folder = strdup(path);
  for (char *slash = folder; folder != NULL && (slash = strchr(slash + 1, '/')) != NULL; *slash = '/') {
    *slash = '\0';
    mkdir(folder, S_IRWXU);
  }
  free(folder);
  mkdir(path, S_IRWXU);
}

// What the library then makes is the last folder alone.
static bool has_users_folder(void) {
  char *users = users_folder();
  if (users != NULL)
    cache_make_folder(users);
  bool has = users != NULL && is_own(users);
  free(users);
  return has;
}

int cache_place(const char *asked, char **folder) {
  *folder = NULL;
  if (asked != NULL && *asked == '\0')
    return fail(EXIT_BAD_USE, "--cache: the name of the folder is empty; 'off' keeps nothing");
  if (asked == NULL)
    asked = getenv("CLREDUCE_CACHE_DIR");
  if (asked == NULL || *asked == '\0') {
    *folder = has_users_folder() ? cache_default_folder() : NULL;
    return EXIT_DONE;
  }
  if (strcmp(asked, "off") == 0)
    return EXIT_DONE;
  *folder = strdup(asked);
  return *folder == NULL ? fail_memory() : EXIT_DONE;
}
