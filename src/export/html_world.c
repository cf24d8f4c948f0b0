// The world of a page: what the page makes its meshes of before the first picture.
#include "export/html_world.h"

#include "math/quat.h"
#include "meshing/base64.h"
#include "output/disk.h"
#include "output/probe_table.h"

#include <math.h>
#include <stdlib.h>

size_t cdg_html_obstacle_count(const cdg_export *export) { return export->reader->obstacle_count; }

// ---- rods -----------------------------------------------------------------------------------------------------------

static const char *section_word(cdg_section_kind kind) {
    switch (kind) {
    case CDG_SECTION_ELLIPSE: return "ellipse";
    case CDG_SECTION_RECTANGLE: return "rectangle";
    default: return "round";
    }
}

// Half the section's width along d1 or d2.
static double half_width(const cdg_section *section, int axis) {
    switch (section->kind) {
    case CDG_SECTION_ELLIPSE: return section->semi_axis[axis];
    case CDG_SECTION_RECTANGLE: return 0.5 * section->side[axis];
    default: return section->radius;
    }
}

static double element_half(const cdg_run_rod *rod, size_t element, int axis) {
    const cdg_section *a = &rod->sections[element], *b = &rod->sections[(element + 1) % rod->node_count];
    return 0.5 * (half_width(a, axis) + half_width(b, axis));
}

// One number where all elements are alike.
static void put_half(cdg_json *json, const char *key, const cdg_run_rod *rod, int axis) {
    double first = element_half(rod, 0, axis);
    bool is_even = true;
    for (size_t i = 1; i < rod->element_count; i++) is_even &= element_half(rod, i, axis) == first;
    cdg_json_begin_array(json, key);
    for (size_t i = 0; i < (is_even ? 1 : rod->element_count); i++) {
        cdg_json_number(json, NULL, element_half(rod, i, axis));
    }
    cdg_json_end(json);
}

static void put_rods(cdg_json *json, const cdg_export *export) {
    const cdg_run_reader *reader = export->reader;
    size_t first_node = 0, first_element = 0;
    cdg_json_begin_array(json, "rods");
    for (size_t i = 0; i < reader->rod_count; i++) {
        const cdg_run_rod *rod = &reader->rods[i];
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "name", rod->name);
        cdg_json_integer(json, "first_node", first_node);
        cdg_json_integer(json, "node_count", rod->node_count);
        cdg_json_integer(json, "first_element", first_element);
        cdg_json_integer(json, "element_count", rod->element_count);
        cdg_json_boolean(json, "closed", rod->is_closed);
        cdg_json_text(json, "section", section_word(rod->sections[0].kind));
        put_half(json, "half1", rod, 0);
        put_half(json, "half2", rod, 1);
        cdg_look_put(json, &export->looks.rods[i]);
        cdg_json_integer(json, "strands", rod->strands);
        cdg_json_integer(json, "run", 0);
        cdg_json_end(json);
        first_node += rod->node_count;
        first_element += rod->element_count;
    }
    cdg_json_end(json);
}

// ---- rigids ---------------------------------------------------------------------------------------------------------

static void put_base64(cdg_json *json, const char *key, const void *data, size_t size) {
    char *letters = malloc(cdg_base64_length(size) + 1);
    json->has_failed |= letters == NULL;
    if (letters == NULL) return;
    cdg_base64_encode(data, size, letters);
    letters[cdg_base64_length(size)] = '\0';
    cdg_json_text(json, key, letters);
    free(letters);
}

static void put_mesh(cdg_json *json, const cdg_shape_surface *shape) {
    float *points = malloc((3 * shape->vertex_count + 1) * sizeof *points);
    json->has_failed |= points == NULL;
    if (points == NULL) return;
    for (size_t i = 0; i < shape->vertex_count; i++) {
        points[3 * i] = (float)shape->vertices[i].x;
        points[3 * i + 1] = (float)shape->vertices[i].y;
        points[3 * i + 2] = (float)shape->vertices[i].z;
    }
    cdg_json_begin_object(json, NULL);
    put_base64(json, "points", points, 3 * shape->vertex_count * sizeof *points);
    put_base64(json, "triangles", shape->triangles, shape->triangle_count * sizeof *shape->triangles);
    cdg_json_end(json);
    free(points);
}

// A plane across `up` that stays where it is.
static bool is_ground(const cdg_export *export, size_t index, cdg_vec3 up) {
    cdg_run_rigid rigid = cdg_run_rigid_get(export->reader, index);
    cdg_vec3 position;
    cdg_quat orientation;
    if (rigid.shape.kind != CDG_SHAPE_PLANE || !rigid.is_still) return false;
    if (cdg_export_rigid_pose(export, 0, index, &position, &orientation, NULL) != CDG_OK) return false;
    return vec3_dot(quat_rotate(orientation, rigid.shape.normal), up) > 1 - 1e-6;
}

