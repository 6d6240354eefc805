// Files of the cache on disk: read, write and remove them.
#include "cache/cache_record.h"

#if defined(__unix__) || defined(__APPLE__)

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SUFFIX ".clred"
#define FILE_MOST ((size_t)64 << 20)
#define NAMES_TRIED 100
#define NAME_MOST 64
#define DAY (24 * 60 * 60)

static bool remark(struct clr_text *remarks, const char *path, const char *what, int code) {
  char words[128];
  if (strerror_r(code, words, sizeof words))
    snprintf(words, sizeof words, "error %d", code);
  clr_text_format(remarks, "cache: %s %s: %s\n", what, path, words);
  return false;
}

static struct clr_text path_of(const char *folder, const char *name) {
  struct clr_text path = {0};
  clr_text_format(&path, "%s/%s" SUFFIX, folder, name);
  return path;
}

// ---------------------------------------------------------------- Reading

static bool is_trusted(const struct stat *facts) {
  bool own = facts->st_uid == geteuid() || facts->st_uid == 0;
  return S_ISREG(facts->st_mode) && own && !(facts->st_mode & (S_IWGRP | S_IWOTH));
}

static bool read_all(int file, struct clr_bytes *bytes) {
  size_t done = 0;
  while (done < bytes->size) {
    ssize_t got = read(file, bytes->data + done, bytes->size - done);
    if (got == 0)
      errno = EIO;
    if (got == 0 || (got < 0 && errno != EINTR))
      return false;
    done += got > 0 ? (size_t)got : 0;
  }
  return true;
}

// The modification time is the time of the last use. We update it at most once a day.
static void note_use(int file, const struct stat *facts) {
  time_t now = time(NULL);
  if (now != (time_t)-1 && difftime(now, facts->st_mtime) > DAY)
    (void)futimens(file, NULL);
}

static bool read_open(int file, struct clr_bytes *bytes) {
  struct stat facts;
  if (fstat(file, &facts))
    return false;
  errno = EPERM;
  if (!is_trusted(&facts))
    return false;
  errno = EFBIG;
  if (facts.st_size < 0 || (uintmax_t)facts.st_size > FILE_MOST)
    return false;
  bytes->size = (size_t)facts.st_size;
  errno = ENOMEM;
  bytes->data = malloc(bytes->size + 1);
  if (!bytes->data || !read_all(file, bytes))
    return false;
  note_use(file, &facts);
  return true;
}

