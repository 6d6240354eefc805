// scan_items: scans of many rows, along the fastest axis or across it, in the order fixed/1. One work-item scans a row.
// If the rows are columns of an array, neighbouring work-items scan neighbouring columns; with USES_COLUMNS each
// work-item scans a vector of VECTOR columns side by side. A work-item scans `span` rows, or vectors of columns, one
// after another.
//   rows, row_stride, columns   as in clred_call

#include "scan/run.clh"
#include "scan/beside.clh"
#include "common/kernel.clh"

#if USES_COLUMNS
#define TAKEN VECTOR
#else
#define TAKEN 1
#endif

// Scans one row, or TAKEN columns from `column` on (fewer at the end of the array).
void clred_line(struct clred_in in, struct clred_out out, ulong origin, ulong column, ulong columns,
                struct clred_prefix before)
{
  struct clred_in line = in;
  struct clred_out to = out;
  line.origin += origin + column;
  to.results += origin + column;
#if USES_COLUMNS
  if (column + TAKEN <= columns) {
    clred_run_put_beside(line, to, before);
    return;
  }
#endif
  for (ulong c = column; c < min(column + TAKEN, columns); c++, line.origin++, to.results++)
    clred_run_put(line, to, 0, to.count, false, before, clred_identity());
}

ENTRY(clred_scan_items)(ARGUMENTS)
{
#if GROUP_SIZE == 1
  ONE_ITEM
#endif
  ulong across = (columns + TAKEN - 1) / TAKEN, begin = get_global_id(0) * span, end = min(begin + span, rows * across);
  struct clred_in in = SCAN_IN;
  struct clred_prefix before = START_NOW;
  for (ulong line = begin; line < end; line++)
    clred_line(in, OUT_NOW, line / across * row_stride, line % across * TAKEN, columns, before);
}
