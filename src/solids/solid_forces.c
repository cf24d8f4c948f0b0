// Forces of a solid: tetrahedra in groups, then every node collects those of its corners in a fixed order, so that the
// sum does not depend on threads.
#include "base/parallel.h"
#include "base/processor.h"
#include "solids/nodal_pressure.h"
#include "solids/solid_model.h"
#include "solids/volume_barrier.h"

#if defined(__x86_64__)
#define CHOOSE(name, ...)                                                                                              \
    (cdg_processor_lanes() == CDG_LANES_AVX512 ? name##_avx512(__VA_ARGS__)                                            \
     : cdg_processor_lanes() == CDG_LANES_AVX2 ? name##_avx2(__VA_ARGS__)                                              \
                                               : name##_base(__VA_ARGS__))
#else
#define CHOOSE(name, ...) name##_base(__VA_ARGS__)
#endif

double cdg_neo_hookean_forces(cdg_solid *solid, const cdg_solid_at *at, size_t begin, size_t end) {
    return CHOOSE(cdg_neo_hookean_forces, solid, at, begin, end);
}
double cdg_corotational_forces(cdg_solid *solid, const cdg_solid_at *at, size_t begin, size_t end) {
    return CHOOSE(cdg_corotational_forces, solid, at, begin, end);
}
double cdg_neo_hookean_whole_energy(const cdg_solid *solid, double *const x[3]) {
    return CHOOSE(cdg_neo_hookean_whole_energy, solid, x);
}
double cdg_corotational_whole_energy(const cdg_solid *solid, double *const x[3]) {
    return CHOOSE(cdg_corotational_whole_energy, solid, x);
}

void cdg_solid_slot_volumes(const cdg_solid *solid, double *const x[3], size_t begin, size_t end) {
    CHOOSE(cdg_solid_slot_volumes, solid, x, begin, end);
}

enum { NODES_AT_ONCE = 512, GROUPS_WORTH = 1500 }; // fewer are not worth another thread

typedef struct forces_work {
    cdg_solid *solid;
    const cdg_solid_at *at;
    double *const *out;
} forces_work;

static void elements(void *user, size_t index, int thread) {
    (void)thread;
    const forces_work *work = user;
    size_t begin = index * SOLID_GROUPS_AT_ONCE, end = begin + SOLID_GROUPS_AT_ONCE;
    if (end > work->solid->group_count) end = work->solid->group_count;
    work->solid->part_energy[index] = work->solid->model->forces(work->solid, work->at, begin, end);
    if (work->solid->def.volume_barrier > 0) cdg_volume_barrier_push(work->solid, work->at->x, begin, end);
}

static void nodes(void *user, size_t index, int thread) {
    (void)thread;
    const forces_work *work = user;
    const cdg_solid *s = work->solid;
    size_t begin = index * NODES_AT_ONCE, end = begin + NODES_AT_ONCE;
    if (end > s->node_count) end = s->node_count;
    for (size_t i = begin; i < end; i++) {
        double sum[3] = {0, 0, 0};
        for (uint32_t u = s->first_use[i]; u < s->first_use[i + 1]; u++) {
            size_t slot = s->use[u] >> 2, corner = s->use[u] & 3;
            const double *from =
                s->slot_force + slot / SOLID_GROUP * (12 * SOLID_GROUP) + 3 * corner * SOLID_GROUP + slot % SOLID_GROUP;
            for (int k = 0; k < 3; k++) sum[k] += from[k * SOLID_GROUP];
        }
        for (int k = 0; k < 3; k++) work->out[k][i] = sum[k];
    }
}

void cdg_solid_forces(cdg_solid *solid, const cdg_solid_at *at, double *const out[3], int threads) {
    forces_work work = {solid, at, out};
    int used = solid->group_count > GROUPS_WORTH ? threads : 1;
    if (solid->bulk > 0) cdg_nodal_pressure_find(solid, at->x, used);
    cdg_parallel_for(solid_part_count(solid), used, elements, &work);
    cdg_parallel_for((solid->node_count + NODES_AT_ONCE - 1) / NODES_AT_ONCE, used, nodes, &work);
}
