// Structures as lists of rods and joints: axes, names, memory. The shapes are in shapes.c.
#include "base/error.h"
#include "nets/structure_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cdg_structure_def cdg_structure_def_default(void) {
    return (cdg_structure_def){
        .kind = CDG_STRUCTURE_NET,
        .rod = cdg_rod_def_default(),
        .joint_stiffness = 1,
        .direction = {1, 0, 0},
        .normal = {0, 0, 1},
        .element_count = 4,
        .net = {.size = {1, 1}, .threads = {5, 5}},
        .truss = {.size = {4, 1}, .bays = 4, .has_diagonals = true},
        .ribbon = {.size = {4, 0.2}, .bays = 20},
        .ring = {.radius = 0.1},
        .chain = {.radius = 0.05, .links = 6},
        .spheroid = {.radius = 0.5, .height = 1, .meridians = 4},
        .tree = {.length = 1, .angle = 0.6, .shrink = 0.7, .taper = 0.7, .levels = 3, .branches = 3, .seed = 1},
        .bend = {.knot = CDG_TIED_SQUARE, .standing = 0.1, .tail = 0.02, .ratio = 1},
        .prusik = {.post_radius = 0.002, .loop = 0.1, .wraps = 3},
    };
}

// Pieces of memory, freed all at once.
typedef struct piece {
    struct piece *next;
    max_align_t data[];
} piece;

typedef struct point_member {
    size_t point, order;
    cdg_place place;
} point_member;

// What is handed out, and what it needs to be freed; the public part comes first.
typedef struct owned_structure {
    cdg_structure public_part;
    piece *pieces;
} owned_structure;

struct structure_build {
    const cdg_structure_def *def;
    owned_structure *out;
    cdg_vec3 axes[3]; // of the structure
    size_t rod_capacity, element_total;
    point_member *members;
    size_t member_count, member_capacity;
    double joint_stiffness;
    cdg_result result;
    cdg_error *error;
};

// ---- memory ---------------------------------------------------------------------------------------------------------

static void *keep(structure_build *build, size_t bytes) {
    piece *new_piece = build->result == CDG_OK ? malloc(sizeof *new_piece + bytes) : NULL;
    if (new_piece == NULL) {
        if (build->result == CDG_OK)
            build->result = cdg_fail(build->error, CDG_ERROR_MEMORY, "no memory for structure '%s'", build->def->name);
        return NULL;
    }
    new_piece->next = build->out->pieces;
    build->out->pieces = new_piece;
    return new_piece->data;
}

// Room for one more in an array from malloc.
static void *grow(structure_build *build, void *array, size_t count, size_t *capacity, size_t size) {
    if (build->result != CDG_OK) return NULL;
    if (count < *capacity) return array;
    size_t larger = *capacity > 0 ? 2 * *capacity : 64;
    void *grown = realloc(array, larger * size);
    if (grown == NULL)
        build->result = cdg_fail(build->error, CDG_ERROR_MEMORY, "no memory for structure '%s'", build->def->name);
    else
        *capacity = larger;
    return grown;
}

// ---- rods -----------------------------------------------------------------------------------------------------------

static cdg_vec3 turned(const structure_build *build, cdg_vec3 v) {
    cdg_vec3 sum = vec3_scale(v.x, build->axes[0]);
    return vec3_mad(vec3_mad(sum, v.y, build->axes[1]), v.z, build->axes[2]);
}

static cdg_vec3 placed(const structure_build *build, cdg_vec3 v) {
    return vec3_add(build->def->origin, turned(build, v));
}

static const char *make_name(structure_build *build, const char *suffix) {
    size_t size = strlen(build->def->name) + strlen(suffix) + 2;
    char *name = keep(build, size);
    if (name != NULL) snprintf(name, size, "%s%s%s", build->def->name, suffix[0] != '\0' ? "." : "", suffix);
    return name;
}

