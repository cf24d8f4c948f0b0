// Deformable solids in contact: a block on a slope sticks and slides, a stack of ten rests, an arch of loose wedges
// stands by friction and falls without, bodies that collide keep their momentum, and nothing passes through.
#include "base/parallel.h"
#include "math/quat.h"
#include "math/random.h"
#include "math/vec3.h"
#include "validation/case_functions.h"
#include "validation/solid_depths.h"

#include <cordage/contact.h>
#include <cordage/obstacle.h>
#include <cordage/solid.h>

#include <math.h>
#include <stdio.h>

static const double pi = 3.141592653589793;

typedef struct scene_of_solids {
    double step, friction;
    cdg_vec3 gravity;
    bool has_floor;
} scene_of_solids;

static cdg_result open_world(const validation_context *context, const scene_of_solids *it, cdg_world **out,
                             cdg_error *error) {
    cdg_world_def def = cdg_world_def_default();
    def.gravity = validation_spoil_gravity(context, it->gravity);
    def.step = it->step;
    def.thread_count = 1;
    cdg_result result = cdg_world_create(&def, out, error);
    if (result != CDG_OK) return result;
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = it->friction * context->factor.friction;
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    floor.shape.kind = CDG_SHAPE_PLANE;
    floor.shape.normal = vec3(0, 0, 1);
    result = cdg_world_set_contact(*out, &contact);
    if (result == CDG_OK && it->has_floor) result = cdg_world_add_obstacle(*out, &floor, NULL);
    return result;
}

static cdg_result add(const validation_context *context, cdg_world *world, const cdg_shape *shape, double resolution,
                      cdg_solid_def def, cdg_solid_id *out, cdg_error *error) {
    cdg_result result = cdg_shape_mesh(shape, resolution, &def.mesh, error);
    if (result != CDG_OK) return result;
    def.young_modulus *= context->factor.stretch;
    def.density *= context->factor.mass;
    result = cdg_world_add_solid(world, &def, out);
    cdg_mesh_free(&def.mesh);
    return validation_fail(world, result, error);
}

// Depths are measured after each step by looking at everything; what crosses lies two thicknesses deep.
static cdg_result take_steps(cdg_world *world, double duration, double step, double *deepest, cdg_error *error) {
    solid_depths *depths = solid_depths_create(world);
    cdg_result result = depths != NULL ? CDG_OK : CDG_ERROR_MEMORY;
    for (int i = 0; i < duration / step - 1e-9 && result == CDG_OK; i++) {
        result = validation_fail(world, cdg_world_step(world, NULL), error);
        if (result == CDG_OK) *deepest = fmax(*deepest, solid_depths_measure(depths, world, 1).depth);
    }
    solid_depths_free(depths);
    return result;
}

static cdg_solid_state state_of(const cdg_world *world, cdg_solid_id id) {
    cdg_solid_state state = {0};
    (void)cdg_solid_get_state(world, id, &state);
    return state;
}

// ---- slope ----------------------------------------------------------------------------------------------------------

static cdg_result slope(validation_context *context, double friction, cdg_error *error) {
    const double angle = 0.3, g = 10;
    scene_of_solids it = {
        .step = 1e-2, .friction = friction, .gravity = {g * sin(angle), 0, -g * cos(angle)}, .has_floor = true};
    cdg_world *world = NULL;
    cdg_solid_id id = {0};
    cdg_shape box = {.kind = CDG_SHAPE_BOX, .size = {0.1, 0.1, 0.1}, .orientation = {1, 0, 0, 0}};
    cdg_solid_def def = cdg_solid_def_default();
    def.young_modulus = 1e5, def.poisson_ratio = 0.35, def.damping_time = 2e-3;
    def.position = vec3(0, 0, 0.0526);
    double deepest = 0;
    cdg_result result = open_world(context, &it, &world, error);
    if (result == CDG_OK) result = add(context, world, &box, 0.05, def, &id, error);
    if (result == CDG_OK) result = take_steps(world, 1, it.step, &deepest, error);
    cdg_solid_state before = state_of(world, id);
    bool sticks = friction > tan(angle);
    double duration = !sticks ? 0.5 : context->is_quick ? 2 : 10;
    if (result == CDG_OK) result = take_steps(world, duration, it.step, &deepest, error);
    cdg_solid_state after = state_of(world, id);
    cdg_world_destroy(world);
    if (result != CDG_OK) return result;
    if (sticks)
        validation_add_limit(context, "block on a slope, friction 0.5: creep in 10 s (quick: 2 s)", "m",
                             vec3_distance(after.center, before.center), 1e-6);
    else
        validation_add_relative(context, "block on a slope, friction 0.1: acceleration", "m/s^2",
                                (after.velocity.x - before.velocity.x) / duration,
                                g * (sin(angle) - friction * cos(angle)), 0.01);
    validation_add_limit(context, sticks ? "depth, sticking" : "depth, sliding", "of the thickness", deepest, 1e-3);
    return CDG_OK;
}

