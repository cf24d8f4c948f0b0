// Contact of rods that are welded to free bodies: momentum, weight, how well the answer is foreseen, continuation, and
// who is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"
#include "rounds.h"
#include "small_world.h"
#include "world/world.h"

enum { ELEMENTS = 12 };

static const cdg_model models[] = {CDG_MODEL_DER, CDG_MODEL_POBD, CDG_MODEL_GALPHA, CDG_MODEL_REFERENCE};

static cdg_world *make_world(cdg_vec3 gravity, double step, int threads) {
    cdg_world_def def = cdg_world_def_default();
    cdg_world *world = NULL;
    def.gravity = gravity;
    def.step = step;
    def.thread_count = threads;
    must(NULL, cdg_world_create(&def, &world, NULL));
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = 0.3;
    must(world, cdg_world_set_contact(world, &contact));
    return world;
}

static cdg_rod_def rod_of(cdg_model model, const char *name, cdg_vec3 from, cdg_vec3 to, double young_modulus) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = model;
    def.name = name;
    def.der.tolerance = 1e-12;
    def.galpha.tolerance = 1e-11;
    def.element_count = ELEMENTS;
    def.centerline.line.from = from;
    def.centerline.line.to = to;
    def.section.radius = 5e-3;
    def.material.young_modulus = young_modulus;
    def.material.damping_bend = def.material.damping_stretch = 2e-3;
    return def;
}

static cdg_body_id weld_ball(cdg_world *world, cdg_rod_id rod, size_t node, double mass, cdg_vec3 position,
                             cdg_vec3 velocity) {
    cdg_body_def ball = cdg_body_def_default();
    cdg_body_id id;
    ball.shape.radius = 0.02, ball.density = 0, ball.mass = mass;
    ball.shape.position = position, ball.velocity = velocity;
    ball.is_ghost = true;
    must(world, cdg_world_add_body(world, &ball, &id));
    must(world, cdg_world_add_weld(world, &(cdg_weld_def){{rod, CDG_PLACE_NODE, node}, id}, NULL));
    return id;
}

static void run(cdg_world *world, int steps) {
    for (int i = 0; i < steps; i++) must(world, cdg_world_step(world, NULL));
}

// A rod with a ball at each end, light beside it or heavy.
static cdg_rod_id add_dumbbell(cdg_world *world, cdg_rod_def *def, double mass, cdg_vec3 velocity) {
    cdg_rod_id rod;
    def->velocity = velocity;
    must(world, cdg_world_add_rod(world, def, &rod));
    weld_ball(world, rod, 0, mass, def->centerline.line.from, velocity);
    weld_ball(world, rod, ELEMENTS, mass, def->centerline.line.to, velocity);
    return rod;
}

// One flies across another in space, near an end: what one loses the other gains, and they do not pass through each
// other, whether balls are light or heavy beside their rods.
static void collisions_keep_momentum(void **state) {
    (void)state;
    for (int m = 0; m < 2; m++)
        for (int heavy = 0; heavy < 2; heavy++) {
            cdg_world *world = make_world(vec3(0, 0, 0), 2e-3, 1);
            cdg_rod_def a = rod_of(models[m], "a", vec3(-0.4, 0, 0), vec3(0.4, 0, 0), 1e8);
            cdg_rod_def b = rod_of(models[m], "b", vec3(0.33, -0.4, 0.03), vec3(0.33, 0.4, 0.03), 1e8);
            double mass = heavy ? 0.5 : 5e-3;
            add_dumbbell(world, &a, mass, vec3(0, 0, 0));
            add_dumbbell(world, &b, mass, vec3(0, 0.1, -1));
            cdg_vec3 p0, l0, p, l, x[ELEMENTS + 1];
            cdg_world_momentum(world, &p0, &l0);
            size_t touched = 0;
            for (int i = 0; i < 40; i++) {
                run(world, 1);
                touched += cdg_world_contact_count(world) > 0;
                assert_true(cdg_world_deepest_contact(world) < 1e-3);
                cdg_world_momentum(world, &p, &l);
                assert_vec3_near(p, p0, 1e-8 * vec3_norm(p0));
                assert_vec3_near(l, l0, 0.05 * vec3_norm(l0));
            }
            assert_true(touched > 0);
            must(world, cdg_rod_velocities(world, (cdg_rod_id){1, 1}, x));
            assert_true(x[ELEMENTS / 2].z < -0.01); // the first one was set in motion
            cdg_world_destroy(world);
        }
}

static void add_bar(cdg_world *world, double x) {
    cdg_obstacle_def bar = cdg_obstacle_def_default();
    bar.shape.kind = CDG_SHAPE_CAPSULE, bar.shape.radius = 0.05, bar.shape.length = 1;
    bar.shape.position = vec3(x, 0, 0);
    bar.shape.orientation = quat_exp(vec3(1.5707963267948966, 0, 0)); // along y
    bar.friction = 0.5;
    must(world, cdg_world_add_obstacle(world, &bar, NULL));
}

