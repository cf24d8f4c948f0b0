// Which of the instruction sets that *_simd.c files are compiled for this processor has.
#ifndef CDG_BASE_PROCESSOR_H
#define CDG_BASE_PROCESSOR_H

typedef enum cdg_lanes { CDG_LANES_BASE, CDG_LANES_AVX2, CDG_LANES_AVX512 } cdg_lanes;

// The widest that is there; the answer is looked up, not measured, so it is cheap to ask in every step.
cdg_lanes cdg_processor_lanes(void);

#endif
