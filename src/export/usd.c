// USD as text (.usda): one BasisCurves prim a rod, whose points are the nodes, with time samples for every output.
//
// The curves are cubic Catmull-Rom: they pass through their points, so the points are the run's nodes and the curve is
// smooth all the same (a B-spline would miss them, a linear curve show its corners). Open rods are "pinned", which
// makes the curve begin and end at its first and last point; closed ones are "periodic". Obstacles and bodies are Mesh
// prims, moved by their transforms; surfaces of deformable solids are Mesh prims whose points have time samples, with
// what their tetrahedra have (stress, strain) on the faces.
#define _POSIX_C_SOURCE 200809L
#include "base/error.h"
#include "export/format.h"
#include "export/node_values.h"
#include "export/rigids.h"
#include "math/quat.h"
#include "output/solid_surface.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Attributes with time samples: X(name, type, name in the file, how values lie along the curve if that must be said).
#define USD_ATTRIBUTE_LIST(X)                                                                                          \
    X(extent, "float3[]", "extent", NULL)                                                                              \
    X(points, "point3f[]", "points", NULL)                                                                             \
    X(velocities, "vector3f[]", "velocities", NULL)                                                                    \
    X(d1, "float3[]", "primvars:d1", "vertex")                                                                         \
    X(normals, "normal3f[]", "normals", "vertex")

typedef enum usd_attribute {
#define USD_ATTRIBUTE_ENUM(name, type, text, interpolation) USD_##name,
    USD_ATTRIBUTE_LIST(USD_ATTRIBUTE_ENUM)
#undef USD_ATTRIBUTE_ENUM
        USD_ATTRIBUTE_COUNT
} usd_attribute;

static const struct {
    const char *type, *name, *interpolation;
} attributes[] = {
#define USD_ATTRIBUTE_ROW(name, type, text, interpolation) {type, text, interpolation},
    USD_ATTRIBUTE_LIST(USD_ATTRIBUTE_ROW)
#undef USD_ATTRIBUTE_ROW
};

enum { NAME_SIZE = 128 };

typedef struct usd_rod {
    char name[NAME_SIZE]; // an identifier of USD, unique in the file
    bool is_ribbon;       // flat: drawn as a ribbon across the normals, not as a tube
    int thin_axis;        // 0: d1, 1: d2; along which a ribbon is thin
    double half_width;    // m, the largest
    size_t first_pass;
} usd_rod;

typedef struct usd_state {
    cdg_whole_file file;
    cdg_bytes text;
    usd_rod *rods;
    double rate;     // time codes a second
    double *numbers; // one field of one rod
    cdg_quat *frames;
    cdg_export_rigids rigids;
    char (*rigid_names)[NAME_SIZE];
    size_t first_rigid_pass; // two for each rigid
    char (*solid_names)[NAME_SIZE];
    cdg_solid_surface surface; // of the solid that is written
    double *solid_numbers;     // one field of one solid, and the points of its surface
    size_t first_solid_pass;   // one for each attribute of each solid
} usd_state;

// ---- names, strings, time codes -------------------------------------------------------------------------------------

// Identifiers of USD have letters, digits and '_', and do not start with a digit.
static void make_identifier(const char *text, char out[NAME_SIZE]) {
    size_t used = 0;
    if (text[0] == '\0' || isdigit((unsigned char)text[0])) out[used++] = '_';
    for (; *text != '\0' && used + 1 < NAME_SIZE - 24; text++) { // leaves room for a number behind it
        unsigned char c = (unsigned char)*text;
        out[used++] = c < 128 && isalnum(c) ? (char)c : '_';
    }
    out[used] = '\0';
}

// Names of rods and, after them, rigids and solids: no two are the same.
static char *name_at(const cdg_export *export, const usd_state *state, size_t index) {
    size_t rods = export->reader->rod_count, rigid_end = rods + state->rigids.count;
    if (index < rods) return state->rods[index].name;
    return index < rigid_end ? state->rigid_names[index - rods] : state->solid_names[index - rigid_end];
}

