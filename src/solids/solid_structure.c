// Where the solids of a structure are.
#include "solids/solid_structure.h"
#include "math/quat.h"
#include "math/random.h"

// Moved outwards so that neighbours are the gap apart.
static void place_in_arch(const solid_structure_def *d, size_t k, cdg_vec3 *position, cdg_quat *orientation) {
    double each = d->span / (double)d->count, angle = ((double)k + 0.5) * each - 0.5 * d->span;
    double outward = 0.5 * d->gap / sin(0.5 * each);
    *orientation = quat_from_axis_angle(vec3(0, 1, 0), angle);
    *position = quat_rotate(*orientation, vec3(0, 0, outward));
}

// The same seed gives the same heap, however many are in it.
static void place_in_heap(const solid_structure_def *d, size_t k, cdg_vec3 *position, cdg_quat *orientation) {
    cdg_random random = {d->seed * 0x9e3779b97f4a7c15u + k};
    size_t side = d->side, layer = k / (side * side), column = k % side, row = k / side % side;
    double middle = 0.5 * (double)(side - 1);
    cdg_vec3 at = vec3((double)column - middle, (double)row - middle, (double)layer);
    cdg_vec3 stray = random_vec3(&random, 0.05);
    *position = vec3_scale(d->distance, vec3_add(at, vec3(stray.x, stray.y, 0)));
    *orientation = random_rotation(&random);
}

void cdg_solid_structure_place(const solid_structure_def *d, size_t k, cdg_vec3 *position, cdg_quat *orientation) {
    *position = vec3(0, 0, 0);
    *orientation = quat_identity();
    switch (d->kind) {
    case SOLID_STRUCTURE_ARCH: place_in_arch(d, k, position, orientation); break;
    case SOLID_STRUCTURE_STACK:
        position->z = d->distance * (double)k;
        *orientation = quat_from_axis_angle(vec3(0, 0, 1), d->turn * (double)k);
        break;
    case SOLID_STRUCTURE_CHAIN:
        position->x = d->distance * (double)k;
        if (k % 2 == 1) *orientation = quat_from_axis_angle(vec3(1, 0, 0), 1.57079632679489662);
        break;
    case SOLID_STRUCTURE_HEAP: place_in_heap(d, k, position, orientation); break;
    case SOLID_STRUCTURE_KIND_COUNT: break;
    }
}
