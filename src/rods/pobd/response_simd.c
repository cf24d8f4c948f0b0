// Records of pobd's elements for answering loads (pobd/answer.h), several elements at a time.
#include "rods/pobd/answer.h"

#include <math.h>

#define LANES CDG_SIMD_DOUBLES
#include "math/lanes.h"

// ---- one element
#define REAL double
#define BLOCK(name) block_##name
static inline double block_get(const double *record, int index) { return record[index]; }
static inline void block_set(double *record, int index, double value) { record[index] = value; }
#include "rods/pobd/answer_template.h"
#undef REAL
#undef BLOCK

// ---- LANES elements at a time
#define REAL lane_real
#define BLOCK(name) lane_##name
static inline lane_real lane_load(const double *array, size_t index, size_t stride) {
    const lane_real zero = {0};
    return stride != 0 ? lane_read(array + index) : zero + array[0];
}
static inline lane_real lane_get(const double *records, int index) {
    lane_real value;
    for (int k = 0; k < LANES; k++) value[k] = records[k * OUTWARD_THICK + index];
    return value;
}
static inline void lane_set(double *records, int index, lane_real value) {
    for (int k = 0; k < LANES; k++) records[k * OUTWARD_THICK + index] = value[k];
}
#include "math/block3_template.h"
// its vectors and matrices serve
#include "rods/pobd/terms_template.h"
// whose terms are put together in
#include "rods/pobd/answer_template.h"

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)

static void set_lever(const pobd_problem *problem, size_t element, double *record) {
    block_vector lever = pobd_lever(problem, element);
    block_set_row(record, OUTWARD_THICK_LEVER, lever.x, lever.y, lever.z);
}

static bool several(const pobd_assembly *assembly, size_t element, double *records) {
    const lane_symmetric none = {0};
    lane_set_transfer(records, true, false);
    lane_set_transfer(records, false, false);
    lane_real least = lane_set_core(assembly, element, none, false, false, records);
    bool is_positive = true;
    for (int k = 0; k < LANES; k++) {
        is_positive = is_positive && least[k] > 0;
        set_lever(assembly->problem, element + (size_t)k, records + k * OUTWARD_THICK);
    }
    return is_positive;
}

static bool one(const pobd_assembly *assembly, size_t element, const block_symmetric *anchors, bool is_start_held,
                bool is_end_held, double *record) {
    block_set_transfer(record, true, is_start_held);
    block_set_transfer(record, false, is_end_held);
    set_lever(assembly->problem, element, record);
    return block_set_core(assembly, element, *anchors, is_start_held, is_end_held, record) > 0;
}

const pobd_answer_kernels VARIANT(pobd_answer_kernels) = {LANES, several, one};
