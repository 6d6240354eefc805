// Another process and a connection to it. On Windows none can be started.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct clr_os_process {
  int connection;  // -1: there is no process
  long number;
};

// Starts a command: strings that end with NULL, the first is a path. The process's standard input is the connection;
// its standard output and error are discarded. False, with the connection -1, if it cannot be started.
bool clr_os_process_start(const char *const *command, struct clr_os_process *process);

// Ends the process and waits for it. If a fault had ended the process before, writes the signal to `how`: "signal 11
// (Segmentation fault)", or that it is unknown; otherwise "". Does nothing without a process.
void clr_os_process_end(struct clr_os_process *process, char *how, size_t size);

// Sends all bytes; false if the other side is gone.
bool clr_os_send(int connection, const void *bytes, size_t size);

// Receives exactly this many bytes. ENDED: the other side is gone. LATE: nothing came for `seconds`; 0: waits forever.
enum clr_received { CLR_RECEIVED, CLR_RECEIVED_ENDED, CLR_RECEIVED_LATE };
enum clr_received clr_os_receive(int connection, void *bytes, size_t size, unsigned seconds);

// Has the system end this process after `seconds`; 0: never.
void clr_os_end_after(unsigned seconds);
