// The key `strands`: each item is expanded into guides, their clamps and fibres.
#include "base/error.h"
#include "meshing/triangle_file.h"
#include "scene/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const patch_names[] = {
#define PATCH_NAME(id, name, text) name,
    CDG_PATCH_LIST(PATCH_NAME)
#undef PATCH_NAME
        NULL};

static const scene_table *const patch_tables[] = {
    [CDG_PATCH_DISC] = &cdg_schema_disc, [CDG_PATCH_CAP] = &cdg_schema_cap, [CDG_PATCH_MESH] = &cdg_schema_scalp};

static const scene_node *given(const scene_node *map, const char *key) {
    const scene_node *node = cdg_tree_get(map, key);
    return node != NULL && node->kind != SCENE_NOTHING ? node : NULL;
}

// ---- where they grow ------------------------------------------------------------------------------------------------

static bool parse_mesh(scene_reader *reader, const scene_node *map, cdg_patch *out) {
    const scene_node *file = given(map, "file"), *unit = given(map, "scale");
    char quoted[CDG_QUOTE_SIZE];
    double scale = 1;
    if (unit != NULL && !cdg_read_quantity(reader, unit, "scale", CDG_LENGTH, SCENE_POSITIVE, &scale)) return false;
    if (file == NULL) return false; // reported already
    if (file->kind != SCENE_SCALAR || file->length == 0)
        return cdg_reader_fault(reader, file, "file: expected the name of a file of triangles, found %s",
                                cdg_tree_describe(file, quoted));
    if (reader->scene->directory == NULL)
        return cdg_reader_fault(reader, file,
                                "file %s: this scene does not come from a file, so it cannot refer to others; use disc "
                                "or cap",
                                cdg_tree_describe(file, quoted));
    if (!cdg_reader_may_read(reader, file, file->text)) return false;
    bool is_absolute = file->text[0] == '/';
    size_t size = strlen(reader->scene->directory) + file->length + 2;
    char *path = cdg_storage_allocate(reader->storage, size, 1);
    if (path == NULL) return false;
    snprintf(path, size, "%s%s%s", is_absolute ? "" : reader->scene->directory, is_absolute ? "" : "/", file->text);
    cdg_mesh read;
    cdg_error error;
    if (cdg_triangles_read(path, scale, &read, &error) != CDG_OK) return cdg_reader_file_fault(reader, file, &error);
    if (!cdg_reader_note_file(reader, file, file->text, path)) {
        cdg_mesh_free(&read);
        return false;
    }
    cdg_vec3 *vertices = cdg_storage_allocate(reader->storage, read.point_count, sizeof *vertices);
    uint32_t(*triangles)[3] = cdg_storage_allocate(reader->storage, read.triangle_count, sizeof *triangles);
    bool has_room = vertices != NULL && triangles != NULL;
    if (has_room) {
        memcpy(vertices, read.points, read.point_count * sizeof *vertices);
        memcpy(triangles, read.triangles, read.triangle_count * sizeof *triangles);
        out->vertices = vertices;
        out->vertex_count = read.point_count;
        out->triangles = (const uint32_t(*)[3])triangles;
        out->triangle_count = read.triangle_count;
    }
    cdg_mesh_free(&read);
    return has_room;
}

static bool parse_roots(scene_reader *reader, const scene_node *node, const char *where, cdg_patch *out) {
    char inside[CDG_WHERE_SIZE];
    snprintf(inside, sizeof inside, "the roots of %.120s", where);
    if (!cdg_read_table(reader, &cdg_schema_roots, node, inside, out)) return false;
    int kind = cdg_read_one_of(reader, node, &cdg_schema_roots, inside, patch_names);
    if (kind < 0) return false;
    out->kind = (cdg_patch_kind)kind;
    if (out->kind == CDG_PATCH_CAP) out->axis = (cdg_vec3){0, 0, 1};
    const scene_node *shape = cdg_tree_get(node, patch_names[kind]);
    snprintf(inside, sizeof inside, "the %s of %.120s", patch_names[kind], where);
    if (!cdg_read_table(reader, patch_tables[kind], shape, inside, out)) return false;
    return out->kind != CDG_PATCH_MESH || parse_mesh(reader, shape, out);
}

