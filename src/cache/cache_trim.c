#include "cache/cache_folder.h"

#if defined(__unix__) || defined(__APPLE__)

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_MOST 64

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

// Sixteen digits and what follows: a file of the cache, or one that was not given its name. Others in the folder are
// not ours.
static bool is_ours(const char *name) {
  const size_t digits = CLR_RECORD_NAME_SIZE - 1;
  return strspn(name, "0123456789abcdef") == digits && strncmp(name + digits, ".clred", 6) == 0 &&
         strlen(name) < NAME_MOST;
}

static bool append(struct entries *entries, const char *name, const struct stat *facts) {
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

static void list(DIR *folder, struct entries *entries) {
  struct dirent *found;
  struct stat facts;
  bool room = true;
  while (room && (found = readdir(folder)) != NULL)
    if (is_ours(found->d_name) && !fstatat(dirfd(folder), found->d_name, &facts, AT_SYMLINK_NOFOLLOW) &&
        S_ISREG(facts.st_mode))
      room = append(entries, found->d_name, &facts);
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
  list(open, &entries);
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

void clr_folder_trim(const char *folder, uint64_t most) {
  (void)folder, (void)most;
}

#endif
