// Peer programs. Each reduces the same elements in a separate process and is controlled by lines of text
// (tools/peers/README.md). If it crashes or hangs, only its own rows are lost.
#pragma once

#include <clreduce.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "device/device_pick.h"

enum { PEER_NAME_SIZE = 64, PEER_LINE_SIZE = 512, PEER_DATA_DESCRIPTOR = 3 };

struct peer {
  char program[1024];
  char name[PEER_NAME_SIZE];  // the name of the program
  char version[PEER_LINE_SIZE];
  bool has_device_clock;
  bool out;                     // the peer is not used any more
  char reason[PEER_LINE_SIZE];  // why the peer is out, or why it refused the last request
  pid_t process;                // 0: none
  int to, from;
  char line[PEER_LINE_SIZE];  // the last answer
  size_t held;                // bytes read into `line`
  double patience;            // seconds to wait for an answer
};

// From now on SIGINT, SIGTERM and SIGHUP end all peers and then this process.
void peers_end_by_signal(void);

// Starts the program with the file of elements as descriptor 3. Any failure, here and below, sets `out` and `reason`.
void peer_start(struct peer *peer, const char *program, int data, double patience);

// Waits for the first line, which has the peer's name.
void peer_greet(struct peer *peer);

// False if the peer is out or refuses; the cause is in `reason`.
bool peer_open(struct peer *peer, const struct device *device);
bool peer_prepare(struct peer *peer, const char *type, const char *op, uint64_t count);

// One run of `calls` calls: the seconds of one call, and the result as text. False if the peer is out.
bool peer_run(struct peer *peer, bool device_clock, uint64_t calls, double *seconds, const char **value);

void peer_stop(struct peer *peer);

// ---- All peer programs that were found: peers.c

enum { PEERS_MOST = 12 };

struct peers {
  struct peer list[PEERS_MOST];
  size_t count;
};

// Starts the programs that `wanted` names: "all", "none", or names separated by commas. CLREDUCE_PEERS names the
// folders, separated by colons. Without this variable they are the folder `peers` beside this program, and the folder
// where peers are installed. Call this before any device is opened: drivers do not survive a fork of their process.
// Returns an exit code.
int peers_start(struct peers *peers, const char *wanted, int data, double patience);

// Writes the path of a module (tools/peers), which is searched in the same folders; false if there is none.
bool peers_module_path(const char *name, char *path, size_t size);

void peers_stop(struct peers *peers);
