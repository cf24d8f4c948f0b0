#include "solids/volume_floor.h"

#include "base/processor.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#define CHOOSE(name, ...)                                                                                              \
    (cdg_processor_lanes() == CDG_LANES_AVX512 ? name##_avx512(__VA_ARGS__)                                            \
     : cdg_processor_lanes() == CDG_LANES_AVX2 ? name##_avx2(__VA_ARGS__)                                              \
                                               : name##_base(__VA_ARGS__))
#else
#define CHOOSE(name, ...) name##_base(__VA_ARGS__)
#endif

double cdg_volume_floor_room(const cdg_solid *solid, double *const x[3], double share) {
    return CHOOSE(cdg_volume_floor_room, solid, x, share);
}
void cdg_volume_floor_look(const cdg_solid *solid, double *const base[3], double *const x[3], double share,
                           bool out[2]) {
    CHOOSE(cdg_volume_floor_look, solid, base, x, share, out);
}

// Volumes, of the floor's: nothing above the first is touched. A tetrahedron that begins below it may not shrink, but
// for what the sweeps leave over, and comes back by a share of what is missing in the time of the longest stable
// sub-step: a push that made it grow at once would be a bounce.
static const double begins = 1.2, left_over = 0.02, comes_back = 0.2, too_much = 0.1;
// It may always lose this share of its volume above the floor: many short steps never use that up.
static const double creeps = 0.05;
// Contact and volumes may overcorrect each other by turns: from this call of a sub-step on, impulses are damped.
enum { CALLS_FREE = 6 };
static const double damped = 0.5;
// Times the impulse that the volume's slope at the base asks for, and the least share of that slope that is left at the
// end: one that needs more is pushed askew, and waits for a shorter step.
static const double farthest = 3, askew = 0.2;
// Sweeps of a call, in rounds after which all volumes are looked at; sub-steps between looks that were in vain.
enum { SWEEPS_MAX = 60, ROUNDS_MAX = 12, PATIENCE = 16 };

// ---- memory ---------------------------------------------------------------------------------------------------------

bool cdg_volume_floor_build(cdg_solid *s, double share) {
    cdg_volume_floor *f = s->floor = calloc(1, sizeof *f);
    if (f == NULL) return false;
    size_t n = s->node_count;
    double *block = calloc(9 * n + s->slot_count, sizeof *block);
    f->blocked = calloc(n, sizeof *f->blocked);
    f->list = malloc(s->tetrahedron_count * sizeof *f->list);
    f->is_listed = calloc(s->slot_count, sizeof *f->is_listed);
    for (int k = 0; k < 3 && block != NULL; k++) {
        f->seen[k] = block + (size_t)k * n;
        f->base[k] = block + (size_t)(3 + k) * n;
        f->shift[k] = block + (size_t)(6 + k) * n;
    }
    if (block != NULL) f->impulse = block + 9 * n;
    f->share = share;
    f->room = -1;
    f->has_served = true;
    return block != NULL && f->blocked != NULL && f->list != NULL && f->is_listed != NULL;
}

void cdg_volume_floor_free(cdg_solid *s) {
    if (s->floor == NULL) return;
    free(s->floor->seen[0]);
    free(s->floor->blocked);
    free(s->floor->list);
    free(s->floor->is_listed);
    free(s->floor);
    s->floor = NULL;
}

// ---- whether any volume can be near the floor -----------------------------------------------------------------------

// m: how far nodes are from where they were seen, apart from the motion of the first.
static double gone(const cdg_solid *s, double *const x[3]) {
    const cdg_volume_floor *f = s->floor;
    double most = 0, shift[3];
    for (int k = 0; k < 3; k++) shift[k] = x[k][0] - f->seen[k][0];
    for (size_t i = 0; i < s->node_count; i++) {
        double a = x[0][i] - f->seen[0][i] - shift[0], b = x[1][i] - f->seen[1][i] - shift[1],
               c = x[2][i] - f->seen[2][i] - shift[2], square = a * a + b * b + c * c;
        most = square > most ? square : most;
    }
    return sqrt(most);
}

static void forget_impulses(cdg_volume_floor *f, size_t slot_count) {
    if (f->has_acted) memset(f->impulse, 0, slot_count * sizeof *f->impulse);
    f->has_acted = false;
    f->calls = 0;
}

void cdg_volume_floor_begin(cdg_solid *s) {
    cdg_volume_floor *f = s->floor;
    f->is_short = false;
    forget_impulses(f, s->slot_count);
    if (f->room > 0 && gone(s, s->x) < 0.7 * f->room) return;
    f->room = -1;
    if (!f->has_served && f->patience-- > 0) return;
    f->patience = PATIENCE;
    f->has_served = false;
    for (int k = 0; k < 3; k++) memcpy(f->seen[k], s->x[k], s->node_count * sizeof(double));
    f->room = cdg_volume_floor_room(s, s->x, begins * f->share);
}

bool cdg_volume_floor_is_near(const cdg_solid *s) {
    cdg_volume_floor *f = s->floor;
    if (f->room > 0 && gone(s, s->x_next) < f->room) {
        f->has_served = true;
        return false;
    }
    return true;
}

void cdg_volume_floor_find_base(cdg_solid *s, double h) {
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < s->node_count; i++) s->floor->base[k][i] = s->x_next[k][i] - h * s->v_next[k][i];
}

