// Worlds of joined rods through the public API, for tests of nets.
#ifndef CDG_TESTS_NET_CASE_H
#define CDG_TESTS_NET_CASE_H

#include <stdio.h>

#include "math/quat.h"
#include "small_world.h"

enum { NET_RODS_MAX = 8 };

typedef struct net_case {
    cdg_world *world;
    cdg_rod_id rods[NET_RODS_MAX];
    int rod_count;
} net_case;

static inline net_case net_case_make(cdg_vec3 gravity, double step) {
    net_case net = {0};
    cdg_world_def def = cdg_world_def_default();
    def.gravity = gravity;
    def.step = step;
    def.thread_count = 1;
    must(NULL, cdg_world_create(&def, &net.world, NULL));
    return net;
}

// A straight rod like `like`, named a, b, c, ...
static inline cdg_rod_id net_case_add(net_case *net, const cdg_rod_def *like, cdg_vec3 from, cdg_vec3 to,
                                      size_t elements) {
    cdg_rod_def def = *like;
    char name[2] = {(char)('a' + net->rod_count), 0};
    def.name = name;
    def.centerline = (cdg_centerline){.kind = CDG_CENTERLINE_LINE, .line = {from, to}};
    def.element_count = elements;
    must(net->world, cdg_world_add_rod(net->world, &def, &net->rods[net->rod_count]));
    return net->rods[net->rod_count++];
}

static inline cdg_place net_node(cdg_rod_id rod, size_t node) { return (cdg_place){rod, CDG_PLACE_NODE, node}; }

static inline cdg_result net_try_join(net_case *net, const cdg_place *places, size_t count, double stiffness) {
    cdg_joint_def def = cdg_joint_def_default();
    def.places = places;
    def.place_count = count;
    def.stiffness = stiffness;
    return cdg_world_add_joint(net->world, &def, NULL);
}

static inline void net_join(net_case *net, const cdg_place *places, size_t count, double stiffness) {
    must(net->world, net_try_join(net, places, count, stiffness));
}

// Three arms of `elements` elements and length 0.1 m from the origin, 120 degrees apart in the plane z = 0, rigidly
// joined: a star. `angle` other than 2 pi/3 makes a Y, pi/2 a T without its fourth arm.
static inline net_case net_star(const cdg_rod_def *like, double angle, size_t elements, cdg_vec3 gravity, double step) {
    net_case net = net_case_make(gravity, step);
    cdg_place places[3];
    for (int i = 0; i < 3; i++) {
        double at = (i - 1) * angle;
        cdg_rod_id rod = net_case_add(&net, like, vec3(0, 0, 0), vec3(0.1 * cos(at), 0.1 * sin(at), 0), elements);
        places[i] = net_node(rod, 0);
    }
    net_join(&net, places, 3, 1);
    return net;
}

static inline void net_run(net_case *net, int steps) {
    for (int i = 0; i < steps; i++) must(net->world, cdg_world_step(net->world, NULL));
}

static inline void net_drag(net_case *net, double rate) {
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_DRAG;
    load.drag_rate = rate;
    must(net->world, cdg_world_add_load(net->world, &load, NULL));
}

enum { NET_NODES_MAX = 128 };

static inline cdg_vec3 net_position(const net_case *net, cdg_rod_id rod, size_t node) {
    cdg_vec3 x[NET_NODES_MAX];
    must(net->world, cdg_rod_positions(net->world, rod, x));
    return x[node];
}

// Distances of the nodes of all rods to each other are what tells a shape from another, wherever it is: the largest
// difference between those of two such lists.
static inline size_t net_all_positions(const net_case *net, cdg_vec3 *out) {
    size_t count = 0;
    for (int i = 0; i < net->rod_count; i++) {
        cdg_rod_info info;
        must(net->world, cdg_rod_get_info(net->world, net->rods[i], &info));
        must(net->world, cdg_rod_positions(net->world, net->rods[i], out + count));
        count += info.node_count;
    }
    return count;
}

static inline double net_shape_difference(const cdg_vec3 *a, const cdg_vec3 *b, size_t count) {
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            largest = fmax(largest, fabs(vec3_distance(a[i], a[j]) - vec3_distance(b[i], b[j])));
    return largest;
}

#endif
