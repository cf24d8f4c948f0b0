// How contact is treated in a world.
#ifndef CORDAGE_CONTACT_H
#define CORDAGE_CONTACT_H

#include <cordage/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// The one list of how contact forces are found: X(enumerator, scene name, one-line description).
#define CDG_RESPONSE_LIST(X)                                                                                           \
    X(CDG_RESPONSE_SOLVED, "solved", "together, until nothing lies in anything")                                       \
    X(CDG_RESPONSE_PAPER, "paper", "by a formula, once a step, for comparison: explicit solids and obstacles alone")

typedef enum cdg_contact_response {
#define CDG_RESPONSE_ENUM(name, key, text) name,
    CDG_RESPONSE_LIST(CDG_RESPONSE_ENUM)
#undef CDG_RESPONSE_ENUM
        CDG_RESPONSE_COUNT
} cdg_contact_response;

// Contact of rods and solids with each other, with themselves, with obstacles and with bodies.
typedef struct cdg_contact_def {
    cdg_contact_choice choice; // off: everything passes through everything
    double friction;           // Coulomb's coefficient, between rods; an obstacle or a body may have its own
    double restitution;        // share of the speed of approach that is given back, 0 to 1
    // m, 0: off. Masses fall by a factor of e over this height while contacts are solved for, so that high stacks come
    // to rest in fewer sweeps (docs/contact.md). For rods that answer contact by their nodes' masses, without bodies.
    double shock_height;
    cdg_contact_response response;
    bool separates; // rods that lie in each other at the start are pushed apart gently instead of refused
} cdg_contact_def;

cdg_contact_def cdg_contact_def_default(void); // on, without friction and restitution

// From the next step on, in place of what cdg_world_def said.
cdg_result cdg_world_set_contact(cdg_world *world, const cdg_contact_def *def);
cdg_contact_def cdg_world_contact(const cdg_world *world); // as it is now
// Whether rods lie in each other, in obstacles or in bodies as the world is now, which the first step would refuse:
// CDG_ERROR_ARGUMENT, and cdg_world_message says where and how deep. Fine when contact is off or may separate them.
// CDG_ERROR_UNSUPPORTED: there are rods that cannot touch anything, and the first step would refuse them, too.
cdg_result cdg_world_check_contact(cdg_world *world);

// A point where two things touch with a force, in the last step. The first is a rod where one takes part, else a solid,
// else a body: one of `rod`, `solid` and `first_body` is not null. Contacts of rods come first in the list, those of
// bodies with bodies and obstacles last.
typedef struct cdg_contact_info {
    cdg_rod_id rod;
    cdg_solid_id solid;
    cdg_body_id first_body;
    size_t element;   // of the rod; of a solid the triangle of its surface
    double place;     // on a rod's element, 0 to 1
    cdg_rod_id other; // null: it touches something else
    cdg_solid_id other_solid;
    size_t other_element;
    double other_place;
    cdg_obstacle_id obstacle; // null: a rod, a body or a solid
    cdg_body_id body;         // null: a rod, an obstacle or a solid
    cdg_vec3 point;           // m, on the surface of the first
    cdg_vec3 normal;          // unit, towards the first
    cdg_vec3 force;           // N, on the first; the other feels the opposite
    double gap;               // m, negative: penetration; solids have a thickness (docs/solids.md)
    bool sticks;              // does not slide
} cdg_contact_info;

size_t cdg_world_contact_count(const cdg_world *world); // of the last step
// One of them.
cdg_result cdg_world_contact_at(const cdg_world *world, size_t index, cdg_contact_info *out);
// All of them at once: the first `capacity` into `out` (may be NULL when capacity is 0), and how many there are into
// *count (may be NULL).
cdg_result cdg_world_contacts(const cdg_world *world, cdg_contact_info *out, size_t capacity, size_t *count);
// The deepest penetration, in radii of the thinner rod or in thicknesses of the thinner solid; of bodies alone none.
double cdg_world_deepest_contact(const cdg_world *world);
// The sum of all contact forces on a rod, N, and the number of contacts (may be NULL).
cdg_result cdg_rod_contact_force(const cdg_world *world, cdg_rod_id rod, cdg_vec3 *out, size_t *count);

#ifdef __cplusplus
}
#endif
#endif
