#include "source/histogram_text.h"

#include <stdio.h>

#include "source/defines.h"

// How a kernel makes a number of an element's bits: words of cl/histogram_words.clh.
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

cl_int clr_histogram_text(const struct clr_strategy *strategy, const struct clr_operation *operation,
                          const struct clr_shape *shape, clr_read_part *read, void *from, struct clr_text *text,
                          struct clr_status *status) {
  char own[64];
  const char *const names[] = {"words.clh", "histogram_words.clh", "entry.clh", "histogram.clh", own};
  snprintf(own, sizeof own, "strategies/%s.cl", strategy->name);
  // What the words that all programs share ask for, and what the one signature is made of.
  clr_text_append(text, "#define LANES_FORM 0\n#define SCANS 0\n#define STATE uint\n#define RESULT ulong\n"
                        "#define SUFFIX _elements\n");
  define_element(operation->element.row, text);
  define_counting(shape, text);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *bytes = read(from, names[i]);
    if (!bytes)
      return clr_fail(status, CLRED_KERNEL_SOURCE, "kernel source %s could not be read", names[i]);
    clr_text_format(text, "#line 1 \"%s\"\n", names[i]);
    clr_text_append(text, bytes);
  }
  return text->failed ? clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while writing the program's text")
                      : CL_SUCCESS;
}
