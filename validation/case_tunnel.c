// Nothing passes through anything: pairs of rods that are thrown at each other at 1 to 1,000 radii a step, of all
// models that take blows, open and closed. Each case has a number, which is its seed. (galpha's equations find no
// solution after a blow: it refuses such steps.)
//
// Open rods are pinned at their ends and thought to go on from there, straight and then back far away, one above and
// one below: so they have a linking number, too. What keeps it is measured beside depth and steps that fail.
#include "validation/case_functions.h"
#include "validation/rod_depths.h"

#include "geometry/topology.h"
#include "math/random.h"

#include <cordage/contact.h>

#include <math.h>
#include <stdio.h>

enum { STEPS = 4, CASES = 2000, CASES_QUICK = 200, CASES_EXHAUSTIVE = 10000, ADAPTIVE = 500, ADAPTIVE_QUICK = 30 };
// An open rod has a node more than elements, and four that are only thought to be there.
enum { ELEMENTS_MAX = 23, LEVELS = 3, NODES_MAX = (ELEMENTS_MAX << LEVELS) + 5 };
static const double step = 1e-3, thickness = 2e-3; // s, m

#define TUNNEL_MODEL_LIST(X)                                                                                           \
    X("corde", CORDE, CDG_MODEL_CORDE, false, 6)                                                                       \
    X("der explicit", DER_EXPLICIT, CDG_MODEL_DER, false, 6)                                                           \
    X("pobd gauss_seidel", GAUSS_SEIDEL, CDG_MODEL_POBD, false, 6)                                                     \
    X("der implicit", DER_IMPLICIT, CDG_MODEL_DER, true, 2)                                                            \
    X("pobd direct", DIRECT, CDG_MODEL_POBD, true, 2)

static const struct {
    const char *name;
    validation_model row_model;
    cdg_model model;
    bool is_implicit;
    int share; // how often it comes
} models[] = {
#define TUNNEL_MODEL(name, row, model, is_implicit, share) {name, VALIDATION_##row, model, is_implicit, share},
    TUNNEL_MODEL_LIST(TUNNEL_MODEL)
#undef TUNNEL_MODEL
};
enum { MODELS = sizeof models / sizeof *models };

typedef enum shape { LINKED_RINGS, RINGS_APART, RING_ON_CORD, CROSSED_CORDS, SHAPES } shape;

static int choose_model(cdg_random *random) {
    int sum = 0, at;
    for (int i = 0; i < MODELS; i++) sum += models[i].share;
    at = (int)(random_unit(random) * sum);
    for (int i = 0; i < MODELS; i++) {
        at -= models[i].share;
        if (at < 0) return i;
    }
    return 0;
}

static cdg_rod_def make_rod(const char *name, int model, double radius, size_t elements) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = name;
    def.model = models[model].model;
    def.pobd.solver = models[model].is_implicit ? CDG_POBD_DIRECT : CDG_POBD_GAUSS_SEIDEL;
    def.pobd.iterations = models[model].is_implicit ? 10 : 30;
    def.der.integrator = models[model].is_implicit ? CDG_DER_IMPLICIT : CDG_DER_EXPLICIT;
    def.material.young_modulus = 1e4;
    def.section.radius = radius;
    def.element_count = elements;
    def.rest.kind = CDG_REST_INITIAL;
    return def;
}

static void make_ring(cdg_rod_def *def, cdg_vec3 center, cdg_vec3 axis, double size) {
    def->centerline.kind = CDG_CENTERLINE_CIRCLE;
    def->centerline.closed = true;
    def->centerline.circle.center = center;
    def->centerline.circle.axis = axis;
    def->centerline.circle.radius = size;
}

static void make_cord(cdg_rod_def *def, cdg_vec3 middle, cdg_vec3 direction, double half) {
    def->centerline.kind = CDG_CENTERLINE_LINE;
    def->centerline.line.from = vec3_mad(middle, -half, direction);
    def->centerline.line.to = vec3_mad(middle, half, direction);
}

typedef struct meeting {
    cdg_rod_def rods[2];
    int model[2];
    bool is_open[2];
    double friction, restitution, speed; // speed: radii a step
} meeting;

static cdg_vec3 random_direction(cdg_random *random) { return quat_rotate(random_rotation(random), vec3(1, 0, 0)); }

