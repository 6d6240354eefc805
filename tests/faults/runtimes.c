// The life of a runtime: its cache of binaries, its file of tunings, a reduction, and its release.
#define _POSIX_C_SOURCE 200809L

#include <clreduce_device.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenario.h"

// ---------------------------------------------------------------- A runtime's life

#define TUNING "tuning.txt"

static cl_int only_make(struct bench *bench) {
  return bench_end(bench, bench_runtime(bench, &(clred_options){.assume = NULL}));
}

static cl_int make_and_reduce(struct bench *bench) {
  const clred_options options = {.cache_directory = bench->scenario->flags & CACHES ? bench->directory : NULL,
                                 .tuning_file = bench->scenario->flags & TUNES ? bench_file(bench, TUNING) : NULL};
  const cl_int status = bench_reduce(bench, &options);
  if (!status)
    clred_runtime_save_cache(bench->runtime);
  return bench_end(bench, status);
}

static cl_int tune(struct bench *bench) {
  const clred_problem problem = {OP(SUM, INT), .count_max = NUMBERS};
  const clred_tune_options options = {.seconds = 1};
  clock_pretend(true);
  const cl_int status = clred_tune(bench->runtime, &problem, &options, NULL, NULL);
  clock_pretend(false);
  return status;
}

static cl_int save_tuning(struct bench *bench) {
  cl_int status = bench_runtime(bench, &(clred_options){.assume = NULL});
  if (!status)
    PAUSED(bench, status = tune(bench));
  return bench_end(bench, status ? status : clred_tuning_save(bench->runtime, bench_file(bench, TUNING)));
}

// ---------------------------------------------------------------- Files

// The path of a binary in the directory, or false.
static bool find_file(const struct bench *bench, char path[512]) {
  DIR *directory = opendir(bench->directory);
  const struct dirent *entry;
  bool found = false;
  while (directory && !found && (entry = readdir(directory)) != NULL)
    found = strstr(entry->d_name, ".clred") && snprintf(path, 512, "%s/%s", bench->directory, entry->d_name) > 0;
  if (directory)
    closedir(directory);
  return found;
}

// Flips a bit or truncates the file, at another place each time.
static void damage(const char *path, unsigned long number) {
  struct stat facts;
  FILE *file = stat(path, &facts) ? NULL : fopen(path, "r+b");
  if (!file)
    return;
  const long at = (long)(number < 128 ? number : number * 2654435761u % (unsigned long)facts.st_size);
  fseek(file, at, SEEK_SET);
  const int byte = fgetc(file);
  fseek(file, at, SEEK_SET);
  fputc(byte ^ 1 << number % 8, file);
  fclose(file);
  if (number % 3 == 0 && truncate(path, at))
    remove(path);
}

static void empty_directory(const struct bench *bench) {
  char path[512];
  while (find_file(bench, path))
    if (remove(path))
      return;
}

static const char *prepare_files(struct bench *bench) {
  static unsigned long times;
  char path[512];
  if (bench->scenario->flags & EMPTIES)
    empty_directory(bench);
  if (bench->scenario->flags & DAMAGES && find_file(bench, path))
    damage(path, times++);
  return NULL;
}

// ---------------------------------------------------------------- Before and after

static const char *open_directory(struct bench *bench) {
  const char *trouble = bench_open_directory(bench);
  return !trouble && bench->scenario->flags & TUNES && save_tuning(bench) ? bench->error : trouble;
}

static void forget_files(struct bench *bench) {
  empty_directory(bench);
  remove(bench_file(bench, TUNING));
  rmdir(bench->directory);
}

// The driver only receives binaries that it returned.
static const char *judge(struct bench *bench, bool succeeded) {
  const long strange = bench->layer->strange_binaries();
  return strange ? bench_say(bench, "WRONG: %ld binaries reached the driver that it did not make", strange)
                 : bench_judge(bench, succeeded);
}

// ---------------------------------------------------------------- The table

#define ASKS "clGetDeviceInfo clGetPlatformInfo clGetProgramInfo clGetProgramBuildInfo"
#define LOADS ASKS " clCreateProgramWithBinary clBuildProgram clCreateKernelsInProgram"
#define RUNTIME \
  .open = open_directory, .before = prepare_files, .judge = judge, .close = forget_files, .bytes = sizeof(cl_long)

static const struct scenario rows[] = {
  ROW(RUNTIME, .name = "runtime", .act = only_make),
  ROW(RUNTIME, .name = "runtime, cache is cold", .act = make_and_reduce, .forgives = ASKS, .forgives_memory = 1000,
      .flags = CACHES | EMPTIES),
  ROW(RUNTIME, .name = "runtime, cache is cold, of a GPU", .act = make_and_reduce, .pretence = {.gpu = true},
      .forgives = ASKS, .forgives_memory = 1000, .flags = CACHES | EMPTIES),
  ROW(RUNTIME, .name = "runtime, cache is warm", .act = make_and_reduce, .forgives = LOADS, .forgives_memory = 1000,
      .flags = CACHES),
  ROW(RUNTIME, .name = "runtime, cache is damaged", .act = make_and_reduce, .forgives = LOADS, .forgives_memory = 1000,
      .flags = CACHES | DAMAGES),
  ROW(RUNTIME, .name = "runtime, programs are tried", .act = make_and_reduce, .forgives_memory = 1000,
      .flags = TRIED | DROPS | BRIEFLY),
  ROW(RUNTIME, .name = "runtime, numbers are saved", .act = save_tuning, .forgives_memory = 4),
  ROW(RUNTIME, .name = "runtime, numbers are read", .act = make_and_reduce,
      .forgives = "clGetDeviceInfo clGetPlatformInfo clGetProgramBuildInfo", .forgives_memory = 1000, .flags = TUNES),
};

void add_runtimes(struct scenarios *all) {
  ADD_TABLE(all, rows);
}
