// The volume floor keeps tetrahedra of explicit solids from being turned inside out: none comes below a share of its
// volume at rest. It is a one-sided inelastic constraint: where a sub-step would end below the floor, the four corners
// get impulses along the gradient of the volume, weighted by their inverse masses. The gradient is that at the start of
// the sub-step (the base, x - h v), where it has no moment, so linear and angular momentum are kept to rounding (see
// contact/pieces.h); the volume is that at the end, a cubic in the impulse. Contact and volumes take turns until both
// hold.
//
// Volumes cost next to nothing while nothing is squeezed: a look at all of them tells how far nodes may go before any
// tetrahedron can come near the floor, and there is no other look until nodes have gone that far.
#ifndef CDG_SOLIDS_VOLUME_FLOOR_H
#define CDG_SOLIDS_VOLUME_FLOOR_H

#include "solids/solid.h"

typedef struct volume_floor_entry {
    uint32_t slot;
    double target, least, most; // m^3: aimed at, and accepted; above `most`, impulses are taken back
    double before;              // its impulse when the present call began
} volume_floor_entry;

typedef struct cdg_volume_floor {
    double share; // of the volume at rest
    // What a look found: nodes may go `room` from where they were seen, apart from a common motion.
    double *seen[3], room; // m; negative: nobody has looked
    bool has_served;       // it has spared anything
    int patience;          // sub-steps until the next look, where the last was in vain
    double *base[3];       // m: the start of the sub-step
    double *shift[3];      // m: what the last call adds to the candidate
    cdg_vec3 *blocked;     // of nodes: the direction that contact keeps them from, times the root of the share it does
    double *impulse;       // slot_count, N/m^2: forces on corners are so many gradients; of the sub-step under way
    double step;           // s: that sub-step
    volume_floor_entry *list;
    bool *is_listed; // slot_count
    size_t count, capacity;
    bool has_acted;  // an impulse is not zero
    int calls;       // that have changed impulses of the sub-step
    bool is_short;   // some volume could not be kept since the prediction began or this was cleared
    bool turns_over; // because a tetrahedron would be turned inside out twice
    size_t worst;    // that tetrahedron; else one at its floor
} cdg_volume_floor;

// Only where the definition asks for a floor. False: no memory.
bool cdg_volume_floor_build(cdg_solid *solid, double share);
void cdg_volume_floor_free(cdg_solid *solid);

// Before the sub-steps of a prediction.
void cdg_volume_floor_begin(cdg_solid *solid);
// Whether x_next may have tetrahedra near the floor.
bool cdg_volume_floor_is_near(const cdg_solid *solid);
// The base of a sub-step of length h from the candidate, before contact has moved it.
void cdg_volume_floor_find_base(cdg_solid *solid, double h);
// Finds `shift`, which added to x_next (and, over h, to v_next) restores all volumes; the reactions of supports get
// `part` of the forces. Returns whether there is any shift.
bool cdg_volume_floor_push(cdg_solid *solid, double h, double part);
void cdg_volume_floor_shift(cdg_solid *solid, double h); // moves the candidate so
// All of this for a sub-step without contact.
void cdg_volume_floor_hold(cdg_solid *solid, double h, double part);

#define VOLUME_FLOOR_DECLARE(suffix)                                                                                   \
    double cdg_volume_floor_room##suffix(const cdg_solid *solid, double *const x[3], double share);                    \
    void cdg_volume_floor_look##suffix(const cdg_solid *solid, double *const base[3], double *const x[3],              \
                                       double share, bool out[2]);
// m: how far nodes may go from x before the volume of any tetrahedron can come to that share of its volume at rest.
// Volumes at x into slot_volume; out: whether any is below the share, and whether any may have been flat on the
// straight way from the base.
VOLUME_FLOOR_DECLARE()
VOLUME_FLOOR_DECLARE(_base)
VOLUME_FLOOR_DECLARE(_avx2)
VOLUME_FLOOR_DECLARE(_avx512)
#undef VOLUME_FLOOR_DECLARE

#endif
