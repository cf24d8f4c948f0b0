// A word that another program has here, or that belongs to another map of the scene. Words that only another spelling
// of a key are stand with that key (`also` in the schema).
#include "scene/misplaced_keys.h"

#include "scene/schema.h"
#include "scene/suggest.h"

#include <string.h>

typedef struct misplaced {
    const scene_table *table;
    const char *words, *cure;
} misplaced;

#define BESIDE_SHAPE "where it is stands beside the shape, for example 'sphere: {radius: 5 cm}, position: [0, 0, 1 m]'"

#define BESIDE_SOLID "it stands beside the shape, for example 'shape: {sphere: {radius: 5 cm}, resolution: 1 cm}'"
#define FINE_WORDS "resolution cells divisions elements mesh_size edge"

// clang-format off
static const misplaced list[] = {
    {&cdg_schema_solid_box, FINE_WORDS, BESIDE_SOLID},
    {&cdg_schema_solid_sphere, FINE_WORDS, BESIDE_SOLID},
    {&cdg_schema_solid_cylinder, FINE_WORDS, BESIDE_SOLID},
    {&cdg_schema_solid_tube, FINE_WORDS, BESIDE_SOLID},
    {&cdg_schema_solid_torus, FINE_WORDS, BESIDE_SOLID},
    {&cdg_schema_solid_wedge, FINE_WORDS, BESIDE_SOLID},
    {&cdg_schema_solid, "resolution",
     "it belongs into the shape, for example 'shape: {sphere: {radius: 5 cm}, resolution: 1 cm}'"},
    {&cdg_schema_solid, "cells divisions elements nodes tetrahedra mesh_size",
     "a solid is divided by its shape's 'resolution', for example "
     "'shape: {sphere: {radius: 5 cm}, resolution: 1 cm}'"},
    {&cdg_schema_solid, "mesh surface", "it belongs into the shape, for example 'shape: {file: part.stl, unit: 1 mm}'"},
    {&cdg_schema_solid, "centerline section", "that is of rods; a solid has a shape, for example "
     "'shape: {sphere: {radius: 5 cm}, resolution: 1 cm}'"},
    {&cdg_schema_solid, "color colour",
     "colours stand in 'looks', for example 'looks: [{of: pad, color: \"#c04020\"}]'"},
    {&cdg_schema_solid_support, "clamp pin fix fixed hold face faces nodes region at",
     "a support of a solid holds what a region contains, for example "
     "'box: {low: [-1 m, -1 m, 0], high: [1 m, 1 m, 1 cm]}'"},
    {&cdg_schema_solid_load, "gravity weight",
     "gravity belongs into 'simulation', for example 'gravity: [0, 0, -9.81]'"},
    {&cdg_schema_solid_load, "at place node",
     "where it acts says a region, for example 'sphere: {center: [0, 0, 5 cm], radius: 1 cm}'"},
    {&cdg_schema_hand, "at grip node place hold",
     "a hand names what it holds: 'rod' and 'element', for example 'rod: cable, element: 12'"},
    {&cdg_schema_solid, "young_modulus youngs_modulus e poisson_ratio shear_modulus density damping",
     "it belongs into the material, for example 'material: {young_modulus: 100 kPa, density: 1000 kg/m^3}'"},
    {&cdg_schema_solid, "box sphere ellipsoid cylinder tube torus wedge revolved file radius size",
     "it belongs into the shape, for example 'shape: {sphere: {radius: 5 cm}, resolution: 1 cm}'"},
    {&cdg_schema_scene, "gravity",
     "it belongs into 'simulation', for example 'simulation: {duration: 4 s, gravity: [0, 0, -9.81]}'"},
    {&cdg_schema_scene, "model", "it belongs into 'simulation', for example 'simulation: {duration: 4 s, model: der}'"},
    {&cdg_schema_scene, "step dt timestep",
     "it belongs into 'simulation', for example 'simulation: {duration: 4 s, step: 1 ms}'"},
    {&cdg_schema_scene, "duration mode modes energy_guard time",
     "it belongs into 'simulation', for example 'simulation: {duration: 4 s}'"},
    {&cdg_schema_scene, "include import", "a scene is one file; what several rods have in common is written once as a "
     "YAML anchor, '&cable', and used again by '<<: *cable'"},
    {&cdg_schema_scene, "seed random",
     "nothing is left to chance but hair: 'seed' belongs to an item of 'strands'"},
    {&cdg_schema_scene, "friction restitution", "it belongs into 'contact', for example 'contact: {friction: 0.3}'"},
    {&cdg_schema_scene, "camera color colour view image", "pictures are made of a finished run: cordage render --help"},
    {&cdg_schema_scene, "units unit", "every number may have its own unit, such as '2 mm'; without one it is in SI"},
    {&cdg_schema_scene, "clamp pin slide",
     "it belongs into the list 'supports', for example 'supports: [{clamp: cable.start}]'"},
    {&cdg_schema_scene, "force moment drag wind",
     "it belongs into the list 'loads', for example 'loads: [{force: [0, 0, -1 N], at: cable.end}]'"},
    {&cdg_schema_scene, "name description", "use 'title'"},
    {&cdg_schema_scene, "knots knot ties",
     "a knot belongs to a rod's centerline, for example 'centerline: {tied: {knot: overhand}}'; what ties rods "
     "together are 'joints'"},
    {&cdg_schema_simulation, "iterations tolerance solver integrator substeps darboux",
     "it is an option of a model and belongs into a map of that name, for example 'pobd: {iterations: 20}'"},
    {&cdg_schema_simulation, "seed random",
     "nothing is left to chance but hair: 'seed' belongs to an item of 'strands'"},
    {&cdg_schema_simulation, "damping",
     "damping belongs to a material or a rod; 'loads: [{drag: 2 1/s}]' calms a whole scene"},
    {&cdg_schema_simulation, "fps every output frames", "how often results are written is 'output: {every: 20 ms}'"},
    {&cdg_schema_simulation, "friction contact",
     "it belongs to the top of the scene, for example 'contact: {friction: 0.3}'"},
    {&cdg_schema_simulation, "threads", "that is an option of the command: cordage run SCENE --threads 4"},
    {&cdg_schema_simulation, "steps", "give the time instead, 'duration', and 'step' for the length of a step"},
    {&cdg_schema_output, "fps frequency rate hz",
     "write the time between two outputs instead: 'every: 33 ms' for 30 a second"},
    {&cdg_schema_output, "frames count number outputs samples",
     "write the time between two outputs instead, the duration over their number: 'every: 20 ms'"},
    {&cdg_schema_output, "file path directory folder dir",
     "the command says where results go: cordage run SCENE -o DIR"},
    {&cdg_schema_output, "format formats vtk csv", "other formats are made of a finished run: cordage export --help"},
    {&cdg_schema_material, "radius diameter thickness",
     "sizes belong into the rod's 'section', for example 'section: {circle: {radius: 2 mm}}'"},
    {&cdg_schema_material, "friction mu", "friction belongs into 'contact', for example 'contact: {friction: 0.3}'"},
    {&cdg_schema_material, "color colour look",
     "colours stand in 'looks', for example 'looks: [{of: cable, color: \"#c04020\"}]'"},
    {&cdg_schema_material, "restitution", "it belongs into 'contact', for example 'contact: {restitution: 0.5}'"},
    {&cdg_schema_material, "yield_stress strength",
     "materials are elastic and do not break; compare the stress afterwards"},
    {&cdg_schema_material, "mass", "give the density; a rod's mass per length may stand in its 'stiffness'"},
    {&cdg_schema_material, "gamma_t gamma_r gamma",
     "frictions belong into 'damping', for example 'damping: {gamma_t: 20 N s, gamma_r: 0.5 N m^2 s}'"},
    {&cdg_schema_rod, "gamma_t gamma_r gamma",
     "frictions belong into 'damping', for example 'damping: {gamma_t: 20 N s, gamma_r: 0.5 N m^2 s}'"},
    {&cdg_schema_material, "damping_ratio loss_factor",
     "damping is a time: where waves of frequency f are to have the damping ratio z, it is z/(pi f), for example "
     "'damping: 2 ms'"},
    {&cdg_schema_section, "square", "a square is a rectangle: 'rectangle: {width: 2 mm, height: 2 mm}'"},
    {&cdg_schema_section, "radius", "a section names its shape, for example 'section: {circle: {radius: 2 mm}}'"},
    {&cdg_schema_damping, "gamma friction",
     "give a time, friction over stiffness, such as 'stretch: 10 ms', or a friction, 'gamma_t: 20 N s' of stretching, "
     "'gamma_r: 0.5 N m^2 s' of bending and twisting"},
    {&cdg_schema_rod, "length position origin direction start from to",
     "where a rod lies, and how long it is, says 'centerline', for example "
     "'centerline: {line: {from: [0, 0, 0], to: [1 m, 0, 0]}}'"},
    {&cdg_schema_rod, "young_modulus youngs_modulus e poisson_ratio shear_modulus density",
     "it belongs into the material, for example 'material: {young_modulus: 1 MPa, density: 1100 kg/m^3}'"},
    {&cdg_schema_rod, "restitution", "it belongs into 'contact', for example 'contact: {restitution: 0.5}'"},
    {&cdg_schema_rod, "friction", "friction belongs into 'contact', for example 'contact: {friction: 0.3}'"},
    {&cdg_schema_rod, "mass weight",
     "mass follows from density and section; 'stiffness' gives a mass per length outright"},
    {&cdg_schema_rod, "fixed clamp pin support supports",
     "what holds rods stands in the list 'supports', for example 'supports: [{clamp: cable.start}]'"},
    {&cdg_schema_rod, "knot tied spline arc helix points",
     "it belongs into 'centerline', for example 'centerline: {tied: {knot: overhand}}'"},
    {&cdg_schema_rod, "color colour look", "colours stand in 'looks', for example "
     "'looks: [{of: cable, color: \"#c04020\"}]'"},
    {&cdg_schema_circle, "wall inner inner_radius thickness hole",
     "what is hollow is a tube, for example 'section: {tube: {radius: 5 mm, inner_radius: 4 mm}}'"},
    {&cdg_schema_circle, "start end taper",
     "a tapered rod has a section with an end: 'section: {circle: {radius: 5 mm}, end: {circle: {radius: 1 mm}}}'"},
    {&cdg_schema_tube, "wall thickness",
     "give 'inner_radius', the radius less the wall, for example 'inner_radius: 4 mm'"},
    {&cdg_schema_helix, "height length", "its height is 'pitch' times 'turns'; give these two"},
    {&cdg_schema_arc, "degrees deg", "use 'angle', for example 'angle: 90 deg'"},
    {&cdg_schema_net, "spacing mesh_size cell", "give the number of threads each way: 'threads: [10, 10]'"},
    {&cdg_schema_rod, "circle ellipse rectangle tube",
     "it belongs into 'section', for example 'section: {circle: {radius: 2 mm}}'"},
    {&cdg_schema_support, "move rotate",
     "it belongs into 'motion', for example 'motion: [{move: [0, 0, 1 m], to: 1 s}]'"},
    {&cdg_schema_support, "type kind", "the kind itself is the key, for example 'clamp: cable.start'"},
    {&cdg_schema_support, "at on place", "the kind of support names the place, for example 'clamp: cable.start'"},
    {&cdg_schema_support, "spring stiffness", "supports are rigid; a short soft rod makes a spring"},
    {&cdg_schema_motion, "oscillate frequency amplitude period sine sinusoidal",
     "to and fro is a list of motions: '[{move: [0, 0, 1 m], to: 1 s, ease: smooth}, "
     "{move: [0, 0, -1 m], from: 1 s, to: 2 s, ease: smooth}]'"},
    {&cdg_schema_rotate, "rpm speed velocity rate frequency turns",
     "'angle' is the whole turn until 'to': speed times time, for example 'angle: 10 turns'"},
    {&cdg_schema_motion, "velocity speed", "'move' is the whole way until 'to': speed times time"},
    {&cdg_schema_motion, "time duration", "use 'to', the time at which the motion is done"},
    {&cdg_schema_motion, "axis angle",
     "it belongs into 'rotate', for example 'rotate: {axis: [1, 0, 0], angle: 90 deg}'"},
    {&cdg_schema_load, "mass weight",
     "a weight is a body that is welded to the rod: one of 'bodies', and 'joints: [{weld: [cable.end, weight]}]'"},
    {&cdg_schema_load, "impulse blow kick",
     "an impulse is a force over a short time, for example 'force: [0, 0, 30 N], to: 10 ms' for 0.3 N s"},
    {&cdg_schema_load, "frequency amplitude period sine",
     "a force comes and goes by 'keyframes', for example '[[0 s, 0], [0.5 s, 1], [1 s, -1]]'"},
    {&cdg_schema_load, "spring", "what pulls by its length is a rod: join a short soft one"},
    {&cdg_schema_load, "name", "loads have no names; comments begin with '#'"},
    {&cdg_schema_load, "gust gusts turbulence noise",
     "wind comes and goes by 'keyframes', for example '[[0 s, 0], [1 s, 1]]', and varies in space by 'vortices'"},
    {&cdg_schema_vortex, "circulation gamma vorticity",
     "give 'speed', the largest speed of the air: the circulation over 8.78 times the radius"},
    {&cdg_schema_load, "pressure",
     "only solids have pressure, in 'loads' of their own; a rod takes 'line', a force per length"},
    {&cdg_schema_load, "friction mu", "friction belongs into 'contact', for example 'contact: {friction: 0.3}'"},
    {&cdg_schema_load, "gravity", "gravity belongs into 'simulation', for example 'gravity: [0, 0, -9.81]'"},
    {&cdg_schema_load, "damping", "damping belongs to a material or a rod; 'drag: 2 1/s' calms a whole scene"},
    {&cdg_schema_contact, "self self_contact",
     "where contact is on, rods touch themselves, too; 'contact: off' lets everything pass through everything"},
    {&cdg_schema_contact, "stiffness penalty damping margin distance thickness",
     "contact is exact: it has no stiffness or margin to choose; rods touch at their radius"},
    {&cdg_schema_obstacle, "mass density velocity",
     "an obstacle does not yield to forces; what does is one of 'bodies'"},
    {&cdg_schema_obstacle, "scale", "give the size in the shape itself; only a 'mesh' has a scale, in its own map"},
    {&cdg_schema_obstacle, "radius size length height",
     "it belongs into the shape, for example 'sphere: {radius: 5 cm}'"},
    {&cdg_schema_obstacle, "type kind", "the shape itself is the key, for example 'sphere: {radius: 5 cm}'"},
    {&cdg_schema_obstacle, "shape", "an obstacle names its shape directly, for example 'sphere: {radius: 5 cm}'"},
    {&cdg_schema_obstacle, "surface repair file",
     "it belongs into 'mesh', for example 'mesh: {file: part.stl, surface: true}'"},
    {&cdg_schema_sphere, "center centre position point at x y z", BESIDE_SHAPE},
    {&cdg_schema_box, "center centre position point at x y z", BESIDE_SHAPE},
    {&cdg_schema_box, "from to min max corner corners",
     "a box has its whole lengths and its middle: 'box: {size: [1 m, 1 m, 10 cm]}, position: [0, 0, -5 cm]'"},
    {&cdg_schema_mesh, "center centre position point at x y z", BESIDE_SHAPE},
    {&cdg_schema_knot, "knot kind name",
     "use 'type', for example 'type: trefoil'; knots in ropes are 'tied: {knot: overhand}'"},
    {&cdg_schema_knot, "scale size", "its sizes are 'radius' and 'tube_radius', for example 'radius: 10 cm'"},
    {&cdg_schema_plane, "point position x y z",
     "where the plane is says 'offset', along the normal, or 'position' of the obstacle; for example "
     "'plane: {normal: [0, 0, 1], offset: -1 m}'"},
    {&cdg_schema_body, "sphere box capsule cylinder mesh",
     "it belongs into 'shape', for example 'shape: {sphere: {radius: 5 cm}}'"},
    {&cdg_schema_body, "radius size length height",
     "it belongs into the shape, for example 'shape: {sphere: {radius: 5 cm}}'"},
    {&cdg_schema_body, "material young_modulus", "bodies are rigid; what bends is a rod, what deforms one of 'solids'"},
    {&cdg_schema_strands, "count number strands hairs",
     "give 'guides', how many hairs are simulated, and 'fibers', how many are drawn between them"},
    {&cdg_schema_structure, "cloth sheet shell membrane", "there are no shells; a 'net' of rods comes nearest"},
    {&cdg_schema_structure, "centerline", "a structure is placed by 'origin', 'direction' and 'normal'"},
    {&cdg_schema_centerline, "reef square overhand bowline figure_eight granny bow",
     "a knot in a rope is 'tied: {knot: overhand}'"},
    {&cdg_schema_joint, "spring hinge ball", "a hinge is a 'join' with 'stiffness: 0'"},
    {&cdg_schema_joint, "bend twist axes",
     "it belongs into 'stiffness', for example 'stiffness: {bend: [0, rigid], twist: 0.2 N m}'"},
    {&cdg_schema_probe, "distance", "measure 'position' at both ends and take the difference"},
    {&cdg_schema_probe, "displacement", "measure 'position'; the first row of probes.csv is where it began"},
    {&cdg_schema_probe, "acceleration", "measure 'velocity' and take differences"},
    {&cdg_schema_probe, "strain",
     "measure 'tension', 'moment', 'curvature' or 'twist'; strain follows from them and the section"},
    {&cdg_schema_probe, "force",
     "there are 'tension' and 'section_force' within a rod, 'reaction' at a support and 'contact force'"},
    {&cdg_schema_probe, "kinetic_energy potential_energy bending_energy",
     "'energy' gives all parts in columns of their own"},
    {&cdg_schema_probe, "angle rotation orientation",
     "'frame' gives the orientation as a quaternion; 'twist' an angle per length"},
    {&cdg_schema_probe, "every step", "probes are measured at every output: 'output: {every: 20 ms}'"},
};
// clang-format on

const char *cdg_misplaced_key(const scene_table *table, const char *word, size_t length) {
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (list[i].table != table) continue;
        for (const char *at = list[i].words; *at != '\0';) {
            size_t size = strcspn(at, " ");
            if (size == length && cdg_edit_distance(at, size, word, length) == 0) return list[i].cure;
            at += size + (at[size] == ' ');
        }
    }
    return NULL;
}