// ---- one item -------------------------------------------------------------------------------------------------------

static bool parse_curl(scene_reader *reader, const scene_node *node, const char *key, const char *where, double *radius,
                       double *pitch) {
    const scene_node *map = given(node, key);
    if (map == NULL) return true;
    char inside[CDG_WHERE_SIZE];
    snprintf(inside, sizeof inside, "the %s of %.120s", key, where);
    cdg_centerline curl = {0};
    if (!cdg_read_table(reader, &cdg_schema_curl, map, inside, &curl)) return false;
    *radius = curl.helix.radius;
    *pitch = curl.helix.pitch;
    return true;
}

static bool parse_item(scene_reader *reader, const scene_node *node, const char *where, cdg_strands_def *def) {
    *def = cdg_strands_def_default();
    if (!cdg_read_table(reader, &cdg_schema_strands, node, where, def) && node->kind != SCENE_MAP) return false;
    def->name = cdg_read_name(reader, node, "strands");
    def->has_direction = given(node, "direction") != NULL;
    const scene_node *roots = given(node, "roots"), *seed = given(node, "seed"), *motion = given(node, "motion");
    bool is_good = def->name != NULL && roots != NULL && parse_roots(reader, roots, where, &def->roots);
    is_good = parse_curl(reader, node, "curl", where, &def->curl_radius, &def->curl_pitch) && is_good;
    is_good = parse_curl(reader, node, "fiber_curl", where, &def->fiber_curl_radius, &def->fiber_curl_pitch) && is_good;
    if (seed != NULL) {
        int number = 1;
        is_good = cdg_read_integer(reader, seed, "seed", 0, 1000000000, &number) && is_good;
        def->seed = (uint64_t)number;
    }
    if (motion != NULL) {
        cdg_motion *motions = NULL;
        is_good = cdg_parse_motions(reader, motion, CDG_SUPPORT_CLAMP, &motions, &def->motion_count) && is_good;
        def->motions = motions;
    }
    return cdg_parse_nature(reader, node, &cdg_schema_strands, where, &def->rod) && is_good;
}

// What the expansion says begins with the strands' name; in a scene the line says more.
static const char *without_name(const char *message, const char *name) {
    char start[CDG_WHERE_SIZE];
    int length = snprintf(start, sizeof start, "strands '%.100s': ", name);
    return strncmp(message, start, (size_t)length) == 0 ? message + length : message;
}

void cdg_parse_strands(scene_reader *reader, const scene_node *list) {
    if (list == NULL || list->count == 0) return;
    cdg_scene *scene = reader->scene;
    scene->strands = cdg_storage_allocate(reader->storage, list->count, sizeof(cdg_strands *));
    reader->strands_items = cdg_storage_allocate(reader->storage, list->count, sizeof *reader->strands_items);
    if (cdg_storage_has_failed(reader->storage)) return;
    double nodes = 0; // of all guides and fibres
    for (size_t i = 0; i < list->count; i++) {
        const scene_node *node = list->items[i];
        char where[CDG_WHERE_SIZE];
        cdg_reader_where(where, "strands", node, i);
        size_t faults = reader->diagnostics->fault_count;
        cdg_strands_def def;
        cdg_error error = {0};
        if (!parse_item(reader, node, where, &def) || reader->diagnostics->fault_count != faults) continue;
        nodes += (double)(def.guide_count + def.fiber_count) * (double)(def.element_count + 1);
        if (nodes > CDG_STRANDS_FIBER_NODES_MAX) {
            cdg_reader_fault(reader, node, "the strands up to here have more than %d nodes together",
                             CDG_STRANDS_FIBER_NODES_MAX);
            return;
        }
        cdg_strands *strands = NULL;
        if (cdg_strands_expand(&def, &strands, &error) != CDG_OK) {
            cdg_reader_pass_on(reader, node, where, without_name(error.message, def.name));
            continue;
        }
        reader->element_total += def.guide_count * def.element_count;
        reader->strands_items[scene->strands_count] = i;
        scene->strands[scene->strands_count++] = strands;
    }
}
