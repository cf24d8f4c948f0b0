// The volume floor of explicit solids: blocks that are crushed or thrown much too hard for their material are never
// inside out, keep their momenta and gain no energy; results are the same for any number of threads, when continued,
// and after looks at the energy; a run stops with a message where volumes cannot be kept; gentle throws do not change.
#include "solid_world_case.h"

#include "solids/volume_floor.h"

#include <cordage/obstacle.h>

static const double edge = 0.05; // m, of blocks of 0.1 m

static double least_volume(const cdg_world *world) {
    double least = 1;
    for (size_t i = 0; i < world->solid_count; i++)
        least = fmin(least, cdg_solid_least_volume(&world->solids[i]->solid, world->solids[i]->solid.x, NULL));
    return least;
}

static cdg_solid_model model_of(int i) {
    static const cdg_solid_model models[] = {CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_COROTATIONAL, CDG_SOLID_MASS_SPRING};
    return models[i % 3];
}

static cdg_solid_def block(int model, double barrier) {
    cdg_solid_def def = solid_case_def(model_of(model), CDG_SOLID_EXPLICIT);
    def.volume_barrier = barrier;
    return def;
}

// ---- looking --------------------------------------------------------------------------------------------------------

static void within_its_room_nothing_comes_down_to_the_share(void **state) {
    (void)state;
    cdg_random random = {5};
    double nearest = 1;
    for (int n = 0; n < 200; n++) {
        cdg_solid s = solid_case_build(block(0, 0.1), vec3(0.1, 0.1, 0.1), edge);
        solid_case_shake(&s, 0.1 * edge, &random);
        double share = 0.3, room = cdg_volume_floor_room(&s, s.x, share);
        if (room > 0) {
            cdg_vec3 shift = random_vec3(&random, 1);
            // the worst that each tetrahedron can be asked for is tried for one of them
            size_t t = (size_t)(random_in(&random, 0, 1) * (double)s.tetrahedron_count) % s.tetrahedron_count;
            mat3 f = solid_gradient(&s, s.x, t), cofactor = mat3_cofactor(&f);
            for (size_t i = 0; i < s.node_count; i++)
                solid_set_vec3(s.x, i, vec3_add(solid_vec3(s.x, i), random_vec3(&random, 0.5 * room)));
            for (int j = 0; j < 4; j++) {
                cdg_vec3 slope = vec3(0, 0, 0);
                for (int k = 1; k < 4; k++) {
                    cdg_vec3 g = vec3(s.shape[3 * k - 3][t], s.shape[3 * k - 2][t], s.shape[3 * k - 1][t]);
                    if (j == 0 || j == k) slope = vec3_mad(slope, j == 0 ? -1 : 1, mat3_apply(&cofactor, g));
                }
                uint32_t node = s.corner[j][t];
                solid_set_vec3(s.x, node, vec3_mad(solid_vec3(s.x, node), -0.5 * room / vec3_norm(slope), slope));
            }
            for (size_t i = 0; i < s.node_count; i++) solid_set_vec3(s.x, i, vec3_add(solid_vec3(s.x, i), shift));
            nearest = fmin(nearest, cdg_solid_least_volume(&s, s.x, NULL));
        }
        cdg_solid_free(&s);
    }
    assert_true(nearest >= 0.3);
    assert_true(nearest < 0.75); // the bound says something
}

// A common motion does not count, nor does what stays within the room; what goes farther is looked at.
static void what_goes_farther_than_its_room_is_near(void **state) {
    (void)state;
    static const double share[] = {0.95, 1.05};
    cdg_solid s = solid_case_build(block(0, 0.1), vec3(0.1, 0.1, 0.1), edge);
    for (int i = 0; i < 2; i++) {
        cdg_volume_floor_begin(&s);
        assert_true(s.floor->room > 0);
        for (size_t k = 0; k < s.node_count; k++)
            solid_set_vec3(s.x_next, k, vec3_add(solid_vec3(s.x, k), vec3(3, -2, 5)));
        assert_false(cdg_volume_floor_is_near(&s));
        s.x_next[1][s.node_count - 1] += share[i] * s.floor->room;
        assert_int_equal(cdg_volume_floor_is_near(&s), i);
    }
    cdg_solid_free(&s);
}

// ---- crushed by its own motion --------------------------------------------------------------------------------------

// All of it runs to its middle plane, with a turn and some disorder: no contact.
static void set_crushing(cdg_solid *s, double speed, cdg_random *random) {
    cdg_vec3 center = solid_case_center(s, s->x);
    for (size_t i = 0; i < s->node_count; i++) {
        cdg_vec3 arm = vec3_sub(solid_vec3(s->x, i), center), turn = vec3_cross(vec3(20, -30, 10), arm);
        cdg_vec3 v = vec3(-5 * speed * arm.x, 3 * speed * arm.y, -20 * speed * arm.z);
        solid_set_vec3(s->v, i, vec3_add(vec3_add(v, turn), random_vec3(random, 0.1 * speed)));
    }
}

