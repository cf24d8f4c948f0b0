// What stands in run.h5 and where: the one list of its datasets, the file's structure and its attributes.
//
// HDF5 is used only here, to lay the file out and to find things in it again; the numbers are read and written at the
// offsets it gives. So no HDF5 code runs during a simulation and a failed write cannot upset it.
#ifndef CDG_OUTPUT_RUN_LAYOUT_H
#define CDG_OUTPUT_RUN_LAYOUT_H

#include "fields/field.h"
#include "output/run_bodies.h"
#include "output/run_contacts.h"
#include "output/run_obstacles.h"
#include "output/run_plan.h"
#include "output/run_solids.h"
#include "scene/scene.h"
#include "world/cuts.h"

#define CDG_RUN_FORMAT "cordage run"
// 2: strains, curvature and twist; rods that are alike may share datasets. 3: rods whose resolution changes; files
// without any are of version 2. 4: some fields are left out; the attribute `fields` lists those that are there. Older
// ones are read, too.
enum { CDG_RUN_FORMAT_VERSION = 5, CDG_RUN_FORMAT_FIELDS = 4, CDG_RUN_FORMAT_ADAPTIVE = 3, CDG_RUN_FORMAT_FIXED = 2 };

// Datasets of a rod that have a value at every output, [outputs, nodes or elements, components], are the fields of
// fields/field.h.

// Datasets of a rod that stay the same, [nodes or elements] or [nodes or elements, components]:
// X(name, per, components, units, description).
#define CDG_RUN_ROD_CONSTANT_LIST(X)                                                                                   \
    X(radius, CDG_FIELD_PER_NODE, 1, "m", "radius of the section at the nodes")                                        \
    X(rest_length, CDG_FIELD_PER_ELEMENT, 1, "m", "lengths of the elements when nothing pulls")                        \
    X(section_size, CDG_FIELD_PER_NODE, 2, "m",                                                                        \
      "sizes of the section at the nodes, by the attribute 'section' of the rod: circle: radius, 0; "                  \
      "tube: outer radius, inner radius; ellipse: semi-axes along d1, d2; rectangle: full sides along d1, d2")

// Datasets of static runs, in the group `static`, [outputs]: X(name, units, description).
#define CDG_RUN_STATIC_LIST(X)                                                                                         \
    X(lowest_eigenvalue, "rad^2/s^2",                                                                                  \
      "lowest eigenvalue of stiffness against mass: negative where the equilibrium is unstable; NaN: not found")       \
    X(residual, "N", "largest unbalanced force")

// The datasets of one run. Rods in order of creation; `checkpoint` holds two slots of slot_words 64-bit words.
typedef struct cdg_run_rod_entry { // byte offsets in the file
    cdg_rod_id id;
    cdg_rod_info info;
    size_t set, row; // the set that it shares datasets with, from 1, and which of its rods it is; 0: it has its own
    size_t alike;    // rods in its datasets: 1, or those of the set. Outputs are that many rows apart
    uint64_t fields[CDG_FIELD_COUNT]; // of its first output; 0: an older file does not hold it
    cdg_field_set left_out;           // as the scene wanted it, the same of all rods of a run
    bool is_single;                   // its fields are numbers of single precision
#define CDG_RUN_MEMBER(name, per, components, units, text) uint64_t name;
    CDG_RUN_ROD_CONSTANT_LIST(CDG_RUN_MEMBER)
#undef CDG_RUN_MEMBER
    uint64_t mode_frequencies, mode_shapes; // [modes], [modes, nodes, 3]; when there are modes
    // Rods whose resolution changes (run_ragged.h) have rows for all outputs one after the other; `info` has the counts
    // of the start then.
    bool adapts;
    // Rods that the scene cuts (run_parts.h): it is, or will be, these elements of a rod, as a part from a time on.
    bool is_part;
    cdg_cut_part part;
    double cut_time;            // s
    size_t room, node_capacity; // rows that fit into each dataset; nodes that it may have
    uint64_t node_offsets, element_offsets, arc_length;
} cdg_run_rod_entry;

// Rods that share datasets (run_sets.h).
typedef struct cdg_run_set {
    size_t count;
    size_t *rods;     // their numbers in the run, rising
    size_t name_size; // bytes that the longest name takes
    uint64_t names, indices, lengths, masses;
} cdg_run_set;

