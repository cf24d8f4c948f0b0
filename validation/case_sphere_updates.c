// Sphere trees of two bodies that deform and come into each other (Spillmann's thesis, figure B.6): how many spheres a
// search down to the leaves asks for, with the bounds that need no look at points, and with the smallest balls around
// the same points. The more bodies deform, the less tight bounds are.
#include "base/error.h"
#include "math/random.h"
#include "math/vec3.h"
#include "solids/sphere_tree.h"
#include "validation/case_functions.h"

#include <cordage/solid.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double size = 0.12; // m, of a body

typedef struct body {
    cdg_mesh mesh;
    double *x[3];
    cdg_sphere_tree tree;
    cdg_sphere *smallest;
    bool *is_asked;
} body;

static void free_body(body *b) {
    cdg_mesh_free(&b->mesh);
    cdg_sphere_tree_free(&b->tree);
    free(b->x[0]);
    free(b->smallest);
    free(b->is_asked);
}

static cdg_result make_body(double resolution, body *out, cdg_error *error) {
    cdg_shape shape = {.kind = CDG_SHAPE_BOX, .size = {size, size, size}, .orientation = {1, 0, 0, 0}};
    *out = (body){0};
    cdg_result result = cdg_shape_mesh(&shape, resolution, &out->mesh, error);
    if (result != CDG_OK) return result;
    size_t count = out->mesh.point_count;
    result = cdg_sphere_tree_build(&out->tree, out->mesh.points, count, true, error);
    out->x[0] = malloc(3 * count * sizeof(double));
    out->smallest = malloc(2 * count * sizeof *out->smallest);
    out->is_asked = malloc(2 * count * sizeof *out->is_asked);
    if (out->x[0] == NULL || out->smallest == NULL || out->is_asked == NULL) return CDG_ERROR_MEMORY;
    out->x[1] = out->x[0] + count, out->x[2] = out->x[1] + count;
    return result;
}

// How far bodies are from their shape at rest, at most: stretch and shear, and bending over their size.
typedef struct amount {
    double strain, bent;
} amount;

// Points are shaken, too, by a tenth of a per cent of the size.
static void deform(body *b, cdg_vec3 shift, amount by, uint64_t seed) {
    cdg_random random = {seed};
    cdg_vec3 linear[3], bend[3];
    for (int k = 0; k < 3; k++)
        linear[k] = random_vec3(&random, by.strain), bend[k] = random_vec3(&random, by.bent / size);
    for (size_t i = 0; i < b->mesh.point_count; i++) {
        cdg_vec3 p = b->mesh.points[i], at = vec3_add(p, shift);
        const double first[3] = {p.x, p.y, p.z}, second[3] = {p.x * p.y, p.y * p.z, p.z * p.z};
        for (int k = 0; k < 3; k++)
            at = vec3_add(at, vec3_add(vec3_scale(first[k], linear[k]), vec3_scale(second[k], bend[k])));
        at = vec3_add(at, random_vec3(&random, 1e-3 * size));
        b->x[0][i] = at.x, b->x[1][i] = at.y, b->x[2][i] = at.z;
    }
    cdg_sphere_tree_move(&b->tree, b->x, NULL);
    for (size_t n = 0; n < b->tree.node_count; n++) {
        b->smallest[n] = cdg_sphere_around(b->tree.x, b->tree.nodes[n].first, b->tree.nodes[n].count, NULL);
        b->is_asked[n] = false;
    }
}

// A search for meetings of what lies below two nodes. The larger is opened, as in cdg_sphere_trees_meet.
static size_t ask(body *a, uint32_t m, body *b, uint32_t n) {
    const sphere_node *p = &a->tree.nodes[m], *q = &b->tree.nodes[n];
    size_t asked = (size_t)!a->is_asked[m] + (size_t)!b->is_asked[n];
    a->is_asked[m] = b->is_asked[n] = true;
    cdg_sphere one = a->smallest[m], other = b->smallest[n];
    if (vec3_distance(one.center, other.center) > one.radius + other.radius) return asked;
    if (p->child == 0 && q->child == 0) return asked;
    bool opens_a = p->child != 0 && (q->child == 0 || one.radius >= other.radius);
    for (uint32_t k = 0; k < 2; k++) asked += opens_a ? ask(a, p->child + k, b, n) : ask(a, m, b, q->child + k);
    return asked;
}

typedef struct updates {
    double points, bounds, smallest; // spheres asked for, at most of all frames
    double ratio;                    // of all frames together
    double outside;                  // m, of points beyond their spheres
} updates;

