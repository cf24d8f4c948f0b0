// Turns of alternating directions, a vector of contacts at a time (contact_coupled_turn.h).
#include "contact/contact_coupled_turn.h"

#include "math/simd_three.h"

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)

typedef float simd_float __attribute__((vector_size(4 * CDG_SIMD_DOUBLES), aligned(4), may_alias)); // anywhere

static const double relaxation = 1.3;
// N^2: a friction below its root is as good as none, and the root's inverse would overflow.
static const double size2_least = 1e-300;

SIMD_INLINE double largest_of(simd_double a) {
    double most = simd_get(&a, 0);
    for (size_t lane = 1; lane < SIMD_LANES; lane++) {
        double other = simd_get(&a, lane);
        most = other > most ? other : most;
    }
    return most;
}

static void aim(const cdg_coupled_turn *it, bool is_known) {
    for (size_t i = 0; i < it->size; i += SIMD_LANES) {
        simd_double weight = simd_load(it->weight + i), z = simd_load(it->split + i), point = simd_load(it->point + i);
        simd_double right = weight * (2 * z - point);
        simd_double change =
            is_known ? simd_load(it->slip + i) + weight * (point - z) : right - simd_load(it->right + i);
        simd_store(it->right + i, right);
        *(simd_float *)(it->change + i) = __builtin_convertvector(change, simd_float);
    }
}

static double advance(const cdg_coupled_turn *it, bool is_known) {
    simd_double most = {0};
    for (size_t i = 0; i < it->size; i += SIMD_LANES) {
        simd_double change = __builtin_convertvector(*(const simd_float *)(it->change + i), simd_double);
        simd_double z = simd_load(it->split + i), weight = simd_load(it->weight + i);
        simd_double force = is_known ? z - change : simd_load(it->force + i) + change, way = force - z;
        simd_store(it->force + i, force);
        simd_store(it->force_slip + i, simd_load(it->right + i) - weight * force);
        simd_store(it->next + i, simd_load(it->point + i) + relaxation * way);
        most = simd_max(most, simd_abs(way) * weight * simd_load(it->inverse_tolerance + i));
    }
    return largest_of(most);
}

// P: no pull, and friction within its disk.
SIMD_INLINE void project_group(simd_double friction, simd_double f[3]) {
    const simd_double none = {0};
    f[0] = simd_max(f[0], none);
    simd_double most = friction * f[0], size2 = f[1] * f[1] + f[2] * f[2];
    simd_double scale = simd_select(size2 > simd_max(most * most, simd_broadcast(size2_least)),
                                    most * simd_unit_scale(size2), simd_broadcast(1));
    f[1] *= scale, f[2] *= scale;
}

static void project(const cdg_coupled_turn *it) {
    for (size_t i = 0; i < it->size; i += 3 * SIMD_LANES) {
        simd_double f[3];
        simd_take_three(it->point + i, f);
        project_group(simd_load(it->friction + i / 3), f);
        simd_put_three(it->split + i, f);
    }
}

static double misfit(const cdg_coupled_turn *it, const double *force, const double *slip) {
    simd_double worst = {0};
    for (size_t i = 0; i < it->size; i += 3 * SIMD_LANES) {
        simd_double f[3], u[3], inverse[3], to[3], most = {0};
        simd_take_three(force + i, f);
        simd_take_three(slip + i, u);
        simd_take_three(it->inverse_diagonal + i, inverse);
        for (int k = 0; k < 3; k++) to[k] = f[k] - u[k] * inverse[k];
        project_group(simd_load(it->friction + i / 3), to);
        simd_take_three(it->diagonal + i, inverse);
        for (int k = 0; k < 3; k++) most = simd_max(most, simd_abs(to[k] - f[k]) * inverse[k]);
        simd_take_three(it->inverse_tolerance + i, inverse);
        worst = simd_max(worst, most * inverse[0]);
    }
    return largest_of(worst);
}

const cdg_coupled_kernels VARIANT(cdg_coupled_kernels) = {aim, advance, project, misfit};
