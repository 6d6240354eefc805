// Words as lines, as JSON, and as NumPy's text.
#include "run/results_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/quote.h"

static const char *word_at(const struct results *results, uint64_t index, size_t *length) {
  uint32_t which;
  memcpy(&which, results_at(results, index), sizeof which);
  return words_at(results->words, which, length);
}

int results_put_word(FILE *file, const struct results *results, uint64_t index) {
  size_t length;
  const char *word = word_at(results, index, &length);
  return quote_put(file, word, length);
}

cJSON *results_word_json(const struct results *results, uint64_t index) {
  size_t length;
  const char *word = word_at(results, index, &length);
  char *text = malloc(length + 1);
  if (text == NULL)
    return NULL;
  memcpy(text, word, length);
  text[length] = '\0';
  cJSON *string = cJSON_CreateString(text);
  free(text);
  return string;
}

// ---- Characters

// The bytes of the first character of UTF-8; 0 if there is none.
static size_t take_character(const char *text, size_t left, uint32_t *character) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  unsigned char first = (unsigned char)*text;
  size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if ((first >= 0x80 && first < 0xc0) || first > 0xf4 || length > left)
    return 0;
  *character = length == 1 ? first : first & (0x7fu >> length);
  for (size_t i = 1; i < length; i++) {
    if ((text[i] & 0xc0) != 0x80)
      return 0;
    *character = *character << 6 | ((unsigned char)text[i] & 0x3fu);
  }
  bool surrogate = *character >> 11 == 0x1b;
  return *character < least[length] || *character > 0x10ffff || surrogate ? 0 : length;
}

// Counts the characters. Writes them unless `file` is NULL. False if the word is not UTF-8.
static bool take_word(const struct results *results, uint64_t index, FILE *file, size_t *characters) {
  size_t length, taken = 1;
  const char *word = word_at(results, index, &length);
  uint32_t character;
  for (*characters = 0; length > 0 && taken > 0; ++*characters) {
    taken = take_character(word, length, &character);
    word += taken;
    length -= taken;
    if (file != NULL)
      fwrite(&character, sizeof character, 1, file);
  }
  return taken > 0;
}

// Refuses words that are not UTF-8; neither JSON nor NumPy has them. `option` needs them. Returns an exit code.
static int check_words(const struct results *results, const char *option) {
  size_t characters;
  for (uint64_t i = 0; i < results->count; i++)
    if (!take_word(results, i, NULL, &characters))
      return fail(EXIT_BAD_USE, "%s: key number %llu is not UTF-8; convert the file, or leave %s out", option,
                  (unsigned long long)i, option);
  return EXIT_DONE;
}

int results_check_keys(const struct results *keys, const struct args *args) {
  const char *path = args->keys_output;
  const char *option = path != NULL && !results_want_text(args, path) ? "--keys-output" : args->json ? "--json" : NULL;
  int code = EXIT_DONE;
  for (; keys != NULL && option != NULL && !code; keys = keys->next)
    if (keys->words != NULL)
      code = check_words(keys, option);
  return code;
}

size_t results_word_width(const struct results *results) {
  size_t width = 1, characters;
  for (uint64_t i = 0; i < results->count; i++) {
    take_word(results, i, NULL, &characters);
    width = characters > width ? characters : width;
  }
  return width;
}

void results_write_words(FILE *file, const struct results *results) {
  size_t width = results_word_width(results), characters;
  const uint32_t none = 0;
  for (uint64_t i = 0; i < results->count && !ferror(file); i++) {
    take_word(results, i, file, &characters);
    for (; characters < width; characters++)
      fwrite(&none, sizeof none, 1, file);
  }
}
