// Which of the instruction sets that *_simd.c files are compiled for is used: the widest that this processor has, or
// the one that the environment asks for.
#ifndef CDG_BASE_PROCESSOR_H
#define CDG_BASE_PROCESSOR_H

#include <cordage/base.h>

// The one list of instruction sets, the narrowest first: X(enumerator, name).
#define CDG_LANES_LIST(X)                                                                                              \
    X(CDG_LANES_BASE, "base")                                                                                          \
    X(CDG_LANES_AVX2, "avx2")                                                                                          \
    X(CDG_LANES_AVX512, "avx512")

typedef enum cdg_lanes {
#define CDG_LANES_ENUM(name, text) name,
    CDG_LANES_LIST(CDG_LANES_ENUM)
#undef CDG_LANES_ENUM
} cdg_lanes;
enum { CDG_LANES_COUNT = CDG_LANES_AVX512 + 1 };

#define CDG_LANES_VARIABLE "CORDAGE_INSTRUCTIONS"

// The set in use: the one that CORDAGE_INSTRUCTIONS names, if this processor has it, else the widest. Decided at the
// first call and the same ever after in this process, so it is cheap to ask in every step.
cdg_lanes cdg_processor_lanes(void);
cdg_lanes cdg_processor_widest(void); // that this processor has
const char *cdg_processor_lanes_name(cdg_lanes lanes);

// Which set `wanted` names, on a processor whose widest is `widest`; NULL or "" is the widest. CDG_ERROR_ARGUMENT: there
// is no such set, or the processor lacks it; then *out is the widest.
cdg_result cdg_processor_choose(const char *wanted, cdg_lanes widest, cdg_lanes *out, cdg_error *error);
// Whether the environment asks for a set that can be had, and the one in use is the one it asks for.
cdg_result cdg_processor_check(cdg_error *error);

#endif
