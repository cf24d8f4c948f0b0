// What solids show to contact (contact/proxy.h): the triangles of their surfaces.
#ifndef CDG_WORLD_SOLID_PROXY_H
#define CDG_WORLD_SOLID_PROXY_H

#include "contact/contacts.h"
#include "solids/solid_columns.h"
#include "world/solid_object.h"

// The part of a solid that contact sees; made once.
typedef struct solid_skin {
    uint32_t *node; // node_count: of the solid
    size_t node_count;
    uint32_t (*triangles)[3]; // of these
    cdg_vec3 *rest;
    double *compliance;        // m/N, of implicit solids
    cdg_solid_columns columns; // likewise
    size_t object;             // among those of contact
} solid_skin;

cdg_result cdg_solid_skin_make(world_solid *entry, cdg_error *error); // when there is none yet
void cdg_solid_skin_free(world_solid *entry);
cdg_proxy cdg_solid_proxy(world_solid *entry); // with its skin

// Of implicit solids. Before a prediction: the forces of contact. After it: its response, if contact wants it.
void cdg_solid_take_touch(world_solid *entry, const cdg_contacts *contacts);
cdg_result cdg_solid_give_response(world_solid *entry, const cdg_contacts *contacts, int threads, cdg_error *error);

// After contact: fails if a tetrahedron is squeezed below the volume that it has to keep.
cdg_result cdg_solids_check_volumes(cdg_world *world, double time, double step);
// The name of a solid of which some are held there in the step under way; NULL: there is none.
const char *cdg_solids_squeezed(const cdg_world *world);

// Contacts of all rods and solids of a world.
cdg_result cdg_world_build_contacts(cdg_world *world, cdg_rod *const *rods);
// In how many parts explicit solids have to take a step in which they touch something: at most, or those that touch.
double cdg_solids_contact_parts(const cdg_world *world, double step, bool only_touching);

#endif
