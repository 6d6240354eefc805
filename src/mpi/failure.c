// Statuses and messages, also those of MPI's functions.
#include "mpi/ranks.h"

#include <stdarg.h>
#include <stdio.h>

cl_int clr_mpi_failed(struct clr_mpi_failure *failure, cl_int status, const char *format, ...) {
  va_list values;
  if (failure->status)
    return failure->status;
  failure->status = status;
  va_start(values, format);
  vsnprintf(failure->message, sizeof failure->message, format, values);
  va_end(values);
  return status;
}

cl_int clr_mpi_check(struct clr_mpi_failure *failure, int code, const char *function) {
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  if (code == MPI_SUCCESS)
    return CL_SUCCESS;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS)
    snprintf(text, sizeof text, "error %d", code);
  return clr_mpi_failed(failure, CLRED_MPI_FAILED, "%s: %s", function, text);
}

cl_int clr_mpi_take(struct clr_mpi_failure *failure, cl_int status, clred_runtime *runtime) {
  if (status && !failure->status) {
    failure->status = status;
    clred_copy_error(runtime, failure->message, sizeof failure->message);
  }
  return status;
}

cl_int clr_mpi_check_running(struct clr_mpi_failure *failure) {
  int begun = 0, ended = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  return begun && !ended ? CL_SUCCESS
                         : clr_mpi_failed(failure, CLRED_MPI_FAILED, "MPI %s",
                                          begun ? "is finalized already"
                                                : "is not yet initialized; call "
                                                  "MPI_Init first");
}

cl_int clr_mpi_tell(clred_runtime *runtime, const struct clr_mpi_failure *failure) {
  return clred_runtime_fail(runtime, failure->status, failure->message);
}
