// The message `world`: rods, bodies, obstacles and supports as JSON, meshes as base64 of their numbers.
#include "geometry/shape_surface.h"
#include "math/quat.h"
#include "output/json.h"
#include "plot/markup.h"
#include "view/cast.h"

#include <math.h>
#include <stdlib.h>

static void put_vector(cdg_json *json, const char *key, cdg_vec3 v) {
    cdg_json_begin_array(json, key);
    cdg_json_number(json, NULL, v.x);
    cdg_json_number(json, NULL, v.y);
    cdg_json_number(json, NULL, v.z);
    cdg_json_end(json);
}

// ---- rods -----------------------------------------------------------------------------------------------------------

static const char *section_word(cdg_section_kind kind) {
    switch (kind) {
    case CDG_SECTION_ELLIPSE: return "ellipse";
    case CDG_SECTION_RECTANGLE: return "rectangle";
    case CDG_SECTION_CIRCLE:
    case CDG_SECTION_TUBE:
    case CDG_SECTION_KIND_COUNT: break;
    }
    return "round";
}

static double half_of(const cdg_cast_rod *rod, size_t node, int axis) {
    double half[2];
    cdg_section_halves(&rod->sections[node], &half[0], &half[1]);
    return half[axis];
}

// One number when all elements have it, else each element's: the mean of its two nodes.
static void put_halves(cdg_json *json, const char *key, const cdg_cast_rod *rod, int axis) {
    bool is_even = true;
    for (size_t i = 1; i < rod->node_count; i++) is_even = is_even && half_of(rod, i, axis) == half_of(rod, 0, axis);
    cdg_json_begin_array(json, key);
    for (size_t j = 0; j < (is_even ? 1 : rod->element_count); j++) {
        double half = (half_of(rod, j, axis) + half_of(rod, (j + 1) % rod->node_count, axis)) / 2;
        cdg_json_number(json, NULL, is_even ? half_of(rod, 0, axis) : half);
    }
    cdg_json_end(json);
}

static void put_rods(cdg_json *json, const cdg_cast *cast) {
    size_t node = 0, element = 0;
    cdg_json_begin_array(json, "rods");
    for (size_t i = 0; i < cast->rod_count; i++) {
        const cdg_cast_rod *rod = &cast->rods[i];
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "name", rod->name);
        cdg_json_integer(json, "first_node", node);
        cdg_json_integer(json, "node_count", rod->node_count);
        cdg_json_integer(json, "first_element", element);
        cdg_json_integer(json, "element_count", rod->element_count);
        cdg_json_boolean(json, "closed", rod->is_closed);
        cdg_json_text(json, "section", section_word(rod->sections[0].kind));
        put_halves(json, "half1", rod, 0);
        put_halves(json, "half2", rod, 1);
        cdg_look_put(json, &rod->look);
        cdg_json_integer(json, "run", (uint64_t)rod->run);
        cdg_json_integer(json, "strands", rod->strands);
        cdg_json_end(json);
        node += rod->node_count;
        element += rod->element_count;
    }
    cdg_json_end(json);
}

// ---- rigids ---------------------------------------------------------------------------------------------------------

static void put_base64(cdg_json *json, const char *key, const void *bytes, size_t size) {
    cdg_markup text = {0};
    cdg_markup_base64(&text, bytes, size);
    cdg_json_text(json, key, text.text != NULL ? text.text : "");
    if (text.has_failed) json->has_failed = true;
    cdg_markup_free(&text);
}

// The part of a plane that is shown lies about the middle of the scene.
static void put_mesh(cdg_json *json, const cdg_cast *cast, const cdg_cast_rigid *rigid) {
    cdg_error error;
    cdg_shape_surface shape = {0};
    cdg_vec3 middle = vec3_lerp(cast->low, cast->high, 0.5);
    cdg_plane_part part = {quat_rotate_inverse(rigid->orientation, vec3_sub(middle, rigid->position)),
                           4 * cdg_cast_reach(cast)};
    cdg_json_begin_object(json, NULL);
    if (cdg_shape_surface_make(&rigid->shape, &part, &shape, &error) == CDG_OK) {
        float *points = malloc((3 * shape.vertex_count + 1) * sizeof *points);
        if (points == NULL) json->has_failed = true;
        for (size_t i = 0; points != NULL && i < shape.vertex_count; i++) {
            points[3 * i] = (float)shape.vertices[i].x;
            points[3 * i + 1] = (float)shape.vertices[i].y;
            points[3 * i + 2] = (float)shape.vertices[i].z;
        }
        if (points != NULL) put_base64(json, "points", points, 3 * shape.vertex_count * sizeof *points);
        put_base64(json, "triangles", shape.triangles, shape.triangle_count * sizeof *shape.triangles);
        free(points);
        cdg_shape_surface_free(&shape);
    } else {
        json->has_failed = true;
    }
    cdg_json_end(json);
}

