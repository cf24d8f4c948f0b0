// Supports of rods in pictures: dark collars where rods are clamped, balls where they are pinned.
#ifndef CDG_RENDER_SUPPORT_MARKS_H
#define CDG_RENDER_SUPPORT_MARKS_H

#include "render/picture_scene.h"
#include "render/run_player.h"

typedef struct cdg_support_mark {
    size_t rod, node; // of the run
    bool is_clamp;    // it holds the frame, too
    double end;       // s, when it lets go; INFINITY: never
    double radius;    // picture units, of the rod as it is drawn
} cdg_support_mark;

typedef struct cdg_support_marks {
    cdg_support_mark *items;
    size_t count;
} cdg_support_marks;

// From the run's own scene; none when that can no longer be read, and none for roots of hair. `radii`: of each rod as
// it is drawn, picture units.
cdg_result cdg_support_marks_make(const cdg_run_reader *reader, const double *radii, cdg_support_marks *out,
                                  cdg_error *error);
void cdg_support_marks_free(cdg_support_marks *marks);

// Sizes of one mesh for all of them, 0 when there are none.
size_t cdg_support_marks_vertices(const cdg_support_marks *marks);
size_t cdg_support_marks_triangles(const cdg_support_marks *marks);
// What stays the same of it.
void cdg_support_marks_fill(const cdg_support_marks *marks, cdg_picture_mesh *mesh);
// Where the player is; those that have let go are not seen. A place x becomes (x - center)/scale.
void cdg_support_marks_place(const cdg_support_marks *marks, const cdg_run_player *player, cdg_vec3 center,
                             double scale, cdg_picture_mesh *mesh);

#endif
