#define _GNU_SOURCE  // dl_iterate_phdr
#include "layer_symbol.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

struct search {
  const char *name;
  void *found;
};

static int look(struct dl_phdr_info *library, size_t size, void *data) {
  struct search *search = data;
  (void)size;
  void *handle = library->dlpi_name[0] ? dlopen(library->dlpi_name, RTLD_NOW | RTLD_NOLOAD) : NULL;
  search->found = handle ? dlsym(handle, search->name) : NULL;
  return search->found != NULL;
}

void *layer_symbol(const char *name) {
  struct search search = {name, NULL};
  dl_iterate_phdr(look, &search);
  return search.found;
}
