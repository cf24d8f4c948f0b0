// The energy guard: a step that would gain energy which nobody puts in is not taken.
//
// What is lost, D = energy at the start + work from outside - energy now, never falls in nature, and falls under no
// integrator here but within bounds: symplectic Euler swings about its own energy, the work of a reaction is known to
// second order only, and a strain that gives way (buckling) is overshot in a long step. What D has fallen by since it
// was largest is energy from nowhere. Beyond a share of all the energy that ever moved, it is no bounded error.
#include "base/error.h"
#include "base/parallel.h"
#include "math/quat.h"
#include "world/step.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Of the largest energy of motion and strain so far, and all work done. Runs that are right stay below 0.1; in those
// that are wrong nearly all energy is new (docs/energy-guard.md).
static const double share = 0.2;
// Waves as short as elements swing about their energy by as much in steps near the limit of explicit models, and come
// back within a few: what lasts is wrong, and what is several times too much is, at once.
enum { STREAK = 8 };
static const double explosion = 3;
// Of the rods' weights times lengths and bending stiffnesses over lengths: what is less than this does not show.
static const double still = 1e-3;

// ---- looking --------------------------------------------------------------------------------------------------------

// A rod as its candidate has it.
static cdg_rod candidate_of(const cdg_rod *rod) {
    cdg_rod view = *rod;
    for (int k = 0; k < 3; k++) view.x[k] = rod->x_next[k], view.v[k] = rod->v_next[k], view.w[k] = rod->w_next[k];
    for (int k = 0; k < 4; k++) view.q[k] = rod->q_next[k];
    view.twist = rod->twist_next;
    view.own = rod->own_next;
    view.has_history = rod->has_history || rod->own != NULL; // as when it is committed
    return view;
}

static cdg_strain_trust trust_in(const cdg_rod *rod) {
    return rod->model->measures.strain_trust != NULL ? rod->model->measures.strain_trust(rod) : CDG_STRAIN_TRUE;
}

// Of motion and strain; where strain is not to be trusted, of motion alone.
static double inner_energy(const cdg_rod *rod, const cdg_energy *energy) {
    return trust_in(rod) == CDG_STRAIN_TRUE ? energy->total - energy->gravity : energy->kinetic;
}

// By which time the positions of a candidate are later than its velocities, s (rod_model.h: strain_power).
static double lag_of(const world_rod *entry, double step) {
    if (entry->rod->model->measures.strain_power == NULL || entry->result.iterations < 1) return 0;
    return step / entry->result.iterations / 2;
}

static double weight_power(const cdg_rod *rod, cdg_vec3 gravity) {
    double sum = 0;
    for (size_t i = 0; i < rod->node_count; i++) sum -= rod->node_mass[i] * vec3_dot(gravity, rod_vec3(rod->v, i));
    return sum;
}

// What a look finds of rods, one after the other: by several threads, a few rods at once, and summed in their order.
enum { RODS_OF_LOOK = 512, RODS_AT_ONCE = 32 };
typedef struct look {
    cdg_world *world;
    double step;
    size_t first, count;
    double inner[RODS_OF_LOOK], height[RODS_OF_LOOK], strain[RODS_OF_LOOK]; // J
} look;

// Of the candidate after a step of `step` seconds.
static void look_at_rod(look *l, size_t k) {
    world_rod *entry = &l->world->rods[l->first + k];
    l->inner[k] = l->height[k] = l->strain[k] = 0;
    if (entry->rod == NULL) return;
    cdg_rod view = candidate_of(entry->rod);
    cdg_energy energy;
    cdg_rod_measure_energy(&view, l->world->def.gravity, &energy);
    double lag = lag_of(entry, l->step), own = inner_energy(&view, &energy);
    if (lag > 0) own -= lag * view.model->measures.strain_power(&view);
    if (lag > 0) energy.gravity -= lag * weight_power(&view, l->world->def.gravity);
    entry->energy_next = own + energy.gravity;
    l->inner[k] = own;
    l->height[k] = energy.gravity;
    l->strain[k] = energy.stretch + energy.shear + energy.bend + energy.twist;
}

static void look_at_some(void *user, size_t index, int thread) {
    look *l = user;
    (void)thread;
    for (size_t k = index * RODS_AT_ONCE; k < (index + 1) * RODS_AT_ONCE && k < l->count; k++) {
        cdg_prefetch_state(l->world, l->first + k, true);
        look_at_rod(l, k);
    }
}

