// Grips: a hand's spring and damper, implicit in the step by means of mass alone.
//
// At the end of a step of length h the hand shall exert F = k (g - x1) - c v1. With x1 = x + h v1 this is k (g - x)
// minus a drag of (k h + c) v1. A drag at the end of the step is what mass that comes to rest before the step does: a
// node that is heavier by dm = h (k h + c), and feels -(k h + c) v beside k (g - x), moves exactly as if the spring
// were solved with it. Models and contact see nothing but a heavier node, which makes every scheme calmer, and no
// equation changes. A place between two nodes is held by both, each by its share; the masses are then more than enough.
//
// Models that take many short steps in one would feel -(k h + c) v of its beginning all the time, in and out of phase
// with vibrations that are shorter than the step, and gain energy. For them v is the mean over the last steps, which
// such vibrations are not in, and the mass is larger than it need be.
//
// The weight of the mass is taken off again; what it does to the energy when it comes and goes is work from outside.
// A body moves freely within a step, so its hand's force is solved for beforehand.
#include "base/error.h"
#include "math/quat.h"
#include "world/place.h"
#include "world/solid_grip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rate = 60;               // 1/s, of a chosen stiffness: k = m rate^2
static const double pull_limit = 500;        // m/s^2, of a chosen limit
static const double sampled_mass = 4;        // of models that divide steps, times what is needed
static const double sampling = 4;            // of the spring's rate: that of the mean velocity there
static const double share_of_others = 0.1;   // of the mass of what hangs on the gripped thing
static const double standard_gravity = 9.81; // m/s^2

// ---- what a hand feels ----------------------------------------------------------------------------------------------

typedef struct component {
    bool *rods, *bodies;
} component;

static bool mark(bool *flags, size_t index) {
    bool is_new = !flags[index];
    flags[index] = true;
    return is_new;
}

static bool spread_joint(const world_joint *joint, component *c) {
    bool is_reached = false, changes = false;
    for (size_t m = 0; m < joint->count; m++) is_reached = is_reached || c->rods[joint->members[m].rod];
    for (size_t m = 0; is_reached && m < joint->count; m++) changes = mark(c->rods, joint->members[m].rod) || changes;
    return changes;
}

static bool spread_weld(const cdg_world *world, const world_weld *weld, component *c) {
    size_t rod = weld->def.place.rod.index1 - 1;
    if (world->bodies[weld->body].def.is_fixed || (!c->rods[rod] && !c->bodies[weld->body])) return false;
    bool is_new_rod = mark(c->rods, rod), is_new_body = mark(c->bodies, weld->body);
    return is_new_rod || is_new_body;
}

// Mass of all that hangs together with what is marked.
static double component_mass(const cdg_world *world, component *c) {
    double mass = 0;
    for (bool changes = true; changes;) {
        changes = false;
        for (size_t i = 0; i < world->joint_count; i++) changes = spread_joint(&world->joints[i], c) || changes;
        for (size_t i = 0; i < world->weld_count; i++) changes = spread_weld(world, &world->welds[i], c) || changes;
    }
    for (size_t i = 0; i < world->rod_count; i++)
        if (c->rods[i] && world->rods[i].rod != NULL) mass += world->rods[i].rod->mass;
    for (size_t i = 0; i < world->body_count; i++)
        if (c->bodies[i]) mass += world->bodies[i].mass.mass;
    return mass;
}

static cdg_result felt_mass(cdg_world *world, const world_grip *grip, double *out) {
    component c = {calloc(world->rod_count + 1, sizeof(bool)), calloc(world->body_count + 1, sizeof(bool))};
    cdg_result result = CDG_OK;
    if (c.rods == NULL || c.bodies == NULL) {
        result = cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for a grip");
    } else {
        double own = grip->is_of_body      ? world->bodies[grip->object].mass.mass
                     : grip->solid != NULL ? cdg_solid_grip_mass(grip)
                                           : world->rods[grip->object].rod->mass;
        if (grip->solid == NULL) (grip->is_of_body ? c.bodies : c.rods)[grip->object] = true;
        *out = grip->solid != NULL ? own : own + share_of_others * (component_mass(world, &c) - own);
    }
    free(c.rods);
    free(c.bodies);
    return result;
}

