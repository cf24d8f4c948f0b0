// Runs made by hand, without files: rods and a moment of them, for the tests of src/render.
#ifndef CDG_TESTS_ROD_CASE_H
#define CDG_TESTS_ROD_CASE_H

#include "math/quat.h"
#include "render/run_player.h"

#include <string.h>

enum { ROD_CASE_ELEMENTS = 60, ROD_CASE_NODES = ROD_CASE_ELEMENTS + 1 };

typedef struct rod_case {
    double radius[ROD_CASE_NODES], rest_length[ROD_CASE_ELEMENTS], times[2], values[ROD_CASE_NODES];
    cdg_section sections[ROD_CASE_NODES];
    cdg_vec3 positions[ROD_CASE_NODES], velocities[ROD_CASE_NODES];
    cdg_quat frames[ROD_CASE_ELEMENTS];
    cdg_run_rod rod;
    cdg_rod_moment moment;
    cdg_run_reader reader;
    cdg_run_player player;
} rod_case;

// A straight rod of length 2 along x about the origin, d1 up at its start, twisted evenly by `turns` in all.
static inline void rod_case_make(rod_case *out, cdg_section section, double turns) {
    memset(out, 0, sizeof *out);
    double length = 2.0 / ROD_CASE_ELEMENTS;
    for (size_t i = 0; i < ROD_CASE_NODES; i++) {
        out->positions[i] = vec3(-1 + length * (double)i, 0, 0);
        out->sections[i] = section;
        out->radius[i] = section.radius;
    }
    for (size_t i = 0; i < ROD_CASE_ELEMENTS; i++) {
        out->rest_length[i] = length;
        cdg_quat along = quat_from_axes(vec3(0, 0, 1), vec3(0, -1, 0), vec3(1, 0, 0));
        double angle = 6.283185307179586 * turns * ((double)i + 0.5) / ROD_CASE_ELEMENTS;
        out->frames[i] = quat_multiply(quat_from_axis_angle(vec3(1, 0, 0), angle), along);
    }
    out->rod = (cdg_run_rod){.name = "rod",
                             .model = "pobd",
                             .node_count = ROD_CASE_NODES,
                             .element_count = ROD_CASE_ELEMENTS,
                             .length = 2,
                             .mass = 1,
                             .radius = out->radius,
                             .rest_length = out->rest_length,
                             .sections = out->sections};
    out->moment = (cdg_rod_moment){
        .positions = out->positions, .velocities = out->velocities, .frames = out->frames, .values = out->values};
    out->reader = (cdg_run_reader){.frame_count = 1, .times = out->times, .rods = &out->rod, .rod_count = 1};
    out->player = (cdg_run_player){.reader = &out->reader, .rods = &out->moment};
}

#endif
