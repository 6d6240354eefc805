// C11's locks by POSIX's, for builds with ThreadSanitizer, which knows those alone: without this every access under a lock looks like a race.
// The C library's own do the same, but call inside of it, where nobody watches.
#include <pthread.h>
#include <threads.h>

// glibc's mtx_t has room for one of POSIX, and nobody looks into it but these.
_Static_assert(sizeof(mtx_t) >= sizeof(pthread_mutex_t) && sizeof(cnd_t) >= sizeof(pthread_cond_t), "a lock has no room");

static int result_of(int error)
{
  return error == 0 ? thrd_success : thrd_error;
}

int mtx_init(mtx_t *lock, int kind)
{
  (void)kind;
  return result_of(pthread_mutex_init((pthread_mutex_t *)(void *)lock, NULL));
}

int mtx_lock(mtx_t *lock)
{
  return result_of(pthread_mutex_lock((pthread_mutex_t *)(void *)lock));
}

int mtx_unlock(mtx_t *lock)
{
  return result_of(pthread_mutex_unlock((pthread_mutex_t *)(void *)lock));
}

void mtx_destroy(mtx_t *lock)
{
  pthread_mutex_destroy((pthread_mutex_t *)(void *)lock);
}

int cnd_init(cnd_t *condition)
{
  return result_of(pthread_cond_init((pthread_cond_t *)(void *)condition, NULL));
}

int cnd_wait(cnd_t *condition, mtx_t *lock)
{
  return result_of(pthread_cond_wait((pthread_cond_t *)(void *)condition, (pthread_mutex_t *)(void *)lock));
}

int cnd_signal(cnd_t *condition)
{
  return result_of(pthread_cond_signal((pthread_cond_t *)(void *)condition));
}

int cnd_broadcast(cnd_t *condition)
{
  return result_of(pthread_cond_broadcast((pthread_cond_t *)(void *)condition));
}

void cnd_destroy(cnd_t *condition)
{
  pthread_cond_destroy((pthread_cond_t *)(void *)condition);
}