static void choose(const cdg_world *world, world_grip *grip, double mass) {
    const cdg_grip_def *def = &grip->def;
    grip->mass = mass;
    grip->stiffness = def->stiffness > 0 ? def->stiffness : mass * rate * rate;
    grip->rate = sqrt(grip->stiffness / mass);
    grip->damping = def->damping > 0 ? def->damping : 2 * sqrt(grip->stiffness * mass);
    grip->force_limit = def->force_limit > 0 ? def->force_limit : pull_limit * mass;
    if (def->force_limit > 0 || grip->is_of_body) return;
    if (grip->solid != NULL) {
        double most = fmax(cdg_solid_grip_limit(grip), 3 * mass * standard_gravity);
        grip->force_limit = fmin(grip->force_limit, most);
        return;
    }
    const cdg_rod *rod = world->rods[grip->object].rod;
    double stretch = rod->stretch_stiffness[2][grip->element * rod->section_stride];
    grip->force_limit = fmin(grip->force_limit, fmax(stretch, 3 * mass * standard_gravity));
}

// ---- mass -----------------------------------------------------------------------------------------------------------

double cdg_grip_added_mass(const world_grip *grip) {
    double more = grip->is_sampled ? sampled_mass : 1;
    return more * grip->step * (grip->stiffness * grip->step + grip->damping);
}
static double added_mass(const world_grip *grip, int end) { return grip->share[end] * cdg_grip_added_mass(grip); }

static void set_mass(cdg_world *world, uint32_t rod_index, size_t node) {
    cdg_rod *rod = world->rods[rod_index].rod;
    rod->node_mass[node] = rod_own_mass(rod, node);
    for (size_t i = 0; i < world->grip_count; i++) {
        const world_grip *grip = &world->grips[i];
        if (!grip->is_holding || grip->is_of_body || grip->object != rod_index) continue;
        for (int end = 0; end < 2; end++)
            if (grip->node[end] == node) rod->node_mass[node] += added_mass(grip, end);
    }
}

// Puts the masses of a grip's nodes right, and the books with them.
static void set_masses(cdg_world *world, const world_grip *grip) {
    if (grip->is_of_body || (grip->solid == NULL && world->rods[grip->object].rod == NULL)) return;
    double before = world->has_started ? cdg_world_energy(world).total : 0;
    if (grip->solid != NULL) cdg_solid_grips_set_masses(world, grip->solid);
    for (int end = 0; end < 2 && grip->solid == NULL; end++) set_mass(world, grip->object, grip->node[end]);
    if (world->has_started) world->external_work += cdg_world_energy(world).total - before;
}

static void count_on_rod(cdg_world *world, const world_grip *grip, int change) {
    if (grip->is_of_body || grip->solid != NULL) return;
    world_rod *entry = &world->rods[grip->object];
    entry->grip_count = (uint32_t)((int)entry->grip_count + change);
    if (entry->rod != NULL) entry->rod->is_gripped = entry->grip_count > 0;
    world->scratch_size = 0; // teams, and room for loads
}

static cdg_vec3 on_rod(double *const x[3], const world_grip *grip) {
    return vec3_lerp(rod_vec3(x, grip->node[0]), rod_vec3(x, grip->node[1]), grip->share[1]);
}

// Where its place of the definition is in the rod as it is divided now.
void cdg_grip_find_place(const cdg_world *world, world_grip *grip) {
    const cdg_rod *rod = world->rods[grip->object].rod;
    rod_present_point(rod, grip->def.place.index, grip->def.place.fraction, &grip->element, &grip->share[1]);
    grip->share[0] = 1 - grip->share[1];
    grip->node[0] = grip->element;
    grip->node[1] = rod_next_node(rod, grip->element);
}

