// The shapes that structures have, each in its own axes: nets, trusses, ribbons, rings, chains, spheroids, trees
// (Spillmann and Teschner, Cosserat Nets, figures 1 and 13 to 16).
#include "base/error.h"
#include "math/random.h"
#include "nets/structure_build.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct suffix {
    char text[32];
} suffix;

static suffix numbered(char letter, size_t number) {
    suffix out;
    snprintf(out.text, sizeof out.text, "%c%zu", letter, number);
    return out;
}

// ---- planar ---------------------------------------------------------------------------------------------------------

static void build_net(structure_build *build, const cdg_structure_def *def) {
    size_t h = def->net.threads[0], v = def->net.threads[1], pieces = def->element_count;
    double width = def->net.size[0], height = def->net.size[1];
    for (size_t i = 0; i < h; i++) {
        double y = height * (double)i / (double)(h - 1);
        size_t rod =
            cdg_build_line(build, numbered('h', i).text, vec3(0, y, 0), vec3(width, y, 0), pieces * (v - 1), NULL);
        for (size_t j = 0; j < v; j++) cdg_build_at(build, i * v + j, rod, j * pieces);
    }
    for (size_t j = 0; j < v; j++) {
        double x = width * (double)j / (double)(v - 1);
        size_t rod =
            cdg_build_line(build, numbered('v', j).text, vec3(x, 0, 0), vec3(x, height, 0), pieces * (h - 1), NULL);
        for (size_t i = 0; i < h; i++) cdg_build_at(build, i * v + j, rod, i * pieces);
    }
}

// Two long rods and a rung at each bay's end. Points 0 to bays are on the first, the next bays + 1 on the second.
static void build_ladder(structure_build *build, const char *first, const char *second, char rung, const double size[2],
                         size_t bays, size_t pieces) {
    for (size_t side = 0; side < 2; side++) {
        double y = side == 0 ? 0 : size[1];
        size_t rod =
            cdg_build_line(build, side == 0 ? first : second, vec3(0, y, 0), vec3(size[0], y, 0), bays * pieces, NULL);
        for (size_t i = 0; i <= bays; i++) cdg_build_at(build, side * (bays + 1) + i, rod, i * pieces);
    }
    for (size_t i = 0; i <= bays; i++) {
        double x = size[0] * (double)i / (double)bays;
        size_t rod = cdg_build_line(build, numbered(rung, i).text, vec3(x, 0, 0), vec3(x, size[1], 0), pieces, NULL);
        cdg_build_at(build, i, rod, 0);
        cdg_build_at(build, bays + 1 + i, rod, pieces);
    }
}

static void build_truss(structure_build *build, const cdg_structure_def *def) {
    size_t bays = def->truss.bays, pieces = def->element_count;
    build_ladder(build, "lower", "upper", 'p', def->truss.size, bays, pieces);
    for (size_t i = 0; i < bays && def->truss.has_diagonals; i++) {
        bool is_rising = i % 2 == 0; // up and down in turn
        double length = def->truss.size[0] / (double)bays, x = length * (double)i, height = def->truss.size[1];
        cdg_vec3 from = vec3(x, is_rising ? 0 : height, 0), to = vec3(x + length, is_rising ? height : 0, 0);
        size_t rod = cdg_build_line(build, numbered('d', i).text, from, to, pieces, NULL);
        cdg_build_at(build, is_rising ? i : bays + 1 + i, rod, 0);
        cdg_build_at(build, is_rising ? bays + 2 + i : i + 1, rod, pieces);
    }
}

// ---- round ----------------------------------------------------------------------------------------------------------

static cdg_centerline circle(cdg_vec3 center, cdg_vec3 axis, cdg_vec3 start, double radius) {
    return (cdg_centerline){.kind = CDG_CENTERLINE_CIRCLE,
                            .circle = {.center = center, .axis = axis, .start_direction = start, .radius = radius}};
}

