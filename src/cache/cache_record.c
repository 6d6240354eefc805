#include "cache/cache_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC UINT64_C(0x6e69622d64726c63)  // "clrd-bin", where the least byte comes first
#define VERSION 1

// Numbers are as this machine has them: to another one the magic is wrong.
struct header {
  uint64_t magic;
  uint64_t version;
  uint64_t key_size;
  uint64_t binary_size;
  uint64_t kernels;
  uint64_t checksum;  // of the rest of the file, this word taken for 0
};

static uint64_t mix_word(uint64_t sum, uint64_t word) {
  sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return sum ^ sum >> 32;
}

// Each step can be undone, so a change within one word always shows.
static uint64_t mix(uint64_t sum, const void *from, size_t size) {
  const unsigned char *bytes = from;
  uint64_t word;
  for (; size >= sizeof word; bytes += sizeof word, size -= sizeof word) {
    memcpy(&word, bytes, sizeof word);
    sum = mix_word(sum, word);
  }
  word = 0;
  memcpy(&word, bytes, size);
  return mix_word(mix_word(sum, word), size);
}

static uint64_t checksum(const struct header *header, const unsigned char *rest) {
  struct header zeroed = *header;
  zeroed.checksum = 0;
  return mix(mix(0, &zeroed, sizeof zeroed), rest, (size_t)(header->key_size + header->binary_size));
}

void clr_record_name(const struct clr_text *key, char name[CLR_RECORD_NAME_SIZE]) {
  snprintf(name, CLR_RECORD_NAME_SIZE, "%016" PRIx64, mix(0, key->bytes, key->length));
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
