// C11's locks by POSIX's, which ThreadSanitizer knows. The linker replaces the functions of <threads.h> by these
// (--wrap). In GNU's C library both kinds have the same layout.

#include <pthread.h>
#include <threads.h>

_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t),
               "not the same locks");

int __wrap_mtx_init(mtx_t *lock, int type);
int __wrap_mtx_lock(mtx_t *lock);
int __wrap_mtx_unlock(mtx_t *lock);
void __wrap_mtx_destroy(mtx_t *lock);
int __wrap_cnd_init(cnd_t *condition);
int __wrap_cnd_wait(cnd_t *condition, mtx_t *lock);
int __wrap_cnd_signal(cnd_t *condition);
void __wrap_cnd_destroy(cnd_t *condition);

int __wrap_mtx_init(mtx_t *lock, int type) {
  (void)type;
  return pthread_mutex_init((pthread_mutex_t *)lock, NULL) ? thrd_error : thrd_success;
}

int __wrap_mtx_lock(mtx_t *lock) {
  return pthread_mutex_lock((pthread_mutex_t *)lock) ? thrd_error : thrd_success;
}

int __wrap_mtx_unlock(mtx_t *lock) {
  return pthread_mutex_unlock((pthread_mutex_t *)lock) ? thrd_error : thrd_success;
}

void __wrap_mtx_destroy(mtx_t *lock) {
  pthread_mutex_destroy((pthread_mutex_t *)lock);
}

int __wrap_cnd_init(cnd_t *condition) {
  return pthread_cond_init((pthread_cond_t *)condition, NULL) ? thrd_error : thrd_success;
}

int __wrap_cnd_wait(cnd_t *condition, mtx_t *lock) {
  return pthread_cond_wait((pthread_cond_t *)condition, (pthread_mutex_t *)lock) ? thrd_error : thrd_success;
}

int __wrap_cnd_signal(cnd_t *condition) {
  return pthread_cond_signal((pthread_cond_t *)condition) ? thrd_error : thrd_success;
}

void __wrap_cnd_destroy(cnd_t *condition) {
  pthread_cond_destroy((pthread_cond_t *)condition);
}
