// Independent pieces of work on several threads.
//
// Each thread has a block of pieces and takes parts of it one after the other; who has nothing left takes parts of the
// others' blocks. Parts become smaller towards a block's end, so that threads end at about the same time. So the caller
// never waits for a thread that the machine has no time for, only for parts that are begun. Who comes and goes is
// counted in one word, without a lock: jobs of some microseconds are worth a second thread.
//
// Threads that wait look for work for some time and then sleep. They look for longer than most serial work between two
// jobs takes: to wake a thread takes longer than a short job, and meanwhile another has done its part, whose data then
// are in the wrong cache. They do not look where that would take time from others: on the caller's processor, or for a
// while after they were put aside while they looked, the longer the more often that happens. So that this is seen at
// once, they offer the processor to others between looks. Interrupts are no such thing: they are over in tens of
// microseconds, another process takes a millisecond. For many short jobs it is not tried often to wake a thread: who
// wakes finds the next. A caller that had to wait for a thread that was put aside within a part does without threads
// for some time.
#define _GNU_SOURCE // sched_getcpu
#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#ifdef _OPENMP
#include <omp.h>
#endif

enum { SHARE = 8 };                    // a part is as much of what is left of a block
enum { LOOKS = 16 };                   // between two looks at the clock
static const double look_time = 5e-4;  // s: of a thread for work, and of the caller for the end of the others'
static const double own_time = 10e-6;  // s: before a thread that looks offers the processor to others
static const double aside_time = 2e-4; // s: so many looks never take as long, unless a thread is put aside
static const double wake_time = 60e-6; // s: between two calls to who sleeps
static const double modest_least = 5e-4, modest_most = 0.05; // s: that a thread sleeps at once after it was put aside
static const double lone_share = 10;  // times of the wait for a thread that was put aside: without threads
static const double lone_time = 0.05; // s: at most

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

// The word: how many threads are inside, whether more may come, and the number of the job.
#define INSIDE ((uint64_t)0x7fffffff)
#define OPEN ((uint64_t)1 << 31)
#define ROUND ((uint64_t)1 << 32)

// One for the process; whoever finds it taken works alone.
static struct {
    pthread_mutex_t owner; // held while there is a job
    pthread_mutex_t lock;  // of those that go to sleep, and of who wakes them
    pthread_cond_t has_work, is_done;
    _Alignas(64) atomic_uint_least64_t word;
    atomic_bool is_anybody_asleep, is_owner_asleep;
    atomic_int processor; // of the owner, when the job was opened
    int thread_count;     // beside the owner's
    double lone_until;    // s: no threads before this time
    double woken;         // s: when those that slept were last called
    job job;
} pool = {.owner = PTHREAD_MUTEX_INITIALIZER,
          .lock = PTHREAD_MUTEX_INITIALIZER,
          .has_work = PTHREAD_COND_INITIALIZER,
          .is_done = PTHREAD_COND_INITIALIZER};

static _Thread_local bool is_inside; // pieces that are shared out themselves are done by their own thread

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int processor(void) {
#if defined(__linux__)
    return sched_getcpu();
#else
    return -1;
#endif
}

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

// Those that sleep, if they were not called just now.
static void call_sleepers(double time) {
    if (!atomic_load(&pool.is_anybody_asleep) || time - pool.woken < wake_time) return;
    pool.woken = time;
    pthread_mutex_lock(&pool.lock);
    atomic_store(&pool.is_anybody_asleep, false);
    pthread_cond_broadcast(&pool.has_work);
    pthread_mutex_unlock(&pool.lock);
}

static void work_on(job *j, block *b, int thread) {
    size_t first, end;
    while (take_part(b, &first, &end)) {
        for (size_t index = first; index < end; index++) j->body(j->user, index, thread);
        bool may_call = thread == 0 && atomic_load_explicit(&pool.is_anybody_asleep, memory_order_relaxed);
        if (may_call) call_sleepers(now()); // a job that turns out to be long
    }
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

static bool has_new_job(unsigned seen) { return (unsigned)(atomic_load(&pool.word) / ROUND) != seen; }

static bool is_nobody_inside(unsigned unused) {
    (void)unused;
    return (atomic_load(&pool.word) & INSIDE) == 0;
}

// Looks until it is so, for a while, or until *is_put_aside: the machine had no time for this thread meanwhile.
static bool look_for(bool (*is_so)(unsigned), unsigned value, bool *is_put_aside) {
    *is_put_aside = false;
    double began = now(), last = began;
    do {
        for (int k = 0; k < LOOKS; k++) {
            if (is_so(value)) return true;
            rest();
        }
        double time = now();
        *is_put_aside = time - last > aside_time;
        last = time;
        if (time - began > own_time) sched_yield();
    } while (!*is_put_aside && last - began < look_time);
    return is_so(value);
}

static void sleep_until_job(unsigned seen) {
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        atomic_store(&pool.is_anybody_asleep, true); // before the look, as the owner opens before it looks for sleepers
        if (has_new_job(seen)) break;
        pthread_cond_wait(&pool.has_work, &pool.lock);
    }
    pthread_mutex_unlock(&pool.lock);
}

