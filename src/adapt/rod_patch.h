// A few elements of a rod with the nodes and frames that a change of resolution moves: their energy, and where it is in
// equilibrium with given forces.
#ifndef CDG_ADAPT_PATCH_H
#define CDG_ADAPT_PATCH_H

#include "adapt/rod_patch_terms.h"

enum {
    CDG_PATCH_BESIDE = 2, // elements on each side of what changes. With one, an arc of 0.3 rad a node has end moments
                          // that change by 1.5 %; with two, by 0.4 %
    CDG_PATCH_ELEMENTS = 2 * CDG_PATCH_BESIDE + 2,
    CDG_PATCH_NODES = CDG_PATCH_ELEMENTS + 1,
    CDG_PATCH_GROUPS = 3, // of lanes: a node that is held has one cell on each side, or three of parts of the stiffness
    CDG_PATCH_SPRINGS = CDG_PATCH_GROUPS * CDG_PATCH_LANES,
    CDG_PATCH_UNKNOWNS = 3 * (CDG_PATCH_ELEMENTS - 1) + 3 * CDG_PATCH_ELEMENTS
};

// A cell is between frames of the patch, by number from 0, or one that stays: negative, then it is `still`.
typedef struct cdg_rod_patch_ends {
    int left, right;
    cdg_quat still;
} cdg_rod_patch_ends;

// Something that is touched and does not yield: the place `share` along an element stays on the normal's side.
typedef struct cdg_rod_patch_plane {
    size_t element;
    double share;
    cdg_vec3 normal;
    double offset;    // m: normal . place is no less
    double stiffness; // N/m, of what keeps it there
    bool counts;      // in the matrix though it is not entered: the next step would
} cdg_rod_patch_plane;
enum { CDG_PATCH_PLANES = 24 };

// Elements 0 to count - 1 with nodes 0 to count, of which the first and the last stay.
typedef struct cdg_rod_patch {
    size_t count;
    bool follows; // frames lie along their edges
    cdg_vec3 x[CDG_PATCH_NODES];
    cdg_quat q[CDG_PATCH_ELEMENTS];
    cdg_edge_laws edges;
    cdg_cell_laws springs[CDG_PATCH_GROUPS];
    cdg_rod_patch_ends ends[CDG_PATCH_SPRINGS];
    size_t spring_count;
    cdg_rod_patch_plane plane[CDG_PATCH_PLANES];
    size_t plane_count;
} cdg_rod_patch;

// Derivatives of the energy by positions of nodes (world axes; of the inner ones all there is, of the first and the
// last what this patch adds) and by turns of frames (material axes; of frames that follow, about d3 alone).
typedef struct cdg_rod_patch_gradient {
    cdg_vec3 node[CDG_PATCH_NODES], frame[CDG_PATCH_ELEMENTS];
} cdg_rod_patch_gradient;

// The elements and nodes of the rod, by their numbers.
void cdg_rod_patch_read(cdg_rod_patch *out, const cdg_rod *rod, const size_t *elements, const size_t *nodes,
                        size_t count);
// One more plane, if there is room: through the place, by a spring that is far stiffer than the patch is across.
void cdg_rod_patch_add_plane(cdg_rod_patch *patch, size_t element, double share, cdg_vec3 normal, double offset);
double cdg_rod_patch_stiffness(const cdg_rod_patch *patch); // N m: 4 B over the length of the stiffest cell in bending
double cdg_rod_patch_energy(const cdg_rod_patch *patch, cdg_rod_patch_gradient *out);
double cdg_rod_patch_own_energy(const cdg_rod_patch *patch); // without that of planes

// Moves inner nodes and frames to where the derivatives are the given ones, from where they are. Returns how many
// iterations of Newton's method that took; 0: there is no such state near. is_pressed: at the start edges are shorter
// than they are to be. energy: its own, there.
int cdg_rod_patch_solve(cdg_rod_patch *patch, const cdg_rod_patch_gradient *wanted, bool is_pressed, double *energy);

// For tests: the matrix of second derivatives, rows first. Unknowns are frame 0, node 1, frame 1, node 2, ... Returns
// how many.
size_t cdg_rod_patch_hessian(const cdg_rod_patch *patch, double out[CDG_PATCH_UNKNOWNS][CDG_PATCH_UNKNOWNS],
                             double gradient[CDG_PATCH_UNKNOWNS]);
bool cdg_rod_patch_is_position(const cdg_rod_patch *patch, size_t unknown); // of a node; else a turn
// The energy, with its derivatives by unknowns; a gradient by unknowns; what there is for each node and frame, for each
// of their unknowns. The last returns how many unknowns there are.
double cdg_rod_patch_slope(const cdg_rod_patch *patch, double out[CDG_PATCH_UNKNOWNS]);
void cdg_rod_patch_list(const cdg_rod_patch *patch, const cdg_rod_patch_gradient *from, double out[CDG_PATCH_UNKNOWNS]);
size_t cdg_rod_patch_spread(const cdg_rod_patch *patch, const double *node, const double *frame,
                            double out[CDG_PATCH_UNKNOWNS]);
// Moves by unknowns.
void cdg_rod_patch_move(cdg_rod_patch *patch, const double by[CDG_PATCH_UNKNOWNS]);

#endif