static const char *run_name_at(const cdg_export *export, const usd_state *state, size_t index) {
    size_t rods = export->reader->rod_count, rigid_end = rods + state->rigids.count;
    if (index < rods) return export->reader->rods[index].name;
    return index < rigid_end ? state->rigids.items[index - rods].name : export->reader->solids[index - rigid_end].name;
}

static void make_names(const cdg_export *export, usd_state *state) {
    for (size_t i = 0; i < export->reader->rod_count + state->rigids.count + export->reader->solid_count; i++) {
        char base[NAME_SIZE], *own = name_at(export, state, i);
        make_identifier(run_name_at(export, state, i), base);
        memcpy(own, base, NAME_SIZE);
        size_t number = 1;
        for (size_t k = 0; k < i; k++) { // "a-b" and "a_b" become the same
            if (strcmp(name_at(export, state, k), own) != 0) continue;
            snprintf(own, NAME_SIZE, "%.100s_%zu", base, ++number);
            k = SIZE_MAX; // look at all again
        }
    }
}

static void put_string(cdg_bytes *text, const char *value) {
    static const char *const escapes[] = {"\\\"", "\\\\", "\\n", "\\r", "\\t"};
    cdg_bytes_append(text, "\"", 1);
    cdg_bytes_escaped(text, value, "\"\\\n\r\t", escapes);
    cdg_bytes_append(text, "\"", 1);
}

// Time codes are chosen so that outputs fall on whole ones, which programs show as frames.
static double choose_rate(const cdg_export *export) {
    if (export->frame_count < 2) return 24;
    double rate = 1 / (cdg_export_play(export, 1) - cdg_export_play(export, 0));
    return fabs(rate - round(rate)) < 1e-6 * rate ? round(rate) : rate;
}

static double time_code(const cdg_export *export, const usd_state *state, size_t frame) {
    double code = cdg_export_play(export, frame) * state->rate, whole = round(code);
    return fabs(code - whole) < 1e-9 * fmax(1, fabs(code)) ? whole : code;
}

// ---- what stays the same --------------------------------------------------------------------------------------------

// A section twice as wide as thick, or more, is a ribbon.
static void look_at_section(const cdg_run_rod *rod, usd_rod *out) {
    const cdg_section *section = &rod->sections[0];
    const double *size = section->kind == CDG_SECTION_RECTANGLE ? section->side : section->semi_axis;
    bool has_axes = section->kind == CDG_SECTION_RECTANGLE || section->kind == CDG_SECTION_ELLIPSE;
    out->thin_axis = has_axes && size[0] < size[1] ? 0 : 1;
    out->is_ribbon = has_axes && size[1 - out->thin_axis] >= 2 * size[out->thin_axis];
}

// Ribbons have the width of the wide side, other sections that of the circle of the same area.
static double width_of(const cdg_section *section, const usd_rod *rod) {
    switch (section->kind) {
    case CDG_SECTION_RECTANGLE:
        return rod->is_ribbon ? section->side[1 - rod->thin_axis] : sqrt(section->side[0] * section->side[1] / atan(1));
    case CDG_SECTION_ELLIPSE:
        return 2 * (rod->is_ribbon ? section->semi_axis[1 - rod->thin_axis]
                                   : sqrt(section->semi_axis[0] * section->semi_axis[1]));
    default: return 2 * section->radius;
    }
}

static void put_header(cdg_export *export, usd_state *state) {
    cdg_bytes *text = &state->text;
    const char *slash = strrchr(export->stem, '/');
    char name[NAME_SIZE];
    make_identifier(slash != NULL ? slash + 1 : export->stem, name);
    cdg_bytes_print(text, "#usda 1.0\n(\n    defaultPrim = \"%s\"\n    doc = ", name);
    const char *title = export->reader->title;
    put_string(text, title != NULL && title[0] != '\0' ? title : "A simulation of elastic rods");
    cdg_bytes_print(text, "\n    endTimeCode = ");
    cdg_bytes_number(text, time_code(export, state, export->frame_count - 1));
    cdg_bytes_print(text, "\n    framesPerSecond = ");
    cdg_bytes_number(text, state->rate);
    cdg_bytes_print(text, "\n    metersPerUnit = 1\n    startTimeCode = ");
    cdg_bytes_number(text, time_code(export, state, 0));
    cdg_bytes_print(text, "\n    timeCodesPerSecond = ");
    cdg_bytes_number(text, state->rate);
    cdg_bytes_print(text, "\n    upAxis = \"Z\"\n)\n\ndef Xform \"%s\"\n{\n", name);
}

