// Loads answered outwards (outward.h): which elements they belong to, and the choice of the instruction set.
#include "math/outward.h"

#include "base/processor.h"

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)
#define CHOOSE(name, ...)                                                                                              \
    (cdg_processor_lanes() == CDG_LANES_AVX512 ? name##_avx512(__VA_ARGS__)                                            \
     : cdg_processor_lanes() == CDG_LANES_AVX2 ? name##_avx2(__VA_ARGS__)                                              \
                                               : name##_base(__VA_ARGS__))
#else
#define CHOOSE(name, ...) name##_base(__VA_ARGS__)
#endif

// A node's load belongs to the element after it; the last node's to the one before it, where that one is loaded anyhow.
static bool find_elements(const outward_push *push, size_t *first_element, size_t *last_element) {
    *first_element = SIZE_MAX, *last_element = 0;
    for (int part = 0; part < 2; part++) {
        outward_range nodes = push->nodes[part], elements = push->elements[part];
        if (nodes.first < nodes.end) {
            size_t first = nodes.first < push->element_count ? nodes.first : push->element_count - 1;
            size_t last = nodes.end >= nodes.first + 2 ? nodes.end - 2 : first;
            if (first < *first_element) *first_element = first;
            if (last > *last_element) *last_element = last;
        }
        if (elements.first < elements.end) {
            if (elements.first < *first_element) *first_element = elements.first;
            if (elements.end - 1 > *last_element) *last_element = elements.end - 1;
        }
    }
    return *first_element != SIZE_MAX;
}

outward_answer outward_push_thick(const outward_push *push, double *const move[3], double *turn) {
    size_t first, last;
    if (!find_elements(push, &first, &last)) return (outward_answer){{0, 0}, {0}, {0}};
    return CHOOSE(outward_push_thick, push, first, last, move, turn);
}

outward_answer outward_push_thin(const outward_push *push, double *const move[3], double *turn) {
    size_t first, last;
    if (!find_elements(push, &first, &last)) return (outward_answer){{0, 0}, {0}, {0}};
    return CHOOSE(outward_push_thin, push, first, last, move, turn);
}
