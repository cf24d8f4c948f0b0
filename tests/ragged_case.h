// A world with a rod whose resolution is changed by hand, for tests of what comes after the simulation: the rod is laid
// on a known curve with nodes wherever the test wants them. The including file includes cmocka and run_scene.h first.
#ifndef CDG_TESTS_RAGGED_CASE_H
#define CDG_TESTS_RAGGED_CASE_H

#include "adapt/resolution.h"
#include "math/quat.h"
#include "output/run_file.h"
#include "scene/scene.h"
#include "world/world.h"

enum { RAGGED_ELEMENTS = 8, RAGGED_NODES_MAX = 8 * RAGGED_ELEMENTS + 1 };

// A rope of 8 elements that may be halved three times, and one that keeps its 5.
static inline cdg_scene *ragged_scene(bool is_closed) {
    char text[2000];
    snprintf(text, sizeof text,
             "cordage: 1\ntitle: A rope of changing resolution\ncontact: off\n"
             "simulation: {step: 1 ms, duration: 20 ms}\noutput: {every: 1 ms}\n"
             "materials:\n  rubber: {young_modulus: 1 MPa, density: 1100 kg/m^3}\n"
             "rods:\n"
             "  - name: rope\n    material: rubber\n"
             "    section: {circle: {radius: 4 mm}}\n"
             "    centerline: {%s}\n    elements: 8\n"
             "    adapt: {levels: 3, shortest: 1 mm}\n    model: der\n"
             "  - name: other\n    material: rubber\n    section: {circle: {radius: 2 mm}}\n"
             "    centerline: {line: {from: [0, 1, 0], to: [1, 1, 0]}}\n    elements: 5\n",
             is_closed ? "circle: {radius: 20 cm}" : "line: {from: [0, 0, 0], to: [1, 0, 0]}");
    return run_scene_parse(text, NULL, 0);
}

// The curve that the rope is laid on at a moment: a helix that turns. s is the rest arc length, m.
static inline cdg_vec3 ragged_curve(double s, double moment) {
    double angle = 3 * s + moment;
    return vec3(0.2 * cos(angle), 0.2 * sin(angle), 0.5 * s + 0.1 * moment);
}

static inline cdg_quat ragged_frame(double s, double moment) {
    cdg_vec3 ahead = ragged_curve(s + 1e-5, moment), behind = ragged_curve(s - 1e-5, moment);
    cdg_vec3 tangent = vec3_normalize(vec3_sub(ahead, behind));
    return quat_between(vec3(0, 0, 1), tangent);
}

// Divides the rope as `levels` says, one number for each of its 8 elements, 0 to 3, and lays it on the curve.
static inline void ragged_show(cdg_world *world, const int levels[RAGGED_ELEMENTS], double moment) {
    cdg_rod *rod = cdg_world_get_rod(world, cdg_world_find_rod(world, "rope"));
    assert_non_null(rod->adapt);
    for (bool is_done = false; !is_done;) { // all halves are made one again
        is_done = true;
        for (size_t j = 0; j + 1 < rod->element_count; j++) {
            if (!cdg_resolution_are_halves(rod, j)) continue;
            cdg_resolution_join(rod, j);
            is_done = false;
        }
    }
    assert_int_equal(rod->element_count, RAGGED_ELEMENTS);
    for (size_t e = RAGGED_ELEMENTS; e-- > 0;)
        for (int level = 0; level < levels[e]; level++)
            for (size_t j = (size_t)1 << level; j-- > 0;) cdg_resolution_halve(rod, e + j);
    for (size_t i = 0; i < rod->node_count; i++) {
        rod_set_vec3(rod->x, i, ragged_curve(rod->adapt->arc[i], moment));
        rod_set_vec3(rod->v, i, vec3(rod->adapt->arc[i], moment, 0));
    }
    for (size_t j = 0; j < rod->element_count; j++) {
        double middle = rod->adapt->arc[j] + rod->rest_length[j] / 2;
        rod_set_quat(rod->q, j, ragged_frame(middle, moment));
        rod_set_vec3(rod->w, j, vec3(middle, 2 * middle, moment));
    }
}

// Divisions that tests go through, one an output: none is a part of all others.
static const int ragged_levels[6][RAGGED_ELEMENTS] = {{0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 1, 1, 0, 0, 0, 0},
                                                      {0, 1, 2, 3, 2, 1, 0, 0}, {3, 2, 1, 0, 0, 0, 0, 0},
                                                      {0, 0, 0, 0, 0, 1, 2, 2}, {0, 0, 0, 0, 0, 0, 0, 0}};

static inline const int *ragged_levels_at(size_t frame) { return ragged_levels[frame % 6]; }

static inline size_t ragged_elements(const int *levels) {
    size_t count = 0;
    for (int e = 0; e < RAGGED_ELEMENTS; e++) count += (size_t)1 << levels[e];
    return count;
}

// A run of so many outputs, divided in turn as the list says.
static inline void ragged_run(const char *base, bool is_closed, size_t frames) {
    char path[RUN_PATH_SIZE + 16];
    snprintf(path, sizeof path, "%s/run.h5", base);
    cdg_scene *scene = ragged_scene(is_closed);
    cdg_world *world = NULL;
    cdg_run_file *file = NULL;
    cdg_run_plan plan = {.step = 1e-3};
    cdg_error error;
    assert_int_equal(cdg_scene_build(scene, 1, &world, NULL), CDG_OK);
    assert_int_equal(cdg_world_set_step_size(world, plan.step), CDG_OK);
    assert_int_equal(cdg_run_plan_make(scene, world, &plan, NULL), CDG_OK);
    if (cdg_run_file_stage(path, scene, world, &plan, &file, &error) != CDG_OK ||
        cdg_run_file_install(file, &error) != CDG_OK)
        fail_msg("%s", error.message);
    for (size_t i = 0; i < frames; i++) {
        ragged_show(world, ragged_levels_at(i), 0.1 * (double)i);
        world->time = 1e-3 * (double)i;
        cdg_energy energy = cdg_world_energy(world);
        assert_int_equal(cdg_run_file_write_frame(file, i, world, &energy, NULL), CDG_OK);
    }
    assert_int_equal(cdg_run_file_close(file, true, NULL), CDG_OK);
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
}

#endif