static double how_far_outside(body *b, double factor) {
    double most = 0;
    for (size_t n = 0; n < b->tree.node_count; n++) {
        cdg_sphere sphere = cdg_sphere_tree_get(&b->tree, n);
        const sphere_node *node = &b->tree.nodes[n];
        for (uint32_t i = node->first; i < node->first + node->count; i++)
            most = fmax(most, vec3_distance(vec3(b->tree.x[0][i], b->tree.x[1][i], b->tree.x[2][i]), sphere.center) -
                                  factor * sphere.radius);
    }
    return most;
}

static cdg_result count_updates(const validation_context *context, double resolution, amount by, updates *out,
                                cdg_error *error) {
    enum { FRAMES = 5 };
    body bodies[2] = {0};
    sphere_pairs pairs = {0};
    double sums[2] = {0};
    *out = (updates){0};
    cdg_result result = CDG_OK;
    for (int i = 0; i < 2 && result == CDG_OK; i++) result = make_body(resolution, &bodies[i], error);
    for (uint64_t frame = 0; frame < FRAMES && result == CDG_OK; frame++) { // up to a tenth of their size in each other
        deform(&bodies[0], vec3(0, 0, 0), by, 1 + 2 * frame);
        double near = 1 - 0.1 * (double)frame / (FRAMES - 1);
        deform(&bodies[1], vec3(near * size, 0.2 * size, 0.1 * size), by, 2 + 2 * frame);
        uint64_t before = bodies[0].tree.updates + bodies[1].tree.updates;
        pairs.count = 0;
        if (!cdg_sphere_trees_meet(&bodies[0].tree, &bodies[1].tree, 40, &pairs)) result = CDG_ERROR_MEMORY;
        double asked = (double)(bodies[0].tree.updates + bodies[1].tree.updates - before);
        out->bounds = fmax(out->bounds, asked);
        double least = (double)ask(&bodies[0], 0, &bodies[1], 0);
        out->smallest = fmax(out->smallest, least);
        sums[0] += asked, sums[1] += least;
        for (int i = 0; i < 2; i++)
            out->outside = fmax(out->outside, how_far_outside(&bodies[i], context->factor.radius));
    }
    out->ratio = sums[0] / sums[1];
    out->points = (double)(bodies[0].mesh.point_count + bodies[1].mesh.point_count);
    cdg_sphere_pairs_free(&pairs);
    for (int i = 0; i < 2; i++) free_body(&bodies[i]);
    return result;
}

cdg_result validate_sphere_updates(validation_context *context, cdg_error *error) {
    enum { SIZES = 5 };
    static const double cells[SIZES] = {15, 20, 27, 34, 42}; // across: 8K to 160K points
    static const double theirs[3][2] = {{8e3, 160e3}, {5.4e3, 96e3}, {5.2e3, 93e3}};
    static const amount amounts[3] = {{0.01, 0.002}, {0.05, 0.01}, {0.05, 0.06}};
    double points[SIZES], bounds[SIZES], smallest[SIZES];
    int count = (int)validation_by_level(context, 2, SIZES, SIZES);
    for (int i = 0; i < count; i++) {
        updates it[3];
        char label[VALIDATION_TEXT_SIZE];
        double outside = 0;
        for (int k = 0; k < 3; k++) {
            cdg_result result = count_updates(context, size / cells[i] * (1 + 1e-9), amounts[k], &it[k], error);
            if (result != CDG_OK) return result;
            outside = fmax(outside, it[k].outside);
        }
        points[i] = it[0].points, bounds[i] = it[1].bounds, smallest[i] = it[1].smallest;
        snprintf(label, sizeof label, "two bodies, %.0f points: a point outside of its sphere by", points[i]);
        validation_add_limit(context, label, "of the size", outside / size, 1e-12);
        for (int k = 0; k < 3; k++) {
            snprintf(label, sizeof label, "%.0f points, strains of %g %%, bent by %g %%: spheres over smallest",
                     points[i], 100 * amounts[k].strain, 100 * amounts[k].bent);
            if (k == 0)
                validation_add_limit(context, label, "", it[k].ratio, 1.05);
            else
                validation_add_information(context, label, "", it[k].ratio);
        }
        snprintf(label, sizeof label, "%.0f points: spheres asked for, the second of these", points[i]);
        validation_add_information(context, label, "", bounds[i]);
        validation_progress(context, pow(0.5, count - 1 - i));
        if (validation_is_decided(context)) return CDG_OK;
    }
    validation_begin_log_chart(context, "Sphere updates of two bodies (figure B.6)", "points", "1", "updates", "1");
    validation_add_curve(context, "by bounds", points, bounds, (size_t)count);
    validation_add_curve(context, "smallest balls", points, smallest, (size_t)count);
    validation_add_reference_curve(context, "thesis, by bounds", theirs[0], theirs[1], 2);
    validation_add_reference_curve(context, "thesis, smallest", theirs[0], theirs[2], 2);
    return CDG_OK;
}