typedef struct cdg_run_layout {
    size_t frame_count; // outputs that the file has room for
    size_t rod_count;
    cdg_run_rod_entry *rods;
    size_t set_count;
    cdg_run_set *sets;
    cdg_run_obstacles obstacles;
    cdg_run_bodies bodies;
    cdg_run_solids solids;
    uint64_t time;
#define CDG_RUN_MEMBER(name, text) uint64_t energy_##name;
    CDG_ENERGY_LIST(CDG_RUN_MEMBER)
#undef CDG_RUN_MEMBER
    cdg_run_contacts contacts;
    uint64_t checkpoint[2];
    size_t slot_words;
    struct cdg_run_fiber_entry *fibers; // run_fibers.h; one for each of the scene's strands; only of files just created
    size_t mode_count;                  // vibrations of each rod and solid
    bool is_static;
#define CDG_RUN_MEMBER(name, units, text) uint64_t static_##name;
    CDG_RUN_STATIC_LIST(CDG_RUN_MEMBER)
#undef CDG_RUN_MEMBER
} cdg_run_layout;

// Counts from the world; offsets are still unknown. Modes, statics and what is left out are the scene's affair: the
// caller sets those.
cdg_result cdg_run_layout_make(const cdg_world *world, size_t frame_count, size_t slot_words, cdg_run_layout *out,
                               cdg_error *error);
void cdg_run_layout_free(cdg_run_layout *layout);

// Numbers in one output of a dataset.
static inline size_t cdg_run_row(const cdg_rod_info *info, cdg_field_per per, size_t components) {
    return (per == CDG_FIELD_PER_NODE ? info->node_count : info->element_count) * components;
}
static inline size_t cdg_run_field_row(const cdg_rod_info *info, cdg_field field) {
    cdg_field_info what = cdg_field_get(field);
    return cdg_run_row(info, what.per, what.component_count);
}

// Whether the file holds a field of a rod.
static inline bool cdg_run_has_field(const cdg_run_rod_entry *rod, cdg_field field) {
    if ((rod->left_out & cdg_field_bit(field)) != 0) return false;
    return rod->adapts || (cdg_field_get(field).traits & CDG_FIELD_ADAPTS) == 0;
}

// Bytes of a number of the fields.
static inline size_t cdg_run_number_size(const cdg_run_rod_entry *rod) {
    return rod->is_single ? sizeof(float) : sizeof(double);
}

// As the scene wants its rods written. Rods whose resolution changes stay in double precision.
static inline void cdg_run_set_form(cdg_run_rod_entry *rod, cdg_field_set left_out, bool is_single) {
    rod->left_out = left_out;
    rod->is_single = is_single && !rod->adapts;
}

// Where an output of a field lies in the file; of rods whose resolution does not change.
static inline uint64_t cdg_run_field_offset(const cdg_run_rod_entry *rod, cdg_field field, size_t frame) {
    return rod->fields[field] +
           (uint64_t)frame * rod->alike * cdg_run_field_row(&rod->info, field) * cdg_run_number_size(rod);
}

// A section's name in files and scenes, and its two numbers in `section_size`.
const char *cdg_run_section_name(cdg_section_kind kind);
bool cdg_run_section_find(const char *name, cdg_section_kind *out);
void cdg_run_section_pack(const cdg_section *section, double out[2]);
cdg_section cdg_run_section_unpack(cdg_section_kind kind, const double size[2]);

// Bytes of all outputs and checkpoints.
double cdg_run_layout_bytes(const cdg_run_layout *layout);

// Makes the file with all its structure and attributes, without any numbers, and fills in the offsets.
cdg_result cdg_run_layout_create(cdg_run_layout *layout, const char *path, const cdg_scene *scene,
                                 const cdg_run_plan *plan, cdg_error *error);

// Finds the datasets of an existing file after checking that it is a run of this scene, version, step and shape; sets
// frame_count to what the file has room for. CDG_ERROR_FORMAT says what differs.
cdg_result cdg_run_layout_find(cdg_run_layout *layout, const char *path, const cdg_scene *scene,
                               const cdg_run_plan *plan, cdg_error *error);

// Finds the datasets for reading alone, knowing only names and counts of the rods, and what kinds their sections are.
// The checkpoints are left out. What older files do not hold (`section_size`, fields that came later) has offset 0.
cdg_result cdg_run_layout_find_readable(cdg_run_layout *layout, const char *path, cdg_error *error);

#endif
