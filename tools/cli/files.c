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

// Scans work in place. They refuse text as their own output.
static bool may_be_in_place(const struct args *args) {
  size_t count;
  args_inputs(args, &count);
  return args->verb->bit == VERB_SCAN && count == 1;
}

// A file of the command line, as the option or operand that names it. `path` is NULL if the option is not given, and if
// an output is standard output.
struct named {
  const char *option, *path;
  bool is_output;
};

// Inputs come before outputs. False behind the last.
static bool named_at(const struct args *args, size_t index, struct named *named) {
  size_t count;
  const char *const *names = args_inputs(args, &count);
  const size_t options = count + args->with.count;
  if (index < options) {
    *named = index < count ? (struct named){"INPUT", names[index], false}
                           : (struct named){"--with", args->with.list[index - count], false};
    return true;
  }
  if (index - options >= INPUTS + OUTPUTS)
    return false;
  named->is_output = index - options >= INPUTS;
  named->option = named->is_output ? outputs[index - options - INPUTS] : inputs[index - options];
  named->path = args_text(args, named->option + strlen("--"));
  if (named->is_output && output_is_standard(named->path))
    named->path = NULL;
  return true;
}

// If two inputs are the same pipe, each would silently get only some of the elements.
static int compare(const struct args *args, const struct named *file, const struct named *other) {
  if (!file->is_output)
    return !same_pipe(file->path, other->path)
             ? EXIT_DONE
             : fail(EXIT_BAD_USE, "%s %s: %s can be read once, but %s names it, too; give a file for one of them",
                    file->option, file->path, strcmp(file->path, "-") == 0 ? "standard input" : "a pipe",
                    other->option);
  const bool in_place = strcmp(other->option, "INPUT") == 0 && may_be_in_place(args);
  if (in_place || !same_file(file->path, other->path))
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "%s %s: is also the file of %s%s", file->option, file->path, other->option,
              other->is_output ? "; give each a file of its own" : ", which would be lost; give another name");
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

// A program that reads a file named .csv or .txt does not expect a NumPy array in it.
static int check_ending(const struct args *args, const struct named *file) {
  static const char *const endings[] = {".csv", ".tsv", ".txt"};
  const char *path = file->path;
  const bool array = (path == args->output && args->by == NULL) || path == args->keys_output;
  if (!array || args->text || (may_be_in_place(args) && args_input(args) != NULL && same_file(path, args_input(args))))
    return EXIT_DONE;
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
    if (ends_in(path, endings[i]))
      return fail(EXIT_BAD_USE, "%s %s: would be a NumPy array; add --text for lines of text, or give a name in .npy",
                  file->option, path);
  return EXIT_DONE;
}

// Without --output, the results are printed there.
static int check_standard(const struct args *args) {
  if (!output_is_standard(args->keys_output) || (args->output != NULL && !output_is_standard(args->output)))
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "--keys-output - and the results both want standard output; give --output FILE.npy");
}

int files_check(const struct args *args) {
  struct named file, other;
  int code = check_names(args);
  code = code ? code : check_standard(args);
  for (size_t i = 0; !code && named_at(args, i, &file); i++) {
    if (file.path == NULL)
      continue;
    if (*file.path == '\0')
      return fail(EXIT_BAD_USE, "%s: the name is empty; give a file, or - for standard %s", file.option,
                  file.is_output ? "output" : "input");
    for (size_t j = 0; !code && j < i && named_at(args, j, &other); j++)
      code = other.path == NULL ? EXIT_DONE : compare(args, &file, &other);
    code = code || !file.is_output ? code : check_ending(args, &file);
  }
  return code;
}
