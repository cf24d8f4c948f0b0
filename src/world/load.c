// Loads: their factor in time and its mean over a step, and the forces on nodes and torques on elements that they and
// gravity make.
#include "math/quat.h"
#include "world/wind_field.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

bool cdg_load_acts_at_place(cdg_load_kind kind) { return kind == CDG_LOAD_FORCE || kind == CDG_LOAD_MOMENT; }

bool cdg_load_may_follow(cdg_load_kind kind) { return kind != CDG_LOAD_WIND && kind != CDG_LOAD_DRAG; }

cdg_load_def cdg_load_def_default(void) {
    // Air at 15 degrees C, and a long cylinder across it at moderate Reynolds number.
    return (cdg_load_def){.kind = CDG_LOAD_FORCE, .fluid_density = 1.225, .drag_coefficient = 1.2};
}

bool cdg_load_own_arrays(cdg_load_def *def) {
    size_t frames = def->keyframe_count * sizeof *def->keyframes, turns = def->vortex_count * sizeof *def->vortices;
    cdg_keyframe *keyframes = frames > 0 ? malloc(frames) : NULL;
    cdg_vortex *vortices = turns > 0 ? malloc(turns) : NULL;
    if ((frames > 0 && keyframes == NULL) || (turns > 0 && vortices == NULL)) {
        free(keyframes);
        free(vortices);
        return false;
    }
    if (frames > 0) memcpy(keyframes, def->keyframes, frames);
    if (turns > 0) memcpy(vortices, def->vortices, turns);
    def->keyframes = keyframes;
    def->vortices = vortices;
    return true;
}

void cdg_load_free_arrays(cdg_load_def *def) {
    free((void *)(uintptr_t)def->keyframes);
    free((void *)(uintptr_t)def->vortices);
    def->keyframes = NULL;
    def->vortices = NULL;
}

// ---- factor in time -------------------------------------------------------------------------------------------------

static bool is_active(const cdg_load_def *load, double time) {
    return time >= load->from && (load->to <= load->from || time < load->to);
}

// Linear between keyframes, whose times increase; constant outside.
static double keyframe_factor(const cdg_keyframe *keyframes, size_t count, double time) {
    if (time < keyframes[0].time) return keyframes[0].factor;
    size_t low = 0, high = count; // keyframes[low].time <= time < keyframes[high].time
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (keyframes[middle].time <= time)
            low = middle;
        else
            high = middle;
    }
    const cdg_keyframe *a = &keyframes[low];
    if (high == count) return a->factor;
    const cdg_keyframe *b = &keyframes[high];
    return a->factor + (b->factor - a->factor) * ((time - a->time) / (b->time - a->time));
}

double cdg_load_factor(const cdg_load_def *load, double time) {
    if (!is_active(load, time)) return 0;
    double factor = 1;
    if (load->ramp > 0 && time - load->from < load->ramp) factor = (time - load->from) / load->ramp;
    if (load->keyframe_count > 0) factor *= keyframe_factor(load->keyframes, load->keyframe_count, time);
    return factor;
}

// ---- mean over a step -----------------------------------------------------------------------------------------------

// Gauss' rule of two points: exact for cubics, and the factor, a ramp times a line between keyframes, is a parabola.
enum { SAMPLES = 2 };
static const double sample_share[SAMPLES] = {0.21132486540518712, 0.78867513459481288}; // (1 -+ 1/sqrt 3)/2

static void take_earlier(double candidate, double after, double *earliest) {
    if (candidate > after && candidate < *earliest) *earliest = candidate;
}

// The first instant after `after` and not after `end` at which the factor jumps or bends.
static double next_bend(const cdg_load_def *load, double after, double end) {
    double bend = end;
    take_earlier(load->from, after, &bend);
    if (load->to > load->from) take_earlier(load->to, after, &bend);
    if (load->ramp > 0) take_earlier(load->from + load->ramp, after, &bend);
    size_t low = 0, high = load->keyframe_count; // keyframes before low are not after `after`, those from high on are
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (load->keyframes[middle].time <= after)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < load->keyframe_count) take_earlier(load->keyframes[low].time, after, &bend);
    return bend;
}

