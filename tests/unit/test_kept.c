// Facts, findings and tunings with long names, many rows and damaged files: texts are cut and rows are refused. No
// device is opened.
#include "model/findings.h"
#include "model/tuning.h"
#include "support/suite.h"
#include "unit/kept_file.h"

// `count` letters and then `end`; valid until the next call.
static const char *letters(size_t count, const char *end) {
  static char text[2048];
  memset(text, 'y', count);
  strcpy(text + count, end);
  return text;
}

// ---------------------------------------------------------------- Facts

// An older version has no fence of OpenCL C 3.0. The fence by inline PTX does not depend on the version.
TEST(older_versions_have_no_fence) {
  struct clr_facts facts = {.opencl_version = 300, .device_fence = CLR_FENCE_C11, .atomics = 1};
  struct clr_status status;
  ck_assert_int_eq(clr_facts_assume(&facts, "opencl_version=300", &status), CL_SUCCESS);
  ck_assert_uint_eq(facts.device_fence, CLR_FENCE_C11);
  ck_assert_int_eq(clr_facts_assume(&facts, "opencl_version=120", &status), CL_SUCCESS);
  ck_assert_uint_eq(facts.opencl_version, 120);
  ck_assert_uint_eq(facts.device_fence, CLR_FENCE_NONE);
  facts = (struct clr_facts){.opencl_version = 300, .device_fence = CLR_FENCE_PTX, .atomics = 1};
  ck_assert_int_eq(clr_facts_assume(&facts, "opencl_version=120", &status), CL_SUCCESS);
  ck_assert_uint_eq(facts.device_fence, CLR_FENCE_PTX);
}

// A sentence quotes at most a hundred letters of a wrong word.
TEST(long_words_are_cut_in_sentences) {
  struct clr_facts facts = {.atomics = 1};
  struct clr_status status;
  char quoted[128] = "'";
  strcat(strcat(quoted, letters(100, "")), "'");
  ck_assert_int_eq(clr_facts_assume(&facts, letters(120, ""), &status), CLRED_INVALID_ARGUMENT);
  ck_assert_msg(strstr(status.sentence, quoted) && strstr(status.sentence, "FACT=VALUE"), "%s", status.sentence);
  ck_assert_int_eq(clr_facts_assume(&facts, letters(120, "=1"), &status), CLRED_UNKNOWN_NAME);
  ck_assert_msg(strstr(status.sentence, quoted) && strstr(status.sentence, "no fact"), "%s", status.sentence);
  ck_assert_int_eq(clr_facts_assume(&facts, letters(99, "=1"), &status), CLRED_UNKNOWN_NAME);
  ck_assert_msg(strstr(status.sentence, letters(99, "'")), "%s", status.sentence);
}

// ---------------------------------------------------------------- Findings

TEST(reasons_are_lines_without_repetition) {
  struct clr_findings findings = {.count = 0};
  char both[256] = "a b; ";
  clr_finding_add(&findings, "avoided", 4,
                  "a\x7f"
                  "b");
  ck_assert_str_eq(findings.rows[0].why, "a b");
  clr_finding_add(&findings, "avoided", 8, "a b");
  ck_assert_str_eq(findings.rows[0].why, "a b");
  // A reason that does not fit after the first one is left out. Its value is still added.
  clr_finding_add(&findings, "avoided", 16, letters(CLR_FINDING_WHY - 1, ""));
  ck_assert_str_eq(findings.rows[0].why, "a b");
  ck_assert_uint_eq(findings.rows[0].value, 4 | 8 | 16);
  clr_finding_add(&findings, "avoided", 16, letters(190, ""));
  ck_assert_str_eq(findings.rows[0].why, strcat(both, letters(190, "")));
  ck_assert_uint_eq(findings.count, 1);
}

TEST(findings_are_compared_by_facts_and_values) {
  struct clr_findings lists[4] = {{.count = 0}};
  clr_finding_add(&lists[0], "avoided", 4, "why");
  clr_finding_add(&lists[0], "local_mem_size", 4096, "why");
  clr_finding_add(&lists[1], "local_mem_size", 4096, "another why");
  clr_finding_add(&lists[1], "avoided", 4, "why");
  clr_finding_add(&lists[2], "avoided", 4, "why");
  clr_finding_add(&lists[2], "local_mem_size", 2048, "why");
  clr_finding_add(&lists[3], "avoided", 4, "why");
  clr_finding_add(&lists[3], "loop_trips", 4096, "why");
  ck_assert(clr_findings_same(&lists[0], &lists[1]));
  ck_assert(!clr_findings_same(&lists[0], &lists[2]));
  ck_assert(!clr_findings_same(&lists[0], &lists[3]));
  ck_assert(!clr_findings_same(&lists[3], &lists[0]));
  lists[3].count = 1;
  ck_assert(!clr_findings_same(&lists[0], &lists[3]));
  ck_assert(!clr_findings_same(&lists[3], &lists[0]));
}

// ---------------------------------------------------------------- Files

#define BEGIN CLR_FINDINGS_BEGIN "\n"

static enum clr_tuning_state read_forged(const char *body, struct clr_findings *findings) {
  size_t length = strlen(body);
  char *bytes = with_checksum(body, &length);
  *findings = (struct clr_findings){.count = 0};
  enum clr_tuning_state state = clr_findings_read(bytes, length, &here, findings);
  free(bytes);
  return state;
}

