// The keys `obstacles` and `contact`: what rods touch, and how.
#include "contact/close_surface.h"
#include "contact/obstacle.h"
#include "math/quat.h"
#include "meshing/triangle_file.h"
#include "scene/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = CDG_SHAPE_MESH + 1 };

static const scene_table *const shape_tables[KINDS] = {&cdg_schema_plane,   &cdg_schema_sphere,   &cdg_schema_box,
                                                       &cdg_schema_capsule, &cdg_schema_cylinder, &cdg_schema_mesh};

// ---- shapes ---------------------------------------------------------------------------------------------------------

// The file's path, relative to the scene's; NULL: reported, or no memory.
static const char *mesh_path(scene_reader *reader, const scene_node *file, const char *name) {
    if (reader->scene->directory == NULL) {
        char quoted[CDG_QUOTE_SIZE];
        cdg_reader_fault(reader, file, "file %s: this scene does not come from a file, so it cannot refer to others",
                         cdg_tree_describe(file, quoted));
        return NULL;
    }
    if (!cdg_reader_may_read(reader, file, name)) return NULL;
    bool is_absolute = name[0] == '/';
    size_t size = strlen(reader->scene->directory) + strlen(name) + 2;
    char *path = cdg_storage_allocate(reader->storage, size, 1);
    if (path == NULL) return NULL;
    snprintf(path, size, "%s%s%s", is_absolute ? "" : reader->scene->directory, is_absolute ? "" : "/", name);
    return path;
}

static bool keep_mesh(scene_reader *reader, const cdg_mesh *read, bool is_surface, cdg_shape *out) {
    cdg_vec3 *vertices = cdg_storage_allocate(reader->storage, read->point_count, sizeof *vertices);
    uint32_t(*triangles)[3] = cdg_storage_allocate(reader->storage, read->triangle_count, sizeof *triangles);
    if (vertices == NULL || triangles == NULL) return false;
    memcpy(vertices, read->points, read->point_count * sizeof *vertices);
    memcpy(triangles, read->triangles, read->triangle_count * sizeof *triangles);
    out->mesh = (cdg_mesh){vertices, read->point_count, triangles, read->triangle_count, NULL, 0};
    out->is_surface = is_surface;
    return true;
}

static bool read_mesh(scene_reader *reader, const scene_node *node, const scene_mesh_source *source, cdg_shape *out) {
    const scene_node *file = cdg_tree_get(node, "file");
    if (source->is_repaired && source->is_surface)
        return cdg_reader_fault(reader, cdg_tree_get(node, "repair"),
                                "repair gives the mesh an inside, surface takes it away; leave one of them out");
    if (source->repair_size > 0 && !source->is_repaired)
        return cdg_reader_fault(reader, cdg_tree_get(node, "repair_size"),
                                "repair_size says how fine a repair is; add repair: true, or leave it out");
    const char *path = mesh_path(reader, file, source->file);
    if (path == NULL) return false;
    cdg_mesh read;
    cdg_closed_surface closed = {.was_closed = true};
    cdg_error error;
    cdg_result result = cdg_triangles_read(path, source->scale, &read, &error);
    if (result == CDG_OK && source->is_repaired)
        result = cdg_surface_close(&read, source->repair_size, &closed, &error);
    bool is_good = result == CDG_OK ? keep_mesh(reader, &read, source->is_surface, out)
                                    : cdg_reader_file_fault(reader, file, &error);
    is_good = is_good && cdg_reader_note_file(reader, file, source->file, path);
    if (is_good && closed.doubtful_share > 0.01)
        cdg_reader_warn(
            reader, file,
            "the repair is unsure about %.2g %% of the surface: holes are too large, or parts too scattered "
            "to tell inside from outside; 'cordage mesh %s --report repair.html' shows what came out",
            100 * closed.doubtful_share, source->file);
    cdg_mesh_free(&read);
    return is_good;
}

