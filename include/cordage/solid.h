// Solids that deform: meshes of tetrahedra with an elastic material, in the one world with rods, bodies and obstacles.
#ifndef CORDAGE_SOLID_H
#define CORDAGE_SOLID_H

#include <cordage/meshing.h>
#include <cordage/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// The one list of models of solids: X(enumerator, scene name, one-line description).
#define CDG_SOLID_MODEL_LIST(X)                                                                                        \
    X(CDG_SOLID_NEO_HOOKEAN, "neo_hookean", "stable neo-Hookean material: any deformation, inverted elements too")     \
    X(CDG_SOLID_COROTATIONAL, "corotational", "linear elasticity in axes that turn with each element")                 \
    X(CDG_SOLID_SHAPE_MATCHING, "shape_matching", "pulled to its best fitting shape: fast, stable at any step")        \
    X(CDG_SOLID_MASS_SPRING, "mass_spring", "springs for lengths of edges, areas and volumes; explicit")

typedef enum cdg_solid_model {
#define CDG_SOLID_MODEL_ENUM(name, key, text) name,
    CDG_SOLID_MODEL_LIST(CDG_SOLID_MODEL_ENUM)
#undef CDG_SOLID_MODEL_ENUM
        CDG_SOLID_MODEL_COUNT
} cdg_solid_model;

// The one list of integrators of solids: X(enumerator, scene name, one-line description).
#define CDG_SOLID_INTEGRATOR_LIST(X)                                                                                   \
    X(CDG_SOLID_BDF2, "bdf2", "implicit, second order, little damping")                                                \
    X(CDG_SOLID_EULER, "euler", "implicit, first order, damps")                                                        \
    X(CDG_SOLID_EXPLICIT, "explicit", "symplectic Euler in sub-steps that are short enough")

typedef enum cdg_solid_integrator {
#define CDG_SOLID_INTEGRATOR_ENUM(name, key, text) name,
    CDG_SOLID_INTEGRATOR_LIST(CDG_SOLID_INTEGRATOR_ENUM)
#undef CDG_SOLID_INTEGRATOR_ENUM
        CDG_SOLID_INTEGRATOR_COUNT
} cdg_solid_integrator;

// The one list of what resists changes of volume: X(enumerator, scene name, one-line description). Linear tetrahedra
// that each resist for themselves are too stiff near a Poisson's ratio of 0.5 (they lock).
#define CDG_SOLID_PRESSURE_LIST(X)                                                                                     \
    X(CDG_SOLID_PRESSURE_AUTO, "auto", "averaged above a Poisson's ratio of 0.45, else elements")                      \
    X(CDG_SOLID_PRESSURE_ELEMENTS, "elements", "each tetrahedron for itself: locks near 0.5")                          \
    X(CDG_SOLID_PRESSURE_AVERAGED, "averaged", "the mean over the tetrahedra at a node; about twice the work")

typedef enum cdg_solid_pressure {
#define CDG_SOLID_PRESSURE_ENUM(name, key, text) name,
    CDG_SOLID_PRESSURE_LIST(CDG_SOLID_PRESSURE_ENUM)
#undef CDG_SOLID_PRESSURE_ENUM
        CDG_SOLID_PRESSURE_COUNT
} cdg_solid_pressure;

// The one list of what shape matching takes for the shape of a cluster: X(enumerator, scene name, one-line
// description).
#define CDG_MATCHING_MODE_LIST(X)                                                                                      \
    X(CDG_MATCHING_RIGID, "rigid", "the shape at rest, moved and turned")                                              \
    X(CDG_MATCHING_LINEAR, "linear", "also stretched and sheared, which goes back more slowly")                        \
    X(CDG_MATCHING_QUADRATIC, "quadratic", "also bent and twisted, which goes back more slowly")

typedef enum cdg_matching_mode {
#define CDG_MATCHING_MODE_ENUM(name, key, text) name,
    CDG_MATCHING_MODE_LIST(CDG_MATCHING_MODE_ENUM)
#undef CDG_MATCHING_MODE_ENUM
        CDG_MATCHING_MODE_COUNT
} cdg_matching_mode;

