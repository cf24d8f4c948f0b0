// Nothing passes through obstacles that move, however they do: plates that sweep past and there and back, paddles that
// turn up to three times in a step, presses, at 0.1 to 100 radii a step. Each case has a number, which is its seed. A
// run may stop with a sentence; it may not go on with the rod on the other side.
#include "validation/case_functions.h"

#include "math/quat.h"
#include "math/random.h"

#include <cordage/contact.h>
#include <cordage/obstacle.h>

#include <math.h>
#include <stdio.h>

enum { STEPS = 12, ELEMENTS = 10, CASES = 200, CASES_QUICK = 40, CASES_EXHAUSTIVE = 2000 };
static const double step = 1e-3, radius = 2e-3, half = 5e-3, pi = 3.141592653589793; // half: of a plate's thickness

static const struct {
    validation_model name;
    cdg_model model;
    bool is_implicit;
} models[] = {{VALIDATION_CORDE, CDG_MODEL_CORDE, false},
              {VALIDATION_DER_EXPLICIT, CDG_MODEL_DER, false},
              {VALIDATION_GAUSS_SEIDEL, CDG_MODEL_POBD, false},
              {VALIDATION_DER_IMPLICIT, CDG_MODEL_DER, true},
              {VALIDATION_DIRECT, CDG_MODEL_POBD, true}};
enum { MODELS = sizeof models / sizeof *models };

typedef enum sweep_kind { SWEEP, THERE_AND_BACK, PADDLE, PRESS } sweep_kind;

typedef struct tally {
    int passed, stopped, run;
    double deepest; // radii
} tally;

static cdg_rod_def make_rod(int model) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "rod";
    def.model = models[model].model;
    def.pobd.solver = models[model].is_implicit ? CDG_POBD_DIRECT : CDG_POBD_GAUSS_SEIDEL;
    def.der.integrator = models[model].is_implicit ? CDG_DER_IMPLICIT : CDG_DER_EXPLICIT;
    def.material.young_modulus = 1e4;
    def.section.radius = radius;
    def.centerline.line.from = (cdg_vec3){-0.05, 0.3, 0};
    def.centerline.line.to = (cdg_vec3){0.05, 0.3, 0};
    def.element_count = ELEMENTS;
    return def;
}

// The motions of a plate that lies below the rod, seen along +z. Returns how many.
static size_t make_motions(cdg_random *random, sweep_kind kind, double speed, cdg_motion out[2]) {
    double begin = random_in(random, 0.1, 2) * step, way = speed * radius * STEPS;
    out[0] = (cdg_motion){.kind = CDG_MOTION_MOVE, .from = begin, .to = STEPS * step};
    if (kind == PADDLE) {
        double turns = 0.01 * pow(300, random_unit(random)); // a step
        out[0].kind = CDG_MOTION_ROTATE;
        out[0].axis = (cdg_vec3){1, 0, 0};
        out[0].angle = 2 * pi * turns * STEPS;
        return 1;
    }
    out[0].move = (cdg_vec3){0, 0, way};
    if (kind != THERE_AND_BACK) return 1;
    double lasts = random_in(random, 0.05, 0.4) * step, back = begin + lasts * random_in(random, 1.01, 2);
    out[0].move.z = fmax(speed, 10) * radius;
    out[0].to = begin + lasts;
    out[1] = (cdg_motion){.kind = CDG_MOTION_MOVE, .move = {0, 0, -out[0].move.z}, .from = back, .to = back + lasts};
    return 2;
}

// `ceiling`: height of the lower face of a press's upper plate, m; without one, none.
static cdg_result add_plates(cdg_world *world, cdg_random *random, sweep_kind kind, double speed,
                             cdg_obstacle_id *plate, double *turn, double *ceiling) {
    cdg_motion motions[2];
    cdg_obstacle_def def = cdg_obstacle_def_default();
    def.shape.kind = CDG_SHAPE_BOX;
    def.motions = motions;
    def.motion_count = make_motions(random, kind, speed, motions);
    *turn = motions[0].angle;
    def.shape.size = kind == PADDLE ? (cdg_vec3){1, 1e-3, 1} : (cdg_vec3){2, 2, 2 * half};
    if (kind != PADDLE) def.shape.position = (cdg_vec3){0, 0.3, -half - radius * random_in(random, 1.01, 3)};
    *ceiling = HUGE_VAL;
    cdg_result result = cdg_world_add_obstacle(world, &def, plate);
    if (result != CDG_OK || kind != PRESS) return result;
    def.motion_count = 0;
    *ceiling = radius * random_in(random, 1.01, 6);
    def.shape.position.z = half + *ceiling;
    return cdg_world_add_obstacle(world, &def, NULL);
}

// How far apart the plates of a press are, m. Below two radii the rod lies in one wherever it is.
static double room_in(const cdg_world *world, cdg_obstacle_id plate, double ceiling) {
    cdg_vec3 position;
    cdg_quat orientation;
    cdg_obstacle_get_pose(world, plate, &position, &orientation);
    return ceiling - (position.z + half);
}