double cdg_load_mean_factor(const cdg_load_def *load, double from, double to) {
    if (!(to > from)) return cdg_load_factor(load, to);
    double sum = 0;
    for (double time = from, next; time < to; time = next) {
        next = next_bend(load, time, to);
        double share = (next - time) / (to - from) / SAMPLES;
        for (int k = 0; k < SAMPLES; k++) sum += share * cdg_load_factor(load, time + sample_share[k] * (next - time));
    }
    return sum;
}

// Integrators that remember the step before (BDF2, generalised alpha) are second order with the load at the end of the
// step, and take in one and a half times what is new in it, half of which the step after gives back. Means that are
// extrapolated to the end give them both: the value of a load that changes slowly, and the impulse of any.
static double extrapolation(const cdg_rod *rod, double step) {
    if (!rod->has_history || rod->history_step != step || rod->model->weld_scheme == NULL) return 0;
    cdg_weld_scheme scheme;
    rod->model->weld_scheme(rod, step, &scheme);
    return scheme.force.alpha != 0 || scheme.force.beta != 0 ? 0.5 : 0;
}

// What the load counts with in the step that ends at `time`; at an instant (a step of 0): its factor then.
static double factor_over(const cdg_load_def *load, const cdg_rod *rod, double time, double step, bool extrapolates) {
    if (!(step > 0)) return cdg_load_factor(load, time);
    double begin = time - step, mean = cdg_load_mean_factor(load, begin, time);
    if (!rod->has_history || !extrapolates) return mean;
    double before = cdg_load_mean_factor(load, begin - step, begin);
    return mean == before ? mean : mean + extrapolation(rod, step) * (mean - before);
}

// ---- places ---------------------------------------------------------------------------------------------------------

static void add_vec3(double *const a[3], size_t i, cdg_vec3 v) {
    a[0][i] += v.x;
    a[1][i] += v.y;
    a[2][i] += v.z;
}

// Orientation of the section at a node: halfway between the frames beside it; at an open end the end element's.
static cdg_quat node_frame(const cdg_rod *rod, size_t node) {
    size_t left = rod_left_element(rod, node), right = rod_right_element(rod, node);
    if (left == SIZE_MAX) return rod_quat(rod->q, right);
    if (right == SIZE_MAX) return rod_quat(rod->q, left);
    cdg_quat a = rod_quat(rod->q, left), b = rod_quat(rod->q, right);
    if (quat_dot(a, b) < 0) b = quat_negate(b);
    return quat_normalize(quat(a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z));
}

// Direction of the rod at a node, along the chord of its neighbours; zero where the rod folds back onto itself.
static cdg_vec3 node_tangent(const cdg_rod *rod, size_t node) {
    size_t left = rod_left_element(rod, node), right = rod_right_element(rod, node);
    size_t before = left == SIZE_MAX ? node : left; // element j starts at node j
    size_t after = right == SIZE_MAX ? node : rod_next_node(rod, right);
    return vec3_normalize(vec3_sub(rod_vec3(rod->x, after), rod_vec3(rod->x, before)));
}

// ---- each kind ------------------------------------------------------------------------------------------------------

static void apply_force(const cdg_rod *rod, const cdg_load_def *load, double factor, const cdg_rod_loads *out) {
    cdg_vec3 force = vec3_scale(factor, load->value);
    cdg_place place = rod_present_place(rod, load->place);
    size_t index = place.index;
    if (place.kind == CDG_PLACE_NODE) {
        if (load->follows) force = quat_rotate(node_frame(rod, index), force);
        add_vec3(out->force, index, force);
    } else {
        if (load->follows) force = quat_rotate(rod_quat(rod->q, index), force);
        force = vec3_scale(0.5, force);
        add_vec3(out->force, index, force);
        add_vec3(out->force, rod_next_node(rod, index), force);
    }
}

