// Reading and opening variants.
#define _XOPEN_SOURCE 700

#include "bench/variants.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/number.h"

static int take_word(struct bench_variant *variant, const char *word) {
  const char *value = strchr(word, '=');
  const size_t length = value == NULL ? 0 : (size_t)(value - word);
  const struct {
    const char *name;
    cl_ulong *number;
    const char **text;
  } words[] = {{"groups", &variant->groups, NULL},
               {"group_size", &variant->group_size, NULL},
               {"assume", NULL, &variant->options.assume},
               {"build", NULL, &variant->options.build_options}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (length != strlen(words[i].name) || memcmp(word, words[i].name, length) != 0)
      continue;
    if (words[i].text != NULL)
      *words[i].text = value + 1;
    else if (!count_parse(value + 1, strlen(value + 1), words[i].number))
      return fail(EXIT_BAD_USE, "--variant %s: '%s' is not a number; give decimal digits", variant->words, value + 1);
    return EXIT_DONE;
  }
  return fail(EXIT_BAD_USE,
              "--variant %s: '%s' is unknown; give groups=N, group_size=N, assume=FACT=VALUE or build=OPTIONS",
              variant->words, word);
}

static int take(struct bench_variant *variant, const char *words) {
  char *rest = NULL;
  *variant = (struct bench_variant){.words = words, .copy = strdup(words)};
  if (variant->copy == NULL)
    return fail_memory();
  variant->folder = strtok_r(variant->copy, "@", &rest);
  int code = variant->folder != NULL
               ? EXIT_DONE
               : fail(EXIT_BAD_USE, "--variant '%s': no folder is named; give FOLDER, or own for the library", words);
  if (!code && strcmp(variant->folder, "own") == 0)
    variant->folder = NULL;
  for (char *word; !code && (word = strtok_r(NULL, "@", &rest)) != NULL;)
    code = take_word(variant, word);
  return code;
}

int variants_take(struct bench_variants *variants, const struct texts *words) {
  int code = EXIT_DONE;
  for (variants->count = 0; variants->count < words->count && !code; variants->count++)
    code = take(&variants->list[variants->count], words->list[variants->count]);
  return code;
}

void variants_release(struct bench_variants *variants) {
  variants_close(variants);
  for (size_t i = 0; i < variants->count; i++)
    free(variants->list[i].copy);
  variants->count = 0;
}

void variant_enter(const struct bench_variant *variant, clred_problem *problem) {
  problem->groups = variant->groups;
  problem->group_size = variant->group_size;
  if (variant->folder == NULL)
    unsetenv("CLREDUCE_CL_DIR");
  else
    setenv("CLREDUCE_CL_DIR", variant->folder, 1);
}

int variants_open(struct bench_variants *variants, const struct session *session) {
  for (size_t i = 0; i < variants->count; i++) {
    struct bench_variant *variant = &variants->list[i];
    char error[SESSION_ERROR_SIZE] = "";
    clred_options options = variant->options;
    clred_problem unused;
    options.trust_driver = CL_TRUE;  // bench checks every result, and says which variant is wrong
    options.error = error;
    options.error_size = sizeof error;
    variant_enter(variant, &unused);
    cl_int status = clred_runtime_create(session->context, session->device.id, &options, &variant->runtime);
    if (status != CL_SUCCESS)
      return fail(fail_code(status), "--variant %s: %s", variant->words, error);
  }
  return EXIT_DONE;
}

void variants_close(struct bench_variants *variants) {
  for (size_t i = 0; i < variants->count; i++) {
    clred_runtime_release(variants->list[i].runtime);
    variants->list[i].runtime = NULL;
  }
}
