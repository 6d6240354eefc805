// Programs of one device. Each text is built or loaded once and kept in a list.
#pragma once

#include <stdatomic.h>

#include "base/status.h"
#include "cache/binary_cache.h"

struct clr_built {
  struct clr_built *next;
  cl_program program;
  char *text;
  bool opencl_3;
  atomic_bool launched;  // one of its kernels was launched; any thread may set this while others build or save
  bool cached;           // the cache has it
};

// A line about a program, by the name of its file in the cache (trust.c).
struct clr_note {
  struct clr_note *next;
  char name[CLR_RECORD_NAME_SIZE];
  char words[CLR_MESSAGE_SIZE];
  bool is_saved;  // the cache has it, or there is no cache
};

struct clr_programs {
  cl_context context;
  cl_device_id device;
  const char *options;  // the caller's build options; "" if none
  bool rounds_divide;
  bool late;  // the driver also compiles at a kernel's first launch, so binaries are saved after it
  struct clr_binary_cache cache;
  struct clr_built *first;
  struct clr_note *notes;
  struct clr_note *begun;  // the note of the trial that began last; NULL: none
  bool is_alone;           // this process only tries programs for a parent; trials in which processes ended are ignored
  void (*noted)(const struct clr_note *note, void *user_data);  // called for each new note; NULL: not called
  void *user_data;
  size_t builds;         // successful builds from text
  size_t failed_trials;  // failed trials in this process; lack of memory is no failure
  size_t loads;          // programs loaded from the cache
  struct clr_text log;   // the compiler's log of the last build
};

// Finds the program of this text in the list, or loads it, or builds it, as OpenCL C 3.0 if `opencl_3` is set. The list
// owns the program.
cl_int clr_programs_get(struct clr_programs *programs, const char *text, bool opencl_3, struct clr_built **built,
                        struct clr_status *status);

// Appends the program's text behind a comment with its build options.
void clr_programs_source(const struct clr_programs *programs, const struct clr_built *built, struct clr_text *text);

// --- trust.c: what trials found out about programs; kept for this process and, in the cache, for others ---

// What to do with a program that no trial has found right. NOTHING: build it. KNOWN: return CLR_UNTRIED. BEGIN: write a
// note that the trial begins, then build the program. If the process ends in the trial, the note remains. KNOWN and
// BEGIN return CLRED_WRONG_RESULT if a trial found the program wrong, or if two processes ended in its trial.
enum clr_vetting { CLR_VET_NOTHING, CLR_VET_KNOWN, CLR_VET_BEGIN };
struct clr_vet {
  enum clr_vetting vetting;
  unsigned cover;  // stands for what a trial of the plan covers; programs are tried again for another cover
};
#define CLR_UNTRIED (-4999)  // a status that never leaves the library

// `title` names the program in messages: "chunked of argmin".
cl_int clr_programs_vet(struct clr_programs *programs, const char *title, const char *options, const char *text,
                        const struct clr_vet *vet, bool *is_right, struct clr_status *status);

// Ends the trial of a program. CL_SUCCESS: it is right. CLRED_WRONG_RESULT: it is wrong, and `why` says how. Another
// status: no verdict was reached; if `why` is given, this runtime does not try the program again.
void clr_programs_judge(struct clr_programs *programs, const char *options, const char *text, unsigned cover,
                        cl_int err, const char *why);
bool clr_note_failed(const struct clr_note *note);  // the note says that a trial failed

// Reports to the parent process that a trial goes on, and with which call: "kernel clred_wide_elements, 17 elements".
// Does nothing in a process without such a parent.
void clr_programs_beat(struct clr_programs *programs, const char *what);

// The title of the program if the note says that a trial began; otherwise NULL.
const char *clr_note_begun(const struct clr_note *note);

// Adds or replaces a note for this process. Does nothing if memory is out. A note that is not saved goes to the cache
// when the program is vetted.
void clr_note_put(struct clr_programs *programs, const char *name, const char *words, bool is_saved);
void clr_notes_release(struct clr_programs *programs);

void clr_programs_release(struct clr_programs *programs);