// ---- a tetrahedron --------------------------------------------------------------------------------------------------

typedef struct edges3 {
    cdg_vec3 e[3]; // from corner 0
} edges3;

static edges3 edges_of(const cdg_solid *s, double *const x[3], size_t slot) {
    cdg_vec3 origin = solid_vec3(x, s->corner[0][slot]);
    edges3 out;
    for (int j = 0; j < 3; j++) out.e[j] = vec3_sub(solid_vec3(x, s->corner[j + 1][slot]), origin);
    return out;
}

// Of 6 volumes, by the edges.
static edges3 slopes_of(const edges3 *a) {
    return (edges3){{vec3_cross(a->e[1], a->e[2]), vec3_cross(a->e[2], a->e[0]), vec3_cross(a->e[0], a->e[1])}};
}
static double dot_of(const edges3 *a, const edges3 *b) {
    return vec3_dot(a->e[0], b->e[0]) + vec3_dot(a->e[1], b->e[1]) + vec3_dot(a->e[2], b->e[2]);
}

typedef struct cubic {
    double c[4];
} cubic;

// Volume of edges a + t b.
static cubic volume_along(const edges3 *a, const edges3 *b) {
    edges3 of_a = slopes_of(a), of_b = slopes_of(b);
    return (cubic){{vec3_dot(a->e[0], of_a.e[0]) / 6, dot_of(&of_a, b) / 6, dot_of(&of_b, a) / 6,
                    vec3_dot(b->e[0], of_b.e[0]) / 6}};
}
static double at(const cubic *p, double t) { return p->c[0] + t * (p->c[1] + t * (p->c[2] + t * p->c[3])); }
static double slope_at(const cubic *p, double t) { return p->c[1] + t * (2 * p->c[2] + 3 * t * p->c[3]); }

// Whether it is flat or inside out anywhere from 0 to 1.
static bool is_ever_flat(const cubic *p) {
    double a = 3 * p->c[3], b = p->c[2], c = p->c[1], root = b * b - a * c;
    if (!(at(p, 1) > 0)) return true;
    if (!(root > 0)) return false;
    double q = -(b + copysign(sqrt(root), b)), t[2] = {a != 0 ? q / a : 2, q != 0 ? c / q : 2};
    for (int k = 0; k < 2; k++)
        if (t[k] > 0 && t[k] < 1 && !(at(p, t[k]) > 0)) return true;
    return false;
}

// ---- what is at work ------------------------------------------------------------------------------------------------

static double base_volume(const cdg_solid *s, size_t slot) {
    edges3 from = edges_of(s, s->floor->base, slot), slopes = slopes_of(&from);
    return vec3_dot(from.e[0], slopes.e[0]) / 6;
}

static volume_floor_entry entry_of(const cdg_solid *s, size_t slot) {
    const cdg_volume_floor *f = s->floor;
    double least = f->share * s->volume[slot], begin = begins * least, before = base_volume(s, slot);
    double time = fmin(1, f->step / cdg_solid_stable_step(s));
    double target = before < begin ? before + time * comes_back * (begin - before) : begin;
    double enough = target - fmax(time * left_over * least, creeps * (before - least));
    // What began below is on its way back, and cannot be there at once.
    if (before > least) enough = fmax(enough, least * (1 + 1e-9));
    return (volume_floor_entry){.slot = (uint32_t)slot,
                                .target = target,
                                .least = enough,
                                .most = target + too_much * least,
                                .before = f->impulse[slot]};
}