// ---- stack ----------------------------------------------------------------------------------------------------------

// N, of all contacts with obstacles.
static double force_on_floor(const cdg_world *world) {
    double sum = 0;
    for (size_t i = 0; i < cdg_world_contact_count(world); i++) {
        cdg_contact_info info;
        if (cdg_world_contact_at(world, i, &info) == CDG_OK && info.obstacle.index1 != 0) sum += info.force.z;
    }
    return sum;
}

static cdg_result stack(validation_context *context, cdg_error *error) {
    enum { BLOCKS = 10 };
    const double height = 0.1, cell = 0.1, gap = 0.1005 * cell;
    scene_of_solids it = {.step = 1e-2, .friction = 0.5, .gravity = {0, 0, -10}, .has_floor = true};
    cdg_world *world = NULL;
    cdg_solid_id ids[BLOCKS];
    cdg_shape box = {.kind = CDG_SHAPE_BOX, .size = {0.2, 0.2, height}, .orientation = {1, 0, 0, 0}};
    double deepest = 0, away = 0, duration = validation_by_level(context, 0.5, 6, 60);
    cdg_result result = open_world(context, &it, &world, error);
    for (int i = 0; i < BLOCKS && result == CDG_OK; i++) {
        cdg_solid_def def = cdg_solid_def_default();
        def.young_modulus = 1e6, def.poisson_ratio = 0.35, def.damping_time = 2e-3;
        def.position = vec3(0.003 * (i % 3), 0.002 * (i % 2), 0.5 * height + 0.5 * gap + i * (height + gap));
        result = add(context, world, &box, cell, def, &ids[i], error);
    }
    cdg_vec3 start = result == CDG_OK ? state_of(world, ids[BLOCKS - 1]).center : vec3(0, 0, 0);
    for (int i = 0; i < 20 && result == CDG_OK; i++) {
        result = take_steps(world, duration / 20, it.step, &deepest, error);
        cdg_vec3 top = state_of(world, ids[BLOCKS - 1]).center;
        away = fmax(away, hypot(top.x - start.x, top.y - start.y));
        validation_progress(context, 0.1 + 0.3 * i / 20);
    }
    // Each block is pressed by what stands on it and half of itself: the stack sinks by rho g H^2/(2 E), after it has
    // closed the gaps that it starts with, beyond twice the thickness of a twentieth of a cell.
    double expected = 1000 * 10 * 0.95 * 0.95 / 2e6 + (BLOCKS - 0.5) * (gap - 0.1 * cell);
    double sunk = result == CDG_OK ? start.z - state_of(world, ids[BLOCKS - 1]).center.z : 0;
    double carried = result == CDG_OK ? force_on_floor(world) : 0;
    cdg_world_destroy(world);
    if (result != CDG_OK) return result;
    char label[VALIDATION_TEXT_SIZE];
    snprintf(label, sizeof label, "stack of ten, %g s: its top sways by", duration);
    validation_add_limit(context, label, "m", away, 5e-3);
    validation_add_relative(context, "stack of ten, its top sinks by", "m", sunk, expected, 0.08);
    validation_add_relative(context, "stack of ten, force on the floor", "N", carried,
                            BLOCKS * 1000 * 0.2 * 0.2 * height * 10, 0.01);
    validation_add_limit(context, "depth in the stack", "of the thickness", deepest, 1e-3);
    return CDG_OK;
}

// ---- arch -----------------------------------------------------------------------------------------------------------

