// sort/rows_chunked.cl: the kernels of sorts of many rows on CPUs, where groups have one work-item. Each group sorts
// the rows that begin in its part of the elements.
#include "common/outcome.clh"
#include "sort/chunks.clh"
#include "sort/row_offsets.clh"

#define FEW 64  // elements of a row that is sorted by insertion

ONE_GROUP clred_sort_check_rows(ROWS_ARGUMENT, ulong rows, ulong count, uint row_most,
                                volatile __global ulong *outcome, ulong outcome_index)
{
  ONE_ITEM
  (OUTCOME_NOW)[0] = rows;
  (OUTCOME_NOW)[1] = 0;
  for (ulong row = 0; row < rows; row++) {
    const ulong begin = ROW_BEGIN(row), end = ROW_BEGIN(row + 1);
    if (begin > end || end > count || end - begin > row_most) {
      (OUTCOME_NOW)[0] = 0;
      (OUTCOME_NOW)[1] = (begin > count ? row : row + 1) + 1;
      return;
    }
  }
}

#if VALUE_SIZE && !COUNTS_VALUES
#define FEW_VALUE(i) values_in[first_value_in + begin + (i)]
#else
#define FEW_VALUE(i) (VALUE)((ROW_INDICES ? 0 : begin) + (i))
#endif

INLINE void clred_sort_few(SORT_BUFFERS, ulong begin, uint length)
{
  KEY keys[FEW];
  STORED bits[FEW];
  uchar places[FEW];
#if VALUE_SIZE
  VALUE values[FEW];
#endif
  for (uint i = 0; i < length; i++) {
    STORED element = keys_in[first_key_in + begin + i];
    KEY key = clred_order(element) >> BEGIN_BIT & (KEY)KEY_MASK;
    uint at = i;
    for (; at > 0 && keys[at - 1] > key; at--) {
      keys[at] = keys[at - 1];
      places[at] = places[at - 1];
    }
    keys[at] = key;
    places[at] = (uchar)i;
    bits[i] = element;
#if VALUE_SIZE
    values[i] = FEW_VALUE(i);
#endif
  }
  for (uint i = 0; i < length; i++) {
    keys_out[first_key_out + begin + i] = bits[places[i]];
#if VALUE_SIZE
    values_out[first_value_out + begin + i] = values[places[i]];
#endif
  }
}

// The first row that begins at this element or later.
INLINE ulong clred_row_from(ROWS_ARGUMENT, ulong rows, ulong element)
{
  ulong low = 0, high = rows;
  while (low < high) {
    ulong middle = low + (high - low) / 2;
    if (ROW_BEGIN(middle) < element)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

ONE_GROUP clred_sort_rows(SORT_BUFFERS, ROWS_ARGUMENT, ulong rows, ulong count, uint in_place,
                          __global struct clred_sort_table *tables, __global POSITION *counts,
                          volatile __global ulong *outcome, ulong outcome_index)
{
  ONE_ITEM
  if ((OUTCOME_NOW)[1])
    return;
  const ulong group = get_group_id(0), groups = get_num_groups(0), share = count / groups + 1;
  const ulong end_row = group + 1 == groups ? rows : clred_row_from(ROWS_NOW, rows, share * (group + 1));
#pragma unroll 1
  for (ulong row = clred_row_from(ROWS_NOW, rows, share * group); row < end_row; row++) {
    const ulong begin = ROW_BEGIN(row);
    const uint length = (uint)(ROW_BEGIN(row + 1) - begin);
    if (length <= FEW)
      clred_sort_few(BUFFERS_NOW, begin, length);
    else
      clred_sort_whole(BUFFERS_NOW, begin, length, in_place, tables + group, counts + group * DIGITS * RADIX);
  }
}

#include "sort/gather.clh"
