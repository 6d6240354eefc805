// Elements of problems, and what calls over them must give: see material.h.

#include "support/material.h"

// ---------------------------------------------------------------- Elements

struct material material_create(const struct sample *of, size_t length) {
  random_state random = random_seed(length);
  struct material made = {.problem = {.custom = &of->op}, .of = of, .length = length};
  made.size = of->element, made.input_size = of->input;
  made.parameters = of->parameter ? &of->parameter : NULL;
  snprintf(made.name, sizeof made.name, "%s", of->op.name);
  made.elements = claim(length * of->element);
  sample_fill(of, false, made.elements, length, &random);
  made.in = fixture_buffer(made.elements, length * of->element);
  if (of->input) {
    made.input = claim(length * of->input);
    sample_fill(of, true, made.input, length, &random);
    made.input_buffer = fixture_buffer(made.input, length * of->input);
  }
  return made;
}

struct material material_of_problem(const clred_problem *problem, size_t length, unsigned binades, unsigned bits) {
  struct material made = {.problem = *problem, .length = length};
  snprintf(made.name, sizeof made.name, "%s of %s", op_name(problem->op), type_name(problem->type));
  made.size = made.input_size = oracle_size(problem->type);
  made.elements = OWN(random_elements(problem->type, length, 1, binades, bits));
  made.in = fixture_buffer(made.elements, length * made.size);
  if (oracle_is_dot(problem->op)) {
    made.input = OWN(random_elements(problem->type, length, 2, binades, bits));
    made.input_buffer = fixture_buffer(made.input, length * made.size);
  }
  return made;
}

clred_call material_call(const struct material *material, const cl_ulong *first, cl_ulong count) {
  return (clred_call)CALL(.in = material->in, .in_offset = *first,
                          .inputs = material->input ? &material->input_buffer : NULL,
                          .input_offsets = material->input ? first : NULL, .count = count);
}

clred_host_call material_host_call(const struct material *material, cl_ulong first, cl_ulong count,
                                   const void **input) {
  *input = material->input ? material->input + first * material->input_size : NULL;
  return (clred_host_call)CALL(.in = material->elements + first * material->size, .inputs = *input ? input : NULL,
                               .count = count);
}

// ---------------------------------------------------------------- Expected results

static struct sample_row row_of(const struct material *material, const struct row *row) {
  const struct sample *of = material->of;
  return (struct sample_row){material->elements + row->first * of->element,
                             of->input ? material->input + row->input_first * of->input : NULL, row->stride,
                             row->count};
}

void material_fold(const struct material *material, const struct row *row, void *result) {
  const struct sample_row of = row_of(material, row);
  sample_fold(material->of, &of, result);
}

void material_scan(const struct material *material, const struct row *row, const oracle_scan *scan, void *results) {
  const struct sample_row of = row_of(material, row);
  sample_scan(material->of, &of, scan, results);
}

static const oracle_tree fixed_order = {.strategy = "wide"};

// The elements of the row, one after the other; NULL if there are none to take them from.
static unsigned char *gather(const unsigned char *from, size_t size, uint64_t first, const struct row *row) {
  unsigned char *row_alone = from ? claim(row->count * size) : NULL;
  for (uint64_t i = 0; from && i < row->count; i++)
    memcpy(row_alone + i * size, from + (first + i * row->stride) * size, size);
  return row_alone;
}

struct answer material_answer_of_row(const struct material *material, const struct row *row) {
  struct answer answer = {.count = row->count};
  if (material->of) {
    material_fold(material, row, answer.bytes);
    return answer;
  }
  unsigned char *x = gather(material->elements, material->size, row->first, row);
  unsigned char *y = gather(material->input, material->size, row->input_first, row);
  oracle_solve(&material->problem, x, y, row->count, &fixed_order, &answer.parts);
  RELEASE(x, y);
  return answer;
}

struct answer material_answer(const struct material *material, cl_ulong count) {
  return material_answer_of_row(material, &(struct row){.stride = 1, .count = count});
}

void material_check_answer(const struct material *material, const struct answer *answer, const void *result,
                           const char *what) {
  char text[400] = "other bits";
  const bool same = material->of ? memcmp(result, answer->bytes, material->of->result) == 0
                                 : oracle_same(&answer->parts, result, text, sizeof text);
  ck_assert_msg(same, "%s, %" PRIu64 " elements %s: %s", material->name, (uint64_t)answer->count, what, text);
}

unsigned char *material_scan_all(const struct material *material, const oracle_scan *scan, cl_ulong count,
                                 size_t result) {
  static const oracle_tree tree = {.strategy = "scan_chunked"};
  unsigned char *results = claim(count * result);
  if (material->of)
    material_scan(material, &(struct row){.stride = 1, .count = count}, scan, results);
  else
    oracle_solve_scan(&material->problem, scan, material->elements, material->input, count, &tree, results);
  return results;
}
