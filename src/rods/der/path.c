// How der rods take part in following a path of equilibria (rod_path.h): one linear-time factorisation serves both the
// correction and the rate by which the equilibrium moves with time.
#include "rods/rod_path.h"

#include "rods/der/static.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct der_path {
    cdg_rod *rod;
    const cdg_rod_loads *loads;
    void *memory;
    double *tension;     // N, element_count: that which Newton's linear step predicted (der/chain.h)
    cdg_vec3 *held_rate; // m/s, node_count
    der_chain chain;
    der_workspace work;
} der_path;

static size_t path_size(const cdg_rod *rod) { return 4 * rod->node_count; }

static void path_close(void *path) {
    der_path *p = path;
    if (p == NULL) return;
    free(p->memory);
    free(p->tension);
    free(p->held_rate);
    free(p);
}

static void *path_open(cdg_rod *rod, const cdg_rod_loads *loads) {
    der_path *p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    p->rod = rod;
    p->loads = loads;
    p->memory = aligned_alloc(64, der_bytes(der_implicit_scratch(rod)));
    p->tension = calloc(rod->element_count, sizeof *p->tension);
    p->held_rate = calloc(rod->node_count, sizeof *p->held_rate);
    if (p->memory != NULL && p->tension != NULL && p->held_rate != NULL) return p;
    path_close(p);
    return NULL;
}

// The system at the rod's state, with holds and loads as they are now, assembled but not factored.
static bool assemble(der_path *p, bool settles_tension) {
    size_t element;
    char *next = der_setup(p->rod, (der_scheme){0}, p->loads, p->memory, &p->chain);
    der_workspace_place(&p->work, (double *)(void *)next, p->rod->node_count, p->rod->is_closed);
    der_static_start(p->rod);
    if (!der_chain_start(&p->chain, &element)) return false;
    if (settles_tension)
        der_chain_settle_tension(&p->chain);
    else
        memcpy(p->chain.tension, p->tension, p->rod->element_count * sizeof(double));
    strip_clear(&p->work.matrix);
    return isfinite(der_chain_assemble(&p->chain, &p->work.matrix, 1));
}

static bool path_start(void *path) {
    der_path *p = path;
    if (!assemble(p, true)) return false;
    memcpy(p->tension, p->chain.tension, p->rod->element_count * sizeof(double));
    return true;
}

static void read_right_side(der_path *p, double *out) {
    for (size_t i = 0; i < p->rod->node_count; i++)
        for (int k = 0; k < 4; k++) out[4 * i + (size_t)k] = *der_right_side(&p->chain, &p->work.matrix, i, k);
}

// In place: the solution for a right side.
static void solve_for(der_path *p, double *right) {
    double border[STRIP_BORDER] = {0};
    size_t skip = p->chain.is_closed ? STRIP_BORDER : 0;
    memcpy(border, right, skip * sizeof(double));
    strip_solve_more(&p->work.matrix, right + skip, border);
    memcpy(right, border, skip * sizeof(double));
}

static bool path_solve(void *path, cdg_rod_set_time *set_time, void *user, double time, double change,
                       double *correction, double *rate, cdg_rod_correction *out) {
    der_path *p = path;
    cdg_rod *rod = p->rod;
    size_t size = path_size(rod);
    set_time(user, time + change);
    if (!assemble(p, false)) return false;
    read_right_side(p, rate);
    for (size_t i = 0; i < rod->node_count; i++) p->held_rate[i] = rod_vec3(rod->x_next, i);
    set_time(user, time);
    if (!assemble(p, false)) return false;
    read_right_side(p, correction);
    for (size_t i = 0; i < size; i++) rate[i] = (rate[i] - correction[i]) / change;
    der_static_measure(rod, p->loads, &p->chain, &p->work.matrix, &out->residual, &out->force);
    for (size_t i = 0; i < rod->node_count; i++)
        p->held_rate[i] = vec3_scale(1 / change, vec3_sub(p->held_rate[i], rod_vec3(rod->x_next, i)));
    strip_factor(&p->work.matrix);
    if (p->work.matrix.is_broken) return false;
    solve_for(p, correction);
    solve_for(p, rate);
    out->move = 0;
    double sum = 0;
    for (size_t i = 0; i < rod->node_count; i++) {
        bool is_held = isinf(p->chain.weight[i]);
        cdg_vec3 held = p->held_rate[i];
        if (is_held) rate[4 * i] = held.x, rate[4 * i + 1] = held.y, rate[4 * i + 2] = held.z;
        const double *c = correction + 4 * i;
        out->move = fmax(out->move, vec3_norm(vec3(c[0], c[1], c[2])));
        for (size_t k = 0; k < 4; k++) sum += fabs(c[k]) + fabs(rate[4 * i + k]);
    }
    return isfinite(sum);
}

static bool path_advance(void *path, const double *direction) {
    der_path *p = path;
    size_t skip = p->chain.is_closed ? STRIP_BORDER : 0, element;
    memcpy(p->work.border, direction, skip * sizeof(double));
    memcpy(p->work.solution, direction + skip, (path_size(p->rod) - skip) * sizeof(double));
    double move, turn;
    if (!der_solution_size(&p->chain, &p->work, &move, &turn) || turn > 1) return false;
    der_predict_tension(&p->chain, &p->work);
    if (!der_advance(&p->chain, &p->work, 1, &element)) return false;
    memcpy(p->tension, p->chain.tension, p->rod->element_count * sizeof(double));
    der_static_accept(p->rod);
    return true;
}

static double path_dot(const cdg_rod *rod, const double *a, const double *b) {
    double sum = 0;
    for (size_t i = 0; i < rod->node_count; i++)
        for (size_t k = 0; k < 3; k++) sum += rod->node_mass[i] * a[4 * i + k] * b[4 * i + k];
    return sum / rod->mass;
}

static void path_finish(void *path) {
    der_path *p = path;
    der_static_finish(p->rod, p->loads, p->memory);
}

static bool path_unbalanced(void *path, double *out) {
    if (!assemble(path, true)) return false;
    read_right_side(path, out);
    return true;
}

static void path_answer(void *path, double *right) { solve_for(path, right); }

const struct cdg_rod_path_operations der_path_operations = {
    .size = path_size,
    .open = path_open,
    .close = path_close,
    .start = path_start,
    .solve = path_solve,
    .advance = path_advance,
    .dot = path_dot,
    .finish = path_finish,
    .unbalanced = path_unbalanced,
    .answer = path_answer,
};
