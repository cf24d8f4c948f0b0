// Inner friction of corde, Kelvin-Voigt: every strain rate is resisted by its stiffness times its damping time
// (Spillmann and Teschner, section V.B, with the rates of the strains themselves instead of eq. 24 and 27, so that the
// dissipated power is exactly the energy lost and a rigid motion loses nothing).
//
// Friction taken at the present velocities would allow only steps below 2/(tau omega^2): for common damping times a
// hundredth of what elasticity allows. So it is taken at the velocities at the end of the sub-step, which solve
//   (M + h C) dv = h (f - C v),   v + dv.
// For the change of velocities there is nothing to solve in rigid motion or at rest, to rounding and however strong
// friction is. The system is a chain of dampers (corde/dampers.h), eliminated in linear time; what the chain cannot
// solve, as short closed rods, goes by way of a band matrix (corde/band.c). Only the velocities come from the
// solution: what friction exerts is then computed from them pair by pair, so momentum is kept to rounding whatever the
// solution's error.
#include "rods/corde/friction.h"

#include "base/processor.h"
#include "math/quat.h"

#include <string.h>

#if defined(__x86_64__)
#define CHOOSE(name, ...)                                                                                              \
    (cdg_processor_lanes() == CDG_LANES_AVX512 ? name##_avx512(__VA_ARGS__)                                            \
     : cdg_processor_lanes() == CDG_LANES_AVX2 ? name##_avx2(__VA_ARGS__)                                              \
                                               : name##_base(__VA_ARGS__))
#else
#define CHOOSE(name, ...) name##_base(__VA_ARGS__)
#endif

void corde_friction_elements(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads, size_t begin,
                             size_t end, const corde_work *work, const corde_friction *friction) {
    CHOOSE(corde_friction_elements, rod, s, loads, begin, end, work, friction);
}

void corde_friction_cells(const cdg_rod *rod, const corde_substep *s, size_t begin, size_t end,
                          const corde_friction *friction) {
    CHOOSE(corde_friction_cells, rod, s, begin, end, friction);
}

void corde_friction_sums(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads,
                         const corde_friction *friction) {
    CHOOSE(corde_friction_sums, rod, s, loads, friction);
}

void corde_friction_apply(const cdg_rod *rod, const corde_substep *s, size_t begin, size_t end, const corde_work *work,
                          const corde_friction *friction) {
    CHOOSE(corde_friction_apply, rod, s, begin, end, work, friction);
}

// ---- memory ---------------------------------------------------------------------------------------------------------

bool corde_has_friction(const cdg_rod *rod) {
    return rod->damping_time[1] > 0 || rod->damping_time[2] > 0 || rod->damping_time[3] > 0 ||
           (rod->damping_time[0] > 0 && !corde_is_constraint(rod));
}

static double *take(cdg_scratch *scratch, size_t doubles) {
    return cdg_scratch_take(scratch, doubles * sizeof(double));
}

static void take_each(cdg_scratch *scratch, size_t doubles, double **out, int count) {
    for (int k = 0; k < count; k++) out[k] = take(scratch, doubles);
}

enum { LINE = 8 }; // doubles in a line of the cache, and in the longest vector

// Arrays with an entry before the first.
static void take_each_after_one(cdg_scratch *scratch, size_t doubles, double **out, int count) {
    take_each(scratch, LINE + doubles, out, count);
    for (int k = 0; k < count && out[k] != NULL; k++) out[k] += LINE;
}

corde_friction corde_friction_carve(const cdg_rod *rod, cdg_scratch *scratch) {
    corde_friction f = {.dampers = {.element_count = rod->element_count,
                                    .is_constraint = corde_is_constraint(rod),
                                    .is_closed = rod->is_closed,
                                    .heavy = rod->mass}};
    corde_dampers *d = &f.dampers;
    size_t count = rod->element_count + 2, band = corde_band_doubles(rod);
    size_t record = corde_dampers_record_doubles(rod->element_count);
    double **const single[] = {&d->mass, &d->length, &d->along, &d->across};
    for (size_t i = 0; i < sizeof single / sizeof *single; i++) *single[i] = take(scratch, count);
    take_each(scratch, count, d->right, 3);
    take_each(scratch, count, d->tangent, 3);
    take_each(scratch, count, d->inertia, 6);
    take_each_after_one(scratch, count, d->moment, 3);
    take_each(scratch, count, d->cell, 6);
    for (int k = 0; k < 3; k++) d->velocity[k] = d->right[k], d->spin[k] = d->moment[k]; // solved in place
    take_each_after_one(scratch, count, f.spin, 3);
    f.memory = d->record = take(scratch, record > band ? record : band);
    // The solution needs neither, nor does what comes after it: they lie in its memory, which is cached.
    size_t lines = (count + LINE - 1) / LINE * LINE + LINE;
    for (size_t k = 0; k < 3 && f.memory != NULL; k++) { // else only the size is asked for
        f.through[k] = f.memory + k * lines + LINE - 1;  // the first element's, in the second entry, begins a line
        f.twist[k] = f.memory + (3 + k) * lines;
    }
    return f;
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

static bool is_held(const corde_pair *pair) { return pair->left == SIZE_MAX || pair->right == SIZE_MAX; }

static corde_square pair_damper(const cdg_rod *rod, const corde_pair *pair, const corde_substep *s) {
    cdg_quat left = pair->left != SIZE_MAX ? rod_quat(s->from->q, pair->left) : pair->held;
    cdg_quat right = pair->right != SIZE_MAX ? rod_quat(s->from->q, pair->right) : pair->held;
    double bend = s->kick * rod->damping_time[2], twist = s->kick * rod->damping_time[3];
    corde_vec c = {bend * pair->stiffness.x, bend * pair->stiffness.y, twist * pair->stiffness.z};
    return corde_cell_damper(corde_relative(corde_turn_from(left), corde_turn_from(right)), corde_rest_of(pair->rest),
                             corde_axes_of(corde_turn_from(right)), c, false);
}

static size_t held_element(const corde_pair *pair) { return pair->left != SIZE_MAX ? pair->left : pair->right; }

// What the damper between a held section and its element exerts when the element's frame has `spin`.
static corde_vec held_impulse(const corde_pair *pair, corde_square damper, corde_vec spin) {
    corde_vec held = corde_vec_from(quat_rotate(pair->held, corde_vec3(pair->held_spin)));
    return corde_square_times(damper, (corde_vec){held.x - spin.x, held.y - spin.y, held.z - spin.z});
}

static void set_square(double *const a[6], size_t i, corde_square k) {
    const double parts[6] = {k.xx, k.xy, k.xz, k.yy, k.yz, k.zz};
    for (int m = 0; m < 6; m++) a[m][i] = parts[m];
}

static corde_vec spin_at(const corde_friction *f, size_t element, bool is_new) {
    corde_vec now = corde_vec_at(f->spin, element), change = corde_vec_at(f->dampers.spin, element);
    return is_new ? (corde_vec){now.x + change.x, now.y + change.y, now.z + change.z} : now;
}

// The twist at node `i` by the whole cell there.
static void set_twist(const corde_friction *f, size_t left, size_t right, size_t i) {
    corde_vec from = spin_at(f, left, false), to = spin_at(f, right, false);
    corde_square k = {f->dampers.cell[0][i], f->dampers.cell[1][i], f->dampers.cell[2][i],
                      f->dampers.cell[3][i], f->dampers.cell[4][i], f->dampers.cell[5][i]};
    corde_vec twist = corde_square_times(k, (corde_vec){to.x - from.x, to.y - from.y, to.z - from.z});
    rod_set_vec3(f->twist, i, corde_vec3(twist));
}

// Ends have no cell; a closed rod's first one is its seam, which the chain does not have.
static void set_ends(const cdg_rod *rod, const corde_pairs *pairs, const corde_friction *f) {
    size_t last = rod->element_count;
    for (int k = 0; k < 3; k++) f->twist[k][0] = f->twist[k][last] = 0;
    if (!rod->is_closed) return;
    for (size_t i = 0; i < pairs->count; i++)
        if (!is_held(&pairs->items[i]) && pairs->items[i].right == 0) set_twist(f, last - 1, 0, 0);
    for (int k = 0; k < 3; k++) f->twist[k][last] = f->twist[k][0];
}

// Cells that give way to half cells beside held sections, and what stands for them.
static void add_pairs(const cdg_rod *rod, const corde_pairs *pairs, const corde_substep *s, const corde_friction *f) {
    const corde_square none = {0, 0, 0, 0, 0, 0};
    set_square(f->dampers.cell, 0, none);
    set_square(f->dampers.cell, rod->element_count, none);
    for (size_t r = 0; r < pairs->replaced_count; r++) {
        set_square(f->dampers.cell, pairs->replaced[r], none);
        rod_set_vec3(f->twist, pairs->replaced[r], vec3(0, 0, 0));
    }
    for (size_t i = 0; i < pairs->count; i++) {
        const corde_pair *pair = &pairs->items[i];
        corde_square damper = pair_damper(rod, pair, s);
        if (!is_held(pair)) { // a whole cell, at the node before its right element
            set_square(f->dampers.cell, pair->right, damper);
            if (pair->right > 0) set_twist(f, pair->left, pair->right, pair->right);
            continue;
        }
        size_t element = held_element(pair);
        const double parts[6] = {damper.xx, damper.xy, damper.xz, damper.yy, damper.yz, damper.zz};
        for (int k = 0; k < 6; k++) f->dampers.inertia[k][element] += parts[k];
        corde_vec impulse = held_impulse(pair, damper, spin_at(f, element, false));
        f->dampers.moment[0][element] += impulse.x;
        f->dampers.moment[1][element] += impulse.y;
        f->dampers.moment[2][element] += impulse.z;
    }
    set_ends(rod, pairs, f);
}

// ---- the system -----------------------------------------------------------------------------------------------------

// The seam of a closed rod reaches back to the first node.
static corde_substep at_seam(const cdg_rod *rod, const corde_substep *s) {
    corde_substep seam = *s;
    seam.ahead = 1 - (ptrdiff_t)rod->node_count;
    return seam;
}

static void close_through(const cdg_rod *rod, double *const through[3]) {
    size_t count = rod->element_count;
    for (int k = 0; k < 3; k++) {
        through[k][0] = rod->is_closed ? through[k][count] : 0;
        through[k][count + 1] = rod->is_closed ? through[k][1] : 0;
    }
}

static void hold_nodes(const cdg_rod *rod, const corde_substep *s, const corde_dampers *d) {
    for (size_t h = 0; h < rod->hold_count; h++) {
        if (!rod->holds[h].holds_position) continue;
        size_t node = rod->holds[h].node;
        cdg_vec3 moved = vec3_sub(corde_held_position(rod, &rod->holds[h], s->done), rod_vec3(s->from->x, node));
        cdg_vec3 change = vec3_sub(vec3_scale(1 / s->step, moved), rod_vec3(s->from->v, node));
        double mass = 1e20 * d->heavy; // so large that nothing moves the node, yet far from overflow
        d->mass[node] = d->is_constraint ? INFINITY : mass;
        rod_set_vec3(d->right, node, d->is_constraint ? change : vec3_scale(mass, change));
    }
}

static void go_around(double *const *arrays, size_t array_count, size_t count) {
    for (size_t k = 0; k < array_count; k++) arrays[k][count] = arrays[k][0], arrays[k][count + 1] = arrays[k][1];
}

// Beyond the last element of a closed rod comes the first again.
static void set_around(const corde_dampers *d) {
    double *const single[] = {d->mass, d->length, d->along, d->across};
    go_around(single, 4, d->element_count);
    go_around(d->right, 3, d->element_count), go_around(d->moment, 3, d->element_count);
    go_around(d->tangent, 3, d->element_count);
    go_around(d->inertia, 6, d->element_count), go_around(d->cell, 6, d->element_count);
}

// The entry beyond the last element, where the shorter end of the elimination idles: it changes nothing.
static void set_idle(const corde_dampers *d) {
    size_t element = d->element_count, node = element + 1;
    d->mass[node] = d->is_constraint ? 0 : 1;
    d->along[element] = d->is_constraint ? 1 : 0;
    d->across[element] = d->length[element] = 0;
    for (int k = 0; k < 3; k++) d->right[k][node] = d->tangent[k][element] = d->moment[k][element] = 0;
    set_square(d->inertia, element, (corde_square){1, 0, 0, 1, 0, 1});
}

static bool solve_band(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads, const corde_pairs *pairs,
                       const corde_work *work, const corde_friction *f) {
    const corde_dampers *d = &f->dampers;
    if (!d->is_constraint) close_through(rod, work->force);
    if (!corde_band_solve(rod, s, loads, pairs, work, f->memory, d->velocity, d->spin)) return false;
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < rod->node_count; i++) d->velocity[k][i] -= s->from->v[k][i];
        for (size_t j = 0; j < rod->element_count; j++) d->spin[k][j] -= f->spin[k][j];
    }
    return true;
}