static void build_chain(structure_build *build, const cdg_structure_def *def) {
    double radius = def->chain.radius, pitch = 2 * radius;
    if (def->chain.is_loose) pitch = def->chain.pitch > 0 ? def->chain.pitch : 1.5 * radius;
    for (size_t i = 0; i < def->chain.links; i++) {
        cdg_vec3 axis = i % 2 == 0 ? vec3(0, 0, 1) : vec3(0, 1, 0);
        cdg_centerline ring = circle(vec3(radius + pitch * (double)i, 0, 0), axis, vec3(-1, 0, 0), radius);
        size_t rod = cdg_build_rod(build, numbered('r', i).text, &ring, def->element_count, NULL);
        if (def->chain.is_loose) continue;
        cdg_build_at(build, i, rod, 0);
        cdg_build_at(build, i + 1, rod, def->element_count / 2);
    }
    cdg_build_hinges(build);
}

// Nodes at equal distances along half an ellipse, found on a much finer polygon.
static cdg_result sample_meridian(const cdg_structure_def *def, double azimuth, cdg_vec3 *out, cdg_error *error) {
    enum { FINE = 1024 };
    cdg_vec3 points[FINE + 1];
    for (int k = 0; k <= FINE; k++) {
        double angle = 3.141592653589793 * k / FINE, half = def->spheroid.height / 2;
        double away = k == 0 || k == FINE ? 0 : def->spheroid.radius * sin(angle);
        points[k] = vec3(away * cos(azimuth), away * sin(azimuth), half - half * cos(angle));
    }
    cdg_centerline fine = {.kind = CDG_CENTERLINE_POLYLINE, .points = {points, FINE + 1}};
    return cdg_centerline_sample(&fine, def->element_count, out, error);
}

static cdg_result build_spheroid(structure_build *build, const cdg_structure_def *def, cdg_error *error) {
    cdg_vec3 *nodes = malloc((def->element_count + 1) * sizeof *nodes);
    if (nodes == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for structure '%s'", def->name);
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < def->spheroid.meridians && result == CDG_OK; i++) {
        double azimuth = 2 * 3.141592653589793 * (double)i / (double)def->spheroid.meridians;
        result = sample_meridian(def, azimuth, nodes, error);
        if (result != CDG_OK) break;
        const cdg_vec3 *kept = cdg_build_points(build, nodes, def->element_count + 1);
        cdg_centerline curve = {.kind = CDG_CENTERLINE_POLYLINE, .points = {kept, def->element_count + 1}};
        size_t rod = cdg_build_rod(build, numbered('m', i).text, &curve, def->element_count, NULL);
        cdg_build_at(build, 0, rod, 0);
        cdg_build_at(build, 1, rod, def->element_count);
    }
    free(nodes);
    return result;
}

// ---- trees ----------------------------------------------------------------------------------------------------------

cdg_section cdg_section_scaled(cdg_section section, double factor) {
    section.radius *= factor;
    section.inner_radius *= factor;
    for (int k = 0; k < 2; k++) section.semi_axis[k] *= factor, section.side[k] *= factor;
    return section;
}

typedef struct tree_build {
    structure_build *build;
    const cdg_structure_def *def;
    cdg_random random;
    size_t branch_count; // so far
    size_t point_count;
} tree_build;

