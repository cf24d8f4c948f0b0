// Five tetrahedra a cube: one in the middle, one at each of four corners; neighbours are mirrored so that faces match.
// How full an element is, is told by points on a grid within the cube.
#include "meshing/lattice.h"

#include "base/parallel.h"
#include "meshing/raster.h"
#include "meshing/tetrahedron.h"

#include <string.h>

enum { SAMPLES = 6, ELEMENTS = 5 }; // points along a cube's edge

typedef struct lattice {
    const cdg_lattice_def *def;
    cdg_vec3 origin;
    long count[3];
    bool *is_touched;    // cubes that a triangle touches
    unsigned char *kept; // of each cube, one bit an element
    cdg_patience *patience;
} lattice;

static void place_lattice(const cdg_lattice_def *def, lattice *out) {
    cdg_vec3 e = vec3_sub(def->high, def->low);
    double size = def->size, sides[3] = {e.x, e.y, e.z};
    for (int a = 0; a < 3; a++) out->count[a] = (long)ceil(sides[a] / size) + 2;
    cdg_vec3 middle = vec3_scale(0.5, vec3_add(def->low, def->high));
    out->origin = vec3(middle.x - 0.5 * size * (double)out->count[0], middle.y - 0.5 * size * (double)out->count[1],
                       middle.z - 0.5 * size * (double)out->count[2]);
}

uint64_t cdg_lattice_cubes(const cdg_lattice_def *def) {
    cdg_vec3 e = vec3_sub(def->high, def->low);
    double cubes = (ceil(e.x / def->size) + 2) * (ceil(e.y / def->size) + 2) * (ceil(e.z / def->size) + 2);
    return cubes < 1e18 ? (uint64_t)cubes : UINT64_MAX;
}

static size_t cube_number(const lattice *l, long x, long y, long z) {
    return (size_t)((z * l->count[1] + y) * l->count[0] + x);
}

static bool mark_cube(void *user, const long cell[3]) {
    lattice *l = user;
    l->is_touched[cube_number(l, cell[0], cell[1], cell[2])] = true;
    return true;
}

static void touch_cubes(lattice *l) {
    cdg_raster raster = {l->origin, l->def->size, mark_cube, l};
    const cdg_winding *w = l->def->inside->winding;
    for (size_t t = 0; t < w->triangle_count; t++) cdg_raster_triangle(&raster, w->corners[t]);
}

// ---- elements of a cube ---------------------------------------------------------------------------------------------

// Corner k has bit a set when it is at the far end of axis a. Elements 0 to 3 sit at corners 1, 2, 4, 7 (of mirrored
// cubes 0, 3, 5, 6) and have their neighbours; element 4 has the other four corners.
static const unsigned char own_corner[2][4] = {{1, 2, 4, 7}, {0, 3, 5, 6}};

static void element_corners(int is_mirrored, int element, int out[4]) {
    if (element == 4) {
        for (int k = 0; k < 4; k++) out[k] = own_corner[!is_mirrored][k];
        return;
    }
    int corner = own_corner[is_mirrored][element];
    const int corners[4] = {corner, corner ^ 1, corner ^ 2, corner ^ 4};
    memcpy(out, corners, sizeof corners);
}

// Which element a point of the unit cube is in.
static int element_at(int is_mirrored, const double at[3]) {
    for (int e = 0; e < 4; e++) {
        int corner = own_corner[is_mirrored][e];
        double sum = 0;
        for (int a = 0; a < 3; a++) sum += corner >> a & 1 ? 1 - at[a] : at[a];
        if (sum < 1) return e;
    }
    return 4;
}

// ---- how full they are ----------------------------------------------------------------------------------------------

static cdg_vec3 point_in_cube(const lattice *l, const long cube[3], const double at[3]) {
    return vec3_mad(l->origin, l->def->size,
                    vec3((double)cube[0] + at[0], (double)cube[1] + at[1], (double)cube[2] + at[2]));
}

// Middle and corners on one side, and no triangle near: the whole cube is.
static bool is_uniform(const lattice *l, const long cube[3], bool *is_inside) {
    const double middle[3] = {0.5, 0.5, 0.5};
    *is_inside = cdg_inside_value(l->def->inside, point_in_cube(l, cube, middle)) > 0;
    if (l->is_touched[cube_number(l, cube[0], cube[1], cube[2])]) return false;
    for (int c = 0; c < 8; c++) {
        const double corner[3] = {c & 1, c >> 1 & 1, c >> 2};
        if ((cdg_inside_value(l->def->inside, point_in_cube(l, cube, corner)) > 0) != *is_inside) return false;
    }
    return true;
}

static unsigned char measure_cube(const lattice *l, const long cube[3]) {
    bool is_inside;
    if (is_uniform(l, cube, &is_inside)) return is_inside ? 31 : 0;
    int is_mirrored = (int)((cube[0] + cube[1] + cube[2]) & 1), full[ELEMENTS] = {0}, all[ELEMENTS] = {0};
    for (int i = 0; i < SAMPLES * SAMPLES * SAMPLES; i++) {
        int layer = i / (SAMPLES * SAMPLES);
        const double at[3] = {(i % SAMPLES + 0.5) / SAMPLES, (i / SAMPLES % SAMPLES + 0.5) / SAMPLES,
                              (layer + 0.5) / SAMPLES};
        int element = element_at(is_mirrored, at);
        all[element]++;
        full[element] += cdg_inside_value(l->def->inside, point_in_cube(l, cube, at)) > 0;
    }
    unsigned char kept = 0;
    for (int e = 0; e < ELEMENTS; e++)
        if (full[e] >= l->def->density * all[e]) kept = (unsigned char)(kept | 1 << e);
    return kept;
}

