// All peer programs that were found.

#ifndef CLREDUCE_TOOL_PEERS_H
#define CLREDUCE_TOOL_PEERS_H

#include "bench/peer.h"

enum { PEERS_MOST = 12 };

struct peers {
  struct peer list[PEERS_MOST];
  size_t count;
};

// Starts the programs that `wanted` names: "all", "none", or names separated by commas. The folders are those of
// CLREDUCE_PEERS, separated by colons; without that variable `peers` beside this program and where they are installed.
// Call this before any device is opened: drivers do not survive a fork of their process. Returns an exit code.
int peers_start(struct peers *peers, const char *wanted, int data, double patience);

// Writes the path of a module (tools/peers) in the same folders; false if there is none.
bool peers_module_path(const char *name, char *path, size_t size);

void peers_stop(struct peers *peers);

#endif