static void apply_moment(const cdg_rod *rod, const cdg_load_def *load, double factor, const cdg_rod_loads *out) {
    cdg_vec3 moment = vec3_scale(factor, load->value);
    cdg_place place = rod_present_place(rod, load->place);
    size_t left, right = place.index; // elements that share the moment
    if (place.kind == CDG_PLACE_NODE) {
        if (load->follows) moment = quat_rotate(node_frame(rod, place.index), moment);
        left = rod_left_element(rod, place.index);
        right = rod_right_element(rod, place.index);
        if (left == SIZE_MAX) left = right;
        if (right == SIZE_MAX) right = left;
    } else {
        if (load->follows) moment = quat_rotate(rod_quat(rod->q, right), moment);
        left = right;
    }
    moment = vec3_scale(0.5, moment);
    add_vec3(out->torque, left, quat_rotate_inverse(rod_quat(rod->q, left), moment));
    add_vec3(out->torque, right, quat_rotate_inverse(rod_quat(rod->q, right), moment));
}

static void apply_line(const cdg_rod *rod, const cdg_load_def *load, double factor, const cdg_rod_loads *out) {
    for (size_t i = 0; i < rod->node_count; i++) {
        cdg_vec3 force = vec3_scale(factor * rod_cell_length(rod, i), load->value);
        add_vec3(out->force, i, load->follows ? quat_rotate(node_frame(rod, i), force) : force);
    }
}

static void apply_line_moment(const cdg_rod *rod, const cdg_load_def *load, double factor, const cdg_rod_loads *out) {
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_vec3 moment = vec3_scale(factor * rod->rest_length[j], load->value);
        add_vec3(out->torque, j, load->follows ? moment : quat_rotate_inverse(rod_quat(rod->q, j), moment));
    }
}

// The loads on a rod: first those on this rod alone, then those on every rod. Starts with CDG_NO_INDEX, ends with it.
static uint32_t next_load(const cdg_world *world, uint32_t rod_index, uint32_t current) {
    bool is_first = current == CDG_NO_INDEX;
    uint32_t next = is_first ? world->rods[rod_index].first_load : world->loads[current].next;
    bool was_own = is_first || world->loads[current].def.place.rod.index1 != 0;
    return next == CDG_NO_INDEX && was_own ? world->first_load_of_every : next;
}

// All winds together, node by node. A wind of air velocity a pulls with c u, u the part of a - v normal to the rod and
// c = 1/2 rho Cd (2 radius) length |u|. Taken at the old velocity alone this overshoots as soon as c h > 2 m, so v is
// replaced by its value after an implicit step under these forces with c kept: the sum of c u is divided by
// 1 + h (sum of c)/m. One sum for all winds, because several that are harmless alone overshoot together.
//
// What acts on one node, summed over winds and over the instants of the step that stand for it.
typedef struct wind_sum {
    cdg_vec3 position, tangent, velocity; // of the node
    double half_size;                     // m^2: radius times length
    cdg_vec3 force;                       // N
    double drag;                          // kg/s: sum of c
} wind_sum;

static void add_wind(const cdg_load_def *load, double time, double share, wind_sum *sum) {
    if (!is_active(load, time)) return;
    cdg_vec3 air = vec3_scale(cdg_load_factor(load, time), cdg_wind_velocity(load, sum->position, time));
    cdg_vec3 u = vec3_sub(air, sum->velocity);
    u = vec3_mad(u, -vec3_dot(u, sum->tangent), sum->tangent);
    double c = share * load->fluid_density * load->drag_coefficient * sum->half_size * vec3_norm(u);
    sum->force = vec3_mad(sum->force, c, u);
    sum->drag += c;
}

// A wind that neither begins, ends nor changes in the step is looked at once.
static void add_wind_over(const cdg_load_def *load, double time, double step, wind_sum *sum) {
    double begin = time - step, middle = time - step / 2;
    bool is_steady = !cdg_wind_moves(load) && next_bend(load, begin, time) >= time &&
                     cdg_load_factor(load, begin + sample_share[0] * step) == cdg_load_factor(load, middle);
    if (!(step > 0) || is_steady) {
        add_wind(load, step > 0 ? middle : time, 1, sum);
        return;
    }
    for (double at = begin, next; at < time; at = next) {
        next = next_bend(load, at, time);
        for (int k = 0; k < SAMPLES; k++)
            add_wind(load, at + sample_share[k] * (next - at), (next - at) / step / SAMPLES, sum);
    }
}

