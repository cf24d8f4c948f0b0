// The Gauss-Seidel solver for a team of alike rods, one rod in each lane (pobd/strands.h). Constraints, their order and
// the time integration are those of a rod alone (pobd/gauss_seidel_simd.c, pobd/motion_simd.c); what differs is the
// layout: slot k holds element k and its left node of every rod.
#include "rods/pobd/options.h"
#include "rods/pobd/strands.h"

#include "math/quat.h"
#include "rods/pobd/team_simd.h"

#include <string.h>

// A state of all rods in the team's layout: entry k holds node or element k of every rod.
typedef struct lane_state {
    simd_vec3 *x, *v, *w;
    simd_quat *q;
} lane_state;

typedef struct team {
    pobd_strand *strands;
    size_t count, element_count;
    team_chain chain; // element_count + 1 slots hold something; room for whole blocks of SIMD_LANES
    simd_vec3 *x_hat, *before;
    simd_quat *q_hat;
    half_cell ends[2];
    bool is_angle;
    lane_state now, last; // the state and the one a step earlier, while several steps are taken in lanes
} team;

// ---- memory ---------------------------------------------------------------------------------------------------------

static size_t blocked(size_t element_count) { return (element_count + SIMD_LANES) / SIMD_LANES * SIMD_LANES; }

size_t SIMD_NAME(pobd_strands_scratch_size)(size_t element_count) {
    size_t slots = blocked(element_count);
    size_t states = 2 * (3 * sizeof(simd_vec3) + sizeof(simd_quat));
    size_t bytes = slots * (sizeof(slot) + 2 * sizeof(simd_vec3) + sizeof(simd_quat) + states);
    return bytes + 12 * 64;
}

static void *take(char **next, size_t bytes) {
    void *block = *next;
    *next += (bytes + 63) / 64 * 64;
    return block;
}

// The rod of a lane; lanes to spare repeat the first rod and are not written.
static const cdg_rod *rod_of(const team *t, size_t lane) { return t->strands[lane < t->count ? lane : 0].rod; }

// SIMD_LANES consecutive entries of one array of every rod: out[i] holds entry at + i. Arrays start at cache lines and
// are padded to whole ones, so that whole blocks may be read and written.
typedef struct lanes_of {
    double *at[SIMD_LANES];
} lanes_of;

#define LANES_OF(team, member)                                                                                         \
    __extension__({                                                                                                    \
        lanes_of arrays_;                                                                                              \
        for (size_t lane_ = 0; lane_ < SIMD_LANES; lane_++) arrays_.at[lane_] = rod_of(team, lane_)->member;           \
        arrays_;                                                                                                       \
    })

SIMD_INLINE void read_block(const lanes_of *arrays, size_t at, simd_double out[SIMD_LANES]) {
    for (int lane = 0; lane < SIMD_LANES; lane++) out[lane] = simd_load(arrays->at[lane] + at);
    simd_transpose(out);
}

SIMD_INLINE void write_block(const team *t, const lanes_of *arrays, size_t at, simd_double in[SIMD_LANES]) {
    simd_transpose(in);
    for (size_t lane = 0; lane < SIMD_LANES; lane++) {
        if (lane >= t->count) break;
        simd_store(arrays->at[lane] + at, in[lane]);
    }
}

enum { VEC3 = 3, QUAT = 4 }; // strides

// ---- constants ------------------------------------------------------------------------------------------------------

// Units: pobd/team_simd.h.
static void fill_section(team *t, pobd_scheme scheme) {
    team_section *c = &t->chain.section;
    for (size_t lane = 0; lane < SIMD_LANES; lane++) {
        const pobd_strand *strand = &t->strands[lane < t->count ? lane : 0];
        const cdg_rod *rod = strand->rod;
        double length = rod->rest_length[0], mass = rod->line_mass[0] * length, slow = 1 + rod->drag_rate * scheme.h;
        double node = scheme.h * scheme.h / (slow * mass), frame = scheme.h * scheme.h / (slow * strand->inertia);
        double half_frame = mass / (2 * strand->inertia);
        double stretch[3], bend[3], gain[3];
        for (int k = 0; k < 3; k++) {
            stretch[k] = compliance_of(node * rod->stretch_stiffness[k][0] / length);
            bend[k] = compliance_of(frame / 2 * rod->bend_stiffness[k][0] / length);
            gain[k] = 1 / ((t->is_angle ? 180 : 1) * (4 + bend[k]));
            if (t->is_angle) bend[k] *= 36;
        }
        simd_lanes(&c->length)[lane] = length;
        simd_lanes(&c->length2)[lane] = length * length;
        simd_lanes(&c->frame_weight)[lane] = half_frame;
        simd_lanes(&c->lever)[lane] = half_frame * length;
        simd_lanes(&c->fade)[lane] = 25 * half_frame / (length * length);
        set_lane(&c->stretch_compliance, lane, stretch);
        set_lane(&c->bend_compliance, lane, bend);
        set_lane(&c->bend_gain, lane, gain);
        for (int end = 0; end < 2; end++) fill_half_cell(&t->ends[end], lane, strand->anchored[end], frame);
    }
}

// End nodes have half the mass; held ones do not move.
static simd_double end_weight(const team *t, int end) {
    simd_double weight = simd_broadcast(2);
    for (size_t lane = 0; lane < SIMD_LANES; lane++)
        if (t->strands[lane < t->count ? lane : 0].held[end] != NULL) simd_lanes(&weight)[lane] = 0;
    return weight;
}