typedef struct crushing {
    double least, gain, linear, angular; // of volumes; of energy by the floor, of that at the start; momenta, relative
} crushing;

static double energy_of(const cdg_solid *s, bool of_candidate) {
    solid_energies e = of_candidate ? cdg_solid_measure_energy(s, s->x_next, s->v_next, vec3(0, 0, 0))
                                    : cdg_solid_measure_energy(s, s->x, s->v, vec3(0, 0, 0));
    return e.kinetic + e.elastic;
}

// A sub-step, and what the floor does to its energy.
static double step_with_floor(cdg_solid *s, double h) {
    cdg_volume_floor *floor = s->floor;
    cdg_solid_result result;
    cdg_error error;
    s->floor = NULL;
    assert_int_equal(cdg_solid_predict(s, h, vec3(0, 0, 0), 1, &result, &error), CDG_OK);
    s->floor = floor;
    double before = energy_of(s, true);
    if (floor != NULL) {
        cdg_volume_floor_begin(s);
        cdg_volume_floor_hold(s, h, 1);
        assert_false(floor->is_short);
    }
    double gain = energy_of(s, true) - before;
    cdg_solid_commit(s, h);
    return gain;
}

static crushing crush(int model, double barrier, double speed) {
    cdg_random random = {11};
    cdg_solid s = solid_case_build(block(model, barrier), vec3(0.1, 0.1, 0.1), edge);
    set_crushing(&s, speed, &random);
    cdg_vec3 linear[2] = {{0}}, angular[2] = {{0}};
    cdg_solid_momentum(&s, s.x, s.v, &linear[0], &angular[0]);
    double start = energy_of(&s, false);
    crushing out = {.least = 1};
    for (int i = 0; i < 300; i++) {
        double gain = step_with_floor(&s, 0.5 * cdg_solid_stable_step(&s));
        out.least = fmin(out.least, cdg_solid_least_volume(&s, s.x, NULL));
        out.gain = fmax(out.gain, gain / start);
    }
    cdg_solid_momentum(&s, s.x, s.v, &linear[1], &angular[1]);
    out.linear = vec3_distance(linear[0], linear[1]) / (s.total_mass * speed);
    out.angular = vec3_distance(angular[0], angular[1]) / (s.total_mass * speed * 0.1);
    cdg_solid_free(&s);
    return out;
}

static void a_crushed_block_is_not_turned_and_keeps_its_momenta(void **state) {
    (void)state;
    for (int model = 0; model < 3; model++)
        for (double speed = 2.5; speed < 30; speed *= 2) {
            crushing without = crush(model, 0, speed), with = crush(model, CDG_VOLUME_BARRIER_AUTO, speed);
            print_message("model %d, %g m/s: least volume %.3g, with a floor %.4g; gain %.1e, momenta %.1e, %.1e\n",
                          model, speed, without.least, with.least, with.gain, with.linear, with.angular);
            assert_true(speed < 20 || without.least < 0);
            assert_true(with.least >= 0.1);
            assert_true(with.linear < 1e-12 && with.angular < 1e-10);
            assert_true(with.gain < 1e-3);
        }
}

// ---- thrown ---------------------------------------------------------------------------------------------------------

typedef struct throw_case {
    cdg_world *world;
    double speed;
    int steps;
    bool is_pair; // of free blocks
} throw_case;

static void add_target(cdg_world *world, int kind) {
    cdg_obstacle_def target = cdg_obstacle_def_default();
    target.shape.orientation = quat_identity();
    target.shape.kind = kind == 1 ? CDG_SHAPE_SPHERE : CDG_SHAPE_BOX;
    target.shape.radius = 0.04;
    target.shape.size = kind == 0 ? vec3(1, 1, 0.2) : vec3(0.03, 0.3, 0.2);
    target.shape.position = vec3(0, 0, kind == 1 ? -0.04 : -0.1);
    assert_int_equal(cdg_world_add_obstacle(world, &target, NULL), CDG_OK);
}

static cdg_quat random_turn(cdg_random *random) {
    return quat_normalize(
        quat(random_in(random, -1, 1), random_in(random, -1, 1), random_in(random, -1, 1), random_in(random, 0.1, 1)));
}

