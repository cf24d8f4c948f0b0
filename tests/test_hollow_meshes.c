// Rods in hollows of meshes, where they lie against several faces at once: in a trough they slide and spin as wedges
// do, a wire is pushed round a bend of a vessel without a divided step, nothing leaves a room with rough walls.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "closed_meshes.h"
#include "contact/contact_mesh.h"
#include "contact_case.h"
#include "math/random.h"
#include "near.h"
#include "rounds.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

static const double pi = 3.141592653589793;
static const double radius = 2e-3;
static const cdg_vec3 none = {0, 0, 0};

// A grid of points, `columns` in a row, as triangles; closed: the last column is beside the first.
typedef struct sheet {
    cdg_vec3 *points;
    uint32_t (*triangles)[3];
    size_t point_count, triangle_count;
} sheet;

static sheet make_sheet(size_t rows, size_t columns, bool is_closed) {
    size_t across = is_closed ? columns : columns - 1;
    sheet s = {.point_count = rows * columns, .triangle_count = 2 * (rows - 1) * across};
    s.points = malloc(s.point_count * sizeof *s.points);
    s.triangles = malloc(s.triangle_count * sizeof *s.triangles);
    assert_true(s.points != NULL && s.triangles != NULL);
    size_t t = 0;
    for (size_t i = 0; i + 1 < rows; i++)
        for (size_t j = 0; j < across; j++) {
            uint32_t a = (uint32_t)(i * columns + j), b = (uint32_t)(i * columns + (j + 1) % columns);
            uint32_t c = a + (uint32_t)columns, d = b + (uint32_t)columns;
            const uint32_t two[2][3] = {{a, b, c}, {b, d, c}};
            memcpy(s.triangles[t], two, sizeof two);
            t += 2;
        }
    return s;
}

static void add_sheet(cdg_world *world, sheet *s) {
    cdg_obstacle_def o = cdg_obstacle_def_default();
    cdg_mesh mesh = {.points = s->points,
                     .point_count = s->point_count,
                     .triangles = s->triangles,
                     .triangle_count = s->triangle_count};
    o.shape = cdg_shape_of_mesh(&mesh);
    o.shape.is_surface = true;
    must(world, cdg_world_add_obstacle(world, &o, NULL));
    free(s->points);
    free(s->triangles);
}

// Two slopes at right angles, the bottom along x, of many triangles that are unlike each other.
static void add_trough(cdg_world *world) {
    enum { ROWS = 60, COLUMNS = 9 };
    cdg_random random = {4};
    sheet s = make_sheet(ROWS, COLUMNS, false);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            double off = 2e-3 * (j - COLUMNS / 2) + (j == COLUMNS / 2 ? 0 : random_in(&random, -4e-4, 4e-4));
            s.points[i * COLUMNS + j] = vec3(0.01 * (i - 10) + random_in(&random, -3e-3, 3e-3), off, fabs(off));
        }
    add_sheet(world, &s);
}

static cdg_rod_def rod_in_trough(cdg_model model) {
    cdg_rod_def def = contact_rod("rod", vec3(0, 0, sqrt(2) * radius), vec3(0.1, 0, sqrt(2) * radius), radius, 12);
    def.model = model;
    return def;
}

// Both walls bear N = m g cos(a) / sqrt(2), so friction is sqrt(2) times that on a plane.
static void rods_slide_down_a_trough_as_wedges(void **state) {
    (void)state;
    const cdg_model models[] = {CDG_MODEL_DER, CDG_MODEL_POBD, CDG_MODEL_GALPHA};
    const double g = 9.81, angle = 0.9, friction = 0.3, step = 5e-4;
    for (int k = 0; k < 3; k++) {
        cdg_world *world = contact_world(vec3(g * sin(angle), 0, -g * cos(angle)), step, friction, 1);
        add_trough(world);
        cdg_rod_def def = rod_in_trough(models[k]);
        cdg_rod_id rod = contact_add(world, &def);
        int halvings = 0, iterations = 0;
        cdg_vec3 before[13], after[13];
        must(world, cdg_rod_positions(world, rod, before));
        for (int i = 0; i < 400; i++) {
            cdg_step_report report;
            must(world, cdg_world_step(world, &report));
            halvings += report.contact_halvings;
            assert_int_equal(halvings, 0);
            iterations += report.contact_iterations;
            assert_true(report.deepest < 1.01e-3);
        }
        must(world, cdg_rod_positions(world, rod, after));
        double time = 400 * step, way = 0.5 * g * (sin(angle) - sqrt(2) * friction * cos(angle)) * time * time;
        for (int i = 0; i < 13; i++) {
            assert_near(after[i].x - before[i].x, way, 0.005 * way);
            assert_near(after[i].y, 0, 2e-3 * radius);
        }
        assert_true(iterations < 400 * 60);
        cdg_world_destroy(world);
    }
}

