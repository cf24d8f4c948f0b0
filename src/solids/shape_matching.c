// Shape matching: a step of a solid: drift, match, drift. The potential is half of sum w |deviation|^2 / time^2, whose
// slopes the pulls are, so that momentum is kept; velocities away from the fitted motion are damped.
#include "solids/shape_matching.h"
#include "base/parallel.h"
#include "base/processor.h"
#include "math/polar.h"
#include "math/symmetric3.h"
#include "solids/matching_weights.h"
#include "solids/solid_model.h"

#include <string.h>

#if defined(__x86_64__)
#define CHOOSE(name, ...)                                                                                              \
    (cdg_processor_lanes() == CDG_LANES_AVX512 ? name##_avx512(__VA_ARGS__)                                            \
     : cdg_processor_lanes() == CDG_LANES_AVX2 ? name##_avx2(__VA_ARGS__)                                              \
                                               : name##_base(__VA_ARGS__))
#else
#define CHOOSE(name, ...) name##_base(__VA_ARGS__)
#endif

void cdg_matching_begin(cdg_solid *solid, const matching_kick *kick, size_t begin, size_t end) {
    CHOOSE(cdg_matching_begin, solid, kick, begin, end);
}
void cdg_matching_sum(const cdg_solid *solid, size_t chunk) { CHOOSE(cdg_matching_sum, solid, chunk); }
void cdg_matching_move(const cdg_solid *solid, size_t chunk) { CHOOSE(cdg_matching_move, solid, chunk); }
void cdg_matching_end(cdg_solid *solid, const matching_kick *kick, size_t begin, size_t end) {
    CHOOSE(cdg_matching_end, solid, kick, begin, end);
}

// ---- swings ---------------------------------------------------------------------------------------------------------

// Of the exact motion over a step: 1 - trace + determinant, and determinant - 1.
static void decay(double turned, double ratio, double *one_minus, double *drag) {
    double fade = expm1(-ratio * turned); // of the amplitude, minus 1
    if (ratio < 1) {
        double half = sin(0.5 * turned * sqrt(1 - ratio * ratio));
        *one_minus = fade * fade + 4 * (1 + fade) * half * half;
    } else {
        double split = turned * sqrt(ratio * ratio - 1);
        *one_minus = expm1(-ratio * turned + split) * expm1(-ratio * turned - split);
    }
    *drag = expm1(-2 * ratio * turned);
}

matching_rates cdg_matching_rates(double step, double time, double ratio) {
    double one_minus, drag;
    decay(step / time, ratio, &one_minus, &drag);
    return (matching_rates){-one_minus / step, drag};
}

// tanh in place of its argument: of the same second order, and bounded as steps grow.
matching_rates cdg_matching_half_rates(double step, double time, double ratio) {
    double pull = 2 * tanh(0.5 * step / time);
    return (matching_rates){-pull * pull / step, expm1(-ratio * step / time)};
}

// In contact, which acts on the velocities after the match and on the whole way: dv = -step/time^2 d + drag u, then
// the way. With a = (step/time)^2 and c = 1 + drag such a step turns (1 - a) |u'|^2 - 2 c u u' + |u|^2 of twice the
// energy |u|^2/2 + |d|^2/(2 time^2) into heat, beside what contact forces do on the way, whatever these are: never less
// than nothing when c^2 <= 1 - a. The mean over clusters keeps that, since it is the mean of such forms.
matching_rates cdg_matching_touched_rates(double step, double time, double ratio) {
    double turned = step / time, most = sqrt(fmax(0, 1 - turned * turned));
    return (matching_rates){-turned / time, fmin(exp(-2 * ratio * turned), most) - 1};
}

// s: what is touched bears steps up to its time. In longer ones it is softer, and stays so in shorter parts of them:
// a stiffness that grows when a step is divided makes energy.
double cdg_matching_borne_time(double time, double step) {
    const double share = 0.95;
    return fmax(time, step / share);
}

// So that a constant force moves a point by exactly force time^2/mass, whatever the step.
double cdg_matching_early(double step, double time, const matching_rates *rates, bool is_half) {
    double turned = step / time, left = is_half ? 1 + rates->drag : 1;
    double drag = is_half ? rates->drag * (2 + rates->drag) : rates->drag;
    double answer = -left * rates->pull * step / (turned * turned), early = (1 - answer) / -drag;
    return turned < 1e-5 || drag == 0 ? 0.5 : early < 0 ? 0 : early < 1 ? early : 1; // the first is the limit
}

// ---- clusters -------------------------------------------------------------------------------------------------------

typedef struct levels {
    matching_rates rest, linear, quadratic;
} levels;

static double linear_time(const cdg_shape_matching_def *d) {
    return d->linear_time > 0 ? d->linear_time : 2 * d->relaxation_time;
}
static double quadratic_time(const cdg_shape_matching_def *d) {
    return d->quadratic_time > 0 ? d->quadratic_time : 1.5 * d->relaxation_time;
}

// `longest`: step so far, this one included; 0: nothing ever touched it.
static levels levels_of(const cdg_solid *s, double step, double longest) {
    const cdg_shape_matching_def *d = &s->def.shape_matching;
    matching_rates (*rates)(double, double, double) = !s->has_history                   ? cdg_matching_touched_rates
                                                      : solid_matching(s)->is_projector ? cdg_matching_rates
                                                                                        : cdg_matching_half_rates;
    matching_rates rest = rates(step, cdg_matching_borne_time(d->relaxation_time, longest), d->damping_ratio);
    levels l = {rest, rest, rest};
    if (d->mode != CDG_MATCHING_RIGID)
        l.linear = rates(step, cdg_matching_borne_time(linear_time(d), longest), d->damping_ratio);
    if (d->mode == CDG_MATCHING_QUADRATIC)
        l.quadratic = rates(step, cdg_matching_borne_time(quadratic_time(d), longest), d->damping_ratio);
    return l;
}

static cdg_vec3 from_array(const double a[3]) { return vec3(a[0], a[1], a[2]); }

static void add_moments(matching_moments *sum, const matching_moments *part) {
    double *to = (double *)sum;
    const double *from = (const double *)part;
    for (size_t k = 0; k < sizeof *sum / sizeof *to; k++) to[k] += from[k];
}

static matching_moments gather_moments(const cdg_shape_matching *m, size_t cluster) {
    matching_moments sum = {0};
    size_t chunk = 0;
    if (m->cluster_count == m->chunk_count)
        chunk = cluster;
    else
        while (m->chunks[chunk].cluster < cluster) chunk++;
    for (; chunk < m->chunk_count && m->chunks[chunk].cluster == cluster; chunk++)
        add_moments(&sum, &m->partial[chunk]);
    return sum;
}

// A = sum w q p^T, the rotation that fits best, and R C.
static cdg_quat fit_rotation(const cdg_shape_matching *m, size_t cluster, const matching_moments *sum, cdg_quat start,
                             double turned[3][3]) {
    mat3 a = {{{0}}};
    for (int b = 0; b < 3; b++) a = mat3_add(a, mat3_outer(1, from_array(sum->shape[b]), m->frame[cluster][b]));
    cdg_quat rotation = polar_rotation(&a, start);
    mat3 r = mat3_from_quat(rotation);
    for (int b = 0; b < 3; b++) {
        cdg_vec3 c = mat3_apply(&r, m->frame[cluster][b]);
        turned[b][0] = c.x, turned[b][1] = c.y, turned[b][2] = c.z;
    }
    return rotation;
}

// Inverse of the inertia about the centre; points on a line have none about it, and a little is lent to them.
static symmetric3 inverse_inertia(const double spread[6], double mass, cdg_vec3 c) {
    double xx = spread[0] - mass * c.x * c.x, yy = spread[3] - mass * c.y * c.y, zz = spread[5] - mass * c.z * c.z;
    symmetric3 inertia = {yy + zz, -(spread[1] - mass * c.x * c.y), -(spread[2] - mass * c.x * c.z),
                          xx + zz, -(spread[4] - mass * c.y * c.z), xx + yy};
    return symmetric3_inverse(symmetric3_add_diagonal(inertia, 1e-14 * (xx + yy + zz) + 1e-300));
}

static void fit_cluster(cdg_solid *s, size_t cluster, const levels *l) {
    cdg_shape_matching *m = solid_matching(s);
    matching_moments sum = gather_moments(m, cluster);
    matching_move *out = &m->moves[cluster];
    uint32_t first = m->node[m->first_slot[cluster]];
    double mass = m->mass[cluster], turned[3][3];
    cdg_vec3 c = vec3_scale(1 / mass, from_array(sum.position)), flow = vec3_scale(1 / mass, from_array(sum.speed));
    cdg_quat q = fit_rotation(m, cluster, &sum, solid_rotation(s, cluster), turned);
    s->rotation[0][cluster] = q.w, s->rotation[1][cluster] = q.x;
    s->rotation[2][cluster] = q.y, s->rotation[3][cluster] = q.z;
    symmetric3 inverse = inverse_inertia(sum.spread, mass, c);
    cdg_vec3 spin = vec3_sub(from_array(sum.spin), vec3_scale(mass, vec3_cross(c, flow)));
    // What is damped in linear and quadratic fits turns the whole a little when it is deformed: that is given back.
    bool is_rigid = s->def.shape_matching.mode == CDG_MATCHING_RIGID;
    cdg_vec3 torque = vec3_scale(l->rest.drag - l->linear.drag, spin);
    for (int b = 0; b < m->basis_count && !is_rigid; b++) {
        double share = (b < 3 ? l->linear.drag : l->quadratic.drag) - l->rest.drag;
        torque = vec3_add(torque, vec3_scale(share, vec3_cross(from_array(sum.shape[b]), from_array(sum.rate[b]))));
        for (int k = 0; k < 3; k++) {
            const matching_rates *own = b < 3 ? &l->linear : &l->quadratic;
            double held = b < 3 ? turned[b][k] : 0;
            out->shape[b][k] = (own->pull - l->rest.pull) * sum.shape[b][k] - own->pull * held +
                               (own->drag - l->rest.drag) * sum.rate[b][k];
        }
    }
    for (int b = 0; b < m->basis_count && is_rigid; b++)
        for (int k = 0; k < 3; k++) out->shape[b][k] = b < 3 ? -l->rest.pull * turned[b][k] : 0;
    cdg_vec3 turn = vec3_scale(-1, symmetric3_times(inverse, vec3_mad(torque, l->linear.drag, spin)));
    out->pull = l->rest.pull, out->drag = l->rest.drag;
    double centers[3] = {c.x, c.y, c.z}, speeds[3] = {flow.x, flow.y, flow.z}, turns[3] = {turn.x, turn.y, turn.z};
    for (int k = 0; k < 3; k++) {
        out->center[k] = s->x_next[k][first] + centers[k];
        out->speed[k] = s->v_next[k][first] + speeds[k];
        out->turn[k] = turns[k];
    }
}

// ---- a step ---------------------------------------------------------------------------------------------------------

enum { NODES_AT_ONCE = 2048, SLOTS_WORTH = 16384 }; // fewer are not worth another thread

typedef struct step_work {
    cdg_solid *solid;
    matching_kick kick;
    levels levels;
} step_work;

static void range_of(const cdg_solid *s, size_t index, size_t *begin, size_t *end) {
    size_t room = (s->node_count + SOLID_GROUP - 1) / SOLID_GROUP * SOLID_GROUP;
    *begin = index * NODES_AT_ONCE;
    *end = *begin + NODES_AT_ONCE < room ? *begin + NODES_AT_ONCE : room;
}

static void begin_nodes(void *user, size_t index, int thread) {
    (void)thread;
    const step_work *work = user;
    size_t begin, end;
    range_of(work->solid, index, &begin, &end);
    cdg_matching_begin(work->solid, &work->kick, begin, end);
}

static void sum_slots(void *user, size_t index, int thread) {
    (void)thread;
    cdg_matching_sum(((const step_work *)user)->solid, index);
}

static void fit(void *user, size_t index, int thread) {
    (void)thread;
    const step_work *work = user;
    fit_cluster(work->solid, index, &work->levels);
}

static void move_slots(void *user, size_t index, int thread) {
    (void)thread;
    cdg_matching_move(((const step_work *)user)->solid, index);
}

// A node in several clusters is given the mean of theirs: each has an equal part of its mass. What holds a node takes
// the impulse of its weight, which balances what the others got: sums are kept in its reaction, in N s.
static void collect(cdg_solid *s, size_t begin, size_t end) {
    const cdg_shape_matching *m = solid_matching(s);
    for (size_t i = begin; i < end && i < s->node_count; i++) {
        double sum[3] = {0, 0, 0}, impulse[3] = {0, 0, 0}, share = 1.0 / (m->first_use[i + 1] - m->first_use[i]);
        for (uint32_t u = m->first_use[i]; u < m->first_use[i + 1]; u++)
            for (int k = 0; k < 3; k++) {
                sum[k] += m->move[k][m->use[u]];
                impulse[k] += m->weight[m->use[u]] * m->move[k][m->use[u]];
            }
        for (int k = 0; k < 3; k++) m->given[k][i] = share * sum[k];
        for (int k = 0; k < 3 && s->is_held[i]; k++) s->reaction[k][i] -= impulse[k];
    }
}

// After the first of two fits.
static void give(void *user, size_t index, int thread) {
    (void)thread;
    const step_work *work = user;
    cdg_solid *s = work->solid;
    const cdg_shape_matching *m = solid_matching(s);
    size_t begin, end;
    range_of(s, index, &begin, &end);
    collect(s, begin, end);
    for (int k = 0; k < 3; k++)
        for (size_t i = begin; i < end && i < s->node_count; i++) s->v_next[k][i] += m->goal_free[i] * m->given[k][i];
}

static void end_nodes(void *user, size_t index, int thread) {
    (void)thread;
    const step_work *work = user;
    cdg_solid *s = work->solid;
    size_t begin, end;
    range_of(s, index, &begin, &end);
    if (!solid_matching(s)->is_projector) collect(s, begin, end);
    cdg_matching_end(s, &work->kick, begin, end);
}

static void find_reactions(cdg_solid *s, double step, const double gravity[3]) {
    for (size_t i = 0; i < s->node_count; i++) {
        if (!s->is_held[i]) continue;
        for (int k = 0; k < 3; k++) {
            double impulse = s->reaction[k][i] + s->mass[i] * (s->v_next[k][i] - s->v[k][i]);
            s->reaction[k][i] = impulse / step - s->force[k][i] - s->mass[i] * gravity[k];
            s->x_next[k][i] = s->target[k][i];
        }
    }
}

static void match(step_work *work, int threads) {
    const cdg_shape_matching *m = solid_matching(work->solid);
    cdg_parallel_for(m->chunk_count, threads, sum_slots, work);
    cdg_parallel_for(m->cluster_count, threads, fit, work);
    cdg_parallel_for(m->chunk_count, threads, move_slots, work);
}

// Halfway the match is of second order. What something touched in the last step matches first and moves then: contact
// acts on the whole way of a step, and would leave things at rest with half a step's speed.
static cdg_result predict(cdg_solid *s, double step, cdg_vec3 gravity, int threads, cdg_solid_result *out,
                          cdg_error *error) {
    (void)error;
    cdg_shape_matching *m = solid_matching(s);
    bool is_touched = !s->has_history;
    cdg_matching_renew_weights(s);
    bool is_once = is_touched || m->is_projector;
    double longest = is_touched || s->was_touched ? fmax(s->history_step, step) : 0, lead = is_touched ? 0 : 0.5 * step;
    step_work work = {s, {step, lead, 0, {gravity.x, gravity.y, gravity.z}}, levels_of(s, step, longest)};
    double time = cdg_matching_borne_time(s->def.shape_matching.relaxation_time, longest);
    if (!is_touched) work.kick.early = cdg_matching_early(step, time, &work.levels.rest, !m->is_projector);
    size_t nodes = (s->node_count + NODES_AT_ONCE - 1) / NODES_AT_ONCE;
    int used = m->slot_count > SLOTS_WORTH ? threads : 1;
    m->step = step;
    for (int k = 0; k < 3; k++) memset(s->reaction[k], 0, s->node_count * sizeof(double));
    cdg_parallel_for(nodes, used, begin_nodes, &work);
    match(&work, used);
    if (!is_once) {
        cdg_parallel_for(nodes, used, give, &work);
        work.levels.rest.pull = work.levels.linear.pull = work.levels.quadratic.pull = 0;
        match(&work, used);
    }
    cdg_parallel_for(nodes, used, end_nodes, &work);
    if (!m->is_projector) find_reactions(s, step, work.kick.gravity);
    out->parts = 1;
    return CDG_OK;
}

// ---- energy ---------------------------------------------------------------------------------------------------------

static matching_moments sum_positions(const cdg_shape_matching *m, size_t cluster, double *const x[3]) {
    matching_moments sum = {0};
    uint32_t first = m->node[m->first_slot[cluster]];
    for (size_t slot = m->first_slot[cluster]; slot < m->first_slot[cluster + 1]; slot++)
        for (int k = 0; k < 3; k++) {
            double p = m->weight[slot] * (x[k][m->node[slot]] - x[k][first]);
            sum.position[k] += p;
            for (int b = 0; b < m->basis_count; b++) sum.shape[b][k] += p * m->basis[b][slot];
        }
    return sum;
}

// 1/s^2, of the longest step so far: it never grows.
static double stiffness(const cdg_solid *s, double time) {
    double borne = cdg_matching_borne_time(time, fmax(s->history_step, solid_matching(s)->step));
    return 1 / (borne * borne);
}

// Sum of w |deviation|^2/time^2 of every level.
static double cluster_energy(const cdg_solid *s, size_t cluster, double *const x[3]) {
    const cdg_shape_matching *m = solid_matching(s);
    const cdg_shape_matching_def *d = &s->def.shape_matching;
    matching_moments sum = sum_positions(m, cluster, x);
    uint32_t first = m->node[m->first_slot[cluster]];
    double turned[3][3], rest = 0, linear = 0, quadratic = 0;
    fit_rotation(m, cluster, &sum, solid_rotation(s, cluster), turned);
    for (size_t slot = m->first_slot[cluster]; slot < m->first_slot[cluster + 1]; slot++)
        for (int k = 0; k < 3; k++) {
            double away = x[k][m->node[slot]] - x[k][first] - sum.position[k] / m->mass[cluster];
            for (int b = 0; b < m->basis_count; b++) away -= sum.shape[b][k] * m->basis[b][slot];
            rest += m->weight[slot] * away * away;
        }
    for (int b = 0; b < m->basis_count; b++)
        for (int k = 0; k < 3; k++) {
            double away = sum.shape[b][k] - (b < 3 ? turned[b][k] : 0);
            *(b < 3 ? &linear : &quadratic) += away * away;
        }
    double time = d->relaxation_time, second = d->mode == CDG_MATCHING_RIGID ? time : linear_time(d);
    double third = d->mode == CDG_MATCHING_QUADRATIC ? quadratic_time(d) : time;
    return rest * stiffness(s, time) + linear * stiffness(s, second) + quadratic * stiffness(s, third);
}

static double whole_energy(const cdg_solid *s, double *const x[3]) {
    double sum = 0;
    for (size_t c = 0; c < solid_matching(s)->cluster_count; c++) sum += 0.5 * cluster_energy(s, c, x);
    return sum;
}

const cdg_solid_model_table cdg_solid_shape_matching = {.name = "shape_matching",
                                                        .keeps_rotation = true,
                                                        .build = cdg_matching_build,
                                                        .free = cdg_matching_free,
                                                        .whole_energy = whole_energy,
                                                        .predict = predict};
