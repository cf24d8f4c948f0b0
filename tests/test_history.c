// Runs read back through the public API: what was simulated, and no place that is not there.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "near.h"
#include "run_scene.h"

#include "ragged_case.h"

#include <cordage/history.h>

static void a_run_is_read_as_it_was_simulated(void **state) {
    (void)state;
    char directory[RUN_PATH_SIZE];
    run_directory_make(directory);
    cdg_scene *scene = run_scene_make((run_scene_options){.force = 0.01});
    cdg_error error = {0};
    cdg_run_def def = {.scene = scene, .directory = directory, .thread_count = 1, .force = true};
    if (cdg_run(&def, NULL, &error) != CDG_OK) fail_msg("%s", error.message);

    cdg_world *world; // the same, by hand
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_OK);
    for (int i = 0; i < 60; i++) assert_int_equal(cdg_world_step(world, NULL), CDG_OK);

    cdg_history *history;
    if (cdg_history_open(directory, &history, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_history_info info;
    assert_int_equal(cdg_history_get_info(history, &info), CDG_OK);
    assert_int_equal(info.frame_count, 13);
    assert_string_equal(info.title, "A cable and a ring");
    assert_near(info.times[12], 0.06, 1e-12);
    cdg_history_rod rod;
    assert_int_equal(cdg_history_rod_at(history, 0, &rod), CDG_OK);
    assert_string_equal(rod.name, "cable");
    assert_int_equal(rod.node_count, 11);
    assert_near(rod.radii[3], 2e-3, 1e-15);
    assert_near(rod.rest_lengths[0], 0.1, 1e-12);
    cdg_vec3 now[11], read[11];
    assert_int_equal(cdg_rod_positions(world, cdg_world_find_rod(world, "cable"), now), CDG_OK);
    assert_int_equal(cdg_history_read(history, 12, 0, "positions", &read[0].x, 33, &error), CDG_OK);
    assert_memory_equal(now, read, sizeof now);
    double energies[13];
    assert_int_equal(cdg_history_energy(history, "total", energies, &error), CDG_OK);
    assert_near(energies[12], cdg_world_energy(world).total, 1e-15);

    // places that are not there
    assert_int_equal(cdg_history_read(history, 13, 0, "positions", &read[0].x, 33, &error), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_history_read(history, 12, 2, "positions", &read[0].x, 33, &error), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_history_read(history, 12, 0, "colour", &read[0].x, 33, &error), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_history_read(history, 12, 0, "positions", &read[0].x, 32, &error), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_history_rod_at(history, 2, &rod), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_history_energy(history, "charm", energies, &error), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_history_modes(history, 0, energies, NULL, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "modes: N"));
    assert_int_equal(cdg_history_body(history, 0, 0, now, &(cdg_quat){0}, &error), CDG_ERROR_ARGUMENT);
    size_t contacts = 7;
    assert_int_equal(cdg_history_contact_count(history, 0, &contacts, &error), CDG_OK);
    assert_int_equal(contacts, 0);
    cdg_history_close(history);
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
    run_directory_remove(directory);
}

static void outputs_of_changing_resolution_have_their_own_nodes(void **state) {
    (void)state;
    char directory[RUN_PATH_SIZE];
    run_directory_make(directory);
    ragged_run(directory, false, 6);
    cdg_history *history;
    cdg_error error = {0};
    if (cdg_history_open(directory, &history, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_history_rod rod, other;
    assert_int_equal(cdg_history_rod_at(history, 0, &rod), CDG_OK);
    assert_int_equal(cdg_history_rod_at(history, 1, &other), CDG_OK);
    assert_true(rod.adapts && !other.adapts);
    for (size_t frame = 0; frame < 6; frame++) {
        size_t nodes, elements;
        double moment = 0.1 * (double)frame, arc[RAGGED_NODES_MAX], levels[RAGGED_NODES_MAX];
        cdg_vec3 read[RAGGED_NODES_MAX], sampled[2];
        assert_int_equal(cdg_history_counts(history, frame, 0, &nodes, &elements, &error), CDG_OK);
        assert_int_equal(elements, ragged_elements(ragged_levels_at(frame)));
        assert_int_equal(nodes, elements + 1);
        assert_true(nodes <= rod.node_count);
        assert_int_equal(cdg_history_arc_lengths(history, frame, 0, arc, nodes, &error), CDG_OK);
        assert_int_equal(cdg_history_read(history, frame, 0, "positions", &read[0].x, 3 * nodes, &error), CDG_OK);
        for (size_t i = 0; i < nodes; i++) {
            cdg_vec3 wanted = ragged_curve(arc[i], moment);
            assert_memory_equal(&read[i], &wanted, sizeof wanted);
        }
        assert_int_equal(cdg_history_read(history, frame, 0, "level", levels, elements, &error), CDG_OK);
        assert_true(levels[0] == ragged_levels_at(frame)[0]);
        const double places[2] = {0.61, 0.2};
        cdg_result result = cdg_history_sample(history, frame, 0, "positions", places, 2, &sampled[0].x, 6, &error);
        assert_int_equal(result, CDG_OK);
        for (int i = 0; i < 2; i++) assert_true(vec3_distance(sampled[i], ragged_curve(places[i], moment)) < 5e-4);
        // room for one number less
        assert_int_equal(cdg_history_arc_lengths(history, frame, 0, arc, nodes - 1, &error), CDG_ERROR_ARGUMENT);
        assert_int_equal(cdg_history_read(history, frame, 0, "level", levels, elements - 1, &error),
                         CDG_ERROR_ARGUMENT);
        result = cdg_history_sample(history, frame, 0, "positions", places, 2, &sampled[0].x, 5, &error);
        assert_int_equal(result, CDG_ERROR_ARGUMENT);
    }
    double beyond = 1.01, number[3];
    assert_int_equal(cdg_history_sample(history, 0, 0, "positions", &beyond, 1, number, 3, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "1.01"));
    cdg_history_close(history);
    run_directory_remove(directory);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_run_is_read_as_it_was_simulated),
                                       cmocka_unit_test(outputs_of_changing_resolution_have_their_own_nodes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