const cdg_vec3 *cdg_build_points(structure_build *build, const cdg_vec3 *points, size_t count) {
    cdg_vec3 *kept = keep(build, count * sizeof *kept);
    for (size_t i = 0; kept != NULL && i < count; i++) kept[i] = placed(build, points[i]);
    return kept;
}

size_t cdg_build_rod(structure_build *build, const char *suffix, const cdg_centerline *curve, size_t element_count,
                     const cdg_section *section) {
    cdg_structure *out = &build->out->public_part;
    cdg_vec3 *normal = keep(build, sizeof *normal);
    const char *name = make_name(build, suffix);
    if (normal == NULL || name == NULL) return 0;
    cdg_rod_def *rods = grow(build, out->rods, out->rod_count, &build->rod_capacity, sizeof *rods);
    if (rods == NULL) return 0;
    out->rods = rods;
    build->element_total += element_count;
    if (out->rod_count >= CDG_STRUCTURE_RODS_MAX || build->element_total > CDG_STRUCTURE_ELEMENTS_MAX) {
        build->result =
            cdg_fail(build->error, CDG_ERROR_ARGUMENT, "structure '%s' would have more than %d rods or %d elements",
                     build->def->name, CDG_STRUCTURE_RODS_MAX, CDG_STRUCTURE_ELEMENTS_MAX);
        return 0;
    }
    cdg_rod_def *rod = &rods[out->rod_count];
    *rod = build->def->rod;
    rod->name = name;
    rod->centerline = *curve;
    rod->element_count = element_count;
    rod->rest = (cdg_rest){.kind = CDG_REST_INITIAL};
    rod->initial_normal = normal;
    *normal = build->axes[2];
    if (section != NULL) rod->section = *section;
    cdg_centerline *placed_curve = &rod->centerline; // points were placed when they were kept
    if (curve->kind == CDG_CENTERLINE_LINE) {
        placed_curve->line.from = placed(build, curve->line.from);
        placed_curve->line.to = placed(build, curve->line.to);
        cdg_vec3 along = vec3_normalize(vec3_sub(placed_curve->line.to, placed_curve->line.from));
        if (fabs(vec3_dot(along, *normal)) > 0.99) *normal = build->axes[0];
    } else if (curve->kind == CDG_CENTERLINE_CIRCLE) {
        placed_curve->circle.center = placed(build, curve->circle.center);
        placed_curve->circle.axis = turned(build, curve->circle.axis);
        placed_curve->circle.start_direction = turned(build, curve->circle.start_direction);
        *normal = placed_curve->circle.axis;
    } else if (curve->kind == CDG_CENTERLINE_TIED) {
        placed_curve->tied.center = placed(build, curve->tied.center);
        placed_curve->tied.direction = turned(build, curve->tied.direction);
        placed_curve->tied.normal = turned(build, curve->tied.normal);
        rod->initial_normal = NULL;
        rod->rest = (cdg_rest){.kind = CDG_REST_STRAIGHT};
    } else {
        rod->initial_normal = NULL; // chosen for the curve
    }
    return out->rod_count++;
}

size_t cdg_build_line(structure_build *build, const char *suffix, cdg_vec3 from, cdg_vec3 to, size_t element_count,
                      const cdg_section *section) {
    cdg_centerline line = {.kind = CDG_CENTERLINE_LINE, .line = {from, to}};
    return cdg_build_rod(build, suffix, &line, element_count, section);
}

void cdg_build_straight_rest(structure_build *build) {
    cdg_structure *out = &build->out->public_part;
    if (out->rod_count > 0) out->rods[out->rod_count - 1].rest = (cdg_rest){.kind = CDG_REST_STRAIGHT};
}

// ---- joints ---------------------------------------------------------------------------------------------------------

void cdg_build_at(structure_build *build, size_t point, size_t rod, size_t node) {
    point_member *members = grow(build, build->members, build->member_count, &build->member_capacity, sizeof *members);
    if (members == NULL) return;
    build->members = members;
    members[build->member_count] = (point_member){
        point, build->member_count, {.rod = {.index1 = (uint32_t)rod + 1}, .kind = CDG_PLACE_NODE, .index = node}};
    build->member_count++;
}

