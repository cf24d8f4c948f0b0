// How implicit solids answer forces: as a prediction with these forces does, symmetric, held nodes not at all.
#include "solid_case.h"

enum { NODE = 5 };

// The candidate of one step, with a force on one node.
static void predict(cdg_solid *s, size_t node, cdg_vec3 force) {
    cdg_solid_result result;
    cdg_error error = {0};
    for (int k = 0; k < 3; k++) memset(s->touch[k], 0, s->node_count * sizeof(double));
    solid_set_vec3(s->touch, node, force);
    s->is_touched = true;
    assert_int_equal(cdg_solid_predict(s, 5e-3, vec3(0, 0, -10), 1, &result, &error), CDG_OK);
}

static void push(cdg_solid *s, size_t node, cdg_vec3 force) {
    memset(s->system->right, 0, 3 * s->node_count * sizeof(double));
    memcpy(s->system->right + 3 * node, &force, sizeof force);
    cdg_solid_respond(s, 1);
}

// Coarse: factors; fine: conjugate gradients.
static void test_it_is_the_change_of_a_prediction(void **state) {
    (void)state;
    for (int fine = 0; fine < 2; fine++)
        for (int model = 0; model < SOLID_CASE_LAWS; model++) {
            cdg_solid_def def = solid_case_def((cdg_solid_model)model, CDG_SOLID_EULER);
            def.damping_time = 1e-3;
            def.velocity = vec3(0.3, 0, 0);
            cdg_solid s = solid_case_build(def, vec3(0.2, 0.1, 0.1), fine ? 0.0105 : 0.05);
            cdg_error error = {0};
            for (size_t i = 0; i < s.node_count; i++)
                if (s.rest[0][i] < -0.09) s.is_held[i] = true, s.held_count++;
            size_t node = s.node_count - 2;
            cdg_vec3 force = vec3(0.02, 0.1, -0.05), small = vec3(2e-3, 1e-3, -3e-3);
            predict(&s, node, force);
            assert_int_equal(cdg_solid_keep_response(&s, 1, &error), CDG_OK);
            push(&s, node, small);
            double *before[3], most = 0;
            for (int k = 0; k < 3; k++) {
                before[k] = malloc(s.node_count * sizeof(double));
                memcpy(before[k], s.x_next[k], s.node_count * sizeof(double));
            }
            double *move = malloc(3 * s.node_count * sizeof *move);
            memcpy(move, s.system->move, 3 * s.node_count * sizeof *move);
            for (size_t k = 0; k < 3 * s.node_count; k++) most = fmax(most, fabs(move[k]));
            assert_true(most > 0);
            s.is_again = true;
            predict(&s, node, vec3_add(force, small));
            for (size_t i = 0; i < s.node_count; i++)
                for (size_t k = 0; k < 3; k++) {
                    assert_near(s.x_next[k][i] - before[k][i], move[3 * i + k], 2e-3 * most);
                    if (s.is_held[i]) assert_true(move[3 * i + k] == 0);
                }
            for (int k = 0; k < 3; k++) free(before[k]);
            free(move);
            cdg_solid_free(&s);
        }
}

static void test_it_is_symmetric(void **state) {
    (void)state;
    cdg_solid s = solid_case_build(solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_BDF2), vec3(0.2, 0.1, 0.1), 0.05);
    cdg_error error = {0};
    predict(&s, 0, vec3(0.1, 0, 0));
    assert_int_equal(cdg_solid_keep_response(&s, 1, &error), CDG_OK);
    push(&s, NODE, vec3(1, 0, 0));
    double there = s.system->move[3 * (NODE + 7) + 2], own = s.system->move[3 * NODE];
    push(&s, NODE + 7, vec3(0, 0, 1));
    assert_near(s.system->move[3 * NODE], there, 1e-12 * own);
    assert_true(own > cdg_solid_compliance(&s, NODE)); // neighbours that give way, too
    assert_true(own < 50 * cdg_solid_compliance(&s, NODE));
    s.is_held[NODE] = true;
    assert_true(cdg_solid_compliance(&s, NODE) == 0);
    cdg_solid_free(&s);
}

// A solid at rest without any force has nothing to iterate: its system is made when it is asked for.
static void test_a_solid_at_rest_answers(void **state) {
    (void)state;
    cdg_solid s = solid_case_build(solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EULER), vec3(0.1, 0.1, 0.1), 0.05);
    cdg_solid_result result;
    cdg_error error = {0};
    assert_int_equal(cdg_solid_predict(&s, 1e-2, vec3(0, 0, 0), 1, &result, &error), CDG_OK);
    assert_int_equal(cdg_solid_keep_response(&s, 1, &error), CDG_OK);
    push(&s, NODE, vec3(0, 1, 0));
    assert_true(s.system->move[3 * NODE + 1] > 0);
    cdg_solid_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_is_the_change_of_a_prediction),
        cmocka_unit_test(test_it_is_symmetric),
        cmocka_unit_test(test_a_solid_at_rest_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