static void fill_weights(team *t) {
    team_chain *c = &t->chain;
    c->nodes = c->start = c->end = (team_nodes){.left = simd_broadcast(1), .right = simd_broadcast(1)};
    c->start.left = end_weight(t, 0);
    *(t->element_count > 1 ? &c->end.right : &c->start.right) = end_weight(t, 1);
    team_set_gains(&c->nodes, &c->section);
    team_set_gains(&c->start, &c->section);
    team_set_gains(&c->end, &c->section);
}

// ---- prediction (pobd/motion_simd.c) --------------------------------------------------------------------------------

// What acts on the nodes of every lane.
typedef struct node_loads {
    simd_double inverse_mass, gravity[3];
    lanes_of force[3];
    bool is_weight_only;
} node_loads;

static void read_loads(const team *t, node_loads *out) {
    out->is_weight_only = true;
    for (size_t lane = 0; lane < SIMD_LANES; lane++) {
        const pobd_strand *strand = &t->strands[lane < t->count ? lane : 0];
        const cdg_vec3 *g = &strand->loads->gravity;
        const double gravity[3] = {g->x, g->y, g->z};
        for (int k = 0; k < 3; k++) {
            simd_lanes(&out->gravity[k])[lane] = gravity[k];
            out->force[k].at[lane] = strand->loads->force[k];
        }
        simd_lanes(&out->inverse_mass)[lane] = 1 / (strand->rod->line_mass[0] * strand->rod->rest_length[0]);
        out->is_weight_only = out->is_weight_only && strand->loads->is_weight_only;
    }
}

// Force on the nodes over their mass, times `share`, at entry `at` .. at + SIMD_LANES - 1.
SIMD_INLINE void read_acceleration(const team *t, const node_loads *loads, int k, size_t at, simd_double share,
                                   simd_double out[SIMD_LANES]) {
    if (loads->is_weight_only) {
        for (int i = 0; i < SIMD_LANES; i++) out[i] = share * loads->gravity[k];
        return;
    }
    read_block(&loads->force[k], at, out);
    for (size_t i = 0; i < SIMD_LANES; i++) {
        bool is_end = at + i == 0 || at + i == t->element_count;
        out[i] *= share * loads->inverse_mass * (is_end ? 2 : 1);
    }
}

static simd_double drag_of(const team *t, pobd_scheme scheme) {
    simd_double slow;
    for (size_t lane = 0; lane < SIMD_LANES; lane++)
        simd_lanes(&slow)[lane] = 1 + rod_of(t, lane)->drag_rate * scheme.h;
    return slow;
}

static void predict_nodes(const team *t, pobd_scheme scheme) {
    simd_double slow = drag_of(t, scheme), velocity_share = scheme.h / slow, force_share = scheme.h * scheme.h / slow;
    node_loads loads;
    read_loads(t, &loads);
    for (int k = 0; k < 3; k++) {
        lanes_of x = LANES_OF(t, x[k]), v = LANES_OF(t, v[k]), x_before = x, v_before = v;
        if (scheme.history != 0) x_before = LANES_OF(t, x_before[k]), v_before = LANES_OF(t, v_before[k]);
        for (size_t at = 0; at <= t->element_count; at += SIMD_LANES) {
            simd_double position[SIMD_LANES], speed[SIMD_LANES], before[SIMD_LANES], push[SIMD_LANES];
            read_block(&x, at, position);
            read_block(&v, at, speed);
            if (scheme.history != 0) {
                read_block(&x_before, at, before);
                for (int i = 0; i < SIMD_LANES; i++) position[i] += scheme.history * (position[i] - before[i]);
                read_block(&v_before, at, before);
                for (int i = 0; i < SIMD_LANES; i++) speed[i] += scheme.history * (speed[i] - before[i]);
            }
            read_acceleration(t, &loads, k, at, force_share, push);
            for (size_t i = 0; i < SIMD_LANES; i++) {
                (&t->x_hat[at + i].x)[k] = position[i];
                (&t->chain.slots[at + i].x.x)[k] = position[i] + velocity_share * speed[i] + push[i];
            }
        }
    }
}

// a + share (a - before)
SIMD_INLINE simd_vec3 extrapolate(simd_vec3 a, simd_vec3 before, double share) {
    return (simd_vec3){a.x + share * (a.x - before.x), a.y + share * (a.y - before.y), a.z + share * (a.z - before.z)};
}

// The same of a state in lanes, under weight alone: node by node, once through memory.
static void predict_nodes_in_lanes(const team *t, pobd_scheme scheme) {
    simd_double slow = drag_of(t, scheme), velocity_share = scheme.h / slow, force_share = scheme.h * scheme.h / slow;
    node_loads loads;
    read_loads(t, &loads);
    simd_vec3 fall = {force_share * loads.gravity[0], force_share * loads.gravity[1], force_share * loads.gravity[2]};
    for (size_t i = 0; i <= t->element_count; i++) {
        simd_vec3 position = t->now.x[i], speed = t->now.v[i];
        if (scheme.history != 0) {
            position = extrapolate(position, t->last.x[i], scheme.history);
            speed = extrapolate(speed, t->last.v[i], scheme.history);
        }
        t->x_hat[i] = position;
        t->chain.slots[i].x =
            (simd_vec3){position.x + velocity_share * speed.x + fall.x, position.y + velocity_share * speed.y + fall.y,
                        position.z + velocity_share * speed.z + fall.z};
    }
}

