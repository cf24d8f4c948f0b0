// Counted memory. Each block has a header of 16 bytes with its size, so that alignment stays malloc's.
#include "meshing/budget.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEADER = 16 };

static bool find_bytes(size_t count, size_t size, uint64_t *bytes) {
    if (size != 0 && count > (SIZE_MAX / 2 - HEADER) / size) return false;
    *bytes = (uint64_t)count * size + HEADER;
    return true;
}

static bool may_take(cdg_budget *budget, uint64_t bytes) {
    if (bytes <= budget->limit && budget->used <= budget->limit - bytes) return true;
    budget->is_exceeded = true;
    return false;
}

static void *begin_block(cdg_budget *budget, void *raw, uint64_t bytes) {
    if (raw == NULL) return NULL;
    memcpy(raw, &bytes, sizeof bytes);
    budget->used += bytes;
    if (budget->used > budget->peak) budget->peak = budget->used;
    return (char *)raw + HEADER;
}

static uint64_t block_bytes(const void *block) {
    uint64_t bytes;
    memcpy(&bytes, (const char *)block - HEADER, sizeof bytes);
    return bytes;
}

void *cdg_budget_take(cdg_budget *budget, size_t count, size_t size) {
    uint64_t bytes = UINT64_MAX;
    if (!find_bytes(count, size, &bytes) || !may_take(budget, bytes)) {
        budget->is_exceeded = true;
        return NULL;
    }
    return begin_block(budget, malloc(bytes), bytes);
}

void *cdg_budget_take_zero(cdg_budget *budget, size_t count, size_t size) {
    uint64_t bytes = UINT64_MAX;
    if (!find_bytes(count, size, &bytes) || !may_take(budget, bytes)) {
        budget->is_exceeded = true;
        return NULL;
    }
    return begin_block(budget, calloc(1, bytes), bytes);
}

void *cdg_budget_resize(cdg_budget *budget, void *block, size_t count, size_t size) {
    if (block == NULL) return cdg_budget_take(budget, count, size);
    uint64_t before = block_bytes(block), bytes = UINT64_MAX;
    if (!find_bytes(count, size, &bytes) || (bytes > before && !may_take(budget, bytes - before))) {
        budget->is_exceeded = true;
        return NULL;
    }
    void *raw = realloc((char *)block - HEADER, bytes);
    if (raw == NULL) return NULL;
    budget->used -= before;
    return begin_block(budget, raw, bytes);
}

void cdg_budget_give(cdg_budget *budget, void *block) {
    if (block == NULL) return;
    budget->used -= block_bytes(block);
    free((char *)block - HEADER);
}

bool cdg_budget_grow(cdg_budget *budget, void **array, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) return true;
    size_t more = *capacity < 64 ? 64 : *capacity + *capacity / 2;
    void *grown = cdg_budget_resize(budget, *array, more, size);
    if (grown == NULL) return false;
    *array = grown;
    *capacity = more;
    return true;
}

// What a file of the kernel allows; UINT64_MAX when it says nothing, or "max".
static uint64_t limit_in(const char *path) {
    unsigned long long bytes = 0;
    FILE *file = fopen(path, "r");
    bool is_number = file != NULL && fscanf(file, "%llu", &bytes) == 1;
    if (file != NULL) (void)fclose(file);
    return is_number ? (uint64_t)bytes : UINT64_MAX;
}

static uint64_t lesser(uint64_t a, uint64_t b) { return a < b ? a : b; }

// Of the control group named by a line of /proc/self/cgroup, "NUMBER:CONTROLLERS:PATH": of the second version without
// controllers, of the first with memory among them. Those above it limit it, too.
static uint64_t limit_of_group(char *line) {
    char *controllers = strchr(line, ':'), *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    uint64_t limit = UINT64_MAX;
    if (group == NULL) return limit;
    *group++ = '\0';
    group[strcspn(group, "\n")] = '\0';
    bool is_second = controllers[1] == '\0';
    if (!is_second && strcmp(controllers + 1, "memory") != 0) return limit;
    for (;;) {
        char path[1200];
        snprintf(path, sizeof path,
                 is_second ? "/sys/fs/cgroup%s/memory.max" : "/sys/fs/cgroup/memory%s/memory.limit_in_bytes",
                 strcmp(group, "/") == 0 ? "" : group);
        limit = lesser(limit, limit_in(path));
        char *last = strrchr(group, '/');
        if (last == NULL) return limit;
        *last = '\0';
    }
}

static uint64_t group_limit(void) {
    uint64_t limit = UINT64_MAX;
    char line[1024];
    FILE *file = fopen("/proc/self/cgroup", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) limit = lesser(limit, limit_of_group(line));
    if (file != NULL) (void)fclose(file);
    return limit;
}

uint64_t cdg_machine_memory(void) {
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t limit = group_limit();
    if (pages > 0 && page > 0) limit = lesser(limit, (uint64_t)pages * (uint64_t)page);
    return limit == UINT64_MAX ? 0 : limit;
}

cdg_result cdg_budget_fail(const cdg_budget *budget, cdg_error *error) {
    if (cdg_patience_is_over(budget->patience))
        return cdg_fail(error, CDG_ERROR_INTERRUPTED, "mesh: stopped on request");
    if (!budget->is_exceeded) return cdg_fail(error, CDG_ERROR_MEMORY, "mesh: the machine has no more memory");
    return cdg_fail(error, CDG_ERROR_MEMORY,
                    "mesh: this needs more than the memory limit of %.0f MB; take a larger size, or a larger limit",
                    (double)budget->limit / 1e6);
}
