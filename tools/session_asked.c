// From options to a session.

#include "session_asked.h"

#include <stdlib.h>

#include "cache_place.h"
#include "fail.h"

int session_open_asked(struct session *session, const struct args *args)
{
  char *folder;
  int   code = cache_place(args->cache, &folder);
  if (code == EXIT_DONE)
    code = session_open_cached(session, args->device, args->assume, folder);
  free(folder);
  return code;
}
