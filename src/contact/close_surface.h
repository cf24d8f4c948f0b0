// Open or faulty triangles made into a closed surface that obstacles can have.
#ifndef CDG_CONTACT_CLOSE_SURFACE_H
#define CDG_CONTACT_CLOSE_SURFACE_H

#include <cordage/meshing.h>

typedef struct cdg_closed_surface {
    bool was_closed;       // nothing was done
    double doubtful_share; // of the new surface, where inside is hard to tell
} cdg_closed_surface;

// A surface that is closed stays as it is, to the bit. Any other becomes the boundary of the tetrahedra that fill it,
// of about `size` m (0: a 48th of its longest side). On failure the mesh is as it was.
cdg_result cdg_surface_close(cdg_mesh *mesh, double size, cdg_closed_surface *out, cdg_error *error);

#endif