// At a floor, a ball, an edge or another block, with a kinetic energy per volume of `blow` E.
static throw_case throw_block(int number, double blow, double barrier, int threads) {
    cdg_random random = {(uint64_t)number + 1};
    cdg_solid_def def = block(number / 4, barrier);
    throw_case out = {.speed = sqrt(2 * blow * def.young_modulus / def.density), .is_pair = number % 4 == 3};
    out.world = solid_world(threads, 0.2 * edge / out.speed * pow(10, random_in(&random, -0.5, 0.5)));
    out.steps = (int)(4 * edge / out.speed / out.world->step) + 2;
    cdg_world_set_gravity(out.world, vec3(0, 0, 0));
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = random_in(&random, 0, 1) < 0.5 ? 0 : 0.4;
    assert_int_equal(cdg_world_set_contact(out.world, &contact), CDG_OK);
    if (!out.is_pair) add_target(out.world, number % 4);
    def.orientation = random_turn(&random);
    def.position = vec3(0, 0, -0.1);
    if (out.is_pair) solid_world_add(out.world, def, vec3(0.1, 0.1, 0.1), edge);
    def.orientation = random_turn(&random);
    def.position = vec3(random_in(&random, -0.02, 0.02), random_in(&random, -0.02, 0.02), 0.095);
    def.velocity = vec3(0.2 * random_in(&random, -1, 1) * out.speed, 0, -out.speed);
    solid_world_add(out.world, def, vec3(0.1, 0.1, 0.1), edge);
    return out;
}

static void thrown_blocks_are_not_turned_inside_out(void **state) {
    (void)state;
    enum { THROWS = 24 };
    int turned = 0;
    double least = 1, lost = 0, gained = 0, deep = 0, gained_without = 0;
    for (int n = 0; n < THROWS; n++) {
        double blow = 0.25 * pow(16, (double)n / THROWS); // to 4 E
        throw_case plain = throw_block(n, blow, 0, 1), held = throw_block(n, blow, CDG_VOLUME_BARRIER_AUTO, 1);
        double without = 1, start = cdg_world_energy(held.world).total;
        cdg_vec3 before = {0, 0, 0}, after = {0, 0, 0}, angular;
        for (int i = 0; i < plain.steps && cdg_world_step(plain.world, NULL) == CDG_OK; i++) {
            without = fmin(without, least_volume(plain.world));
            gained_without = fmax(gained_without, cdg_world_energy(plain.world).total / start - 1);
        }
        turned += without < 0;
        cdg_world_momentum(held.world, &before, &angular);
        for (int i = 0; i < held.steps; i++) {
            solid_world_steps(held.world, 1);
            least = fmin(least, least_volume(held.world));
            gained = fmax(gained, cdg_world_energy(held.world).total / start - 1);
            deep = fmax(deep, held.world->contacts.left.deep);
        }
        cdg_world_momentum(held.world, &after, &angular);
        if (held.is_pair) lost = fmax(lost, vec3_distance(before, after) / held.speed);
        cdg_world_destroy(plain.world);
        cdg_world_destroy(held.world);
    }
    print_message("%d throws: %d turned something without a floor; with one least volume %.4g, energy %.1e above the "
                  "start (%.1e without), depth %.1e of the thickness, momentum lost %.1e\n",
                  THROWS, turned, least, gained, gained_without, deep, lost);
    assert_true(turned > THROWS / 2);
    assert_true(least >= 0.1);
    assert_true(gained < fmax(2e-5, 1.2 * gained_without)); // nothing comes from the floor
    assert_true(deep <= 1e-3);
    assert_true(lost < 1e-12);
}

static void same_bits(const cdg_world *a, const cdg_world *b) {
    for (size_t i = 0; i < a->solid_count; i++)
        for (int k = 0; k < 3; k++) {
            const cdg_solid *one = &a->solids[i]->solid, *other = &b->solids[i]->solid;
            assert_memory_equal(one->x[k], other->x[k], one->node_count * sizeof(double));
            assert_memory_equal(one->v[k], other->v[k], one->node_count * sizeof(double));
        }
}

static void threads_snapshots_and_looks_change_nothing(void **state) {
    (void)state;
    for (int n = 0; n < 4; n++) {
        throw_case one = throw_block(n, 1.5, CDG_VOLUME_BARRIER_AUTO, 1), two = throw_block(n, 1.5, 0.1, 2),
                   third = throw_block(n, 1.5, 0.1, 1);
        int half = one.steps / 2;
        solid_world_steps(one.world, half);
        double *snapshot = malloc(cdg_world_snapshot_size(one.world) * sizeof *snapshot);
        assert_non_null(snapshot);
        assert_int_equal(cdg_world_snapshot_save(one.world, snapshot), CDG_OK);
        solid_world_steps(one.world, one.steps - half);
        for (int i = 0; i < two.steps; i++) {
            for (size_t k = 0; k < two.world->solid_count; k++) two.world->solids[k]->solid.floor->room = -1;
            solid_world_steps(two.world, 1); // everything is looked at
        }
        same_bits(one.world, two.world);
        assert_int_equal(cdg_world_snapshot_load(third.world, snapshot), CDG_OK);
        solid_world_steps(third.world, one.steps - half);
        same_bits(one.world, third.world);
        assert_true(least_volume(one.world) < 1);
        free(snapshot);
        cdg_world_destroy(one.world);
        cdg_world_destroy(two.world);
        cdg_world_destroy(third.world);
    }
}

