// Strains, forces, moments and energies of several nodes or elements in a vector (rod_rows.h). Nothing is contracted
// here (CMakeLists.txt), so that every instruction set gives the bits of rod_measure.c.
#include "math/simd.h"
#include "rods/rod_rows.h"

#pragma GCC diagnostic ignored "-Wpsabi" // vectors are inlined everywhere

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define VARIANT(name) PASTE(name, CDG_SIMD_SUFFIX)

SIMD_INLINE simd_quat turned(simd_double d, simd_quat q) {
    simd_double sign = simd_select(d < 0, simd_broadcast(-0.0), (simd_double){0});
    simd_mask flip = (simd_mask)sign;
    return (simd_quat){(simd_double)((simd_mask)q.w ^ flip), (simd_double)((simd_mask)q.x ^ flip),
                       (simd_double)((simd_mask)q.y ^ flip), (simd_double)((simd_mask)q.z ^ flip)};
}

#define REAL simd_double
#define VEC3 simd_vec3
#define QUAT simd_quat
#define STRAIN(name) lanes_##name
#define STRAIN_INLINE SIMD_INLINE
#define STRAIN_TURNED(d, q) turned(d, q)
#define STRAIN_AT_MOST_ONE(w) simd_min(simd_abs(w), simd_broadcast(1))
#include "rods/strain_template.h"

// ---- reading and writing --------------------------------------------------------------------------------------------

SIMD_INLINE simd_double read(const double *array, size_t at, simd_part part) {
    return simd_load_part(array + at, part, (simd_double){0});
}

SIMD_INLINE simd_vec3 read_vec3(double *const a[3], size_t at, simd_part part) {
    return (simd_vec3){read(a[0], at, part), read(a[1], at, part), read(a[2], at, part)};
}

SIMD_INLINE simd_quat read_quat(double *const a[4], size_t at, simd_part part) {
    return (simd_quat){read(a[0], at, part), read(a[1], at, part), read(a[2], at, part), read(a[3], at, part)};
}

// Results have room for CDG_ROWS numbers: whole vectors are written, the last one with meaningless lanes.

// Of sections: one entry for all, or one each.
SIMD_INLINE simd_double read_section(const cdg_rod *rod, const double *array, size_t at, simd_part part) {
    return rod->section_stride == 0 ? simd_broadcast(array[0]) : read(array, at, part);
}

// Turns at rest, and half of them as measured: one for all nodes, or one each.
typedef struct lane_rest {
    bool is_one;
    simd_quat turn;
    simd_vec3 half;
} lane_rest;

SIMD_INLINE lane_rest begin_rest(const cdg_rod *rod) {
    lane_rest rest = {.is_one = rod->has_one_turn};
    if (!rest.is_one) return rest;
    rest.turn = (simd_quat){simd_broadcast(rod->rest_turn[0][0]), simd_broadcast(rod->rest_turn[1][0]),
                            simd_broadcast(rod->rest_turn[2][0]), simd_broadcast(rod->rest_turn[3][0])};
    rest.half = lanes_half_turn(rod->measure, rest.turn);
    return rest;
}

SIMD_INLINE void read_rest(const cdg_rod *rod, size_t at, simd_part part, lane_rest *rest) {
    if (rest->is_one) return;
    rest->turn = read_quat(rod->rest_turn, at, part);
    rest->half = lanes_half_turn(rod->measure, rest->turn);
}

// ---- elements -------------------------------------------------------------------------------------------------------

typedef struct lane_element {
    simd_vec3 strain, force;
    simd_double rest_length;
} lane_element;

SIMD_INLINE lane_element read_element(const cdg_rod *rod, size_t at, simd_part part) {
    simd_vec3 from = read_vec3(rod->x, at, part), to = read_vec3(rod->x, at + 1, part);
    lane_element e = {.rest_length = read(rod->rest_length, at, part)};
    e.strain = lanes_of_edge((simd_vec3){to.x - from.x, to.y - from.y, to.z - from.z}, read_quat(rod->q, at, part),
                             e.rest_length);
    e.force.x = read_section(rod, rod->stretch_stiffness[0], at, part) * e.strain.x;
    e.force.y = read_section(rod, rod->stretch_stiffness[1], at, part) * e.strain.y;
    e.force.z = read_section(rod, rod->stretch_stiffness[2], at, part) * e.strain.z;
    return e;
}

static void measure_elements(const cdg_rod *rod, size_t first, size_t count, double *const strain[3],
                             double *const force[3]) {
    for (size_t i = 0; i < count; i += SIMD_LANES) {
        simd_part part = simd_part_of(count - i);
        lane_element e = read_element(rod, first + i, part);
        simd_store(strain[0] + i, e.strain.x);
        simd_store(strain[1] + i, e.strain.y);
        simd_store(strain[2] + i, e.strain.z);
        simd_store(force[0] + i, e.force.x);
        simd_store(force[1] + i, e.force.y);
        simd_store(force[2] + i, e.force.z);
    }
}