// Branches off `point`, where a branch of this length and direction ends. Depth is bounded by the levels.
static void branch_off(tree_build *tree, size_t point, cdg_vec3 at, cdg_vec3 along, double length, size_t level) {
    const cdg_structure_def *def = tree->def;
    if (level > def->tree.levels) return;
    cdg_section section = cdg_section_scaled(def->rod.section, pow(def->tree.taper, (double)level));
    double first = random_in(&tree->random, 0, 6.283185307179586);
    cdg_quat upright = quat_between(vec3(0, 0, 1), along);
    for (size_t i = 0; i < def->tree.branches; i++) {
        double azimuth = first + 6.283185307179586 * (double)i / (double)def->tree.branches;
        double tilt = def->tree.angle * random_in(&tree->random, 0.7, 1.3);
        double own = length * def->tree.shrink * random_in(&tree->random, 0.85, 1.15);
        cdg_vec3 local = vec3(sin(tilt) * cos(azimuth), sin(tilt) * sin(azimuth), cos(tilt));
        cdg_vec3 direction = quat_rotate(upright, local), end = vec3_mad(at, own, direction);
        size_t number = tree->branch_count++, own_point = tree->point_count++;
        size_t rod = cdg_build_line(tree->build, numbered('b', number).text, at, end, def->element_count, &section);
        cdg_build_at(tree->build, point, rod, 0);
        cdg_build_at(tree->build, own_point, rod, def->element_count);
        branch_off(tree, own_point, end, direction, own, level + 1);
    }
}

static void build_tree(structure_build *build, const cdg_structure_def *def) {
    tree_build tree = {.build = build, .def = def, .random = {def->tree.seed}, .point_count = 1};
    cdg_vec3 top = vec3(0, 0, def->tree.length);
    size_t trunk = cdg_build_line(build, "trunk", vec3(0, 0, 0), top, def->element_count, NULL);
    cdg_build_at(build, 0, trunk, def->element_count);
    branch_off(&tree, 0, top, vec3(0, 0, 1), def->tree.length, 1);
}

// ---- checks ---------------------------------------------------------------------------------------------------------

static cdg_result need_lengths(const cdg_structure_def *def, const char *what, const double *lengths, int count,
                               cdg_error *error) {
    for (int k = 0; k < count; k++)
        if (!(lengths[k] > 0 && isfinite(lengths[k])))
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "structure '%s': %s is %g m; it must be positive", def->name,
                            what, lengths[k]);
    return CDG_OK;
}

static cdg_result need_count(const cdg_structure_def *def, const char *what, size_t count, size_t least,
                             cdg_error *error) {
    if (count >= least && count <= CDG_STRUCTURE_RODS_MAX) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "structure '%s': %zu %s; it needs %zu to %d", def->name, count, what,
                    least, CDG_STRUCTURE_RODS_MAX);
}

static cdg_result check_tree(const cdg_structure_def *def, cdg_error *error) {
    cdg_result result = need_lengths(def, "the length", &def->tree.length, 1, error);
    if (result == CDG_OK) result = need_count(def, "branches", def->tree.branches, 1, error);
    if (result != CDG_OK) return result;
    if (!(def->tree.shrink > 0 && def->tree.taper > 0 && isfinite(def->tree.shrink) && isfinite(def->tree.taper) &&
          isfinite(def->tree.angle)))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "structure '%s': shrink and taper must be positive, and the angle a number", def->name);
    enum { LEVELS_MAX = 32 };
    if (def->tree.levels > LEVELS_MAX)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "structure '%s': %zu levels of branches; at most %d are possible",
                        def->name, def->tree.levels, LEVELS_MAX);
    double rods = 1, level = 1;
    for (size_t i = 0; i < def->tree.levels && rods <= CDG_STRUCTURE_RODS_MAX; i++)
        level *= (double)def->tree.branches, rods += level;
    if (rods > CDG_STRUCTURE_RODS_MAX)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "structure '%s': %zu levels of %zu branches are more than %d rods; use fewer", def->name,
                        def->tree.levels, def->tree.branches, CDG_STRUCTURE_RODS_MAX);
    return CDG_OK;
}