// Three blocks fall on it, one after the other, left of, on and right of its top, each as heavy as a third of a wedge.
static cdg_result strike(const validation_context *context, cdg_world *world, double step, double *deepest,
                         cdg_error *error) {
    cdg_shape box = {.kind = CDG_SHAPE_BOX, .size = {0.03, 0.03, 0.03}, .orientation = {1, 0, 0, 0}};
    cdg_result result = CDG_OK;
    for (int i = 0; i < 3 && result == CDG_OK; i++) {
        cdg_solid_def def = cdg_solid_def_default();
        cdg_solid_id id = {0};
        def.young_modulus = 20e3, def.poisson_ratio = 0.35, def.density = 100, def.damping_time = 5e-3;
        def.position = vec3(0.03 * (i - 1), 0, 0.2), def.velocity = vec3(0, 0, -1);
        result = add(context, world, &box, 0.015, def, &id, error);
        if (result == CDG_OK) result = take_steps(world, 0.5, step, deepest, error);
        if (result == CDG_OK) result = validation_fail(world, cdg_world_remove_solid(world, id), error);
    }
    return result;
}

static cdg_result arch(validation_context *context, double friction, cdg_error *error) {
    enum { WEDGES = 9 };
    const double inner = 0.1, outer = 0.15, gap = 1.76e-3, share = pi / WEDGES, out = gap / (2 * sin(share / 2));
    scene_of_solids it = {.step = 1e-2, .friction = friction, .gravity = {0, 0, -9.81}, .has_floor = true};
    cdg_world *world = NULL;
    cdg_solid_id ids[WEDGES];
    cdg_shape wedge = {.kind = CDG_SHAPE_WEDGE,
                       .radius = outer,
                       .inner_radius = inner,
                       .length = 0.04,
                       .angle = share,
                       .orientation = {1, 0, 0, 0}};
    bool stands = friction > 0.5;
    double deepest = 0, duration = stands ? validation_by_level(context, 0.3, 6, 60) : 0.25;
    cdg_result result = open_world(context, &it, &world, error);
    for (int i = 0; i < WEDGES && result == CDG_OK; i++) {
        cdg_solid_def def = cdg_solid_def_default();
        double angle = -pi / 2 + (i + 0.5) * share;
        def.young_modulus = 20e3, def.poisson_ratio = 0.35, def.density = 100, def.damping_time = 5e-3;
        def.position = vec3(out * sin(angle), 0, out * cos(angle));
        def.orientation = quat_from_axis_angle(vec3(0, 1, 0), angle);
        result = add(context, world, &wedge, 0.02, def, &ids[i], error);
    }
    double top = result == CDG_OK ? state_of(world, ids[WEDGES / 2]).center.z : 0;
    if (result == CDG_OK) result = take_steps(world, duration, it.step, &deepest, error);
    double fall = result == CDG_OK ? top - state_of(world, ids[WEDGES / 2]).center.z : 0, struck = 0;
    if (result == CDG_OK && stands && !context->is_quick) {
        result = strike(context, world, it.step, &deepest, error);
        struck = result == CDG_OK ? top - state_of(world, ids[WEDGES / 2]).center.z : 0;
    }
    cdg_world_destroy(world);
    if (result != CDG_OK) return result;
    if (stands) {
        char label[VALIDATION_TEXT_SIZE];
        snprintf(label, sizeof label, "arch, friction 0.95: its top has sunk in %g s by", duration);
        validation_add_limit(context, label, "m", fall, 5e-3);
        if (!context->is_quick)
            validation_add_limit(context, "arch, friction 0.95: the same after three blocks have struck it", "m",
                                 struck, 5e-3);
    } else {
        validation_add_limit(context, "arch, friction 0.2: its top has fallen in 0.25 s to", "m", top - fall, 0.06);
    }
    validation_add_limit(context, stands ? "depth in the standing arch" : "depth in the falling arch",
                         "of the thickness", deepest, 1e-3);
    return CDG_OK;
}

static cdg_result standing_arch(validation_context *context, cdg_error *error) { return arch(context, 0.95, error); }
static cdg_result falling_arch(validation_context *context, cdg_error *error) { return arch(context, 0.2, error); }
static cdg_result sticking_block(validation_context *context, cdg_error *error) { return slope(context, 0.5, error); }
static cdg_result sliding_block(validation_context *context, cdg_error *error) { return slope(context, 0.1, error); }

// ---- collisions -----------------------------------------------------------------------------------------------------

static double largest_component(cdg_vec3 a) { return fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z))); }

