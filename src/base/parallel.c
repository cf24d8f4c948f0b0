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
// for some time, as does one that others keep from its own processor, or whose threads come late when it wakes them:
// where all processors are wanted, what one thread waits for, all wait for. The more often that happens, the longer.
#define _GNU_SOURCE // sched_getcpu, RUSAGE_THREAD
#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <time.h>

#ifdef _OPENMP
#include <omp.h>
#endif

enum { SHARE = 8 };                    // a part is as much of what is left of a block
enum { LOOKS = 16 };                   // between two looks at the clock
static const double look_time = 5e-4;  // s: of a thread for work
static const double own_time = 10e-6;  // s: before a thread that looks offers the processor to others
static const double aside_time = 2e-4; // s: so many looks never take as long, unless a thread is put aside
static const double wake_time = 60e-6; // s: between two calls to who sleeps
static const double late_time = 1e-3;  // s: who is woken is there sooner, unless others have its processor
static const double modest_least = 5e-4, modest_most = 0.05; // s: that a thread sleeps at once after it was put aside
static const double wait_time = 1e-4;                        // s: that the caller looks for the end, before it sleeps
static const double presence_time = 0.03, least_presence = 0.8; // s: between two looks; of that, with a processor
static const double lone_share = 10;  // times of the wait for a thread that was put aside: without threads
static const double lone_time = 0.05; // s: at most
static const double lone_late = 0.01, lone_crowded = 0.1; // s: after somebody was late, or others took the processor
static const double again_time = 0.02, lone_most = 1;     // s: twice as long where that is so soon after, and at most
static const double short_job = 1e-3;                     // s: pieces of longer ones may be as unequal as that

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
    atomic_bool is_late;  // somebody who was woken came late
    atomic_int processor; // of the owner, when the job was opened
    int thread_count;     // beside the owner's
    double lone_until;    // s: no threads before this time
    double lone_for;      // s: how long that was
    double woken;         // s: when those that slept were last called
    job job;
} pool = {.owner = PTHREAD_MUTEX_INITIALIZER,
          .lock = PTHREAD_MUTEX_INITIALIZER,
          .has_work = PTHREAD_COND_INITIALIZER,
          .is_done = PTHREAD_COND_INITIALIZER};

static _Thread_local bool is_inside; // pieces that are shared out themselves are done by their own thread

static double read_clock(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double now(void) { return read_clock(CLOCK_MONOTONIC); }

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

// What a thread that shares out has had of a processor.
typedef struct presence {
    double time, worked; // s: when it last looked, and how long it had worked by then
    long slept;          // times that it had gone to sleep by then
    double waited;       // s: since then, asleep until others were done
    long waits;          // times
} presence;
static _Thread_local presence own;

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
    pthread_mutex_lock(&pool.lock);
    pool.woken = time;
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

static bool is_nobody_inside(void) { return (atomic_load(&pool.word) & INSIDE) == 0; }

// Looks for a while, or until *is_put_aside: the machine had no time for this thread meanwhile.
static bool look_for_job(unsigned seen, bool *is_put_aside) {
    *is_put_aside = false;
    double began = now(), last = began;
    do {
        for (int k = 0; k < LOOKS; k++) {
            if (has_new_job(seen)) return true;
            rest();
        }
        double time = now();
        *is_put_aside = time - last > aside_time;
        last = time;
        if (time - began > own_time) sched_yield();
    } while (!*is_put_aside && last - began < look_time);
    return has_new_job(seen);
}

static void sleep_until_job(unsigned seen) {
    bool has_slept = false;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        atomic_store(&pool.is_anybody_asleep, true); // before the look, as the owner opens before it looks for sleepers
        if (has_new_job(seen)) break;
        pthread_cond_wait(&pool.has_work, &pool.lock);
        has_slept = true;
    }
    double called = pool.woken;
    pthread_mutex_unlock(&pool.lock);
    if (has_slept && now() - called > late_time) atomic_store_explicit(&pool.is_late, true, memory_order_relaxed);
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
    if (looks && look_for_job(seen, &is_put_aside)) return;
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
    modesty modest = {0, 0};
    for (;;) {
        await_job(seen, &modest);
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
    atomic_store(&pool.is_late, false);
    own = (presence){0};
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
    while (!is_nobody_inside()) pthread_cond_wait(&pool.is_done, &pool.lock);
    atomic_store(&pool.is_owner_asleep, false);
    pthread_mutex_unlock(&pool.lock);
}

// A while without yielding the processor: who yields goes behind all that want it, for milliseconds, and whom it waits
// for is mostly on another one.
static bool wait_for_others(double ended) {
    do {
        for (int k = 0; k < LOOKS; k++) {
            if (is_nobody_inside()) return true;
            rest();
        }
    } while (now() - ended < wait_time);
    return is_nobody_inside();
}

// The caller does without others for some time, for twice as long as before where that is soon after and it `may_grow`.
static void become_lone(double time, double least, bool may_grow) {
    double twice = 2 * pool.lone_for < lone_most ? 2 * pool.lone_for : lone_most;
    bool is_again = may_grow && time - pool.lone_until < again_time;
    pool.lone_for = is_again && twice > least ? twice : least;
    pool.lone_until = time + pool.lone_for;
}

// Nobody begins with it any more; those that have are waited for.
static void close_job(double began) {
    atomic_fetch_and(&pool.word, ~OPEN);
    if (is_nobody_inside()) return;
    double ended = now();
    bool is_asleep = !wait_for_others(ended);
    if (is_asleep) sleep_until_nobody_is_inside();
    double time = now(), waited = time - ended, worked = ended - began;
    if (is_asleep) own.waited += waited, own.waits++;
    if (waited < aside_time || waited < 2 * worked) return; // or pieces that take so long
    double least = lone_share * waited < lone_time ? lone_share * waited : lone_time;
    become_lone(time, least, worked < short_job); // somebody was put aside within a part
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

// Whether others have taken a processor from the caller since it last looked, which it does now and then. Where it has
// slept for other reasons nobody can tell.
static bool is_crowded_out(double time) {
#ifdef RUSAGE_THREAD
    if (time - own.time < presence_time) return false;
    struct rusage use;
    if (getrusage(RUSAGE_THREAD, &use) != 0) return false;
    presence before = own;
    // Times in `use` are those of the last tick.
    own = (presence){.time = time, .worked = read_clock(CLOCK_THREAD_CPUTIME_ID), .slept = use.ru_nvcsw};
    if (before.time == 0 || before.slept + before.waits != own.slept) return false;
    return own.worked - before.worked < least_presence * (time - before.time - before.waited);
#else
    (void)time;
    return false;
#endif
}

// Where others want all processors, a second thread helps nobody: what one of the two has to wait for, the other waits
// for, too.
static bool is_without_others(double time) {
    bool is_late = atomic_load_explicit(&pool.is_late, memory_order_relaxed);
    if (is_late) atomic_store_explicit(&pool.is_late, false, memory_order_relaxed);
    if (is_late) become_lone(time, lone_late, true);
    if (is_crowded_out(time)) become_lone(time, lone_crowded, true);
    return time < pool.lone_until;
}

void cdg_parallel_for(size_t count, int thread_count, void (*body)(void *user, size_t index, int thread), void *user) {
    int used = thread_count < CDG_THREADS_MAX ? thread_count : CDG_THREADS_MAX;
    if ((size_t)(used > 0 ? used : 0) > count) used = (int)count;
    if (used > 1 && !is_inside && pthread_mutex_trylock(&pool.owner) == 0) {
        bool is_lone = is_without_others(now());
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