static void take_look(const look *l, double *inner, double *height, double *most) {
    world_guard *guard = &l->world->guard;
    for (size_t k = 0; k < l->count; k++) {
        const cdg_rod *rod = l->world->rods[l->first + k].rod;
        if (rod == NULL) continue;
        *inner += l->inner[k];
        *height += l->height[k];
        if (trust_in(rod) != CDG_STRAIN_ROUGH) continue;
        guard->uncounted += l->strain[k];
        if (l->strain[k] > *most) *most = l->strain[k], guard->uncounted_rod = (double)(l->first + k);
    }
}

static double energy_of_body(const cdg_world *world, size_t index, const cdg_body_now *now) {
    cdg_body body = world->bodies[index];
    body.now = *now;
    return cdg_body_kinetic_energy(&body) - body.mass.mass * vec3_dot(world->def.gravity, now->x);
}

// Energies of the candidates after a step of `step` seconds: of motion and strain, and of height. In order, whatever
// the threads.
static void measure(cdg_world *world, double step, double *inner, double *height) {
    double most = 0;
    world->guard.uncounted = 0;
    *inner = cdg_joints_energy(world, true);
    *height = 0;
    cdg_bodies_measure_candidate(world, inner, height);
    for (size_t i = 0; i < world->body_count; i++)
        world->bodies[i].energy_next = energy_of_body(world, i, cdg_bodies_candidate(world, i));
    cdg_objects_look(world);
    for (size_t i = 0; i < world->object_count; i++) {
        const cdg_object *object = &world->objects[i];
        *inner += object->energy_next - object->height_next;
        *height += object->height_next;
    }
    look l;
    l.world = world, l.step = step;
    for (l.first = 0; l.first < world->rod_count; l.first += l.count) {
        size_t left = world->rod_count - l.first;
        l.count = left < RODS_OF_LOOK ? left : RODS_OF_LOOK;
        cdg_parallel_for((l.count + RODS_AT_ONCE - 1) / RODS_AT_ONCE, world->thread_count, look_at_some, &l);
        take_look(&l, inner, height, &most);
    }
}

// A body's radius of gyration, about the axis of its largest inertia.
static double size_of(const cdg_body *body) {
    symmetric3 i = body->mass.inertia;
    return sqrt(fmax(i.xx, fmax(i.yy, i.zz)) / body->mass.mass);
}

// Energy that a world of this weight and stiffness would hardly notice.
static double smallest(const cdg_world *world) {
    double sum = 0, gravity = vec3_norm(world->def.gravity);
    for (size_t i = 0; i < world->rod_count; i++) {
        const cdg_rod *rod = world->rods[i].rod;
        if (rod == NULL) continue;
        double bend = fmax(rod->bend_stiffness[0][0], rod->bend_stiffness[1][0]);
        sum += rod->mass * gravity * rod->length + bend / rod->length;
    }
    for (size_t i = 0; i < world->body_count; i++) {
        const cdg_body *body = &world->bodies[i];
        if (!body->def.is_fixed) sum += body->mass.mass * gravity * size_of(body);
    }
    for (size_t i = 0; i < world->object_count; i++)
        sum += world->objects[i].operations->usual(world->objects[i].self, gravity);
    return still * sum;
}

static double allowed(const cdg_world *world, double scale, double work) {
    const world_guard *g = &world->guard;
    return share * (scale + g->work + work) + g->doubt + smallest(world);
}

static double doubt_of_step(const cdg_world *world) {
    double sum = 0;
    for (size_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL) sum += world->rods[i].work_doubt;
    for (size_t i = 0; i < world->object_count; i++) sum += world->objects[i].report.work_doubt;
    return sum;
}

static cdg_strain_trust least_trust(const cdg_world *world) {
    cdg_strain_trust least = CDG_STRAIN_TRUE;
    for (size_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL && trust_in(world->rods[i].rod) > least) least = trust_in(world->rods[i].rod);
    return least;
}

// To look takes about as long as a step of the cheapest models: only now and then, so that it takes a fiftieth of all.
static uint64_t calm_steps(const cdg_world *world) {
    const double look_cost = 100e-9, step_cost = 80e-9; // s for an element
    const double most = 256;
    double looking = 0, stepping = 0;
    for (size_t i = 0; i < world->rod_count; i++) {
        const cdg_rod *rod = world->rods[i].rod;
        if (rod == NULL) continue;
        double elements = (double)rod->element_count;
        looking += look_cost * elements;
        stepping += rod->model->step_cost != NULL ? rod->model->step_cost(rod, world->step) : step_cost * elements;
    }
    cdg_objects_cost(world, world->step, &looking, &stepping);
    return stepping > 0 ? (uint64_t)fmin(50 * looking / stepping, most) : 0;
}

