// A number for what a world is made of and no call changes between steps, so that a snapshot is not loaded into a world
// of another material or thickness. What can be set by hand (rest shapes, frictions, gravity, loads) does not count.
#include "solids/solid.h"
#include "world/solid_object.h"
#include "world/world.h"

#include <string.h>

// FNV-1a
static void add_bytes(uint64_t *hash, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) *hash = (*hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
}

static void add_numbers(uint64_t *hash, const double *values, size_t count) {
    add_bytes(hash, values, count * sizeof *values);
}

// A length that is set later changes mass and inertia for each metre, so the whole mass stands for the density.
// That of a part of a rod that adapts is a sum over its elements when it was cut, and not the same to the last bit when
// the cut is made again at another resolution.
static void add_rod(uint64_t *hash, const cdg_rod *rod, bool has_cuts) {
    bool is_uniform = rod->section_stride == 0;
    size_t elements = is_uniform ? 1 : rod->element_count, nodes = is_uniform ? 1 : rod->node_count;
    add_bytes(hash, rod->model->name, strlen(rod->model->name));
    if (rod->adapt == NULL || !has_cuts) add_numbers(hash, &rod->mass, 1);
    add_numbers(hash, rod->damping_time, 4);
    if (!is_uniform && rod->adapt != NULL) return; // its sections are part of the state
    for (int k = 0; k < 3; k++) {
        add_numbers(hash, rod->stretch_stiffness[k], elements);
        add_numbers(hash, rod->bend_stiffness[k], nodes);
    }
    add_numbers(hash, rod->radius, nodes);
}

double cdg_world_fingerprint(const cdg_world *world) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL) add_rod(&hash, world->rods[i].rod, world->cut_count > 0);
    for (size_t i = 0; i < world->body_count; i++) {
        const cdg_mass *mass = &world->bodies[i].mass;
        const symmetric3 *a = &mass->inertia;
        double values[] = {mass->mass, a->xx, a->xy, a->xz, a->yy, a->yz, a->zz};
        add_numbers(&hash, values, sizeof values / sizeof *values);
    }
    for (size_t i = 0; i < world->solid_count; i++) {
        const cdg_solid *solid = &world->solids[i]->solid;
        double values[] = {solid->mu, solid->lambda, solid->total_mass};
        add_numbers(&hash, values, sizeof values / sizeof *values);
        if (solid->bulk > 0) add_numbers(&hash, &solid->bulk, 1);
    }
    return (double)(hash >> 12) + 1; // exact, and never 0
}
