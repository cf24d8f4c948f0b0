// The work of hands in the energy books.
//
// A step solves for a hand's spring and damper by an added mass dm (grip.c). So the hand does not exert the whole load
// F of the step on the rod, because a part of it moves the added mass: with a, the acceleration by the rule of the
// rod's integrator, the hand exerts F - dm a. Its work is that of the mean of this force before and after the step,
// second order in the step like the work of supports, and the energy that the added mass gains, which the energies
// include. A target jumps at the beginning of a step; integrators that look back take the jump in later, and how much
// that changes the work is uncertain.
//
// Explicit models keep the load constant during the step, and their velocities are half a sub-step behind their
// positions: the load does its work along the motion half a sub-step earlier.
#include "math/rate_rule.h"
#include "world/solid_grip.h"

#include <math.h>

// ---- what it exerts -------------------------------------------------------------------------------------------------

// The force of spring and damper at a point that moves.
static cdg_vec3 law(const world_grip *grip, cdg_vec3 point, cdg_vec3 velocity) {
    return vec3_mad(cdg_grip_spring(grip, point), -grip->damping, velocity);
}

static cdg_vec3 on_rod(double *const a[3], const world_grip *grip) {
    return vec3_lerp(rod_vec3(a, grip->node[0]), rod_vec3(a, grip->node[1]), grip->share[1]);
}

void cdg_grip_begin_books(const cdg_world *world, world_grip *grip) {
    grip->torque = 0;
    if (grip->solid != NULL) {
        grip->exerted = law(grip, cdg_solid_grip_point(grip), cdg_solid_grip_velocity(grip));
        return;
    }
    const cdg_rod *rod = world->rods[grip->object].rod;
    grip->exerted = law(grip, on_rod(rod->x, grip), on_rod(rod->v, grip));
}

// ---- a place --------------------------------------------------------------------------------------------------------

// One of the nodes that a hand holds, in a step.
typedef struct held_node {
    double share;
    cdg_vec3 v_before, v, v_next; // m/s: a step ago, now, and of the candidate
    cdg_vec3 way;                 // m, in the step
} held_node;

// A step of what is held.
typedef struct held_step {
    double step;   // s
    double alpha;  // of the integrator's rule (math/rate_rule.h)
    double drag;   // N s/m, with the step's share of the spring
    cdg_vec3 load; // N, that the step was told, but for drag; of sampled hands all
    cdg_vec3 velocity;
    cdg_vec3 exerted; // sums
    double work;
} held_step;

static held_step begin(const world_grip *grip, double step, double alpha, cdg_vec3 point, cdg_vec3 velocity) {
    held_step at = {.step = step, .alpha = alpha, .velocity = velocity};
    double drag = grip->stiffness * step + grip->damping;
    at.load = cdg_grip_spring(grip, point);
    if (grip->is_sampled)
        at.load = vec3_mad(at.load, -drag, grip->velocity);
    else
        at.drag = drag;
    return at;
}

static cdg_vec3 told(const held_step *at, const held_node *node) {
    return vec3_scale(node->share, vec3_mad(at->load, -at->drag, node->v));
}

// Of the end of the step.
static void book_at_end(const world_grip *grip, held_step *at, const held_node *node) {
    double mass = node->share * cdg_grip_added_mass(grip);
    cdg_vec3 change = vec3_sub(node->v_next, node->v), last = vec3_sub(node->v, node->v_before);
    cdg_vec3 acceleration = vec3_scale(1 / at->step, vec3_mad(vec3_scale(1 - at->alpha, change), at->alpha, last));
    cdg_vec3 load = told(at, node), after = vec3_mad(load, -mass, acceleration);
    double slower = grip->is_sampled ? 0 : grip->damping; // nodes of one hand move each in its own way
    cdg_vec3 before = vec3_scale(node->share, vec3_mad(grip->exerted, slower, vec3_sub(at->velocity, node->v)));
    double gained = 0.5 * mass * (vec3_dot(node->v_next, node->v_next) - vec3_dot(node->v, node->v));
    at->work += vec3_dot(vec3_sub(vec3_lerp(before, after, 0.5), load), node->way) + gained;
    at->exerted = vec3_add(at->exerted, after);
}

static double doubt_of(const world_grip *grip, cdg_vec3 point, cdg_vec3 velocity, cdg_vec3 way) {
    if (grip->is_sampled) return 0;
    return 0.5 * fabs(vec3_dot(vec3_sub(law(grip, point, velocity), grip->exerted), way));
}

// ---- rods -----------------------------------------------------------------------------------------------------------