// Takes hold of what is there now. From then on the rod stays as it is divided.
static void take_hold(cdg_world *world, world_grip *grip) {
    grip->is_holding = grip->was_holding = true;
    count_on_rod(world, grip, 1);
    if (grip->is_of_body) return;
    if (grip->solid != NULL) {
        grip->before = cdg_solid_grip_point(grip);
        grip->velocity = cdg_solid_grip_velocity(grip);
        return;
    }
    const cdg_rod *rod = world->rods[grip->object].rod;
    cdg_grip_find_place(world, grip);
    choose(world, grip, grip->mass);
    grip->before = on_rod(rod->x, grip);
    grip->velocity = on_rod(rod->v, grip);
}

static void begin_twist(const cdg_world *world, world_grip *grip) {
    if (grip->is_twisting) return;
    grip->frame = rod_quat(world->rods[grip->object].rod->q, grip->element);
    grip->roll = 0;
    grip->is_twisting = true;
}

static void follow_keys(const cdg_world *world, world_grip *grip) {
    double now = world->time + world->step / 2; // rounding of times does not matter
    while (grip->key + 1 < grip->def.key_count && grip->own_keys[grip->key + 1].time < now) grip->key++;
    const cdg_grip_key *key = &grip->own_keys[grip->key];
    grip->def.target = key->target;
    if (grip->is_of_body || grip->solid != NULL || (key->twist == 0 && !grip->is_twisting)) return;
    begin_twist(world, grip);
    grip->twist = key->twist;
}

// What the key that counts says, once that has been read. A hand twists from the first key on that has a twist.
static void restore_key(world_grip *grip) {
    const cdg_grip_key *key = &grip->own_keys[grip->key];
    grip->is_twisting = false;
    for (size_t k = 0; k <= grip->key && grip->is_holding && grip->solid == NULL; k++)
        if (grip->own_keys[k].twist != 0) grip->is_twisting = true;
    if (!grip->is_holding) return;
    grip->def.target = key->target;
    if (grip->is_twisting) grip->twist = key->twist;
}

static bool should_hold(const cdg_world *world, const world_grip *grip) {
    double now = world->time + world->step / 2;
    return grip->own_keys[0].time < now && now < grip->def.to;
}

void cdg_grips_prepare(cdg_world *world) {
    for (size_t i = 0; i < world->grip_count; i++) {
        world_grip *grip = &world->grips[i];
        if (grip->own_keys != NULL) {
            bool should = should_hold(world, grip);
            if (grip->is_holding && !should) {
                grip->is_holding = grip->was_holding = false;
                set_masses(world, grip);
                count_on_rod(world, grip, -1);
            }
            if (!grip->is_holding && should) {
                take_hold(world, grip);
                grip->step = 0;
            }
            if (should) follow_keys(world, grip);
        }
        if (!grip->is_holding || grip->step == world->step) continue;
        if (grip->step == 0 && !grip->is_of_body) cdg_grip_begin_books(world, grip); // with the target of this step
        grip->step = world->step;
        set_masses(world, grip);
    }
}

// A loaded snapshot says which hands hold: counts and masses follow. Nothing changes in the course of a step.
void cdg_grips_restore(cdg_world *world) {
    for (size_t i = 0; i < world->grip_count; i++) {
        world_grip *grip = &world->grips[i];
        if (!grip->is_of_body && grip->solid == NULL && world->rods[grip->object].rod->adapt != NULL)
            cdg_grip_find_place(world, grip); // it is divided otherwise
        if (grip->own_keys == NULL || grip->is_of_body) continue;
        restore_key(grip);
        if (grip->is_holding && grip->was_holding && grip->step == 0 && grip->solid == NULL) { // its rod was cut
            grip->step = world->step;
            for (int end = 0; end < 2; end++) set_mass(world, grip->object, grip->node[end]);
        }
        if (grip->is_holding == grip->was_holding) continue;
        count_on_rod(world, grip, grip->is_holding ? 1 : -1);
        grip->was_holding = grip->is_holding;
        if (grip->is_holding) grip->step = world->step;
        if (grip->solid != NULL) cdg_solid_grips_set_masses(world, grip->solid);
        for (int end = 0; end < 2 && grip->solid == NULL; end++) set_mass(world, grip->object, grip->node[end]);
    }
}