static void put_rigids(cdg_json *json, const cdg_export *export, const cdg_export_rigids *rigids, cdg_vec3 up,
                       bool are_bodies) {
    size_t first = are_bodies ? cdg_html_obstacle_count(export) : 0;
    size_t end = are_bodies ? rigids->count : cdg_html_obstacle_count(export);
    cdg_json_begin_array(json, are_bodies ? "bodies" : "obstacles");
    for (size_t i = first; i < end; i++) {
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "name", rigids->items[i].name);
        cdg_json_integer(json, "mesh", i);
        cdg_look_put(json, &export->looks.rigids[i]);
        if (!are_bodies) cdg_json_boolean(json, "is_ground", is_ground(export, i, up));
        cdg_json_end(json);
    }
    cdg_json_end(json);
}

// ---- solids ---------------------------------------------------------------------------------------------------------

static void put_solids(cdg_json *json, const cdg_export *export, const cdg_solid_surface *surfaces) {
    size_t first = 0;
    cdg_json_begin_array(json, "solids");
    for (size_t i = 0; i < export->reader->solid_count; first += surfaces[i++].point_count) {
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "name", export->reader->solids[i].name);
        cdg_json_integer(json, "first_point", first);
        cdg_json_integer(json, "point_count", surfaces[i].point_count);
        cdg_look_put(json, &export->looks.solids[i]);
        put_base64(json, "triangles", surfaces[i].triangles,
                   surfaces[i].triangle_count * sizeof *surfaces[i].triangles);
        cdg_json_end(json);
    }
    cdg_json_end(json);
}

// ---- the whole ------------------------------------------------------------------------------------------------------

static void put_three(cdg_json *json, const char *key, const double values[3]) {
    cdg_json_begin_array(json, key);
    for (int k = 0; k < 3; k++) cdg_json_number(json, NULL, values[k]);
    cdg_json_end(json);
}

void cdg_html_put_world(cdg_json *json, const cdg_export *export, const cdg_export_rigids *rigids,
                        const cdg_solid_surface *surfaces, cdg_vec3 gravity, const double low[3],
                        const double high[3]) {
    cdg_vec3 up = vec3_norm(gravity) > 0 ? vec3_normalize(vec3_scale(-1, gravity)) : vec3(0, 0, 1);
    cdg_json_begin_object(json, "world");
    cdg_json_integer(json, "epoch", 1);
    put_rods(json, export);
    put_rigids(json, export, rigids, up, true);
    put_rigids(json, export, rigids, up, false);
    put_solids(json, export, surfaces);
    cdg_json_begin_array(json, "meshes");
    for (size_t i = 0; i < rigids->count; i++) put_mesh(json, &rigids->items[i].shape);
    cdg_json_end(json);
    cdg_json_begin_object(json, "bounds");
    put_three(json, "min", low);
    put_three(json, "max", high);
    cdg_json_end(json);
    cdg_json_text(json, "up", fabs(up.y) > 0.9 ? "y" : "z");
    put_three(json, "gravity", (const double[3]){gravity.x, gravity.y, gravity.z});
    cdg_json_begin_array(json, "times");
    for (size_t i = 0; i < export->frame_count; i++) cdg_json_number(json, NULL, cdg_export_time(export, i));
    cdg_json_end(json);
    cdg_json_begin_array(json, "play"); // rises, where times of equilibria may turn back
    for (size_t i = 0; i < export->frame_count; i++) cdg_json_number(json, NULL, cdg_export_play(export, i));
    cdg_json_end(json);
    cdg_json_end(json);
}

static void put_columns(cdg_json *json, const cdg_probe_table *table) {
    cdg_json_begin_array(json, "names");
    for (size_t i = 1; i < table->column_count; i++) cdg_json_text(json, NULL, table->columns[i].name);
    cdg_json_end(json);
    cdg_json_begin_array(json, "units");
    for (size_t i = 1; i < table->column_count; i++) cdg_json_text(json, NULL, table->columns[i].unit);
    cdg_json_end(json);
    cdg_json_begin_array(json, "columns"); // the first is the time
    for (size_t i = 0; i < table->column_count; i++) {
        cdg_json_begin_array(json, NULL);
        for (size_t row = 0; row < table->row_count; row++) cdg_json_number(json, NULL, table->columns[i].values[row]);
        cdg_json_end(json);
    }
    cdg_json_end(json);
}

void cdg_html_put_probes(cdg_json *json, const cdg_export *export) {
    char *path = cdg_disk_join(export->reader->directory, "probes.csv", "");
    cdg_probe_table table = {0};
    bool is_there = path != NULL && cdg_probe_table_read(path, &table, NULL) == CDG_OK;
    cdg_json_begin_object(json, "probes");
    if (is_there && table.column_count > 0) put_columns(json, &table);
    cdg_json_end(json);
    cdg_probe_table_free(&table);
    free(path);
}