// Shape matching has times instead of moduli: a deviation from the shape goes back as an oscillation of 1/time rad/s,
// damped critically, at any step. A longer time is softer by its square.
typedef struct cdg_shape_matching_def {
    cdg_matching_mode mode;
    double relaxation_time; // s, of deformations beyond the mode
    double linear_time;     // s, of stretch and shear of a whole cluster (linear, quadratic); 0: 2 relaxation_time
    double quadratic_time;  // s, of bending and twist of a whole cluster (quadratic); 0: 1.5 relaxation_time
    double damping_ratio;   // 1: critical; below, it swings
    size_t cluster_count;   // 0: as many as cluster_size says
    double cluster_size;    // m, about the diameter of a cluster; 0: the whole solid is one
    double cluster_overlap; // how far clusters reach into their neighbours, over their size; at least one edge
} cdg_shape_matching_def;
cdg_shape_matching_def cdg_shape_matching_def_default(void); // 10 ms, critical, clusters overlap by a quarter

// Stiffnesses of springs, Pa: an edge has the energy k/2 (l/l0 - 1)^2, k being `length` times a sixth of the volume of
// its tetrahedra; a triangle likewise with `area` times a quarter, a tetrahedron with `volume` times its own. All 0:
// those of Young's modulus and Poisson's ratio, which is 0.25 at least.
typedef struct cdg_mass_spring_def {
    double length, area, volume;
} cdg_mass_spring_def;
cdg_mass_spring_def cdg_mass_spring_def_default(void); // those of the moduli

// ---- meshes of shapes -----------------------------------------------------------------------------------------------

// A mesh of tetrahedra of a shape where it is, with edges of about `resolution` metres (0: its longest extent over 10).
// Free `out` afterwards. Planes, capsules and meshes are refused.
cdg_result cdg_shape_mesh(const cdg_shape *shape, double resolution, cdg_mesh *out, cdg_error *error);

// ---- solids ---------------------------------------------------------------------------------------------------------

#define CDG_VOLUME_BARRIER_AUTO (-1.0)

typedef struct cdg_solid_def {
    const char *name;     // copied; unique among solids; NULL: chosen for you
    cdg_mesh mesh;        // its tetrahedra at rest; copied; positive volumes, every point in a tetrahedron
    cdg_vec3 position;    // m: where the mesh's origin is
    cdg_quat orientation; // how it is turned about that
    double scale;         // of the mesh, before it is placed
    cdg_solid_model model;
    cdg_solid_integrator integrator;
    double young_modulus;                  // Pa
    double poisson_ratio;                  // -1 < nu < 0.5
    double density;                        // kg/m^3
    double damping_time;                   // s: stress follows strain + damping_time * its rate (Kelvin-Voigt)
    cdg_vec3 velocity;                     // m/s, of the centre of mass at the start
    cdg_vec3 angular_velocity;             // rad/s, about it
    cdg_shape_matching_def shape_matching; // of that model, which reads neither moduli nor integrator
    cdg_mass_spring_def mass_spring;       // of that model, which is explicit whatever the integrator
    cdg_solid_pressure pressure;           // of neo_hookean and corotational
    // Keeps tetrahedra from being turned inside out; a share of their volumes at rest, 0: off. With explicit
    // integrators no tetrahedron comes below it (at most 0.5). With implicit ones (neo_hookean and corotational)
    // a tetrahedron below it resists more and more, without limit as it becomes flat.
    // CDG_VOLUME_BARRIER_AUTO: 0.1 for explicit integrators, 0 for implicit ones and for shape_matching.
    double volume_barrier;
} cdg_solid_def;

cdg_solid_def cdg_solid_def_default(void); // no mesh; rubber-like: 1 MPa, 0.4, 1000 kg/m^3

