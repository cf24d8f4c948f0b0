// Random surfaces for the mesher: bodies through each other, dented, stretched, with flipped and missing triangles.
#ifndef VALIDATION_RANDOM_SURFACES_H
#define VALIDATION_RANDOM_SURFACES_H

#include <cordage/meshing.h>

// The same seed, the same surface. False: no memory.
bool random_surface(uint64_t seed, cdg_mesh *out);

// A tube of the given radius along a closed curve of `sections` points, with `around` corners a section.
bool tube_surface(const cdg_vec3 *curve, size_t sections, double radius, int around, cdg_mesh *out);

// The surface around all cells of a block for which `is_full` says so, of cubes with the given edge: of any genus.
bool block_surface(const int count[3], bool (*is_full)(const int cell[3], int kind), int kind, double edge,
                   cdg_mesh *out);

double surface_volume(const cdg_mesh *surface); // of a closed one

#endif
