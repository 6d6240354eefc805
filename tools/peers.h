// The peers that are there: every program in the folders where they are looked for.

#ifndef CLREDUCE_TOOL_PEERS_H
#define CLREDUCE_TOOL_PEERS_H

#include "peer.h"

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

void peers_stop(struct peers *peers);

#endif
