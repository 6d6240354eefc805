// The numbers of a histogram's plan as lines of its program's text (cl/histogram/words.clh).
#include "source/shape_defines.h"

#include "source/defines.h"

// How a kernel makes a number of an element's bits: words of cl/histogram/words.clh.
static const char *number_word(const struct clr_type *type) {
  if (type->class != CLR_FLOATING)
    return "NUMBER_OF_INTEGER";
  if (type->reading == CLR_READING_HALF)
    return "NUMBER_OF_HALF";
  return type->reading == CLR_READING_BFLOAT16 ? "NUMBER_OF_BFLOAT16" : "NUMBER_OF_BITS";
}

static void define_element(const struct clr_type *type, struct clr_text *text) {
  static const char *const stored[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong"};
  bool is_double = type->class == CLR_FLOATING && type->size == 8;
  if (is_double)
    clr_text_append(text, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
  clr_define_number(text, "ELEMENT_SIZE", type->size);
  clr_define_text(text, "STORED", stored[type->size]);
  clr_define_text(text, "KEY", type->size == 8 ? "ulong" : "uint");
  clr_define_text(text, "REAL", is_double ? "double" : "float");
  clr_define_text(text, "NUMBER", number_word(type));
  clr_define_number(text, "IS_SIGNED", type->class == CLR_SIGNED);
  clr_define_number(text, "IS_FLOATING", type->class == CLR_FLOATING);
}

static void define_counting(const struct clr_shape *shape, struct clr_text *text) {
  const struct clr_counting *counting = &shape->counting;
  clr_define_number(text, "GROUP_SIZE", shape->group_size);
  clr_define_number(text, "BINS", counting->bins);
  clr_define_number(text, "SLOTS", counting->slots);
  clr_define_number(text, "BY_VALUE", counting->by_value);
  clr_define_number(text, "GUESSES", counting->guesses);
  clr_define_number(text, "COPIES", counting->copies);
  clr_define_number(text, "LOCAL_SLOTS", counting->local_slots);
  clr_define_number(text, "LOCAL_EDGES", counting->local_edges);
  clr_define_number(text, "IN_TOTALS", counting->in_totals);
  clr_define_number(text, "HAS_ROWS", counting->has_rows);
  if (counting->in_totals)
    clr_text_append(text, "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n");
}

void clr_histogram_defines(const struct clr_operation *operation, const struct clr_shape *shape,
                           struct clr_text *text) {
  // What the words that all programs share ask for, and what the one signature is made of.
  clr_text_append(text, "#define SCANS 0\n#define OUTCOMES 0\n#define STATE uint\n#define RESULT ulong\n");
  define_element(operation->element.row, text);
  define_counting(shape, text);
}
