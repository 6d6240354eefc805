// The peers that are there: every program in the folders where they are looked for.

#ifndef CLREDUCE_TOOL_PEERS_H
#define CLREDUCE_TOOL_PEERS_H

#include "bench/peer.h"

enum { PEERS_MOST = 12 };

struct peers {
  struct peer list[PEERS_MOST];
  size_t count;
};

// Starts those that `wanted` names, separated by commas: "all", "none", or their programs' names; a name that is not
// there is bad use. Folders: those of CLREDUCE_PEERS, separated by colons, else `peers` beside this program, else where
// they are installed. An exit code. This is to be done before a device is touched: drivers do not survive that another
// process is begun from theirs.
int peers_start(struct peers *peers, const char *wanted, int data, double patience);

// The file of a module (tools/peers) in the same folders; false if there is none.
bool peers_module_path(const char *name, char *path, size_t size);

void peers_stop(struct peers *peers);

#endif