static void put_rod_header(const cdg_export *export, usd_state *state, size_t index) {
    cdg_bytes *text = &state->text;
    const cdg_run_rod *rod = &export->reader->rods[index];
    cdg_bytes_print(text,
                    "    def BasisCurves \"%s\"\n    {\n"
                    "        uniform token type = \"cubic\"\n"
                    "        uniform token basis = \"catmullRom\"\n"
                    "        uniform token wrap = \"%s\"\n"
                    "        int[] curveVertexCounts = [%zu]\n",
                    state->rods[index].name, rod->is_closed ? "periodic" : "pinned", rod->node_count);
    cdg_bytes_print(text, "        float[] widths = [");
    for (size_t i = 0; i < rod->node_count; i++) {
        if (i > 0) cdg_bytes_append(text, ", ", 2);
        cdg_bytes_float(text, (float)width_of(&rod->sections[i], &state->rods[index]));
    }
    double color[3];
    cdg_export_rod_color(export, index, color);
    cdg_bytes_print(text, "] (\n            interpolation = \"vertex\"\n        )\n"
                          "        color3f[] primvars:displayColor = [(");
    for (int i = 0; i < 3; i++) {
        if (i > 0) cdg_bytes_append(text, ", ", 2);
        cdg_bytes_float(text, (float)cdg_export_linear(color[i]));
    }
    cdg_bytes_print(text, ")] (\n            interpolation = \"constant\"\n        )\n"
                          "        custom string userProperties:rod = ");
    put_string(text, rod->name);
    cdg_bytes_append(text, "\n", 1);
}

// ---- time samples ---------------------------------------------------------------------------------------------------

static void put_vector(cdg_bytes *text, cdg_vec3 v, bool is_first) {
    cdg_bytes_print(text, "%s(", is_first ? "" : ", ");
    cdg_bytes_float(text, (float)v.x);
    cdg_bytes_append(text, ", ", 2);
    cdg_bytes_float(text, (float)v.y);
    cdg_bytes_append(text, ", ", 2);
    cdg_bytes_float(text, (float)v.z);
    cdg_bytes_append(text, ")", 1);
}

static void put_extent(cdg_bytes *text, const double *positions, size_t count, double margin) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < 3 * count; i++) {
        low[i % 3] = fmin(low[i % 3], positions[i] - margin);
        high[i % 3] = fmax(high[i % 3], positions[i] + margin);
    }
    put_vector(text, vec3(low[0], low[1], low[2]), true);
    put_vector(text, vec3(high[0], high[1], high[2]), false);
}

static cdg_result put_sample(cdg_export *export, usd_state *state, size_t index, usd_attribute attribute, size_t frame,
                             cdg_error *error) {
    const cdg_run_rod *rod = &export->reader->rods[index];
    const usd_rod *own = &state->rods[index];
    bool needs_frames = attribute == USD_d1 || attribute == USD_normals;
    cdg_field field = needs_frames                  ? CDG_FIELD_frames
                      : attribute == USD_velocities ? CDG_FIELD_velocities
                                                    : CDG_FIELD_positions;
    cdg_result result = cdg_export_read_single(export, frame, index, field, state->numbers, error);
    if (result != CDG_OK) return result;
    if (attribute == USD_extent) {
        put_extent(&state->text, state->numbers, rod->node_count, own->half_width);
        return CDG_OK;
    }
    if (needs_frames) {
        const cdg_quat *frames = (const cdg_quat *)(const void *)state->numbers;
        cdg_node_values_frames(rod, cdg_node_values_has_joint(rod, frames), frames, state->frames);
    }
    for (size_t i = 0; i < rod->node_count; i++) {
        const double *v = state->numbers + 3 * i;
        bool is_d2 = attribute == USD_normals && own->thin_axis == 1;
        put_vector(&state->text,
                   !needs_frames ? vec3(v[0], v[1], v[2])
                   : is_d2       ? quat_d2(state->frames[i])
                                 : quat_d1(state->frames[i]),
                   i == 0);
    }
    return CDG_OK;
}