struct clr_bytes clr_folder_read(const char *folder, const char *name, struct clr_text *remarks) {
  struct clr_bytes bytes = {NULL, 0};
  struct clr_text path = path_of(folder, name);
  // O_NONBLOCK: opening a pipe of that name must not wait.
  int file = path.failed ? -1 : open(path.bytes, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if ((file < 0 && !path.failed && errno != ENOENT) || (file >= 0 && !read_open(file, &bytes))) {
    remark(remarks, path.bytes, "cannot read", errno);
    free(bytes.data);
    bytes.data = NULL;
  }
  if (file >= 0)
    close(file);
  clr_text_release(&path);
  return bytes;
}

// ---------------------------------------------------------------- Writing

// A write beyond the file size limit raises a signal that ends the process, so we check the limit first.
static bool is_within_limit(size_t size) {
  struct rlimit limit;
  errno = EFBIG;
  return size <= FILE_MOST &&
         (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY || size <= limit.rlim_cur);
}

static bool write_all(int file, const struct clr_bytes *bytes) {
  size_t done = 0;
  while (done < bytes->size) {
    ssize_t put = write(file, bytes->data + done, bytes->size - done);
    if (put < 0 && errno != EINTR)
      return false;
    done += put > 0 ? (size_t)put : 0;
  }
  return true;
}

// Creates a new file that no other process or thread writes.
static int open_new(const char *path, struct clr_text *temporary) {
  int file = -1;
  errno = EEXIST;
  for (int i = 0; i < NAMES_TRIED && file < 0 && errno == EEXIST; i++) {
    clr_text_release(temporary);
    clr_text_format(temporary, "%s.%ld.%d.tmp", path, (long)getpid(), i);
    errno = ENOMEM;
    if (!temporary->failed)
      file = open(temporary->bytes, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  }
  return file;
}

// We do not fsync; the checksum detects torn files.
static bool write_and_rename(const char *path, const struct clr_bytes *bytes) {
  struct clr_text temporary = {0};
  int file = open_new(path, &temporary);
  bool done = file >= 0 && write_all(file, bytes);
  int code = errno;
  if (file >= 0 && close(file) && done) {
    done = false;
    code = errno;
  }
  if (done && rename(temporary.bytes, path)) {
    done = false;
    code = errno;
  }
  if (file >= 0 && !done)
    unlink(temporary.bytes);
  clr_text_release(&temporary);
  errno = code;
  return done;
}

bool clr_folder_write(const char *folder, const char *name, const struct clr_bytes *bytes, struct clr_text *remarks) {
  struct clr_text path = path_of(folder, name);
  bool done = false;
  if (path.failed)
    return false;
  if (mkdir(folder, S_IRWXU) && errno != EEXIST)
    remark(remarks, folder, "cannot make the folder", errno);
  else if (!is_within_limit(bytes->size) || !write_and_rename(path.bytes, bytes))
    remark(remarks, path.bytes, "cannot write", errno);
  else
    done = true;
  clr_text_release(&path);
  return done;
}

// ---------------------------------------------------------------- The oldest files

struct entry {
  char name[NAME_MOST];
  time_t used;
  uint64_t size;
};

struct entries {
  struct entry *list;
  size_t count, room;
  uint64_t size;
};

// True for names of sixteen digits and an optional suffix: files of the cache and its temporary files. Others are not
// ours.
static bool is_ours(const char *name) {
  const size_t digits = CLR_RECORD_NAME_SIZE - 1;
  return strspn(name, "0123456789abcdef") == digits && strncmp(name + digits, ".clred", 6) == 0 &&
         strlen(name) < NAME_MOST;
}

static bool add_entry(struct entries *entries, const char *name, const struct stat *facts) {
  if (entries->count == entries->room) {
    size_t room = 2 * entries->room + 64;
    struct entry *list = realloc(entries->list, room * sizeof *list);
    if (!list)
      return false;
    entries->list = list;
    entries->room = room;
  }
  struct entry *entry = &entries->list[entries->count++];
  strcpy(entry->name, name);
  entry->used = facts->st_mtime;
  entry->size = (uint64_t)facts->st_size;
  entries->size += entry->size;
  return true;
}

static void list_entries(DIR *folder, struct entries *entries) {
  struct dirent *found;
  struct stat facts;
  bool room = true;
  while (room && (found = readdir(folder)) != NULL)
    if (is_ours(found->d_name) && !fstatat(dirfd(folder), found->d_name, &facts, AT_SYMLINK_NOFOLLOW) &&
        S_ISREG(facts.st_mode))
      room = add_entry(entries, found->d_name, &facts);
}

static int by_use(const void *a, const void *b) {
  time_t x = ((const struct entry *)a)->used, y = ((const struct entry *)b)->used;
  return (x > y) - (x < y);
}

void clr_folder_trim(const char *folder, uint64_t most) {
  struct entries entries = {0};
  DIR *open = opendir(folder);
  if (!open)
    return;
  list_entries(open, &entries);
  if (entries.size > most)
    qsort(entries.list, entries.count, sizeof *entries.list, by_use);
  bool full = entries.size > most;
  for (size_t i = 0; full && i < entries.count && entries.size > most / 4 * 3; i++) {
    unlinkat(dirfd(open), entries.list[i].name, 0);
    entries.size -= entries.list[i].size;
  }
  free(entries.list);
  closedir(open);
}

#else

struct clr_bytes clr_folder_read(const char *folder, const char *name, struct clr_text *remarks) {
  (void)folder, (void)name, (void)remarks;
  return (struct clr_bytes){NULL, 0};
}

bool clr_folder_write(const char *folder, const char *name, const struct clr_bytes *bytes, struct clr_text *remarks) {
  (void)folder, (void)name, (void)bytes;
  clr_text_append(remarks, "cache: on this system there is none yet\n");
  return false;
}

void clr_folder_trim(const char *folder, uint64_t most) {
  (void)folder, (void)most;
}

#endif