bool cdg_parse_shape(scene_reader *reader, const scene_node *node, const scene_table *table, cdg_shape *out) {
    const char *name = cdg_shape_name(out->kind);
    if (out->kind == CDG_SHAPE_MESH) {
        scene_mesh_source source = {.scale = 1};
        return cdg_read_table(reader, &cdg_schema_mesh, node, name, &source) && read_mesh(reader, node, &source, out);
    }
    if (!cdg_read_table(reader, table, node, name, out)) return false;
    if (out->kind == CDG_SHAPE_BOX && !(out->size.x > 0 && out->size.y > 0 && out->size.z > 0))
        return cdg_reader_fault(reader, cdg_tree_get(node, "size"), "size: the sides of a box must be positive");
    return true;
}

bool cdg_parse_orientation(scene_reader *reader, const scene_node *node, cdg_quat *out) {
    if (node->kind == SCENE_MAP) {
        cdg_motion turn = {.axis = {0, 0, 1}};
        if (!cdg_read_table(reader, &cdg_schema_orientation, node, "orientation", &turn)) return false;
        *out = quat_from_axis_angle(turn.axis, turn.angle);
        return true;
    }
    if (node->kind != SCENE_LIST || node->count != 4) {
        char quoted[CDG_QUOTE_SIZE];
        return cdg_reader_fault(
            reader, node,
            "orientation: expected {axis: [0, 0, 1], angle: 30 deg} or a quaternion [w, x, y, z], found %s",
            cdg_tree_describe(node, quoted));
    }
    double q[4];
    bool is_good = true;
    for (size_t i = 0; i < 4; i++)
        is_good = cdg_read_quantity(reader, node->items[i], "orientation", CDG_NUMBER, SCENE_ANY, &q[i]) && is_good;
    if (!is_good) return false;
    double norm2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(norm2 > 1e-12 && norm2 < 1e12))
        return cdg_reader_fault(reader, node, "orientation: a quaternion must not be zero or huge");
    *out = quat_normalize(quat(q[0], q[1], q[2], q[3]));
    return true;
}

// ---- obstacles ------------------------------------------------------------------------------------------------------

static const char *obstacle_name(scene_reader *reader, const scene_node *node, size_t index) {
    if (cdg_tree_get(node, "name") != NULL) return cdg_read_name(reader, node, "obstacle");
    char chosen[40];
    int length = snprintf(chosen, sizeof chosen, "obstacle_%zu", index + 1);
    return cdg_storage_copy(reader->storage, chosen, (size_t)length);
}

static void parse_obstacle(scene_reader *reader, const scene_node *node, size_t index) {
    cdg_scene *scene = reader->scene;
    char where[CDG_WHERE_SIZE];
    cdg_reader_where(where, "obstacle", node, index);
    cdg_obstacle_def def = cdg_obstacle_def_default();
    bool is_good = cdg_read_table(reader, &cdg_schema_obstacle, node, where, &def);
    if (node->kind != SCENE_MAP) return;
    const char *name = obstacle_name(reader, node, index);
    const char *names[KINDS + 1] = {NULL};
    for (int i = 0; i < KINDS; i++) names[i] = cdg_shape_name((cdg_shape_kind)i);
    int kind = cdg_read_one_of(reader, node, &cdg_schema_obstacle, where, names);
    if (kind < 0) return;
    def.shape.kind = (cdg_shape_kind)kind;
    const scene_node *shape = cdg_tree_get(node, names[kind]), *motion = cdg_tree_get(node, "motion"),
                     *orientation = cdg_tree_get(node, "orientation");
    if (shape->kind == SCENE_NOTHING) return; // reported with the table
    is_good = cdg_parse_shape(reader, shape, shape_tables[kind], &def.shape) && is_good;
    if (orientation != NULL && orientation->kind != SCENE_NOTHING)
        is_good = cdg_parse_orientation(reader, orientation, &def.shape.orientation) && is_good;
    if (motion != NULL && motion->kind != SCENE_NOTHING) {
        cdg_motion *motions = NULL;
        is_good = cdg_parse_motions(reader, motion, CDG_SUPPORT_CLAMP, &motions, &def.motion_count) && is_good;
        def.motions = motions;
    }
    if (!is_good || name == NULL || cdg_storage_has_failed(reader->storage)) return;
    char *own = cdg_storage_copy(reader->storage, name, strlen(name));
    if (own == NULL) return;
    def.name = own;
    // Built once for its faults: a mesh that is open is told with its line.
    cdg_obstacle built;
    cdg_error error;
    if (cdg_obstacle_build(&def, own, &built, &error) != CDG_OK) {
        cdg_reader_pass_on(reader, shape, where, error.message);
        return;
    }
    cdg_obstacle_free(&built);
    cdg_check_friction(reader, cdg_tree_get(node, "friction"), def.friction);
    scene->obstacles[scene->obstacle_count] = def;
    scene->obstacle_marks[scene->obstacle_count++] = node->mark;
}

