// The rods, bodies and obstacles of a run as meshes of a picture, moved and coloured anew for each moment.
#ifndef CDG_RENDER_ROD_MESHES_H
#define CDG_RENDER_ROD_MESHES_H

#include "fields/color_map.h"
#include "render/picture_scene.h"
#include "render/run_survey.h"

typedef struct cdg_rod_meshes_def {
    cdg_vec3 center;         // m, becomes the origin
    double scale;            // m, becomes 1
    cdg_vec3 up;             // planes across it are the ground's affair
    double thickness;        // rods are drawn this many times as thick as they are
    double smallest_radius;  // m; thinner sections are drawn with this radius, so that they can be seen
    double pixel;            // m, what a pixel covers: how finely to divide
    bool has_field;          // colours show the player's field; else each rod has its colour
    double range[2];         // of the field
    bool has_contacts;       // contact forces are drawn as arrows
    bool has_nodes;          // rings mark the nodes that rods have at the moment
    bool has_supports;       // where rods are held
    const char *hidden;      // names of rods, bodies, obstacles and solids that are not drawn, with commas; NULL: none
    const char *see_through; // names of what is seen through, with commas; NULL: nothing
    bool has_stripe;         // half of the way around has a second colour, along the material frame
} cdg_rod_meshes_def;

typedef struct cdg_rod_meshes {
    cdg_rod_meshes_def def;
    cdg_picture_scene *scene;               // one mesh a rod, a rigid, a solid; arrows; marks of supports
    double least_thickened, most_thickened; // factors by which sections are drawn thicker than they are
    double extra_radius;                    // m, largest amount
    struct cdg_rod_meshes_memory *memory;
} cdg_rod_meshes;

// Closed rods are joined as suits the moment that the player shows; best a late one (geometry/skin.h).
cdg_result cdg_rod_meshes_create(const cdg_run_player *player, const cdg_rod_meshes_def *def, cdg_rod_meshes **out,
                                 cdg_error *error);
void cdg_rod_meshes_destroy(cdg_rod_meshes *meshes); // NULL is fine

// Moves the meshes to where the player is.
cdg_result cdg_rod_meshes_move(cdg_rod_meshes *meshes, const cdg_run_player *player, cdg_error *error);

// The map that a field with this range is shown with.
cdg_color_map cdg_rod_field_color_map(const double range[2]);

#endif
