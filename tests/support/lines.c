// Lines of elements in every layout: see lines.h.

#include "support/lines.h"

clred_problem lines_problem(clred_problem problem, clred_layout layout) {
  const bool is_marked = layout == CLRED_LAYOUT_SEGMENTS || layout == CLRED_LAYOUT_KEYS;
  problem.layout = layout;
  problem.segment_type = is_marked ? CLRED_TYPE_UINT : CLRED_TYPE_NONE;
  problem.count_max = layout >= CLRED_LAYOUT_HEADS ? LINES_ELEMENTS : 0;
  return problem;
}

static void add_line(struct lines *lines, cl_ulong first, cl_ulong step, cl_ulong count) {
  lines->list[lines->count++] = (struct line){first, step, count};
}

// Rows of 0, 31, 62, ... elements; with `marks`, no row is empty.
static void add_segments(struct lines *lines, bool marks) {
  cl_ulong at = 0, length;
  for (cl_ulong i = marks; at < LINES_ELEMENTS; i++, at += length) {
    length = i * 31 % 400 + (marks && i * 31 % 400 == 0);
    length = length < LINES_ELEMENTS - at ? length : LINES_ELEMENTS - at;
    add_line(lines, at, 1, length);
  }
}

// Offsets of the lines; or for each element a flag or a key: 1 where a line begins, or the number of the line.
static cl_mem make_marks(const struct lines *lines, clred_layout layout) {
  cl_uint offsets[LINES_ELEMENTS + 1], keys[LINES_ELEMENTS];
  cl_uchar flags[LINES_ELEMENTS] = {0};
  for (size_t l = 0; l < lines->count; l++) {
    const struct line *line = &lines->list[l];
    offsets[l] = (cl_uint)line->first;
    offsets[l + 1] = (cl_uint)(line->first + line->count);
    for (cl_ulong i = 0; i < line->count; i++) {
      keys[line->first + i] = (cl_uint)l;
      flags[line->first + i] = i == 0;
    }
  }
  return layout == CLRED_LAYOUT_SEGMENTS ? fixture_buffer(offsets, (lines->count + 1) * sizeof *offsets)
         : layout == CLRED_LAYOUT_KEYS   ? fixture_buffer(keys, sizeof keys)
                                         : fixture_buffer(flags, sizeof flags);
}

clred_call lines_lay_out(clred_layout layout, struct lines *lines) {
  static const clred_call calls[CLRED_LAYOUT_KEYS + 1] = {
    [CLRED_LAYOUT_STRIDED] = {.count = 1200, .stride = 4},
    [CLRED_LAYOUT_ROWS] = {.count = 130, .rows = 37, .row_stride = 134},
    [CLRED_LAYOUT_COLUMNS] = {.count = 40, .stride = 41, .rows = 3, .columns = 37},
  };
  clred_call call = calls[layout];
  call.count = call.count ? call.count : LINES_ELEMENTS;
  if (layout >= CLRED_LAYOUT_SEGMENTS) {
    lines->count = 0;
    add_segments(lines, layout != CLRED_LAYOUT_SEGMENTS);
    call.rows = lines->count;
    call.segments = make_marks(lines, layout);
    return call;
  }
  lines_of_call(&call, layout, lines);
  return call;
}

void lines_of_call(const clred_call *call, clred_layout layout, struct lines *lines) {
  const bool has_rows = layout == CLRED_LAYOUT_ROWS || layout == CLRED_LAYOUT_COLUMNS;
  const cl_ulong columns = layout == CLRED_LAYOUT_COLUMNS ? call->columns : 1;
  const cl_ulong step = layout == CLRED_LAYOUT_STRIDED || layout == CLRED_LAYOUT_COLUMNS ? call->stride : 1;
  const cl_ulong row_stride = call->row_stride ? call->row_stride : call->count * (step > columns ? step : columns);
  lines->count = 0;
  for (cl_ulong i = 0; i < (has_rows ? call->rows : 1) * columns; i++)
    add_line(lines, call->in_offset + i / columns * row_stride + i % columns, step, call->count);
}
