// Supports of solids in pictures: faces whose corners are all held are dark for as long as they are.
#ifndef CDG_RENDER_HELD_FACES_H
#define CDG_RENDER_HELD_FACES_H

#include "render/picture_scene.h"

#include "output/run_reader.h"

typedef struct cdg_held_faces {
    double **until; // s, of each face of each solid of the run, 0 or less: it is not held; NULL: no face of it is
    size_t solid_count;
} cdg_held_faces;

// From the run's own scene; none when that can no longer be read.
cdg_result cdg_held_faces_make(const cdg_run_reader *reader, cdg_held_faces *out, cdg_error *error);
void cdg_held_faces_free(cdg_held_faces *held);

// Colours those faces of a solid's mesh (three vertices a face) that a support ever holds; `free` is the colour of one
// that has been let go.
void cdg_held_faces_color(const cdg_held_faces *held, size_t solid, double time, float3 free, cdg_picture_mesh *mesh);

#endif
