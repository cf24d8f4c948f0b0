// Meshes of shapes whose signed distance is known: a block, and a ball made of many triangles.
#ifndef CDG_TESTS_SOLID_MESHES_H
#define CDG_TESTS_SOLID_MESHES_H

#include "math/vec3.h"

__attribute__((unused)) static uint32_t block_triangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                                                  {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                                                  {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

static inline void block_vertices(cdg_vec3 half, cdg_vec3 out[8]) {
    for (int i = 0; i < 8; i++)
        out[i] = vec3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
}

enum { BALL_RINGS = 24, BALL_SIDES = 48 };
enum { BALL_VERTICES = (BALL_RINGS - 1) * BALL_SIDES + 2, BALL_TRIANGLES = 2 * (BALL_RINGS - 1) * BALL_SIDES };

static inline void ball_mesh(double radius, cdg_vec3 *vertices, uint32_t (*triangles)[3]) {
    const double pi = 3.141592653589793;
    const uint32_t south = BALL_VERTICES - 2, north = BALL_VERTICES - 1;
    for (int r = 1; r < BALL_RINGS; r++)
        for (int k = 0; k < BALL_SIDES; k++) {
            double polar = pi * r / BALL_RINGS - pi / 2, angle = 2 * pi * k / BALL_SIDES;
            vertices[(r - 1) * BALL_SIDES + k] =
                vec3(radius * cos(polar) * cos(angle), radius * cos(polar) * sin(angle), radius * sin(polar));
        }
    vertices[south] = vec3(0, 0, -radius);
    vertices[north] = vec3(0, 0, radius);
    size_t t = 0;
    for (uint32_t k = 0; k < BALL_SIDES; k++) {
        uint32_t next = (k + 1) % BALL_SIDES, top = (BALL_RINGS - 2) * BALL_SIDES;
        uint32_t caps[2][3] = {{south, next, k}, {north, top + k, top + next}};
        for (int c = 0; c < 2; c++, t++)
            for (int i = 0; i < 3; i++) triangles[t][i] = caps[c][i];
        for (uint32_t r = 0; r + 2 < BALL_RINGS; r++) {
            uint32_t a = r * BALL_SIDES + k, b = r * BALL_SIDES + next, c = a + BALL_SIDES, d = b + BALL_SIDES;
            uint32_t sides[2][3] = {{a, b, c}, {b, d, c}};
            for (int s = 0; s < 2; s++, t++)
                for (int i = 0; i < 3; i++) triangles[t][i] = sides[s][i];
        }
    }
}

#endif
