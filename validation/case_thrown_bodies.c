// Nothing passes through anything: bodies of every shape and a row of cords, thrown at each other at 1 to 100 radii a
// step, under all models that take blows. Each case has a number, which is its seed.
//
// Looked for are places where, on straight ways from step to step, a body gets onto a centreline, at many moments
// and places and independent of the solver's own search; steps that were divided have other ways, and count by their
// ends alone.
#include "validation/case_functions.h"

#include "contact/obstacle.h"
#include "math/quat.h"
#include "math/random.h"

#include <math.h>
#include <stdio.h>

enum { CASES = 600, CASES_QUICK = 60, CORDS = 7, ELEMENTS = 12, STEPS = 4, MOMENTS = 60, PLACES = 12 };
static const double step = 1e-3, thickness = 2e-3, cord_length = 0.6; // s, m, m

static const struct {
    validation_model row_model;
    cdg_model model;
    bool is_implicit;
} models[] = {
    {VALIDATION_CORDE, CDG_MODEL_CORDE, false},       {VALIDATION_DER_EXPLICIT, CDG_MODEL_DER, false},
    {VALIDATION_GAUSS_SEIDEL, CDG_MODEL_POBD, false}, {VALIDATION_DER_IMPLICIT, CDG_MODEL_DER, true},
    {VALIDATION_DIRECT, CDG_MODEL_POBD, true},
};
enum { MODELS = sizeof models / sizeof *models };

typedef struct throw_def {
    int model;
    cdg_rod_def cord;
    bool is_body_thrown; // else the cords are
    double apart, friction;
    cdg_body_def body;
} throw_def;

