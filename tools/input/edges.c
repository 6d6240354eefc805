// Edges and ends of 64-bit integers are kept as integers, because a double cannot hold them. All others become doubles.
#include "input/edges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/number.h"
#include "base/wrap.h"

static bool is_long(clred_type type) {
  return type == CLRED_TYPE_LONG || type == CLRED_TYPE_ULONG;
}

static int make_room(struct edges *edges, uint64_t count, size_t size) {
  edges->numbers = calloc(count, sizeof *edges->numbers);
  edges->elements = calloc(count, size);
  if (edges->numbers == NULL || edges->elements == NULL)
    return fail_memory();
  return EXIT_DONE;
}

static void give_edges(struct edges *edges, uint64_t count, bool as_elements) {
  edges->histogram.bins = count - 1;
  if (as_elements)
    edges->histogram.edge_elements = edges->elements;
  else
    edges->histogram.edges = edges->numbers;
}

static int take_list(struct edges *edges, const char *text, const clred_type_info *type) {
  const char *word;
  bool as_elements = is_long(type->type);
  uint64_t count = 0;
  int code = make_room(edges, strlen(text), type->size);
  for (size_t length; !code && list_next(&text, ",", &word, &length); count++) {
    if (!number_parse_part(CLRED_TYPE_DOUBLE, word, length, &edges->numbers[count]))
      code = fail(EXIT_BAD_USE, "--edges: '%.*s' is not a number; give V,V,... or FILE.npy", (int)length, word);
    as_elements = as_elements && number_parse_part(type->type, word, length, edges->elements + count * type->size);
  }
  give_edges(edges, count, as_elements);
  return code;
}

static int take_loaded(struct edges *edges, const struct input *file, const clred_type_info *type) {
  const char *name = file->request.name;
  bool as_elements = is_long(type->type) && file->type.type == type->type;
  if (file->type.components != 1)
    return fail(EXIT_BAD_USE, "--edges %s: holds %s; edges are numbers", name, file->type.name);
  if (file->count < 2)
    return fail(EXIT_BAD_USE, "--edges %s: has %llu edges; give at least two", name, (unsigned long long)file->count);
  int code = make_room(edges, file->count, type->size);
  for (uint64_t i = 0; i < file->count && !code; i++)
    edges->numbers[i] = number_as_double(file->type.type, (const char *)file->data + i * file->type.size);
  if (as_elements && !code)
    memcpy(edges->elements, file->data, (size_t)file->count * type->size);
  give_edges(edges, file->count, as_elements);
  return code;
}

static int take_file(struct edges *edges, const char *path, const clred_type_info *type) {
  struct input file = {.stream.descriptor = -1};
  const struct request request = {.name = path, .format = "npy"};
  struct progress progress;
  progress_begin(&progress, true);
  int code = input_open(&file, &request);
  code = code ? code : input_load(&file, &progress);
  code = code ? code : take_loaded(edges, &file, type);
  input_close(&file);
  return code;
}

// The library compares elements of 64 bits exactly.
static int check_edges(const struct edges *edges, const char *option) {
  char before[NUMBER_TEXT_SIZE], text[NUMBER_TEXT_SIZE];
  const bool exact = edges->histogram.edge_elements != NULL;
  for (uint64_t i = 0; i <= edges->histogram.bins; i++) {
    const double *at = &edges->numbers[i];
    number_double_text(at[0], text);
    if (!isfinite(at[0]))
      return fail(EXIT_BAD_USE, "--edges %s: %s is not finite; give finite numbers", option, text);
    if (i == 0 || at[-1] < at[0] || (exact && at[-1] == at[0]))
      continue;
    number_double_text(at[-1], before);
    return fail(EXIT_BAD_USE, "--edges %s: %s is not above %s, the edge before it; give edges that increase", option,
                text, before);
  }
  return EXIT_DONE;
}

static int take_edges(struct edges *edges, const struct args *args, const clred_type_info *type) {
  bool listed = strchr(args->edges, ',') != NULL;
  bool is_file = ends_in(args->edges, ".npy") || (!listed && access(args->edges, F_OK) == 0);
  if (!is_file && !listed)
    return fail(EXIT_BAD_USE, "--edges: '%s' is neither FILE.npy nor V,V,...; give at least two edges", args->edges);
  int code = (is_file ? take_file : take_list)(edges, args->edges, type);
  return code ? code : check_edges(edges, args->edges);
}

// ---- Equal bins

// Reads one end as a double, and as an element if `exact` allows it.
static int take_end(const char *option, const char *text, const clred_type_info *type, double *value, void *element,
                    bool *exact) {
  if (text == NULL)
    return EXIT_DONE;
  if (!number_parse(CLRED_TYPE_DOUBLE, text, value) || !isfinite(*value))
    return fail(EXIT_BAD_USE, "--%s: '%s' is not a finite number; give one", option, text);
  *exact = *exact && number_parse(type->type, text, element);
  return EXIT_DONE;
}

static void give_ends(struct edges *edges, const double numbers[2], bool exact) {
  if (exact) {
    edges->histogram.low_element = &edges->ends[0];
    edges->histogram.high_element = &edges->ends[1];
    return;
  }
  edges->histogram.low = numbers[0];
  edges->histogram.high = numbers[1];
}

static int take_ends(struct edges *edges, const struct args *args, const clred_type_info *type, double numbers[2],
                     bool *exact) {
  *exact = is_long(type->type);
  int code = take_end("low", args->low, type, &numbers[0], &edges->ends[0], exact);
  return code ? code : take_end("high", args->high, type, &numbers[1], &edges->ends[1], exact);
}

