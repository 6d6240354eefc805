// One field of the elements of a structured array.
#pragma once

#include "input/stream.h"

// From now on the stream returns, of every `step` bytes, the `size` bytes from `offset` on. Returns an exit code.
int stream_take_field(struct stream *stream, uint64_t offset, uint64_t size, uint64_t step);