// ---- force ----------------------------------------------------------------------------------------------------------

// Of the spring, no more than the limit.
cdg_vec3 cdg_grip_spring(const world_grip *grip, cdg_vec3 point) {
    cdg_vec3 force = vec3_scale(grip->stiffness, vec3_sub(grip->def.target, point));
    double size = vec3_norm(force);
    return size > grip->force_limit ? vec3_scale(grip->force_limit / size, force) : force;
}

static void add_to(double *const a[3], size_t i, cdg_vec3 v) { a[0][i] += v.x, a[1][i] += v.y, a[2][i] += v.z; }

// A torque about the tangent. Frames have no mass to spare: spring and damper act by the state at the start of the
// step, and are only as strong as is stable so. What they meet is the inertia of the whole rod, when it turns as one,
// or that of what turns within a step: of a long chain with inertia J and stiffness k between neighbours, which
// implicit models solve for, sqrt(J^2 + 4 J k h^2).
double cdg_grip_twist_torque(const cdg_rod *rod, const world_grip *grip, double step) {
    size_t element = grip->element, at = element * rod->section_stride;
    double length = rod->rest_length[element], inertia = rod->frame_inertia[2][at];
    bool is_implicit = rod->model->contact.response_size != NULL && rod->model->contact.response_size(rod) > 0;
    double own = inertia * length, neighbours = is_implicit ? rod->bend_stiffness[2][at] / length * step * step : 0;
    double met = fmin(inertia * rod->length, sqrt(own * (own + 4 * neighbours)));
    double stiffness = 0.25 * met / (step * step), damping = 0.75 * met / step;
    return stiffness * (grip->twist - grip->roll) - damping * rod->w[2][element];
}

void cdg_grips_apply(const cdg_world *world, uint32_t rod_index, double step, const cdg_rod_loads *out) {
    const cdg_rod *rod = world->rods[rod_index].rod;
    for (size_t i = 0; i < world->grip_count; i++) {
        const world_grip *grip = &world->grips[i];
        if (!grip->is_holding || grip->is_of_body || grip->object != rod_index) continue;
        cdg_vec3 force = cdg_grip_spring(grip, on_rod(rod->x, grip));
        for (int end = 0; end < 2; end++) {
            size_t node = grip->node[end];
            double drag = grip->share[end] * (grip->stiffness * step + grip->damping);
            cdg_vec3 velocity = grip->is_sampled ? grip->velocity : rod_vec3(rod->v, node);
            cdg_vec3 sum = vec3_mad(vec3_scale(grip->share[end], force), -drag, velocity);
            add_to(out->force, node, vec3_mad(sum, -added_mass(grip, end), world->def.gravity));
        }
        if (grip->is_twisting) out->torque[2][grip->element] += cdg_grip_twist_torque(rod, grip, step);
    }
}

// How a point of a free body answers an impulse there: 1/m - [r] I^-1 [r].
static symmetric3 point_answer(const cdg_body *body, cdg_vec3 arm) {
    symmetric3 inverse = symmetric3_inverse(cdg_body_world_inertia(body, body->now.q));
    cdg_vec3 move[3];
    for (int k = 0; k < 3; k++) {
        cdg_vec3 unit = vec3(k == 0, k == 1, k == 2);
        cdg_vec3 turn = symmetric3_times(inverse, vec3_cross(arm, unit));
        move[k] = vec3_mad(vec3_cross(turn, arm), 1 / body->mass.mass, unit);
    }
    return (symmetric3){move[0].x, move[1].x, move[2].x, move[1].y, move[2].y, move[2].z};
}