static cdg_result check_shape(const cdg_structure_def *def, cdg_error *error) {
    if (def->kind == CDG_STRUCTURE_BEND || def->kind == CDG_STRUCTURE_PRUSIK) return CDG_OK; // by themselves
    cdg_result result = need_count(def, "elements", def->element_count, 1, error);
    if (result != CDG_OK) return result;
    bool is_ring = def->kind == CDG_STRUCTURE_RING || def->kind == CDG_STRUCTURE_CHAIN;
    if (is_ring) result = need_count(def, "elements of a ring", def->element_count, 4, error);
    if (result != CDG_OK) return result;
    switch (def->kind) {
    case CDG_STRUCTURE_NET:
        result = need_lengths(def, "the size", def->net.size, 2, error);
        for (int k = 0; k < 2 && result == CDG_OK; k++)
            result = need_count(def, "threads in one direction", def->net.threads[k], 2, error);
        return result;
    case CDG_STRUCTURE_TRUSS:
        result = need_lengths(def, "the size", def->truss.size, 2, error);
        return result == CDG_OK ? need_count(def, "bays", def->truss.bays, 1, error) : result;
    case CDG_STRUCTURE_RIBBON:
        result = need_lengths(def, "the size", def->ribbon.size, 2, error);
        return result == CDG_OK ? need_count(def, "bays", def->ribbon.bays, 1, error) : result;
    case CDG_STRUCTURE_RING: return need_lengths(def, "the radius", &def->ring.radius, 1, error);
    case CDG_STRUCTURE_CHAIN:
        result = need_lengths(def, "the radius", &def->chain.radius, 1, error);
        if (result == CDG_OK) result = need_count(def, "links", def->chain.links, 1, error);
        if (result == CDG_OK && !(def->chain.pitch >= 0 && def->chain.pitch < 2 * def->chain.radius))
            result = cdg_fail(error, CDG_ERROR_ARGUMENT,
                              "structure '%s': the pitch is %g m; it must be less than a ring's width, %g m", def->name,
                              def->chain.pitch, 2 * def->chain.radius);
        if (result == CDG_OK && def->element_count % 2 != 0)
            result = cdg_fail(error, CDG_ERROR_ARGUMENT,
                              "structure '%s': a ring of %zu elements has no node opposite to its first; use an even "
                              "number",
                              def->name, def->element_count);
        return result;
    case CDG_STRUCTURE_SPHEROID:
        result =
            need_lengths(def, "radius or height", (double[]){def->spheroid.radius, def->spheroid.height}, 2, error);
        return result == CDG_OK ? need_count(def, "meridians", def->spheroid.meridians, 1, error) : result;
    case CDG_STRUCTURE_TREE: return check_tree(def, error);
    case CDG_STRUCTURE_BEND:
    case CDG_STRUCTURE_PRUSIK:
    case CDG_STRUCTURE_KIND_COUNT: break;
    }
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "structure '%s' is of no known kind", def->name);
}

cdg_result cdg_shape_build(structure_build *build, const cdg_structure_def *def, cdg_error *error) {
    cdg_result result = check_shape(def, error);
    if (result != CDG_OK) return result;
    switch (def->kind) {
    case CDG_STRUCTURE_NET: build_net(build, def); break;
    case CDG_STRUCTURE_TRUSS: build_truss(build, def); break;
    case CDG_STRUCTURE_RIBBON:
        build_ladder(build, "left", "right", 's', def->ribbon.size, def->ribbon.bays, def->element_count);
        break;
    case CDG_STRUCTURE_RING: {
        cdg_centerline ring = circle(vec3(0, 0, 0), vec3(0, 0, 1), vec3(1, 0, 0), def->ring.radius);
        cdg_build_rod(build, "", &ring, def->element_count, NULL);
        break;
    }
    case CDG_STRUCTURE_CHAIN: build_chain(build, def); break;
    case CDG_STRUCTURE_SPHEROID: return build_spheroid(build, def, error);
    case CDG_STRUCTURE_TREE: build_tree(build, def); break;
    case CDG_STRUCTURE_BEND: return cdg_shape_bend(build, def, error);
    case CDG_STRUCTURE_PRUSIK: return cdg_shape_prusik(build, def, error);
    case CDG_STRUCTURE_KIND_COUNT: break;
    }
    return CDG_OK;
}
