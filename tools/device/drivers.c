// The loader loads all drivers in its first call, and a program cannot go on after one of them crashed there. So the
// handler of the signal starts the same program again with the variable AGAIN.
#define _GNU_SOURCE  // memfd_create, sigaltstack, strsignal

#include "device/drivers.h"

#include <clreduce.h>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/hush.h"
#include "base/wrap.h"

#define AGAIN "CLREDUCE_DRIVERS_AGAIN"
#define VENDORS "OCL_ICD_VENDORS"
enum { PATH_SIZE = 1024, SENTENCE_SIZE = 2048, WORDS_SIZE = 200, DRIVERS_MOST = 64, DEVICES_MOST = 16, SECONDS = 60 };
enum { WORKS = 42 };  // the exit code of a trial: a driver may call exit, too

static const int crashes[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE};
enum { CRASHES = sizeof crashes / sizeof *crashes };

static char *const *restart_words;
static char program[PATH_SIZE];
static off_t input_begin = -1;
static char sentence[SENTENCE_SIZE];  // of drivers that crashed

// Lists that loaders cut at the first separator, in the memory of the environment itself. Processes that this one
// starts need the whole lists.
static struct {
  const char *name;
  char *place, *whole;
} lists[] = {{"OCL_ICD_FILENAMES", NULL, NULL}, {"OPENCL_LAYERS", NULL, NULL}};
enum { LISTS = sizeof lists / sizeof *lists };

// What a handler needs.
static struct {
  volatile sig_atomic_t active;
  bool is_second;
  int kept;  // the true standard error
  sigset_t mask;

  struct sigaction before[CRASHES];
} guard;

static _Noreturn void give_up(void) {
  fail_in_handler(guard.kept >= 0 ? guard.kept : STDERR_FILENO,
                  "clreduce: an OpenCL driver ended the process while it listed its devices; 'clreduce query' names "
                  "it; remove it or repair it\n");
}

// ---- The environment

static void keep_lists(void) {
  for (int i = 0; i < LISTS; i++) {
    lists[i].place = getenv(lists[i].name);
    lists[i].whole = lists[i].place == NULL ? NULL : strdup(lists[i].place);
  }
}

// Async-signal-safe.
static void restore_lists(void) {
  for (int i = 0; i < LISTS; i++)
    if (lists[i].whole != NULL)
      memcpy(lists[i].place, lists[i].whole, strlen(lists[i].whole) + 1);
}

static void release_lists(void) {
  for (int i = 0; i < LISTS; i++) {
    free(lists[i].whole);
    lists[i].whole = NULL;
  }
}

// ---- A crash

// Async-signal-safe. The variable AGAIN was set by drivers_begin.
static void start_again(void) {
  if (restart_words == NULL || *program == '\0' || guard.is_second)
    give_up();
  cleanup_now();
  restore_lists();
  cleanup_settle();
  if (input_begin >= 0)
    lseek(STDIN_FILENO, input_begin, SEEK_SET);
  if (guard.kept >= 0)
    dup2(guard.kept, STDERR_FILENO);
  sigprocmask(SIG_SETMASK, &guard.mask, NULL);
  execv(program, restart_words);
  give_up();
}

static void on_crash(int number) {
  (void)number;
  start_again();
}

static void on_exit_of_driver(void) {
  if (guard.active)
    start_again();
}

