// The user's cache directory is that of the XDG base directory specification.
#include "device/saved_files.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/wrap.h"

static bool is_absolute(const char *directory) {
  return directory != NULL && *directory == '/';
}

// sudo may keep the HOME of another user. Root must not leave files there that this user cannot change.
static bool is_own(const char *directory) {
  struct stat facts;
  return stat(directory, &facts) == 0 && S_ISDIR(facts.st_mode) && facts.st_uid == geteuid();
}

// $XDG_CACHE_HOME or $HOME/.cache, even if it does not exist. NULL if there is none.
static char *users_directory(void) {
  const char *named = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (is_absolute(named))
    return strdup(named);
  return is_absolute(home) && is_own(home) ? text_join(home, "/", ".cache") : NULL;
}

static void make_directories(const char *path) {
  char *directory = strdup(path);
  for (char *slash = directory; directory != NULL && (slash = strchr(slash + 1, '/')) != NULL; *slash = '/') {
    *slash = '\0';
    mkdir(directory, S_IRWXU);
  }
  free(directory);
  mkdir(path, S_IRWXU);
}

static const struct kind {
  const char *option, *variable;
  const char *place;  // path in the user's cache directory
  const char *noun;
} kinds[] = {[KEPT_CACHE] = {"--cache", "CLREDUCE_CACHE_DIR", "clreduce", "directory"},
             [KEPT_TUNING] = {"--tuning", "CLREDUCE_TUNING", "clreduce/tuning.txt", "file"}};

static const char *named(const struct kind *kind, const char *value) {
  const char *variable = getenv(kind->variable);
  return value != NULL ? value : variable == NULL || *variable == '\0' ? NULL : variable;
}

// For compiled programs the library creates only the last directory of the path, and only when it writes the programs.
// So the directories above it are made here.
static bool may_keep(enum kept kept, const char *users) {
  if (kept == KEPT_CACHE)
    make_directories(users);
  return kept != KEPT_CACHE || is_own(users);
}

static void path_in_cache(enum kept kept, char path[KEPT_PATH_SIZE]) {
  char *users = users_directory();
  if (users != NULL && may_keep(kept, users) &&
      snprintf(path, KEPT_PATH_SIZE, "%s/%s", users, kinds[kept].place) >= KEPT_PATH_SIZE)
    *path = '\0';
  free(users);
}

int kept_path(enum kept kept, const char *value, char path[KEPT_PATH_SIZE]) {
  const struct kind *kind = &kinds[kept];
  const char *name = named(kind, value);
  *path = '\0';
  if (value != NULL && *value == '\0')
    return fail(EXIT_BAD_USE, "%s: the name of the %s is empty; give a %s, or off", kind->option, kind->noun,
                kind->noun);
  if (name == NULL)
    path_in_cache(kept, path);
  else if (strlen(name) >= KEPT_PATH_SIZE)
    return fail(EXIT_BAD_USE, "%s: the name of the %s is too long; give a shorter one",
                value != NULL ? kind->option : kind->variable, kind->noun);
  else if (strcmp(name, "off") != 0)
    strcpy(path, name);
  return EXIT_DONE;
}

void kept_make_directory(enum kept kept, const char *value, const char *path) {
  char directory[KEPT_PATH_SIZE];
  if (named(&kinds[kept], value) != NULL || *path == '\0')
    return;
  snprintf(directory, sizeof directory, "%.*s", (int)(strrchr(path, '/') - path), path);
  make_directories(directory);
}
