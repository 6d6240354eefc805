// Finds the programs and modules of peers in folders, and starts the programs.
#define _XOPEN_SOURCE 700  // readlink

#include "bench/peer.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/wrap.h"

enum { PATH_SIZE = 1024 };

struct found {
  char programs[PEERS_MOST][PATH_SIZE];
  size_t count;
};

static const char *name_of(const char *program) {
  return strrchr(program, '/') + 1;
}

static bool is_program(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

static int by_name(const void *a, const void *b) {
  return strcmp(name_of(a), name_of(b));
}

static void look_through(const char *folder, struct found *found) {
  DIR *stream = opendir(folder);
  if (stream == NULL)
    return;
  for (struct dirent *entry; (entry = readdir(stream)) != NULL && found->count < PEERS_MOST;) {
    char *program = found->programs[found->count];
    int length = snprintf(program, PATH_SIZE, "%s/%s", folder, entry->d_name);
    found->count += entry->d_name[0] != '.' && length > 0 && length < PATH_SIZE && is_program(program);
  }
  closedir(stream);
}

static bool find_own_folder(char folder[PATH_SIZE]) {
  ssize_t length = readlink("/proc/self/exe", folder, PATH_SIZE - 1);
  if (length <= 0)
    return false;
  folder[length] = '\0';
  char *slash = strrchr(folder, '/');
  if (slash != NULL)
    *slash = '\0';
  return slash != NULL;
}

// Writes folder number `index` of the folders that peer.h lists; "" if it is unusable. False if there are fewer.
static bool folder_at(size_t index, char folder[PATH_SIZE]) {
  const char *chosen = getenv("CLREDUCE_PEERS"), *folders = chosen != NULL ? chosen : CLREDUCE_PEERS_FOLDERS;
  char own[PATH_SIZE] = ".";
  if (chosen == NULL && !find_own_folder(own))
    return false;
  for (; index > 0 && *folders != '\0'; index--)
    folders += strcspn(folders, ":") + (strchr(folders, ':') != NULL);
  if (*folders == '\0')
    return false;
  const size_t length = strcspn(folders, ":");
  const bool absolute = *folders == '/';
  int written = snprintf(folder, PATH_SIZE, "%s%s%.*s", absolute ? "" : own, absolute ? "" : "/", (int)length, folders);
  if (length == 0 || written >= PATH_SIZE)
    *folder = '\0';
  return true;
}

static void find(struct found *found) {
  char folder[PATH_SIZE];
  for (size_t i = 0; folder_at(i, folder); i++)
    if (*folder != '\0')
      look_through(folder, found);
  qsort(found->programs, found->count, PATH_SIZE, by_name);
}

bool peers_module_path(const char *name, char *path, size_t size) {
  char folder[PATH_SIZE];
  for (size_t i = 0; folder_at(i, folder); i++) {
    int written = snprintf(path, size, "%s/modules/%s.so", folder, name);
    if (*folder != '\0' && written < (int)size && access(path, R_OK) == 0)
      return true;
  }
  return false;
}

static bool is_there(const struct found *found, const char *name, size_t length) {
  for (size_t i = 0; i < found->count; i++)
    if (list_has(name_of(found->programs[i]), ',', name, length))
      return true;
  return false;
}

static int check_wanted(const char *wanted, const struct found *found) {
  char names[512] = "";
  for (size_t i = 0; i < found->count; i++)
    list_append(names, sizeof names, ", ", name_of(found->programs[i]));
  for (size_t length; *wanted != '\0'; wanted += length + (wanted[length] == ',')) {
    length = strcspn(wanted, ",");
    if (!is_there(found, wanted, length))
      return fail(EXIT_BAD_USE, "--peers: there is no peer '%.*s'; %s%s", (int)length, wanted,
                  found->count == 0 ? "none was found; build with -DCLREDUCE_BUILD_BENCH=ON" : "there are: ", names);
  }
  return EXIT_DONE;
}

int peers_start(struct peers *peers, const char *wanted, int data, double patience) {
  bool all = wanted == NULL || strcmp(wanted, "all") == 0;
  peers->count = 0;
  signal(SIGPIPE, SIG_IGN);
  if (!all && strcmp(wanted, "none") == 0)
    return EXIT_DONE;
  struct found *found = calloc(1, sizeof *found);
  if (found == NULL)
    return fail_memory();
  find(found);
  int code = all ? EXIT_DONE : check_wanted(wanted, found);
  for (size_t i = 0; i < found->count && !code; i++) {
    const char *name = name_of(found->programs[i]);
    if (all || list_has(wanted, ',', name, strlen(name)))
      peer_start(&peers->list[peers->count++], found->programs[i], data, patience);
  }
  free(found);
  for (size_t i = 0; i < peers->count; i++)
    peer_greet(&peers->list[i]);
  return code;
}

void peers_stop(struct peers *peers) {
  for (size_t i = 0; i < peers->count; i++)
    peer_stop(&peers->list[i]);
}
