// Compiles programs for other processes, into the cache of the driver that all share: compiler start | stop SOCKET.
// PoCL loads its built-in functions, half a second of CPU, in each process that compiles; here it does so once.
// build_layer.c sends the programs. CTest starts this before the tests that use it and stops it after them.

#define _POSIX_C_SOURCE 200809L

#include "compiler.h"

#include <CL/cl.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define WORKERS 2
#define SECONDS_IDLE_MAX 3600  // then the compiler exits

static bool read_all(int from, void *bytes, size_t size) {
  return recv(from, bytes, size, MSG_WAITALL) == (ssize_t)size;
}

static bool open_device(cl_context *context, cl_device_id *device) {
  cl_platform_id platform;
  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, device, NULL))
    return false;
  *context = clCreateContext(NULL, 1, device, NULL, NULL, NULL);
  return *context != NULL;
}

// The status is not needed: the other process builds the program, too, and gets the status.
static void build(cl_context context, cl_device_id device, char *const texts[TEXTS]) {
  setenv("POCL_EXTRA_BUILD_FLAGS", texts[EXTRA_OPTIONS], 1);
  const char *source = texts[SOURCE];
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
  clBuildProgram(program, 1, &device, texts[OPTIONS], NULL, NULL);
  clReleaseProgram(program);
}

// False: the order was to stop.
static bool serve(int other, cl_context context, cl_device_id device) {
  struct order order;
  char *texts[TEXTS] = {NULL};
  if (!read_all(other, &order, sizeof order))
    return true;
  const bool stops = order.sizes[SOURCE] == 0;
  bool whole = !stops;
  for (int i = 0; i < TEXTS && whole; i++) {
    texts[i] = order.sizes[i] > 0 && order.sizes[i] < COMPILER_TEXT_MAX ? malloc(order.sizes[i]) : NULL;
    whole = texts[i] && read_all(other, texts[i], order.sizes[i]) && texts[i][order.sizes[i] - 1] == '\0';
  }
  if (whole)
    build(context, device, texts);
  for (int i = 0; i < TEXTS; i++)
    free(texts[i]);
  return !stops;
}

static void work(int socket_fd) {
  cl_context context = NULL;
  cl_device_id device = NULL;
  bool goes_on = open_device(&context, &device);
  while (goes_on) {
    alarm(SECONDS_IDLE_MAX);
    const int other = accept(socket_fd, NULL, NULL);
    goes_on = other >= 0 && serve(other, context, device);
    close(other);
  }
  _exit(EXIT_SUCCESS);
}

// CTest waits until no process has its output open.
static void leave_output(void) {
  const int nothing = open("/dev/null", O_RDWR);
  for (int i = 0; i < 3; i++)
    dup2(nothing, i);
}

static int start(const struct sockaddr_un *address) {
  const int socket_fd = socket(AF_UNIX, SOCK_STREAM, 0);
  unlink(address->sun_path);
  if (socket_fd < 0 || bind(socket_fd, (const struct sockaddr *)address, sizeof *address) || listen(socket_fd, 64)) {
    perror(address->sun_path);
    return EXIT_FAILURE;
  }
  for (int i = 0; i < WORKERS; i++)
    if (fork() == 0) {
      setsid();
      leave_output();
      work(socket_fd);
    }
  return EXIT_SUCCESS;
}

static int stop(const struct sockaddr_un *address) {
  const struct order order = {{0}};
  for (int i = 0; i < WORKERS; i++) {
    const int compiler = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(compiler, (const struct sockaddr *)address, sizeof *address) ||
        write(compiler, &order, sizeof order) != sizeof order)
      break;
    close(compiler);
  }
  unlink(address->sun_path);
  return EXIT_SUCCESS;
}

int main(int count, char **arguments) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (count != 3 || strlen(arguments[2]) >= sizeof address.sun_path)
    return fprintf(stderr, "usage: compiler start|stop SOCKET, a path of at most %zu bytes\n",
                   sizeof address.sun_path - 1),
           2;
  strcpy(address.sun_path, arguments[2]);
  return strcmp(arguments[1], "start") == 0 ? start(&address) : stop(&address);
}