static void hold_nodes(const team *t) {
    for (size_t lane = 0; lane < SIMD_LANES; lane++)
        for (int end = 0; end < 2; end++) {
            const cdg_hold *held = t->strands[lane < t->count ? lane : 0].held[end];
            if (held == NULL) continue;
            double position[3] = {held->position.x, held->position.y, held->position.z};
            set_lane(&t->chain.slots[end == 0 ? 0 : t->element_count].x, lane, position);
        }
}

// False when a frame turns by more than about 2 rad.
typedef struct frame_shares {
    simd_double half_spin, torque;
} frame_shares;

static frame_shares share_frames(const team *t, pobd_scheme scheme) {
    frame_shares shares;
    for (size_t lane = 0; lane < SIMD_LANES; lane++) {
        const pobd_strand *strand = &t->strands[lane < t->count ? lane : 0];
        simd_lanes(&shares.half_spin)[lane] = 0.5 * scheme.h / (1 + strand->rod->drag_rate * scheme.h);
        simd_lanes(&shares.torque)[lane] = scheme.h / strand->inertia;
    }
    return shares;
}

// From the frame that time extrapolates to and its spin.
SIMD_INLINE void predict_frame(const team *t, size_t k, simd_quat hat, simd_vec3 spin, simd_double half_spin,
                               simd_mask *is_fast) {
    simd_double norm2 = hat.w * hat.w + hat.x * hat.x + hat.y * hat.y + hat.z * hat.z;
    simd_vec3 s = {half_spin * spin.x, half_spin * spin.y, half_spin * spin.z};
    simd_double sine2 = s.x * s.x + s.y * s.y + s.z * s.z;
    *is_fast |= ~(sine2 <= 0.8 * norm2);
    simd_double c = simd_root(norm2 - sine2), scale = root2 * simd_near_inverse(norm2);
    simd_quat turned = add_quaternion_product((simd_quat){hat.w * c, hat.x * c, hat.y * c, hat.z * c}, hat, s);
    t->q_hat[k] = hat;
    t->chain.slots[k].q = (simd_quat){scale * turned.w, scale * turned.x, scale * turned.y, scale * turned.z};
}

static bool predict_frames(const team *t, pobd_scheme scheme) {
    frame_shares shares = share_frames(t, scheme);
    bool has_torque = false;
    lanes_of q[4], q_before[4], w[3], w_before[3], torque[3];
    for (int k = 0; k < 4; k++) {
        q[k] = q_before[k] = LANES_OF(t, q[k]);
        if (scheme.history != 0) q_before[k] = LANES_OF(t, q_before[k]);
    }
    for (int k = 0; k < 3; k++) {
        w[k] = w_before[k] = LANES_OF(t, w[k]);
        if (scheme.history != 0) w_before[k] = LANES_OF(t, w_before[k]);
        for (size_t lane = 0; lane < SIMD_LANES; lane++) {
            const cdg_rod_loads *loads = t->strands[lane < t->count ? lane : 0].loads;
            torque[k].at[lane] = loads->torque[k];
            has_torque = has_torque || !loads->is_weight_only;
        }
    }
    simd_mask is_fast = {0};
    for (size_t at = 0; at < t->element_count; at += SIMD_LANES) {
        simd_double frame[4][SIMD_LANES], spin[3][SIMD_LANES], other[SIMD_LANES];
        for (int k = 0; k < 4; k++) {
            read_block(&q[k], at, frame[k]);
            if (scheme.history == 0) continue;
            read_block(&q_before[k], at, other);
            for (int i = 0; i < SIMD_LANES; i++) frame[k][i] += scheme.history * (frame[k][i] - other[i]);
        }
        for (int k = 0; k < 3; k++) {
            read_block(&w[k], at, spin[k]);
            if (scheme.history != 0) {
                read_block(&w_before[k], at, other);
                for (int i = 0; i < SIMD_LANES; i++) spin[k][i] += scheme.history * (spin[k][i] - other[i]);
            }
            if (has_torque) {
                read_block(&torque[k], at, other);
                for (int i = 0; i < SIMD_LANES; i++) spin[k][i] += shares.torque * other[i];
            }
        }
        for (size_t i = 0; i < SIMD_LANES && at + i < t->element_count; i++)
            predict_frame(t, at + i, (simd_quat){frame[0][i], frame[1][i], frame[2][i], frame[3][i]},
                          (simd_vec3){spin[0][i], spin[1][i], spin[2][i]}, shares.half_spin, &is_fast);
    }
    return !simd_any(is_fast);
}

static bool predict_frames_in_lanes(const team *t, pobd_scheme scheme) {
    simd_double half_spin = share_frames(t, scheme).half_spin;
    simd_mask is_fast = {0};
    for (size_t k = 0; k < t->element_count; k++) {
        simd_quat q = t->now.q[k];
        simd_vec3 spin = t->now.w[k];
        if (scheme.history != 0) {
            simd_quat last = t->last.q[k];
            q = (simd_quat){q.w + scheme.history * (q.w - last.w), q.x + scheme.history * (q.x - last.x),
                            q.y + scheme.history * (q.y - last.y), q.z + scheme.history * (q.z - last.z)};
            spin = extrapolate(spin, t->last.w[k], scheme.history);
        }
        predict_frame(t, k, q, spin, half_spin, &is_fast);
    }
    return !simd_any(is_fast);
}

