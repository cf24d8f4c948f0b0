// Bodies as two points: how they answer forces, and what comes of it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/body_pieces.h"
#include "math/random.h"
#include "near.h"

static cdg_body make_body(cdg_random *random, bool is_fixed) {
    cdg_body_def def = cdg_body_def_default();
    cdg_body body;
    def.shape.kind = CDG_SHAPE_BOX;
    def.shape.size = vec3(random_in(random, 0.01, 1), random_in(random, 0.01, 1), random_in(random, 0.01, 1));
    def.density = 0, def.mass = random_in(random, 0.1, 10);
    def.shape.position = random_vec3(random, 1);
    def.shape.orientation = random_rotation(random);
    if (!is_fixed) def.velocity = random_vec3(random, 1);
    if (!is_fixed) def.angular_velocity = random_vec3(random, 1);
    def.is_fixed = is_fixed;
    assert_int_equal(cdg_body_build(&def, "body", &body, NULL), CDG_OK);
    return body;
}

// Loads a body that flies freely; pieces have no rods.
static cdg_pieces load(const cdg_body *body, cdg_body_piece *piece, double step) {
    cdg_pieces pieces = {0};
    assert_int_equal(cdg_pieces_build(&pieces, &(cdg_proxy_list){0}, 1, NULL), CDG_OK);
    cdg_rate_rule rule = cdg_rate_rule_mean(0.5);
    *piece = (cdg_body_piece){.body = body};
    cdg_body_fly(body, step, vec3(0, 0, 0), vec3(0, 0, 0), &rule, &piece->free);
    cdg_pieces_load(&pieces, step);
    cdg_body_pieces_load(&pieces, piece, step);
    return pieces;
}

// A force at a lever: the points' answers are 1/m and the inverse inertia, and momentum and spin change by its impulse.
static void forces_do_what_they_should(void **state) {
    (void)state;
    cdg_random random = {3};
    for (int round = 0; round < 200; round++) {
        double step = random_in(&random, 1e-4, 1e-2);
        cdg_body body = make_body(&random, false);
        cdg_body_piece piece;
        cdg_pieces p = load(&body, &piece, step);
        cdg_vec3 force = random_vec3(&random, 0.1 / step), lever = random_vec3(&random, 0.2);
        uint32_t k = p.first_body_point;
        p.force[k] = force;
        p.force[k + 1] = body_piece_turn(&piece, lever, force);
        for (uint32_t n = k; n < k + 2; n++) p.next[n] = vec3_mad(p.free[n], p.give[n], p.force[n]);
        cdg_body_now end;
        cdg_body_piece_store(&p, &piece, 0, step, &end);
        double scale = vec3_norm(force) * step;
        cdg_vec3 moved = vec3_scale(step * step / body.mass.mass, force);
        assert_vec3_near(vec3_sub(end.x, piece.free.x), moved, 1e-14);
        assert_vec3_near(vec3_scale(body.mass.mass, vec3_sub(end.v, piece.free.v)), vec3_scale(step, force),
                         1e-13 * scale);
        assert_vec3_near(vec3_sub(end.spin, piece.free.spin), vec3_scale(step, vec3_cross(lever, force)),
                         1e-12 * scale);
        cdg_vec3 turn = quat_log(quat_multiply(end.q, quat_conjugate(piece.free.q)));
        cdg_vec3 faster = cdg_body_angular_velocity(&body, piece.free.q, vec3_sub(end.spin, piece.free.spin));
        double angle = step * vec3_norm(faster);
        if (angle < 3) assert_vec3_near(turn, vec3_scale(step, faster), 1e-12 * (1 + angle));
        // what moves the second point moves the place at the lever: the transpose
        cdg_vec3 axis = random_vec3(&random, 1), column = body_piece_turn(&piece, lever, axis);
        double by_point = vec3_dot(column, p.next[k + 1]);
        double by_turn = vec3_dot(axis, vec3_cross(vec3_scale(step, faster), lever));
        assert_near(by_point, by_turn, 1e-12 * (1 + angle));
        cdg_pose pose = cdg_body_piece_pose(&p, &piece, 0);
        assert_vec3_near(pose.position, cdg_body_origin(&body, &end), 1e-14);
        cdg_pieces_free(&p);
        cdg_body_free(&body);
    }
}

// Without a force the flight is what it was, to the last bit; nothing moves a fixed body.
static void untouched_bodies_fly_on(void **state) {
    (void)state;
    cdg_random random = {4};
    for (int fixed = 0; fixed < 2; fixed++) {
        cdg_body body = make_body(&random, fixed);
        cdg_body_piece piece;
        cdg_pieces p = load(&body, &piece, 1e-3);
        cdg_body_now end;
        if (fixed) {
            p.force[p.first_body_point] = vec3(1, 2, 3);
            assert_true(p.give[p.first_body_point] == 0 && p.held[p.first_body_point]);
        }
        cdg_body_piece_store(&p, &piece, 0, 1e-3, &end);
        assert_memory_equal(&end, &piece.free, sizeof end);
        cdg_pieces_free(&p);
        cdg_body_free(&body);
    }
}

