// Writes to standard output, or to a temporary file and renames it. Links, pipes and full disks are handled.
#define _GNU_SOURCE  // flock, mkostemp

#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/guard.h"
#include "base/wrap.h"

static int cannot(const struct output *output) {
  return fail(EXIT_WORK_FAILED, "%s %s: cannot write: %s", output->option, output->path, strerror(errno));
}

// The temporary file is made for the owner only. Give it the rights of the file it replaces, or of a new file.
static void set_rights(int descriptor, const struct stat *old) {
  mode_t mask = umask(0);
  umask(mask);
  (void)fchmod(descriptor, old != NULL ? old->st_mode & 0777 : 0666 & ~mask);
}

// Opens the temporary file. A file that a killed process left has no lock, and is used again. Returns -1 if another
// process holds the lock.
static int open_part(const char *path) {
  struct stat opened, named;
  const int descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (descriptor < 0)
    return -1;
  // Before this process got the lock, the other one may have renamed the file.
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0 &&
      opened.st_ino == named.st_ino && opened.st_nlink == 1 && S_ISREG(opened.st_mode) && ftruncate(descriptor, 0) == 0)
    return descriptor;
  close(descriptor);
  return -1;
}

static int open_temporary(struct output *output, const struct stat *old) {
  char *part = text_join(output->path, ".clreduce-part", "");
  output->temporary = text_join(output->path, ".XXXXXX", "");
  if (output->temporary == NULL || part == NULL) {
    free(part);
    return fail_memory();
  }
  int descriptor = open_part(part);
  if (descriptor >= 0) {
    free(output->temporary);
    output->temporary = part;
  } else {
    free(part);
  }
  cleanup_expect(output->temporary);
  descriptor = descriptor < 0 ? mkostemp(output->temporary, O_CLOEXEC) : descriptor;
  if (descriptor < 0) {
    cleanup_forget(output->temporary);
    free(output->temporary);
    output->temporary = NULL;
    return cannot(output);
  }
  set_rights(descriptor, old);
  output->file = fdopen(descriptor, "wb");
  return output->file == NULL ? cannot(output) : EXIT_DONE;
}

static int open_directly(struct output *output, const char *path) {
  output->file = fopen(path, "wb");
  return output->file == NULL ? cannot(output) : EXIT_DONE;
}

bool output_is_standard(const char *path) {
  return path != NULL && strcmp(path, "-") == 0;
}

// A copy of the descriptor, so that closing the file leaves standard output open.
static int open_standard(struct output *output) {
  int descriptor = dup(STDOUT_FILENO);
  output->file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
  return output->file == NULL ? cannot(output) : EXIT_DONE;
}

FILE *output_without_name(void) {
  const char *directory = getenv("TMPDIR");
  char *path = text_join(directory != NULL && *directory != '\0' ? directory : "/tmp", "/", "clreduce-XXXXXX");
  int descriptor = path == NULL ? -1 : mkstemp(path);
  if (descriptor >= 0)
    unlink(path);
  free(path);
  return descriptor < 0 ? NULL : fdopen(descriptor, "w+b");
}

int output_open(struct output *output, const char *option, const char *path) {
  if (output_is_standard(path)) {
    *output = (struct output){.option = option, .path = strdup(path)};
    return output->path == NULL ? fail_memory() : open_standard(output);
  }
  struct stat old;
  bool exists = stat(path, &old) == 0, regular = exists && S_ISREG(old.st_mode);
  *output = (struct output){.option = option, .path = regular ? realpath(path, NULL) : strdup(path)};
  if (output->path == NULL)
    return fail_memory();
  return exists && !regular ? open_directly(output, path) : open_temporary(output, regular ? &old : NULL);
}

static int finish(struct output *output, int code) {
  bool written = output->file == NULL || (fflush(output->file) == 0 && !ferror(output->file));
  if (output->file != NULL && fclose(output->file) != 0)
    written = false;
  if (code)
    return code;
  if (!written || (output->temporary != NULL && rename(output->temporary, output->path) != 0))
    return cannot(output);
  return EXIT_DONE;
}

int output_close(struct output *output, int code) {
  int result = finish(output, code);
  if (output->temporary != NULL && result != EXIT_DONE)
    unlink(output->temporary);
  cleanup_forget(output->temporary);
  free(output->temporary);
  free(output->path);
  return result;
}

int output_check_directory(const char *option, const char *path) {
  char directory[1024] = ".";
  const char *slash = strrchr(path, '/');
  if (slash != NULL)
    snprintf(directory, sizeof directory, "%.*s", slash == path ? 1 : (int)(slash - path), path);
  if (access(directory, W_OK) != 0)
    return fail(EXIT_WORK_FAILED, "%s %s: cannot write into the directory %s", option, path, directory);
  return EXIT_DONE;
}

// ---------------------------------------------------------------- Whether two names are one file

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
