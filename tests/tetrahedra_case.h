// Tetrahedral meshes for the tests of files: a lattice of blocks, moved at random, and a comparison of two meshes.
// The including file includes cmocka first.
#ifndef CDG_TESTS_TETRAHEDRA_CASE_H
#define CDG_TESTS_TETRAHEDRA_CASE_H

#include "math/random.h"
#include "math/vec3.h"

#include <cordage/meshing.h>

#include <stdlib.h>
#include <string.h>

// side^3 cubes of six tetrahedra each, all of positive volume, corners moved by up to `noise` of a side.
static inline cdg_mesh tetrahedra_block(uint32_t side, double noise) {
    static const uint32_t paths[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                         {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
    uint32_t line = side + 1;
    cdg_mesh mesh = {.point_count = (size_t)line * line * line, .tetrahedron_count = (size_t)6 * side * side * side};
    mesh.points = malloc(mesh.point_count * sizeof *mesh.points);
    mesh.tetrahedra = malloc(mesh.tetrahedron_count * sizeof *mesh.tetrahedra);
    assert_true(mesh.points != NULL && mesh.tetrahedra != NULL);
    cdg_random random = {7};
    size_t point = 0, cell = 0;
    for (uint32_t z = 0; z < line; z++)
        for (uint32_t y = 0; y < line; y++)
            for (uint32_t x = 0; x < line; x++)
                mesh.points[point++] = vec3_add(vec3(x, y, z), random_vec3(&random, noise));
    for (uint32_t z = 0; z < side; z++)
        for (uint32_t y = 0; y < side; y++)
            for (uint32_t x = 0; x < side; x++)
                for (int t = 0; t < 6; t++, cell++)
                    for (int k = 0; k < 4; k++) {
                        uint32_t bits = paths[t][k];
                        mesh.tetrahedra[cell][k] =
                            (x + (bits & 1)) + line * (y + (bits >> 1 & 1)) + line * line * (z + (bits >> 2));
                    }
    return mesh;
}

static inline void assert_same_tetrahedra(const cdg_mesh *a, const cdg_mesh *b) { // to the bit
    assert_int_equal(a->point_count, b->point_count);
    assert_int_equal(a->tetrahedron_count, b->tetrahedron_count);
    assert_memory_equal(a->points, b->points, a->point_count * sizeof *a->points);
    assert_memory_equal(a->tetrahedra, b->tetrahedra, a->tetrahedron_count * sizeof *a->tetrahedra);
}

#endif