static cdg_vec3 arm_of(const cdg_body *body, const cdg_body_now *now, const world_grip *grip) {
    return quat_rotate(now->q, vec3_sub(grip->def.place.point, body->mass.center));
}

// How fast a point of a body moves that has this velocity and spin and is where it was at the start of the step.
static cdg_vec3 velocity_at(const cdg_body *body, const cdg_body_now *motion, cdg_vec3 arm) {
    return vec3_add(motion->v, vec3_cross(cdg_body_angular_velocity(body, body->now.q, motion->spin), arm));
}

static cdg_vec3 body_force(const cdg_body *body, const world_grip *grip, double step, cdg_vec3 arm) {
    cdg_vec3 point = vec3_add(body->now.x, arm), velocity = velocity_at(body, &body->now, arm);
    double drag = grip->stiffness * step + grip->damping;
    cdg_vec3 wanted = vec3_mad(cdg_grip_spring(grip, point), -drag, velocity);
    symmetric3 system = symmetric3_add_diagonal(symmetric3_scale(step * drag, point_answer(body, arm)), 1);
    return symmetric3_times(symmetric3_inverse(system), wanted);
}

void cdg_grips_push_body(const cdg_world *world, size_t index, double step, cdg_vec3 *impulse, cdg_vec3 *turn) {
    const cdg_body *body = &world->bodies[index];
    for (size_t i = 0; i < world->grip_count; i++) {
        const world_grip *grip = &world->grips[i];
        if (!grip->is_holding || !grip->is_of_body || grip->object != index) continue;
        cdg_vec3 arm = arm_of(body, &body->now, grip), force = body_force(body, grip, step, arm);
        *impulse = vec3_mad(*impulse, step, force);
        *turn = vec3_mad(*turn, step, vec3_cross(arm, force));
    }
}

// The impulse acts as the step begins, and the body flies on with its energy: the impulse times the mean of the point's
// velocities before and after is all that it gives. (Its force times the chord of the point's way is not, when the body
// turns far in the step.)
double cdg_grips_work_on_bodies(const cdg_world *world, double step) {
    double work = 0;
    for (size_t i = 0; i < world->grip_count; i++) {
        const world_grip *grip = &world->grips[i];
        if (!grip->is_holding || !grip->is_of_body) continue;
        const cdg_body *body = &world->bodies[grip->object];
        cdg_vec3 arm = arm_of(body, &body->now, grip), before = velocity_at(body, &body->now, arm);
        cdg_vec3 after = velocity_at(body, cdg_bodies_candidate(world, grip->object), arm);
        work += 0.5 * step * vec3_dot(body_force(body, grip, step, arm), vec3_add(before, after));
    }
    return work;
}

// Turns are counted when a step is taken: frames forget whole ones.
static void count_turn(const cdg_rod *rod, world_grip *grip) {
    cdg_quat now = rod_quat(rod->q, grip->element), turn = quat_relative(grip->frame, now);
    grip->roll += 2 * atan2(turn.w < 0 ? -turn.z : turn.z, fabs(turn.w));
    grip->frame = now;
}

void cdg_grips_commit(cdg_world *world, double step) {
    for (size_t i = 0; i < world->grip_count; i++) {
        world_grip *grip = &world->grips[i];
        if (!grip->is_holding || grip->is_of_body) continue;
        const cdg_rod *rod = grip->solid == NULL ? world->rods[grip->object].rod : NULL;
        cdg_vec3 now = rod != NULL ? on_rod(rod->x, grip) : cdg_solid_grip_point(grip),
                 mean = vec3_scale(1 / step, vec3_sub(now, grip->before));
        grip->velocity = vec3_lerp(grip->velocity, mean, fmin(1, sampling * grip->rate * step));
        grip->before = now;
        grip->exerted = grip->exerted_next;
        grip->torque = grip->torque_next;
        if (grip->is_twisting) count_turn(rod, grip);
    }
}

