// Deformable solids in run.h5: /solids/NAME/FIELD at every output (fields/solid_field.h), and the mesh once,
// /solids/NAME/{tetrahedra, surface}. A run without solids has no such group.
#ifndef CDG_OUTPUT_RUN_SOLIDS_H
#define CDG_OUTPUT_RUN_SOLIDS_H

#include "fields/solid_field.h"

#include <cordage/solid.h>

typedef struct cdg_run_solid_entry { // byte offsets in the file
    cdg_solid_id id;
    const char *name;
    size_t node_count, tetrahedron_count, surface_count;
    const uint32_t (*tetrahedra)[4];
    const uint32_t (*surface)[3];
    double mass;                            // kg
    uint64_t fields[CDG_SOLID_FIELD_COUNT]; // of the first output
    uint64_t tetrahedra_offset, surface_offset;
    uint64_t mode_frequencies, mode_shapes; // [modes], [modes, nodes, 3]; when there are modes
} cdg_run_solid_entry;

// Numbers of a field at one output.
static inline size_t cdg_run_solid_numbers(const cdg_run_solid_entry *entry, cdg_solid_field field) {
    cdg_solid_field_info info = cdg_solid_field_get(field);
    return info.component_count * cdg_solid_field_entries(&info, entry->node_count, entry->tetrahedron_count);
}

typedef struct cdg_run_solids {
    cdg_run_solid_entry *entries;
    size_t count;
    size_t mode_count; // vibrations of each
    bool owns_meshes;  // names and meshes were read from a file
} cdg_run_solids;

cdg_result cdg_run_solids_make(const cdg_world *world, cdg_run_solids *out, cdg_error *error);
cdg_result cdg_run_solids_copy(const cdg_run_solids *from, cdg_run_solids *out, cdg_error *error);
void cdg_run_solids_free(cdg_run_solids *solids);
double cdg_run_solids_numbers(const cdg_run_solids *solids, size_t frame_count); // 8 bytes each

// As for bodies (output/run_bodies.h). `file` is HDF5's identifier.
bool cdg_run_solids_create(cdg_run_solids *solids, int64_t file, size_t frame_count);
bool cdg_run_solids_find(cdg_run_solids *solids, int64_t file, size_t frame_count, uint64_t file_size);
bool cdg_run_solids_discover(cdg_run_solids *out, int64_t file, size_t frame_count, uint64_t file_size,
                             const char *path);

cdg_result cdg_run_solids_write_meshes(const cdg_run_solids *solids, int descriptor, const char *path,
                                       cdg_error *error);
cdg_result cdg_run_solids_write_frame(const cdg_run_solids *solids, const cdg_world *world, size_t frame,
                                      int descriptor, const char *path, cdg_error *error);
// Frequencies that say that none are found yet; and those of one solid, with their shapes.
cdg_result cdg_run_solids_clear_modes(const cdg_run_solids *solids, int descriptor, const char *path, cdg_error *error);
cdg_result cdg_run_solids_write_modes(const cdg_run_solids *solids, size_t solid, const double *frequencies,
                                      const cdg_vec3 *shapes, int descriptor, const char *path, cdg_error *error);
// A field of one solid at one output.
cdg_result cdg_run_solids_read(const cdg_run_solids *solids, size_t solid, size_t frame, cdg_solid_field field,
                               int descriptor, const char *path, double *out, cdg_error *error);

#endif
