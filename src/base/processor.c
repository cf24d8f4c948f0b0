// Asks the compiler's run time for processor features; the flags are those of cmake/compile_options.cmake.
#include "base/processor.h"

cdg_lanes cdg_processor_lanes(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("fma"))
        return CDG_LANES_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return CDG_LANES_AVX2;
#endif
    return CDG_LANES_BASE;
}