// Of a thread that was put aside while it looked: how long it sleeps at once, and until when, s.
typedef struct modesty {
    double time, until;
} modesty;

// Twice as long as the last time, unless that was long ago.
static void become_modest(modesty *m) {
    double time = now();
    bool is_again = time - m->until < 4 * m->time;
    m->time = !is_again ? modest_least : 2 * m->time < modest_most ? 2 * m->time : modest_most;
    m->until = time + m->time;
}

static void await_job(unsigned seen, modesty *m) {
    bool is_put_aside = false, is_modest = m->until > 0 && now() < m->until;
    bool looks = !is_modest && processor() != atomic_load(&pool.processor);
    if (looks && look_for(has_new_job, seen, &is_put_aside)) return;
    if (is_put_aside) become_modest(m);
    sleep_until_job(seen);
}

static void leave(void) {
    if ((atomic_fetch_sub(&pool.word, 1) & INSIDE) > 1 || !atomic_load(&pool.is_owner_asleep)) return;
    pthread_mutex_lock(&pool.lock);
    pthread_cond_signal(&pool.is_done);
    pthread_mutex_unlock(&pool.lock);
}

// The job under way, if one is open and wants this thread.
static bool enter(unsigned *seen, int thread) {
    uint64_t word = atomic_load(&pool.word);
    do {
        *seen = (unsigned)(word / ROUND);
        if ((word & OPEN) == 0) return false;
    } while (!atomic_compare_exchange_weak(&pool.word, &word, word + 1));
    if (thread < pool.job.block_count) return true;
    leave();
    return false;
}

static void *run_thread(void *number) {
    int thread = (int)(size_t)number;
    unsigned seen = 0;
    modesty own = {0, 0};
    for (;;) {
        await_job(seen, &own);
        if (!enter(&seen, thread)) continue;
        work(&pool.job, thread);
        leave();
    }
    return NULL;
}

// A child process has none of them.
static void forget_threads(void) {
    pthread_mutex_init(&pool.owner, NULL);
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.has_work, NULL);
    pthread_cond_init(&pool.is_done, NULL);
    pool.thread_count = 0;
    atomic_store(&pool.word, 0);
    atomic_store(&pool.is_anybody_asleep, false);
    atomic_store(&pool.is_owner_asleep, false);
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

static void open_job(double time) {
    atomic_store(&pool.processor, processor());
    atomic_fetch_add(&pool.word, ROUND + OPEN);
    call_sleepers(time);
}

static void sleep_until_nobody_is_inside(void) {
    pthread_mutex_lock(&pool.lock);
    atomic_store(&pool.is_owner_asleep, true); // before the look, as threads leave before they look for who sleeps
    while (!is_nobody_inside(0)) pthread_cond_wait(&pool.is_done, &pool.lock);
    atomic_store(&pool.is_owner_asleep, false);
    pthread_mutex_unlock(&pool.lock);
}

// Nobody begins with it any more; those that have are waited for.
static void close_job(double began) {
    atomic_fetch_and(&pool.word, ~OPEN);
    if (is_nobody_inside(0)) return;
    bool is_put_aside;
    double ended = now();
    if (look_for(is_nobody_inside, 0, &is_put_aside)) return;
    sleep_until_nobody_is_inside();
    double time = now(), waited = time - ended;
    if (waited < 2 * (ended - began)) return; // pieces that take so long
    pool.lone_until = time + (lone_share * waited < lone_time ? lone_share * waited : lone_time);
}

static void share(size_t count, int threads, void (*body)(void *user, size_t index, int thread), void *user) {
    start_threads(threads - 1);
    pool.job.body = body, pool.job.user = user;
    share_out(&pool.job, count, threads);
    double began = now();
    open_job(began);
    work(&pool.job, 0);
    close_job(began);
}

void cdg_parallel_for(size_t count, int thread_count, void (*body)(void *user, size_t index, int thread), void *user) {
    int used = thread_count < CDG_THREADS_MAX ? thread_count : CDG_THREADS_MAX;
    if ((size_t)(used > 0 ? used : 0) > count) used = (int)count;
    if (used > 1 && !is_inside && pthread_mutex_trylock(&pool.owner) == 0) {
        bool is_lone = pool.lone_until > 0 && now() < pool.lone_until;
        if (!is_lone) share(count, used, body, user);
        pthread_mutex_unlock(&pool.owner);
        if (!is_lone) return;
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
