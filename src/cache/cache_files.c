// Files of the cache: the format of a file, and the directory that holds them.
#include "cache/cache_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/checksum.h"
#include "platform/files.h"

// ---------------------------------------------------------------- The bytes of a file

#define MAGIC UINT64_C(0x6e69622d64726c63)  // "clrd-bin" in little-endian order
#define VERSION 1

// Numbers have this machine's byte order. On a machine with the other order the magic does not match.
struct header {
  uint64_t magic;
  uint64_t version;
  uint64_t key_size;
  uint64_t binary_size;
  uint64_t kernels;
  uint64_t checksum;  // over the rest of the file, with 0 in this field
};

static uint64_t checksum(const struct header *header, const unsigned char *rest) {
  struct header zeroed = *header;
  zeroed.checksum = 0;
  return clr_checksum(clr_checksum(CLR_CHECKSUM_BEGIN, &zeroed, sizeof zeroed), rest,
                      (size_t)(header->key_size + header->binary_size));
}

void clr_record_name(const struct clr_text *key, char name[CLR_RECORD_NAME_SIZE]) {
  snprintf(name, CLR_RECORD_NAME_SIZE, "%016" PRIx64,
           (uint64_t)clr_checksum(CLR_CHECKSUM_BEGIN, key->bytes, key->length));
}

struct clr_bytes clr_record_write(const struct clr_text *key, const struct clr_record *record) {
  struct header header = {.magic = MAGIC,
                          .version = VERSION,
                          .key_size = key->length,
                          .binary_size = record->binary.size,
                          .kernels = record->kernels};
  struct clr_bytes file = {.size = sizeof header + key->length + record->binary.size};
  file.data = malloc(file.size);
  if (!file.data)
    return file;
  unsigned char *rest = file.data + sizeof header;
  memcpy(rest, key->bytes, key->length);
  memcpy(rest + key->length, record->binary.data, record->binary.size);
  header.checksum = checksum(&header, rest);
  memcpy(file.data, &header, sizeof header);
  return file;
}

static bool sizes_agree(const struct header *header, size_t rest) {
  return header->key_size <= rest && header->binary_size == rest - header->key_size && header->binary_size > 0;
}

const char *clr_record_read(const struct clr_bytes *file, const struct clr_text *key, struct clr_record *record) {
  struct header header;
  if (file->size < sizeof header)
    return "it is shorter than its header";
  memcpy(&header, file->data, sizeof header);
  unsigned char *rest = file->data + sizeof header;
  if (header.magic != MAGIC || header.version != VERSION)
    return "it is no binary in the form of this version";
  if (!sizes_agree(&header, file->size - sizeof header))
    return "it has not the size that its header says";
  if (header.checksum != checksum(&header, rest))
    return "its checksum is wrong";
  if (header.key_size != key->length || memcmp(rest, key->bytes, key->length) != 0)
    return "it is of another program";
  *record = (struct clr_record){{rest + header.key_size, (size_t)header.binary_size}, header.kernels};
  return NULL;
}

// ---------------------------------------------------------------- Paths

#define FILE_MAX ((size_t)64 << 20)
#define NAMES_TRIED 100
#define NAME_LENGTH_MAX 64
#define DAY (24 * 60 * 60)

static bool remark(struct clr_text *remarks, const char *path, const char *what, int code) {
  char words[128];
  clr_os_error_words(code, words, sizeof words);
  clr_text_format(remarks, "cache: %s %s: %s\n", what, path, words);
  return false;
}

static struct clr_text path_of(const char *directory, const char *name, const char *ending) {
  struct clr_text path = {0};
  clr_text_format(&path, "%s/%s%s", directory, name, ending);
  return path;
}

// ---------------------------------------------------------------- Reading

enum clr_file_state clr_file_read(const char *path, size_t most, struct clr_bytes *bytes) {
  *bytes = (struct clr_bytes){NULL, 0};
  errno = 0;
  FILE *file = fopen(path, "rb");
  if (!file)
    return errno == ENOENT || errno == ENOTDIR ? CLR_FILE_ABSENT : CLR_FILE_UNREADABLE;
  unsigned char *read = malloc(most + 1);
  size_t size = read ? fread(read, 1, most + 1, file) : 0;
  bool failed = read && ferror(file);
  fclose(file);
  if (!read)
    return CLR_FILE_NO_MEMORY;
  if (failed || size > most) {
    free(read);
    return failed ? CLR_FILE_UNREADABLE : CLR_FILE_TOO_LARGE;
  }
  *bytes = (struct clr_bytes){read, size};
  return CLR_FILE_READ;
}

// The modification time is the time of the last use. We update it at most once a day.
static void note_use(int file, const struct clr_os_facts *facts) {
  time_t now = time(NULL);
  if (now != (time_t)-1 && difftime(now, facts->changed) > DAY)
    clr_os_touch(file);
}

static bool read_open(int file, struct clr_bytes *bytes) {
  struct clr_os_facts facts;
  if (!clr_os_facts(file, &facts))
    return false;
  errno = EPERM;
  if (!facts.is_regular || !facts.is_private)
    return false;
  errno = EFBIG;
  if (facts.size > FILE_MAX)
    return false;
  bytes->size = (size_t)facts.size;
  errno = ENOMEM;
  bytes->data = malloc(bytes->size + 1);
  if (!bytes->data || !clr_os_read(file, bytes->data, bytes->size))
    return false;
  note_use(file, &facts);
  return true;
}

