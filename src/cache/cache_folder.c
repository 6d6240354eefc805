// Files of the cache on disk: read, write and remove them.
#include "cache/cache_record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "platform/files.h"

#define SUFFIX ".clred"
#define FILE_MOST ((size_t)64 << 20)
#define NAMES_TRIED 100
#define NAME_MOST 64
#define DAY (24 * 60 * 60)

static bool remark(struct clr_text *remarks, const char *path, const char *what, int code) {
  char words[128];
  clr_os_error_words(code, words, sizeof words);
  clr_text_format(remarks, "cache: %s %s: %s\n", what, path, words);
  return false;
}

static struct clr_text path_of(const char *folder, const char *name) {
  struct clr_text path = {0};
  clr_text_format(&path, "%s/%s" SUFFIX, folder, name);
  return path;
}

// ---------------------------------------------------------------- Reading

// The modification time is the time of the last use. We update it at most once a day.
static void note_use(int file, const struct clr_os_facts *facts) {
  time_t now = time(NULL);
  if (now != (time_t)-1 && difftime(now, facts->changed) > DAY)
    clr_os_touch(file);
}

static bool read_open(int file, struct clr_bytes *bytes) {
  struct clr_os_facts facts;
  if (!clr_os_facts(file, &facts))
    return false;
  errno = EPERM;
  if (!facts.is_regular || !facts.is_private)
    return false;
  errno = EFBIG;
  if (facts.size > FILE_MOST)
    return false;
  bytes->size = (size_t)facts.size;
  errno = ENOMEM;
  bytes->data = malloc(bytes->size + 1);
  if (!bytes->data || !clr_os_read(file, bytes->data, bytes->size))
    return false;
  note_use(file, &facts);
  return true;
}

struct clr_bytes clr_folder_read(const char *folder, const char *name, struct clr_text *remarks) {
  struct clr_bytes bytes = {NULL, 0};
  struct clr_text path = path_of(folder, name);
  int file = path.failed ? -1 : clr_os_open(path.bytes);
  if ((file < 0 && !path.failed && errno != ENOENT) || (file >= 0 && !read_open(file, &bytes))) {
    remark(remarks, path.bytes, "cannot read", errno);
    free(bytes.data);
    bytes.data = NULL;
  }
  if (file >= 0)
    clr_os_close(file);
  clr_text_release(&path);
  return bytes;
}

// ---------------------------------------------------------------- Writing

// A write beyond the file size limit raises a signal that ends the process, so we check the limit first.
static bool is_within_limit(size_t size) {
  errno = EFBIG;
  return size <= FILE_MOST && clr_os_may_write(size);
}

// Creates a new file that no other process or thread writes.
static int open_new(const char *path, struct clr_text *temporary) {
  int file = -1;
  errno = EEXIST;
  for (int i = 0; i < NAMES_TRIED && file < 0 && errno == EEXIST; i++) {
    clr_text_release(temporary);
    clr_text_format(temporary, "%s.%ld.%d.tmp", path, clr_os_process_number(), i);
    errno = ENOMEM;
    if (!temporary->failed)
      file = clr_os_create(temporary->bytes, true);
  }
  return file;
}

// We do not fsync; the checksum detects torn files.
static bool write_and_rename(const char *path, const struct clr_bytes *bytes) {
  struct clr_text temporary = {0};
  int file = open_new(path, &temporary);
  bool done = file >= 0 && clr_os_write(file, bytes->data, bytes->size);
  int code = errno;
  if (file >= 0 && !clr_os_close(file) && done) {
    done = false;
    code = errno;
  }
  if (done && !clr_os_replace(temporary.bytes, path)) {
    done = false;
    code = errno;
  }
  if (file >= 0 && !done)
    clr_os_remove(temporary.bytes);
  clr_text_release(&temporary);
  errno = code;
  return done;
}

bool clr_folder_write(const char *folder, const char *name, const struct clr_bytes *bytes, struct clr_text *remarks) {
  struct clr_text path = path_of(folder, name);
  bool done = false;
  if (path.failed)
    return false;
  if (!clr_os_make_folder(folder))
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

static bool add_entry(void *self, const char *name, const struct clr_os_facts *facts) {
  struct entries *entries = self;
  if (!is_ours(name))
    return true;
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
  entry->used = facts->changed;
  entry->size = facts->size;
  entries->size += entry->size;
  return true;
}

static int by_use(const void *a, const void *b) {
  time_t x = ((const struct entry *)a)->used, y = ((const struct entry *)b)->used;
  return (x > y) - (x < y);
}

static void remove_entry(const char *folder, const char *name) {
  struct clr_text path = {0};
  clr_text_format(&path, "%s/%s", folder, name);
  if (!path.failed)
    clr_os_remove(path.bytes);
  clr_text_release(&path);
}

void clr_folder_trim(const char *folder, uint64_t most) {
  struct entries entries = {0};
  clr_os_visit_folder(folder, add_entry, &entries);
  if (entries.size > most)
    qsort(entries.list, entries.count, sizeof *entries.list, by_use);
  bool full = entries.size > most;
  for (size_t i = 0; full && i < entries.count && entries.size > most / 4 * 3; i++) {
    remove_entry(folder, entries.list[i].name);
    entries.size -= entries.list[i].size;
  }
  free(entries.list);
}