int edges_take(struct edges *edges, const struct args *args, const clred_type_info *type) {
  double numbers[2] = {0, 0};
  bool exact;
  *edges = (struct edges){.histogram = {.bins = args->bins.value}};
  if (args->edges != NULL)
    return take_edges(edges, args, type);
  if (!args->bins.given)
    return fail(EXIT_BAD_USE, "histogram: the bins are missing; give --bins N or --edges");
  int code = take_ends(edges, args, type, numbers, &exact);
  if (!code && args->low != NULL && args->high != NULL)
    give_ends(edges, numbers, exact);
  return code;
}

// ---- From the data

// The smallest and the largest element and their types.
struct extremes {
  unsigned char bytes[2 * NUMBER_SIZE];
  clred_part parts[2];
};

static cl_int find_parts(clred_plan *plan, struct extremes *extremes) {
  cl_int status = CL_SUCCESS;
  for (size_t i = 0; i < 2 && status == CL_SUCCESS; i++)
    status = clred_plan_part(plan, i, &extremes->parts[i]);
  return status;
}

// Fills the chunks of a stream of the library. *got is 0 at the end.
static int fill(const struct session *session, clred_stream *stream, struct input *input, uint64_t *got) {
  void *in;
  cl_ulong room;
  int code = session_check(session, clred_stream_acquire(stream, &in, NULL, &room));
  code = code ? code : input_read(input, in, room, got);
  return code ? code : session_check(session, clred_stream_commit(stream, *got));
}

static int stream_extremes(const struct session *session, clred_plan *plan, const struct input *input,
                           struct extremes *extremes) {
  struct input again;
  clred_stream *stream = NULL;
  uint64_t got = 1;
  if (!input_can_read_again(input))
    return fail(EXIT_BAD_USE, "%s: a pipe is read only once; give --low and --high", input->stream.name);
  int code = input_open(&again, &input->request);
  code = code ? code : session_check(session, clred_stream_create(session->queue, plan, NULL, &stream));
  while (!code && got > 0)
    code = fill(session, stream, &again, &got);
  code = code ? code : session_check(session, clred_stream_finish(stream, extremes->bytes));
  clred_stream_release(stream);
  input_close(&again);
  return code;
}

// As in NumPy: if all elements are equal, the range is 1 wide around them; without elements it is 0 to 1.
static void widen(double numbers[2]) {
  if (numbers[0] == numbers[1]) {
    numbers[0] -= 0.5;
    numbers[1] += 0.5;
  }
}

static int refuse_extreme(const struct args *args, const struct input *input, double value, bool low) {
  const char *name = input_name(input), *missing = low && args->high == NULL ? "--low and --high"
                                                   : low                     ? "--low"
                                                                             : "--high";
  if (isnan(value))
    return fail(EXIT_BAD_USE, "%s: has NaNs, so bins from the smallest to the largest element are not defined; give %s",
                name, missing);
  return fail(EXIT_BAD_USE, "%s: the %s element is not finite; give %s", name, low ? "smallest" : "largest",
              low ? "--low" : "--high");
}

static int take_extremes(struct edges *edges, const struct args *args, const struct input *input,
                         const struct extremes *extremes) {
  const char *given[2] = {args->low, args->high};
  double numbers[2] = {0, 0};
  bool exact;
  int code = take_ends(edges, args, &input->type, numbers, &exact);
  for (size_t i = 0; i < 2 && !code; i++) {
    if (given[i] != NULL)
      continue;
    const void *value = extremes->bytes + extremes->parts[i].offset;
    numbers[i] = number_as_double(extremes->parts[i].type, value);
    if (!isfinite(numbers[i]))
      code = refuse_extreme(args, input, numbers[i], i == 0);
    if (exact)
      memcpy(&edges->ends[i], value, input->type.size);
  }
  exact = exact && memcmp(&edges->ends[0], &edges->ends[1], input->type.size) != 0;
  if (!exact && args->low == NULL && args->high == NULL)
    widen(numbers);
  give_ends(edges, numbers, exact);
  return code;
}

int edges_resolve(struct edges *edges, const struct args *args, const struct session *session,
                  const struct input *input, cl_mem buffer) {
  const clred_problem problem = {.type = input->type.type, .op = CLRED_OP_MINMAX};
  struct extremes extremes;
  const clred_call call = {.in = buffer, .count = input->count, .result = extremes.bytes, .blocking = CL_TRUE};
  clred_plan *plan = NULL;
  if (args->edges != NULL || (args->low != NULL && args->high != NULL))
    return EXIT_DONE;
  if (input->counted && input->count == 0) {
    double numbers[2] = {0, 1};
    bool exact;
    int code = take_ends(edges, args, &input->type, numbers, &exact);
    give_ends(edges, numbers, false);
    return code;
  }
  int code = session_check(session, session_plan(session, &problem, &plan));
  code = code ? code : session_check(session, find_parts(plan, &extremes));
  if (!code && buffer == NULL)
    code = stream_extremes(session, plan, input, &extremes);
  else if (!code)
    code = session_check(session, clred_enqueue(session->queue, plan, &call, 0, NULL, NULL));
  clred_plan_release(plan);
  return code ? code : take_extremes(edges, args, input, &extremes);
}

void edges_release(struct edges *edges) {
  free(edges->numbers);
  free(edges->elements);
}
