// Contact forces as arrows: one mesh with room for the most contacts that any output of the run has.
#ifndef CDG_RENDER_CONTACT_ARROWS_H
#define CDG_RENDER_CONTACT_ARROWS_H

#include "output/run_reader.h"
#include "render/picture_scene.h"

typedef struct cdg_contact_arrows {
    size_t room;    // arrows
    double largest; // N, of any contact at any output
    cdg_run_contact *contacts;
} cdg_contact_arrows;

// Goes through all outputs. A run whose file does not hold contacts' places is CDG_ERROR_ARGUMENT.
cdg_result cdg_contact_arrows_make(const cdg_run_reader *reader, cdg_contact_arrows *out, cdg_error *error);
void cdg_contact_arrows_free(cdg_contact_arrows *arrows);

// Sizes of the mesh, 0 when nothing ever touches.
size_t cdg_contact_arrows_vertices(const cdg_contact_arrows *arrows);
size_t cdg_contact_arrows_triangles(const cdg_contact_arrows *arrows);
// What stays the same of it.
void cdg_contact_arrows_fill(const cdg_contact_arrows *arrows, cdg_picture_mesh *mesh);

// Arrows of the forces on the first sides at an output. They begin where the contact is; their length grows with the
// root of the force, so that small ones are seen beside large ones: the largest is `longest` picture units. A place x
// becomes (x - center)/scale.
cdg_result cdg_contact_arrows_place(const cdg_contact_arrows *arrows, const cdg_run_reader *reader, size_t frame,
                                    cdg_vec3 center, double scale, double longest, cdg_picture_mesh *mesh,
                                    cdg_error *error);

#endif
