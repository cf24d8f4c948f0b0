// Independent pieces of work on several threads.
//
// Each thread has a block of pieces and takes parts of it one after the other; who has nothing left takes parts of the
// others' blocks. Parts become smaller towards a block's end, so that threads end at about the same time. So the caller
// never waits for a thread that the machine has no time for, only for parts that are begun. Threads that wait look for
// work for some microseconds and then sleep: they take no time from others.
#include "base/parallel.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifdef _OPENMP
#include <omp.h>
#endif

enum { SHARE = 8 };   // a part is as much of what is left of a block
enum { LOOKS = 300 }; // for work, or for the end of the others', before a thread sleeps: some microseconds

typedef struct block {
    _Alignas(64) atomic_size_t next; // the first piece that nobody has taken
    size_t end;
} block;

typedef struct job {
    void (*body)(void *user, size_t index, int thread);
    void *user;
    int block_count;
    block blocks[CDG_THREADS_MAX];
} job;

// One for the process; whoever finds it taken works alone.
static struct {
    pthread_mutex_t owner; // held while there is a job
    pthread_mutex_t lock;  // of what follows
    pthread_cond_t has_work, is_done;
    bool is_open;      // the job: threads may begin with it
    atomic_uint round; // of jobs
    atomic_int inside; // threads that are at it
    int thread_count;  // beside the caller's
    int sleeping;
    job job;
} pool = {.owner = PTHREAD_MUTEX_INITIALIZER,
          .lock = PTHREAD_MUTEX_INITIALIZER,
          .has_work = PTHREAD_COND_INITIALIZER,
          .is_done = PTHREAD_COND_INITIALIZER};

static _Thread_local bool is_inside; // pieces that are shared out themselves are done by their own thread

static void rest(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

// ---- work -----------------------------------------------------------------------------------------------------------

// The next part of the block, from *first to before *end; false: nothing is left.
static bool take_part(block *b, size_t *first, size_t *end) {
    size_t next = atomic_load_explicit(&b->next, memory_order_relaxed);
    do {
        if (next >= b->end) return false;
        *first = next;
        *end = next + (b->end - next + SHARE - 1) / SHARE;
    } while (!atomic_compare_exchange_weak_explicit(&b->next, &next, *end, memory_order_relaxed, memory_order_relaxed));
    return true;
}

static void work_on(job *j, block *b, int thread) {
    size_t first, end;
    while (take_part(b, &first, &end))
        for (size_t index = first; index < end; index++) j->body(j->user, index, thread);
}

// Its own block first, then those of the others.
static void work(job *j, int thread) {
    is_inside = true;
    for (int k = 0; k < j->block_count; k++) work_on(j, &j->blocks[(thread + k) % j->block_count], thread);
    is_inside = false;
}

static void share_out(job *j, size_t count, int threads) {
    size_t each = count / (size_t)threads, more = count % (size_t)threads, first = 0;
    j->block_count = threads;
    for (size_t k = 0; k < (size_t)threads; k++) {
        size_t size = each + (k < more ? 1 : 0);
        atomic_store_explicit(&j->blocks[k].next, first, memory_order_relaxed);
        j->blocks[k].end = first + size;
        first += size;
    }
}

// ---- threads --------------------------------------------------------------------------------------------------------

// Waits for a job that it has not seen yet. True: it is open, and this thread is at it.
static bool await_job(unsigned *seen, int thread) {
    for (int k = 0; k < LOOKS && atomic_load_explicit(&pool.round, memory_order_relaxed) == *seen; k++) rest();
    pthread_mutex_lock(&pool.lock);
    while (atomic_load_explicit(&pool.round, memory_order_relaxed) == *seen) {
        pool.sleeping++;
        pthread_cond_wait(&pool.has_work, &pool.lock);
        pool.sleeping--;
    }
    *seen = atomic_load_explicit(&pool.round, memory_order_relaxed);
    bool takes_part = pool.is_open && thread < pool.job.block_count;
    if (takes_part) atomic_fetch_add_explicit(&pool.inside, 1, memory_order_relaxed);
    pthread_mutex_unlock(&pool.lock);
    return takes_part;
}

static void *run_thread(void *number) {
    int thread = (int)(size_t)number;
    unsigned seen = 0;
    for (;;) {
        if (!await_job(&seen, thread)) continue;
        work(&pool.job, thread);
        pthread_mutex_lock(&pool.lock);
        if (atomic_fetch_sub_explicit(&pool.inside, 1, memory_order_release) == 1) pthread_cond_signal(&pool.is_done);
        pthread_mutex_unlock(&pool.lock);
    }
    return NULL;
}

// A child process has none of them.
static void forget_threads(void) {
    pthread_mutex_init(&pool.owner, NULL);
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.has_work, NULL);
    pthread_cond_init(&pool.is_done, NULL);
    pool.is_open = false;
    pool.thread_count = pool.sleeping = 0;
    atomic_store(&pool.inside, 0);
}

// Those that are missing; where the system has none to give, fewer work. Signals are for other threads.
static void start_threads(int count) {
    static bool is_first = true;
    if (pool.thread_count >= count) return;
    if (is_first) pthread_atfork(NULL, NULL, forget_threads);
    is_first = false;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (; pool.thread_count < count; pool.thread_count++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, run_thread, (void *)(size_t)(pool.thread_count + 1)) != 0) break;
        pthread_detach(thread);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void open_job(void) {
    pthread_mutex_lock(&pool.lock);
    pool.is_open = true;
    atomic_fetch_add_explicit(&pool.round, 1, memory_order_relaxed);
    if (pool.sleeping > 0) pthread_cond_broadcast(&pool.has_work);
    pthread_mutex_unlock(&pool.lock);
}

// Nobody begins with it any more; those that have are waited for.
static void close_job(void) {
    pthread_mutex_lock(&pool.lock);
    pool.is_open = false;
    pthread_mutex_unlock(&pool.lock);
    for (int k = 0; k < LOOKS && atomic_load_explicit(&pool.inside, memory_order_acquire) > 0; k++) rest();
    pthread_mutex_lock(&pool.lock);
    while (atomic_load_explicit(&pool.inside, memory_order_acquire) > 0) pthread_cond_wait(&pool.is_done, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
}

void cdg_parallel_for(size_t count, int thread_count, void (*body)(void *user, size_t index, int thread), void *user) {
    int used = thread_count < CDG_THREADS_MAX ? thread_count : CDG_THREADS_MAX;
    if ((size_t)(used > 0 ? used : 0) > count) used = (int)count;
    if (used > 1 && !is_inside && pthread_mutex_trylock(&pool.owner) == 0) {
        start_threads(used - 1);
        pool.job.body = body, pool.job.user = user;
        share_out(&pool.job, count, used);
        open_job();
        work(&pool.job, 0);
        close_job();
        pthread_mutex_unlock(&pool.owner);
        return;
    }
    for (size_t index = 0; index < count; index++) body(user, index, 0);
}

int cdg_parallel_default_threads(void) {
#ifdef _OPENMP
    int count = omp_get_max_threads(); // respects OMP_NUM_THREADS and the CPUs this process may use
    return count < CDG_THREADS_MAX ? count : CDG_THREADS_MAX;
#else
    return 1;
#endif
}