// Rings are 20 radii wide, cords 800 long. What is thrown at a cord hardly moves along it, or it would leave it.
static meeting make_meeting(int number) {
    cdg_random random = {(uint64_t)number};
    meeting it = {.friction = random_unit(&random) < 0.5 ? 0 : 0.3,
                  .restitution = random_unit(&random) < 0.8 ? 0 : 0.5};
    shape kind = (shape)(random_unit(&random) * SHAPES);
    it.model[0] = choose_model(&random);
    it.model[1] = random_unit(&random) < 0.7 ? it.model[0] : choose_model(&random);
    it.is_open[0] = kind == CROSSED_CORDS || kind == RING_ON_CORD;
    it.is_open[1] = kind == CROSSED_CORDS;
    double r = thickness, other = r * random_in(&random, 0.5, 1.5), sum = r + other;
    size_t elements[2] = {8 + (size_t)(random_unit(&random) * (ELEMENTS_MAX - 7)),
                          8 + (size_t)(random_unit(&random) * (ELEMENTS_MAX - 7))};
    it.rods[0] = make_rod("a", it.model[0], r, elements[0]);
    it.rods[1] = make_rod("b", it.model[1], other, elements[1]);
    it.speed = pow(10, random_in(&random, 0, 3));
    double speed = it.speed * fmin(r, other) / step, ring = 20 * r, half = 400 * r;
    cdg_vec3 direction = random_direction(&random), x = {1, 0, 0};
    switch (kind) {
    case LINKED_RINGS:
        make_ring(&it.rods[0], vec3(0, 0, 0), vec3(0, 0, 1), ring);
        make_ring(&it.rods[1], vec3(ring, 0, 0), vec3(0, 1, 0), ring);
        break;
    case RINGS_APART: {
        cdg_vec3 across = vec3_normalize(vec3_cross(direction, random_direction(&random)));
        make_ring(&it.rods[0], vec3(0, 0, 0), random_direction(&random), ring);
        double apart = 2 * ring + 2 * sum + random_in(&random, 0, 10) * r;
        cdg_vec3 center = vec3_mad(vec3_scale(-apart, direction), random_in(&random, 0, 1.5 * ring), across);
        make_ring(&it.rods[1], center, random_direction(&random), ring);
        break;
    }
    case RING_ON_CORD:
        make_cord(&it.rods[0], vec3(0, 0, 0), x, half);
        make_ring(&it.rods[1], vec3(random_in(&random, -0.2, 0.2) * half, 0, 0), vec3(1, 0.5, 0), 0.5 * ring);
        direction.x = 0;
        direction = vec3_normalize(direction);
        break;
    case CROSSED_CORDS:
    case SHAPES: {
        double angle = random_in(&random, 0.5, 2.6);
        make_cord(&it.rods[0], vec3(0, 0, 0), x, half);
        cdg_vec3 middle = {random_in(&random, -0.2, 0.2) * half, random_in(&random, -0.2, 0.2) * half,
                           (1 + pow(10, random_in(&random, -3, 1))) * sum};
        make_cord(&it.rods[1], middle, vec3(cos(angle), sin(angle), 0), half);
        direction = vec3(0, 0, -1);
        break;
    }
    }
    if (it.is_open[0]) {
        double aside = fmin(0.2 * half / step / STEPS, 0.3 * speed), turn = random_in(&random, 0, 6.3);
        direction =
            vec3_add(direction, vec3_scale(aside / speed, vec3(cos(turn), kind == CROSSED_CORDS ? sin(turn) : 0, 0)));
    }
    it.rods[1].velocity = vec3_scale(speed, direction);
    return it;
}

// The rod's nodes; an open one goes on straight and comes back far away, on the side that `side` says.
static cdg_result read_curve(const cdg_world *world, cdg_rod_id rod, bool is_open, double side, cdg_vec3 *out,
                             size_t *count) {
    cdg_rod_info info;
    cdg_result result = cdg_rod_get_info(world, rod, &info);
    if (result == CDG_OK && cdg_rod_node_capacity(world, rod) + 4 > NODES_MAX) result = CDG_ERROR_MEMORY;
    if (result == CDG_OK) result = cdg_rod_positions(world, rod, out);
    *count = info.node_count;
    if (result != CDG_OK || !is_open) return result;
    double far = 1e3;
    cdg_vec3 first = out[0], last = out[info.node_count - 1], along = vec3_normalize(vec3_sub(last, first));
    cdg_vec3 ahead = vec3_mad(last, far, along), behind = vec3_mad(first, -far, along);
    out[(*count)++] = ahead;
    out[(*count)++] = vec3_add(ahead, vec3(0, 0, side * far));
    out[(*count)++] = vec3_add(behind, vec3(0, 0, side * far));
    out[(*count)++] = behind;
    return CDG_OK;
}

