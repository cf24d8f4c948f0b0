// Skins on joints: moved by the joints' matrices alone they are where cdg_skin_place puts them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "export/gltf_rig.h"
#include "near.h"
#include "skin_case.h"

static cdg_section section_of(int trial) {
    cdg_section section = {.kind = (cdg_section_kind)(trial % CDG_SECTION_KIND_COUNT),
                           .radius = 0.01,
                           .inner_radius = 0.006,
                           .semi_axis = {0.012, 0.006},
                           .side = {0.02, 0.004}};
    if (section.kind != CDG_SECTION_TUBE) section.inner_radius = 0;
    return section;
}

static cdg_run_rod run_rod(const cut_rod *cut) {
    return (cdg_run_rod){.name = "rod",
                         .is_closed = cut->is_closed,
                         .node_count = cut->node_count,
                         .element_count = cut->element_count,
                         .rest_length = cut->rest_length,
                         .sections = cut->sections};
}

// Linear blend skinning as the specification of glTF has it: joint matrix times inverse bind matrix, by weights.
static cdg_vec3 blend(const cdg_gltf_rig *rig, const cut_rod *cut, const cdg_quat *turns, size_t vertex) {
    cdg_vec3 sum = {0};
    double total = 0;
    for (size_t k = 0; k < 4; k++) {
        double weight = rig->weights[4 * vertex + k];
        size_t joint = rig->joints[4 * vertex + k];
        assert_true(weight >= 0 && joint < rig->joint_count);
        if (weight == 0) assert_int_equal(joint, 0); // the validator asks for it
        const float *m = rig->inverse_bind + 16 * joint, *p = rig->positions + 3 * vertex;
        cdg_vec3 local = vec3((double)m[0] * p[0] + (double)m[4] * p[1] + (double)m[8] * p[2] + m[12],
                              (double)m[1] * p[0] + (double)m[5] * p[1] + (double)m[9] * p[2] + m[13],
                              (double)m[2] * p[0] + (double)m[6] * p[1] + (double)m[10] * p[2] + m[14]);
        size_t node = joint % cut->node_count;
        sum = vec3_mad(sum, weight, vec3_add(cut->positions[node], quat_rotate(turns[node], local)));
        total += weight;
    }
    assert_near(total, 1, 1e-7);
    return sum;
}

static void test_against_the_skin(void **state) {
    (void)state;
    static smooth_rod rod;
    static cut_rod cut;
    cdg_random random = {1};
    for (int trial = 0; trial < 60; trial++) {
        bool is_closed = trial % 2;
        cdg_section start = section_of(trial / 2), end = start;
        bool is_round = start.kind == CDG_SECTION_CIRCLE || start.kind == CDG_SECTION_TUBE;
        double part = trial % 8 < 4 ? 0 : is_round ? 0.3 : 0.5; // frames do not close up: a Moebius band
        if (!is_closed) end.radius *= 0.5, end.inner_radius *= 0.5;
        size_t elements = trial < 4 ? (is_closed ? 20 : 1) : 40 + random_bits(&random) % 100;
        smooth_rod_make(&rod, &random, is_closed, trial < 4 ? 0 : 0.03, (is_closed ? part : 0) + (double)(trial % 3));
        cut_rod_make(&cut, &rod, elements, 0.3, &random, &start, &end);
        cdg_run_rod own = run_rod(&cut);
        cdg_gltf_rig rig;
        cdg_error error;
        if (cdg_gltf_rig_create(&own, cut.frames, &rig, &error) != CDG_OK) fail_msg("%s", error.message);
        assert_int_equal(rig.joint_count, elements + 1);
        cdg_quat *turns = malloc(cut.node_count * sizeof *turns);
        assert_non_null(turns);
        if (cdg_gltf_rig_pose(&rig, cut.positions, cut.frames, turns, &error) != CDG_OK) fail_msg("%s", error.message);
        cdg_skin_pose pose = cut_rod_pose(&cut);
        float *expected = skin_place(rig.skin, &pose, NULL);

        // How far neighbouring frames turn against each other, and the longest element, bound what blending loses.
        double angle = 0, length = 0;
        for (size_t i = 0; i < elements; i++) {
            length = fmax(length, cut.rest_length[i]);
            if (i > 0) angle = fmax(angle, vec3_norm(quat_log(quat_relative(cut.frames[i - 1], cut.frames[i]))));
        }
        size_t at_nodes = 0;
        for (size_t i = 0; i < rig.skin->vertex_count; i++) {
            cdg_vec3 got = blend(&rig, &cut, turns, i), wanted = float_vec3(expected + 3 * i);
            bool is_at_node = rig.weights[4 * i] == 1;
            at_nodes += is_at_node;
            // The section, 0.02 m at most, shrinks by 1 - cos(angle/2) and turns unevenly, by 0.05 angle; the element
            // is an arc whose place is known to a part of its sagitta.
            double tolerance =
                is_at_node ? 3e-7 : 1e-6 + 0.02 * (angle * angle / 8 + 0.06 * angle) + 0.03 * length * angle;
            assert_vec3_near(got, wanted, tolerance);
        }
        assert_true(at_nodes >= cut.node_count * rig.skin->ring_size);
        // Across the rod the blend is much nearer than along it, where the rings may slide.
        for (size_t s = 0; s < rig.skin->station_count; s++) {
            cdg_vec3 middle = {0};
            for (size_t k = 0; k < rig.skin->ring_size; k++) {
                middle = vec3_mad(middle, 1.0 / (double)rig.skin->ring_size,
                                  blend(&rig, &cut, turns, s * rig.skin->ring_size + k));
            }
            cdg_vec3 offset = quat_rotate_inverse(rig.turns[s], vec3_sub(middle, rig.station_positions[s]));
            assert_near(hypot(offset.x, offset.y), 0, 0.03 * length * angle + 1e-6);
        }
        free(expected);
        free(turns);
        cdg_gltf_rig_free(&rig);
    }
}

static void test_joints_stand_at_nodes_in_the_bound_pose(void **state) {
    (void)state;
    static smooth_rod rod;
    static cut_rod cut;
    cdg_random random = {2};
    cdg_section section = section_of(0);
    smooth_rod_make(&rod, &random, false, 0, 0);
    cut_rod_make(&cut, &rod, 10, 0.3, &random, &section, &section);
    cdg_run_rod own = run_rod(&cut);
    cdg_gltf_rig rig;
    cdg_error error;
    assert_int_equal(cdg_gltf_rig_create(&own, NULL, &rig, &error), CDG_OK);
    double arc = 0;
    for (size_t i = 0; i <= 10; i++) {
        assert_near(rig.inverse_bind[16 * i + 14], -arc / 2, 1e-7);
        if (i < 10) arc += cut.rest_length[i];
    }
    cdg_gltf_rig_free(&rig);
    cdg_gltf_rig_free(&rig); // twice is fine
}

static void test_too_many_nodes(void **state) {
    (void)state;
    cdg_run_rod rod = {.name = "hair", .node_count = 70001, .element_count = 70000};
    cdg_gltf_rig rig;
    cdg_error error;
    assert_int_equal(cdg_gltf_rig_create(&rod, NULL, &rig, &error), CDG_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "hair"));
    cdg_gltf_rig_free(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_the_skin),
        cmocka_unit_test(test_joints_stand_at_nodes_in_the_bound_pose),
        cmocka_unit_test(test_too_many_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