static void measure_row(void *user, size_t index, int thread) {
    lattice *l = user;
    if (!cdg_patience_lasts_on(l->patience, thread)) return;
    long cube[3] = {0, (long)index % l->count[1], (long)index / l->count[1]};
    for (; cube[0] < l->count[0]; cube[0]++) l->kept[cube_number(l, cube[0], cube[1], cube[2])] = measure_cube(l, cube);
}

// ---- mesh -----------------------------------------------------------------------------------------------------------

static bool add_point(const lattice *l, const long cube[3], int corner, uint32_t *numbers, cdg_budget *budget,
                      cdg_raw_mesh *out, uint32_t *number) {
    long at[3];
    for (int a = 0; a < 3; a++) at[a] = cube[a] + (corner >> a & 1);
    uint32_t *found = &numbers[(at[2] * (l->count[1] + 1) + at[1]) * (l->count[0] + 1) + at[0]];
    if (*found == UINT32_MAX) {
        if (!cdg_budget_grow(budget, (void **)&out->points, out->point_count, &out->point_capacity,
                             sizeof *out->points))
            return false;
        const double zero[3] = {0, 0, 0};
        out->points[out->point_count] = point_in_cube(l, at, zero);
        *found = (uint32_t)out->point_count++;
    }
    *number = *found;
    return true;
}

static bool add_element(const lattice *l, const long cube[3], int element, uint32_t *numbers, cdg_budget *budget,
                        cdg_raw_mesh *out) {
    int corners[4];
    element_corners((int)((cube[0] + cube[1] + cube[2]) & 1), element, corners);
    if (!cdg_budget_grow(budget, (void **)&out->tetrahedra, out->tetrahedron_count, &out->tetrahedron_capacity,
                         sizeof *out->tetrahedra))
        return false;
    uint32_t *t = out->tetrahedra[out->tetrahedron_count++];
    cdg_vec3 p[4];
    for (int k = 0; k < 4; k++) {
        if (!add_point(l, cube, corners[k], numbers, budget, out, &t[k])) return false;
        p[k] = out->points[t[k]];
    }
    if (tetrahedron_volume6(p) < 0) {
        uint32_t kept = t[2];
        t[2] = t[3];
        t[3] = kept;
    }
    return true;
}

static bool collect(const lattice *l, cdg_budget *budget, cdg_raw_mesh *out) {
    size_t points = (size_t)(l->count[0] + 1) * (size_t)(l->count[1] + 1) * (size_t)(l->count[2] + 1);
    uint32_t *numbers = cdg_budget_take(budget, points, sizeof *numbers);
    if (numbers == NULL) return false;
    memset(numbers, 0xFF, points * sizeof *numbers);
    bool has_memory = true;
    long cube[3];
    for (cube[2] = 0; cube[2] < l->count[2]; cube[2]++)
        for (cube[1] = 0; cube[1] < l->count[1] && cdg_budget_lasts(budget, 0); cube[1]++)
            for (cube[0] = 0; cube[0] < l->count[0]; cube[0]++)
                for (int e = 0; e < ELEMENTS && has_memory; e++)
                    if (l->kept[cube_number(l, cube[0], cube[1], cube[2])] >> e & 1)
                        has_memory = add_element(l, cube, e, numbers, budget, out);
    cdg_budget_give(budget, numbers);
    return has_memory && !cdg_patience_is_over(budget->patience);
}

cdg_result cdg_lattice_fill(const cdg_lattice_def *def, cdg_budget *budget, cdg_progress *progress, cdg_raw_mesh *out) {
    *out = (cdg_raw_mesh){0};
    lattice l = {.def = def, .patience = budget->patience};
    place_lattice(def, &l);
    size_t cubes = (size_t)l.count[0] * (size_t)l.count[1] * (size_t)l.count[2];
    l.is_touched = cdg_budget_take_zero(budget, cubes, sizeof *l.is_touched);
    l.kept = cdg_budget_take(budget, cubes, sizeof *l.kept);
    cdg_result result = l.is_touched != NULL && l.kept != NULL ? CDG_OK : CDG_ERROR_MEMORY;
    if (result == CDG_OK) {
        touch_cubes(&l);
        cdg_parallel_for((size_t)(l.count[1] * l.count[2]), def->thread_count, measure_row, &l);
        if (cdg_patience_is_over(budget->patience) || !progress_enter(progress, CDG_MESHER_FILL, 0.6))
            result = CDG_ERROR_INTERRUPTED;
    }
    if (result == CDG_OK && !collect(&l, budget, out)) result = CDG_ERROR_MEMORY;
    cdg_budget_give(budget, l.is_touched);
    cdg_budget_give(budget, l.kept);
    if (result != CDG_OK) cdg_raw_mesh_free(out, budget);
    return result;
}
