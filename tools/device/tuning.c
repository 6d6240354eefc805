// Where the files of tunings and findings are.

#include "device/tuning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "device/cache_place.h"

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

static void path_in_cache(const struct kind *kind, char path[TUNING_PATH_SIZE]) {
  char *folder = cache_default_folder();
  if (folder != NULL && snprintf(path, TUNING_PATH_SIZE, "%s/%s", folder, kind->file) >= TUNING_PATH_SIZE)
    *path = '\0';
  free(folder);
}

static int path_of(const struct kind *kind, const char *option, char path[TUNING_PATH_SIZE]) {
  const char *name = named(kind, option);
  *path = '\0';
  if (option != NULL && *option == '\0')
    return fail(EXIT_BAD_USE, "%s: the file's name is empty; give one, or off", kind->option);
  if (name == NULL)
    path_in_cache(kind, path);
  else if (strlen(name) >= TUNING_PATH_SIZE)
    return fail(EXIT_BAD_USE, "%s: the file's name is too long", option != NULL ? kind->option : kind->variable);
  else if (strcmp(name, "off") != 0)
    strcpy(path, name);
  return EXIT_DONE;
}

int tuning_path(const char *option, char path[TUNING_PATH_SIZE]) {
  return path_of(&tuning, option, path);
}

int findings_path(const char *option, char path[TUNING_PATH_SIZE]) {
  return path_of(&findings, option, path);
}

static void make_folder(const struct kind *kind, const char *option, const char *path) {
  char folder[TUNING_PATH_SIZE];
  if (named(kind, option) != NULL || *path == '\0')
    return;
  snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
  cache_make_folder(folder);
}

void tuning_make_folder(const char *option, const char *path) {
  make_folder(&tuning, option, path);
}

void findings_make_folder(const char *option, const char *path) {
  make_folder(&findings, option, path);
}
