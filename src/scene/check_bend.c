// Rods that are bent more sharply than their thickness allows: on the inner side they would lie in themselves.
#include "math/vec3.h"
#include "scene/reader.h"

#include <stdlib.h>

// Half of the thickness that bending sees, m. A flat section bends about its broad side, so its thin one counts.
static double half_thickness(const cdg_section *section) {
    switch (section->kind) {
    case CDG_SECTION_ELLIPSE: return fmin(section->semi_axis[0], section->semi_axis[1]);
    case CDG_SECTION_RECTANGLE: return 0.5 * fmin(section->side[0], section->side[1]);
    case CDG_SECTION_CIRCLE:
    case CDG_SECTION_TUBE:
    case CDG_SECTION_KIND_COUNT: break;
    }
    return section->radius;
}

static double thickness_at(const cdg_rod_def *def, double fraction) {
    if (def->has_stiffness) return def->stiffness.radius;
    double start = half_thickness(&def->section);
    return def->is_tapered ? start + fraction * (half_thickness(&def->section_end) - start) : start;
}

typedef struct sharpest {
    double excess;            // thickness over radius of the bend
    double radius, thickness; // m
    size_t node;
    cdg_vec3 at;
} sharpest;

// Of the circles through neighbouring nodes, whose edges are alike: directions differ by length over radius.
static sharpest find_sharpest(const cdg_rod_def *def, const cdg_vec3 *nodes, bool is_closed) {
    sharpest worst = {0};
    size_t elements = def->element_count, node_count = is_closed ? elements : elements + 1;
    for (size_t i = is_closed ? 0 : 1; i < elements; i++) {
        cdg_vec3 before = vec3_sub(nodes[i], nodes[i > 0 ? i - 1 : node_count - 1]);
        cdg_vec3 after = vec3_sub(nodes[(i + 1) % node_count], nodes[i]);
        double turn = vec3_distance(vec3_normalize(before), vec3_normalize(after));
        double length = 0.5 * (vec3_norm(before) + vec3_norm(after));
        double thickness = thickness_at(def, (double)i / (double)elements);
        if (!(length > 0) || !(turn * thickness / length > worst.excess)) continue;
        worst = (sharpest){turn * thickness / length, length / turn, thickness, i, nodes[i]};
    }
    return worst;
}

static void check_centerline(scene_reader *reader, const scene_node *blamed, const char *where, const char *what,
                             const cdg_rod_def *def, const cdg_centerline *centerline) {
    if (centerline->kind == CDG_CENTERLINE_LINE) return; // straight
    cdg_vec3 *nodes = malloc((def->element_count + 1) * sizeof *nodes);
    cdg_error error;
    if (nodes != NULL && cdg_centerline_sample(centerline, def->element_count, nodes, &error) == CDG_OK) {
        sharpest worst = find_sharpest(def, nodes, cdg_centerline_is_closed(centerline));
        if (worst.excess > 1)
            cdg_reader_warn(reader, blamed,
                            "%s %s bends with a radius of %.3g m at node %zu, (%.4g, %.4g, %.4g) m, but half of its "
                            "thickness is %.3g m: there it lies in itself; make it thinner or bend it less",
                            where, what, worst.radius, worst.node, worst.at.x, worst.at.y, worst.at.z, worst.thickness);
    }
    free(nodes);
}

void cdg_check_bend(scene_reader *reader, const scene_node *node, const char *where, const cdg_rod_def *def) {
    const scene_node *shape = cdg_tree_get(node, "centerline"), *rest = cdg_tree_get(node, "rest");
    check_centerline(reader, shape != NULL ? shape : node, where, "at the start", def, &def->centerline);
    if (def->rest.kind == CDG_REST_CENTERLINE)
        check_centerline(reader, rest != NULL ? rest : node, where, "at rest", def, &def->rest.centerline);
    double curvature = hypot(def->rest.curvature[0], def->rest.curvature[1]);
    double thickness = fmax(thickness_at(def, 0), thickness_at(def, 1));
    if (def->rest.kind == CDG_REST_CURVATURE && curvature * thickness > 1)
        cdg_reader_warn(reader, rest != NULL ? rest : node,
                        "%s at rest bends with a radius of %.3g m, but half of its thickness is %.3g m: it would lie "
                        "in itself; make it thinner or bend it less",
                        where, 1 / curvature, thickness);
}