static cdg_result collide(validation_context *context, cdg_solid_integrator integrator, const char *name, double step,
                          cdg_error *error) {
    scene_of_solids it = {.step = step, .friction = 0.3};
    cdg_world *world = NULL;
    cdg_shape box = {.kind = CDG_SHAPE_BOX, .size = {0.1, 0.1, 0.1}, .orientation = {1, 0, 0, 0}};
    double deepest = 0;
    cdg_result result = open_world(context, &it, &world, error);
    for (int i = 0; i < 2 && result == CDG_OK; i++) {
        cdg_solid_def def = cdg_solid_def_default();
        cdg_solid_id id;
        def.integrator = integrator;
        def.young_modulus = 1e5, def.poisson_ratio = 0.35, def.damping_time = 2e-3;
        def.position = i == 0 ? vec3(-0.08, 0, 0) : vec3(0.08, 0.03, 0.02);
        def.velocity = i == 0 ? vec3(2, 0, 0) : vec3(-1, 0.2, 0);
        result = add(context, world, &box, 0.05, def, &id, error);
    }
    cdg_vec3 linear[2], angular[2];
    if (result == CDG_OK) cdg_world_momentum(world, &linear[0], &angular[0]);
    if (result == CDG_OK) result = take_steps(world, 0.1, step, &deepest, error);
    if (result == CDG_OK) cdg_world_momentum(world, &linear[1], &angular[1]);
    cdg_world_destroy(world);
    if (result != CDG_OK) return result;
    char label[VALIDATION_TEXT_SIZE];
    snprintf(label, sizeof label, "linear momentum in a collision with friction, %s", name);
    validation_add_limit(context, label, "of m v", largest_component(vec3_sub(linear[1], linear[0])) / 3, 1e-12);
    snprintf(label, sizeof label, "angular momentum in a collision with friction, %s", name);
    double lost = largest_component(vec3_sub(angular[1], angular[0])) / 0.15;
    validation_add_limit(context, label, "of m v edge", lost, 1e-10);
    return CDG_OK;
}

static cdg_result collisions(validation_context *context, cdg_error *error) {
    cdg_result result = collide(context, CDG_SOLID_EXPLICIT, "explicit", 5e-4, error);
    if (result == CDG_OK) result = collide(context, CDG_SOLID_EULER, "euler", 2e-3, error);
    if (result == CDG_OK) result = collide(context, CDG_SOLID_BDF2, "bdf2", 2e-3, error);
    if (result == CDG_OK) result = collide(context, CDG_SOLID_BDF2, "bdf2, a quarter of the step", 5e-4, error);
    return result;
}

// ---- throws ---------------------------------------------------------------------------------------------------------

static cdg_vec3 node_of(const cdg_solid_view *view, uint32_t node) {
    return vec3(view->position[0][node], view->position[1][node], view->position[2][node]);
}

// Whether a node of one solid lies in a tetrahedron of another.
static bool is_in(const cdg_world *world, cdg_solid_id inner, cdg_solid_id outer) {
    cdg_solid_view nodes, cells;
    cdg_solid_info one, other;
    (void)cdg_solid_get_view(world, inner, &nodes), (void)cdg_solid_get_view(world, outer, &cells);
    (void)cdg_solid_get_info(world, inner, &one), (void)cdg_solid_get_info(world, outer, &other);
    for (uint32_t i = 0; i < one.node_count; i++)
        for (size_t t = 0; t < other.tetrahedron_count; t++) {
            cdg_vec3 p[4], x = node_of(&nodes, i);
            for (int k = 0; k < 4; k++) p[k] = node_of(&cells, other.tetrahedra[t][k]);
            bool is_inside = true;
            for (int k = 0; k < 4 && is_inside; k++) { // on the same side of each face as the corner opposite it
                cdg_vec3 a = p[(k + 1) % 4],
                         normal = vec3_cross(vec3_sub(p[(k + 2) % 4], a), vec3_sub(p[(k + 3) % 4], a));
                is_inside = vec3_dot(normal, vec3_sub(x, a)) * vec3_dot(normal, vec3_sub(p[k], a)) > 0;
            }
            if (is_inside) return true;
        }
    return false;
}

// A block is thrown at the middle of another, up to 100 edges a step; both are free.
typedef struct throw_case {
    double step;
    cdg_vec3 way;
    cdg_solid_def blocks[2];
    // what came of it
    cdg_result result;
    cdg_error error;
    bool is_hit, is_through; // through: it did not push the other one, though it must have met it, or they end in it
    double deepest;
} throw_case;

static const double throw_edge = 0.05, throw_speed = 5; // m, m/s

