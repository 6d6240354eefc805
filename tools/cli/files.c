// The table of options that name files.
#include "cli/files.h"

#include <string.h>

#include "base/fail.h"
#include "base/output.h"
#include "base/wrap.h"
#include "cli/verbs.h"

static const char *const outputs[] = {"--output", "--keys-output", "--partial", "--csv", "--plot"};

static const char *const inputs[] = {"--segments", "--by-key",  "--group",   "--heads",
                                     "--edges",    "--compare", "--operator"};

enum { OUTPUTS = sizeof outputs / sizeof outputs[0], INPUTS = sizeof inputs / sizeof inputs[0] };

// NULL if the option is not given.
static const char *path_of(const struct args *args, const char *option) {
  return args_text(args, option + strlen("--"));
}

// NULL if nothing is written, or to standard output.
static const char *output_of(const struct args *args, size_t index) {
  const char *path = path_of(args, outputs[index]);
  return output_is_standard(path) ? NULL : path;
}

static int compare_outputs(const struct args *args, size_t index) {
  const char *path = output_of(args, index);
  for (size_t i = 0; i < index; i++) {
    const char *other = output_of(args, i);
    if (other != NULL && same_file(path, other))
      return fail(EXIT_BAD_USE, "%s %s: is also the file of %s; give each a file of its own", outputs[index], path,
                  outputs[i]);
  }
  return EXIT_DONE;
}

static int compare_input(const char *option, const char *path, const char *input_option, const char *input) {
  if (input == NULL || !same_file(path, input))
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "%s %s: is also the file of %s, which would be lost; give another name", option, path,
              input_option);
}

// Scans work in place. They refuse text as their own output.
static bool may_be_in_place(const struct args *args) {
  size_t count;
  args_inputs(args, &count);
  return args->verb->bit == VERB_SCAN && count == 1;
}

// The input of number `index`, as the option or operand that names it. False behind the last. `path` may be NULL.
struct named {
  const char *option, *path;
};

static bool input_at(const struct args *args, size_t index, struct named *input) {
  size_t count;
  const char *const *names = args_inputs(args, &count);
  if (index < count)
    *input = (struct named){"INPUT", names[index]};
  else if (index - count < args->with.count)
    *input = (struct named){"--with", args->with.list[index - count]};
  else if (index - count - args->with.count < INPUTS)
    *input = (struct named){inputs[index - count - args->with.count], NULL};
  else
    return false;
  input->path = input->path == NULL ? path_of(args, input->option) : input->path;
  return true;
}

static int compare_inputs(const struct args *args, size_t index) {
  const char *option = outputs[index], *path = output_of(args, index);
  struct named input;
  int code = EXIT_DONE;
  for (size_t i = 0; input_at(args, i, &input) && !code; i++)
    if (!may_be_in_place(args) || strcmp(input.option, "INPUT") != 0)
      code = compare_input(option, path, input.option, input.path);
  return code;
}

// Two inputs that are one pipe would share its elements in silence.
static int check_pipes(const struct args *args) {
  struct named input, other;
  for (size_t i = 0; input_at(args, i, &input); i++) {
    if (input.path != NULL && *input.path == '\0')
      return fail(EXIT_BAD_USE, "%s: the name is empty; give a file, or - for standard input", input.option);
    for (size_t j = 0; j < i && input.path != NULL && input_at(args, j, &other); j++)
      if (other.path != NULL && same_pipe(input.path, other.path))
        return fail(EXIT_BAD_USE, "%s %s: %s can be read once, but is %s, too; give a file for one of them",
                    input.option, input.path, strcmp(input.path, "-") == 0 ? "standard input" : "a pipe", other.option);
  }
  return EXIT_DONE;
}

// A name for each file at most.
static int check_names(const struct args *args) {
  const struct texts *names = &args->arrays;
  bool rows = args->segments != NULL || args->by_key != NULL || args->group != NULL || args->heads != NULL;
  size_t most = 1 + args->with.count + rows;
  if (names->count <= most)
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "--array: %zu names for %zu file%s; leave out %s", names->count, most, most == 1 ? "" : "s",
              names->list[most]);
}

// A NumPy array under a name of text would surprise the program that reads it.
static int check_ending(const struct args *args, size_t index) {
  static const char *const endings[] = {".csv", ".tsv", ".txt"};
  const char *option = outputs[index], *path = output_of(args, index);
  const bool array = path == args->output || path == args->keys_output;
  if (!array || args->text || (may_be_in_place(args) && args_input(args) != NULL && same_file(path, args_input(args))))
    return EXIT_DONE;
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
    if (ends_in(path, endings[i]))
      return fail(EXIT_BAD_USE, "%s %s: would be a NumPy array; add --text for lines of text, or give a name in .npy",
                  option, path);
  return EXIT_DONE;
}

// Without --output, the results are printed there.
static int check_standard(const struct args *args) {
  if (!output_is_standard(args->keys_output) || (args->output != NULL && !output_is_standard(args->output)))
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "--keys-output - and the results both want standard output; give --output FILE.npy");
}

int files_check(const struct args *args) {
  int code = check_names(args);
  code = code ? code : check_standard(args);
  code = code ? code : check_pipes(args);
  for (size_t i = 0; i < OUTPUTS && !code; i++) {
    if (output_of(args, i) != NULL && *output_of(args, i) == '\0')
      return fail(EXIT_BAD_USE, "%s: the name is empty; give a file, or - for standard output", outputs[i]);
    if (output_of(args, i) == NULL)
      continue;
    code = compare_outputs(args, i);
    code = code ? code : compare_inputs(args, i);
    code = code ? code : check_ending(args, i);
  }
  return code;
}
