// Locks, aligned memory and time; see platform.h.
#include "platform/platform.h"

#include <stdlib.h>
#include <time.h>

#ifdef _WIN32

#include <malloc.h>
#include <windows.h>

_Static_assert(sizeof(clr_mutex) == sizeof(SRWLOCK) && sizeof(clr_condition) == sizeof(CONDITION_VARIABLE),
               "not the locks of Windows");

bool clr_mutex_init(clr_mutex *lock) {
  InitializeSRWLock((SRWLOCK *)lock);
  return true;
}

void clr_mutex_destroy(clr_mutex *lock) {
  (void)lock;
}

void clr_mutex_lock(clr_mutex *lock) {
  AcquireSRWLockExclusive((SRWLOCK *)lock);
}

void clr_mutex_unlock(clr_mutex *lock) {
  ReleaseSRWLockExclusive((SRWLOCK *)lock);
}

bool clr_condition_init(clr_condition *condition) {
  InitializeConditionVariable((CONDITION_VARIABLE *)condition);
  return true;
}

void clr_condition_release(clr_condition *condition) {
  (void)condition;
}

void clr_condition_wait(clr_condition *condition, clr_mutex *lock) {
  SleepConditionVariableSRW((CONDITION_VARIABLE *)condition, (SRWLOCK *)lock, INFINITE, 0);
}

void clr_condition_signal(clr_condition *condition) {
  WakeConditionVariable((CONDITION_VARIABLE *)condition);
}

void *clr_aligned_alloc(size_t alignment, size_t size) {
  return _aligned_malloc(size, alignment);
}

void clr_aligned_free(void *memory) {
  _aligned_free(memory);
}

double clr_seconds(void) {
  LARGE_INTEGER now, rate;
  QueryPerformanceCounter(&now);
  QueryPerformanceFrequency(&rate);
  return (double)now.QuadPart / (double)rate.QuadPart;
}

#else

void *clr_aligned_alloc(size_t alignment, size_t size) {
  return aligned_alloc(alignment, size);
}

void clr_aligned_free(void *memory) {
  free(memory);
}

double clr_seconds(void) {
  struct timespec now = {0};
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