static void draw_throw(cdg_random *random, throw_case *out) {
    *out = (throw_case){.step = throw_edge / throw_speed * pow(10, random_in(random, -1, 2))};
    out->way = vec3_normalize(random_vec3(random, 1));
    for (int i = 0; i < 2; i++) {
        cdg_solid_def *def = &out->blocks[i];
        *def = cdg_solid_def_default();
        def->young_modulus = 1e5, def->poisson_ratio = 0.35, def->damping_time = 2e-3;
        def->orientation = quat_normalize(quat(random_in(random, -1, 1), random_in(random, -1, 1),
                                               random_in(random, -1, 1), random_in(random, 0.1, 1)));
        def->angular_velocity = random_vec3(random, fmin(20, 0.3 / out->step));
        if (i == 0) continue;
        def->position = vec3_add(vec3_scale(-0.25 - random_in(random, 0, 1) * throw_speed * out->step, out->way),
                                 random_vec3(random, 0.02));
        def->velocity = vec3_scale(throw_speed, out->way);
    }
}

static void run_throw(const validation_context *context, throw_case *it) {
    scene_of_solids scene = {.step = it->step, .friction = 0.3};
    cdg_world *world = NULL;
    cdg_shape box = {.kind = CDG_SHAPE_BOX, .size = {0.1, 0.1, 0.1}, .orientation = {1, 0, 0, 0}};
    cdg_solid_id ids[2];
    cdg_result result = open_world(context, &scene, &world, &it->error);
    for (int i = 0; i < 2 && result == CDG_OK; i++)
        result = add(context, world, &box, throw_edge, it->blocks[i], &ids[i], &it->error);
    int steps = 3 + (int)(0.4 / (throw_speed * it->step));
    if (result == CDG_OK) result = take_steps(world, steps * it->step, it->step, &it->deepest, &it->error);
    if (result == CDG_OK) {
        it->is_hit = vec3_dot(state_of(world, ids[0]).velocity, it->way) > 0.05 * throw_speed;
        it->is_through = !it->is_hit || is_in(world, ids[0], ids[1]) || is_in(world, ids[1], ids[0]);
    }
    cdg_world_destroy(world);
    it->result = result;
}

enum { THROWS_AT_ONCE = 20 };

typedef struct throws_work {
    const validation_context *context;
    throw_case cases[THROWS_AT_ONCE];
} throws_work;

static void run_one(void *user, size_t index, int thread) {
    (void)thread;
    throws_work *work = user;
    run_throw(work->context, &work->cases[index]);
}

// Throws do not know of each other: as many at once as there are cores.
static cdg_result throws(validation_context *context, cdg_error *error) {
    int count = (int)validation_by_level(context, 5, 60, 1000), hits = 0, through = 0, first = -1;
    double deepest = 0;
    cdg_random random = {2026};
    throws_work work = {.context = context};
    for (int done = 0; done < count;) {
        int now = count - done < THROWS_AT_ONCE ? count - done : THROWS_AT_ONCE;
        for (int i = 0; i < now; i++) draw_throw(&random, &work.cases[i]);
        int threads = context->thread_count > 0 ? context->thread_count : cdg_parallel_default_threads();
        cdg_parallel_for((size_t)now, threads, run_one, &work);
        for (int i = 0; i < now; i++, done++) {
            const throw_case *it = &work.cases[i];
            if (it->result != CDG_OK) {
                if (error != NULL)
                    snprintf(error->message, sizeof error->message, "throw %d: %.400s", done, it->error.message);
                return it->result;
            }
            if (it->is_through && first < 0) first = done;
            hits += it->is_hit, through += it->is_through;
            deepest = fmax(deepest, it->deepest);
        }
        validation_progress(context, 0.7 + 0.3 * done / count);
    }
    char label[VALIDATION_TEXT_SIZE];
    snprintf(label, sizeof label, "throws of a block at another, %d: through", count);
    if (first >= 0) snprintf(label, sizeof label, "throws of a block at another, through, the first of them %d", first);
    validation_add_limit(context, label, "", through, 0);
    validation_add_information(context, "throws that hit", "of all", (double)hits / count);
    validation_add_limit(context, "depth in throws", "of the thickness", deepest, 1e-3);
    return CDG_OK;
}

cdg_result validate_solid_contact(validation_context *context, cdg_error *error) {
    cdg_result (*const parts[])(validation_context *, cdg_error *) = {
        sliding_block, sticking_block, falling_arch, standing_arch, collisions, stack, throws};
    const size_t count = sizeof parts / sizeof *parts;
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < count && result == CDG_OK && !validation_is_decided(context); i++)
        result = parts[i](context, error);
    return result;
}
