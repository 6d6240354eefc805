// The version of the library, and the names of its statuses.
#include "base/status.h"
#include "base/version.h"

const char *clred_version(void) {
  return CLR_VERSION;
}

const char *clred_status_name(cl_int status) {
  return clr_status_name(status);
}