// The C library's function.
static int set_action(int number, const struct sigaction *action, struct sigaction *before) {
  static int (*found)(int, const struct sigaction *, struct sigaction *);
  if (found == NULL)
    *(void **)&found = dlsym(RTLD_NEXT, "sigaction");
  return found == NULL ? -1 : found(number, action, before);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif

// Drivers call this function, too, because the program exports it. PoCL sets handlers when it is loaded: LLVM's, which
// let an abort end the process, and one for divisions by zero in kernels. They take effect when the guard ends.
// Sanitizers have such a function themselves.
#ifndef SANITIZED
__attribute__((visibility("default"))) int sigaction(int number, const struct sigaction *action,
                                                     struct sigaction *before) {
  for (int i = 0; i < CRASHES && guard.active; i++)
    if (crashes[i] == number) {
      if (before != NULL)
        *before = guard.before[i];
      if (action != NULL)
        guard.before[i] = *action;
      return 0;
    }
  return set_action(number, action, before);
}
#endif

static void begin_guard(void) {
  static char stack[1 << 16];  // of the handler: the driver's stack may be full
  const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  const struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
  static bool registered;
  if (!registered)
    registered = atexit(on_exit_of_driver) == 0;
  sigaltstack(&other, NULL);
  sigprocmask(SIG_SETMASK, NULL, &guard.mask);
  for (int i = 0; i < CRASHES; i++)
    set_action(crashes[i], &action, &guard.before[i]);
  guard.active = 1;
}

// Sets the handlers that were there before, or that drivers set meanwhile.
static void end_guard(void) {
  guard.active = 0;
  for (int i = 0; i < CRASHES; i++)
    set_action(crashes[i], &guard.before[i], NULL);
}

// ---- Trying drivers one by one

struct driver {
  char file[PATH_SIZE];     // the .icd file
  char library[PATH_SIZE];  // its first line
};

// A folder with links to the drivers that work. The loader's variable names it until the process ends, because other
// processes that this one starts need it, too: trials of programs, peers of bench.
static struct {
  char folder[64];
  char before[PATH_SIZE];  // what the variable named
  pid_t owner;
} links;

static const char *vendors(void) {
  const char *named = *links.folder == '\0' ? getenv(VENDORS) : links.before;
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

// The variable may name a folder or one file. Returns the number of drivers.
static size_t find_drivers(struct driver list[DRIVERS_MOST]) {
  DIR *folder = opendir(vendors());
  size_t count = 0;
  for (struct dirent *entry; folder != NULL && count < DRIVERS_MOST && (entry = readdir(folder)) != NULL;)
    if (ends_in(entry->d_name, ".icd")) {
      snprintf(list[count].file, PATH_SIZE, "%.*s/%s", PATH_SIZE - 300, vendors(), entry->d_name);
      count += read_driver(&list[count]);
    }
  if (folder == NULL) {
    snprintf(list[0].file, PATH_SIZE, "%s%s", strchr(vendors(), '/') == NULL ? "./" : "", vendors());
    count = ends_in(vendors(), ".icd") && read_driver(&list[0]);
  } else
    closedir(folder);
  qsort(list, count, sizeof *list, by_file);
  return count;
}

static void list_devices(void) {
  cl_platform_id platforms[DRIVERS_MOST];
  cl_device_id ids[DEVICES_MOST];
  char name[WORDS_SIZE];
  cl_uint count = 0, found;
  if (clGetPlatformIDs(DRIVERS_MOST, platforms, &count) != CL_SUCCESS)
    return;
  for (cl_uint i = 0; i < count && i < DRIVERS_MOST; i++) {
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, DEVICES_MOST, ids, &found) == CL_SUCCESS)
      for (cl_uint j = 0; j < found && j < DEVICES_MOST; j++)
        clGetDeviceInfo(ids[j], CL_DEVICE_NAME, sizeof name, name, NULL);
  }
}

// In a process of its own. `words` is a file for what the driver prints.
static _Noreturn void try_in_child(int words) {
  for (int i = 0; i < CRASHES; i++)
    signal(crashes[i], SIG_DFL);
  dup2(words, STDOUT_FILENO);
  dup2(words, STDERR_FILENO);
  alarm(SECONDS);
  list_devices();
  _exit(WORKS);
}

// The last line that the driver printed.
static void read_words(int file, char words[WORDS_SIZE]) {
  const off_t size = file < 0 ? 0 : lseek(file, 0, SEEK_END), from = size > WORDS_SIZE - 1 ? size - WORDS_SIZE + 1 : 0;
  const ssize_t got = size > 0 ? pread(file, words, WORDS_SIZE - 1, from) : 0;
  size_t length = got > 0 ? (size_t)got : 0;
  while (length > 0 && (unsigned char)words[length - 1] <= ' ')
    length--;
  words[length] = '\0';
  const char *last = strrchr(words, '\n');
  if (last != NULL)
    memmove(words, last + 1, strlen(last));
}

static void tell_crash(const struct driver *driver, int status, int file) {
  char words[WORDS_SIZE], line[2 * PATH_SIZE + 2 * WORDS_SIZE + 80];
  read_words(file, words);
  snprintf(line, sizeof line, "%s (%s) ends the process when it lists its devices (%s)%s%s", driver->library,
           driver->file, WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "it calls exit",
           *words == '\0' ? "" : " and prints: ", words);
  list_append(sentence, sizeof sentence, "; ", line);
}

