// scan_lines: many rows, along the fastest axis or across it, a work-item each; every row by itself in the order
// fixed/1. Neighbouring work-items take neighbouring columns; with ACROSS each takes VECTOR of them, side by side.
// `span` rows, or vectors, are a work-item's.
//   rows, row_stride, columns   how many rows, and from one to the next (clred_call)

#include "scan/run.clh"
#include "scan/beside.clh"
#include "words/kernel.clh"

#if ACROSS
#define TAKEN VECTOR
#else
#define TAKEN 1
#endif

// One row, or TAKEN columns from `column` on as far as they are there.
void clred_line(struct clred_in in, struct clred_out out, ulong origin, ulong column, ulong columns,
                struct clred_prefix before)
{
  struct clred_in line = in;
  struct clred_out to = out;
  line.origin += origin + column;
  to.results += origin + column;
#if ACROSS
  if (column + TAKEN <= columns) {
    clred_run_put_beside(line, to, before);
    return;
  }
#endif
  for (ulong c = column; c < min(column + TAKEN, columns); c++, line.origin++, to.results++)
    clred_run_put(line, to, 0, to.count, false, before, clred_identity());
}

ENTRY(clred_scan_lines)(ARGUMENTS)
{
  ulong across = (columns + TAKEN - 1) / TAKEN, begin = get_global_id(0) * span, end = min(begin + span, rows * across);
  struct clred_in in = SCAN_IN;
  struct clred_prefix before = START_NOW;
  for (ulong line = begin; line < end; line++)
    clred_line(in, OUT_NOW, line / across * row_stride, line % across * TAKEN, columns, before);
}
