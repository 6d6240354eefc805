// The changes that a weak or wrong device makes to the text of a program.

#define _POSIX_C_SOURCE 200809L

#include "weak_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TURNS 65535
#define ITEMS (1u << 20)

// The turns of all loops of each work-item in this launch. Kernels of a CPU driver can write to this memory.
static volatile unsigned turns[ITEMS];
static unsigned most_turns;

void weak_loops_begin(void) {
  for (size_t i = 0; i < ITEMS; i++) {
    most_turns = turns[i] > most_turns ? turns[i] : most_turns;
    turns[i] = 0;
  }
}

unsigned weak_loops_most(void) {
  weak_loops_begin();
  const unsigned most = most_turns;
  most_turns = 0;
  return most;
}

// ---------------------------------------------------------------- Loops

static bool is_word_at(const char *text, const char *at, const char *word) {
  static const char inner[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  const size_t length = strlen(word);
  return strncmp(at, word, length) == 0 && (at == text || !strchr(inner, at[-1])) &&
         (!at[length] || !strchr(inner, at[length]));
}

// The end of a comment or string that begins here, or NULL.
static const char *behind_comment(const char *at) {
  const char *end = NULL;
  if (strncmp(at, "//", 2) == 0)
    end = at + strcspn(at, "\n");
  else if (strncmp(at, "/*", 2) == 0)
    end = strstr(at, "*/") ? strstr(at, "*/") + 2 : at + strlen(at);
  else if (*at == '"')
    end = strchr(at + 1, '"') ? strchr(at + 1, '"') + 1 : at + strlen(at);
  return end;
}

// The condition of a loop from `begin` on, up to a semicolon or the closing parenthesis.
static const char *end_of(const char *begin) {
  int depth = 0;
  for (const char *at = begin; *at; at++) {
    depth += *at == '(' || *at == '[';
    if (depth == 0 && (*at == ';' || *at == ')'))
      return at;
    depth -= *at == ')' || *at == ']';
  }
  return NULL;
}

// Adds the counter to the condition that begins here. Returns the end of the condition.
static const char *put_condition(FILE *made, const char *begin) {
  const char *end = end_of(begin);
  if (!end)
    return begin;
  if (strspn(begin, " \t\n\\") == (size_t)(end - begin)) {
    fputs("LIES_TURN", made);
    return end;
  }
  fputs("(", made);
  fwrite(begin, 1, (size_t)(end - begin), made);
  fputs(") && LIES_TURN", made);
  return end;
}

static void put_counted(FILE *made, const char *text) {
  for (const char *at = text; *at;) {
    const char *behind = behind_comment(at);
    const bool is_for = is_word_at(text, at, "for"), is_while = is_word_at(text, at, "while");
    const char *open = is_for || is_while ? at + strcspn(at, "(") : NULL;
    if (behind) {
      fwrite(at, 1, (size_t)(behind - at), made);
      at = behind;
    } else if (open && *open && end_of(open + 1)) {
      const char *begin = is_for ? end_of(open + 1) + 1 : open + 1;
      fwrite(at, 1, (size_t)(begin - at), made);
      at = put_condition(made, begin);
    } else {
      fputc(*at++, made);
    }
  }
}

static void put_counter(FILE *made, bool ends) {
  fprintf(made, "#define LIES_TURN (++((volatile __global uint *)0x%llxul)[get_global_id(0) %% %uu] <= %uu)\n",
          (unsigned long long)(size_t)turns, ITEMS, ends ? MOST_TURNS : 0xfffffffeu);
}

// ---------------------------------------------------------------- Text that is put before a program

// Every eighth count is lost.
static const char losing[] =
  "uint __attribute__((overloadable)) lies_add(volatile __global uint *p, uint n)\n"
  "{ uint old = atomic_add(p, n); if (LIES_GLOBAL && n && (old & 7) == 7) atomic_sub(p, n); return old; }\n"
  "uint __attribute__((overloadable)) lies_add(volatile __local uint *p, uint n)\n"
  "{ uint old = atomic_add(p, n); if (LIES_LOCAL && n && (old & 7) == 7) atomic_sub(p, n); return old; }\n"
  "#define atomic_add lies_add\n#define atomic_inc(p) lies_add(p, 1u)\n";
static const char losing_longs[] =
  "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
  "ulong lies_add_long(volatile __global ulong *p, ulong n)\n"
  "{ ulong old = atom_add(p, n); if (n && (old & 7) == 7) atom_sub(p, n); return old; }\n"
  "#define atom_add lies_add_long\n#define atom_inc(p) lies_add_long(p, 1)\n";

static const struct {
  unsigned trait;
  const char *text;
} befores[] = {
  {LACKS_DOUBLE, "#undef cl_khr_fp64\n#define double there_is_no_double\n"},
  {LACKS_LONG_ATOMICS,
   "#undef cl_khr_int64_base_atomics\n#undef cl_khr_int64_extended_atomics\n#define atom_add there_is_no_atom\n"
   "#define atom_inc there_is_no_atom\n#define atom_xchg there_is_no_atom\n#define atom_cmpxchg there_is_no_atom\n"
   "#define atom_min there_is_no_atom\n#define atom_max there_is_no_atom\n#define atom_or there_is_no_atom\n"},
  {LIES_IN_ATOMICS, "#define LIES_GLOBAL 1\n#define LIES_LOCAL 0\n"},
  {LIES_IN_LOCAL_ATOMICS, "#define LIES_GLOBAL 0\n#define LIES_LOCAL 1\n"},
  {LIES_IN_ATOMICS | LIES_IN_LOCAL_ATOMICS, losing},
  {LIES_IN_LONG_ATOMICS, losing_longs},
  {LIES_IN_NANS, "#define isnan(x) 0\n"},
  {LIES_IN_SHORTS, "#define short ushort\n"},
  {LIES_IN_DOUBLES, "#define double float\n"},
};

// A compiler that gets one kind of loop wrong.
static void put_miscompiled(FILE *made, const char *text) {
  static const char loop[] = "ulong element = (begin + i) * TILE;";
  const char *from = text;
  for (const char *at; (at = strstr(from, loop)) != NULL; from = at + sizeof loop - 1) {
    fwrite(from, 1, (size_t)(at - from), made);
    fputs("ulong element = (begin + i / 2 * 2) * TILE;", made);
  }
  fputs(from, made);
}

char *weak_source(const char *text) {
  const struct weak_device *weak = weak_device();
  char *bytes = NULL;
  size_t size;
  FILE *made = open_memstream(&bytes, &size);
  if (!made)
    abort();
  for (size_t i = 0; i < sizeof befores / sizeof *befores; i++)
    if (weak->traits & befores[i].trait)
      fputs(befores[i].text, made);
  if (weak->traits & (LIES_IN_LOOPS | COUNTS_LOOPS)) {
    put_counter(made, weak->traits & LIES_IN_LOOPS);
    put_counted(made, text);
  } else if (weak->traits & LIES_IN_CHUNKED) {
    put_miscompiled(made, text);
  } else {
    fputs(text, made);
  }
  fclose(made);
  return bytes;
}
