// Fibres in run.h5: what they are made of, once, in the group /fibers/NAME. Where they are at an output follows from
// their guides (<cordage/strands.h>), so that a file with fibres is hardly larger than one without.
#ifndef CDG_OUTPUT_RUN_FIBERS_H
#define CDG_OUTPUT_RUN_FIBERS_H

#include "output/hdf5_file.h"
#include "scene/scene.h"

// Datasets of a group; F fibres, N nodes of a guide: X(name, type, rank, {size}, units, description).
#define CDG_RUN_FIBER_LIST(X)                                                                                          \
    X(guides, H5T_NATIVE_UINT64, 2, F, 3, 1, "1", "the rods that each fibre follows, by their attribute 'place'")      \
    X(weights, H5T_NATIVE_DOUBLE, 2, F, 3, 1, "1", "how much it follows each of them; sum 1")                          \
    X(roots, H5T_NATIVE_DOUBLE, 2, F, 3, 1, "m", "where fibres begin at the first output, world axes")                 \
    X(lengths, H5T_NATIVE_DOUBLE, 1, F, 1, 1, "1", "share of the guides' length at which a fibre is cut")              \
    X(spread, H5T_NATIVE_DOUBLE, 1, N, 1, 1, "1", "by which the way from guide to root is scaled along the nodes")     \
    X(offsets, H5T_NATIVE_DOUBLE, 3, F, N, 3, "m", "added to that way along the nodes, in the guides' frames")

typedef struct cdg_run_fiber_entry { // byte offsets in the file
#define CDG_RUN_FIBER_MEMBER(name, type, rank, a, b, c, units, text) uint64_t name;
    CDG_RUN_FIBER_LIST(CDG_RUN_FIBER_MEMBER)
#undef CDG_RUN_FIBER_MEMBER
} cdg_run_fiber_entry;

// ---- writing: `entries` has an entry for each of the scene's strands

double cdg_run_fibers_bytes(const cdg_scene *scene);
bool cdg_run_fibers_create(hid_t file, const cdg_scene *scene, cdg_run_fiber_entry *entries); // without numbers
cdg_result cdg_run_fibers_write(const cdg_scene *scene, const cdg_run_fiber_entry *entries, int descriptor,
                                const char *path, cdg_error *error);

// ---- reading

typedef struct cdg_run_fibers { // of one group
    char *name;
    size_t first_guide; // rods of the run: the guides' numbers count from here
    cdg_fibers fibers;
    void *memory; // of its arrays
} cdg_run_fibers;

// All groups of the file, malloc'ed, NULL when there are none; `node_counts` are those of the run's rods, 0 for closed
// ones. CDG_ERROR_FORMAT: damaged.
cdg_result cdg_run_fibers_read(const char *path, int descriptor, const size_t *node_counts, size_t rod_count,
                               cdg_run_fibers **out, size_t *count, cdg_error *error);
void cdg_run_fibers_free(cdg_run_fibers *groups, size_t count);

#endif
