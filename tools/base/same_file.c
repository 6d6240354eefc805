// Compares files that exist by their identity, and others by directory and name.
#include "base/same_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool look_up(const char *path, struct stat *status) {
  return (strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, status) : stat(path, status)) == 0;
}

static const char *last_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

// False if the directory does not exist.
static bool look_up_directory(const char *path, struct stat *status) {
  size_t length = (size_t)(last_name(path) - path);
  char *directory = malloc(length + 2);
  if (directory == NULL)
    return false;
  snprintf(directory, length + 2, "%s", length == 0 ? "." : path);
  directory[length == 0 ? 1 : length] = '\0';
  bool found = stat(directory, status) == 0;
  free(directory);
  return found;
}

static bool same_identity(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool same_file(const char *a, const char *b) {
  struct stat status_a, status_b;
  bool exists_a = look_up(a, &status_a), exists_b = look_up(b, &status_b);
  if (exists_a && exists_b)
    return same_identity(&status_a, &status_b) && S_ISREG(status_a.st_mode);
  if (exists_a || exists_b || strcmp(last_name(a), last_name(b)) != 0)
    return false;
  return look_up_directory(a, &status_a) && look_up_directory(b, &status_b) && same_identity(&status_a, &status_b);
}

bool same_pipe(const char *a, const char *b) {
  struct stat status_a, status_b;
  if (strcmp(a, "-") == 0 && strcmp(b, "-") == 0)
    return true;
  return look_up(a, &status_a) && look_up(b, &status_b) && same_identity(&status_a, &status_b) &&
         (S_ISFIFO(status_a.st_mode) || S_ISSOCK(status_a.st_mode));
}
