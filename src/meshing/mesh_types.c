// Lifetime of meshes and the options that work for most surfaces.
#include <cordage/meshing.h>

#include <stdlib.h>

void cdg_mesh_free(cdg_mesh *mesh) {
    if (mesh == NULL) return;
    free(mesh->points);
    free(mesh->triangles);
    free(mesh->tetrahedra);
    *mesh = (cdg_mesh){0};
}

void cdg_embedding_free(cdg_embedding *embedding) {
    if (embedding == NULL) return;
    free(embedding->tetrahedron);
    free(embedding->weight);
    *embedding = (cdg_embedding){0};
}

cdg_mesher_options cdg_mesher_options_default(void) {
    return (cdg_mesher_options){.mesher = CDG_MESHER_STUFFING, .grading = 1, .density = 0.5, .smoothing_steps = 5};
}