// ---- adding and removing --------------------------------------------------------------------------------------------

static cdg_result check_numbers(cdg_world *world, const cdg_grip_def *def) {
    bool is_good = vec3_is_finite(def->target) && vec3_is_finite(def->place.point) && def->place.fraction >= 0 &&
                   def->place.fraction <= 1 && def->stiffness >= 0 && isfinite(def->stiffness) && def->damping >= 0 &&
                   isfinite(def->damping) && def->force_limit >= 0 && isfinite(def->force_limit);
    if (is_good) return CDG_OK;
    return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                    "a grip's numbers must be finite, its fraction from 0 to 1, and its stiffness, damping and force "
                    "not negative");
}

static cdg_result aim_at_rod(cdg_world *world, const cdg_grip_def *def, world_grip *out) {
    const cdg_rod *rod = cdg_world_get_rod(world, def->place.rod);
    if (rod == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the rod no longer exists");
    cdg_result placed =
        cdg_place_check_rod(&def->place, "a grip on a rod is at a node or on an element", &world->error);
    if (placed != CDG_OK) return placed;
    cdg_place *place = &out->def.place; // from here on by element and fraction
    if (place->kind == CDG_PLACE_NODE && place->index >= rod_user_node_count(rod))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "rod '%s' has no node %zu; it has %zu", rod->name,
                        place->index, rod_user_node_count(rod));
    if (place->kind == CDG_PLACE_ELEMENT) place->fraction = 0.5;
    if (place->kind == CDG_PLACE_NODE) place->fraction = place->index == rod_user_element_count(rod);
    if (place->kind == CDG_PLACE_NODE) place->index -= place->fraction > 0;
    place->kind = CDG_PLACE_ALONG;
    if (place->index >= rod_user_element_count(rod))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "rod '%s' has no element %zu; it has %zu", rod->name,
                        place->index, rod_user_element_count(rod));
    if (!rod->model->carries_node_mass)
        return cdg_fail(&world->error, CDG_ERROR_UNSUPPORTED,
                        "rods of model %s cannot be gripped; those of pobd, der and corde can", rod->model->name);
    out->object = def->place.rod.index1 - 1;
    cdg_grip_find_place(world, out);
    out->is_sampled = rod->model->contact.response_size == NULL || rod->model->contact.response_size(rod) == 0;
    return CDG_OK;
}

static cdg_result aim_at_body(cdg_world *world, const cdg_grip_def *def, world_grip *out) {
    size_t index = WORLD_INDEX(world, WORLD_BODIES, def->place.body);
    if (index == SIZE_MAX) return cdg_fail(&world->error, CDG_ERROR_STALE, "the body no longer exists");
    out->object = (uint32_t)index;
    out->is_of_body = true;
    const char *name = world->bodies[out->object].name;
    if (world->bodies[out->object].def.is_fixed)
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "body '%s' is fixed; nothing can pull it", name);
    if (def->place.kind != CDG_PLACE_POINT || def->place.solid.index1 != 0)
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "body '%s' is gripped at a point of it (cdg_body_point)",
                        name);
    return CDG_OK;
}

// Grips stand in the order in which they were made, so that sums do not depend on what came and went before.
static world_grip *new_grip(cdg_world *world) {
    if (!cdg_handles_reserve(&world->handles[WORLD_GRIPS])) return NULL;
    if (world->grip_count == world->grip_capacity) {
        size_t capacity = world->grip_capacity > 0 ? 2 * world->grip_capacity : 4;
        world_grip *grown = realloc(world->grips, capacity * sizeof *grown);
        if (grown == NULL) return NULL;
        world->grips = grown;
        world->grip_capacity = capacity;
    }
    return &world->grips[world->grip_count++];
}

