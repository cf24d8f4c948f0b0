// What contact sees of the objects that are handed in (proxy.h): all their segments and points in one numbering, where
// they are at the start of a step and in the candidate for its end, and how they answer forces.
//
// Points that joints make one are one here, with their common mass. Point 0 and the element after the last belong
// to no object and never move: they stand for what obstacles have instead of nodes. The last points, two of each, are
// rigid bodies (body_pieces.h).
//
// Lever arms are taken at the `base`, x_next - step v_next of the prediction. A force changes x_next by step^2 f/m and
// v_next by step f/m, so it changes sum of m x_next x v_next by step (x_next - step v_next) x f: whoever balances
// forces and moments there keeps the angular momentum of explicit models to rounding, however far the rods move in a
// step.
#ifndef CDG_CONTACT_PIECES_H
#define CDG_CONTACT_PIECES_H

#include "base/error.h"
#include "contact/surfaces.h"
#include "math/vec3.h"

enum { CDG_STILL_POINT = 0 };

typedef struct cdg_pieces {
    // ---- set by cdg_pieces_build, as long as no object, joint or support is added; counts and what follows from them
    // by cdg_pieces_renumber, too
    cdg_proxy *objects;                   // as they were handed in
    bool has_loaded, has_slow;            // any is predicted with lasting forces; any whose forces come slowly
    bool has_fine;                        // any is a chain, or a surface whose contact is to be solved finely
    size_t object_count, chain_count;     // chains come first, then surfaces, which have no elements
    uint32_t *first_element, *first_node; // object_count + 1 each
    size_t element_count, node_count, point_count, body_count;
    size_t element_capacity, point_capacity; // that there is room for
    uint32_t first_body_point;
    size_t joint_count, member_count;
    cdg_proxy_joint *joints; // copies
    cdg_proxy_member *members;
    uint32_t *joint_of;          // node_count: the joint that it is a member of; UINT32_MAX: none
    uint32_t *point_of;          // node_count: the point that an object's own point is
    bool *is_first;              // node_count: of the nodes that are one point, the first
    uint32_t (*ends)[2];         // element_count + 1: points
    uint32_t *object_of;         // element_count
    double (*radius)[2];         // element_count, m, at its ends
    double (*arc)[2];            // element_count, m, along the chain at its ends
    uint32_t (*near_joint)[2];   // element_count: the joints next along the chain, before and after; UINT32_MAX: none
    double (*joint_distance)[2]; // element_count, m, along the chain to them
    uint32_t (*passes)[2];       // element_count: surfaces that it passes through, it is tied to them; UINT32_MAX: none
    cdg_surfaces surfaces;

    // ---- set by cdg_pieces_load each step
    cdg_vec3 *start, *base, *free; // point_count, m: before the step, lever arms (above), predicted without contact
    cdg_vec3 *velocity;            // point_count, m/s, before the step
    bool *held;                    // point_count
    double *give;      // point_count, m/N: how far a point moves by a force; 0: held, or its object answers as one
    double *turn_free; // element_count + 1, rad about the tangent in the step, predicted without contact
    double *turn_give; // element_count + 1, rad/(N m)
    cdg_vec3 *axis;    // element_count + 1, unit, along the element at the base

    // ---- the candidate with contact
    cdg_vec3 *next; // point_count, m
    double *turn;   // element_count + 1, rad
    // what acts in the candidate, N and N m about the axis
    cdg_vec3 *force;
    double *torque;
    cdg_vec3 *loaded; // of these, what explicit objects were predicted with
    double *loaded_torque;
    cdg_vec3 *lag;          // N: how far the load of the next step will be from the force (contact_lasting.h)
    cdg_vec3 *lag_across;   // the same for what acts across a contact's normal
    double *pressed;        // N: sizes of the contact forces on a point, by its shares in them
    cdg_vec3 *force_before; // that the candidate was made with, while the solver changes them
    double *torque_before;
    // what the solver adds to the candidate
    cdg_vec3 *move;
    double *more_turn;
    int threads; // that load and store share objects out to, set by the caller; less than 2: none
    void *memory;
} cdg_pieces;

// Copies what is handed in. Zero is a good start for `out`; what was there is freed.
cdg_result cdg_pieces_build(cdg_pieces *out, const cdg_proxy_list *list, size_t body_count, cdg_error *error);
void cdg_pieces_free(cdg_pieces *pieces);
// After the counts of points and segments in `objects` were changed, within their capacities. There are no forces then.
void cdg_pieces_renumber(cdg_pieces *pieces);

// State and candidate of the objects; the candidate with contact becomes the one without. Forces become those that the
// candidates were made with: of implicit objects and those that are loaded, what is there; of others and bodies none.
void cdg_pieces_load(cdg_pieces *pieces, double step);
// Of one implicit object that was predicted again.
void cdg_pieces_reload(cdg_pieces *pieces, size_t index, double step);

// Gives what contact did back to the objects. Tells of every one whether anything acted on it.
void cdg_pieces_store(const cdg_pieces *pieces, double step, bool *touched);

// Whether the two elements are neighbours along their chains, nearer than one of their radius can bend back to itself.
bool cdg_pieces_are_neighbours(const cdg_pieces *pieces, uint32_t a, uint32_t b);
// m, at rest: the shortest way from one to the other along their chains, or through one joint; HUGE_VAL: there is none.
double cdg_pieces_separation(const cdg_pieces *pieces, uint32_t a, uint32_t b);

static inline cdg_vec3 pieces_at(const cdg_pieces *pieces, const cdg_vec3 *points, uint32_t element, double s) {
    cdg_vec3 p = points[pieces->ends[element][0]], q = points[pieces->ends[element][1]];
    return (cdg_vec3){p.x + s * (q.x - p.x), p.y + s * (q.y - p.y), p.z + s * (q.z - p.z)};
}
static inline double pieces_radius(const cdg_pieces *pieces, uint32_t element, double s) {
    return pieces->radius[element][0] + s * (pieces->radius[element][1] - pieces->radius[element][0]);
}
static inline double pieces_largest_radius(const cdg_pieces *pieces, size_t element) {
    const double *radius = pieces->radius[element];
    return radius[0] > radius[1] ? radius[0] : radius[1];
}
static inline bool pieces_pass(const cdg_pieces *pieces, uint32_t element, uint32_t triangle) {
    uint32_t surface = pieces->surfaces.triangles[triangle].surface;
    return pieces->passes[element][0] == surface || pieces->passes[element][1] == surface;
}
// The object's own number of an element.
static inline uint32_t pieces_local(const cdg_pieces *pieces, uint32_t element) {
    return element - pieces->first_element[pieces->object_of[element]];
}
static inline bool pieces_is_implicit(const cdg_pieces *pieces, uint32_t element) {
    return pieces->objects[pieces->object_of[element]].is_implicit;
}

#endif
