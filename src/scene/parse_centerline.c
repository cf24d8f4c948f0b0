// The key `centerline`: curves, in a rod or as its rest shape.
#include "base/error.h"
#include "geometry/points_file.h"
#include "math/vec3.h"
#include "scene/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {
#define CENTERLINE_NAME(id, name) name,
    CDG_CENTERLINE_LIST(CENTERLINE_NAME)
#undef CENTERLINE_NAME
        NULL};

// In the order of CDG_CENTERLINE_LIST; NULL: not a map.
static const scene_table *const kind_tables[CDG_CENTERLINE_KIND_COUNT] = {
    &cdg_schema_line, &cdg_schema_arc, &cdg_schema_ring, &cdg_schema_helix, NULL, NULL, NULL,
    &cdg_schema_knot, &cdg_schema_tied};

// The coordinate axis that is least along `axis`, made perpendicular to it: x for the default axis z.
static cdg_vec3 perpendicular_to(cdg_vec3 axis) {
    double x = fabs(axis.x), y = fabs(axis.y), z = fabs(axis.z);
    cdg_vec3 least = x <= y && x <= z ? vec3(1, 0, 0) : y <= z ? vec3(0, 1, 0) : vec3(0, 0, 1);
    return vec3_normalize(vec3_mad(least, -vec3_dot(least, axis), axis));
}

static bool parse_points(scene_reader *reader, const scene_node *node, const char *name, bool is_closed,
                         cdg_centerline *out) {
    char quoted[CDG_QUOTE_SIZE];
    if (node->kind != SCENE_LIST) {
        return cdg_reader_fault(reader, node,
                                "%s: expected a list of points such as [[0, 0, 0], [1 m, 0, 0]], found %s", name,
                                cdg_tree_describe(node, quoted));
    }
    cdg_vec3 *points = cdg_storage_allocate(reader->storage, node->count, sizeof *points);
    if (points == NULL) return false;
    bool is_good = true;
    char label[48];
    for (size_t i = 0; i < node->count; i++) {
        snprintf(label, sizeof label, "point %zu of %s", i + 1, name);
        is_good = cdg_read_vector(reader, node->items[i], label, CDG_LENGTH, &points[i]) && is_good;
    }
    if (!is_good) return false;
    size_t count = node->count;
    // Closing by repeating the first point is a habit from elsewhere; here the last element closes the curve.
    if (is_closed && count > 1 && vec3_distance(points[0], points[count - 1]) == 0) count--;
    size_t least = is_closed ? 3 : 2;
    if (count < least) {
        return cdg_reader_fault(reader, node, "%s: a%s curve needs at least %zu different points, found %zu", name,
                                is_closed ? " closed" : "n open", least, count);
    }
    out->points.points = points;
    out->points.count = count;
    return true;
}

static bool parse_file(scene_reader *reader, const scene_node *node, const scene_node *closed, bool is_closed,
                       cdg_centerline *out) {
    char quoted[CDG_QUOTE_SIZE];
    if (node->kind != SCENE_SCALAR || node->length == 0) {
        return cdg_reader_fault(reader, node, "file: expected the name of a CSV or OBJ file, found %s",
                                cdg_tree_describe(node, quoted));
    }
    if (reader->scene->directory == NULL) {
        return cdg_reader_fault(reader, node,
                                "file %s: this scene does not come from a file, so it cannot refer to others; "
                                "use points",
                                cdg_tree_describe(node, quoted));
    }
    if (!cdg_reader_may_read(reader, node, node->text)) return false;
    bool is_absolute = node->text[0] == '/';
    size_t size = strlen(reader->scene->directory) + node->length + 2;
    char *path = cdg_storage_allocate(reader->storage, size, 1);
    if (path == NULL) return false;
    snprintf(path, size, "%s%s%s", is_absolute ? "" : reader->scene->directory, is_absolute ? "" : "/", node->text);
    cdg_vec3 *read = NULL;
    size_t count = 0;
    bool file_is_closed = false;
    cdg_error error;
    if (cdg_points_read(path, &read, &count, &file_is_closed, &error) != CDG_OK) {
        return cdg_reader_file_fault(reader, node, &error);
    }
    cdg_vec3 *points = cdg_storage_allocate(reader->storage, count, sizeof *points);
    if (points != NULL && count > 0) memcpy(points, read, count * sizeof *points);
    free(read);
    if (points == NULL || !cdg_reader_note_file(reader, node, node->text, path)) return false;
    out->file.path = path;
    out->kind = CDG_CENTERLINE_POLYLINE; // the points are here now; the file is not needed again
    out->closed = closed != NULL ? is_closed : file_is_closed;
    if (out->closed && count > 1 && vec3_distance(points[0], points[count - 1]) == 0) count--;
    out->points.points = points;
    out->points.count = count;
    return true;
}

