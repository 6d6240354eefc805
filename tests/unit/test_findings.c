// Tests findings: their files, and the facts and choices that follow from them; also the stored bits that the selftest
// compares with. The devices are lists of facts (devices.h); no device is opened.
#include "grid/bits_table.h"
#include "model/findings.h"
#include "selftest/probe_plans.h"
#include "support/suite.h"
#include "unit/kept_file.h"
#include "unit/shapes.h"

// ---------------------------------------------------------------- Rows and facts

TEST(findings_of_one_fact_are_joined) {
  struct clr_findings findings = {.count = 0};
  struct clr_facts facts = facts_of(CPU, 0);
  clr_finding_add(&findings, "local_mem_size", 4096, "once");
  clr_finding_add(&findings, "local_mem_size", 8192, "twice");
  clr_finding_add(&findings, "avoided", 4, "third");
  clr_finding_add(&findings, "avoided", 8, "fourth\nline");
  clr_finding_add(&findings, "types", CLR_ALL_TYPES & ~(cl_ulong)2, "char");
  clr_finding_add(&findings, "types", CLR_ALL_TYPES & ~(cl_ulong)4, "uchar");
  clr_finding_add(&findings, "no such fact", 4, "none");
  ck_assert_uint_eq(findings.count, 3);
  clr_findings_apply(&findings, &facts);
  ck_assert_uint_eq(facts.local_mem_size, 4096);
  ck_assert_uint_eq(facts.avoided, 12);
  ck_assert_uint_eq(facts.types, CLR_ALL_TYPES & ~(cl_ulong)6);
  ck_assert_str_eq(findings.rows[1].why, "third; fourth line");
}

TEST(nothing_becomes_larger) {
  struct clr_findings findings = {.count = 0};
  struct clr_facts facts = facts_of(WITHOUT_DOUBLE, 0), before = facts;
  clr_finding_add(&findings, "local_mem_size", 1 << 30, "more");
  clr_finding_add(&findings, "fp64", 1, "there");
  clr_finding_add(&findings, "max_work_group_size", 1 << 20, "more");
  clr_findings_apply(&findings, &facts);
  ck_assert_mem_eq(&facts, &before, sizeof facts);
}

// ---------------------------------------------------------------- Files

static struct clr_text file_of(const struct clr_text *old, const struct clr_tuning_key *key, cl_ulong local) {
  struct clr_findings findings = {.count = 0};
  struct clr_text text = {0};
  if (local)
    clr_finding_add(&findings, "local_mem_size", local, "because, of course");
  clr_findings_write(old ? old->bytes : NULL, old ? old->length : 0, key, &findings, &text);
  ck_assert(!text.failed);
  return text;
}

static enum clr_tuning_state read_file(const struct clr_text *text, size_t length, const struct clr_tuning_key *key,
                                       cl_ulong *local) {
  struct clr_findings findings = {.count = 0};
  enum clr_tuning_state state = clr_findings_read(text->bytes, length, key, &findings);
  *local = findings.count ? findings.rows[0].value : 0;
  ck_assert(state == CLR_TUNING_FOUND || findings.count == 0);
  return state;
}

TEST(what_is_written_is_read) {
  struct clr_tuning_key there = here, newer = here;
  cl_ulong local;
  strcpy(there.device, "another");
  strcpy(newer.driver, "driver 2");
  struct clr_text first = file_of(NULL, &here, 4096), second = file_of(&first, &there, 0),
                  third = file_of(&second, &here, 2048);
  ck_assert_int_eq(read_file(&first, first.length, &here, &local), CLR_TUNING_FOUND);
  ck_assert_uint_eq(local, 4096);
  ck_assert_int_eq(read_file(&first, first.length, &there, &local), CLR_TUNING_ABSENT);
  ck_assert_int_eq(read_file(&first, first.length, &newer, &local), CLR_TUNING_STALE);
  ck_assert_int_eq(read_file(&third, third.length, &there, &local), CLR_TUNING_FOUND);
  ck_assert_int_eq(read_file(&third, third.length, &here, &local), CLR_TUNING_FOUND);
  ck_assert_uint_eq(local, 2048);
  clr_text_release(&first);
  clr_text_release(&second);
  clr_text_release(&third);
}

TEST(damage_shows) {
  struct clr_text text = file_of(NULL, &here, 4096);
  cl_ulong local;
  for (size_t i = 0; i < text.length; i++) {
    ck_assert_int_ne(read_file(&text, i, &here, &local), CLR_TUNING_FOUND);
    text.bytes[i] ^= 4;
    ck_assert_int_ne(read_file(&text, text.length, &here, &local), CLR_TUNING_FOUND);
    text.bytes[i] ^= 4;
  }
  ck_assert_int_eq(read_file(&text, text.length, &here, &local), CLR_TUNING_FOUND);
  clr_text_release(&text);
}