// Adds a solid; the mesh is copied.
cdg_result cdg_world_add_solid(cdg_world *world, const cdg_solid_def *def, cdg_solid_id *out);
// With its supports and loads; the handles are stale from then on, and the index of later solids is less by one.
// Not while a rod is tied to it.
cdg_result cdg_world_remove_solid(cdg_world *world, cdg_solid_id solid);
size_t cdg_world_solid_count(const cdg_world *world);                        // that are there now
cdg_solid_id cdg_world_solid_at(const cdg_world *world, size_t index);       // in order of creation; null beyond
cdg_solid_id cdg_world_find_solid(const cdg_world *world, const char *name); // null: there is none

// Arrays are valid as long as the world.
typedef struct cdg_solid_info {
    const char *name;
    cdg_solid_model model;
    cdg_solid_integrator integrator;
    size_t node_count, tetrahedron_count, surface_count;
    const uint32_t (*tetrahedra)[4];
    const uint32_t (*surface)[3];                 // triangles of the boundary, seen counter-clockwise from outside
    double mass, rest_volume;                     // kg, m^3
    double shortest_edge, mean_edge;              // m
    double stable_step;                           // s, of an explicit sub-step
    double young_modulus, poisson_ratio, density; // Pa, 1, kg/m^3
} cdg_solid_info;
// Name, mesh, material and mass of a solid.
cdg_result cdg_solid_get_info(const cdg_world *world, cdg_solid_id solid, cdg_solid_info *out);

// Positions (m) and velocities (m/s) of the nodes, one array a component, and the forces (N) of supports on them; valid
// until the next step.
typedef struct cdg_solid_view {
    const double *position[3], *velocity[3], *reaction[3];
} cdg_solid_view;
// Where its nodes are, without a copy.
cdg_result cdg_solid_get_view(const cdg_world *world, cdg_solid_id solid, cdg_solid_view *out);

typedef struct cdg_solid_state {
    double volume;                    // m^3
    double kinetic, elastic, gravity; // J
    double largest_stress;            // Pa, von Mises
    double largest_strain;            // of any line in any tetrahedron
    double least_volume;              // of a tetrahedron over that at rest; 0 or less: it is inverted
    cdg_vec3 center, velocity;        // m, m/s, of mass
    cdg_vec3 reaction;                // N, of all supports on it
} cdg_solid_state;
// Sums and extremes at the world's time.
cdg_result cdg_solid_get_state(const cdg_world *world, cdg_solid_id solid, cdg_solid_state *out);
// Von Mises stress (Pa) and largest strain of every tetrahedron; either may be NULL.
cdg_result cdg_solid_stress(const cdg_world *world, cdg_solid_id solid, double *von_mises, double *strain);
// The sum of all contact forces on a solid in the last step (N), and the number of contacts (may be NULL).
cdg_result cdg_solid_contact_force(const cdg_world *world, cdg_solid_id solid, cdg_vec3 *out, size_t *count);
// The lowest `count` vibrations about its state, which should be an equilibrium (cdg_world_find_equilibrium), with its
// supports as they are: frequencies, Hz, negative for motions that grow, and unless NULL the moves of nodes, count *
// node_count, the largest of each mode 1. A free solid has six of frequency 0, but for rounding.
cdg_result cdg_solid_find_modes(cdg_world *world, cdg_solid_id solid, size_t count, double *frequencies,
                                cdg_vec3 *shapes);

// ---- supports and loads ---------------------------------------------------------------------------------------------