static void measure_element_energies(const cdg_rod *rod, size_t first, size_t count, double *const inertia[3],
                                     cdg_energy_rows *out) {
    for (size_t i = 0; i < count; i += SIMD_LANES) {
        simd_part part = simd_part_of(count - i);
        lane_element e = read_element(rod, first + i, part);
        simd_double half_length = e.rest_length / 2;
        simd_vec3 spin = read_vec3(rod->w, first + i, part), j = read_vec3(inertia, i, part);
        simd_double twice = spin.x * (j.x * spin.x) + spin.y * (j.y * spin.y) + spin.z * (j.z * spin.z);
        simd_store(out->stretch + i, half_length * e.strain.z * e.force.z);
        simd_store(out->shear + i, half_length * (e.strain.x * e.force.x + e.strain.y * e.force.y));
        simd_store(out->kinetic + i, 0.5 * twice);
    }
}

// ---- nodes ----------------------------------------------------------------------------------------------------------

typedef struct lane_node {
    simd_vec3 now, strain; // half of each
    simd_double scale;     // 2/length of the cell
} lane_node;

SIMD_INLINE lane_node read_node(const cdg_rod *rod, size_t at, simd_part part, lane_rest *rest) {
    read_rest(rod, at, part, rest);
    simd_quat turn = lanes_turn(read_quat(rod->q, at - 1, part), read_quat(rod->q, at, part), rest->turn);
    simd_double length = read(rod->rest_length, at - 1, part) / 2 + read(rod->rest_length, at, part) / 2;
    lane_node n = {.now = lanes_half_turn(rod->measure, turn), .scale = 2 / length};
    if (rod->measures_from_rest) {
        n.strain = lanes_half_turn_from_rest(turn, rest->turn);
    } else {
        n.strain = (simd_vec3){n.now.x - rest->half.x, n.now.y - rest->half.y, n.now.z - rest->half.z};
    }
    return n;
}

static void measure_nodes(const cdg_rod *rod, size_t first, size_t count, double *const darboux[3],
                          double *const moment[3]) {
    lane_rest rest = begin_rest(rod);
    for (size_t i = 0; i < count; i += SIMD_LANES) {
        simd_part part = simd_part_of(count - i);
        lane_node n = read_node(rod, first + i, part, &rest);
        simd_double now[3] = {n.now.x, n.now.y, n.now.z}, strain[3] = {n.strain.x, n.strain.y, n.strain.z};
        for (int k = 0; k < 3; k++) {
            simd_double stiffness = read_section(rod, rod->bend_stiffness[k], first + i, part);
            // 0 + ...: the first term of a sum in rod_measure.c, which makes 0 of -0
            simd_store(darboux[k] + i, 0 + n.scale * now[k]);
            simd_store(moment[k] + i, stiffness * (0 + n.scale * strain[k]));
        }
    }
}

static void measure_node_energies(const cdg_rod *rod, size_t first, size_t count, cdg_vec3 gravity,
                                  cdg_energy_rows *out) {
    lane_rest rest = begin_rest(rod);
    for (size_t i = 0; i < count; i += SIMD_LANES) {
        simd_part part = simd_part_of(count - i);
        lane_node n = read_node(rod, first + i, part, &rest);
        simd_double stiffness[3], mass = read(rod->node_mass, first + i, part);
        for (int k = 0; k < 3; k++) stiffness[k] = read_section(rod, rod->bend_stiffness[k], first + i, part);
        simd_vec3 v = read_vec3(rod->v, first + i, part), x = read_vec3(rod->x, first + i, part);
        simd_double bend = stiffness[0] * n.strain.x * n.strain.x + stiffness[1] * n.strain.y * n.strain.y;
        simd_store(out->kinetic + i, 0.5 * mass * (v.x * v.x + v.y * v.y + v.z * v.z));
        simd_store(out->weight + i, mass * (gravity.x * x.x + gravity.y * x.y + gravity.z * x.z));
        simd_store(out->bend + i, n.scale * bend);
        simd_store(out->twist + i, n.scale * stiffness[2] * n.strain.z * n.strain.z);
    }
}

// Of the nodes between elements; cosines from 0 on: lanes that are not filled have 0 and are not counted.
static size_t count_turns_less(const cdg_rod *rod, double cosine) {
    size_t end = rod->element_count;
    lane_rest rest = begin_rest(rod);
    simd_mask less = {0};
    for (size_t i = 1; i < end; i += SIMD_LANES) {
        simd_part part = simd_part_of(end - i);
        read_rest(rod, i, part, &rest);
        simd_quat turn = lanes_turn(read_quat(rod->q, i - 1, part), read_quat(rod->q, i, part), rest.turn);
        less -= simd_abs(lanes_dot(turn, rest.turn)) > cosine; // a mask is -1
    }
    size_t count = 0;
    for (size_t lane = 0; lane < SIMD_LANES; lane++) count += (size_t)less[lane];
    return count;
}

const cdg_rod_row_kernels VARIANT(cdg_rod_row_kernels) = {.elements = measure_elements,
                                                          .nodes = measure_nodes,
                                                          .element_energies = measure_element_energies,
                                                          .node_energies = measure_node_energies,
                                                          .count_turns_less = count_turns_less};