static size_t attribute_count(const usd_rod *rod) {
    return rod->is_ribbon ? USD_ATTRIBUTE_COUNT : USD_ATTRIBUTE_COUNT - 1; // normals make ribbons of round curves
}

// ---- obstacles and bodies -------------------------------------------------------------------------------------------

static void put_vectors(cdg_bytes *text, const cdg_vec3 *vectors, size_t count) {
    for (size_t i = 0; i < count; i++) put_vector(text, vectors[i], i == 0);
}

static void put_rigid_header(const cdg_export *export, usd_state *state, size_t index) {
    cdg_bytes *text = &state->text;
    const cdg_export_rigid *rigid = &state->rigids.items[index];
    const cdg_shape_surface *shape = &rigid->shape;
    cdg_bytes_print(text,
                    "\n    def Mesh \"%s\"\n    {\n        uniform token subdivisionScheme = \"none\"\n"
                    "        uniform bool doubleSided = true\n        float3[] extent = [",
                    state->rigid_names[index]);
    put_extent(text, &shape->vertices[0].x, shape->vertex_count, 0);
    cdg_bytes_print(text, "]\n        int[] faceVertexCounts = [");
    for (size_t t = 0; t < shape->triangle_count; t++) cdg_bytes_print(text, t > 0 ? ", 3" : "3");
    cdg_bytes_print(text, "]\n        int[] faceVertexIndices = [");
    for (size_t t = 0; t < shape->triangle_count; t++)
        cdg_bytes_print(text, "%s%u, %u, %u", t > 0 ? ", " : "", shape->triangles[t][0], shape->triangles[t][1],
                        shape->triangles[t][2]);
    cdg_bytes_print(text, "]\n        point3f[] points = [");
    put_vectors(text, shape->vertices, shape->vertex_count);
    cdg_bytes_print(text, "]\n        normal3f[] normals = [");
    put_vectors(text, shape->normals, shape->vertex_count);
    double color[3];
    cdg_export_rigid_color(export, index, color);
    cdg_bytes_print(text, "] (\n            interpolation = \"vertex\"\n        )\n"
                          "        color3f[] primvars:displayColor = [");
    put_vector(text, vec3(cdg_export_linear(color[0]), cdg_export_linear(color[1]), cdg_export_linear(color[2])), true);
    cdg_bytes_print(text, "] (\n            interpolation = \"constant\"\n        )\n"
                          "        custom string userProperties:solid = ");
    put_string(text, rigid->name);
    cdg_bytes_print(text, "\n        uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]\n");
}

// One part of a rigid's pose at one frame: translation or turn, w first. A rigid that stays has a single value.
static cdg_result write_rigid(cdg_export *export, usd_state *state, size_t pass, size_t frame, cdg_error *error) {
    cdg_bytes *text = &state->text;
    size_t index = pass / 2;
    bool is_turn = pass % 2 == 1, is_still = state->rigids.items[index].is_still;
    if (is_still && frame > 0) return CDG_OK;
    cdg_vec3 position;
    cdg_quat q;
    cdg_result result = cdg_export_rigid_pose(export, frame, index, &position, &q, error);
    if (result != CDG_OK) return result;
    if (frame == 0) {
        if (!is_turn) put_rigid_header(export, state, index);
        cdg_bytes_print(text, "        %s%s", is_turn ? "quatf xformOp:orient" : "double3 xformOp:translate",
                        is_still ? " = " : ".timeSamples = {\n");
    }
    if (!is_still) {
        cdg_bytes_print(text, "            ");
        cdg_bytes_number(text, time_code(export, state, frame));
        cdg_bytes_print(text, ": ");
    }
    const double turn[4] = {q.w, q.x, q.y, q.z}, point[3] = {position.x, position.y, position.z};
    for (int i = 0; i < (is_turn ? 4 : 3); i++) {
        cdg_bytes_print(text, i == 0 ? "(" : ", ");
        if (is_turn)
            cdg_bytes_float(text, (float)turn[i]);
        else
            cdg_bytes_number(text, point[i]);
    }
    cdg_bytes_print(text, is_still ? ")\n" : "),\n");
    if (!is_still && frame + 1 == export->frame_count) cdg_bytes_print(text, "        }\n");
    if (is_turn && (is_still || frame + 1 == export->frame_count)) cdg_bytes_print(text, "    }\n");
    return cdg_export_put_bytes(export, &state->file, text, error);
}