// ---------------------------------------------------------------- What is chosen

// The strategy that auto takes, or "refused"; "?" if the refusal has no sentence.
static const char *chosen(const struct clr_facts *facts, const clred_problem *given, struct clr_shape *shape) {
  struct clr_problem problem = problem_of(given);
  struct clr_status status;
  const struct clr_strategy *strategy = clr_strategy_auto(facts, &problem);
  cl_int err = clr_strategy_fit(strategy, facts, &problem, shape, &status);
  clr_problem_release(&problem);
  return err ? status.sentence[0] ? "refused" : "?" : strategy->name;
}

static const clred_histogram bins = {.bins = 8, .low = 0, .high = 8};
static const clred_problem reduction = {OF(SUM, FLOAT)}, scan = {OF(SUM, FLOAT), .scan = CLRED_SCAN_INCLUSIVE},
                           counts = {.type = CLRED_TYPE_FLOAT, .histogram = &bins},
                           segments = {.type = CLRED_TYPE_FLOAT,
                                       .op = CLRED_OP_SUM,
                                       .layout = CLRED_LAYOUT_SEGMENTS,
                                       .segment_type = CLRED_TYPE_UINT};

TEST(auto_avoids_what_is_wrong) {
  struct clr_facts gpu = facts_of(GPU, 0), cpu = facts_of(CPU, 0), facts = gpu;
  struct clr_shape shape;
  ck_assert_str_eq(chosen(&gpu, &reduction, &shape), "wide");
  ck_assert_int_eq(shape.finish, CLR_FINISH_LAST_GROUP);
  facts.atomics = 0;
  clr_facts_make_sane(&facts);
  ck_assert_str_eq(chosen(&facts, &reduction, &shape), "wide");
  ck_assert_int_eq(shape.finish, CLR_FINISH_RELAUNCH);
  ck_assert_str_eq(chosen(&facts, &scan, &shape), "scan_reduce_then_scan");
  ck_assert_str_eq(chosen(&facts, &counts, &shape), "histogram_chunked");
  facts = gpu;
  facts.local_atomics = 0;
  ck_assert_str_eq(chosen(&facts, &counts, &shape), "histogram_atomic");
  ck_assert_str_eq(chosen(&facts, &segments, &shape), "segments_chunked");
  facts = cpu;
  facts.avoided =
    clr_strategy_bit(clr_strategy_named("chunked")) | clr_strategy_bit(clr_strategy_named("scan_chunked"));
  ck_assert_str_eq(chosen(&facts, &reduction, &shape), "wide");
  ck_assert_str_eq(chosen(&facts, &scan, &shape), "scan_reduce_then_scan");
  facts.avoided |= clr_strategy_bit(clr_strategy_named("wide"));
  ck_assert_str_eq(chosen(&facts, &reduction, &shape), "refused");
  facts = cpu;
  facts.types &= ~((cl_ulong)1 << CLRED_TYPE_FLOAT);
  ck_assert_str_eq(chosen(&facts, &reduction, &shape), "refused");
  facts = cpu;
  facts.loop_trips = 65535;
  ck_assert_str_eq(chosen(&facts, &scan, &shape), "scan_reduce_then_scan");
  ck_assert_str_eq(chosen(&facts, &reduction, &shape), "chunked");
  ck_assert_uint_gt(shape.count_most, 100000000);
}

// ---------------------------------------------------------------- Stored bits

// Counts the stored rows of this entry of the file. The bytes of a word are in little-endian order.
static void find_stored(void *found, struct bits_entry *entry) {
  char type[16], op[16];
  ck_assert_int_eq(sscanf(entry->name, "%15[^_]_%15s", type, op), 2);
  for (size_t i = 0; i < clr_stored_bits_count; i++) {
    const struct clr_stored_bits *row = &clr_stored_bits[i];
    char word[BITS_WORD_MAX] = "";
    if (clred_type_from_name(type) != row->type || clred_op_from_name(op) != row->op || entry->count != row->count ||
        entry->offset != row->offset)
      continue;
    const size_t digits = strlen(entry->word);
    ck_assert_uint_le(digits, 16);
    for (size_t digit = 0; digit < digits; digit += 2)
      snprintf(word + digit, 3, "%02x", (unsigned)(row->bits >> 4 * digit & 255));
    ck_assert_str_eq(word, entry->word);
    ck_assert(digits == 16 || row->bits >> 4 * digits == 0);
    ++*(size_t *)found;
  }
}

TEST(stored_bits_are_those_of_the_file) {
  size_t found = 0;
  ck_assert(bits_table_read(CLREDUCE_TEST_BITS, find_stored, &found));
  ck_assert_uint_eq(found, clr_stored_bits_count);
}