static cdg_result find_linking(const cdg_world *world, const meeting *it, const cdg_rod_id ids[2], long *out,
                               cdg_error *error) {
    cdg_vec3 curves[2][NODES_MAX];
    size_t counts[2];
    for (int k = 0; k < 2; k++) {
        cdg_result result = read_curve(world, ids[k], it->is_open[k], k == 0 ? 1 : -1, curves[k], &counts[k]);
        if (result != CDG_OK) return validation_fail(world, result, error);
    }
    return cdg_linking_number(curves[0], counts[0], curves[1], counts[1], out, error);
}

// Whether a node lies beyond the pinned ends of the other rod: past them it may go round what is only thought to be
// there, and the linking number says nothing any more.
static cdg_result find_leaving(const cdg_world *world, const meeting *it, const cdg_rod_id ids[2], bool *out) {
    cdg_vec3 nodes[2][NODES_MAX];
    size_t counts[2];
    *out = false;
    for (int k = 0; k < 2; k++) {
        cdg_result result = read_curve(world, ids[k], false, 0, nodes[k], &counts[k]);
        if (result != CDG_OK) return result;
    }
    for (int k = 0; k < 2; k++) {
        if (!it->is_open[k]) continue;
        cdg_vec3 first = nodes[k][0], along = vec3_sub(nodes[k][counts[k] - 1], first);
        for (size_t i = 0; i < counts[1 - k]; i++) {
            double at = vec3_dot(vec3_sub(nodes[1 - k][i], first), along) / vec3_dot(along, along);
            *out = *out || !(at > 0 && at < 1);
        }
    }
    return CDG_OK;
}

static cdg_result pin_ends(cdg_world *world, cdg_rod_id rod, size_t element_count) {
    cdg_result result = CDG_OK;
    for (int k = 0; k < 2 && result == CDG_OK; k++) {
        cdg_support_def pin = {
            .kind = CDG_SUPPORT_PIN,
            .place = {.rod = rod, .kind = CDG_PLACE_NODE, .index = k == 0 ? 0 : element_count},
        };
        result = cdg_world_add_support(world, &pin, NULL);
    }
    return result;
}

static cdg_result build(const validation_context *context, meeting *it, cdg_world **out, cdg_rod_id ids[2],
                        cdg_error *error) {
    cdg_world_def def = cdg_world_def_default();
    def.gravity = (cdg_vec3){0, 0, 0};
    def.step = step;
    def.thread_count = 1;
    cdg_result result = cdg_world_create(&def, out, error);
    if (result != CDG_OK) return result;
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = it->friction;
    contact.restitution = it->restitution;
    result = cdg_world_set_contact(*out, &contact);
    for (int k = 0; k < 2 && result == CDG_OK; k++) {
        result = validation_spoil_rod(context, &it->rods[k], error);
        if (result != CDG_OK) return result;
        result = cdg_world_add_rod(*out, &it->rods[k], &ids[k]);
        if (result == CDG_OK && it->is_open[k]) result = pin_ends(*out, ids[k], it->rods[k].element_count);
    }
    return validation_fail(*out, result, error);
}

// The same with rods whose resolution follows their shape, as fast as it can: what was fine does not wait.
static meeting make_adaptive(int number) {
    meeting it = make_meeting(number);
    for (int k = 0; k < 2; k++) {
        it.rods[k].adapt.is_on = models[it.model[k]].row_model != VALIDATION_DER_EXPLICIT;
        it.rods[k].adapt.levels = LEVELS;
        it.rods[k].adapt.hold = 0;
    }
    return it;
}

typedef struct meeting_outcome {
    bool fails, passes; // a step is refused; the linking number changes
    bool leaves;        // goes beyond the end of a cord; its linking number counts until then
    double deepest;     // radii, after any step
} meeting_outcome;

