// Creases are sampled four times an element, more seldom where they are very long.
#include "meshing/crease_length.h"

#include "math/vec3.h"
#include "meshing/mesh_work.h"
#include "meshing/triangle_tree.h"

static const double near = 0.02, spacing = 0.25; // of a size
static const double samples_most = 50000;

typedef struct crease_line {
    cdg_vec3 from, to;
    double length;
} crease_line;

static crease_line line_of(const cdg_creases *creases, size_t edge) {
    const uint32_t *end = creases->edges[edge].end;
    crease_line line = {creases->soup->points[end[0]], creases->soup->points[end[1]], 0};
    line.length = vec3_distance(line.from, line.to);
    return line;
}

// The sample in the middle of each part stands for it. Parts of short edges are counted on, so that many of them share
// one sample.
static bool sample(const cdg_creases *creases, const cdg_triangle_tree *tree, double step, double size,
                   cdg_budget *budget, cdg_crease_length *out) {
    double next = 0.5 * step, passed = 0;
    uint32_t leaf = 0;
    for (size_t e = 0; e < creases->edge_count; e++) {
        crease_line line = line_of(creases, e);
        if (!cdg_budget_lasts(budget, e)) return false;
        for (; next < passed + line.length; next += step) {
            cdg_vec3 position = vec3_lerp(line.from, line.to, (next - passed) / line.length);
            if (cdg_triangle_tree_nearest(tree, position, leaf, &leaf) > near * near * size * size) out->missed += step;
        }
        passed += line.length;
    }
    out->missed = fmin(out->missed, out->all);
    return true;
}

bool cdg_crease_length_measure(const cdg_creases *creases, const cdg_raw_mesh *mesh, double size, cdg_budget *budget,
                               cdg_crease_length *out) {
    cdg_mesh view = {.points = mesh->points,
                     .point_count = mesh->point_count,
                     .tetrahedra = mesh->tetrahedra,
                     .tetrahedron_count = mesh->tetrahedron_count};
    cdg_mesh boundary;
    cdg_triangle_tree tree;
    *out = (cdg_crease_length){0};
    for (size_t e = 0; e < creases->edge_count; e++) out->all += line_of(creases, e).length;
    if (!(out->all > 0)) return true;
    if (cdg_mesh_boundary_patiently(&view, budget->patience, &boundary, NULL, NULL) != CDG_OK) return false;
    bool is_good = cdg_triangle_tree_build(&boundary, budget->patience, &tree);
    if (is_good) {
        is_good = sample(creases, &tree, fmax(spacing * size, out->all / samples_most), size, budget, out);
        cdg_triangle_tree_free(&tree);
    }
    cdg_mesh_free(&boundary);
    return is_good;
}