// Let down on a bar it comes to rest, if there is something to damp it, and weighs what rod and balls weigh.
static void a_dumbbell_on_a_bar_weighs_what_it_does(void **state) {
    (void)state;
    const size_t count = ROUNDS_LESS > 1 ? 2 : 4; // the sanitizers take a minute over the last two
    for (size_t m = 0; m < count; m++) {
        cdg_world *world = make_world(vec3(0, 0, -9.81), 5e-3, 1);
        cdg_rod_def def = rod_of(models[m], "r", vec3(-0.4, 0, 0.056), vec3(0.4, 0, 0.056), 1e9);
        def.material.damping_bend = 0.1;
        cdg_rod_id rod = add_dumbbell(world, &def, 0.02, vec3(0, 0, 0));
        add_bar(world, 0);
        run(world, m < 2 ? 120 : 60);
        cdg_vec3 force, mean = {0, 0, 0};
        for (int i = 0; i < 20; i++) {
            run(world, 1);
            must(world, cdg_rod_contact_force(world, rod, &force, NULL));
            mean = vec3_mad(mean, 1.0 / 20, force);
        }
        cdg_rod_info info;
        must(world, cdg_rod_get_info(world, rod, &info));
        double weight = 9.81 * (info.mass + 2 * 0.02);
        assert_near(mean.z, weight, 0.02 * weight);
        assert_near(mean.x, 0, 0.02 * weight);
        cdg_world_destroy(world);
    }
}

// Contact foresees what its forces do: the answer of a stiff rod, with balls that are next to nothing, is far from that
// of a rod whose ends stand still, and contact would have to grope for it.
static void the_answer_is_foreseen(void **state) {
    (void)state;
    for (int m = 0; m < 2; m++)
        for (int light = 0; light < 2; light++) {
            cdg_world *world = make_world(vec3(0, 0, -9.81), 5e-3, 1);
            cdg_rod_def def = rod_of(models[m], "r", vec3(-0.4, 0, 0.2), vec3(0.4, 0, 0.2), 200e9);
            add_dumbbell(world, &def, light ? 1e-4 : 1, vec3(0, 0, 0));
            add_bar(world, 0.3);
            int most = 0;
            for (int i = 0; i < 60; i++) {
                cdg_step_report report;
                must(world, cdg_world_step(world, &report));
                if (world->contact_outcome.rounds > most) most = world->contact_outcome.rounds;
                assert_true(report.deepest < 0.02); // as deep as the rod without balls
                assert_int_equal(report.contact_halvings, 0);
            }
            assert_true(most >= 2); // it did touch
            assert_true(most <= 6);
            cdg_world_destroy(world);
        }
}

// Rods that are welded to one place of one body lie in each other there, which is nobody's fault; and what is saved in
// the middle goes on to the same bits, with any number of threads.
static void rods_on_one_hub(void **state) {
    (void)state;
    double *end[2] = {NULL, NULL};
    size_t size = 0;
    for (int n = 0; n < 2; n++) {
        cdg_world *world = make_world(vec3(0, 0, -9.81), 2e-3, 1 + n);
        const cdg_vec3 ends[3] = {{0.4, 0, 0.2}, {-0.2, 0.35, 0.2}, {-0.2, -0.35, 0.2}};
        cdg_rod_id rods[3];
        const char *const names[3] = {"a", "b", "c"};
        for (int i = 0; i < 3; i++) {
            cdg_rod_def def = rod_of(CDG_MODEL_DER, names[i], vec3(0, 0, 0.2), ends[i], 1e9);
            must(world, cdg_world_add_rod(world, &def, &rods[i]));
        }
        cdg_body_id hub = weld_ball(world, rods[0], 0, 0.05, vec3(0, 0, 0.2), vec3(0, 0, 0));
        for (int i = 1; i < 3; i++)
            must(world, cdg_world_add_weld(world, &(cdg_weld_def){{rods[i], CDG_PLACE_NODE, 0}, hub}, NULL));
        weld_ball(world, rods[0], ELEMENTS, 0.02, ends[0], vec3(0, 0, 0));
        add_bar(world, 0.2);
        size = cdg_world_snapshot_size(world);
        double *saved = malloc(size * sizeof *saved);
        end[n] = malloc(size * sizeof *end[n]);
        run(world, 95);
        assert_true(cdg_world_contact_count(world) > 0);
        must(world, cdg_world_snapshot_save(world, saved));
        run(world, 20);
        must(world, cdg_world_snapshot_save(world, end[n]));
        must(world, cdg_world_snapshot_load(world, saved));
        run(world, 20);
        must(world, cdg_world_snapshot_save(world, saved));
        assert_memory_equal(saved, end[n], size * sizeof *saved);
        free(saved);
        cdg_world_destroy(world);
    }
    assert_memory_equal(end[0], end[1], size * sizeof **end);
    free(end[0]);
    free(end[1]);
}

static void explicit_rods_are_refused(void **state) {
    (void)state;
    cdg_world *world = make_world(vec3(0, 0, 0), 1e-4, 1);
    cdg_rod_def def = rod_of(CDG_MODEL_CORDE, "r", vec3(0, 0, 0), vec3(1, 0, 0), 1e7);
    add_dumbbell(world, &def, 0.1, vec3(0, 0, 0));
    assert_int_equal(cdg_world_step(world, NULL), CDG_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cdg_world_message(world), "rod 'r' is welded to the free body"));
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(collisions_keep_momentum),  cmocka_unit_test(a_dumbbell_on_a_bar_weighs_what_it_does),
        cmocka_unit_test(the_answer_is_foreseen),    cmocka_unit_test(rods_on_one_hub),
        cmocka_unit_test(explicit_rods_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