// ---- solids ---------------------------------------------------------------------------------------------------------

// Attributes of a solid with time samples, in the order of passes: the box, then its fields.
enum { SOLID_PASSES = 1 + CDG_SOLID_FIELD_COUNT };

static void put_solid_header(const cdg_export *export, usd_state *state, size_t index) {
    cdg_bytes *text = &state->text;
    const cdg_solid_surface *surface = &state->surface;
    cdg_bytes_print(text,
                    "\n    def Mesh \"%s\"\n    {\n        uniform token subdivisionScheme = \"none\"\n"
                    "        int[] faceVertexCounts = [",
                    state->solid_names[index]);
    for (size_t t = 0; t < surface->triangle_count; t++) cdg_bytes_print(text, t > 0 ? ", 3" : "3");
    cdg_bytes_print(text, "]\n        int[] faceVertexIndices = [");
    for (size_t t = 0; t < surface->triangle_count; t++)
        cdg_bytes_print(text, "%s%u, %u, %u", t > 0 ? ", " : "", surface->triangles[t][0], surface->triangles[t][1],
                        surface->triangles[t][2]);
    double color[3];
    cdg_export_solid_color(export, index, color);
    cdg_bytes_print(text, "]\n        color3f[] primvars:displayColor = [");
    put_vector(text, vec3(cdg_export_linear(color[0]), cdg_export_linear(color[1]), cdg_export_linear(color[2])), true);
    cdg_bytes_print(text, "] (\n            interpolation = \"constant\"\n        )\n"
                          "        custom string userProperties:solid = ");
    put_string(text, export->reader->solids[index].name);
    cdg_bytes_append(text, "\n", 1);
}

// Vectors of nodes are those of the surface's points, numbers of tetrahedra those of its faces.
static cdg_result put_solid_sample(cdg_export *export, usd_state *state, size_t solid, size_t pass, size_t frame,
                                   cdg_error *error) {
    const cdg_solid_surface *surface = &state->surface;
    cdg_solid_field field = pass == 0 ? CDG_SOLID_FIELD_positions : (cdg_solid_field)(pass - 1);
    double *numbers = state->solid_numbers, *points = numbers + cdg_export_largest_solid_field(export);
    cdg_result result = cdg_export_read_solid(export, frame, solid, field, numbers, error);
    if (result != CDG_OK) return result;
    if (cdg_solid_field_get(field).per == CDG_SOLID_PER_TETRAHEDRON) {
        for (size_t i = 0; i < surface->triangle_count; i++) {
            if (i > 0) cdg_bytes_append(&state->text, ", ", 2);
            cdg_bytes_float(&state->text, (float)numbers[surface->tetrahedra[i]]);
        }
        return CDG_OK;
    }
    for (size_t i = 0; i < surface->point_count; i++)
        memcpy(points + 3 * i, numbers + 3 * surface->nodes[i], 3 * sizeof *points);
    if (pass == 0)
        put_extent(&state->text, points, surface->point_count, 0);
    else
        put_vectors(&state->text, (const cdg_vec3 *)(const void *)points, surface->point_count);
    return CDG_OK;
}

static void put_solid_attribute(cdg_bytes *text, size_t pass) {
    if (pass == 0)
        cdg_bytes_print(text, "float3[] extent");
    else if (pass - 1 == CDG_SOLID_FIELD_positions)
        cdg_bytes_print(text, "point3f[] points");
    else if (cdg_solid_field_get((cdg_solid_field)(pass - 1)).per == CDG_SOLID_PER_NODE)
        cdg_bytes_print(text, "vector3f[] %s", cdg_solid_field_get((cdg_solid_field)(pass - 1)).name);
    else
        cdg_bytes_print(text, "float[] primvars:%s", cdg_solid_field_get((cdg_solid_field)(pass - 1)).name);
}