static cdg_result check_keys(cdg_world *world, const cdg_grip_def *def) {
    if (def->key_count > 0 && def->keys == NULL) return cdg_fail_null(&world->error, "keys");
    for (size_t i = 0; i < def->key_count; i++) {
        const cdg_grip_key *key = &def->keys[i];
        bool is_good = isfinite(key->time) && vec3_is_finite(key->target) && isfinite(key->twist) &&
                       (i == 0 || key->time > key[-1].time) && isfinite(def->to) && def->to > key->time;
        if (!is_good)
            return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                            "key %zu of a grip: its numbers must be finite, its time after the one before and before "
                            "the end",
                            i + 1);
    }
    return CDG_OK;
}

static cdg_grip_key *copy_keys(const cdg_grip_def *def) {
    cdg_grip_key *keys = malloc(def->key_count * sizeof *keys);
    if (keys != NULL) memcpy(keys, def->keys, def->key_count * sizeof *keys);
    return keys;
}

cdg_grip_def cdg_grip_def_default(void) { return (cdg_grip_def){0}; }

cdg_result cdg_world_add_grip(cdg_world *world, const cdg_grip_def *def, cdg_grip_id *out) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (def == NULL || out == NULL) return cdg_fail_null(&world->error, def == NULL ? "def" : "out");
    cdg_error_clear(&world->error);
    world_grip grip = {.def = *def};
    double mass = 0;
    cdg_result result = check_numbers(world, def);
    if (result == CDG_OK) result = check_keys(world, def);
    if (result == CDG_OK)
        result = def->place.rod.index1 != 0     ? aim_at_rod(world, def, &grip)
                 : def->place.solid.index1 != 0 ? cdg_solid_grip_aim(world, &grip)
                                                : aim_at_body(world, def, &grip);
    if (result == CDG_OK) result = felt_mass(world, &grip, &mass);
    if (result != CDG_OK) {
        cdg_solid_grip_free(&grip);
        return result;
    }
    choose(world, &grip, mass);
    if (def->key_count > 0) grip.own_keys = copy_keys(def);
    world_grip *entry = def->key_count == 0 || grip.own_keys != NULL ? new_grip(world) : NULL;
    if (entry == NULL) {
        free(grip.own_keys);
        cdg_solid_grip_free(&grip);
        return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for a grip");
    }
    cdg_handle handle = cdg_handles_append(&world->handles[WORLD_GRIPS]);
    *entry = grip;
    if (grip.own_keys == NULL) take_hold(world, entry);
    world->scratch_size = 0; // room for its state
    *out = CDG_HANDLE_AS(cdg_grip_id, handle);
    return CDG_OK;
}

// NULL, with a sentence, when the handle is stale.
static world_grip *get_grip(cdg_world *world, cdg_grip_id id) {
    size_t index = WORLD_INDEX(world, WORLD_GRIPS, id);
    if (index != SIZE_MAX) return &world->grips[index];
    (void)cdg_fail(&world->error, CDG_ERROR_STALE, "the grip no longer exists");
    return NULL;
}

cdg_result cdg_grip_move(cdg_world *world, cdg_grip_id id, const cdg_vec3 *target) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    world_grip *grip = get_grip(world, id);
    if (grip == NULL) return CDG_ERROR_STALE;
    if (target == NULL) return CDG_OK;
    if (!vec3_is_finite(*target)) return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "a grip's target must be finite");
    grip->def.target = *target;
    return CDG_OK;
}

cdg_result cdg_grip_twist(cdg_world *world, cdg_grip_id id, double angle) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    world_grip *grip = get_grip(world, id);
    if (grip == NULL) return CDG_ERROR_STALE;
    if (!isfinite(angle) || grip->is_of_body || grip->solid != NULL)
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "a grip twists a rod by a finite angle");
    begin_twist(world, grip);
    grip->twist = angle;
    return CDG_OK;
}