// Too small, or held up by an impulse that is larger than it need be.
static bool is_off_by(const volume_floor_entry *entry, double volume, double impulse) {
    return !(volume >= entry->least) || (impulse > 0 && volume > entry->most);
}

// Adds what is off, or has an impulse, to the list. Returns whether any of that is off.
static bool list_low(cdg_solid *s) {
    cdg_volume_floor *f = s->floor;
    bool is_any = false;
    for (size_t slot = 0; slot < s->tetrahedron_count; slot++) {
        bool is_low = s->slot_volume[slot] < begins * f->share * s->volume[slot];
        if (f->is_listed[slot] || !(is_low || f->impulse[slot] > 0)) continue;
        volume_floor_entry entry = entry_of(s, slot);
        bool is_off = is_off_by(&entry, s->slot_volume[slot], f->impulse[slot]);
        if (!is_off && f->impulse[slot] == 0) continue;
        if (!(base_volume(s, slot) > 0)) continue; // it began inside out
        f->is_listed[slot] = true;
        f->list[f->count++] = entry;
        is_any = is_any || is_off;
    }
    return is_any;
}

static void fall_short(cdg_volume_floor *f, size_t slot, bool turns_over) {
    if (f->is_short) return;
    f->is_short = true, f->turns_over = turns_over, f->worst = slot;
}

// Tetrahedra that end well but would be flat on the way.
static void find_turned(cdg_solid *s, double *const x[3]) {
    for (size_t slot = 0; slot < s->tetrahedron_count; slot++) {
        edges3 from = edges_of(s, s->floor->base, slot), to = edges_of(s, x, slot), way;
        for (int j = 0; j < 3; j++) way.e[j] = vec3_sub(to.e[j], from.e[j]);
        cubic volume = volume_along(&from, &way);
        if (volume.c[0] > 0 && at(&volume, 1) > 0 && is_ever_flat(&volume)) fall_short(s->floor, slot, true);
    }
}

// ---- sweeps ---------------------------------------------------------------------------------------------------------

// How a tetrahedron's corners go by its impulse, the first without and the second with what contact keeps them from.
static void ways_of(const cdg_solid *s, size_t slot, double h, cdg_vec3 force[4], cdg_vec3 way[4]) {
    const cdg_volume_floor *f = s->floor;
    edges3 from = edges_of(s, f->base, slot), slopes = slopes_of(&from);
    force[0] = vec3(0, 0, 0);
    for (int j = 0; j < 3; j++) {
        force[j + 1] = vec3_scale(1.0 / 6, slopes.e[j]);
        force[0] = vec3_sub(force[0], force[j + 1]);
    }
    for (int c = 0; c < 4; c++) {
        uint32_t node = s->corner[c][slot];
        cdg_vec3 block = f->blocked[node];
        double give = s->is_held[node] ? 0 : h * h / s->mass[node];
        way[c] = vec3_scale(give, vec3_mad(force[c], -vec3_dot(block, force[c]), block));
    }
}

// Where the volume first comes to `target`, from where it is: by Newton's method within brackets.
static double solve(const cubic *p, double target, double size) {
    double low = 0, high = 0, t = 0;
    bool grows = at(p, 0) < target;
    double step = grows ? size : -size;
    for (int i = 0; i < 4; i++, step *= 2) {
        high += step;
        if ((at(p, high) >= target) == grows) break;
        low = high;
    }
    t = low;
    for (int i = 0; i < 40; i++) {
        double off = at(p, t) - target, slope = slope_at(p, t), next = slope != 0 ? t - off / slope : HUGE_VAL;
        if ((off < 0) == grows)
            low = t;
        else
            high = t;
        if (!((next - low) * (next - high) < 0)) next = 0.5 * (low + high);
        if (fabs(next - t) <= 1e-12 * fabs(next)) return next;
        t = next;
    }
    return t;
}