void cdg_build_hinges(structure_build *build) { build->joint_stiffness = 0; }

static int compare_points(const void *left, const void *right) {
    const point_member *a = left, *b = right;
    if (a->point != b->point) return a->point < b->point ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static size_t run_length(const structure_build *build, size_t first) {
    size_t end = first + 1;
    while (end < build->member_count && build->members[end].point == build->members[first].point) end++;
    return end - first;
}

static void make_joints(structure_build *build) {
    cdg_structure *out = &build->out->public_part;
    if (build->result != CDG_OK || build->member_count == 0) return;
    qsort(build->members, build->member_count, sizeof *build->members, compare_points);
    cdg_place *places = keep(build, build->member_count * sizeof *places);
    out->joints = calloc(build->member_count, sizeof *out->joints);
    if (places == NULL || out->joints == NULL) {
        build->result = cdg_fail(build->error, CDG_ERROR_MEMORY, "no memory for structure '%s'", build->def->name);
        return;
    }
    for (size_t i = 0, count; i < build->member_count; i += count) {
        count = run_length(build, i);
        for (size_t k = 0; k < count; k++) places[i + k] = build->members[i + k].place;
        if (count > 1)
            out->joints[out->joint_count++] =
                (cdg_joint_def){.places = places + i, .place_count = count, .stiffness = build->joint_stiffness};
    }
}

// ---- the whole ------------------------------------------------------------------------------------------------------

static cdg_result set_axes(structure_build *build) {
    const cdg_structure_def *def = build->def;
    double length = vec3_norm(def->direction), height = vec3_norm(def->normal);
    cdg_vec3 across = vec3_cross(def->normal, def->direction);
    if (!(length > 0 && height > 0 && vec3_norm(across) > 1e-6 * length * height && vec3_is_finite(across)))
        return cdg_fail(build->error, CDG_ERROR_ARGUMENT,
                        "structure '%s': direction and normal must be two different directions", def->name);
    if (!vec3_is_finite(def->origin))
        return cdg_fail(build->error, CDG_ERROR_ARGUMENT, "structure '%s': the origin is not finite", def->name);
    build->axes[0] = vec3_scale(1 / length, def->direction);
    build->axes[1] = vec3_normalize(across);
    build->axes[2] = vec3_cross(build->axes[0], build->axes[1]);
    return CDG_OK;
}

cdg_result cdg_structure_expand(const cdg_structure_def *def, cdg_structure **out, cdg_error *error) {
    if (out != NULL) *out = NULL;
    if (def == NULL) return cdg_fail_null(error, "def");
    if (out == NULL) return cdg_fail_null(error, "out");
    if (def->name == NULL || def->name[0] == '\0')
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "a structure needs a name");
    owned_structure *owned = calloc(1, sizeof *owned);
    if (owned == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for structure '%s'", def->name);
    structure_build build = {
        .def = def, .out = owned, .joint_stiffness = def->joint_stiffness, .result = CDG_OK, .error = error};
    cdg_result result = set_axes(&build);
    if (result == CDG_OK) result = cdg_shape_build(&build, def, error);
    make_joints(&build);
    free(build.members);
    if (result == CDG_OK) result = build.result;
    if (result != CDG_OK) {
        cdg_structure_destroy(&owned->public_part);
        return result;
    }
    *out = &owned->public_part;
    return CDG_OK;
}

void cdg_structure_destroy(cdg_structure *structure) {
    if (structure == NULL) return;
    owned_structure *owned = (owned_structure *)(void *)structure;
    for (piece *p = owned->pieces, *next; p != NULL; p = next) {
        next = p->next;
        free(p);
    }
    free(structure->rods);
    free(structure->joints);
    free(owned);
}