typedef struct named_obstacle {
    const char *name;
    size_t index;
} named_obstacle;

static int compare_names(const void *a, const void *b) {
    const named_obstacle *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

static void report_same_names(scene_reader *reader) {
    const cdg_scene *scene = reader->scene;
    if (scene->obstacle_count < 2) return;
    named_obstacle *names = cdg_storage_allocate(reader->storage, scene->obstacle_count, sizeof *names);
    if (names == NULL) return;
    for (size_t i = 0; i < scene->obstacle_count; i++) names[i] = (named_obstacle){scene->obstacles[i].name, i};
    qsort(names, scene->obstacle_count, sizeof *names, compare_names);
    for (size_t i = 1; i < scene->obstacle_count; i++) {
        if (strcmp(names[i - 1].name, names[i].name) != 0) continue;
        scene_node blamed = {.mark = scene->obstacle_marks[names[i].index]};
        cdg_reader_fault(reader, &blamed, "another obstacle is named '%s' already (line %d); names must differ",
                         names[i].name, scene->obstacle_marks[names[i - 1].index].line);
    }
}

// ---- contact --------------------------------------------------------------------------------------------------------

static void parse_contact(scene_reader *reader) {
    cdg_contact_def *contact = &reader->scene->contact;
    *contact = cdg_contact_def_default();
    const scene_node *node = cdg_tree_get(reader->root, "contact");
    // Nobody has said anything about contact: things touch, and equilibria in which they would are refused.
    if (node == NULL || node->kind == SCENE_NOTHING) {
        contact->choice = CDG_CONTACT_DEFAULT;
        return;
    }
    if (node->kind == SCENE_MAP) {
        cdg_read_table(reader, &cdg_schema_contact, node, "contact", contact);
        cdg_check_friction(reader, cdg_tree_get(node, "friction"), contact->friction);
        return;
    }
    static const char *const off[] = {"off", "false", "no"}, *const on[] = {"on", "true", "yes"};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        if (cdg_tree_is_word(node, off[i])) contact->choice = CDG_CONTACT_OFF;
        if (cdg_tree_is_word(node, off[i]) || cdg_tree_is_word(node, on[i])) return;
    }
    char quoted[CDG_QUOTE_SIZE];
    cdg_reader_fault(reader, node, "contact: expected off, on, or a map such as {friction: 0.3}, found %s",
                     cdg_tree_describe(node, quoted));
}

void cdg_parse_obstacles(scene_reader *reader) {
    parse_contact(reader);
    const scene_node *list = cdg_read_list(reader, "obstacles", "{plane: {normal: [0, 0, 1]}}");
    if (list == NULL) return;
    cdg_scene *scene = reader->scene;
    scene->obstacles = cdg_storage_allocate(reader->storage, list->count, sizeof *scene->obstacles);
    scene->obstacle_marks = cdg_storage_allocate(reader->storage, list->count, sizeof *scene->obstacle_marks);
    if (cdg_storage_has_failed(reader->storage)) return;
    for (size_t i = 0; i < list->count; i++) parse_obstacle(reader, list->items[i], i);
    report_same_names(reader);
    if (scene->contact.choice == CDG_CONTACT_OFF && scene->obstacle_count > 0 &&
        scene->body_count == 0) // bodies collide all the same
        cdg_reader_warn(reader, list, "contact is off, so nothing touches these obstacles");
}
