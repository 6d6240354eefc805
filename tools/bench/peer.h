// A peer: a program beside us that reduces the same elements, told what to do in lines of text. It lives in a process
// of its own, so that the tool depends on none, and one that dies or hangs costs its own rows alone.
// tools/bench/peers/README.md has the lines.

#ifndef CLREDUCE_TOOL_PEER_H
#define CLREDUCE_TOOL_PEER_H

#include <clreduce.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "device/device_pick.h"

enum { PEER_NAME_SIZE = 64, PEER_LINE_SIZE = 512, PEER_DATA_DESCRIPTOR = 3 };

struct peer {
  char program[1024];
  char name[PEER_NAME_SIZE];  // the program's
  char version[PEER_LINE_SIZE];
  bool has_device_clock;
  bool out;                     // left out from here on
  char reason[PEER_LINE_SIZE];  // why, or why it does not take the last thing asked
  pid_t process;                // 0: none
  int to, from;
  char line[PEER_LINE_SIZE];  // the last answer
  size_t held;                // bytes in `line` that were read
  double patience;            // seconds that an answer may take
};

// Starts the program with the elements' file as descriptor 3. Whatever goes wrong, here and below, leaves the peer
// `out`, with a reason.
void peer_start(struct peer *peer, const char *program, int data, double patience);

// Waits until it has said its name.
void peer_greet(struct peer *peer);

// False where it is out, or refuses; `reason` says why.
bool peer_open(struct peer *peer, const struct device *device);
bool peer_prepare(struct peer *peer, const char *type, const char *op, uint64_t count);

// One run of `calls` calls: seconds of one, and the result as it spells it. False where it is out.
bool peer_run(struct peer *peer, bool device_clock, uint64_t calls, double *seconds, const char **value);

void peer_stop(struct peer *peer);

#endif