// ---- telling --------------------------------------------------------------------------------------------------------

// The rod that gained most beyond what was done on it since the last look.
static size_t find_gainer(const cdg_world *world, double *gained) {
    size_t worst = SIZE_MAX;
    double most = -INFINITY;
    for (size_t i = 0; i < world->rod_count; i++) {
        const world_rod *entry = &world->rods[i];
        if (entry->rod == NULL) continue;
        double gain = entry->energy_next - entry->energy - entry->work;
        if (!(gain <= most)) worst = i, most = gain;
    }
    *gained = most;
    return worst;
}

// An element of the candidate that points against its frame; SIZE_MAX: none.
static size_t find_inverted(const cdg_rod *rod) {
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_vec3 edge = vec3_sub(rod_vec3(rod->x_next, rod_next_node(rod, j)), rod_vec3(rod->x_next, j));
        if (vec3_dot(edge, quat_d3(rod_quat(rod->q_next, j))) < 0) return j;
    }
    return SIZE_MAX;
}

// Returns whether the cause is told with its cure. What makes energy in whole steps has made it before a last part of
// one is refused.
static bool find_cause(const cdg_world *world, size_t rod_index, double step, char text[256]) {
    const cdg_rod *rod = world->rods[rod_index].rod;
    if (rod->model->doubt != NULL && rod->model->doubt(rod, fmax(step, world->step), text)) return true;
    size_t inverted = find_inverted(rod);
    if (inverted != SIZE_MAX) {
        snprintf(text, 256, "element %zu was crushed to no length and turned inside out: the rod is strained too far",
                 inverted);
        return false;
    }
    bool is_touched = world_has_contact(world) && world->touched != NULL && world->touched[rod_index];
    snprintf(text, 256, "%s",
             is_touched
                 ? "contact gives it: supports or obstacles may squeeze the rod where there is no room, or motions "
                   "are far too fast"
                 : "the step is too long for what happens");
    return false;
}

// The object beside rods that gained most, if that is more than `least`; NULL: none.
static const cdg_object *find_gaining_object(const cdg_world *world, double least) {
    const cdg_object *worst = NULL;
    for (size_t i = 0; i < world->object_count; i++) {
        const cdg_object *object = &world->objects[i];
        double gain = object->energy_next - object->energy - object->work;
        if (gain > least) worst = object, least = gain;
    }
    return worst;
}

// The free body that gained most, if that is more than `*least`, which it becomes; NULL: none.
static const cdg_body *find_gaining_body(const cdg_world *world, double *least) {
    const cdg_body *worst = NULL;
    for (size_t i = 0; i < world->body_count; i++) {
        const cdg_body *body = &world->bodies[i];
        double gain = body->energy_next - body->energy;
        if (!body->def.is_fixed && gain > *least) worst = body, *least = gain;
    }
    return worst;
}

static cdg_result fail(cdg_world *world, double time, double step, double unaccounted, double limit) {
    double most;
    size_t worst = find_gainer(world, &most);
    const cdg_body *body = find_gaining_body(world, &most);
    const cdg_object *object = find_gaining_object(world, most);
    char cause[256] = "the step is too long for what happens";
    const char *kind = "the world", *name = "", *cure = "take a shorter step, or ";
    if (object == NULL && body != NULL) {
        kind = "body", name = body->name;
    } else if (object != NULL) {
        kind = object->operations->kind, name = object->operations->name(object->self);
    } else if (worst != SIZE_MAX) {
        if (find_cause(world, worst, step, cause)) cure = "or ";
        kind = "rod", name = world->rods[worst].rod->name;
    }
    const char *quote = name[0] != '\0' ? "'" : "", *blank = name[0] != '\0' ? " " : "";
    char taken[96];
    if (step < 0.99 * world->step)
        snprintf(taken, sizeof taken, "a part of %.3g s of a step of %.3g s", step, world->step);
    else
        snprintf(taken, sizeof taken, "a step of %.3g s", step);
    return cdg_fail(
        &world->error, CDG_ERROR_ENERGY,
        "%s%s%s%.100s%s at t = %.9g s: %.3g J appear that neither were there at the start nor were put in by "
        "loads, supports or obstacles (%.3g J are allowed here), in %s: %s; %saccept it with 'energy_guard: off' in "
        "'simulation'",
        kind, blank, quote, name, quote, time, unaccounted, limit, taken, cause, cure);
}