// At most h tau omega^2, omega the largest frequency (corde/stability.c).
static double stiffness_of(const cdg_rod *rod, double kick) {
    double time = 0, fastest = 2 / fmin(rod->node_step_limit, rod->frame_step_limit);
    for (int k = 0; k < 4; k++) time = fmax(time, rod->damping_time[k]);
    return kick * time * fastest * fastest;
}

bool corde_friction_solve(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads,
                          const corde_pairs *pairs, const corde_work *work, const corde_friction *f) {
    size_t count = rod->element_count, straight = rod->is_closed ? count - 1 : count;
    corde_substep seam = at_seam(rod, s);
    corde_friction_elements(rod, s, loads, 0, straight, work, f);
    corde_friction_elements(rod, &seam, loads, straight, count, work, f);
    corde_friction_cells(rod, s, 1, count < LINE ? count : LINE, f); // then vectors begin lines
    corde_friction_cells(rod, s, LINE, count, f);
    add_pairs(rod, pairs, s, f);
    close_through(rod, f->through);
    corde_friction_sums(rod, s, loads, f);
    hold_nodes(rod, s, &f->dampers);
    if (rod->is_closed)
        set_around(&f->dampers);
    else
        set_idle(&f->dampers);
    corde_dampers dampers = f->dampers;
    dampers.stiffness = stiffness_of(rod, s->kick);
    return corde_dampers_solve(&dampers) || solve_band(rod, s, loads, pairs, work, f);
}

