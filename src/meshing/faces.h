// Faces of tetrahedra: their corners, and which two belong together.
#ifndef CDG_MESHING_FACES_H
#define CDG_MESHING_FACES_H

#include "base/patience.h"

#include <cordage/meshing.h>

// Face k lies opposite corner k; its corners are counter-clockwise seen from outside.
extern const unsigned char cdg_face_corners[4][3];

// A half-face is 4 * tetrahedron + face.
#define CDG_NO_FACE UINT32_MAX             // none on the other side: boundary
#define CDG_OVERFULL_FACE (UINT32_MAX - 1) // more than one on the other side

// mate[h]: the half-face of the same three points, or one of the two above. Tetrahedra for which `skip` (may be NULL)
// is true have no mates. False: no memory, or no patience (may be NULL). Corners must be in range.
bool cdg_faces_match(const cdg_mesh *mesh, const bool *skip, cdg_patience *patience, uint32_t *mate);

static inline void cdg_face_points(const cdg_mesh *mesh, uint32_t half_face, uint32_t out[3]) {
    for (int k = 0; k < 3; k++) out[k] = mesh->tetrahedra[half_face / 4][cdg_face_corners[half_face % 4][k]];
}

#endif
