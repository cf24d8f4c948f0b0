// A picture of a mesh of triangles or tetrahedra: flat faces with their edges, cut open where asked.
#ifndef CDG_RENDER_RENDER_MESH_H
#define CDG_RENDER_RENDER_MESH_H

#include "render/camera.h"
#include "render/cut_plane.h"
#include "render/picture.h"

#include <cordage/meshing.h>

typedef struct cdg_render_mesh_def {
    const cdg_mesh *tetrahedra; // one of these two
    const cdg_mesh *triangles;
    int width, height;
    cdg_camera_wish camera;
    cdg_picture_quality quality;
    cdg_background background;
    bool has_no_ground;
    const cdg_cut_plane *cut; // NULL: none
    int threads;              // 0: all cores
    bool (*goes_on)(void *user);
    void *user;
} cdg_render_mesh_def;

cdg_render_mesh_def cdg_render_mesh_def_default(void); // 1280 x 720, no cut

typedef struct cdg_render_mesh_report {
    size_t face_count;   // drawn
    size_t hidden_count; // tetrahedra or triangles that the cut has taken away
    cdg_camera camera;   // m
} cdg_render_mesh_report;

// The bytes of a PNG file, malloc'ed. CDG_ERROR_ARGUMENT: the cut leaves nothing.
cdg_result cdg_render_mesh(const cdg_render_mesh_def *def, unsigned char **png, size_t *size,
                           cdg_render_mesh_report *report, cdg_error *error);

#endif