// ---- rest shape -----------------------------------------------------------------------------------------------------

// Minus the rest values, with the sign of the turn that is nearer to the one now (pobd/gauss_seidel_simd.c, set_rest).
static void fill_rest(const team *t) {
    slot *slots = t->chain.slots;
    simd_quat rest;
    bool is_straight = true;
    for (size_t lane = 0; lane < SIMD_LANES; lane++) {
        const cdg_rod *rod = rod_of(t, lane);
        cdg_quat turn = t->element_count > 1 ? rod_rest_turn(rod, 1) : quat_identity();
        set_quat_lane(&rest, lane, turn);
        is_straight = is_straight && turn.x == 0 && turn.y == 0 && turn.z == 0;
    }
    simd_vec3 zero = {{0}, {0}, {0}}, stretch = {{0}, {0}, -t->chain.section.length};
    for (size_t k = 0; k < t->element_count; k++) {
        slots[k].stretch = stretch;
        slots[k].bend = zero;
        if (is_straight || k == 0) continue;
        simd_quat l = slots[k - 1].q, r = slots[k].q;
        simd_vec3 v = relative_imaginary(l, r);
        simd_double real = l.w * r.w + l.x * r.x + l.y * r.y + l.z * r.z;
        simd_mask is_far = real * rest.w + v.x * rest.x + v.y * rest.y + v.z * rest.z < 0;
        simd_double scale = simd_select(is_far, simd_broadcast(2), simd_broadcast(-2));
        if (t->is_angle) scale *= 6 * angle_of(2 * rest.w).value; // units: pobd/team_simd.h
        slots[k].bend = (simd_vec3){scale * rest.x, scale * rest.y, scale * rest.z};
    }
}

// ---- the sweep ------------------------------------------------------------------------------------------------------

// Fetches into the near caches, a few lines in each step of the sweep, where the candidates of this team go and what
// the rods that come next need: with many rods, waiting for them was half of the time. In a single step, which has
// little time for it, blocks take turns, as the processor's own prefetching follows many of them at once; where there
// is time, one block comes after another, as lines of all of them, each on its own page, cost more. (Writing past the
// caches instead takes longer: few such lines can be on their way at a time.)
enum { LINE = 64 };

typedef struct fetch {
    const char *at[SIMD_LANES + CDG_SOON_MAX], *end[SIMD_LANES + CDG_SOON_MAX];
    size_t count, turn, lines_a_step;
    bool takes_turns;
} fetch;

static void fetch_block(fetch *f, const void *at, size_t bytes) {
    f->at[f->count] = at;
    f->end[f->count++] = (const char *)at + bytes;
    f->lines_a_step += (bytes + LINE - 1) / LINE;
}

static void fetch_begin(fetch *f, const team *t, const cdg_soon *soon, size_t steps, bool takes_turns) {
    f->count = f->turn = f->lines_a_step = 0;
    f->takes_turns = takes_turns;
    for (size_t i = 0; t != NULL && i < t->count; i++)
        fetch_block(f, t->strands[i].rod->x_next[0], rod_state_bytes(t->strands[i].rod));
    for (size_t i = 0; soon != NULL && i < soon->count; i++) fetch_block(f, soon->blocks[i].at, soon->blocks[i].bytes);
    f->lines_a_step = f->lines_a_step / (steps + 1) + 1;
}

// How often a sweep fetches: once for each block of stretches, of which it has about so many.
static size_t blocks_of(size_t element_count) { return element_count / (2 * TEAM_BLOCK) * 2 + 1; }

SIMD_INLINE void fetch_some(fetch *f) {
    for (size_t i = 0; i < f->lines_a_step && f->count > 0; i++) {
        if (f->turn >= f->count) f->turn = 0;
        size_t block = f->turn;
        __builtin_prefetch(f->at[block], 0, 2);
        f->at[block] += LINE;
        if (f->at[block] >= f->end[block])
            f->count--, f->at[block] = f->at[f->count], f->end[block] = f->end[f->count];
        else if (f->takes_turns)
            f->turn++;
    }
}

SIMD_INLINE void start_bends(const slot *at, team_lead lead[TEAM_BENDS]) {
    UNROLLED for (size_t i = 0; i < TEAM_BENDS; i++) lead[i] = team_lead_of(team_twice_real(at + 2 * i));
}

// Every second slot from `at` on, `count` of them, TEAM_BENDS at a time.
SIMD_INLINE void sweep_bends_together(slot *at, size_t count, const team_section *s) {
    size_t several = count / TEAM_BENDS;
    team_lead lead[TEAM_BENDS];
    if (several > 0) start_bends(at, lead);
    NOT_UNROLLED for (size_t i = 1; i <= several; i++, at += 2 * TEAM_BENDS)
        team_bends(at, i < several ? at + 2 * TEAM_BENDS : at, TEAM_BENDS, lead, s);
    NOT_UNROLLED for (size_t i = several * TEAM_BENDS; i < count; i++, at += 2) {
        lead[0] = team_lead_of(team_twice_real(at));
        team_bends(at, at, 1, lead, s);
    }
}

SIMD_INLINE void sweep_bends_of_kind(slot *at, size_t count, const team_section *s) {
    if (SIMD_LANES < 8)
        sweep_bends_together(at, count, s);
    else if (count > 0)
        team_bends_in_stages(at, count, s);
}