static cdg_result write_solid(cdg_export *export, usd_state *state, size_t number, size_t frame, cdg_error *error) {
    cdg_bytes *text = &state->text;
    size_t solid = number / SOLID_PASSES, pass = number % SOLID_PASSES;
    cdg_result result = CDG_OK;
    if (frame == 0 && pass == 0) {
        cdg_solid_surface_free(&state->surface);
        result = cdg_solid_surface_make(&export->reader->solids[solid], &state->surface, error);
        if (result != CDG_OK) return result;
        put_solid_header(export, state, solid);
    }
    bool is_on_faces = pass > 0 && cdg_solid_field_get((cdg_solid_field)(pass - 1)).component_count == 1;
    if (frame == 0 && is_on_faces) { // what is said of it stands behind a value of its own, as with curves
        cdg_bytes_print(text, "        ");
        put_solid_attribute(text, pass);
        cdg_bytes_print(text, " = [");
        result = put_solid_sample(export, state, solid, pass, frame, error);
        if (result != CDG_OK) return result;
        cdg_bytes_print(text, "] (\n            interpolation = \"uniform\"\n        )\n");
    }
    if (frame == 0) {
        cdg_bytes_print(text, "        ");
        put_solid_attribute(text, pass);
        cdg_bytes_print(text, ".timeSamples = {\n");
    }
    cdg_bytes_print(text, "            ");
    cdg_bytes_number(text, time_code(export, state, frame));
    cdg_bytes_print(text, ": [");
    result = put_solid_sample(export, state, solid, pass, frame, error);
    if (result != CDG_OK) return result;
    cdg_bytes_print(text, "],\n");
    if (frame + 1 == export->frame_count)
        cdg_bytes_print(text, "        }\n%s", pass + 1 == SOLID_PASSES ? "    }\n" : "");
    return cdg_export_put_bytes(export, &state->file, text, error);
}

// ---- the format -----------------------------------------------------------------------------------------------------

static double usd_estimate(const cdg_export *export) {
    double vectors = 0; // some 36 bytes each
    for (size_t i = 0; i < export->reader->rod_count; i++) {
        usd_rod rod;
        look_at_section(&export->reader->rods[i], &rod);
        vectors += (double)(attribute_count(&rod) - 1) * (double)export->reader->rods[i].node_count + 2;
    }
    for (size_t i = 0; i < export->reader->solid_count; i++) // two vectors a point, two numbers a face
        vectors += 2 * (double)export->reader->solids[i].surface_count;
    return 36 * vectors * (double)export->frame_count;
}

static cdg_result usd_begin(cdg_export *export, cdg_error *error) {
    const cdg_run_reader *reader = export->reader;
    usd_state *state = calloc(1, sizeof *state);
    export->state = state;
    if (state == NULL) return cdg_export_fail_memory(export, error);
    size_t room = cdg_export_largest_field(export);
    state->rods = calloc(reader->rod_count > 0 ? reader->rod_count : 1, sizeof *state->rods);
    state->numbers = malloc(room * sizeof *state->numbers);
    state->frames = malloc(room * sizeof *state->frames);
    if (state->rods == NULL || state->numbers == NULL || state->frames == NULL) {
        return cdg_export_fail_memory(export, error);
    }
    cdg_result result = cdg_export_rigids_make(export, &state->rigids, error);
    if (result != CDG_OK) return result;
    state->rigid_names = calloc(state->rigids.count + 1, sizeof *state->rigid_names);
    state->solid_names = calloc(reader->solid_count + 1, sizeof *state->solid_names);
    state->solid_numbers = malloc(2 * cdg_export_largest_solid_field(export) * sizeof *state->solid_numbers);
    if (state->rigid_names == NULL || state->solid_names == NULL || state->solid_numbers == NULL)
        return cdg_export_fail_memory(export, error);
    state->rate = choose_rate(export);
    make_names(export, state);
    export->pass_count = 0;
    for (size_t i = 0; i < reader->rod_count; i++) {
        usd_rod *rod = &state->rods[i];
        look_at_section(&reader->rods[i], rod);
        for (size_t k = 0; k < reader->rods[i].node_count; k++) {
            rod->half_width = fmax(rod->half_width, width_of(&reader->rods[i].sections[k], rod) / 2);
        }
        rod->first_pass = export->pass_count;
        export->pass_count += attribute_count(rod);
    }
    state->first_rigid_pass = export->pass_count;
    export->pass_count += 2 * state->rigids.count;
    state->first_solid_pass = export->pass_count;
    export->pass_count += SOLID_PASSES * reader->solid_count;
    result = cdg_export_set_main_file(export, 0, export->path, error);
    if (result == CDG_OK) result = cdg_whole_file_begin(export->path, &state->file, error);
    if (result != CDG_OK) return result;
    export->has_begun = true;
    put_header(export, state);
    return cdg_export_put_bytes(export, &state->file, &state->text, error);
}

