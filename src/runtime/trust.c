// Keeps what trials found out about programs, in one note for each program: "right", "wrong WHY", "begun TIMES PROCESS
// MACHINE TITLE", "open", or "failed WHY". Notes are kept in memory for this process, and next to the cached binaries
// for other processes. There "open" is written instead of "failed WHY".
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/files.h"
#include "runtime/program.h"

// A program whose trial this many processes did not survive is taken for wrong. One process may have been stopped by
// its user.
#define ENDED_MAX 2
#define MACHINE_SIZE 64

static const char right[] = "right", wrong_begins[] = "wrong ", begun[] = "begun", open[] = "open",
                  failed_begins[] = "failed ";

// ---------------------------------------------------------------- The list

static struct clr_note *find(const struct clr_programs *programs, const char *name) {
  struct clr_note *note = programs->notes;
  while (note && strcmp(note->name, name) != 0)
    note = note->next;
  return note;
}

void clr_note_put(struct clr_programs *programs, const char *name, const char *words, bool is_saved) {
  struct clr_note *note = find(programs, name);
  if (!note && !(note = calloc(1, sizeof *note)))
    return;
  if (!*note->name) {
    clr_text_copy(name, note->name, sizeof note->name);
    note->next = programs->notes;
    programs->notes = note;
  }
  clr_text_copy(words, note->words, sizeof note->words);
  note->is_saved = is_saved;
}

void clr_notes_release(struct clr_programs *programs) {
  while (programs->notes) {
    struct clr_note *note = programs->notes;
    programs->notes = note->next;
    free(note);
  }
}

// ---------------------------------------------------------------- One note

// A program with another cover counts as another program.
static struct clr_text covered(const char *options, unsigned cover) {
  struct clr_text text = {0};
  clr_text_format(&text, "%s cover %u", options, cover);
  return text;
}

// Finds the note of a program in memory or in the cache. NULL if there is none.
static struct clr_note *note_of(struct clr_programs *programs, const char *options, const char *text) {
  char name[CLR_RECORD_NAME_SIZE];
  struct clr_text words = {0};
  clr_cache_note_name(&programs->cache, options, text, name);
  if (!find(programs, name)) {
    clr_cache_note_load(&programs->cache, options, text, &words);
    if (words.bytes && !words.failed)
      clr_note_put(programs, name, words.bytes, true);
    clr_text_release(&words);
  }
  return find(programs, name);
}

static bool begins_with(const char *words, const char *with) {
  return strncmp(words, with, strlen(with)) == 0;
}

bool clr_note_failed(const struct clr_note *note) {
  return begins_with(note->words, failed_begins);
}

static void save(struct clr_programs *programs, const char *options, const char *text, const char *words) {
  clr_cache_note_save(&programs->cache, options, text, begins_with(words, failed_begins) ? open : words);
}

static void write(struct clr_programs *programs, const char *options, const char *text, const char *words) {
  char name[CLR_RECORD_NAME_SIZE];
  clr_cache_note_name(&programs->cache, options, text, name);
  clr_note_put(programs, name, words, true);
  save(programs, options, text, words);
  struct clr_note *note = find(programs, name);
  programs->begun = note && begins_with(words, begun) ? note : NULL;
  if (programs->noted && note)
    programs->noted(note, programs->user_data);
}

void clr_programs_beat(struct clr_programs *programs, const char *what) {
  if (!programs->noted || !programs->begun)
    return;
  struct clr_note now = *programs->begun;
  const size_t length = strlen(now.words);
  snprintf(now.words + length, sizeof now.words - length, ", %s", what);
  programs->noted(&now, programs->user_data);
}

// The number of processes of this machine that ended in the trial. Processes of another machine and processes that
// still run do not count: they may be in the trial now.
static unsigned ended_in(const struct clr_note *note) {
  char machine[MACHINE_SIZE], here[MACHINE_SIZE];
  unsigned times = 0;
  long process = 0;
  clr_os_machine_name(here, sizeof here);
  if (!note || sscanf(note->words, "begun %u %ld %63s", &times, &process, machine) != 3 || strcmp(machine, here) != 0)
    return 0;
  return times + !clr_os_process_runs(process);
}

const char *clr_note_begun(const struct clr_note *note) {
  const char *at = begins_with(note->words, begun) ? note->words : NULL;
  for (int i = 0; i < 4 && at; i++)
    at = strchr(at + 1, ' ');
  return at ? at + 1 : NULL;
}

static cl_int begin(struct clr_programs *programs, const char *title, const char *options, const char *text,
                    struct clr_status *status) {
  const unsigned ended = programs->is_alone ? 0 : ended_in(note_of(programs, options, text));
  char words[CLR_MESSAGE_SIZE], here[MACHINE_SIZE];
  if (ended >= ENDED_MAX)
    return clr_fail(status, CLRED_WRONG_RESULT,
                    "%s: %u processes ended while the driver compiled or ran it for a trial", title, ended);
  clr_os_machine_name(here, sizeof here);
  snprintf(words, sizeof words, "%s %u %ld %s %s", begun, ended, clr_os_process_number(), *here ? here : "-", title);
  write(programs, options, text, words);
  return CL_SUCCESS;
}

static cl_int vet_as(struct clr_programs *programs, const char *title, const char *options, const char *text,
                     enum clr_vetting vetting, bool *is_right, struct clr_status *status) {
  struct clr_note *note = note_of(programs, options, text);
  if (note && !note->is_saved) {
    save(programs, options, text, note->words);
    note->is_saved = true;
  }
  *is_right = note && strcmp(note->words, right) == 0;
  if (*is_right)
    return CL_SUCCESS;
  if (note && begins_with(note->words, wrong_begins))
    return clr_fail(status, CLRED_WRONG_RESULT, "%s", note->words + strlen(wrong_begins));
  if (note && clr_note_failed(note))
    return clr_fail(status, CLRED_WRONG_RESULT, "%s", note->words + strlen(failed_begins));
  return vetting == CLR_VET_KNOWN ? clr_fail(status, CLR_UNTRIED, "no trial of the program is known")
                                  : begin(programs, title, options, text, status);
}

cl_int clr_programs_vet(struct clr_programs *programs, const char *title, const char *options, const char *text,
                        const struct clr_vet *vet, bool *is_right, struct clr_status *status) {
  *is_right = false;
  if (vet->vetting == CLR_VET_NOTHING)
    return CL_SUCCESS;
  struct clr_text key = covered(options, vet->cover);
  cl_int err = key.failed ? clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for the record of a trial")
                          : vet_as(programs, title, key.bytes, text, vet->vetting, is_right, status);
  clr_text_release(&key);
  return err;
}

void clr_programs_judge(struct clr_programs *programs, const char *options, const char *text, unsigned cover,
                        cl_int err, const char *why) {
  struct clr_text key = covered(options, cover);
  char words[CLR_MESSAGE_SIZE];
  const char *begins = err == CLRED_WRONG_RESULT ? wrong_begins : why ? failed_begins : open;
  snprintf(words, sizeof words, "%s%s", err ? begins : right, err && why ? why : "");
  programs->failed_trials += err && err != CL_OUT_OF_HOST_MEMORY && err != CL_MEM_OBJECT_ALLOCATION_FAILURE;
  if (!key.failed)
    write(programs, key.bytes, text, words);
  clr_text_release(&key);
}