static int open_words(void) {
#ifdef MFD_CLOEXEC
  return memfd_create("clreduce", MFD_CLOEXEC);
#else
  return open("/dev/null", O_RDWR);
#endif
}

// True if a process can list devices with the drivers that are linked so far.
static bool works(const struct driver *driver) {
  const int words = open_words();
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
  char path[sizeof links.folder + PATH_SIZE], *file = realpath(driver->file, NULL);
  snprintf(path, sizeof path, "%s/%s", links.folder, strrchr(driver->file, '/') + 1);
  const bool linked = file != NULL && symlink(file, path) == 0, good = linked && works(driver);
  if (linked && !good)
    unlink(path);
  free(file);
  return good;
}

// At exit. Forks of this process leave the folder to it.
static void remove_links(void) {
  char path[sizeof links.folder + PATH_SIZE];
  DIR *folder = getpid() == links.owner ? opendir(links.folder) : NULL;
  for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
    if (*entry->d_name != '.') {
      snprintf(path, sizeof path, "%s/%s", links.folder, entry->d_name);
      unlink(path);
    }
  if (folder == NULL)
    return;
  closedir(folder);
  rmdir(links.folder);
}

// Sets the loader's variable to the folder. Returns false if no driver works.
static bool choose_drivers(void) {
  static struct driver list[DRIVERS_MOST];
  const size_t count = find_drivers(list);
  char folder[] = "/tmp/clreduce-drivers-XXXXXX";
  size_t good = 0;
  if (mkdtemp(folder) == NULL) {
    list_append(sentence, sizeof sentence, "; ", "a driver ends the process, and /tmp has no room to try them");
    return false;
  }
  snprintf(links.before, sizeof links.before, "%s", vendors());
  snprintf(links.folder, sizeof links.folder, "%s", folder);
  links.owner = getpid();
  atexit(remove_links);
  setenv(VENDORS, links.folder, 1);
  for (size_t i = 0; i < count; i++)
    good += link_and_try(&list[i]);
  return good > 0;
}

// ---- The guard

void drivers_may_restart(char *const argv[]) {
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  program[length < 0 ? 0 : length] = '\0';
  restart_words = argv;
  input_begin = lseek(STDIN_FILENO, 0, SEEK_CUR);
  guard.is_second = getenv(AGAIN) != NULL;
}

bool drivers_begin(void) {
  static bool chosen;
  bool left = true;
  guard.kept = -1;
  if (guard.is_second && !chosen) {
    chosen = true;
    left = choose_drivers();
  }
  if (!left) {
    fail(EXIT_WORK_FAILED,
         "no OpenCL driver works: %s; remove it or repair it, or install another, for instance the "
         "package pocl-opencl-icd (any CPU)",
         sentence);
    return false;
  }
  setenv(AGAIN, "1", 1);
  keep_lists();
  cleanup_begin();
  guard.kept = hush_begin();
  begin_guard();
  return true;
}

void drivers_end(void) {
  end_guard();
  hush_end(guard.kept);
  restore_lists();
  release_lists();
  cleanup_settle();
  unsetenv(AGAIN);
}

bool drivers_try(void) {
  if (!drivers_begin())
    return false;
  list_devices();
  drivers_end();
  return true;
}

const char *drivers_crashed(void) {
  return sentence;
}

const char *drivers_not_loaded(void) {
  static struct driver list[DRIVERS_MOST];
  static char missing[SENTENCE_SIZE];
  char line[2 * PATH_SIZE + WORDS_SIZE];
  const size_t count = find_drivers(list);
  *missing = '\0';
  for (size_t i = 0; i < count; i++) {
    void *library = strstr(sentence, list[i].file) != NULL ? NULL : dlopen(list[i].library, RTLD_LAZY | RTLD_NOLOAD);
    if (library != NULL)
      dlclose(library);
    else if (strstr(sentence, list[i].file) == NULL && (library = dlopen(list[i].library, RTLD_LAZY)) == NULL) {
      snprintf(line, sizeof line, "the driver of %.*s cannot be loaded: %.*s", PATH_SIZE, list[i].file, WORDS_SIZE - 40,
               dlerror());
      list_append(missing, sizeof missing, "; ", line);
    }
  }
  return missing;
}
