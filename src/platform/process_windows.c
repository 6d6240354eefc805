// No other process is started on Windows; see process.h.
#include "platform/process.h"

bool clr_os_process_start(const char *const *command, struct clr_os_process *process) {
  (void)command;
  process->connection = -1;
  return false;
}

void clr_os_process_end(struct clr_os_process *process, char *how, size_t size) {
  (void)process, (void)size;
  *how = 0;
}

bool clr_os_send(int connection, const void *bytes, size_t size) {
  (void)connection, (void)bytes, (void)size;
  return false;
}

enum clr_received clr_os_receive(int connection, void *bytes, size_t size, unsigned seconds) {
  (void)connection, (void)bytes, (void)size, (void)seconds;
  return CLR_RECEIVED_ENDED;
}

void clr_os_end_after(unsigned seconds) {
  (void)seconds;
}