static cdg_result fail_not_finite(cdg_world *world, double time) {
    const char *name = "";
    for (size_t i = 0; i < world->rod_count && name[0] == '\0'; i++)
        if (world->rods[i].rod != NULL && !isfinite(world->rods[i].energy_next)) name = world->rods[i].rod->name;
    return cdg_fail(
        &world->error, CDG_ERROR_NOT_FINITE,
        "rod '%.100s' at t = %.9g s: its energy is not finite; a speed, a load or a stiffness is too large to "
        "be computed with",
        name, time);
}

// ---- a step ---------------------------------------------------------------------------------------------------------

// Where contact is off bodies still touch each other and obstacles, and what moving ones do is in no books.
static bool has_unbooked_bodies(const cdg_world *world) {
    for (size_t i = 0; i < world->body_count && !world_has_contact(world); i++)
        if (!world->bodies[i].def.is_ghost) return true;
    return false;
}

void cdg_guard_follow(cdg_world *world) {
    for (size_t i = 0; i < world->body_count; i++)
        world->bodies[i].energy = energy_of_body(world, i, &world->bodies[i].now);
    for (size_t i = 0; i < world->object_count; i++) {
        cdg_object *object = &world->objects[i];
        cdg_energy energy = {0};
        object->operations->energy(object->self, world->def.gravity, false, &energy);
        object->energy = energy.total;
    }
}

void cdg_guard_start(cdg_world *world) {
    cdg_strain_trust trust = least_trust(world);
    world->guard =
        (world_guard){.is_on = !world->def.is_unguarded && trust != CDG_STRAIN_OTHER && !has_unbooked_bodies(world),
                      .is_rough = trust == CDG_STRAIN_ROUGH,
                      .is_new = true};
    cdg_energy bodies = {0};
    cdg_bodies_measure_energy(world, &bodies);
    cdg_objects_energy(world, false, &bodies);
    world->guard.scale = bodies.kinetic + bodies.stretch;
    cdg_guard_follow(world);
    for (size_t i = 0; i < world->rod_count; i++) {
        cdg_energy energy = {0};
        if (world->rods[i].rod != NULL) cdg_rod_measure_energy(world->rods[i].rod, world->def.gravity, &energy);
        if (world->rods[i].rod == NULL) continue;
        world->rods[i].energy = inner_energy(world->rods[i].rod, &energy) + energy.gravity;
        world->guard.scale += energy.total - energy.gravity;
    }
}

void cdg_guard_look_next(cdg_world *world) { world->guard.wait = 0; }

uint64_t cdg_guard_patience(const cdg_world *world) { return world->guard.is_on ? world->guard.wait : UINT64_MAX; }

void cdg_guard_skip(cdg_world *world, uint64_t steps) {
    world_guard *g = &world->guard;
    g->wait -= steps < g->wait ? steps : g->wait;
}

static bool is_parting(const cdg_world *world) { return world_has_contact(world) && world->contacts.is_parting; }

static bool should_look(const cdg_world *world) {
    bool touches = world_has_contact(world) && world->contact_outcome.has_acted;
    // To push apart what lay in each other at the start is rougher than any motion: it is looked at again after that.
    if (is_parting(world)) return false;
    return world->guard.is_on && (world->guard.wait == 0 || touches);
}

static double unaccounted(const world_guard *g, double lost) { return fmax(g->most_lost - lost, 0); }

// Contact of solids answers single vertices and edges: one whose normal turns on the way throws them in one step, and
// friction takes most of that back in the next, or so far that at its end nothing touches. A hundredth of the energy at
// once is worth shorter steps, where those can be had.
static bool throws_solids(const cdg_world *world, double gain, double limit) {
    const world_guard *g = &world->guard;
    bool touches = world->contact_def.choice != CDG_CONTACT_OFF && world->contact_outcome.has_acted;
    bool is_judged = world->solid_count > 0 && touches && g->is_strict && !g->is_new;
    return is_judged && gain - unaccounted(g, g->lost) > limit / 20;
}

// Newton's law of restitution, of several contacts at once, may ask for speeds that only energy from nowhere gives.
// Where there is much of that, and a hundredth of all energy more at once, the step is taken again without bounces.
static bool bounces_gain(const cdg_world *world, double gain, double limit) {
    const world_guard *g = &world->guard;
    bool may_bounce = world_has_contact(world) && world->contact_outcome.bounces && !world->never_bounces;
    return may_bounce && !g->is_new && gain > limit / 4 && gain - unaccounted(g, g->lost) > limit / 20;
}

