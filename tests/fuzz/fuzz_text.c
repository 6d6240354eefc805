// Text of one or two columns, of numbers or words, read as a whole and in pieces. The first byte chooses the options,
// the rest is the text.
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "fuzz.h"
#include "input/input.h"

enum { MOST = 1 << 12, PIECE = 3 };

static const char *const types[] = {NULL, "float", "half", "long", "uchar"};
static const char *const columns[] = {NULL, "1", "2", "a"};
static const char *const delimiters[] = {NULL, ",", " ", "tab"};
static const char *const missing[] = {NULL, "skip", "nan"};

static struct request request_of(const char *name, unsigned choice) {
  static const clred_type_info numbers = {.type = CLRED_TYPE_UINT, .name = "uint", .size = 4, .components = 1};
  if (choice >= 240)
    return (struct request){
      .name = name, .format = "text", .column = columns[choice % 4], .use = TEXT_WORDS, .otherwise = &numbers};
  return (struct request){.name = name,
                          .format = "text",
                          .type = types[choice % 5],
                          .column = columns[choice / 5 % 4],
                          .text = {.delimiter = delimiters[choice / 20 % 4], .missing = missing[choice / 80 % 3]}};
}

// Reads at most MOST elements, `piece` at a time.
static int read_all(const struct request *request, uint64_t piece, unsigned char *elements, uint64_t *count) {
  struct input input;
  uint64_t got = piece, size = 0;
  *count = 0;
  int code = input_open(&input, request);
  while (!code && got == piece && *count + piece <= MOST) {
    size = input.type.size;
    code = input_read(&input, elements + *count * size, piece, &got);
    PROMISE(got <= piece);
    *count += got;
  }
  input_close(&input);
  *count *= size;
  return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static unsigned char whole[8 * MOST], pieces[8 * MOST];
  uint64_t count, again;
  if (size == 0)
    return 0;
  const struct request request = request_of(fuzz_file(data + 1, size - 1), data[0]);
  int code = FUZZ_EXIT(read_all(&request, MOST, whole, &count));
  int code_again = FUZZ_EXIT(read_all(&request, PIECE, pieces, &again));
  // Pieces may stop before an error that lies behind MOST elements.
  PROMISE(code == code_again || again / 8 + PIECE >= MOST / 8);
  PROMISE(code || code_again || memcmp(whole, pieces, again < count ? again : count) == 0);
  return 0;
}