// ---- what friction exerts -------------------------------------------------------------------------------------------

// An angular impulse on one element, by the paths of corde_friction_apply.
static void turn_element(const cdg_rod *rod, const corde_substep *s, size_t element, corde_vec impulse,
                         const corde_work *work, const corde_friction *f) {
    corde_axes a = corde_axes_of(corde_turn_from(rod_quat(s->from->q, element)));
    corde_vec local = corde_to_material(a, impulse);
    if (!corde_is_constraint(rod)) {
        work->near[0][element] += local.x / s->kick;
        work->near[1][element] += local.y / s->kick;
        work->near[2][element] += local.z / s->kick;
        return;
    }
    work->spin[element] += s->slow * local.z;
    corde_vec across = corde_to_world(a, (corde_vec){local.x, local.y, 0});
    corde_vec pair = corde_cross(across, corde_vec_at(f->dampers.tangent, element));
    double share = 1 / (s->kick * f->dampers.length[element]);
    work->force[0][element + 1] -= share * pair.x;
    work->force[1][element + 1] -= share * pair.y;
    work->force[2][element + 1] -= share * pair.z;
}

// Beyond the ends of an open rod spins are those of its ends, so that no cell is there.
static void extend(const cdg_rod *rod, double *const spin[3]) {
    size_t last = rod->element_count - 1;
    for (int k = 0; k < 3; k++) {
        spin[k][-1] = spin[k][rod->is_closed ? last : 0];
        spin[k][last + 1] = spin[k][rod->is_closed ? 0 : last];
    }
}

void corde_friction_exert(cdg_rod *rod, const corde_substep *s, const corde_pairs *pairs, double weight,
                          const corde_work *work, const corde_friction *f) {
    size_t count = rod->element_count, straight = rod->is_closed ? count - 1 : count;
    corde_substep seam = at_seam(rod, s);
    extend(rod, f->spin);
    extend(rod, f->dampers.spin);
    corde_friction_apply(rod, s, 0, straight, work, f);
    corde_friction_apply(rod, &seam, straight, count, work, f);
    for (size_t i = 0; i < pairs->count; i++) {
        const corde_pair *pair = &pairs->items[i];
        if (!is_held(pair)) continue;
        size_t element = held_element(pair);
        corde_vec impulse = held_impulse(pair, pair_damper(rod, pair, s), spin_at(f, element, true));
        turn_element(rod, s, element, impulse, work, f);
        cdg_hold *hold = &rod->holds[pair->hold];
        hold->moment = vec3_mad(hold->moment, weight / s->kick, corde_vec3(impulse));
    }
}