// At half of the slope that they would slide down on, nothing creeps.
static void rods_stick_in_a_trough(void **state) {
    (void)state;
    const cdg_model models[] = {CDG_MODEL_DER, CDG_MODEL_POBD};
    const double g = 9.81, friction = 0.3, angle = 0.2;
    for (int k = 0; k < 2; k++) {
        cdg_world *world = contact_world(vec3(g * sin(angle), 0, -g * cos(angle)), 5e-4, friction, 1);
        add_trough(world);
        cdg_rod_def def = rod_in_trough(models[k]);
        cdg_rod_id rod = contact_add(world, &def);
        cdg_vec3 before[13], after[13];
        contact_run(world, 100);
        must(world, cdg_rod_positions(world, rod, before));
        contact_run(world, 1000);
        must(world, cdg_rod_positions(world, rod, after));
        for (int i = 0; i < 13; i++) assert_vec3_near(after[i], before[i], 1e-6 * radius);
        cdg_world_destroy(world);
    }
}

// One wall bears more than the other, (1 + f) to (1 - f), so that both sum up to sqrt(2) m g / (1 + f^2), and the spin
// of m r^2 / 2 loses 2 sqrt(2) f g / ((1 + f^2) r) a second.
static void rods_spin_in_a_trough(void **state) {
    (void)state;
    const double g = 9.81, friction = 0.2, step = 1e-4, spin = 500, time = 0.04;
    cdg_world *world = contact_world(vec3(0, 0, -g), step, friction, 1);
    add_trough(world);
    cdg_rod_def def = rod_in_trough(CDG_MODEL_DER);
    def.der.twist = CDG_DER_TWIST_DYNAMIC;
    def.angular_velocity = vec3(spin, 0, 0);
    cdg_rod_id rod = contact_add(world, &def);
    int halvings = 0;
    for (int i = 0; i < (int)(time / step + 0.5); i++) {
        cdg_step_report report;
        must(world, cdg_world_step(world, &report));
        halvings += report.contact_halvings;
        assert_int_equal(halvings, 0);
    }
    cdg_vec3 turning[12];
    must(world, cdg_rod_angular_velocities(world, rod, turning));
    double loss = 2 * sqrt(2) * friction * g / ((1 + friction * friction) * radius) * time, mean = 0;
    for (int i = 0; i < 12; i++) mean += turning[i].z / 12;
    assert_near(spin - fabs(mean), loss, 0.01 * loss);
    cdg_world_destroy(world);
}

// A vessel of 24 facets, straight and then round a bend of 5 cm.
static void add_vessel(cdg_world *world) {
    enum { RINGS = 46, FACETS = 24, STRAIGHT = 10 };
    sheet s = make_sheet(RINGS, FACETS, true);
    for (int i = 0; i < RINGS; i++) {
        double angle = i < STRAIGHT ? 0 : (i - STRAIGHT) * pi / 60, bend = 0.05;
        cdg_vec3 middle =
            vec3(bend * sin(angle) + (i < STRAIGHT ? 0.01 * (i - STRAIGHT) : 0), 0, bend * (1 - cos(angle)));
        for (int j = 0; j < FACETS; j++) {
            double at = 2 * pi * j / FACETS, up = 3e-3 * cos(at);
            s.points[i * FACETS + j] = vec3_add(middle, vec3(-sin(angle) * up, 3e-3 * sin(at), cos(angle) * up));
        }
    }
    add_sheet(world, &s);
}

