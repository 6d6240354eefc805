// Where the tuning file is.

#include "tuning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_place.h"
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

static void path_in_cache(char path[TUNING_PATH_SIZE])
{
  char *folder = cache_default_folder();
  if (folder != NULL && snprintf(path, TUNING_PATH_SIZE, "%s/tuning.txt", folder) >= TUNING_PATH_SIZE)
    *path = '\0';
  free(folder);
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

void tuning_make_folder(const char *option, const char *path)
{
  char folder[TUNING_PATH_SIZE];
  if (named(option) != NULL || *path == '\0')
    return;
  snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
  cache_make_folder(folder);
}