// The rod that a pass belongs to, by bisection.
static size_t rod_of_pass(const cdg_export *export, const usd_state *state, size_t pass) {
    size_t low = 0, high = export->reader->rod_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (state->rods[middle].first_pass <= pass) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static cdg_result usd_write(cdg_export *export, size_t pass, size_t frame, cdg_error *error) {
    usd_state *state = export->state;
    if (pass >= state->first_solid_pass)
        return write_solid(export, state, pass - state->first_solid_pass, frame, error);
    if (pass >= state->first_rigid_pass)
        return write_rigid(export, state, pass - state->first_rigid_pass, frame, error);
    cdg_bytes *text = &state->text;
    size_t rod = rod_of_pass(export, state, pass), index = pass - state->rods[rod].first_pass;
    if (index == USD_velocities && !cdg_export_has_field(export, CDG_FIELD_velocities)) return CDG_OK;
    if (frame == 0) {
        if (index == 0) put_rod_header(export, state, rod);
        // What is said of an attribute stands behind a value of its own, here the first one: some readers stumble
        // over a declaration without a value.
        if (attributes[index].interpolation != NULL) {
            cdg_bytes_print(text, "        %s %s = [", attributes[index].type, attributes[index].name);
            cdg_result result = put_sample(export, state, rod, (usd_attribute)index, frame, error);
            if (result != CDG_OK) return result;
            cdg_bytes_print(text, "] (\n            interpolation = \"%s\"\n        )\n",
                            attributes[index].interpolation);
        }
        cdg_bytes_print(text, "        %s %s.timeSamples = {\n", attributes[index].type, attributes[index].name);
    }
    cdg_bytes_print(text, "            ");
    cdg_bytes_number(text, time_code(export, state, frame));
    cdg_bytes_print(text, ": [");
    cdg_result result = put_sample(export, state, rod, (usd_attribute)index, frame, error);
    if (result != CDG_OK) return result;
    cdg_bytes_print(text, "],\n");
    if (frame + 1 == export->frame_count) {
        bool is_last = index + 1 == attribute_count(&state->rods[rod]);
        cdg_bytes_print(text, "        }\n%s", is_last ? "    }\n" : "");
        if (is_last && rod + 1 < export->reader->rod_count) cdg_bytes_append(text, "\n", 1);
    }
    return cdg_export_put_bytes(export, &state->file, text, error);
}

static cdg_result usd_end(cdg_export *export, cdg_error *error) {
    usd_state *state = export->state;
    cdg_bytes_print(&state->text, "}\n");
    cdg_result result = cdg_export_put_bytes(export, &state->file, &state->text, error);
    if (result == CDG_OK) result = cdg_whole_file_end(&state->file, error);
    export->file_count = result == CDG_OK;
    return result;
}

static void usd_release(cdg_export *export) {
    usd_state *state = export->state;
    if (state == NULL) return;
    cdg_whole_file_abandon(&state->file);
    cdg_bytes_free(&state->text);
    cdg_export_rigids_free(&state->rigids);
    free(state->rigid_names);
    cdg_solid_surface_free(&state->surface);
    free(state->solid_names);
    free(state->solid_numbers);
    free(state->rods);
    free(state->numbers);
    free(state->frames);
    free(state);
    export->state = NULL;
}

const cdg_export_operations cdg_export_usd = {.large = 1e9,
                                              .is_picture = true,
                                              .estimate = usd_estimate,
                                              .begin = usd_begin,
                                              .write = usd_write,
                                              .end = usd_end,
                                              .release = usd_release};
