// Places at any share or length of a rod, cable.along(30 %) or cable.along(12 cm): one of its nodes is put there, and
// the others are spaced evenly on both sides.
#include "geometry/arc_length.h"
#include "scene/reader.h"
#include "scene/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Places that differ by less, as shares of the rod, are one.
static const double same_place = 1e-9;
// Elements between two places may be this many times shorter than the mean, no more.
static const double shortest_over_mean = 0.25;

// "30 %", "0.3" or "12 cm" between the brackets, as a share of the rod's length.
static bool read_share(scene_reader *reader, const scene_node *node, const char *label, const cdg_rod_def *def,
                       const char *text, size_t length, double *out) {
    scene_node inside = *node;
    inside.text = cdg_storage_copy(reader->storage, text, length);
    inside.length = length;
    if (inside.text == NULL) return false;
    cdg_measure measure;
    cdg_error error;
    double way = 1;
    bool is_length = cdg_measure_parse(text, length, &measure, &error) == CDG_OK && measure.has_unit &&
                     measure.dimension.m == 1 && measure.dimension.kg == 0 && measure.dimension.s == 0 &&
                     measure.dimension.rad == 0;
    if (is_length && cdg_centerline_length(&def->centerline, &way, &error) != CDG_OK) return false; // told already
    char what[CDG_WHERE_SIZE];
    snprintf(what, sizeof what, "%s: along", label);
    if (!cdg_read_quantity(reader, &inside, what, is_length ? CDG_LENGTH : CDG_NUMBER, SCENE_ANY, out)) return false;
    double given = *out;
    *out /= way;
    if (*out >= 0 && *out <= 1 + same_place) return true;
    if (is_length)
        return cdg_reader_fault(reader, node,
                                "%s: rod '%s' is %g m long, and along(%g m) is not on it; use '%s.end' for its end",
                                label, def->name, way, given, def->name);
    return cdg_reader_fault(reader, node,
                            "%s: along takes a share of rod '%s' from 0 to 1, such as 30 %%, or a length, such as "
                            "12 cm; %g is not among the shares",
                            label, def->name, given);
}

// Nodes that are the scene's own points, or that structures have joined, are not moved.
static bool may_move_nodes(scene_reader *reader, const scene_node *node, size_t index) {
    const cdg_rod_def *def = &reader->scene->rods[index];
    const scene_node *rods = cdg_tree_get(reader->root, "rods");
    if (rods == NULL || index >= rods->count)
        return cdg_reader_fault(reader, node,
                                "rod '%s' is part of a structure or strands, which place its nodes; name one of them, "
                                "such as '%s.node(1)'",
                                def->name, def->name);
    bool is_polygon = def->centerline.kind == CDG_CENTERLINE_POLYLINE || def->centerline.kind == CDG_CENTERLINE_FILE;
    size_t edges = def->centerline.points.count - (cdg_centerline_is_closed(&def->centerline) ? 0 : 1);
    if (is_polygon && def->element_count == edges)
        return cdg_reader_fault(reader, node,
                                "the nodes of rod '%s' are the points of its centerline; add a point there, or give it "
                                "other 'elements'",
                                def->name);
    return true;
}

static bool refuse_near(scene_reader *reader, const scene_node *node, const char *label, const cdg_rod_def *def,
                        const char *what) {
    return cdg_reader_fault(reader, node,
                            "%s: this place is too near %s of rod '%s' for its %zu elements; give it more 'elements', "
                            "or name that place",
                            label, what, def->name, def->element_count);
}

// 'middle' is half of the way, or the element around it: whoever writes it means that, not a node put elsewhere.
static bool check_middle(scene_reader *reader, const scene_node *node, const cdg_rod_def *def) {
    cdg_node_division division = {def->element_count, def->centerline.spacing, def->centerline.spacing_count};
    double elements = (double)def->element_count;
    for (size_t i = def->element_count / 2; i <= (def->element_count + 1) / 2; i++) {
        double share = cdg_node_share(&division, i);
        if (fabs(share - (double)i / elements) <= same_place) continue;
        return cdg_reader_fault(reader, node,
                                "'%s.middle' would be at %.3g %% of rod '%s', whose nodes along() moves; write "
                                "'%s.along(50 %%)' in place of 'middle'",
                                def->name, 100 * (share + (0.5 - (double)i / elements)), def->name, def->name);
    }
    return true;
}

bool cdg_note_middle(scene_reader *reader, const scene_node *node, size_t index) {
    reader->rod_has_middle[index] = true;
    return check_middle(reader, node, &reader->scene->rods[index]);
}

bool cdg_choose_along(scene_reader *reader, const scene_node *node, const char *label, size_t index, const char *text,
                      size_t length, cdg_place *out) {
    cdg_rod_def *def = &reader->scene->rods[index];
    double share, elements = (double)def->element_count;
    if (!reader->rod_is_good[index] || !read_share(reader, node, label, def, text, length, &share)) return false;
    bool is_closed = cdg_centerline_is_closed(&def->centerline);
    out->kind = CDG_PLACE_NODE;
    out->index = 0;
    if (share > 1 - same_place) out->index = is_closed ? 0 : def->element_count;
    if (share < same_place || share > 1 - same_place) return true;
    if (!may_move_nodes(reader, node, index)) return false;
    double at = floor(share * elements + 0.5);
    cdg_spacing point = {.even = at / elements, .at = share};
    if (!(at > 0 && at < elements)) return refuse_near(reader, node, label, def, at > 0 ? "the end" : "the start");
    out->index = (size_t)at;
    size_t count = def->centerline.spacing_count, here = 0;
    cdg_spacing *points = (cdg_spacing *)def->centerline.spacing;
    while (here < count && points[here].at < share - same_place) here++;
    if (here < count && fabs(points[here].at - share) <= same_place) return true; // named before
    for (int side = 0; side < 2; side++) {
        bool is_before = side == 0, has_other = is_before ? here > 0 : here < count;
        double end = is_before ? 0 : 1;
        cdg_spacing other = has_other ? points[is_before ? here - 1 : here] : (cdg_spacing){end, end};
        if (fabs(point.at - other.at) >= shortest_over_mean * fabs(point.even - other.even) &&
            fabs(point.even - other.even) > 0.5 / elements)
            continue;
        return refuse_near(reader, node, label, def, has_other ? "another" : is_before ? "the start" : "the end");
    }
    points = cdg_storage_grow(reader->storage, points, count, sizeof *points);
    if (points == NULL) return false;
    memmove(points + here + 1, points + here, (count - here) * sizeof *points);
    points[here] = point;
    def->centerline.spacing = points;
    def->centerline.spacing_count = count + 1;
    def->rest.centerline.spacing = points; // what it is at rest has its nodes at the same shares
    def->rest.centerline.spacing_count = count + 1;
    return !reader->rod_has_middle[index] || check_middle(reader, node, def);
}
