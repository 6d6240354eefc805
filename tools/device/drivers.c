// The loader loads all drivers in its first call, and a program cannot go on after one of them crashed there. guard.h
// starts the program again. The new process then loads each driver in a child process to find those that crash.
#define _GNU_SOURCE  // strsignal

#include "device/drivers.h"

#include <clreduce.h>
#include <dirent.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/capture_stderr.h"
#include "base/fail.h"
#include "base/guard.h"
#include "base/wrap.h"

#define VENDORS "OCL_ICD_VENDORS"
enum { PATH_SIZE = 1024, MESSAGE_SIZE = 2048, WORDS_SIZE = 200, DRIVERS_MAX = 64, DEVICE_COUNT_MAX = 16, SECONDS = 60 };
enum { WORKS = 42 };  // the exit code of a trial: a driver may call exit, too

static char message[MESSAGE_SIZE];  // of drivers that crashed
static int kept = -1;               // the true standard error

// ---- Trying drivers one by one

struct driver {
  char file[PATH_SIZE];     // the .icd file
  char library[PATH_SIZE];  // its first line
};

// A directory with links to the drivers that work. The loader's variable names it until the process ends, because other
// processes that this one starts need it, too: trials of programs.
static struct {
  char directory[64];
  char before[PATH_SIZE];  // what the variable named
  pid_t owner;
} links;

static const char *vendors(void) {
  const char *named = *links.directory == '\0' ? getenv(VENDORS) : links.before;
  return named != NULL && *named != '\0' ? named : "/etc/OpenCL/vendors";
}

static bool read_driver(struct driver *driver) {
  FILE *file = fopen(driver->file, "r");
  const bool read = file != NULL && fgets(driver->library, sizeof driver->library, file) != NULL;
  driver->library[read ? strcspn(driver->library, " \t\r\n") : 0] = '\0';
  if (file != NULL)
    fclose(file);
  return read;
}

static int by_file(const void *a, const void *b) {
  return strcmp(((const struct driver *)a)->file, ((const struct driver *)b)->file);
}

// The variable may name a directory or one file. Returns the number of drivers.
static size_t find_drivers(struct driver list[DRIVERS_MAX]) {
  DIR *directory = opendir(vendors());
  size_t count = 0;
  for (struct dirent *entry; directory != NULL && count < DRIVERS_MAX && (entry = readdir(directory)) != NULL;)
    if (ends_in(entry->d_name, ".icd")) {
      snprintf(list[count].file, PATH_SIZE, "%.*s/%s", PATH_SIZE - 300, vendors(), entry->d_name);
      count += read_driver(&list[count]);
    }
  if (directory == NULL) {
    snprintf(list[0].file, PATH_SIZE, "%s%s", strchr(vendors(), '/') == NULL ? "./" : "", vendors());
    count = ends_in(vendors(), ".icd") && read_driver(&list[0]);
  } else
    closedir(directory);
  qsort(list, count, sizeof *list, by_file);
  return count;
}

static void list_devices(void) {
  cl_platform_id platforms[DRIVERS_MAX];
  cl_device_id ids[DEVICE_COUNT_MAX];
  char name[WORDS_SIZE];
  cl_uint count = 0, found;
  if (clGetPlatformIDs(DRIVERS_MAX, platforms, &count) != CL_SUCCESS)
    return;
  for (cl_uint i = 0; i < count && i < DRIVERS_MAX; i++) {
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, DEVICE_COUNT_MAX, ids, &found) == CL_SUCCESS)
      for (cl_uint j = 0; j < found && j < DEVICE_COUNT_MAX; j++)
        clGetDeviceInfo(ids[j], CL_DEVICE_NAME, sizeof name, name, NULL);
  }
}

// In a process of its own. `words` is a file for what the driver prints.
static _Noreturn void try_in_child(int words) {
  for (int i = 0; i < CRASHES; i++)
    signal(guard_crashes[i], SIG_DFL);
  dup2(words, STDOUT_FILENO);
  dup2(words, STDERR_FILENO);
  alarm(SECONDS);
  list_devices();
  _exit(WORKS);
}

