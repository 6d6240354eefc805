// The table of first bytes. Formats that clreduce does not read stand here, too, so that no header is summed.
#include "input/content.h"

#include <string.h>

#include "input/input.h"
#include "input/unpack.h"

#define BEGINS(text) text, sizeof text - 1

static const struct content contents[] = {
  {"a .npy file", BEGINS("\x93NUMPY"), NULL, &source_npy, NULL},
  {"packed by gzip", BEGINS("\x1f\x8b\x08"), &unpacking_gzip, NULL, NULL},
  {"packed by zstd", BEGINS("\x28\xb5\x2f\xfd"), &unpacking_zstd, NULL, NULL},
  {"packed by zstd", BEGINS("?\x2a\x4d\x18"), &unpacking_zstd, NULL, NULL},  // begins with a frame to be skipped
  {"a zip archive", BEGINS("PK\3\4"), &unpacking_zip, NULL, NULL},
  {"a zip archive", BEGINS("PK\5\6"), &unpacking_zip, NULL, NULL},  // without files
  {"packed by xz",
   BEGINS("\xfd"
          "7zXZ"),
   NULL, NULL, "unpack it first, as by xz -dc"},
  {"packed by bzip2", BEGINS("BZh?1AY&SY"), NULL, NULL, "unpack it first, as by bzip2 -dc"},
  {"packed by lz4", BEGINS("\x04\x22\x4d\x18"), NULL, NULL, "unpack it first, as by lz4 -dc"},
  {"an HDF5 file", BEGINS("\x89HDF\r\n\x1a\n"), NULL, NULL, "save the array with numpy.save"},
  {"a Parquet file", BEGINS("PAR1"), NULL, NULL, "save the column with numpy.save"},
  {"a PNG image", BEGINS("\x89PNG\r\n\x1a\n"), NULL, NULL, "save its pixels with numpy.save"},
  {"a JPEG image", BEGINS("\xff\xd8\xff"), NULL, NULL, "save its pixels with numpy.save"},
  {"a GIF image", BEGINS("GIF8"), NULL, NULL, "save its pixels with numpy.save"},
  {"a TIFF image", BEGINS("II*\0"), NULL, NULL, "save its pixels with numpy.save"},
  {"a TIFF image", BEGINS("MM\0*"), NULL, NULL, "save its pixels with numpy.save"},
  {"a WAVE sound", BEGINS("RIFF????WAVE"), NULL, NULL, "skip its header with --skip-bytes (44 in most files)"},
  {"a FITS image", BEGINS("SIMPLE  = "), NULL, NULL, "save its elements with numpy.save"},
};

static bool begins(const struct content *content, const char *bytes, size_t size) {
  if (size < content->size)
    return false;
  for (size_t i = 0; i < content->size; i++)
    if (content->begins[i] != '?' && content->begins[i] != bytes[i])
      return false;
  return true;
}

const struct content *content_of(const void *bytes, size_t size) {
  for (size_t i = 0; i < sizeof contents / sizeof contents[0]; i++)
    if (begins(&contents[i], bytes, size))
      return &contents[i];
  return NULL;
}

bool content_is_numbers(const void *bytes, size_t size) {
  static const char digits[] = "0123456789", all[] = "0123456789+-.eE,;\t \r\n";
  const char *text = bytes;
  bool digit = false, line = false;
  for (size_t i = 0; i < size; i++) {
    if (text[i] == '\0' || strchr(all, text[i]) == NULL)
      return false;
    digit = digit || strchr(digits, text[i]) != NULL;
    line = line || text[i] == '\n';
  }
  return digit && line;
}
