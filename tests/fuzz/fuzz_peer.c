// The output of a peer of bench.
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/peer.h"
#include "fuzz.h"

// The greeting, two answers and a run; the peer may end after any of them.
static void talk(struct peer *peer) {
  const struct device device = {.type = CL_DEVICE_TYPE_CPU, .name = "device"};
  const char *value = "";
  double seconds = 0;
  peer_greet(peer);
  peer_open(peer, &device);
  peer_prepare(peer, "float", "sum", 1024);
  if (!peer->out && peer_run(peer, true, 1, &seconds, &value))
    PROMISE(seconds > 0 && strlen(value) < PEER_LINE_SIZE);
  PROMISE(!peer->out || *peer->reason != '\0');
  PROMISE(strlen(peer->version) < sizeof peer->version && strlen(peer->reason) < sizeof peer->reason);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct peer peer = {.patience = 1};
  int answers[2];
  size = size < 4096 ? size : 4096;
  if (pipe(answers) != 0 || write(answers[1], data, size) != (ssize_t)size)
    exit(125);
  close(answers[1]);
  peer.from = answers[0];
  peer.to = open("/dev/null", O_WRONLY);
  talk(&peer);
  close(peer.to);
  close(peer.from);
  return 0;
}
