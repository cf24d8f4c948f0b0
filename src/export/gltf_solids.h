// Deformable solids in a glTF file: a mesh each, with the way of its points to every output as a morph target. An
// animation of weights goes from one target to the next, so that points go straight between outputs.
#ifndef CDG_EXPORT_GLTF_SOLIDS_H
#define CDG_EXPORT_GLTF_SOLIDS_H

#include "export/format.h"
#include "export/gltf_json.h"
#include "output/solid_surface.h"

// What is needed while one solid is written.
typedef struct cdg_gltf_solid {
    cdg_solid_surface surface;
    double *numbers;     // positions of the nodes
    float *first, *move; // 3 a point: at the first frame, and from there
} cdg_gltf_solid;

// Adds meshes, materials, nodes and animations of all solids; meshes and materials are numbered from `first` on. Their
// bytes are the last ones of the binary part. `times`: the accessor of the frames' times.
cdg_result cdg_gltf_solids_describe(const cdg_export *export, cdg_gltf_json *json, size_t first, size_t times,
                                    cdg_error *error);
// The bytes of one solid at one frame; for each solid all frames in order.
cdg_result cdg_gltf_solids_write(cdg_export *export, cdg_gltf_solid *memory, cdg_whole_file *file, size_t solid,
                                 size_t frame, cdg_error *error);
void cdg_gltf_solid_free(cdg_gltf_solid *memory);
double cdg_gltf_solids_bytes(const cdg_export *export); // about

#endif