SIMD_INLINE void sweep_bends_by_angle(const team_chain *c, const team_section *s) {
    sweep_bends_of_kind(c->slots + 2, (c->count - 1) / 2, s);
    sweep_bends_of_kind(c->slots + 1, c->count / 2, s);
}

SIMD_INLINE void sweep_bends_by_sine(const team_chain *c, const team_section *s) {
    for (size_t kind = 2; kind > 0; kind--)
        for (size_t k = kind; k < c->count; k += 2) team_bend_by_sine(c->slots + k, s);
}

SIMD_INLINE void apply_stretches(team_stretch *work, slot *at, size_t count, const team_section *s,
                                 const team_nodes *nodes) {
    NOT_UNROLLED for (size_t i = 0; i < count; i++)
        team_divide_stretch(&work[i], team_weigh_stretch(&work[i], s, nodes));
    NOT_UNROLLED for (size_t i = 0; i < count; i++) team_apply_stretch(&work[i], at + 2 * i, s, nodes, true);
}

// With registers for both: the divisions of one while the one before it is applied.
SIMD_INLINE void apply_in_stages(team_stretch *work, slot *at, size_t count, const team_section *s,
                                 const team_nodes *nodes) {
    NOT_UNROLLED for (size_t i = 0; i < count; i++) work[i].diagonal = team_weigh_stretch(&work[i], s, nodes);
    team_divide_stretch(&work[0], work[0].diagonal);
    NOT_UNROLLED for (size_t i = 1; i < count; i++) {
        team_divide_stretch(&work[i], work[i].diagonal);
        team_apply_stretch(&work[i - 1], at + 2 * i - 2, s, nodes, true);
    }
    team_apply_stretch(&work[count - 1], at + 2 * count - 2, s, nodes, true);
}

// Elements between others, every second from `first` to before `end`.
SIMD_INLINE void sweep_inner_stretches(const team_chain *c, size_t first, size_t end, const team_section *s,
                                       const team_nodes *nodes, fetch *ahead) {
    team_stretch work[TEAM_BLOCK];
    for (size_t k = first; k < end; k += 2 * TEAM_BLOCK) {
        slot *at = c->slots + k;
        size_t count = k + 2 * TEAM_BLOCK <= end ? TEAM_BLOCK : (end - k + 1) / 2;
        fetch_some(ahead);
        team_range range = {simd_broadcast(2), simd_broadcast(2)};
        NOT_UNROLLED for (size_t i = 0; i < count; i++) team_normalise(at + 2 * i, &range);
        simd_mask is_far = team_is_far(range);
        if (__builtin_expect(simd_any(is_far), 0))
            NOT_UNROLLED for (size_t i = 0; i < count; i++) team_normalise_again(at + 2 * i, is_far);
        NOT_UNROLLED for (size_t i = 0; i < count; i++) team_see_stretch(&work[i], at + 2 * i, s);
        SIMD_LANES < 8 ? apply_stretches(work, at, count, s, nodes) : apply_in_stages(work, at, count, s, nodes);
    }
}

// Even elements (kind 0) or odd ones (1). Those at the rod's ends are measured before all others and applied after
// them, so that nothing waits.
SIMD_INLINE void sweep_stretches(const team_chain *c, size_t kind, const team_section *s, fetch *ahead) {
    const team_nodes nodes = c->nodes;
    size_t last = c->count - 1;
    bool has_start = kind == 0, has_end = last > 0 && last % 2 == kind;
    slot *first = c->slots, *final = c->slots + last;
    team_stretch start, end;
    if (has_start) team_measure_stretch(&start, first, s, &c->start);
    if (has_end) team_measure_stretch(&end, final, s, &c->end);
    sweep_inner_stretches(c, has_start ? 2 : 1, has_end ? last : c->count, s, &nodes, ahead);
    if (has_start) team_apply_stretch(&start, first, s, &c->start, false);
    if (has_end) team_apply_stretch(&end, final, s, &c->end, false);
}

SIMD_INLINE void sweep(const team_chain *c, fetch *ahead, bool is_angle) {
    const team_section s = c->section; // a copy, which the compiler knows not to change
    is_angle ? sweep_bends_by_angle(c, &s) : sweep_bends_by_sine(c, &s);
    sweep_stretches(c, 0, &s, ahead);
    if (c->count > 1) sweep_stretches(c, 1, &s, ahead);
}

static __attribute__((noinline)) void sweep_by_sine(const team_chain *c, fetch *ahead) { sweep(c, ahead, false); }
static __attribute__((noinline)) void sweep_by_angle(const team_chain *c, fetch *ahead) { sweep(c, ahead, true); }

static void keep_nodes(const team *t) {
    for (size_t k = 0; k <= t->element_count; k++) t->before[k] = t->chain.slots[k].x;
}

// Of neighbours, as pobd/sweep_simd.h has it for a rod alone: the mean of what is left of two stretch constraints.
static simd_double team_stretch_left(const team *t) {
    simd_double largest = {0};
    simd_vec3 last = {{0}, {0}, {0}};
    for (size_t k = 0; k < t->element_count; k++) {
        stretch_work work;
        work.q = normalise(t->chain.slots[k].q);
        measure_stretch(&work, t->chain.slots + k, &t->chain.slots[k + 1].x);
        simd_double x = work.b.x + last.x, y = work.b.y + last.y, z = work.b.z + last.z;
        if (k > 0) largest = simd_max(x * x + y * y + z * z, largest);
        last = work.b;
    }
    return largest * 0.25 / t->chain.section.length2;
}