static held_node node_of_rod(const cdg_rod *rod, const world_grip *grip, int end) {
    size_t node = grip->node[end];
    cdg_vec3 v = rod_vec3(rod->v, node);
    return (held_node){.share = grip->share[end],
                       .v_before = rod->x_before[0] != NULL && rod->has_history ? rod_vec3(rod->v_before, node) : v,
                       .v = v,
                       .v_next = rod_vec3(rod->v_next, node),
                       .way = vec3_sub(rod_vec3(rod->x_next, node), rod_vec3(rod->x, node))};
}

static double work_on_rod(world_rod *entry, world_grip *grip, double step) {
    const cdg_rod *rod = entry->rod;
    cdg_weld_scheme scheme;
    rod->model->weld_scheme(rod, step, &scheme);
    cdg_vec3 point = on_rod(rod->x, grip), velocity = on_rod(rod->v, grip);
    held_step at = begin(grip, step, scheme.force.alpha, point, velocity);
    cdg_vec3 turn = grip->is_twisting ? cdg_loads_turn(rod, grip->element, step) : vec3(0, 0, 0);
    grip->torque_next = grip->is_twisting ? cdg_grip_twist_torque(rod, grip, step) : 0;
    bool acts_at_end = scheme.arm == 1;
    bool has_lag = !acts_at_end && rod->model->measures.velocity_lag != NULL;
    double lag = has_lag ? rod->model->measures.velocity_lag(rod, step, entry->result.iterations) : 0;
    for (int end = 0; end < 2; end++) {
        held_node node = node_of_rod(rod, grip, end);
        if (acts_at_end)
            book_at_end(grip, &at, &node);
        else
            at.work -= lag * vec3_dot(told(&at, &node), vec3_sub(node.v_next, node.v));
    }
    grip->exerted_next = at.exerted;
    if (!acts_at_end) {
        double faster = rod->w_next[2][grip->element] - rod->w[2][grip->element];
        return at.work - lag * grip->torque_next * faster;
    }
    cdg_vec3 way = vec3_sub(on_rod(rod->x_next, grip), point);
    entry->work_doubt += doubt_of(grip, point, velocity, way);
    return at.work + 0.5 * (grip->torque - grip->torque_next) * turn.z;
}

void cdg_grips_book_rods(cdg_world *world, double step) {
    for (size_t i = 0; i < world->grip_count; i++) {
        world_grip *grip = &world->grips[i];
        if (!grip->is_holding || grip->is_of_body || grip->solid != NULL) continue;
        world_rod *entry = &world->rods[grip->object];
        if (entry->rod != NULL && entry->rod->model->weld_scheme != NULL) entry->work += work_on_rod(entry, grip, step);
    }
}

// ---- solids ---------------------------------------------------------------------------------------------------------

static held_node node_of_solid(const cdg_solid *s, const world_grip *grip, size_t k, bool has_history) {
    size_t node = grip->solid_nodes[k];
    cdg_vec3 v = solid_vec3(s->v, node);
    return (held_node){.share = grip->solid_shares[k],
                       .v_before = has_history ? solid_vec3(s->v_before, node) : v,
                       .v = v,
                       .v_next = solid_vec3(s->v_next, node),
                       .way = vec3_sub(solid_vec3(s->x_next, node), solid_vec3(s->x, node))};
}

static double work_on_solid(cdg_object *object, world_grip *grip, double step) {
    const cdg_solid *s = &grip->solid->solid;
    bool looks_back = solid_looks_back(s, step);
    cdg_vec3 point = cdg_solid_grip_point(grip), velocity = cdg_solid_grip_velocity(grip);
    held_step at = begin(grip, step, looks_back ? cdg_rate_rule_bdf2().alpha : 0, point, velocity);
    double lag = step / fmax(object->report.parts, 1) / 2;
    cdg_vec3 way = vec3(0, 0, 0);
    for (size_t k = 0; k < grip->solid_node_count; k++) {
        held_node node = node_of_solid(s, grip, k, looks_back);
        way = vec3_mad(way, node.share, node.way);
        if (solid_is_implicit(s))
            book_at_end(grip, &at, &node);
        else
            at.work -= lag * vec3_dot(told(&at, &node), vec3_sub(node.v_next, node.v));
    }
    grip->exerted_next = at.exerted;
    if (solid_is_implicit(s)) object->report.work_doubt += doubt_of(grip, point, velocity, way);
    object->work += at.work;
    return at.work;
}

double cdg_grips_book_solids(cdg_world *world, double step) {
    double work = 0;
    for (size_t i = 0; i < world->grip_count; i++) {
        world_grip *grip = &world->grips[i];
        if (!grip->is_holding || grip->solid == NULL) continue;
        for (size_t k = 0; k < world->object_count; k++)
            if (world->objects[k].self == grip->solid) work += work_on_solid(&world->objects[k], grip, step);
    }
    return work;
}
