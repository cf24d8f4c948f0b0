// cordage_soak: runs random scenes, each in a process of its own, and tells which seeds failed.
// Usage: cordage_soak [--count N] [--first SEED] [--seed SEED] [--seconds S] [--print] [--here] [--list] [--scene F]
#include "soak_check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct settings {
    uint64_t first;
    uint64_t count;
    unsigned seconds;  // of the processor; a scene that takes longer hangs
    bool prints;       // only print the scene
    bool is_here;      // in this process, for a debugger
    bool lists;        // tell every scene's outcome
    const char *scene; // a file instead of a seed's; NULL: none
    int steps;         // of that file
} settings;

static const char *const kind_names[SOAK_KIND_COUNT] = {"clean", "wild and stopped with a sentence",
                                                        "STOPPED with a sentence", "REFUSED", "FAULT"};

static int usage(void) {
    fputs("Usage: cordage_soak [--count N] [--first SEED] [--seed SEED] [--seconds S] [--print] [--here] [--list]\n"
          "  --count N      scenes to run, 5000 unless told\n"
          "  --first SEED   seed of the first; the others follow\n"
          "  --seed SEED    only this one: replays a failure\n"
          "  --seconds S    a scene that takes more of the processor's time hangs; 600 unless told\n"
          "  --print        prints the scene of --seed and runs nothing\n"
          "  --here         runs in this process, for a debugger\n"
          "  --list         one line for every scene\n"
          "  --scene FILE   checks this scene instead of random ones\n"
          "  --steps N      steps of that scene; 40 unless told\n",
          stderr);
    return 2;
}

static bool read_settings(int count, char **words, settings *out) {
    *out = (settings){.first = 1, .count = 5000, .seconds = 600, .steps = 40};
    for (int i = 1; i < count; i++) {
        const char *word = words[i];
        if (strcmp(word, "--print") == 0) {
            out->prints = true;
        } else if (strcmp(word, "--here") == 0) {
            out->is_here = true;
        } else if (strcmp(word, "--list") == 0) {
            out->lists = true;
        } else if (i + 1 < count) {
            if (strcmp(word, "--scene") == 0) {
                out->scene = words[++i];
                out->count = 1;
                out->lists = true;
                continue;
            }
            char *end;
            uint64_t value = strtoull(words[++i], &end, 10);
            if (*end != '\0' || end == words[i]) return false;
            if (strcmp(word, "--steps") == 0)
                out->steps = (int)value;
            else if (strcmp(word, "--count") == 0)
                out->count = value;
            else if (strcmp(word, "--first") == 0)
                out->first = value;
            else if (strcmp(word, "--seconds") == 0)
                out->seconds = (unsigned)value;
            else if (strcmp(word, "--seed") == 0) {
                out->first = value;
                out->count = 1;
                out->lists = true;
            } else
                return false;
        } else {
            return false;
        }
    }
    return true;
}

// A scene that once failed, kept because a seed's scene changes with the generator.
static soak_scene read_scene(const char *path, int steps) {
    enum { SIZE_MOST = 100000 };
    soak_scene out = {.family = "file", .step_count = steps};
    FILE *file = fopen(path, "r");
    out.text = file != NULL ? malloc(SIZE_MOST) : NULL;
    if (out.text != NULL) out.size = fread(out.text, 1, SIZE_MOST, file);
    if (file != NULL) fclose(file);
    return out;
}

static soak_scene scene_of(uint64_t seed, const settings *how, const char *directory) {
    return how->scene != NULL ? read_scene(how->scene, how->steps) : soak_scene_choose(seed, directory);
}

static soak_outcome run_scene(uint64_t seed, const settings *how, const char *directory) {
    soak_outcome out = {.kind = SOAK_FAULT, .text = "no scene, or no memory for it"};
    soak_scene scene = scene_of(seed, how, directory);
    if (scene.text != NULL) out = soak_check(&scene, seed, directory);
    soak_scene_free(&scene);
    return out;
}

