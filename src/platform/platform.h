// What the library uses of the operating system: locks, aligned memory, time (and files, in files.h). All other
// directories use standard C alone.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef _WIN32

// A slim lock and a condition variable of Windows are one pointer each.
typedef struct {
  void *word;
} clr_mutex;
typedef struct {
  void *word;
} clr_condition;

bool clr_mutex_init(clr_mutex *lock);
void clr_mutex_destroy(clr_mutex *lock);
void clr_mutex_lock(clr_mutex *lock);
void clr_mutex_unlock(clr_mutex *lock);
bool clr_condition_init(clr_condition *condition);
void clr_condition_release(clr_condition *condition);
void clr_condition_wait(clr_condition *condition, clr_mutex *lock);
void clr_condition_signal(clr_condition *condition);

#else

#include <pthread.h>

typedef pthread_mutex_t clr_mutex;
typedef pthread_cond_t clr_condition;

// Returns false if the system has no memory for the lock.
static inline bool clr_mutex_init(clr_mutex *lock) {
  return pthread_mutex_init(lock, NULL) == 0;
}

static inline void clr_mutex_destroy(clr_mutex *lock) {
  pthread_mutex_destroy(lock);
}

static inline void clr_mutex_lock(clr_mutex *lock) {
  pthread_mutex_lock(lock);
}

static inline void clr_mutex_unlock(clr_mutex *lock) {
  pthread_mutex_unlock(lock);
}

static inline bool clr_condition_init(clr_condition *condition) {
  return pthread_cond_init(condition, NULL) == 0;
}

static inline void clr_condition_release(clr_condition *condition) {
  pthread_cond_destroy(condition);
}

// Unlocks, waits for a signal, and locks again. May also return without a signal.
static inline void clr_condition_wait(clr_condition *condition, clr_mutex *lock) {
  pthread_cond_wait(condition, lock);
}

// Wakes one thread that waits.
static inline void clr_condition_signal(clr_condition *condition) {
  pthread_cond_signal(condition);
}

#endif

// Allocates `size` bytes, a multiple of `alignment`, which is a power of two. Free them with clr_aligned_free.
void *clr_aligned_alloc(size_t alignment, size_t size);
void clr_aligned_free(void *memory);

// Seconds since a fixed moment.
double clr_seconds(void);
