// The Slinky of Kugelstadt and Schömer 2016 (figure 1), hanging by its upper end: 50 curls, 1,000 elements, a frame of
// 10 ms without contact, the paper's. The paper needs 7 ms for 50 iterations.
#include "bench/case_functions.h"
#include "bench/hanging_rod.h"

enum { CURLS = 50, ELEMENTS = 1000 };
static const double sample_seconds = 0.05, frame = 10e-3;

static cdg_result build(cdg_pobd_solver solver, int iterations, cdg_world **out, cdg_error *error) {
    cdg_world_def world_def = cdg_world_def_default();
    world_def.contact = CDG_CONTACT_OFF; // models alone
    world_def.step = frame;
    world_def.thread_count = 1;
    cdg_result result = cdg_world_create(&world_def, out, error);
    if (result != CDG_OK) return result;
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "slinky";
    def.element_count = ELEMENTS;
    def.pobd.solver = solver;
    def.pobd.integrator = CDG_POBD_EULER;
    def.pobd.iterations = iterations;
    if (solver == CDG_POBD_GAUSS_SEIDEL) def.pobd.tolerance = 0; // every iteration is carried out
    def.centerline.kind = CDG_CENTERLINE_HELIX;
    def.centerline.helix.axis = (cdg_vec3){0, 0, -1};
    def.centerline.helix.start_direction = (cdg_vec3){1, 0, 0};
    def.centerline.helix.radius = 0.034;
    def.centerline.helix.pitch = 1.43e-3;
    def.centerline.helix.turns = CURLS;
    def.rest.kind = CDG_REST_INITIAL;
    def.section.radius = 0.7e-3;
    cdg_rod_id rod = {0};
    result = cdg_world_add_rod(*out, &def, &rod);
    cdg_support_id support = {0};
    cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod, .kind = CDG_PLACE_NODE, .index = 0}};
    if (result == CDG_OK) result = cdg_world_add_support(*out, &clamp, &support);
    if (result == CDG_OK) return CDG_OK;
    hanging_rods_fail(*out, result, error);
    cdg_world_destroy(*out);
    *out = NULL;
    return result;
}

static cdg_result sample(bench_context *context, cdg_pobd_solver solver, int iterations, double done,
                         cdg_error *error) {
    cdg_world *world = NULL;
    cdg_result result = build(solver, iterations, &world, error);
    if (result != CDG_OK) return result;
    for (int i = -1; i < context->repeat; i++) { // the first warms caches and is thrown away
        double seconds = bench_time(hanging_rods_step, world, sample_seconds, &result);
        if (result != CDG_OK) {
            hanging_rods_fail(world, result, error);
            break;
        }
        if (i >= 0) bench_add_sample(context, 1e3 * seconds);
        bench_progress(context, done + 0.5 * (double)(i + 1) / (double)context->repeat);
    }
    cdg_world_destroy(world);
    return result;
}

cdg_result bench_slinky(bench_context *context, cdg_error *error) {
    bench_add_row(context, "Gauss-Seidel, 50 iterations", "ms/frame", 0.7);
    cdg_result result = sample(context, CDG_POBD_GAUSS_SEIDEL, 50, 0, error);
    if (result != CDG_OK) return result;
    bench_add_row(context, "direct, to convergence", "ms/frame", 0);
    return sample(context, CDG_POBD_DIRECT, 10, 0.5, error);
}