cdg_result cdg_grip_get(const cdg_world *world, cdg_grip_id id, cdg_vec3 *point, cdg_vec3 *force) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    const world_grip *grip = get_grip((cdg_world *)(uintptr_t)world, id);
    if (grip == NULL) return CDG_ERROR_STALE;
    cdg_vec3 position, velocity;
    if (grip->is_of_body) {
        const cdg_body *body = &world->bodies[grip->object];
        cdg_vec3 arm = arm_of(body, &body->now, grip);
        position = vec3_add(body->now.x, arm);
        velocity = vec3_add(body->now.v, vec3_cross(cdg_body_angular_velocity(body, body->now.q, body->now.spin), arm));
    } else if (grip->solid != NULL) {
        position = cdg_solid_grip_point(grip);
        velocity = cdg_solid_grip_velocity(grip);
    } else {
        const cdg_rod *rod = world->rods[grip->object].rod;
        position = on_rod(rod->x, grip);
        velocity = on_rod(rod->v, grip);
    }
    if (point != NULL) *point = position;
    if (force != NULL) *force = vec3_mad(cdg_grip_spring(grip, position), -grip->damping, velocity);
    return CDG_OK;
}

static void remove_at(cdg_world *world, size_t index) {
    free(world->grips[index].own_keys);
    cdg_solid_grip_free(&world->grips[index]);
    world->grip_count--;
    memmove(&world->grips[index], &world->grips[index + 1], (world->grip_count - index) * sizeof *world->grips);
    cdg_handles_close_up(&world->handles[WORLD_GRIPS], index);
}

cdg_result cdg_world_remove_grip(cdg_world *world, cdg_grip_id id) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    world_grip *grip = get_grip(world, id);
    if (grip == NULL) return CDG_ERROR_STALE;
    world_grip gone = *grip;
    remove_at(world, (size_t)(grip - world->grips));
    if (gone.is_holding) {
        set_masses(world, &gone);
        count_on_rod(world, &gone, -1);
    }
    return CDG_OK;
}

void cdg_grips_leave_rod(cdg_world *world, uint32_t rod_index) {
    for (size_t i = world->grip_count; i-- > 0;)
        if (!world->grips[i].is_of_body && world->grips[i].object == rod_index) remove_at(world, i);
    world->rods[rod_index].grip_count = 0;
}

void cdg_grips_leave_solid(cdg_world *world, const struct world_solid *solid) {
    for (size_t i = world->grip_count; i-- > 0;)
        if (world->grips[i].solid == solid) remove_at(world, i);
}

void cdg_grips_leave_body(cdg_world *world, uint32_t index) {
    for (size_t i = world->grip_count; i-- > 0;) {
        world_grip *grip = &world->grips[i];
        if (!grip->is_of_body || grip->object < index) continue;
        if (grip->object == index)
            remove_at(world, i);
        else
            grip->object--;
    }
}

void cdg_grips_shed(cdg_world *world, uint32_t rod_index) {
    for (size_t i = 0; i < world->grip_count; i++) {
        world_grip *grip = &world->grips[i];
        if (!grip->is_holding || grip->is_of_body || grip->object != rod_index) continue;
        grip->step = 0;
        set_masses(world, grip);
    }
}

cdg_result cdg_grips_feel(cdg_world *world) {
    for (size_t i = 0; i < world->grip_count; i++) {
        double mass = 0;
        world_grip *grip = &world->grips[i];
        cdg_result result = felt_mass(world, grip, &mass);
        if (result != CDG_OK) return result;
        choose(world, grip, mass);
    }
    return CDG_OK;
}

void cdg_grips_free(cdg_world *world) {
    for (size_t i = 0; i < world->grip_count; i++) {
        free(world->grips[i].own_keys);
        cdg_solid_grip_free(&world->grips[i]);
    }
    free(world->grips);
}
