// Who is on the stage: what stays the same about rods, bodies and obstacles while they are shown, of a world or a run.
#ifndef CDG_VIEW_CAST_H
#define CDG_VIEW_CAST_H

#include "output/run_looks.h"
#include "output/run_reader.h"
#include "view/board.h"
#include "view/cast_solid.h"

#include <cordage/obstacle.h>

typedef struct cdg_cast_rod {
    char *name;
    size_t node_count, element_count;
    bool is_closed;
    cdg_section *sections; // node_count
    int run;               // of two
    size_t strands;        // guide or fibre of these, + 1; 0: neither
    cdg_look look;
} cdg_cast_rod;

typedef struct cdg_cast_rigid {
    char *name;
    cdg_shape shape; // of bodies, too; meshes belong to the world or the run
    cdg_vec3 position;
    cdg_quat orientation;
    bool is_free; // a body that forces move
    cdg_look look;
} cdg_cast_rigid;

typedef struct cdg_cast_support {
    size_t rod, node;
    bool is_held; // it can be led: it is neither a weld nor a tie, and has not let go
} cdg_cast_support;

typedef struct cdg_cast {
    cdg_cast_rod *rods;
    size_t rod_count, node_count, element_count; // of all
    cdg_cast_rigid *bodies, *obstacles;
    size_t body_count, obstacle_count;
    cdg_cast_support *supports;
    size_t support_count;
    cdg_cast_solid *solids;
    size_t solid_count;
    cdg_vec3 low, high; // what rods and rigids, but for planes, fill; m
    cdg_vec3 gravity;
    const double *times; // of a replay; NULL: live
    size_t time_count;
} cdg_cast;

// Both add to what is there, which is all zero at first; low and high grow.
cdg_result cdg_cast_add_world(cdg_cast *cast, const cdg_world *world, cdg_error *error);
cdg_result cdg_cast_add_run(cdg_cast *cast, const cdg_run_reader *reader, int run, cdg_error *error);
// A round rod without sections of its own; false: no memory.
bool cdg_cast_add_fiber(cdg_cast *cast, const char *name, size_t node_count, double radius, size_t strands);
// All that a world's cast has, when it is complete, looks as it would in pictures of a run of its scene.
void cdg_cast_dress(cdg_cast *cast, const cdg_scene *scene);
void cdg_cast_free(cdg_cast *cast);

void cdg_cast_include(cdg_cast *cast, cdg_vec3 point);
double cdg_cast_reach(const cdg_cast *cast); // half of the longest side of what is filled; never 0

// Half of the section's extent along d1 and d2, m.
void cdg_section_halves(const cdg_section *section, double *half1, double *half2);

// The message `world`.
cdg_message *cdg_cast_message(const cdg_cast *cast, uint32_t epoch);

#endif
