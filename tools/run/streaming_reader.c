// Reads elements into the stream's memory, or maps their files.
#include "run/streaming.h"

#include "base/fail.h"
#include "input/mapping.h"

int reader_failed(const struct reader *reader, cl_int status) {
  const char *sentence = clred_last_error(reader->job->session.runtime);
  return status == CLRED_OVERFLOW ? fail(EXIT_WORK_FAILED, "--overflow detect: %s (CLRED_OVERFLOW)", sentence)
                                  : fail_library(status, sentence);
}

static int wrong_length(const struct input *shorter, const struct input *longer) {
  return fail(EXIT_BAD_USE, "%s: ends after %llu elements, but %s does not; give inputs of equal length",
              input_name(shorter), (unsigned long long)shorter->taken, input_name(longer));
}

int reader_read(struct job *job, void *in, void *const *inputs, uint64_t room, uint64_t *got) {
  uint64_t other;
  int code = input_read(&job->input, in, room, got);
  for (size_t i = 0; i < job->other_count && !code; i++) {
    code = input_read(&job->others[i], inputs[i], room, &other);
    if (!code && other != *got)
      code = other < *got ? wrong_length(&job->others[i], &job->input) : wrong_length(&job->input, &job->others[i]);
  }
  return code;
}

static void show_progress(const struct reader *reader) {
  const struct input *input = &reader->job->input;
  progress_bytes(&reader->job->progress, "reading and folding", reader->count * input->type.size,
                 input->counted ? input_bytes(input) : 0);
}

static int take_chunk(struct reader *reader, bool *ends) {
  void *in, *inputs[USER_INPUTS_MOST];
  uint64_t got;
  cl_ulong room;
  cl_int status = clred_stream_room(reader->stream, &in, inputs, &room);
  if (status != CL_SUCCESS)
    return reader_failed(reader, status);
  int code = reader_read(reader->job, in, inputs, room, &got);
  if (code)
    return code;
  if (reader->opinion.stream != NULL)
    status = clred_stream_push(reader->opinion.stream, in, (const void *const *)inputs, got);
  if (status == CL_SUCCESS)
    status = clred_stream_commit(reader->stream, got);
  reader->count += got;
  *ends = got < room;
  show_progress(reader);
  return status == CL_SUCCESS ? EXIT_DONE : reader_failed(reader, status);
}

// ---- Mapped files

// Bytes mapped at a time, so that the process does not seem to use all memory.
enum { MAPPED_BYTES = 128 << 20 };

bool reader_can_map(struct job *job) {
  bool can = session_fact(&job->session, "unified_memory", 0) != 0;
  for (size_t i = 0; i <= job->other_count; i++)
    can = can && input_is_in_file(job_input(job, i)) && job_input(job, i)->count == job->input.count;
  return can;
}

// Maps elements first to first + count - 1 of all inputs. False if one cannot be mapped.
static bool map_all(struct job *job, struct mapping *mappings, uint64_t first, uint64_t count) {
  for (size_t i = 0; i <= job->other_count; i++) {
    const struct input *input = job_input(job, i);
    if (!mapping_open(&mappings[i], &input->stream, first * input->type.size, count * input->type.size))
      return false;
  }
  return true;
}

static int push_mapped(struct reader *reader, const struct mapping *mappings, uint64_t count) {
  const void *inputs[USER_INPUTS_MOST];
  for (size_t i = 0; i < reader->job->other_count; i++)
    inputs[i] = mappings[1 + i].data;
  cl_int status = clred_stream_push(reader->stream, mappings[0].data, inputs, count);
  if (status == CL_SUCCESS && reader->opinion.stream != NULL)
    status = clred_stream_push(reader->opinion.stream, mappings[0].data, inputs, count);
  return status == CL_SUCCESS ? EXIT_DONE : reader_failed(reader, status);
}

static uint64_t elements_mapped(const struct reader *reader) {
  clred_stream_info info;
  clred_stream_inspect(reader->stream, &info);
  uint64_t chunk_bytes = info.chunk * reader->job->input.type.size;
  return chunk_bytes < MAPPED_BYTES ? MAPPED_BYTES / chunk_bytes * info.chunk : info.chunk;
}

// Returns false and takes nothing if the file system cannot map files.
static bool map_and_fold(struct reader *reader, int *code) {
  struct mapping mappings[1 + USER_INPUTS_MOST] = {{0}};
  struct job *job = reader->job;
  uint64_t total = job->input.count, window = elements_mapped(reader);
  bool mapped = true;
  *code = EXIT_DONE;
  while (reader->count < total && mapped && !*code) {
    uint64_t left = total - reader->count, count = left < window ? left : window;
    mapped = map_all(job, mappings, reader->count, count);
    if (mapped)
      *code = push_mapped(reader, mappings, count);
    else if (reader->count > 0)
      *code = fail(EXIT_WORK_FAILED, "%s: cannot map the file further than %llu elements", input_name(&job->input),
                   (unsigned long long)reader->count);
    for (size_t i = 0; i <= job->other_count; i++)
      mapping_close(&mappings[i]);
    reader->count += mapped ? count : 0;
    show_progress(reader);
  }
  for (size_t i = 0; i <= job->other_count && !*code && mapped; i++)
    *code = mapping_check(&job_input(job, i)->stream, total * job_input(job, i)->type.size);
  return mapped || *code;
}

int reader_take_all(struct reader *reader) {
  bool ends = false;
  int code = EXIT_DONE;
  if (reader_can_map(reader->job) && map_and_fold(reader, &code))
    return code;
  while (!code && !ends)
    code = take_chunk(reader, &ends);
  return code;
}