static void apply_winds(const cdg_world *world, uint32_t rod_index, double time, double step,
                        const cdg_rod_loads *out) {
    const cdg_rod *rod = world->rods[rod_index].rod;
    for (size_t i = 0; i < rod->node_count; i++) {
        wind_sum sum = {.position = rod_vec3(rod->x, i),
                        .tangent = node_tangent(rod, i),
                        .velocity = rod_vec3(rod->v, i),
                        .half_size = rod->radius[i * rod->section_stride] * rod_cell_length(rod, i)};
        for (uint32_t k = next_load(world, rod_index, CDG_NO_INDEX); k != CDG_NO_INDEX;
             k = next_load(world, rod_index, k))
            if (world->loads[k].def.kind == CDG_LOAD_WIND) add_wind_over(&world->loads[k].def, time, step, &sum);
        add_vec3(out->force, i, vec3_scale(1 / (1 + step * sum.drag / rod->node_mass[i]), sum.force));
    }
}

// What the caller's program adds, node by node and element by element.
static void apply_own(const cdg_rod *rod, const cdg_vec3 *now, double step, const cdg_rod_loads *out) {
    size_t nodes = rod->node_count, count = nodes + rod->element_count;
    const cdg_vec3 *before = now + count;
    double more = step > 0 ? extrapolation(rod, step) : 0;
    for (size_t i = 0; i < nodes; i++) add_vec3(out->force, i, vec3_mad(now[i], more, vec3_sub(now[i], before[i])));
    for (size_t k = nodes; k < count; k++) {
        cdg_vec3 torque = vec3_mad(now[k], more, vec3_sub(now[k], before[k]));
        add_vec3(out->torque, k - nodes, quat_rotate_inverse(rod_quat(rod->q, k - nodes), torque));
    }
}

bool cdg_loads_are_weight_only(const cdg_world *world, uint32_t rod_index) {
    const world_rod *rod = &world->rods[rod_index];
    return rod->first_load == CDG_NO_INDEX && world->first_load_of_every == CDG_NO_INDEX && rod->own_forces == NULL &&
           rod->grip_count == 0;
}

static void apply_all(const cdg_world *world, uint32_t rod_index, double time, double step, bool extrapolates,
                      const cdg_rod_loads *out) {
    cdg_rod *rod = world->rods[rod_index].rod;
    const double gravity[3] = {world->def.gravity.x, world->def.gravity.y, world->def.gravity.z};
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < rod->node_count; i++) out->force[k][i] = rod->node_mass[i] * gravity[k];
        memset(out->torque[k], 0, rod->element_count * sizeof(double));
    }
    rod->drag_rate = 0;
    bool has_wind = false;
    for (uint32_t i = next_load(world, rod_index, CDG_NO_INDEX); i != CDG_NO_INDEX;
         i = next_load(world, rod_index, i)) {
        const cdg_load_def *load = &world->loads[i].def;
        if (load->kind == CDG_LOAD_WIND) {
            has_wind = true;
            continue;
        }
        // no integrator remembers a rate
        double factor = load->kind == CDG_LOAD_DRAG ? cdg_load_mean_factor(load, time - step, time)
                                                    : factor_over(load, rod, time, step, extrapolates);
        if (factor == 0) continue;
        switch (load->kind) {
        case CDG_LOAD_FORCE: apply_force(rod, load, factor, out); break;
        case CDG_LOAD_MOMENT: apply_moment(rod, load, factor, out); break;
        case CDG_LOAD_LINE: apply_line(rod, load, factor, out); break;
        case CDG_LOAD_LINE_MOMENT: apply_line_moment(rod, load, factor, out); break;
        case CDG_LOAD_DRAG: rod->drag_rate += factor * load->drag_rate; break;
        case CDG_LOAD_WIND: break;
        case CDG_LOAD_KIND_COUNT: break;
        }
    }
    if (has_wind) apply_winds(world, rod_index, time, step, out);
    if (world->rods[rod_index].own_forces != NULL) apply_own(rod, world->rods[rod_index].own_forces, step, out);
    if (world->rods[rod_index].grip_count > 0) cdg_grips_apply(world, rod_index, step, out);
}