struct clr_bytes clr_directory_read(const char *directory, const char *name, const char *ending,
                                    struct clr_text *remarks) {
  struct clr_bytes bytes = {NULL, 0};
  struct clr_text path = path_of(directory, name, ending);
  int file = path.failed ? -1 : clr_os_open(path.bytes);
  if ((file < 0 && !path.failed && errno != ENOENT) || (file >= 0 && !read_open(file, &bytes))) {
    remark(remarks, path.bytes, "cannot read", errno);
    free(bytes.data);
    bytes.data = NULL;
  }
  if (file >= 0)
    clr_os_close(file);
  clr_text_release(&path);
  return bytes;
}

// ---------------------------------------------------------------- Writing

// Creates a new file that no other process or thread writes.
static int open_new(const char *path, bool is_private, struct clr_text *temporary) {
  int file = -1;
  errno = EEXIST;
  for (int i = 0; i < NAMES_TRIED && file < 0 && errno == EEXIST; i++) {
    clr_text_release(temporary);
    clr_text_format(temporary, "%s.%ld.%d.tmp", path, clr_os_process_number(), i);
    errno = ENOMEM;
    if (!temporary->failed)
      file = clr_os_create(temporary->bytes, is_private);
  }
  return file;
}

// We do not fsync; checksums detect torn files. A write beyond the file size limit raises a signal that ends the
// process, so we check the limit first.
bool clr_file_replace(const char *path, const void *bytes, size_t size, bool is_private) {
  struct clr_text temporary = {0};
  errno = EFBIG;
  if (size > FILE_MAX || !clr_os_may_write(size))
    return false;
  int file = open_new(path, is_private, &temporary);
  bool done = file >= 0 && clr_os_write(file, bytes, size);
  int code = errno;
  if (file >= 0 && !clr_os_close(file) && done) {
    done = false;
    code = errno;
  }
  if (done && !clr_os_replace(temporary.bytes, path)) {
    done = false;
    code = errno;
  }
  if (file >= 0 && !done)
    clr_os_remove(temporary.bytes);
  clr_text_release(&temporary);
  errno = code;
  return done;
}

bool clr_directory_write(const char *directory, const char *name, const char *ending, const struct clr_bytes *bytes,
                         struct clr_text *remarks) {
  struct clr_text path = path_of(directory, name, ending);
  bool done = false;
  if (path.failed)
    return false;
  if (!clr_os_make_directory(directory))
    remark(remarks, directory, "cannot make the directory", errno);
  else if (!clr_file_replace(path.bytes, bytes->data, bytes->size, true))
    remark(remarks, path.bytes, "cannot write", errno);
  else
    done = true;
  clr_text_release(&path);
  return done;
}

// ---------------------------------------------------------------- The oldest files

struct entry {
  char name[NAME_LENGTH_MAX];
  time_t used;
  uint64_t size;
};

struct entries {
  struct entry *list;
  size_t count, room;
  uint64_t size;
};

// True for names of sixteen digits with our endings: files of the cache and its temporary files. Others are not ours.
static bool is_ours(const char *name) {
  const size_t digits = CLR_RECORD_NAME_SIZE - 1;
  return strspn(name, "0123456789abcdef") == digits && strlen(name) < NAME_LENGTH_MAX &&
         (strncmp(name + digits, CLR_RECORD_BINARY, strlen(CLR_RECORD_BINARY)) == 0 ||
          strncmp(name + digits, CLR_RECORD_NOTE, strlen(CLR_RECORD_NOTE)) == 0);
}

static bool add_entry(void *self, const char *name, const struct clr_os_facts *facts) {
  struct entries *entries = self;
  if (!is_ours(name))
    return true;
  if (entries->count == entries->room) {
    size_t room = 2 * entries->room + 64;
    struct entry *list = realloc(entries->list, room * sizeof *list);
    if (!list)
      return false;
    entries->list = list;
    entries->room = room;
  }
  struct entry *entry = &entries->list[entries->count++];
  strcpy(entry->name, name);
  entry->used = facts->changed;
  entry->size = facts->size;
  entries->size += entry->size;
  return true;
}

static int by_use(const void *a, const void *b) {
  time_t x = ((const struct entry *)a)->used, y = ((const struct entry *)b)->used;
  return (x > y) - (x < y);
}

static void remove_entry(const char *directory, const char *name) {
  struct clr_text path = {0};
  clr_text_format(&path, "%s/%s", directory, name);
  if (!path.failed)
    clr_os_remove(path.bytes);
  clr_text_release(&path);
}

void clr_directory_trim(const char *directory, uint64_t most) {
  struct entries entries = {0};
  clr_os_visit_directory(directory, add_entry, &entries);
  if (entries.size > most)
    qsort(entries.list, entries.count, sizeof *entries.list, by_use);
  bool full = entries.size > most;
  for (size_t i = 0; full && i < entries.count && entries.size > most / 4 * 3; i++) {
    remove_entry(directory, entries.list[i].name);
    entries.size -= entries.list[i].size;
  }
  free(entries.list);
}