// One tetrahedron of the list, in the positions y. Returns whether its volume would not do.
static bool visit(cdg_solid *s, const volume_floor_entry *entry, double h, double *const y[3]) {
    cdg_volume_floor *f = s->floor;
    edges3 now = edges_of(s, y, entry->slot), ahead;
    edges3 slopes = slopes_of(&now);
    double volume = vec3_dot(now.e[0], slopes.e[0]) / 6, *impulse = &f->impulse[entry->slot];
    bool is_off = is_off_by(entry, volume, *impulse);
    if (*impulse == 0 && !is_off) return false;
    cdg_vec3 force[4], way[4];
    ways_of(s, entry->slot, h, force, way);
    double along = 0;
    for (int c = 0; c < 4; c++) along += vec3_dot(force[c], way[c]);
    if (!(along > 0)) return is_off; // nothing can give way
    for (int j = 0; j < 3; j++) ahead.e[j] = vec3_sub(way[j + 1], way[0]);
    cubic p = volume_along(&now, &ahead);
    if (!(p.c[1] > askew * along)) return is_off;
    double guess = fabs(entry->target - volume) / along, more = solve(&p, entry->target, guess);
    more = fmax(-farthest * guess, fmin(farthest * guess, more));
    if (*impulse + more < 0) more = -*impulse;
    *impulse += more;
    for (int c = 0; c < 4; c++) {
        uint32_t node = s->corner[c][entry->slot];
        solid_set_vec3(y, node, vec3_mad(solid_vec3(y, node), more, way[c]));
    }
    return is_off;
}

// The forces of all impulses, as they have changed in this call, without what contact answers.
static void find_shift(cdg_solid *s, double h, double part) {
    cdg_volume_floor *f = s->floor;
    for (int k = 0; k < 3; k++) memset(f->shift[k], 0, s->node_count * sizeof(double));
    double share = f->calls > CALLS_FREE ? damped : 1;
    for (size_t i = 0; i < f->count; i++) {
        cdg_vec3 force[4], way[4];
        size_t slot = f->list[i].slot;
        double more = share * (f->impulse[slot] - f->list[i].before);
        if (more == 0) continue;
        f->impulse[slot] = f->list[i].before + more;
        ways_of(s, slot, h, force, way);
        for (int c = 0; c < 4; c++) {
            uint32_t node = s->corner[c][slot];
            double *const *to = s->is_held[node] ? s->reaction : f->shift;
            double scale = s->is_held[node] ? -part * more : more * h * h / s->mass[node];
            solid_set_vec3(to, node, vec3_mad(solid_vec3(to, node), scale, force[c]));
        }
    }
}

bool cdg_volume_floor_push(cdg_solid *s, double h, double part) {
    cdg_volume_floor *f = s->floor;
    bool seen[2];
    if (f->step != h) forget_impulses(f, s->slot_count);
    f->step = h, f->count = 0;
    cdg_volume_floor_look(s, f->base, s->x_next, begins * f->share, seen);
    if (seen[1]) find_turned(s, s->x_next);
    if (!seen[0] && !f->has_acted) return false;
    double *const *y = s->inner_force;
    bool is_low = list_low(s), is_any = is_low;
    for (int k = 0; k < 3 && is_any; k++) memcpy(y[k], s->x_next[k], s->node_count * sizeof(double));
    for (int round = 0; is_low && round < ROUNDS_MAX; round++) {
        bool is_open = true;
        for (int sweep = 0; sweep < SWEEPS_MAX && is_open; sweep++) {
            is_open = false;
            for (size_t i = 0; i < f->count; i++) is_open = visit(s, &f->list[i], h, y) || is_open;
        }
        cdg_volume_floor_look(s, f->base, y, begins * f->share, seen);
        is_low = list_low(s) || is_open;
    }
    for (size_t i = 0; i < f->count; i++) f->is_listed[f->list[i].slot] = false;
    if (!is_any) return false;
    f->has_acted = true;
    f->calls++;
    if (!f->is_short) f->worst = f->list[0].slot, f->turns_over = false;
    for (size_t i = 0; i < f->count; i++)
        if (s->slot_volume[f->list[i].slot] < f->list[i].least) fall_short(f, f->list[i].slot, false);
    find_shift(s, h, part);
    return true;
}

void cdg_volume_floor_hold(cdg_solid *s, double h, double part) {
    cdg_volume_floor *f = s->floor;
    if (!cdg_volume_floor_is_near(s)) return;
    f->room = -1; // the next sub-step begins where nobody has looked
    cdg_volume_floor_find_base(s, h);
    if (cdg_volume_floor_push(s, h, part)) cdg_volume_floor_shift(s, h);
}

void cdg_volume_floor_shift(cdg_solid *s, double h) {
    const cdg_volume_floor *f = s->floor;
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < s->node_count; i++) {
            s->x_next[k][i] += f->shift[k][i];
            s->v_next[k][i] += f->shift[k][i] / h;
        }
}
