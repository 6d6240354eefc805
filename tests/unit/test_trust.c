// Records of trials: a process that ended in a trial, one that still runs, one of another machine.

#include "support/suite.h"

#include <sys/wait.h>
#include <unistd.h>

#include "platform/files.h"
#include "runtime/program.h"

static struct clr_programs programs;

static void begin(void) {
  programs = (struct clr_programs){.options = ""};
}

static void end(void) {
  clr_notes_release(&programs);
}

static void put(const char *words) {
  char name[CLR_RECORD_NAME_SIZE];
  clr_cache_note_name(&programs.cache, "options cover 3", "text", name);
  clr_note_put(&programs, name, words, true);
}

static cl_int vet(enum clr_vetting vetting, bool *is_right) {
  struct clr_status status = {0};
  return clr_programs_vet(&programs, "chunked of sum", "options", "text", &(struct clr_vet){vetting, 3}, is_right,
                          &status);
}

// The note of a process on this machine.
static void put_begun(unsigned times, long process, const char *machine) {
  char words[200];
  snprintf(words, sizeof words, "begun %u %ld %s chunked of sum", times, process, machine);
  put(words);
}

// A process number that no process has: a child that ended.
static long ended_process(void) {
  const pid_t child = fork();
  if (child == 0)
    _exit(0);
  ck_assert_int_eq(waitpid(child, NULL, 0), child);
  return (long)child;
}

TEST_CASE("trust", begin, end);

TEST(verdicts) {
  bool is_right;
  ck_assert_int_eq(vet(CLR_VET_NOTHING, &is_right), CL_SUCCESS);
  ck_assert(!is_right);
  ck_assert_int_eq(vet(CLR_VET_KNOWN, &is_right), CLR_UNTRIED);
  put("right");
  ck_assert_int_eq(vet(CLR_VET_KNOWN, &is_right), CL_SUCCESS);
  ck_assert(is_right);
  put("wrong it adds");
  ck_assert_int_eq(vet(CLR_VET_BEGIN, &is_right), CLRED_WRONG_RESULT);
  put("open");
  ck_assert_int_eq(vet(CLR_VET_KNOWN, &is_right), CLR_UNTRIED);
  put("nonsense");
  ck_assert_int_eq(vet(CLR_VET_KNOWN, &is_right), CLR_UNTRIED);
}

TEST(two_processes_that_ended_rule_a_program_out) {
  char machine[64];
  bool is_right;
  clr_os_machine_name(machine, sizeof machine);
  const long ended = ended_process();
  put_begun(0, ended, machine);
  ck_assert_int_eq(vet(CLR_VET_BEGIN, &is_right), CL_SUCCESS);  // and notes that this process begins
  put_begun(1, (long)getpid(), machine);
  ck_assert_int_eq(vet(CLR_VET_BEGIN, &is_right), CL_SUCCESS);  // that process still runs
  put_begun(1, ended, "elsewhere");
  ck_assert_int_eq(vet(CLR_VET_BEGIN, &is_right), CL_SUCCESS);  // it may still run
  put_begun(1, ended, machine);
  ck_assert_int_eq(vet(CLR_VET_BEGIN, &is_right), CLRED_WRONG_RESULT);
  programs.is_alone = true;
  ck_assert_int_eq(vet(CLR_VET_BEGIN, &is_right), CL_SUCCESS);  // this process may end in it, too
}

TEST(a_trial_that_ends_leaves_its_verdict) {
  bool is_right;
  ck_assert_int_eq(vet(CLR_VET_BEGIN, &is_right), CL_SUCCESS);
  ck_assert_ptr_nonnull(clr_note_begun(programs.notes));
  ck_assert_str_eq(clr_note_begun(programs.notes), "chunked of sum");
  clr_programs_judge(&programs, "options", "text", 3, CL_OUT_OF_RESOURCES, NULL);
  ck_assert_int_eq(vet(CLR_VET_KNOWN, &is_right), CLR_UNTRIED);
  clr_programs_judge(&programs, "options", "text", 3, CL_OUT_OF_RESOURCES, "why");
  ck_assert_int_eq(vet(CLR_VET_BEGIN, &is_right), CLRED_WRONG_RESULT);
  ck_assert(clr_note_failed(programs.notes));
  clr_programs_judge(&programs, "options", "text", 3, CL_SUCCESS, NULL);
  ck_assert_int_eq(vet(CLR_VET_KNOWN, &is_right), CL_SUCCESS);
  ck_assert(is_right);
  clr_programs_judge(&programs, "options", "text", 3, CLRED_WRONG_RESULT, "why");
  ck_assert_int_eq(vet(CLR_VET_KNOWN, &is_right), CLRED_WRONG_RESULT);
  ck_assert_ptr_null(clr_note_begun(programs.notes));
}
