// Files on POSIX systems; see files.h.
#include "platform/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

int clr_os_open(const char *path) {
  return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

int clr_os_create(const char *path, bool is_private) {
  const mode_t all = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;
  return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, is_private ? S_IRUSR | S_IWUSR : all);
}

static struct clr_os_facts facts_of(const struct stat *found) {
  bool own = found->st_uid == geteuid() || found->st_uid == 0;
  return (struct clr_os_facts){.size = found->st_size < 0 ? UINT64_MAX : (uint64_t)found->st_size,
                               .changed = found->st_mtime,
                               .is_regular = S_ISREG(found->st_mode),
                               .is_private = own && !(found->st_mode & (S_IWGRP | S_IWOTH))};
}

bool clr_os_facts(int file, struct clr_os_facts *facts) {
  struct stat found;
  if (fstat(file, &found))
    return false;
  *facts = facts_of(&found);
  return true;
}

bool clr_os_read(int file, void *bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t got = read(file, (char *)bytes + done, size - done);
    if (got == 0)
      errno = EIO;
    if (got == 0 || (got < 0 && errno != EINTR))
      return false;
    done += got > 0 ? (size_t)got : 0;
  }
  return true;
}

bool clr_os_write(int file, const void *bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t put = write(file, (const char *)bytes + done, size - done);
    if (put < 0 && errno != EINTR)
      return false;
    done += put > 0 ? (size_t)put : 0;
  }
  return true;
}

void clr_os_touch(int file) {
  (void)futimens(file, NULL);
}

bool clr_os_close(int file) {
  return close(file) == 0;
}

bool clr_os_may_write(uint64_t size) {
  struct rlimit limit;
  errno = EFBIG;
  return getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY || size <= limit.rlim_cur;
}

bool clr_os_replace(const char *from, const char *to) {
  return rename(from, to) == 0;
}

bool clr_os_remove(const char *path) {
  return unlink(path) == 0;
}

bool clr_os_make_directory(const char *path) {
  return mkdir(path, S_IRWXU) == 0 || errno == EEXIST;
}

void clr_os_visit_directory(const char *path,
                            bool (*visit)(void *self, const char *name, const struct clr_os_facts *facts), void *self) {
  DIR *directory = opendir(path);
  struct dirent *entry;
  struct stat found;
  bool goes_on = directory != NULL;
  while (goes_on && (entry = readdir(directory)) != NULL)
    if (!fstatat(dirfd(directory), entry->d_name, &found, AT_SYMLINK_NOFOLLOW) && S_ISREG(found.st_mode)) {
      const struct clr_os_facts facts = facts_of(&found);
      goes_on = visit(self, entry->d_name, &facts);
    }
  if (directory)
    closedir(directory);
}

void clr_os_error_words(int code, char *words, size_t size) {
  if (strerror_r(code, words, size))
    snprintf(words, size, "error %d", code);
}

long clr_os_process_number(void) {
  return (long)getpid();
}

bool clr_os_process_runs(long number) {
  return kill((pid_t)number, 0) == 0 || errno != ESRCH;
}

void clr_os_machine_name(char *name, size_t size) {
  if (gethostname(name, size))
    *name = 0;
  name[size - 1] = 0;
}