// Nodes that are held where they are, or move as prescribed, about the middle of the held nodes.
typedef struct cdg_solid_support_def {
    cdg_solid_id solid;
    const cdg_shape *region; // the nodes that are in it when the support is added; of any kind; NULL: all
    const cdg_motion *motions;
    size_t motion_count;
    double release; // s; the support ends then; 0 or less: never
} cdg_solid_support_def;
cdg_solid_support_def cdg_solid_support_def_default(void); // the whole solid, at rest, never released
// Holds nodes of a solid from now on. A region without a node is an error.
cdg_result cdg_world_add_solid_support(cdg_world *world, const cdg_solid_support_def *def, cdg_solid_support_id *out);
// Force (N) that it exerts on the solid.
cdg_result cdg_solid_support_reaction(const cdg_world *world, cdg_solid_support_id support, cdg_vec3 *force);
// Drives it by hand: in the next step its nodes, as one rigid thing, go straight so that their middle is here (m) and
// they are turned so against how they were when it was made, and stay there until told again. NULL keeps what is there.
// Takes the place of its motions.
cdg_result cdg_solid_support_set_pose(cdg_world *world, cdg_solid_support_id support, const cdg_vec3 *position,
                                      const cdg_quat *orientation);
// Lets go of the solid from the next step on. The handle is stale from then on.
cdg_result cdg_world_remove_solid_support(cdg_world *world, cdg_solid_support_id support);

// A force that is spread over the nodes of a region by their masses, or a pressure on the faces whose three nodes are
// in it, which follows them.
typedef struct cdg_solid_load_def {
    cdg_solid_id solid;
    const cdg_shape *region; // the nodes that are in it when the load is added; of any kind; NULL: all
    cdg_vec3 force;          // N, of all
    double pressure;         // Pa, inward
    double from, to;         // s, active interval; to <= from: for ever
    double ramp;             // s, grows linearly from 0 over this time after `from`
} cdg_solid_load_def;
cdg_solid_load_def cdg_solid_load_def_default(void); // nothing, on the whole solid, for ever
// Pulls or presses a solid from now on.
cdg_result cdg_world_add_solid_load(cdg_world *world, const cdg_solid_load_def *def, cdg_solid_load_id *out);
// Puts another definition in the place of a load's, on the same solid, from the next step on.
cdg_result cdg_solid_load_change(cdg_world *world, cdg_solid_load_id load, const cdg_solid_load_def *def);
// The handle is stale from then on.
cdg_result cdg_world_remove_solid_load(cdg_world *world, cdg_solid_load_id load);
// Other values for a load, from the next step on; its region and times stay. Pressure needs faces: a load has them if
// it was added with pressure.
cdg_result cdg_solid_load_set(cdg_world *world, cdg_solid_load_id load, cdg_vec3 force, double pressure);
// Forces (N) on all nodes in every step until they are set again: a law of one's own. NULL: none.
cdg_result cdg_solid_set_forces(cdg_world *world, cdg_solid_id solid, const cdg_vec3 *forces);

// ---- rods in solids -------------------------------------------------------------------------------------------------

// Holds the section at a node of a rod to the place of a solid where it is when the tie is made: inside, on the
// surface, or beside it by less than the solid's mean edge. Forces go both ways, and so do moments unless the section
// may turn. Rods of models with implicit steps of Euler's or BDF2 (der, pobd with solver direct), alone or joined into
// nets; solids with implicit integrators.
typedef struct cdg_tie_def {
    cdg_place place; // a node
    cdg_solid_id solid;
    bool turns; // only the place is held
} cdg_tie_def;

cdg_tie_def cdg_tie_def_default(void); // of nothing yet, place and frame
// Ties a node of a rod to a solid from the next step on. Where the rod is inside of the solid next to the node, both
// pass through each other; elsewhere they touch.
cdg_result cdg_world_add_tie(cdg_world *world, const cdg_tie_def *def, cdg_tie_id *out);
// The rod is free of the solid from the next step on. Where it lies in it, contact pushes them apart gently. The
// handle is stale from then on.
cdg_result cdg_world_remove_tie(cdg_world *world, cdg_tie_id tie);
size_t cdg_world_tie_count(const cdg_world *world); // that are there now
// Force (N) and moment (N m) that the solid exerts on the rod at the node, world axes.
cdg_result cdg_tie_reaction(const cdg_world *world, cdg_tie_id tie, cdg_vec3 *force, cdg_vec3 *moment);

#ifdef __cplusplus
}
#endif
#endif