// In a child: what it dies of is told, and it takes nothing with it.
static soak_outcome run_in_child(uint64_t seed, const settings *how, const char *directory) {
    soak_outcome out = {.kind = SOAK_FAULT, .text = "no process could be started"};
    int ends[2];
    if (pipe(ends) != 0) return out;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        // Time of the processor, so that other work on the machine is no hang; and a clock for what waits for ever.
        struct rlimit limit = {how->seconds, how->seconds + 1};
        setrlimit(RLIMIT_CPU, &limit);
        alarm(30 * how->seconds);
        soak_outcome answer = run_scene(seed, how, directory);
        ssize_t written = write(ends[1], &answer, sizeof answer);
        exit(written == (ssize_t)sizeof answer ? 0 : 1); // not _exit: the leak sanitizer looks when a program ends
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return out;
    }
    soak_outcome answer;
    size_t got = 0;
    ssize_t part;
    do {
        part = read(ends[0], (char *)&answer + got, sizeof answer - got);
        if (part > 0) got += (size_t)part;
    } while ((part > 0 && got < sizeof answer) || (part < 0 && errno == EINTR));
    close(ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGXCPU))
        snprintf(out.text, sizeof out.text, "hangs: not done after %u s of the processor's time", how->seconds);
    else if (WIFSIGNALED(status))
        snprintf(out.text, sizeof out.text, "crashed: %s", strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0)
        snprintf(out.text, sizeof out.text, "ended with status %d: a leak, or what a sanitizer has found",
                 WEXITSTATUS(status));
    else if (got == sizeof answer)
        out = answer;
    return out;
}

// Processor time that scenes have taken: other work on the machine does not count.
static double used_seconds(void) {
    double seconds = 0;
    static const int who[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    for (int i = 0; i < 2; i++) {
        struct rusage usage;
        if (getrusage(who[i], &usage) != 0) continue;
        seconds += (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec);
        seconds += 1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    }
    return seconds;
}

static int run_all(const settings *how, const char *directory) {
    uint64_t counts[SOAK_KIND_COUNT] = {0}, steps = 0;
    double began = used_seconds();
    for (uint64_t i = 0; i < how->count; i++) {
        uint64_t seed = how->first + i;
        double start = used_seconds();
        soak_outcome out = how->is_here ? run_scene(seed, how, directory) : run_in_child(seed, how, directory);
        counts[out.kind]++;
        steps += (uint64_t)out.step_count;
        if (how->lists || out.kind >= SOAK_STOPPED) {
            soak_scene scene = scene_of(seed, how, directory);
            printf("seed %llu: %s: %s%s%s (%.2f s)\n", (unsigned long long)seed, scene.family, kind_names[out.kind],
                   out.text[0] != '\0' ? ": " : "", out.text, used_seconds() - start);
            soak_scene_free(&scene);
        }
        if ((i + 1) % 500 == 0 && i + 1 < how->count)
            printf("%llu scenes, %.0f s of the processor\n", (unsigned long long)(i + 1), used_seconds() - began);
        fflush(stdout);
    }
    printf("soak: %llu scenes from seed %llu on, %llu steps, %.0f s of the processor:", (unsigned long long)how->count,
           (unsigned long long)how->first, (unsigned long long)steps, used_seconds() - began);
    for (int k = 0; k < SOAK_KIND_COUNT; k++)
        printf("%s %llu %s", k > 0 ? "," : "", (unsigned long long)counts[k], kind_names[k]);
    printf("\n");
    uint64_t bad = counts[SOAK_STOPPED] + counts[SOAK_REFUSED] + counts[SOAK_FAULT];
    if (bad > 0) printf("soak: a failure is replayed with cordage_soak --seed SEED, its scene told by --print\n");
    return bad > 0 ? 1 : 0;
}

int main(int count, char **words) {
    settings how;
    if (!read_settings(count, words, &how)) return usage();
    // OpenMP's threads must not burn the processor while they wait; its library looks at this when it is loaded.
    if (getenv("OMP_WAIT_POLICY") == NULL && setenv("OMP_WAIT_POLICY", "passive", 1) == 0)
        execv("/proc/self/exe", words);
    const char *base = getenv("TMPDIR");
    if (base == NULL) base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"; // in memory: run files are synced
    char directory[400];
    snprintf(directory, sizeof directory, "%s/cordage_soak_XXXXXX", base);
    if (mkdtemp(directory) == NULL || !soak_scene_write_files(directory)) {
        fprintf(stderr, "cordage_soak: %s: cannot write there: %s\n", directory, strerror(errno));
        return 2;
    }
    int status = 0;
    if (how.prints) {
        soak_scene scene = soak_scene_choose(how.first, directory);
        if (scene.text != NULL) fputs(scene.text, stdout);
        soak_scene_free(&scene);
    } else {
        status = run_all(&how, directory);
    }
    soak_scene_remove_files(directory);
    rmdir(directory);
    return status;
}