// In order, so that the sum does not depend on threads.
double cdg_guard_add_work(cdg_world *world, double time, double step) {
    double sum = cdg_bodies_work(world) + cdg_world_obstacle_work(world, time, step);
    sum += cdg_grips_work_on_bodies(world, step);
    cdg_grips_book_rods(world, step);
    for (size_t i = 0; i < world->rod_count; i++) {
        world_rod *entry = &world->rods[i];
        if (entry->rod == NULL) continue;
        entry->work += cdg_supports_work(world, (uint32_t)i, time, step, &entry->work_doubt);
        sum += entry->work;
    }
    return sum;
}

cdg_result cdg_guard_judge(cdg_world *world, double time, double step, double work) {
    world_guard *g = &world->guard;
    g->has_looked = should_look(world);
    g->blames_bounce = false;
    if (!g->has_looked) return CDG_OK;
    double inner, height;
    measure(world, step, &inner, &height);
    g->next_lost = world->energy_at_start + world->external_work + g->adapted + work - inner - height;
    g->next_scale = fmax(g->scale, inner);
    double gain = g->begins_anew ? 0 : unaccounted(g, g->next_lost);
    double limit = allowed(world, g->next_scale, fabs(work)) + doubt_of_step(world);
    // The first step may put right what a scene has slightly wrong: velocities of a rod that cannot stretch, a joint.
    if (g->is_new) limit = fmax(limit, world->guard.scale + fabs(work));
    g->is_calm = gain < limit / 4;
    g->next_share = limit > 0 ? gain / limit : 0;
    g->next_streak = gain > limit ? g->streak + 1 : 0;
    if (!isfinite(g->next_lost)) return fail_not_finite(world, time);
    g->blames_bounce = bounces_gain(world, gain, limit);
    bool is_wrong =
        g->blames_bounce || gain > explosion * limit || g->next_streak >= STREAK || throws_solids(world, gain, limit);
    return is_wrong ? fail(world, time, step, gain, limit) : CDG_OK;
}

// Sweeps leave strain that is no energy, and are not refused for it: but what is strained by far more than there is
// energy for has wrong tensions and moments, which a run tells.
static void note_strain(cdg_world *world) {
    world_guard *g = &world->guard;
    double share_now = (g->uncounted - g->next_lost) / allowed(world, g->next_scale, 0);
    if (!(g->uncounted > 0 && share_now > g->strained)) return;
    g->strained = share_now;
    g->strained_time = world->time;
    g->strained_rod = g->uncounted_rod;
}

void cdg_guard_commit(cdg_world *world, double work) {
    world_guard *g = &world->guard;
    double turned = 0, doubt = doubt_of_step(world), of_rods = 0;
    for (size_t i = 0; i < world->rod_count; i++) {
        world_rod *entry = &world->rods[i];
        if (entry->rod == NULL) continue;
        turned += fabs(entry->work);
        of_rods += entry->work;
        if (g->has_looked) entry->energy = entry->energy_next;
    }
    for (size_t i = 0; i < world->body_count && g->has_looked; i++)
        world->bodies[i].energy = world->bodies[i].energy_next;
    for (size_t i = 0; i < world->object_count && g->has_looked; i++)
        world->objects[i].energy = world->objects[i].energy_next;
    g->work += turned + fabs(work - of_rods);
    g->doubt += doubt;
    if (g->wait > 0) g->wait--;
    if (is_parting(world)) g->begins_anew = true;
    if (!g->has_looked) return;
    g->lost = g->next_lost;
    g->scale = g->next_scale;
    g->streak = g->next_streak;
    g->worst = fmax(g->worst, g->next_share);
    note_strain(world);
    // Strain that is not counted comes back: then only what goes beyond all that ever was there is new.
    if (!g->is_rough) g->most_lost = g->is_new ? g->lost : fmax(g->most_lost, g->lost);
    if (g->begins_anew) g->most_lost = g->is_rough ? fmin(g->most_lost, g->lost) : g->lost;
    g->is_new = g->begins_anew = false;
    // What explodes does so soon: longer and longer waits at first.
    g->patience = g->is_calm ? (uint64_t)fmin(2 * (double)g->patience + 1, (double)calm_steps(world)) : 0;
    g->wait = g->patience;
}

cdg_energy_balance cdg_world_energy_balance(const cdg_world *world) {
    if (world == NULL) return (cdg_energy_balance){0};
    const world_guard *g = &world->guard;
    return (cdg_energy_balance){.unaccounted = unaccounted(g, g->lost),
                                .allowed = allowed(world, g->scale, 0),
                                .worst = g->worst,
                                .strained = g->strained,
                                .is_watched = g->is_on};
}