static cdg_result run_meeting(const validation_context *context, meeting *it, meeting_outcome *out, cdg_error *error) {
    *out = (meeting_outcome){0};
    cdg_world *world = NULL;
    cdg_rod_id ids[2];
    long before = 0, after = 0;
    cdg_result result = build(context, it, &world, ids, error);
    if (result == CDG_OK) result = find_linking(world, it, ids, &before, error);
    rod_depths *depths = result == CDG_OK ? rod_depths_create(world) : NULL;
    if (result == CDG_OK && depths == NULL) result = CDG_ERROR_MEMORY;
    for (int i = 0; i < STEPS && result == CDG_OK && !out->fails; i++) {
        out->fails = cdg_world_step(world, NULL) != CDG_OK;
        if (out->fails) validation_fail(world, CDG_ERROR_NO_CONVERGENCE, error);
        out->deepest = fmax(out->deepest, rod_depths_measure(depths, world, 1 / context->factor.radius).depth);
        if (!out->leaves) result = find_leaving(world, it, ids, &out->leaves);
        if (result != CDG_OK || out->leaves) continue;
        result = find_linking(world, it, ids, &after, error);
        out->passes = out->passes || after != before;
    }
    rod_depths_free(depths);
    cdg_world_destroy(world);
    return result;
}

typedef struct tally {
    int cases, failed, passed, deep, left, first; // first: number of the first case that is not good
    double deepest;
} tally;

// Tallies of `count` cases for each model; the last is that of rods of different models.
static cdg_result run_cases(validation_context *context, bool adapts, int count, tally tallies[MODELS + 1],
                            cdg_error *error) {
    for (int i = 0; i < count; i++) {
        meeting it = adapts ? make_adaptive(i) : make_meeting(i);
        if (adapts && !it.rods[0].adapt.is_on && !it.rods[1].adapt.is_on) continue; // has been seen without
        meeting_outcome outcome;
        cdg_result result = run_meeting(context, &it, &outcome, error);
        if (result != CDG_OK) return result;
        tally *sum = &tallies[it.model[0] == it.model[1] ? it.model[0] : MODELS];
        bool is_deep = !(outcome.deepest <= 1e-3);
        if (sum->failed + sum->passed + sum->deep == 0) sum->first = i;
        sum->cases++, sum->left += outcome.leaves;
        sum->failed += outcome.fails, sum->passed += outcome.passes, sum->deep += is_deep;
        sum->deepest = fmax(sum->deepest, outcome.deepest);
        if (i % 100 == 0) validation_progress(context, (adapts ? 0.5 : 0) + 0.5 * i / count);
    }
    return CDG_OK;
}

static void add_rows(validation_context *context, const char *adapt, const tally tallies[MODELS + 1]) {
    for (int m = 0; m <= MODELS; m++) {
        const tally *sum = &tallies[m];
        if (sum->cases == 0) continue;
        validation_under(context, m < MODELS ? models[m].row_model : VALIDATION_MODEL_COUNT);
        const char *name = m < MODELS ? models[m].name : "two models";
        char label[VALIDATION_TEXT_SIZE], bad[32] = "";
        if (sum->failed + sum->passed + sum->deep > 0) snprintf(bad, sizeof bad, "; first: case %d", sum->first);
        snprintf(label, sizeof label, "passages, %s%s, %d cases, %d leave their cord%s", name, adapt, sum->cases,
                 sum->left, bad);
        validation_add_limit(context, label, "", sum->passed, 0);
        snprintf(label, sizeof label, "steps refused, %s%s", name, adapt);
        validation_add_limit(context, label, "", sum->failed, 0);
        snprintf(label, sizeof label, "deepest, %s%s", name, adapt);
        validation_add_limit(context, label, "radii", sum->deepest, 1e-3);
    }
}

cdg_result validate_tunnel(validation_context *context, cdg_error *error) {
    tally tallies[2][MODELS + 1] = {0}; // without and with resolution that changes
    for (int adapts = 0; adapts < 2; adapts++) {
        double quick = adapts ? ADAPTIVE_QUICK : CASES_QUICK, full = adapts ? ADAPTIVE : CASES;
        int cases = (int)validation_by_level(context, quick, full, CASES_EXHAUSTIVE);
        cdg_result result = run_cases(context, adapts == 1, cases, tallies[adapts], error);
        if (result != CDG_OK) return result;
    }
    add_rows(context, "", tallies[0]);
    add_rows(context, ", adapt", tallies[1]);
    return CDG_OK;
}