void cdg_loads_keep(const cdg_world *world, uint32_t rod_index) {
    const world_rod *entry = &world->rods[rod_index];
    size_t count = entry->rod->node_count + entry->rod->element_count;
    if (entry->own_forces != NULL)
        memcpy(entry->own_forces + count, entry->own_forces, count * sizeof *entry->own_forces);
}

void cdg_loads_apply(const cdg_world *world, uint32_t rod_index, double time, double step, const cdg_rod_loads *out) {
    apply_all(world, rod_index, time, step, true, out);
}

bool cdg_loads_apply_means(const cdg_world *world, uint32_t rod_index, double time, double step,
                           const cdg_rod_loads *out) {
    const cdg_rod *rod = world->rods[rod_index].rod;
    bool differ = false;
    for (uint32_t i = next_load(world, rod_index, CDG_NO_INDEX); i != CDG_NO_INDEX && !differ;
         i = next_load(world, rod_index, i)) {
        const cdg_load_def *load = &world->loads[i].def;
        if (load->kind == CDG_LOAD_WIND || load->kind == CDG_LOAD_DRAG || !rod->has_history) continue;
        differ = factor_over(load, rod, time, step, true) != factor_over(load, rod, time, step, false);
    }
    if (differ) apply_all(world, rod_index, time, step, false, out);
    return differ;
}

// How far an element's frame turns in the step, material axes. Frames do not tell whole turns; fast spins do.
cdg_vec3 cdg_loads_turn(const cdg_rod *rod, size_t element, double step) {
    if (step * vec3_norm(rod_vec3(rod->w, element)) > 2)
        return vec3_scale(step, vec3_lerp(rod_vec3(rod->w, element), rod_vec3(rod->w_next, element), 0.5));
    return quat_log(quat_relative(rod_quat(rod->q, element), rod_quat(rod->q_next, element)));
}

double cdg_loads_work(const cdg_world *world, uint32_t rod_index, double step, const cdg_rod_loads *loads) {
    const cdg_rod *rod = world->rods[rod_index].rod;
    double work = 0;
    if (cdg_loads_are_weight_only(world, rod_index)) return 0;
    for (size_t i = 0; i < rod->node_count; i++) {
        cdg_vec3 force = vec3_mad(rod_vec3(loads->force, i), -rod->node_mass[i], world->def.gravity);
        work += vec3_dot(force, vec3_sub(rod_vec3(rod->x_next, i), rod_vec3(rod->x, i)));
    }
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_vec3 torque = rod_vec3(loads->torque, j);
        if (torque.x == 0 && torque.y == 0 && torque.z == 0) continue; // most elements carry none
        work += vec3_dot(torque, cdg_loads_turn(rod, j, step));
    }
    return work;
}

// ---- removing -------------------------------------------------------------------------------------------------------

static void free_load(cdg_world *world, uint32_t index) {
    cdg_load_free_arrays(&world->loads[index].def);
    world->loads[index] = (world_load){.def = cdg_load_def_default(), .is_removed = true, .next = CDG_NO_INDEX};
    cdg_handles_remove(&world->handles[WORLD_LOADS], index);
}

void cdg_loads_remove(cdg_world *world, uint32_t index) {
    const world_load *load = &world->loads[index];
    uint32_t rod1 = load->def.place.rod.index1;
    world_rod *rod = rod1 != 0 ? &world->rods[rod1 - 1] : NULL;
    uint32_t *link = rod != NULL ? &rod->first_load : &world->first_load_of_every, before = CDG_NO_INDEX;
    uint32_t *last = rod != NULL ? &rod->last_load : &world->last_load_of_every;
    while (*link != index) before = *link, link = &world->loads[*link].next;
    *link = load->next;
    if (*last == index) *last = before;
    free_load(world, index);
}

void cdg_loads_leave_rod(cdg_world *world, uint32_t rod_index) {
    world_rod *rod = &world->rods[rod_index];
    for (uint32_t i = rod->first_load, next; i != CDG_NO_INDEX; i = next) {
        next = world->loads[i].next;
        free_load(world, i);
    }
    rod->first_load = rod->last_load = CDG_NO_INDEX;
}
