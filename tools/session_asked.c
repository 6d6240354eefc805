// From options to a session.

#include "session_asked.h"

#include <stdlib.h>

#include "cache_place.h"
#include "fail.h"
#include "tuning.h"

static int open_with(struct session *session, const struct args *args, const char *tuning)
{
  char *folder;
  int   code = cache_place(args->cache, &folder);
  if (code == EXIT_DONE)
    code = session_open_with(session, args->device, args->assume, &(struct session_files){folder, tuning});
  free(folder);
  return code;
}

int session_open_asked(struct session *session, const struct args *args)
{
  return open_with(session, args, NULL);
}

int session_open_tuned(struct session *session, const struct args *args)
{
  char path[TUNING_PATH_SIZE];
  int  code = tuning_path(args->tuning, path);
  if (code == EXIT_DONE)
    code = open_with(session, args, *path == '\0' ? NULL : path);
  if (code == EXIT_DONE && !args->quiet && *clred_tuning_note(session->runtime) != '\0')
    fail(EXIT_DONE, "%s", clred_tuning_note(session->runtime));
  return code;
}
