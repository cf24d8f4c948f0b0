// A plane that cuts a mesh open, and the text that describes it.
#ifndef CDG_RENDER_CUT_PLANE_H
#define CDG_RENDER_CUT_PLANE_H

#include <cordage/base.h>

typedef struct cdg_cut_plane {
    cdg_vec3 normal; // unit; what lies on its side is taken away
    bool has_offset; // false: through the middle of the mesh
    double offset;   // m, along the normal from the origin
} cdg_cut_plane;

// "x", "-y", "z=2cm", "1,1,0" or "1,1,0=2cm". The message of a failure shows examples.
cdg_result cdg_cut_plane_parse(const char *text, cdg_cut_plane *out, cdg_error *error);
// Whether a point is on the side that is taken away.
bool cdg_cut_plane_removes(const cdg_cut_plane *plane, cdg_vec3 middle, cdg_vec3 point);

#endif