static cdg_world *wire_in_vessel(cdg_model model, int threads) {
    cdg_world *world = contact_world(none, 2e-4, 0.2, threads);
    add_vessel(world);
    cdg_rod_def def = contact_rod("wire", vec3(-0.1, 0, 0), vec3(0, 0, 0), 2e-4, 50);
    def.model = model;
    def.material.young_modulus = 60e9, def.material.poisson_ratio = 0.33, def.material.density = 6450;
    def.material.damping_stretch = def.material.damping_shear = def.material.damping_bend = def.material.damping_twist =
        1e-3;
    cdg_rod_id rod = contact_add(world, &def);
    cdg_motion motion = {.kind = CDG_MOTION_MOVE, .move = vec3(0.05, 0, 0), .from = 0, .to = 0.5};
    cdg_support_def support = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod}, .motions = &motion, .motion_count = 1};
    must(world, cdg_world_add_support(world, &support, NULL));
    return world;
}

static void a_wire_is_pushed_round_a_bend(void **state) {
    (void)state;
    const cdg_model models[] = {CDG_MODEL_DER, CDG_MODEL_POBD, CDG_MODEL_GALPHA};
    for (int k = 0; k < 3; k++) {
        cdg_world *world = wire_in_vessel(models[k], 1);
        int halved = 0, touching = 0, steps = 2000;
        for (int i = 0; i < steps; i++) {
            cdg_step_report report;
            must(world, cdg_world_step(world, &report));
            halved += report.contact_halvings > 0;
            touching += report.contact_count > 0;
            assert_true(report.deepest < 1.01e-3 && halved <= steps / 200);
        }
        assert_true(touching > steps / 4);
        assert_true(cdg_world_energy_balance(world).worst < 0.05);
        cdg_world_destroy(world);
    }
}

// ---- a room with rough walls ----------------------------------------------------------------------------------------

enum { THROWN = 6 };

// A ball of rough walls about the origin, closed, of which rods see a surface without an inside.
static void make_walls(cdg_random *random, cdg_vec3 *vertices, uint32_t (*triangles)[3]) {
    ball_mesh(1, vertices, triangles);
    for (int i = 0; i < BALL_VERTICES; i++) vertices[i] = vec3_scale(random_in(random, 0.06, 0.1), vertices[i]);
}

static cdg_world *room(uint64_t seed, cdg_model model, double speed, int threads, cdg_contact_mesh *walls) {
    static cdg_vec3 vertices[BALL_VERTICES];
    static uint32_t triangles[BALL_TRIANGLES][3];
    cdg_random random = {seed};
    make_walls(&random, vertices, triangles);
    cdg_error error;
    if (walls != NULL)
        must(NULL, cdg_contact_mesh_build(vertices, BALL_VERTICES, (const uint32_t(*)[3])triangles, BALL_TRIANGLES,
                                          false, walls, &error));
    bool is_explicit = model == CDG_MODEL_CORDE;
    cdg_world *world = contact_world(none, is_explicit ? 2e-4 : 1e-3, 0.2, threads);
    cdg_obstacle_def o = cdg_obstacle_def_default();
    cdg_mesh mesh = {
        .points = vertices, .point_count = BALL_VERTICES, .triangles = triangles, .triangle_count = BALL_TRIANGLES};
    o.shape = cdg_shape_of_mesh(&mesh);
    o.shape.is_surface = true;
    must(world, cdg_world_add_obstacle(world, &o, NULL));
    for (int i = 0; i < THROWN; i++) {
        double height = 0.012 * (i - 0.5 * (THROWN - 1));
        char name[] = {'r', (char)('0' + i), '\0'};
        cdg_rod_def def = contact_rod(name, vec3(-0.02, 0, height), vec3(0.02, 0, height), radius, 8);
        def.model = model;
        def.material.young_modulus = 1e6;
        def.velocity = vec3_scale(speed, vec3_normalize(random_vec3(&random, 1)));
        def.angular_velocity = random_vec3(&random, 30);
        contact_add(world, &def);
    }
    return world;
}