static void measure_correction(const team *t) {
    simd_double largest = {0};
    for (size_t k = 0; k <= t->element_count; k++) {
        const simd_vec3 *now = &t->chain.slots[k].x, *before = t->before + k;
        simd_double dx = now->x - before->x, dy = now->y - before->y, dz = now->z - before->z;
        largest = simd_max(dx * dx + dy * dy + dz * dz, largest);
    }
    largest = simd_sqrt(largest);
    for (size_t lane = 0; lane < t->count; lane++) t->strands[lane].correction = simd_get(&largest, lane);
    simd_double stretch = simd_sqrt(team_stretch_left(t));
    for (size_t lane = 0; lane < t->count; lane++) t->strands[lane].stretch = simd_get(&stretch, lane);
}

// What the multipliers of the ends stand for: rest - a lambda = -mu.
static void tell_multipliers(const team *t) {
    for (size_t lane = 0; lane < t->count; lane++) {
        pobd_strand *strand = &t->strands[lane];
        double over = -1 / strand->rod->rest_length[0];
        for (int end = 0; end < 2; end++) {
            const half_cell *cell = &t->ends[end];
            const slot *at = &t->chain.slots[end == 0 ? 0 : t->element_count - 1];
            const simd_vec3 *mu = &at->stretch;
            strand->end_stretch[end] =
                vec3(over * simd_get(&mu->x, lane), over * simd_get(&mu->y, lane), over * simd_get(&mu->z, lane) - 1);
            const pobd_anchor *anchor = strand->anchored[end];
            if (anchor == NULL) continue;
            const simd_quat *frame = &at->q;
            cdg_quat q = quat(simd_get(&frame->w, lane), simd_get(&frame->x, lane), simd_get(&frame->y, lane),
                              simd_get(&frame->z, lane));
            cdg_quat turn = end == 0 ? quat_relative(anchor->frame, q) : quat_relative(q, anchor->frame);
            double sign = quat_dot(turn, anchor->rest_half) < 0 ? 1 : -1; // nearer to the rest turn
            strand->end_turn[end] = vec3(sign * simd_get(&cell->mu.x, lane), sign * simd_get(&cell->mu.y, lane),
                                         sign * simd_get(&cell->mu.z, lane));
        }
    }
}

// ---- candidates -----------------------------------------------------------------------------------------------------

static bool finish_nodes(const team *t, pobd_scheme scheme) {
    simd_double inverse = simd_broadcast(1 / scheme.h);
    simd_mask is_bad = {0};
    for (int k = 0; k < 3; k++) {
        lanes_of x = LANES_OF(t, x_next[k]), v = LANES_OF(t, v_next[k]);
        for (size_t at = 0; at <= t->element_count; at += SIMD_LANES) {
            simd_double position[SIMD_LANES], speed[SIMD_LANES];
            for (size_t i = 0; i < SIMD_LANES; i++) {
                position[i] = (&t->chain.slots[at + i].x.x)[k];
                speed[i] = inverse * (position[i] - (&t->x_hat[at + i].x)[k]);
                if (at + i <= t->element_count) is_bad |= ~(simd_abs(speed[i]) <= 1e300);
            }
            write_block(t, &x, at, position);
            write_block(t, &v, at, speed);
        }
    }
    return !simd_any(is_bad);
}

// In lanes: to t->last, which is no longer needed.
static bool finish_nodes_in_lanes(const team *t, pobd_scheme scheme) {
    simd_double inverse = simd_broadcast(1 / scheme.h);
    simd_mask is_bad = {0};
    for (size_t i = 0; i <= t->element_count; i++) {
        simd_vec3 x = t->chain.slots[i].x, hat = t->x_hat[i];
        simd_vec3 v = {inverse * (x.x - hat.x), inverse * (x.y - hat.y), inverse * (x.z - hat.z)};
        is_bad |= ~(simd_abs(v.x) + simd_abs(v.y) + simd_abs(v.z) <= 1e300);
        t->last.x[i] = x;
        t->last.v[i] = v;
    }
    return !simd_any(is_bad);
}

// A frame as it comes from the solver, made whole, and its angular velocity.
SIMD_INLINE simd_vec3 finish_frame(simd_quat *frame, simd_quat hat, simd_double scale, simd_mask *is_bad) {
    simd_quat q = *frame;
    simd_double norm2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    simd_double dot = q.w * hat.w + q.x * hat.x + q.y * hat.y + q.z * hat.z;
    // q and -q are the same frame; differences in time need one sign.
    simd_double unit = simd_with_sign(simd_unit_scale(norm2), dot);
    q = (simd_quat){unit * q.w, unit * q.x, unit * q.y, unit * q.z};
    simd_vec3 turn = relative_imaginary(q, hat), spin = {scale * turn.x, scale * turn.y, scale * turn.z};
    *is_bad |= ~(simd_abs(spin.x) + simd_abs(spin.y) + simd_abs(spin.z) <= 1e300);
    *frame = q;
    return spin;
}