TEST(malformed_rows_are_damage) {
  static const char bad[] = "other x|fact|fact |fact nosuch 1 w|facts avoided 1 w|fact avoided|fact avoided  w|"
                            "fact avoided x w|fact avoided -1 w|fact avoided 1234567890123456 w|";
  struct clr_findings findings;
  char body[1024], row[256];
  ck_assert_int_eq(read_forged(BEGIN KEY "fact avoided 6 w w\nend\n", &findings), CLR_TUNING_FOUND);
  ck_assert_uint_eq(findings.count, 1);
  ck_assert_uint_eq(findings.rows[0].value, 6);
  ck_assert_str_eq(findings.rows[0].why, "w w");
  for (const char *at = NULL; next_part(bad, &at, row);) {
    // The good row before it is refused, too.
    snprintf(body, sizeof body, BEGIN KEY "fact avoided 1 w\n%s\nend\n", row);
    ck_assert_msg(read_forged(body, &findings) == CLR_TUNING_DAMAGED && findings.count == 0, "%s", row);
  }
  for (size_t length = CLR_FINDING_WHY - 1; length <= CLR_FINDING_WHY; length++) {
    snprintf(body, sizeof body, BEGIN KEY "fact avoided 1 %s\nend\n", letters(length, ""));
    ck_assert_int_eq(read_forged(body, &findings), length < CLR_FINDING_WHY ? CLR_TUNING_FOUND : CLR_TUNING_DAMAGED);
  }
}

TEST(files_too_short_and_too_long_are_damage) {
  static const char begin[] = BEGIN "device ",
                    end[] = "\nplatform p\ndriver d\nlibrary l\nfacts f\nend\n" KEY "fact avoided 1 w\nend\n";
  const size_t sum_length = strlen("check 0123456789abcdef\n"), most = CLR_KEPT_FILE_MAX - sum_length;
  struct clr_findings findings = {.count = 0};
  ck_assert_int_eq(clr_findings_read(BEGIN, strlen(BEGIN), &here, &findings), CLR_TUNING_DAMAGED);
  ck_assert_int_eq(clr_findings_read(BEGIN "check 0123", strlen(BEGIN "check 0123"), &here, &findings),
                   CLR_TUNING_DAMAGED);
  // The section of another device with the longest name that fits the file, and with one letter more.
  for (size_t length = most; length <= most + 1; length++) {
    char *body = malloc(length + 1), *name = body + strlen(begin);
    ck_assert_ptr_nonnull(body);
    strcpy(body, begin);
    memset(name, 'y', length - strlen(begin) - strlen(end));
    strcpy(body + length - strlen(end), end);
    ck_assert_int_eq(read_forged(body, &findings), length == most ? CLR_TUNING_FOUND : CLR_TUNING_DAMAGED);
    ck_assert_uint_eq(findings.count, length == most);
    free(body);
  }
}

// ---------------------------------------------------------------- Tunings

TEST(lines_of_a_key_are_cut_and_plain) {
  char line[CLR_TUNING_LINE];
  clr_tuning_key_line(line, letters(1000, ""));
  ck_assert_uint_eq(strlen(line), CLR_TUNING_LINE - 1);
  ck_assert_uint_eq(strspn(line, "y"), CLR_TUNING_LINE - 1);
  clr_tuning_key_line(line, "a\x7f"
                            "b\tc");
  ck_assert_str_eq(line, "a b c");
  clr_tuning_key_line(line, "   ");
  ck_assert_str_eq(line, "");
  clr_tuning_key_line(line, "");
  ck_assert_str_eq(line, "");
}

TEST(names_are_cut_to_a_word) {
  const clred_problem given = {.op = CLRED_OP_SUM, .type = CLRED_TYPE_FLOAT};
  struct clr_problem problem;
  struct clr_status status;
  struct clr_tuning_row row;
  char word[CLR_TUNING_WORD];
  ck_assert_int_eq(clr_problem_make(&given, &problem, &status), CL_SUCCESS);
  strcpy(word, letters(CLR_TUNING_WORD - 1, ""));
  problem.operation.name = letters(CLR_TUNING_WORD + 6, "");
  clr_tuning_name("chunked", &problem, &row);
  ck_assert_str_eq(row.op, word);
  ck_assert_str_eq(row.strategy, "chunked");
  ck_assert_str_eq(row.type, "float");
}

TEST(tunings_grow_up_to_a_bound) {
  struct clr_tuning tuning = {0};
  struct clr_tuning_row row = {.strategy = "chunked", .op = "sum", .type = "float"};
  for (row.state_size = 1; row.state_size <= CLR_TUNING_ROWS_MAX; row.state_size++) {
    clr_tuned_set(&row.tuned, CLR_TUNE_GROUPS, row.state_size + 1);
    ck_assert(clr_tuning_put(&tuning, &row));
    ck_assert_uint_eq(tuning.count, row.state_size);
  }
  ck_assert(!clr_tuning_put(&tuning, &row));
  ck_assert_uint_eq(tuning.count, CLR_TUNING_ROWS_MAX);
  ck_assert_ptr_null(clr_tuning_find(&tuning, &row));
  // Growing keeps the earlier rows with their numbers. A row of a full table may be replaced.
  for (row.state_size = 1; row.state_size <= 17; row.state_size++) {
    const struct clr_tuning_row *found = clr_tuning_find(&tuning, &row);
    ck_assert_ptr_nonnull(found);
    ck_assert_uint_eq(found->tuned.values[CLR_TUNE_GROUPS], row.state_size + 1);
  }
  ck_assert(clr_tuning_put(&tuning, &row));
  clr_tuning_release(&tuning);
}
