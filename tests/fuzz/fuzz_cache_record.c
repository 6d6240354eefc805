// A file of the cache of binaries, as it is and with a corrected checksum. The checksum is a static function, so this
// file includes its source.
#include "cache/cache_files.c"

#include "fuzz.h"

static const char key_text[] = "a key";

static void read_one(unsigned char *bytes, size_t size) {
  const struct clr_text key = {.bytes = (char *)(uintptr_t)key_text, .length = sizeof key_text - 1};
  const struct clr_bytes file = {bytes, size};
  struct clr_record record = {0};
  const char *wrong = clr_record_read(&file, &key, &record);
  PROMISE(wrong != NULL || (record.binary.data >= bytes + sizeof(struct header) + key.length &&
                            record.binary.size > 0 && record.binary.data + record.binary.size == bytes + size));
}

static void forge(unsigned char *bytes, size_t size) {
  struct header header;
  if (size < sizeof header)
    return;
  memcpy(&header, bytes, sizeof header);
  header.magic = MAGIC;
  header.version = VERSION;
  if (sizes_agree(&header, size - sizeof header))
    header.checksum = checksum(&header, bytes + sizeof header);
  memcpy(bytes, &header, sizeof header);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  unsigned char *bytes = (unsigned char *)fuzz_text(data, size);
  read_one(bytes, size);
  forge(bytes, size);
  read_one(bytes, size);
  free(bytes);
  return 0;
}
