// Files in which a runtime keeps what was measured or found: read when it is made, replaced as a whole.
#ifndef CLR_API_KEPT_FILE_H
#define CLR_API_KEPT_FILE_H

#include "model/kept_text.h"
#include "runtime/runtime.h"

// What sort of file: "tuning" and how it begins; why a stale one is of no use; whether its device is known by the facts
// that it reports, not by those in use.
struct clr_kept_kind {
  const char *name, *begin, *stale;
  bool by_reported;
};

// Reads a file and hands it to `take`. One that is of no use is noted in `said` and in the log, and no failure.
void clr_kept_load(clred_runtime *runtime, const struct clr_kept_kind *kind, const char *file, struct clr_text *said,
                   enum clr_tuning_state (*take)(clred_runtime *runtime, const char *bytes, size_t length,
                                                 const struct clr_tuning_key *key));

// Replaces a file by what `write` makes of it (`old` NULL: of nothing); under the runtime's lock.
cl_int clr_kept_save(clred_runtime *runtime, const struct clr_kept_kind *kind, const char *file,
                     void (*write)(clred_runtime *runtime, const char *old, size_t length,
                                   const struct clr_tuning_key *key, struct clr_text *text),
                     struct clr_status *status);

#endif