// A plane that gravity presses things onto.
static bool is_ground(const cdg_cast *cast, const cdg_cast_rigid *rigid) {
    double gravity = vec3_norm(cast->gravity);
    if (rigid->shape.kind != CDG_SHAPE_PLANE) return false;
    cdg_vec3 normal = quat_rotate(rigid->orientation, rigid->shape.normal);
    return gravity > 0 ? vec3_dot(normal, cast->gravity) < -0.9 * gravity : normal.z > 0.9;
}

static void put_rigids(cdg_json *json, const cdg_cast *cast, const char *key, const cdg_cast_rigid *rigids,
                       size_t count, size_t first_mesh) {
    cdg_json_begin_array(json, key);
    for (size_t i = 0; i < count; i++) {
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "name", rigids[i].name);
        cdg_json_integer(json, "mesh", first_mesh + i);
        cdg_look_put(json, &rigids[i].look);
        cdg_json_boolean(json, "is_ground", is_ground(cast, &rigids[i]));
        cdg_json_end(json);
    }
    cdg_json_end(json);
}

static void put_meshes(cdg_json *json, const cdg_cast *cast) {
    cdg_json_begin_array(json, "meshes");
    for (size_t i = 0; i < cast->body_count; i++) put_mesh(json, cast, &cast->bodies[i]);
    for (size_t i = 0; i < cast->obstacle_count; i++) put_mesh(json, cast, &cast->obstacles[i]);
    cdg_json_end(json);
}

static void put_solids(cdg_json *json, const cdg_cast *cast) {
    size_t first = 0;
    cdg_json_begin_array(json, "solids");
    for (size_t i = 0; i < cast->solid_count; first += cast->solids[i++].point_count) {
        const cdg_cast_solid *solid = &cast->solids[i];
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "name", solid->name);
        cdg_json_integer(json, "first_point", first);
        cdg_json_integer(json, "point_count", solid->point_count);
        cdg_look_put(json, &solid->look);
        put_base64(json, "triangles", solid->triangles, solid->triangle_count * sizeof *solid->triangles);
        cdg_json_end(json);
    }
    cdg_json_end(json);
}

// ---- all ------------------------------------------------------------------------------------------------------------

static void put_supports(cdg_json *json, const cdg_cast *cast) {
    cdg_json_begin_array(json, "supports");
    for (size_t i = 0; i < cast->support_count; i++) {
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "name", "");
        cdg_json_integer(json, "rod", cast->supports[i].rod);
        cdg_json_integer(json, "place", cast->supports[i].node);
        cdg_json_boolean(json, "held", cast->supports[i].is_held);
        cdg_json_end(json);
    }
    cdg_json_end(json);
}

cdg_message *cdg_cast_message(const cdg_cast *cast, uint32_t epoch) {
    cdg_json json = {0};
    bool is_y_up = fabs(cast->gravity.y) > fabs(cast->gravity.z);
    cdg_json_begin_object(&json, NULL);
    cdg_json_text(&json, "type", "world");
    cdg_json_integer(&json, "epoch", epoch);
    put_rods(&json, cast);
    put_rigids(&json, cast, "bodies", cast->bodies, cast->body_count, 0);
    put_rigids(&json, cast, "obstacles", cast->obstacles, cast->obstacle_count, cast->body_count);
    put_meshes(&json, cast);
    put_solids(&json, cast);
    put_supports(&json, cast);
    cdg_json_begin_object(&json, "bounds");
    put_vector(&json, "min", cast->low);
    put_vector(&json, "max", cast->high);
    cdg_json_end(&json);
    cdg_json_text(&json, "up", is_y_up ? "y" : "z");
    put_vector(&json, "gravity", cast->gravity);
    if (cast->times != NULL) {
        cdg_json_begin_array(&json, "times");
        for (size_t i = 0; i < cast->time_count; i++) cdg_json_number(&json, NULL, cast->times[i]);
        cdg_json_end(&json);
    }
    cdg_json_end(&json);
    const char *text = cdg_json_finish(&json);
    cdg_message *message = text != NULL ? cdg_message_create(text, json.size, false) : NULL;
    cdg_json_free(&json);
    return message;
}