SIMD_INLINE void write_frames(const team *t, simd_double scale, simd_mask *is_bad) {
    lanes_of q_next[4], w_next[3];
    for (int k = 0; k < 4; k++) q_next[k] = LANES_OF(t, q_next[k]);
    for (int k = 0; k < 3; k++) w_next[k] = LANES_OF(t, w_next[k]);
    for (size_t at = 0; at < t->element_count; at += SIMD_LANES) {
        simd_double frame[4][SIMD_LANES], spin[3][SIMD_LANES];
        for (size_t i = 0; i < SIMD_LANES; i++) {
            // What lies behind the last element is written, too, and means nothing.
            size_t k = at + i < t->element_count ? at + i : t->element_count - 1;
            simd_quat q = t->chain.slots[k].q;
            simd_vec3 w = finish_frame(&q, t->q_hat[k], scale, is_bad);
            frame[0][i] = q.w, frame[1][i] = q.x, frame[2][i] = q.y, frame[3][i] = q.z;
            spin[0][i] = w.x, spin[1][i] = w.y, spin[2][i] = w.z;
        }
        for (int k = 0; k < 4; k++) write_block(t, &q_next[k], at, frame[k]);
        for (int k = 0; k < 3; k++) write_block(t, &w_next[k], at, spin[k]);
    }
}

SIMD_INLINE bool finish_frames(const team *t, pobd_scheme scheme, bool in_lanes) {
    simd_double scale = simd_broadcast(-2 / scheme.h);
    simd_mask is_bad = {0};
    if (in_lanes) {
        NOT_UNROLLED for (size_t k = 0; k < t->element_count; k++) {
            simd_quat q = t->chain.slots[k].q;
            t->last.w[k] = finish_frame(&q, t->q_hat[k], scale, &is_bad);
            t->last.q[k] = q;
        }
    } else {
        write_frames(t, scale, &is_bad);
    }
    return !simd_any(is_bad);
}

// ---- steps ----------------------------------------------------------------------------------------------------------

static void start_team(team *t, pobd_strand *strands, size_t count, pobd_scheme scheme, char **next) {
    size_t elements = strands[0].rod->element_count, slots = blocked(elements);
    *t = (team){.strands = strands, .count = count, .element_count = elements};
    t->chain.count = elements;
    t->chain.slots = take(next, slots * sizeof(slot));
    t->x_hat = take(next, slots * sizeof(simd_vec3));
    t->q_hat = take(next, slots * sizeof(simd_quat));
    t->before = take(next, slots * sizeof(simd_vec3));
    t->ends[0].is_start = true;
    t->is_angle = t->ends[0].is_angle = t->ends[1].is_angle = pobd_options(strands[0].rod)->darboux == CDG_POBD_ANGLE;
    t->ends[1].element = elements - 1;
    fill_section(t, scheme);
    fill_weights(t);
}

static void start_ends(team *t) {
    for (int end = 0; end < 2; end++)
        for (size_t lane = 0; lane < SIMD_LANES && t->ends[end].is_needed; lane++)
            start_half_cell(t->chain.slots, &t->ends[end], lane, t->strands[lane < t->count ? lane : 0].anchored[end]);
}

static void iterate(team *t, fetch *f) {
    for (int end = 0; end < 2; end++)
        if (t->ends[end].is_needed) project_half_cell(t->chain.slots, &t->ends[end]);
    t->is_angle ? sweep_by_angle(&t->chain, f) : sweep_by_sine(&t->chain, f);
}

// From predictions in slots to the rods' candidates.
static bool finish_candidates(team *t, pobd_scheme scheme, int iterations, fetch *f) {
    for (int iteration = 0; iteration < iterations; iteration++) {
        if (iteration + 1 == iterations) keep_nodes(t);
        iterate(t, f);
    }
    measure_correction(t);
    tell_multipliers(t);
    bool nodes = finish_nodes(t, scheme), frames = finish_frames(t, scheme, false);
    for (size_t lane = 0; lane < t->count; lane++)
        if (t->strands[lane].stretch > POBD_GROSS_STRETCH) return false;
    return nodes && frames;
}

bool SIMD_NAME(pobd_solve_strands)(pobd_strand *strands, size_t count, pobd_scheme scheme, int iterations,
                                   const cdg_soon *soon, void *scratch) {
    char *next = scratch;
    team t;
    start_team(&t, strands, count, scheme, &next);
    predict_nodes(&t, scheme);
    hold_nodes(&t);
    if (!predict_frames(&t, scheme)) return false;
    fill_rest(&t);
    start_ends(&t);

    fetch f;
    fetch_begin(&f, &t, soon, (size_t)iterations * blocks_of(t.element_count), true);
    return finish_candidates(&t, scheme, iterations, &f);
}

// ---- several steps --------------------------------------------------------------------------------------------------

static void take_state(lane_state *state, size_t slots, char **next) {
    state->x = take(next, slots * sizeof(simd_vec3));
    state->v = take(next, slots * sizeof(simd_vec3));
    state->w = take(next, slots * sizeof(simd_vec3));
    state->q = take(next, slots * sizeof(simd_quat));
}

static void load_component(lanes_of arrays, simd_double *lanes, size_t stride, size_t count) {
    for (size_t at = 0; at < count; at += SIMD_LANES) {
        simd_double block[SIMD_LANES];
        read_block(&arrays, at, block);
        for (size_t i = 0; i < SIMD_LANES; i++) lanes[(at + i) * stride] = block[i];
    }
}

static void store_component(const team *t, lanes_of arrays, const simd_double *lanes, size_t stride, size_t count) {
    for (size_t at = 0; at < count; at += SIMD_LANES) {
        simd_double block[SIMD_LANES];
        for (size_t i = 0; i < SIMD_LANES; i++) block[i] = lanes[(at + i) * stride];
        write_block(t, &arrays, at, block);
    }
}