static void gentle_throws_are_what_they_are_without_it(void **state) {
    (void)state;
    for (int n = 0; n < 12; n++) {
        throw_case with = throw_block(n, 0.01, CDG_VOLUME_BARRIER_AUTO, 1), without = throw_block(n, 0.01, 0, 1);
        solid_world_steps(with.world, with.steps);
        solid_world_steps(without.world, with.steps);
        same_bits(with.world, without.world);
        cdg_world_destroy(with.world);
        cdg_world_destroy(without.world);
    }
}

// ---- held -----------------------------------------------------------------------------------------------------------

// Supports that press two faces together: their reaction, with the forces of volumes, is the momentum that they take.
static void reactions_balance_what_is_pressed(void **state) {
    (void)state;
    cdg_solid s = solid_case_build(block(0, 0.1), vec3(0.1, 0.1, 0.1), edge);
    double step = 3.5 * cdg_solid_stable_step(&s), lowest = 1;
    for (int i = 0; i < 40 && lowest > 0.13; i++) {
        for (size_t k = 0; k < s.node_count; k++) {
            double z = s.rest[2][k];
            s.is_held[k] = fabs(z) > 0.049;
            solid_set_vec3(s.target, k, solid_vec3(s.x, k));
            if (s.is_held[k]) s.target[2][k] -= copysign(20 * step, z) * 0.02;
            if (s.is_held[k] && z > 0) s.target[2][k] -= 20 * step; // above it comes down
        }
        cdg_vec3 before = {0}, after = {0}, angular, sum = {0};
        cdg_solid_momentum(&s, s.x, s.v, &before, &angular);
        solid_case_step(&s, step, vec3(0, 0, 0));
        cdg_solid_momentum(&s, s.x, s.v, &after, &angular);
        for (size_t k = 0; k < s.node_count; k++) sum = vec3_add(sum, solid_vec3(s.reaction, k));
        assert_true(vec3_distance(vec3_sub(after, before), vec3_scale(step, sum)) < 1e-10 * s.total_mass);
        lowest = cdg_solid_least_volume(&s, s.x, NULL);
        assert_true(lowest >= 0.1);
    }
    assert_true(s.floor->has_acted);
    cdg_solid_free(&s);
}

// A press that closes wholly.
static void what_cannot_be_held_ends_with_a_sentence(void **state) {
    (void)state;
    cdg_world *world = solid_world(1, 2e-3);
    cdg_solid_id id = solid_world_add(world, block(0, CDG_VOLUME_BARRIER_AUTO), vec3(0.1, 0.1, 0.1), edge);
    cdg_motion motion = cdg_motion_default();
    motion.move = vec3(0, 0, -0.1), motion.to = 0.5;
    for (int side = 0; side < 2; side++) {
        cdg_solid_support_def def = cdg_solid_support_def_default();
        def.solid = id;
        cdg_shape region = {.kind = CDG_SHAPE_BOX, .size = {1, 1, 0.002}, .orientation = {1, 0, 0, 0}};
        region.position = vec3(0, 0, side == 0 ? -0.05 : 0.05);
        def.region = &region;
        if (side == 1) def.motions = &motion, def.motion_count = 1;
        cdg_result added = cdg_world_add_solid_support(world, &def, NULL);
        if (added != CDG_OK) print_error("%s\n", cdg_world_message(world));
        assert_int_equal(added, CDG_OK);
    }
    cdg_result result = CDG_OK;
    double least = 1;
    for (int i = 0; i < 260 && result == CDG_OK; i++) {
        result = cdg_world_step(world, NULL);
        least = fmin(least, least_volume(world));
    }
    print_message("%s\n", cdg_world_message(world));
    assert_int_equal(result, CDG_ERROR_NO_CONVERGENCE);
    assert_non_null(strstr(cdg_world_message(world), "of solid 'solid_1' would"));
    assert_non_null(strstr(cdg_world_message(world), "volume_barrier: 0"));
    assert_true(least >= 0.1);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(within_its_room_nothing_comes_down_to_the_share),
                                       cmocka_unit_test(what_goes_farther_than_its_room_is_near),
                                       cmocka_unit_test(a_crushed_block_is_not_turned_and_keeps_its_momenta),
                                       cmocka_unit_test(thrown_blocks_are_not_turned_inside_out),
                                       cmocka_unit_test(threads_snapshots_and_looks_change_nothing),
                                       cmocka_unit_test(gentle_throws_are_what_they_are_without_it),
                                       cmocka_unit_test(reactions_balance_what_is_pressed),
                                       cmocka_unit_test(what_cannot_be_held_ends_with_a_sentence)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