// A force through the middle alone, or a torque alone, is a touch: either has a free body go on by implicit Euler once.
static void a_force_or_a_torque_touches(void **state) {
    (void)state;
    cdg_random random = {5};
    for (int kind = 0; kind < 4; kind++) { // nothing, the one, the other, a fixed body
        cdg_body body = make_body(&random, kind == 3);
        cdg_body_piece piece;
        cdg_pieces p = load(&body, &piece, 1e-3);
        if (kind > 0) p.force[p.first_body_point + (kind == 2 ? 1 : 0)] = vec3(1, 2, 3);
        bool is_touched = kind == 1 || kind == 2;
        assert_true(cdg_body_pieces_touch(&p, &piece, 1e-3) == is_touched && piece.is_touched == is_touched);
        assert_false(cdg_body_pieces_touch(&p, &piece, 1e-3));
        cdg_pieces_free(&p);
        cdg_body_free(&body);
    }
}

// A response that is symmetric and positive, as a body has on rods that are welded to it.
static void make_response(cdg_random *random, double out[6][6]) {
    double factor[6][6];
    for (int i = 0; i < 36; i++) factor[i / 6][i % 6] = random_in(random, -1, 1);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) {
            out[i][k] = i == k ? 0.1 : 0;
            for (int m = 0; m < 6; m++) out[i][k] += 1e-3 * factor[i][m] * factor[k][m];
        }
}

// What a force at a lever does to a pose by a response: moves and turns.
static void answer(const double response[6][6], cdg_vec3 lever, cdg_vec3 force, double out[6]) {
    cdg_vec3 torque = vec3_cross(lever, force);
    const double load[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    for (int i = 0; i < 6; i++) {
        out[i] = 0;
        for (int k = 0; k < 6; k++) out[i] += response[i][k] * load[k];
    }
}

// The two points of a welded body answer forces as its response says, and start with those that it was predicted with.
static void welded_bodies_answer_as_their_rods_do(void **state) {
    (void)state;
    cdg_random random = {6};
    for (int round = 0; round < 50; round++) {
        cdg_body body = make_body(&random, false);
        cdg_body_piece piece;
        cdg_pieces p = load(&body, &piece, 1e-3);
        uint32_t k = p.first_body_point;
        cdg_vec3 lever = random_vec3(&random, 0.2);
        piece.is_welded = piece.has_response = true;
        piece.force = random_vec3(&random, 1), piece.torque = vec3_cross(lever, piece.force);
        make_response(&random, piece.response);
        cdg_body_pieces_load(&p, &piece, 1e-3);
        assert_vec3_near(p.force[k], body_piece_move(&piece, lever, piece.force), 1e-12);
        assert_vec3_near(p.force[k + 1], body_piece_turn(&piece, lever, piece.force), 1e-12);
        assert_memory_equal(p.force + k, p.loaded + k, 2 * sizeof *p.force);
        // one more, elsewhere
        cdg_vec3 at = random_vec3(&random, 0.2), more = random_vec3(&random, 1);
        p.next[k] = vec3_mad(p.free[k], p.give[k], body_piece_move(&piece, at, more));
        p.next[k + 1] = vec3_mad(p.free[k + 1], p.give[k + 1], body_piece_turn(&piece, at, more));
        double expected[6];
        answer((const double(*)[6])piece.response, at, more, expected);
        cdg_pose pose = cdg_body_piece_pose(&p, &piece, 0);
        cdg_vec3 center = vec3_add(pose.position, quat_rotate(pose.orientation, body.mass.center));
        cdg_vec3 turn = quat_log(quat_multiply(pose.orientation, quat_conjugate(piece.free.q)));
        assert_vec3_near(vec3_sub(center, piece.free.x), vec3(expected[0], expected[1], expected[2]), 1e-12);
        assert_vec3_near(turn, vec3(expected[3], expected[4], expected[5]), 1e-12);
        // what no force may move is held
        piece.response[4][4] = 0;
        cdg_body_pieces_load(&p, &piece, 1e-3);
        assert_true(p.held[k] && p.held[k + 1] && p.give[k] == 0);
        cdg_pieces_free(&p);
        cdg_body_free(&body);
    }
}

static void velocities_are_those_of_the_start(void **state) {
    (void)state;
    cdg_random random = {5};
    cdg_body body = make_body(&random, false);
    cdg_body_piece piece = {.body = &body};
    cdg_vec3 point = random_vec3(&random, 1);
    cdg_vec3 turning = body.def.angular_velocity;
    cdg_vec3 expected = vec3_add(body.def.velocity, vec3_cross(turning, vec3_sub(point, body.now.x)));
    assert_vec3_near(cdg_body_piece_velocity(&piece, point), expected, 1e-12);
    static const uint32_t welded[] = {3, 5};
    piece.passes = welded, piece.pass_count = 2;
    assert_true(cdg_body_piece_passes(&piece, 5) && !cdg_body_piece_passes(&piece, 4));
    cdg_body_free(&body);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_do_what_they_should),        cmocka_unit_test(untouched_bodies_fly_on),
        cmocka_unit_test(a_force_or_a_torque_touches),       cmocka_unit_test(welded_bodies_answer_as_their_rods_do),
        cmocka_unit_test(velocities_are_those_of_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