static void tell_crash(const struct driver *driver, int status, int file) {
  char words[WORDS_SIZE], line[2 * PATH_SIZE + 2 * WORDS_SIZE + 80];
  capture_read(file, words, sizeof words);
  snprintf(line, sizeof line, "%s (%s) ends the process when it lists its devices (%s)%s%s", driver->library,
           driver->file, WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "it calls exit",
           *words == '\0' ? "" : " and prints: ", words);
  list_append(message, sizeof message, "; ", line);
}

// True if a process can list devices with the drivers that are linked so far.
static bool works(const struct driver *driver) {
  const int words = capture_open();
  const pid_t child = fork();
  int status = 0;
  if (child == 0)
    try_in_child(words);
  const bool good =
    child < 0 || waitpid(child, &status, 0) != child || (WIFEXITED(status) && WEXITSTATUS(status) == WORKS);
  if (!good)
    tell_crash(driver, status, words);
  close(words);
  return good;
}

// Keeps the link only if the driver works.
static bool link_and_try(const struct driver *driver) {
  char path[sizeof links.directory + PATH_SIZE], *file = realpath(driver->file, NULL);
  snprintf(path, sizeof path, "%s/%s", links.directory, strrchr(driver->file, '/') + 1);
  const bool linked = file != NULL && symlink(file, path) == 0, good = linked && works(driver);
  if (linked && !good)
    unlink(path);
  free(file);
  return good;
}

// At exit. Forks of this process leave the directory to it.
static void remove_links(void) {
  char path[sizeof links.directory + PATH_SIZE];
  DIR *directory = getpid() == links.owner ? opendir(links.directory) : NULL;
  for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;)
    if (*entry->d_name != '.') {
      snprintf(path, sizeof path, "%s/%s", links.directory, entry->d_name);
      unlink(path);
    }
  if (directory == NULL)
    return;
  closedir(directory);
  rmdir(links.directory);
}

// Sets the loader's variable to the directory. Returns false if no driver works.
static bool choose_drivers(void) {
  static struct driver list[DRIVERS_MAX];
  const size_t count = find_drivers(list);
  char directory[] = "/tmp/clreduce-drivers-XXXXXX";
  size_t good = 0;
  if (mkdtemp(directory) == NULL) {
    list_append(message, sizeof message, "; ", "a driver ends the process, and /tmp has no room to try them");
    return false;
  }
  snprintf(links.before, sizeof links.before, "%s", vendors());
  snprintf(links.directory, sizeof links.directory, "%s", directory);
  links.owner = getpid();
  atexit(remove_links);
  setenv(VENDORS, links.directory, 1);
  for (size_t i = 0; i < count; i++)
    good += link_and_try(&list[i]);
  return good > 0;
}

// ---- Between drivers_begin and drivers_end

bool drivers_begin(void) {
  static bool chosen;
  bool left = true;
  if (guard_is_again(GUARD_DRIVERS) && !chosen) {
    chosen = true;
    left = choose_drivers();
  }
  if (!left) {
    fail(EXIT_WORK_FAILED,
         "no OpenCL driver works: %s; remove it or repair it, or install another, for instance the "
         "package pocl-opencl-icd (any CPU)",
         message);
    return false;
  }
  kept = capture_stderr_begin();
  guard_begin(GUARD_DRIVERS, kept, 0);
  return true;
}

void drivers_end(void) {
  guard_end();
  capture_stderr_end(kept);
}

bool drivers_try(void) {
  if (!drivers_begin())
    return false;
  list_devices();
  drivers_end();
  return true;
}

const char *drivers_crashed(void) {
  return message;
}

const char *drivers_not_loaded(void) {
  static struct driver list[DRIVERS_MAX];
  static char missing[MESSAGE_SIZE];
  char line[2 * PATH_SIZE + WORDS_SIZE];
  const size_t count = find_drivers(list);
  *missing = '\0';
  for (size_t i = 0; i < count; i++) {
    void *library = strstr(message, list[i].file) != NULL ? NULL : dlopen(list[i].library, RTLD_LAZY | RTLD_NOLOAD);
    if (library != NULL)
      dlclose(library);
    else if (strstr(message, list[i].file) == NULL && (library = dlopen(list[i].library, RTLD_LAZY)) == NULL) {
      snprintf(line, sizeof line, "the driver of %.*s cannot be loaded: %.*s", PATH_SIZE, list[i].file, WORDS_SIZE - 40,
               dlerror());
      list_append(missing, sizeof missing, "; ", line);
    }
  }
  return missing;
}
