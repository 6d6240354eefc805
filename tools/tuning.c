// Where the tuning file is.

#include "tuning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fail.h"

static const char *from_environment(const char *name)
{
  const char *value = getenv(name);
  return value == NULL || *value == '\0' ? NULL : value;
}

static const char *named(const char *option)
{
  return option != NULL ? option : from_environment("CLREDUCE_TUNING");
}

// A relative XDG_CACHE_HOME counts as none, as its specification has it.
static void path_in_cache(char path[TUNING_PATH_SIZE])
{
  const char *cache = from_environment("XDG_CACHE_HOME"), *home = from_environment("HOME");
  int         length = 0;
  if (cache != NULL && *cache == '/')
    length = snprintf(path, TUNING_PATH_SIZE, "%s/clreduce/tuning.txt", cache);
  else if (home != NULL)
    length = snprintf(path, TUNING_PATH_SIZE, "%s/.cache/clreduce/tuning.txt", home);
  if (length <= 0 || length >= TUNING_PATH_SIZE)
    *path = '\0';
}

int tuning_path(const char *option, char path[TUNING_PATH_SIZE])
{
  const char *name = named(option);
  *path = '\0';
  if (option != NULL && *option == '\0')
    return fail(EXIT_BAD_USE, "--tuning: the file's name is empty; give one, or off");
  if (name == NULL)
    path_in_cache(path);
  else if (strlen(name) >= TUNING_PATH_SIZE)
    return fail(EXIT_BAD_USE, "%s: the file's name is too long", option != NULL ? "--tuning" : "CLREDUCE_TUNING");
  else if (strcmp(name, "off") != 0)
    strcpy(path, name);
  return EXIT_DONE;
}

// What cannot be made shows when the file is written.
void tuning_make_folder(const char *option, const char *path)
{
  char folder[TUNING_PATH_SIZE];
  if (named(option) != NULL || *path == '\0')
    return;
  for (const char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    mkdir(folder, 0700);
  }
}
