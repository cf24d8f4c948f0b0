// The energy that the equations conserve (galpha/element.c): of motion, with mass and rotary inertia at the nodes, and
// of bending and twist, by the turn between the frames of an element's nodes. Measured by the rod's arrays instead,
// which have velocities of nodes but frames and spins of elements' middles, waves as short as two elements would hardly
// have any: what they pass on to longer ones, after a blow, would seem to come from nowhere.
#include "rods/galpha/parts.h"

static double node_energy(const cdg_rod *rod, size_t i, const galpha_node *node, const galpha_rest *rest) {
    cdg_vec3 w = node->spin, j = rest->inertia;
    double turning = rod_cell_length(rod, i) * (j.x * w.x * w.x + j.y * w.y * w.y + j.z * w.z * w.z);
    return 0.5 * (rod->node_mass[i] * vec3_dot(node->velocity, node->velocity) + turning);
}

static void add_bending(const cdg_rod *rod, size_t j, const galpha_node *nodes, const galpha_rest *rest,
                        cdg_energy *out) {
    cdg_vec3 turn = galpha_turn(nodes[0].frame, nodes[1].frame, rest->turn);
    cdg_vec3 bend = galpha_bend(rod, rest, j, turn), k = galpha_bend_stiffness(rod, j);
    double half = rod->rest_length[j] / 2;
    out->bend += half * (k.x * bend.x * bend.x + k.y * bend.y * bend.y);
    out->twist += half * k.z * bend.z * bend.z;
}

void galpha_measure_energy(const cdg_rod *rod, cdg_energy *out) {
    const galpha_node *nodes = galpha_nodes_of(rod->own);
    const galpha_rest *rest = galpha_rest_of(rod);
    for (size_t i = 0; i < rod->node_count; i++) out->kinetic += node_energy(rod, i, &nodes[i], &rest[i]);
    for (size_t j = 0; j < rod->element_count; j++) add_bending(rod, j, &nodes[j], &rest[j], out);
}
