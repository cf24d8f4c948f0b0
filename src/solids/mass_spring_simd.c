// Forces of springs for lengths, areas and volumes, several tetrahedra at once.
#include "math/simd.h"
#include "solids/mass_spring.h"

#pragma GCC diagnostic ignored "-Wpsabi" // vectors are inlined everywhere

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)

SIMD_INLINE simd_vec3 minus(simd_vec3 a, simd_vec3 b) { return (simd_vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
SIMD_INLINE simd_vec3 cross(simd_vec3 a, simd_vec3 b) {
    return (simd_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
SIMD_INLINE simd_vec3 times(simd_double s, simd_vec3 a) { return (simd_vec3){s * a.x, s * a.y, s * a.z}; }
SIMD_INLINE simd_double dot(simd_vec3 a, simd_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
SIMD_INLINE void add(simd_vec3 *sum, simd_double s, simd_vec3 a) {
    sum->x += s * a.x, sum->y += s * a.y, sum->z += s * a.z;
}

typedef struct corners {
    simd_vec3 x[4], v[4], force[4];
    double damping; // s
} corners;

// A term whose value over that at rest is 1 + strain: pulls its corners along the slopes of that.
SIMD_INLINE void pull(corners *c, simd_double stiffness, simd_double strain, int count, const int *which,
                      const simd_vec3 *slope) {
    simd_double rate = {0};
    if (c->damping > 0)
        for (int k = 0; k < count; k++) rate += dot(slope[k], c->v[which[k]]);
    simd_double stress = -stiffness * (strain + c->damping * rate);
    for (int k = 0; k < count; k++) add(&c->force[which[k]], stress, slope[k]);
}

SIMD_INLINE void pull_edges(const cdg_mass_spring *m, corners *c, simd_double stiffness, size_t slot) {
    for (int e = 0; e < 6; e++) {
        simd_vec3 edge = minus(c->x[spring_edge[e][1]], c->x[spring_edge[e][0]]);
        simd_double length = simd_sqrt(simd_max(dot(edge, edge), simd_broadcast(1e-300)));
        simd_double rest = 1 / simd_load(m->rest_length[e] + slot), along = rest / length;
        simd_vec3 slope[2] = {times(-along, edge), times(along, edge)};
        pull(c, stiffness, length * rest - 1, 2, spring_edge[e], slope);
    }
}

SIMD_INLINE void pull_faces(const cdg_mass_spring *m, corners *c, simd_double stiffness, size_t slot) {
    for (int f = 0; f < 4; f++) {
        simd_vec3 p[3], slope[3];
        for (int k = 0; k < 3; k++) p[k] = c->x[spring_face[f][k]];
        simd_vec3 normal = cross(minus(p[1], p[0]), minus(p[2], p[0]));
        simd_double twice = simd_sqrt(simd_max(dot(normal, normal), simd_broadcast(1e-300)));
        simd_double rest = 0.5 / simd_load(m->rest_area[f] + slot);
        normal = times(rest / twice, normal);
        for (int k = 0; k < 3; k++) slope[k] = cross(normal, minus(p[(k + 2) % 3], p[(k + 1) % 3]));
        pull(c, stiffness, twice * rest - 1, 3, spring_face[f], slope);
    }
}

SIMD_INLINE void pull_volume(corners *c, simd_double stiffness, simd_double rest_volume) {
    static const int all[4] = {0, 1, 2, 3};
    simd_double rest = 1 / (6 * simd_max(rest_volume, simd_broadcast(1e-300)));
    simd_vec3 a = minus(c->x[1], c->x[0]), b = minus(c->x[2], c->x[0]), d = minus(c->x[3], c->x[0]), slope[4];
    slope[1] = times(rest, cross(b, d)), slope[2] = times(rest, cross(d, a)), slope[3] = times(rest, cross(a, b));
    slope[0] = times(simd_broadcast(-1), slope[1]);
    add(&slope[0], simd_broadcast(-1), slope[2]), add(&slope[0], simd_broadcast(-1), slope[3]);
    pull(c, stiffness, dot(slope[3], d) - 1, 4, all, slope);
}

double VARIANT(cdg_mass_spring_forces)(cdg_solid *s, const cdg_solid_at *at, size_t begin, size_t end) {
    const cdg_mass_spring *m = solid_springs(s);
    for (size_t slot = begin * SOLID_GROUP; slot < end * SOLID_GROUP; slot += SIMD_LANES) {
        corners c = {.damping = at->v != NULL ? s->def.damping_time : 0};
        for (int k = 0; k < 4; k++) {
            const uint32_t *node = s->corner[k] + slot;
            c.x[k] = (simd_vec3){simd_gather_uint32(at->x[0], node), simd_gather_uint32(at->x[1], node),
                                 simd_gather_uint32(at->x[2], node)};
            if (c.damping > 0)
                c.v[k] = (simd_vec3){simd_gather_uint32(at->v[0], node), simd_gather_uint32(at->v[1], node),
                                     simd_gather_uint32(at->v[2], node)};
        }
        simd_double volume = simd_load(s->volume + slot);
        pull_edges(m, &c, volume * (m->length / 6), slot);
        if (m->area > 0) pull_faces(m, &c, volume * (m->area / 4), slot);
        if (m->volume > 0) pull_volume(&c, volume * m->volume, volume);
        double *to = s->slot_force + slot / SOLID_GROUP * (12 * SOLID_GROUP) + slot % SOLID_GROUP;
        for (size_t k = 0; k < 4; k++) {
            simd_store(to + (3 * k) * SOLID_GROUP, c.force[k].x);
            simd_store(to + (3 * k + 1) * SOLID_GROUP, c.force[k].y);
            simd_store(to + (3 * k + 2) * SOLID_GROUP, c.force[k].z);
        }
    }
    return 0;
}