static int common_divisor(int a, int b) {
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool parse_knot_type(scene_reader *reader, const scene_node *node, cdg_centerline *out) {
    static const struct {
        const char *name;
        int p, q;
    } named[] = {{"trefoil", 2, 3}, {"cinquefoil", 2, 5}, {"septafoil", 2, 7}};
    enum { NAMED_COUNT = sizeof named / sizeof *named, WINDINGS_MAX = 50 };
    const scene_node *type = cdg_tree_get(node, "type"), *torus = cdg_tree_get(node, "torus");
    if (type != NULL && torus != NULL) {
        return cdg_reader_fault(reader, cdg_tree_get_key(node, "torus"), "a knot has either type or torus; keep one");
    }
    out->knot.p = named[0].p;
    out->knot.q = named[0].q;
    if (type != NULL) {
        for (size_t i = 0; i < NAMED_COUNT; i++) {
            if (cdg_tree_is_word(type, named[i].name)) {
                out->knot.p = named[i].p;
                out->knot.q = named[i].q;
                return true;
            }
        }
        char quoted[CDG_QUOTE_SIZE];
        return cdg_reader_fault(reader, type,
                                "knot type %s is not known; types: trefoil, cinquefoil, septafoil, or "
                                "'torus: [p, q]'; knots in ropes are 'tied: {knot: overhand}'",
                                cdg_tree_describe(type, quoted));
    }
    if (torus == NULL) return true;
    if (torus->kind != SCENE_LIST || torus->count != 2) {
        char quoted[CDG_QUOTE_SIZE];
        return cdg_reader_fault(reader, torus, "torus: expected two whole numbers such as [2, 3], found %s",
                                cdg_tree_describe(torus, quoted));
    }
    bool is_good = cdg_read_integer(reader, torus->items[0], "p of torus", 1, WINDINGS_MAX, &out->knot.p);
    is_good = cdg_read_integer(reader, torus->items[1], "q of torus", 1, WINDINGS_MAX, &out->knot.q) && is_good;
    if (is_good && common_divisor(out->knot.p, out->knot.q) != 1) {
        return cdg_reader_fault(reader, torus,
                                "torus: %d and %d have a common divisor, which gives several rings instead of "
                                "one knot",
                                out->knot.p, out->knot.q);
    }
    return is_good;
}

// What `closed` may say for each kind of curve; sets out->closed.
static bool check_closed(scene_reader *reader, const scene_node *closed, bool is_closed, cdg_centerline *out) {
    const char *name = kind_names[out->kind];
    switch (out->kind) {
    case CDG_CENTERLINE_CIRCLE:
        if (closed != NULL && !is_closed) {
            return cdg_reader_fault(reader, closed, "a circle is closed; for an open ring use an arc");
        }
        out->closed = true;
        return true;
    case CDG_CENTERLINE_KNOT:
        if (closed != NULL && is_closed != (out->knot.tail <= 0)) {
            return cdg_reader_fault(reader, closed,
                                    is_closed ? "a knot with tails is open; remove tail or closed"
                                              : "a knot without tails is closed; give it a tail");
        }
        out->closed = out->knot.tail <= 0;
        return true;
    case CDG_CENTERLINE_POLYLINE:
    case CDG_CENTERLINE_SPLINE:
    case CDG_CENTERLINE_FILE: return true;
    default: break;
    }
    if (is_closed) {
        return cdg_reader_fault(reader, closed, "%s %s cannot be closed; circle, knot, points and spline can",
                                out->kind == CDG_CENTERLINE_ARC ? "an" : "a", name);
    }
    out->closed = false;
    return true;
}

static void set_defaults(cdg_centerline *out) {
    *out = cdg_centerline_default();
    out->line.from = vec3(0, 0, 0);
    out->arc.start = out->circle.center = out->helix.base = out->knot.center = vec3(0, 0, 0);
    out->arc.tangent = vec3(1, 0, 0);
    out->arc.normal = out->circle.axis = out->helix.axis = out->knot.axis = vec3(0, 0, 1);
    out->knot.tail = 0;
    out->helix.left_handed = false;
}

static bool parse_tied(scene_reader *reader, const scene_node *node, double rope_radius, cdg_centerline *out) {
    if (cdg_tree_get(node, "radius") == NULL) {
        if (!(rope_radius > 0)) {
            return cdg_reader_fault(reader, node,
                                    "a tied knot needs the rope's radius: give the rod a section, or "
                                    "the knot a radius such as 5 mm");
        }
        out->tied.radius = rope_radius;
    }
    const scene_node *through = cdg_tree_get(node, "through");
    if (through == NULL) return true;
    cdg_centerline points = *out;
    if (!parse_points(reader, through, "through", false, &points)) return false;
    out->tied.through = points.points.points;
    out->tied.through_count = points.points.count;
    return true;
}

bool cdg_parse_centerline(scene_reader *reader, const scene_node *node, const scene_node *closed, const char *where,
                          double rope_radius, cdg_centerline *out) {
    if (!cdg_read_table(reader, &cdg_schema_centerline, node, where, NULL)) return false;
    int kind = cdg_read_one_of(reader, node, &cdg_schema_centerline, where, kind_names);
    if (kind < 0) return false;
    set_defaults(out);
    out->kind = (cdg_centerline_kind)kind;
    const scene_node *shape = cdg_tree_get(node, kind_names[kind]);
    bool is_closed = false;
    if (closed != NULL && !cdg_read_switch(reader, closed, "closed", &is_closed)) return false;
    if (kind_tables[kind] != NULL) {
        char inside[CDG_WHERE_SIZE];
        snprintf(inside, sizeof inside, "%s in %.120s", kind_names[kind], where);
        if (!cdg_read_table(reader, kind_tables[kind], shape, inside, out)) return false;
    }
    out->closed = is_closed;
    bool has_direction = cdg_tree_get(shape, "start_direction") != NULL;
    switch (out->kind) {
    case CDG_CENTERLINE_CIRCLE:
        if (!has_direction) out->circle.start_direction = perpendicular_to(out->circle.axis);
        break;
    case CDG_CENTERLINE_HELIX:
        if (!has_direction) out->helix.start_direction = perpendicular_to(out->helix.axis);
        break;
    case CDG_CENTERLINE_KNOT:
        if (!parse_knot_type(reader, shape, out)) return false;
        break;
    case CDG_CENTERLINE_TIED:
        if (!parse_tied(reader, shape, rope_radius, out)) return false;
        break;
    case CDG_CENTERLINE_POLYLINE:
    case CDG_CENTERLINE_SPLINE:
        if (!parse_points(reader, shape, kind_names[kind], is_closed, out)) return false;
        break;
    case CDG_CENTERLINE_FILE:
        if (!parse_file(reader, shape, closed, is_closed, out)) return false;
        break;
    default: break;
    }
    if (!check_closed(reader, closed, is_closed, out)) return false;

    // The geometry itself says what is wrong with a curve; a few points show it as well as many.
    enum { PROBE_ELEMENTS = 16 };
    cdg_vec3 nodes[PROBE_ELEMENTS + 1];
    double length = 0;
    cdg_error error;
    bool needs_many = out->kind == CDG_CENTERLINE_TIED; // its length tells all that is wrong with it
    if (cdg_centerline_length(out, &length, &error) != CDG_OK ||
        (!needs_many && cdg_centerline_sample(out, PROBE_ELEMENTS, nodes, &error) != CDG_OK)) {
        return cdg_reader_pass_on(reader, shape, where, error.message);
    }
    if (!isfinite(length) || !(length > 0)) {
        return cdg_reader_fault(reader, shape, "%s has a length of %g m; check its sizes", where, length);
    }
    return true;
}
