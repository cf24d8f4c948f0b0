// Asks the compiler's run time for processor features; the flags are those of cmake/compile_options.cmake.
#include "base/processor.h"

#include "base/error.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[CDG_LANES_COUNT] = {
#define LANES_NAME(name, text) text,
    CDG_LANES_LIST(LANES_NAME)
#undef LANES_NAME
};

const char *cdg_processor_lanes_name(cdg_lanes lanes) {
    return (unsigned)lanes < CDG_LANES_COUNT ? names[lanes] : "unknown";
}

cdg_lanes cdg_processor_widest(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("fma"))
        return CDG_LANES_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return CDG_LANES_AVX2;
#endif
    return CDG_LANES_BASE;
}

cdg_result cdg_processor_choose(const char *wanted, cdg_lanes widest, cdg_lanes *out, cdg_error *error) {
    *out = widest;
    if (wanted == NULL || wanted[0] == '\0') return CDG_OK;
    for (int i = 0; i < CDG_LANES_COUNT; i++) {
        if (strcmp(wanted, names[i]) != 0) continue;
        if (i > (int)widest)
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            CDG_LANES_VARIABLE " is '%s', which this processor does not have; its widest is '%s'",
                            wanted, names[widest]);
        *out = (cdg_lanes)i;
        return CDG_OK;
    }
    return cdg_fail(error, CDG_ERROR_ARGUMENT,
                    CDG_LANES_VARIABLE " is '%.40s'; it must be base, avx2 or avx512, or unset", wanted);
}

// The only variable of the library that outlives a call. The environment is asked once, because rods of one world must
// not be stepped by different sets; every thread that comes first finds the same.
static atomic_int chosen1; // 0: not yet, else the set + 1

cdg_lanes cdg_processor_lanes(void) {
    int known = atomic_load_explicit(&chosen1, memory_order_relaxed);
    if (known != 0) return (cdg_lanes)(known - 1);
    cdg_lanes lanes;
    (void)cdg_processor_choose(getenv(CDG_LANES_VARIABLE), cdg_processor_widest(), &lanes, NULL);
    atomic_store_explicit(&chosen1, (int)lanes + 1, memory_order_relaxed);
    return lanes;
}

cdg_result cdg_processor_check(cdg_error *error) {
    cdg_lanes lanes;
    cdg_result result = cdg_processor_choose(getenv(CDG_LANES_VARIABLE), cdg_processor_widest(), &lanes, error);
    if (result != CDG_OK || lanes == cdg_processor_lanes()) return result;
    return cdg_fail(error, CDG_ERROR_ARGUMENT,
                    CDG_LANES_VARIABLE " was changed to '%s' after '%s' had been in use; set it before the first world",
                    names[lanes], names[cdg_processor_lanes()]);
}