static void check_inside(const cdg_world *world, const cdg_contact_mesh *walls) {
    for (size_t r = 0; r < THROWN; r++) {
        cdg_vec3 at[9];
        must(world, cdg_rod_positions(world, cdg_world_rod_at(world, r), at));
        for (int i = 0; i < 9; i++) {
            double depth = cdg_contact_mesh_point(walls, at[i], HUGE_VAL).distance;
            assert_true(depth < -(1 - 0.02) * radius);
        }
    }
}

static void nothing_leaves_a_room_with_rough_walls(void **state) {
    (void)state;
    const cdg_model models[] = {CDG_MODEL_DER, CDG_MODEL_POBD, CDG_MODEL_CORDE};
    int struck = 0;
    for (int n = 0; n < rounds(6); n++) {
        cdg_contact_mesh walls;
        cdg_model model = models[n % 3];
        cdg_world *world = room(100 + (uint64_t)n, model, n < 3 ? 2 : 60, 1, &walls);
        double start = cdg_world_energy(world).total, most = start;
        for (int i = 0; i < (model == CDG_MODEL_CORDE ? 500 : 150); i++) {
            cdg_step_report report;
            must(world, cdg_world_step(world, &report));
            struck += report.contact_count > 0;
            assert_true(report.contact_halvings > 8 || report.deepest < 1.01e-3);
            most = fmax(most, cdg_world_energy(world).total);
            if (i % 10 == 0) check_inside(world, &walls);
        }
        assert_true(most < start * (1 + 1e-3));
        cdg_contact_mesh_free(&walls);
        cdg_world_destroy(world);
    }
    assert_true(struck > rounds(300));
}

// ---- the same bits --------------------------------------------------------------------------------------------------

static double *state_of(const cdg_world *world, size_t *size) {
    *size = cdg_world_snapshot_size(world);
    double *out = malloc(*size * sizeof *out);
    assert_non_null(out);
    must(world, cdg_world_snapshot_save(world, out));
    return out;
}

typedef cdg_world *make_world(int threads);
static cdg_world *make_room(int threads) { return room(7, CDG_MODEL_DER, 4, threads, NULL); }
static cdg_world *make_wire(int threads) { return wire_in_vessel(CDG_MODEL_POBD, threads); }

static void threads_and_snapshots_change_no_bit(void **state) {
    (void)state;
    make_world *const makes[] = {make_room, make_wire};
    const int steps[] = {60, 1500};
    for (int k = 0; k < 2; k++) {
        size_t size, other_size;
        cdg_world *world = makes[k](1);
        contact_run(world, steps[k] / 2);
        double *half = state_of(world, &size);
        size_t touching = 0;
        for (int i = steps[k] / 2; i < steps[k]; i++) {
            contact_run(world, 1);
            touching += world->contacts.kept_count > 0;
        }
        double *one = state_of(world, &size);
        assert_true(touching > 10);
        cdg_world_destroy(world);
        world = makes[k](2);
        contact_run(world, steps[k]);
        double *two = state_of(world, &other_size);
        assert_int_equal(size, other_size);
        assert_memory_equal(one, two, size * sizeof *one);
        must(world, cdg_world_snapshot_load(world, half));
        contact_run(world, steps[k] - steps[k] / 2);
        double *again = state_of(world, &other_size);
        assert_memory_equal(one, again, size * sizeof *one);
        cdg_world_destroy(world);
        free(half);
        free(one);
        free(two);
        free(again);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rods_slide_down_a_trough_as_wedges),
        cmocka_unit_test(rods_stick_in_a_trough),
        cmocka_unit_test(rods_spin_in_a_trough),
        cmocka_unit_test(a_wire_is_pushed_round_a_bend),
        cmocka_unit_test(nothing_leaves_a_room_with_rough_walls),
        cmocka_unit_test(threads_and_snapshots_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