static const cdg_vec3 corners[4] = {{-1.5, -1.2, -1.2}, {1.5, -1.2, -1.2}, {0, 1.5, -1.2}, {0, 0, 1.5}};
static uint32_t sides[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

static throw_def make_throw(int number, cdg_vec3 vertices[4]) {
    cdg_random random = {(uint64_t)number};
    throw_def it = {.model = number % MODELS, .friction = random_unit(&random) < 0.5 ? 0 : 0.4};
    double size = thickness * random_in(&random, 2, 10);
    double speed = thickness / step * pow(10, random_in(&random, 0, 2));
    it.apart = fmax(0.7 * size, 3 * thickness);
    it.is_body_thrown = random_unit(&random) < 0.7;
    it.cord = cdg_rod_def_default();
    it.cord.model = models[it.model].model;
    it.cord.pobd.solver = models[it.model].is_implicit ? CDG_POBD_DIRECT : CDG_POBD_GAUSS_SEIDEL;
    it.cord.der.integrator = models[it.model].is_implicit ? CDG_DER_IMPLICIT : CDG_DER_EXPLICIT;
    it.cord.section.radius = thickness;
    it.cord.material.young_modulus = 1e5;
    it.cord.element_count = ELEMENTS;
    it.body = cdg_body_def_default();
    it.body.shape.kind =
        (cdg_shape_kind)(CDG_SHAPE_SPHERE + (int)(random_unit(&random) * (CDG_SHAPE_MESH - CDG_SHAPE_SPHERE + 1)));
    it.body.shape.radius = size;
    it.body.shape.length = 1.5 * size;
    it.body.shape.size = vec3(2 * size, 1.5 * size, 1.7 * size);
    for (int i = 0; i < 4; i++) vertices[i] = vec3_scale(size, corners[i]);
    it.body.shape.mesh.points = vertices, it.body.shape.mesh.point_count = 4;
    it.body.shape.mesh.triangles = sides, it.body.shape.mesh.triangle_count = 4;
    it.body.density = 0;
    it.body.mass = pow(10, random_in(&random, -3, 1)); // a cord has 7 g
    it.body.shape.orientation = random_rotation(&random);
    it.body.angular_velocity = random_vec3(&random, 50);
    double clear = 3 * size + thickness + random_unit(&random) * speed * step;
    it.body.shape.position = vec3(random_in(&random, -0.1, 0.1), random_in(&random, -0.4, 0.4) * it.apart, clear);
    if (it.is_body_thrown)
        it.body.velocity = vec3(random_in(&random, -0.1, 0.1) * speed, 0, -speed);
    else
        it.cord.velocity = vec3(0, 0, speed);
    return it;
}

static cdg_result build(const validation_context *context, const throw_def *it, cdg_world **out, cdg_error *error) {
    cdg_world_def def = cdg_world_def_default();
    cdg_contact_def contact = cdg_contact_def_default();
    def.gravity = vec3(0, 0, 0);
    def.step = step;
    def.thread_count = 1;
    contact.friction = it->friction;
    cdg_result result = cdg_world_create(&def, out, error);
    if (result == CDG_OK) result = cdg_world_set_contact(*out, &contact);
    for (int k = 0; k < CORDS && result == CDG_OK; k++) {
        char name[8];
        cdg_rod_def cord = it->cord;
        cdg_rod_id rod;
        double y = it->apart * (k - 0.5 * (CORDS - 1));
        snprintf(name, sizeof name, "cord%d", k);
        cord.name = name;
        cord.centerline.line.from = vec3(-0.5 * cord_length, y, 0);
        cord.centerline.line.to = vec3(0.5 * cord_length, y, 0);
        result = validation_spoil_rod(context, &cord, error);
        if (result == CDG_OK) result = cdg_world_add_rod(*out, &cord, &rod);
        for (size_t end = 0; end < 2 && it->is_body_thrown && result == CDG_OK; end++) {
            cdg_support_def pin = {.kind = CDG_SUPPORT_PIN, .place = {rod, CDG_PLACE_NODE, end * ELEMENTS}};
            result = cdg_world_add_support(*out, &pin, NULL);
        }
    }
    if (result == CDG_OK) result = cdg_world_add_body(*out, &it->body, NULL);
    return result;
}

static cdg_result build_shape(const cdg_body_def *body, cdg_obstacle *out, cdg_error *error) {
    cdg_obstacle_def def = cdg_obstacle_def_default();
    def.shape = body->shape;
    def.shape.position = vec3(0, 0, 0), def.shape.orientation = quat(1, 0, 0, 0);
    return cdg_obstacle_build(&def, "shape", out, error);
}

typedef struct moment {
    cdg_vec3 nodes[CORDS][ELEMENTS + 1];
    cdg_pose body;
} moment;

static moment look(const cdg_world *world) {
    moment now;
    cdg_body_state state;
    for (size_t k = 0; k < CORDS; k++) cdg_rod_positions(world, cdg_world_rod_at(world, k), now.nodes[k]);
    cdg_body_get_state(world, cdg_world_body_at(world, 0), &state);
    now.body = (cdg_pose){state.position, state.orientation};
    return now;
}

static moment between(const moment *from, const moment *to, double time) {
    moment now;
    cdg_quat turn = quat_relative(from->body.orientation, to->body.orientation);
    for (int k = 0; k < CORDS; k++)
        for (int i = 0; i <= ELEMENTS; i++) now.nodes[k][i] = vec3_lerp(from->nodes[k][i], to->nodes[k][i], time);
    now.body = (cdg_pose){vec3_lerp(from->body.position, to->body.position, time),
                          quat_multiply(from->body.orientation, quat_power(turn, time))};
    return now;
}

// Least distance of all centrelines from the body's surface, negative inside.
static double distance_at(const cdg_obstacle *shape, const moment *now) {
    double least = HUGE_VAL;
    for (int k = 0; k < CORDS; k++)
        for (int j = 0; j < ELEMENTS; j++) {
            cdg_vec3 a = now->nodes[k][j], b = now->nodes[k][j + 1], middle = vec3_lerp(a, b, 0.5);
            double apart = vec3_distance(middle, now->body.position) - vec3_distance(middle, a);
            if (apart > 2 * shape->reach + 2 * thickness) continue;
            for (int i = 0; i <= PLACES; i++) {
                cdg_vec3 at = vec3_lerp(a, b, (double)i / PLACES);
                least = fmin(least, cdg_obstacle_distance(shape, &now->body, at).value);
            }
        }
    return least;
}

typedef struct tally {
    int cases, touched, divided, failed, passed, first; // first: number of the first case that is not good
    double deepest;                                     // radii, after a step
} tally;

static cdg_result run_throw(const validation_context *context, int number, tally *sum, cdg_error *error) {
    cdg_vec3 vertices[4];
    throw_def it = make_throw(number, vertices);
    cdg_world *world = NULL;
    cdg_obstacle shape = {0};
    cdg_result result = build(context, &it, &world, error);
    if (result == CDG_OK) result = build_shape(&it.body, &shape, error);
    bool is_touched = false, is_good = true;
    moment before = {0};
    if (result == CDG_OK) before = look(world);
    for (int i = 0; i < STEPS && result == CDG_OK && is_good; i++) {
        cdg_step_report report;
        if (cdg_world_step(world, &report) != CDG_OK) {
            sum->failed++, is_good = false;
            break;
        }
        moment after = look(world);
        is_touched = is_touched || report.contact_count > 0;
        sum->divided += report.contact_halvings > 0;
        sum->deepest = fmax(sum->deepest, 1 - distance_at(&shape, &after) / thickness);
        for (int m = report.contact_halvings > 0 ? MOMENTS : 1; m <= MOMENTS && is_good; m++) {
            moment now = between(&before, &after, (double)m / MOMENTS);
            is_good = distance_at(&shape, &now) > 0;
        }
        sum->passed += !is_good;
        before = after;
    }
    if (!is_good && sum->failed + sum->passed == 1) sum->first = number;
    sum->cases++, sum->touched += is_touched;
    if (result != CDG_OK && world != NULL) validation_fail(world, result, error);
    cdg_obstacle_free(&shape);
    cdg_world_destroy(world);
    return result;
}

cdg_result validate_thrown_bodies(validation_context *context, cdg_error *error) {
    int cases = context->is_quick ? CASES_QUICK : CASES;
    tally tallies[MODELS] = {0};
    for (int i = 0; i < cases; i++) {
        cdg_result result = run_throw(context, i, &tallies[i % MODELS], error);
        if (result != CDG_OK) return result;
        if (i % 20 == 0) validation_progress(context, (double)i / cases);
    }
    for (int m = 0; m < MODELS; m++) {
        const tally *sum = &tallies[m];
        const char *name = validation_model_name(models[m].row_model);
        char label[VALIDATION_TEXT_SIZE], bad[32] = "";
        validation_under(context, models[m].row_model);
        if (sum->failed + sum->passed > 0) snprintf(bad, sizeof bad, "; first: case %d", sum->first);
        snprintf(label, sizeof label, "passages, %s, %d throws, %d hit%s", name, sum->cases, sum->touched, bad);
        validation_add_limit(context, label, "", sum->touched > 0 ? sum->passed : HUGE_VAL, 0);
        snprintf(label, sizeof label, "steps refused, %s", name);
        validation_add_limit(context, label, "", sum->failed, 0);
        snprintf(label, sizeof label, "deepest, %s", name);
        validation_add_limit(context, label, "radii", sum->deepest, 1e-3);
        snprintf(label, sizeof label, "steps divided, %s", name);
        validation_add_information(context, label, "", sum->divided);
    }
    return CDG_OK;
}