// How deep the rod lies in the plate below it, m; more than its thickness: it has passed.
static double depth_in(const cdg_world *world, cdg_obstacle_id plate, const cdg_vec3 *nodes) {
    cdg_vec3 position;
    cdg_quat orientation;
    cdg_obstacle_get_pose(world, plate, &position, &orientation);
    double most = -HUGE_VAL;
    for (int i = 0; i <= ELEMENTS; i++) {
        cdg_vec3 own = quat_rotate_inverse(orientation, vec3_sub(nodes[i], position));
        if (fabs(own.x) < 1 && fabs(own.y) < 1) most = fmax(most, half + radius - own.z);
    }
    return most;
}

// `turn`: of a paddle, rad.
static cdg_result watch(cdg_world *world, sweep_kind kind, double turn, double ceiling, cdg_rod_id rod,
                        cdg_obstacle_id plate, tally *sum) {
    cdg_vec3 before[ELEMENTS + 1], now[ELEMENTS + 1];
    cdg_rod_positions(world, rod, before);
    double moved = 0;
    for (int i = 0; i < STEPS; i++) {
        cdg_result result = cdg_world_step(world, NULL);
        if (result != CDG_OK) return result;
        cdg_rod_positions(world, rod, now);
        for (int k = 0; k <= ELEMENTS; k++) moved = fmax(moved, vec3_distance(before[k], now[k]));
        if (kind == PADDLE) continue;
        double depth = depth_in(world, plate, now);
        double room = room_in(world, plate, ceiling);
        if (room >= 2 * radius) sum->deepest = fmax(sum->deepest, depth / radius);
        // A press that closes on the rod must be told of, before half of the rod is in its plates.
        bool has_passed = depth > half || room < radius;
        if (has_passed) sum->passed++;
        if (has_passed) return CDG_OK;
    }
    // A paddle that has turned by more than a quarter has met the rod, which then is elsewhere.
    if (kind == PADDLE && turn > 0.6 * pi && !(moved > 0.1 * radius)) sum->passed++;
    return CDG_OK;
}

static bool run_case(const validation_context *context, uint64_t seed, tally *sums, cdg_error *error) {
    cdg_random random = {seed};
    random_bits(&random);
    sweep_kind kind = (int)(random_unit(&random) * (PRESS + 0.2)); // few presses: it takes long to find no room
    int model = (int)(random_unit(&random) * MODELS);
    double speed = 0.1 * pow(1000, random_unit(&random));
    cdg_world_def def = cdg_world_def_default();
    def.gravity = (cdg_vec3){0, 0, 0};
    def.step = step;
    def.thread_count = 1;
    cdg_world *world = NULL;
    if (cdg_world_create(&def, &world, error) != CDG_OK) return false;
    cdg_rod_def rod_def = make_rod(model);
    cdg_rod_id rod = {0};
    cdg_obstacle_id plate = {0};
    double turn = 0, ceiling = 0;
    bool is_good = validation_spoil_rod(context, &rod_def, error) == CDG_OK &&
                   cdg_world_add_rod(world, &rod_def, &rod) == CDG_OK &&
                   add_plates(world, &random, kind, speed, &plate, &turn, &ceiling) == CDG_OK;
    if (is_good) {
        sums[model].run++;
        bool has_stopped = watch(world, kind, turn, ceiling, rod, plate, &sums[model]) != CDG_OK;
        if (has_stopped && kind != PRESS) sums[model].stopped++; // a press may leave no room
    } else {
        error->code = CDG_ERROR_ARGUMENT;
        snprintf(error->message, sizeof error->message, "%s", cdg_world_message(world));
    }
    cdg_world_destroy(world);
    return is_good;
}

cdg_result validate_moving_obstacles(validation_context *context, cdg_error *error) {
    tally sums[MODELS] = {0};
    int count = (int)validation_by_level(context, CASES_QUICK, CASES, CASES_EXHAUSTIVE);
    for (int i = 0; i < count; i++)
        if (!run_case(context, (uint64_t)i + 1, sums, error)) return error->code;
    char label[VALIDATION_TEXT_SIZE];
    for (int i = 0; i < MODELS; i++) {
        const char *name = validation_model_name(models[i].name);
        validation_under(context, models[i].name);
        snprintf(label, sizeof label, "passages in %d cases, %s", sums[i].run, name);
        validation_add_limit(context, label, "", sums[i].passed, 0);
        snprintf(label, sizeof label, "deepest, %s", name);
        validation_add_limit(context, label, "radii", sums[i].deepest, 1e-3);
        snprintf(label, sizeof label, "stopped with a sentence, but for presses, %s", name);
        validation_add_limit(context, label, "of the cases", (double)sums[i].stopped / fmax(1, sums[i].run), 0.02);
    }
    return CDG_OK;
}
