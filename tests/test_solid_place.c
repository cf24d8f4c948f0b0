// Places in solids: found where they are, turning as the material does, and passing forces and moments on whole.
#include "solid_case.h"
#include "solids/solid_place.h"

static cdg_solid shaken(double size, cdg_random *random) {
    cdg_solid s = solid_case_build(solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EULER), vec3(0.3, 0.2, 0.2), 0.07);
    cdg_quat turn = quat_exp(vec3(0.7, -0.4, 1.1));
    for (size_t i = 0; i < s.node_count; i++) solid_set_vec3(s.x, i, quat_rotate(turn, solid_vec3(s.x, i)));
    solid_case_shake(&s, size, random);
    return s;
}

static solid_place random_place(const cdg_solid *s, cdg_random *random) {
    solid_place place = {.tetrahedron = (uint32_t)(random_unit(random) * (double)s->tetrahedron_count)};
    double sum = 0;
    for (int c = 0; c < 4; c++) sum += place.weight[c] = 0.05 + random_unit(random);
    for (int c = 0; c < 4; c++) place.weight[c] /= sum;
    return place;
}

static void test_points_are_found(void **state) {
    (void)state;
    cdg_random random = {5};
    cdg_solid s = shaken(0.005, &random);
    for (int round = 0; round < 50; round++) {
        solid_place place = random_place(&s, &random), found;
        cdg_vec3 at = cdg_solid_place_at(&s, s.x, &place);
        assert_true(cdg_solid_find_place(&s, s.x, at, &found) == 0);
        assert_int_equal(found.tetrahedron, place.tetrahedron);
        for (int c = 0; c < 4; c++) assert_near(found.weight[c], place.weight[c], 1e-12);
    }
    solid_place corner, outside;
    assert_true(cdg_solid_find_place(&s, s.x, solid_vec3(s.x, 3), &corner) < 1e-12);
    assert_near(vec3_distance(cdg_solid_place_at(&s, s.x, &corner), solid_vec3(s.x, 3)), 0, 1e-12);
    // 4 cm before the middle of a side of the block as it is at rest
    assert_near(cdg_solid_find_place(&s, s.rest, vec3(0.19, 0.01, 0.02), &outside), 0.04, 1e-12);
    assert_near(vec3_distance(cdg_solid_place_at(&s, s.rest, &outside), vec3(0.19, 0.01, 0.02)), 0, 1e-12);
    cdg_solid_free(&s);
}

static void test_forces_and_moments_arrive(void **state) {
    (void)state;
    cdg_random random = {6};
    cdg_solid s = shaken(0.02, &random);
    for (int round = 0; round < 20; round++) {
        solid_place place = random_place(&s, &random);
        cdg_vec3 force = random_vec3(&random, 1), moment = random_vec3(&random, 1), out[4];
        cdg_quat rotation = cdg_solid_place_rotation(&s, s.x, &place, quat_identity());
        cdg_solid_place_forces(&s, s.x, &place, rotation, force, moment, out);
        cdg_vec3 sum = vec3(0, 0, 0), turning = vec3(0, 0, 0);
        for (int c = 0; c < 4; c++) {
            sum = vec3_add(sum, out[c]);
            turning = vec3_add(turning, vec3_cross(solid_vec3(s.x, s.tetrahedra[place.tetrahedron][c]), out[c]));
        }
        cdg_vec3 arm = cdg_solid_place_at(&s, s.x, &place);
        assert_near(vec3_distance(sum, force), 0, 1e-11);
        assert_near(vec3_distance(turning, vec3_add(moment, vec3_cross(arm, force))), 0, 1e-11);
    }
    cdg_solid_free(&s);
}

// Moves of a place by differences, and the same work by the forces of its corners.
static void test_moves_are_those_of_the_place(void **state) {
    (void)state;
    cdg_random random = {7};
    cdg_solid s = shaken(0.015, &random);
    for (int round = 0; round < 20; round++) {
        solid_place place = random_place(&s, &random);
        const double small = 1e-7;
        cdg_quat rotation = cdg_solid_place_rotation(&s, s.x, &place, quat_identity());
        cdg_vec3 before = cdg_solid_place_at(&s, s.x, &place), moves[4], move, turn, out[4];
        cdg_vec3 force = random_vec3(&random, 1), moment = random_vec3(&random, 1);
        for (int c = 0; c < 4; c++) moves[c] = random_vec3(&random, 1);
        cdg_solid_place_moves(&s, s.x, &place, rotation, moves, &move, &turn);
        cdg_solid_place_forces(&s, s.x, &place, rotation, force, moment, out);
        double work = 0;
        for (int c = 0; c < 4; c++) work += vec3_dot(out[c], moves[c]);
        assert_near(work, vec3_dot(force, move) + vec3_dot(moment, turn), 1e-10 * (1 + fabs(work)));
        for (int c = 0; c < 4; c++) {
            size_t node = s.tetrahedra[place.tetrahedron][c];
            solid_set_vec3(s.x, node, vec3_mad(solid_vec3(s.x, node), small, moves[c]));
        }
        cdg_quat after = cdg_solid_place_rotation(&s, s.x, &place, rotation);
        cdg_vec3 turned = quat_log(quat_multiply(after, quat_conjugate(rotation)));
        assert_near(vec3_distance(vec3_scale(1 / small, turned), turn), 0, 1e-4 * vec3_norm(turn));
        assert_near(vec3_distance(vec3_scale(1 / small, vec3_sub(cdg_solid_place_at(&s, s.x, &place), before)), move),
                    0, 1e-6);
    }
    cdg_solid_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_points_are_found),
                                       cmocka_unit_test(test_forces_and_moments_arrive),
                                       cmocka_unit_test(test_moves_are_those_of_the_place)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