static void load_states(const team *t, bool has_history) {
    size_t elements = t->element_count;
    for (int k = 0; k < 3; k++) {
        load_component(LANES_OF(t, x[k]), &t->now.x->x + k, VEC3, elements + 1);
        load_component(LANES_OF(t, v[k]), &t->now.v->x + k, VEC3, elements + 1);
        load_component(LANES_OF(t, w[k]), &t->now.w->x + k, VEC3, elements);
        if (!has_history) continue;
        load_component(LANES_OF(t, x_before[k]), &t->last.x->x + k, VEC3, elements + 1);
        load_component(LANES_OF(t, v_before[k]), &t->last.v->x + k, VEC3, elements + 1);
        load_component(LANES_OF(t, w_before[k]), &t->last.w->x + k, VEC3, elements);
    }
    for (int k = 0; k < 4; k++) {
        load_component(LANES_OF(t, q[k]), &t->now.q->w + k, QUAT, elements);
        if (has_history) load_component(LANES_OF(t, q_before[k]), &t->last.q->w + k, QUAT, elements);
    }
}

static void store_now(const team *t) {
    size_t elements = t->element_count;
    for (int k = 0; k < 3; k++) {
        store_component(t, LANES_OF(t, x[k]), &t->now.x->x + k, VEC3, elements + 1);
        store_component(t, LANES_OF(t, v[k]), &t->now.v->x + k, VEC3, elements + 1);
        store_component(t, LANES_OF(t, w[k]), &t->now.w->x + k, VEC3, elements);
    }
    for (int k = 0; k < 4; k++) store_component(t, LANES_OF(t, q[k]), &t->now.q->w + k, QUAT, elements);
}

static void store_last(const team *t) {
    size_t elements = t->element_count;
    for (int k = 0; k < 3; k++) {
        store_component(t, LANES_OF(t, x_before[k]), &t->last.x->x + k, VEC3, elements + 1);
        store_component(t, LANES_OF(t, v_before[k]), &t->last.v->x + k, VEC3, elements + 1);
        store_component(t, LANES_OF(t, w_before[k]), &t->last.w->x + k, VEC3, elements);
    }
    for (int k = 0; k < 4; k++) store_component(t, LANES_OF(t, q_before[k]), &t->last.q->w + k, QUAT, elements);
}

static void exchange(double **a, double **b, int count) {
    for (int k = 0; k < count; k++) {
        double *old = a[k];
        a[k] = b[k];
        b[k] = old;
    }
}

// Candidates go where the history was, which is in the near caches.
static void exchange_history(const team *t) {
    for (size_t lane = 0; lane < t->count; lane++) {
        cdg_rod *rod = t->strands[lane].rod;
        exchange(rod->x_before, rod->x_next, 3);
        exchange(rod->v_before, rod->v_next, 3);
        exchange(rod->w_before, rod->w_next, 3);
        exchange(rod->q_before, rod->q_next, 4);
    }
}

// From t->now to slots; where time extrapolates to is kept in x_hat and q_hat. False: a frame turns too fast.
static bool start_in_lanes(const team *t, pobd_scheme scheme) {
    predict_nodes_in_lanes(t, scheme);
    hold_nodes(t);
    if (!predict_frames_in_lanes(t, scheme)) return false;
    fill_rest(t);
    return true;
}

static bool step_in_lanes(team *t, pobd_scheme scheme, int iterations, fetch *f) {
    t->x_hat = t->last.x, t->q_hat = t->last.q; // in place: what was there is not needed beyond
    if (!start_in_lanes(t, scheme)) return false;
    start_ends(t);
    for (int iteration = 0; iteration < iterations; iteration++) iterate(t, f);
    bool nodes = finish_nodes_in_lanes(t, scheme), frames = finish_frames(t, scheme, true);
    lane_state newest = t->last;
    t->last = t->now;
    t->now = newest;
    return nodes && frames;
}

bool SIMD_NAME(pobd_advance_strands)(pobd_strand *strands, size_t count, pobd_scheme scheme, int iterations,
                                     uint64_t steps, bool is_final, const cdg_soon *soon, void *scratch,
                                     uint64_t *taken) {
    char *next = scratch;
    team t;
    bool has_history = strands[0].rod->x_before[0] != NULL, exchanges = has_history && is_final;
    *taken = 0;
    start_team(&t, strands, count, scheme, &next);
    simd_vec3 *x_hat = t.x_hat;
    simd_quat *q_hat = t.q_hat;
    take_state(&t.now, blocked(t.element_count), &next);
    take_state(&t.last, blocked(t.element_count), &next);
    load_states(&t, has_history);
    fetch f;
    fetch_begin(&f, exchanges ? NULL : &t, soon, (size_t)(steps + 1) * (size_t)iterations * blocks_of(t.element_count),
                false);
    for (uint64_t step = 0; step < steps; step++)
        if (!step_in_lanes(&t, scheme, iterations, &f)) return false;
    *taken = steps;
    store_now(&t);
    if (exchanges) exchange_history(&t);
    if (has_history && !exchanges) store_last(&t);
    t.x_hat = x_hat, t.q_hat = q_hat; // t.last may be needed
    bool is_good = start_in_lanes(&t, scheme);
    if (is_good) start_ends(&t);
    is_good = is_good && finish_candidates(&t, scheme, iterations, &f);
    if (!is_good && exchanges) store_last(&t);
    return is_good;
}
