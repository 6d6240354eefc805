// The user's cache folder is that of the XDG base directory specification.

#include "device/kept_files.h"

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

// sudo may keep the HOME of another user. Root must not leave files there that this user cannot change.
static bool is_own(const char *folder) {
  struct stat facts;
  return stat(folder, &facts) == 0 && S_ISDIR(facts.st_mode) && facts.st_uid == geteuid();
}

// $XDG_CACHE_HOME or $HOME/.cache, even if it does not exist. NULL if there is none.
static char *users_folder(void) {
  const char *named = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (is_absolute(named))
    return strdup(named);
  return is_absolute(home) && is_own(home) ? join(home, ".cache") : NULL;
}

static char *default_folder(void) {
  char *users = users_folder();
  char *folder = users == NULL ? NULL : join(users, "clreduce");
  free(users);
  return folder;
}

static void make_folders(const char *path) {
  char *folder = strdup(path);
  for (char *slash = folder; folder != NULL && (slash = strchr(slash + 1, '/')) != NULL; *slash = '/') {
    *slash = '\0';
    mkdir(folder, S_IRWXU);
  }
  free(folder);
  mkdir(path, S_IRWXU);
}

// The library creates only the last folder of the path.
static bool has_users_folder(void) {
  char *users = users_folder();
  if (users != NULL)
    make_folders(users);
  bool has = users != NULL && is_own(users);
  free(users);
  return has;
}

int cache_place(const char *asked, char **folder) {
  *folder = NULL;
  if (asked != NULL && *asked == '\0')
    return fail(EXIT_BAD_USE, "--cache: the name of the folder is empty; give a folder, or off");
  if (asked == NULL)
    asked = getenv("CLREDUCE_CACHE_DIR");
  if (asked == NULL || *asked == '\0') {
    *folder = has_users_folder() ? default_folder() : NULL;
    return EXIT_DONE;
  }
  if (strcmp(asked, "off") == 0)
    return EXIT_DONE;
  *folder = strdup(asked);
  return *folder == NULL ? fail_memory() : EXIT_DONE;
}

// ---- Tunings and findings

static const char *from_environment(const char *name) {
  const char *value = getenv(name);
  return value == NULL || *value == '\0' ? NULL : value;
}

static const struct kind {
  const char *option, *variable, *file;
} tuning = {"--tuning", "CLREDUCE_TUNING", "tuning.txt"},
  findings = {"--findings", "CLREDUCE_FINDINGS", "findings.txt"};

static const char *named(const struct kind *kind, const char *option) {
  return option != NULL ? option : from_environment(kind->variable);
}

static void path_in_cache(const struct kind *kind, char path[KEPT_PATH_SIZE]) {
  char *folder = default_folder();
  if (folder != NULL && snprintf(path, KEPT_PATH_SIZE, "%s/%s", folder, kind->file) >= KEPT_PATH_SIZE)
    *path = '\0';
  free(folder);
}

static int path_of(const struct kind *kind, const char *option, char path[KEPT_PATH_SIZE]) {
  const char *name = named(kind, option);
  *path = '\0';
  if (option != NULL && *option == '\0')
    return fail(EXIT_BAD_USE, "%s: the name of the file is empty; give a file, or off", kind->option);
  if (name == NULL)
    path_in_cache(kind, path);
  else if (strlen(name) >= KEPT_PATH_SIZE)
    return fail(EXIT_BAD_USE, "%s: the name of the file is too long; give a shorter one",
                option != NULL ? kind->option : kind->variable);
  else if (strcmp(name, "off") != 0)
    strcpy(path, name);
  return EXIT_DONE;
}

int tuning_path(const char *option, char path[KEPT_PATH_SIZE]) {
  return path_of(&tuning, option, path);
}

int findings_path(const char *option, char path[KEPT_PATH_SIZE]) {
  return path_of(&findings, option, path);
}

static void make_folder(const struct kind *kind, const char *option, const char *path) {
  char folder[KEPT_PATH_SIZE];
  if (named(kind, option) != NULL || *path == '\0')
    return;
  snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
  make_folders(folder);
}

void tuning_make_folder(const char *option, const char *path) {
  make_folder(&tuning, option, path);
}

void findings_make_folder(const char *option, const char *path) {
  make_folder(&findings, option, path);
}
