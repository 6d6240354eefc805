// Maps or generates a range of elements.
#include "run/window.h"

#include <stdlib.h>

static bool is_generated(const struct job *job, size_t source) {
  return job->inputs[source].source == &source_generated;
}

int window_find(struct job *job, uint64_t begin, uint64_t end, struct window *window) {
  int code = EXIT_SUCCESS;
  *window = (struct window){.count = end - begin};
  for (size_t i = 0; i <= job->other_count && !code; i++) {
    struct file_place *place = &window->places[i];
    if (is_generated(job, i)) {
      *place = (struct file_place){&job->inputs[i], begin};
      continue;
    }
    code = input_find(&job->inputs[i], begin, place);
    if (!code && place->file->count - place->index < window->count)
      window->count = place->file->count - place->index;
  }
  return code;
}

static bool open_source(const struct job *job, size_t source, struct window *window) {
  const struct file_place *place = &window->places[source];
  const size_t size = place->file->type.size;
  struct mapping *mapping = &window->mappings[source];
  if (is_generated(job, source)) {
    window->data[source] = window->generated[source] = pages_allocate(window->count * size);
    if (window->data[source] != NULL)
      generate_piece(&place->file->recipe, window->generated[source], place->index, window->count);
    return window->data[source] != NULL;
  }
  if (!mapping_open(mapping, &place->file->stream, place->index * size, window->count * size))
    return false;
  window->data[source] = mapping->data;
  return true;
}

bool window_open(const struct job *job, struct window *window) {
  for (size_t i = 0; i <= job->other_count; i++)
    if (!open_source(job, i, window))
      return false;
  return true;
}

int window_close(const struct job *job, struct window *window) {
  int code = EXIT_SUCCESS;
  for (size_t i = 0; i <= job->other_count; i++) {
    const struct file_place *place = &window->places[i];
    if (!code && window->mappings[i].pages != NULL)
      code = mapping_check(&place->file->stream, (place->index + window->count) * place->file->type.size);
    mapping_close(&window->mappings[i]);
    free(window->generated[i]);
  }
  return code;
}
