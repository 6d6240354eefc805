// scan_lines: many rows, along the fastest axis or across it, a work-item each; every row by itself in the order fixed/1. Neighbouring
// work-items take neighbouring columns.
//   rows, row_stride, columns   how many rows, and from one to the next (clred_call)

ENTRY(scan_lines)(ARGUMENTS)
{
  ulong line = get_global_id(0);
  if (line >= rows * columns)
    return;
  ulong origin = line / columns * row_stride + line % columns;
  struct clred_in in = SCAN_IN;
  struct clred_out results = OUT_NOW;
  struct clred_prefix before = START_NOW;
  in.origin += origin;
  results.results += origin;
  clred_run_put(in, results, 0, count, false, before, clred_identity());
}
