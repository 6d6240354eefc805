// Reads elements into the stream's memory, or maps their files.
#include "run/streaming.h"

#include "base/fail.h"
#include "run/window.h"

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

// Bytes mapped at a time. A larger mapping would count as memory of the process.
enum { MAPPED_BYTES = 128 << 20 };

bool reader_can_map(struct job *job) {
  bool can = session_fact(&job->session, "unified_memory", 0) != 0;
  for (size_t i = 0; i <= job->other_count; i++)
    can = can && input_is_in_files(&job->inputs[i]) && job->inputs[i].count == job->input.count;
  return can;
}

static int push_mapped(struct reader *reader, const struct window *window) {
  cl_int status = clred_stream_push(reader->stream, window->data[0], window->data + 1, window->count);
  if (status == CL_SUCCESS && reader->opinion.stream != NULL)
    status = clred_stream_push(reader->opinion.stream, window->data[0], window->data + 1, window->count);
  return status == CL_SUCCESS ? EXIT_DONE : reader_failed(reader, status);
}

static uint64_t elements_mapped(const struct reader *reader) {
  clred_stream_info info;
  clred_stream_inspect(reader->stream, &info);
  uint64_t chunk_bytes = info.chunk * reader->job->input.type.size;
  return chunk_bytes < MAPPED_BYTES ? MAPPED_BYTES / chunk_bytes * info.chunk : info.chunk;
}

static int fold_window(struct reader *reader, struct window *window, bool *mapped) {
  *mapped = window_open(reader->job, window);
  int code = *mapped ? push_mapped(reader, window) : EXIT_DONE;
  if (!*mapped && reader->count > 0)
    code = fail(EXIT_WORK_FAILED, "%s: cannot map the file further than %llu elements", input_name(&reader->job->input),
                (unsigned long long)reader->count);
  int closed = window_close(reader->job, window);
  reader->count += *mapped ? window->count : 0;
  show_progress(reader);
  return code ? code : closed;
}

// Returns false and takes nothing if the file system cannot map files.
static bool map_and_fold(struct reader *reader, int *code) {
  struct window window = {.count = 0};
  uint64_t most = elements_mapped(reader);
  bool mapped = true;
  *code = EXIT_DONE;
  while (reader->count < reader->job->input.count && mapped && !*code) {
    // Windows end at multiples of `most`, which is a multiple of a chunk, so that few elements are copied.
    *code = window_find(reader->job, reader->count, reader->count + most - reader->count % most, &window);
    *code = *code ? *code : fold_window(reader, &window, &mapped);
  }
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
