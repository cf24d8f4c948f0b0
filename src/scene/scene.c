// A scene from its text: tree, overrides, definitions, diagnostics in file order.
#define _POSIX_C_SOURCE 200809L

#include "scene/scene.h"

#include "base/error.h"
#include "base/regular_file.h"
#include "scene/reader.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_version(scene_reader *reader) {
    const scene_node *node = cdg_tree_get(reader->root, "cordage");
    if (node == NULL || node->kind == SCENE_NOTHING || cdg_tree_is_word(node, "1")) return;
    char quoted[CDG_QUOTE_SIZE];
    cdg_reader_fault(reader, node, "scene format %s is not known; this version of Cordage reads 'cordage: 1'",
                     cdg_tree_describe(node, quoted));
}

static void read_definitions(scene_reader *reader) {
    if (reader->root->kind != SCENE_MAP) {
        char quoted[CDG_QUOTE_SIZE];
        cdg_reader_fault(reader, reader->root, "a scene is a map that begins with 'cordage: 1'; found %s",
                         cdg_tree_describe(reader->root, quoted));
        return;
    }
    // Without the version line nothing says that this is a scene at all; the rest is still checked.
    cdg_read_table(reader, &cdg_schema_scene, reader->root, "the scene", reader->scene);
    check_version(reader);
    reader->simulation_is_good = cdg_parse_simulation(reader);
    cdg_parse_materials(reader);
    cdg_parse_rods(reader);
    cdg_parse_bodies(reader);
    cdg_parse_joints(reader);
    cdg_parse_supports(reader);
    cdg_check_welds(reader);
    cdg_parse_loads(reader);
    cdg_parse_obstacles(reader);
    cdg_convert_friction_coefficients(reader);
    cdg_damp_for_friction(reader);
    cdg_parse_solids(reader);
    cdg_check_materials(reader);
    cdg_parse_ties(reader);
    cdg_parse_cuts(reader);
    cdg_parse_changes(reader);
    cdg_parse_hands(reader);
    cdg_parse_controls(reader);
    cdg_parse_looks(reader);
    cdg_parse_probes(reader);
    cdg_finish_simulation(reader);
    if (reader->diagnostics->fault_count == 0) {
        cdg_check_held(reader);
        cdg_check_idle_options(reader);
    }
}

static char *join_overrides(scene_storage *storage, const char *const *overrides, size_t count) {
    size_t size = 1;
    for (size_t i = 0; i < count; i++) size += strlen(overrides[i]) + 1;
    char *joined = cdg_storage_allocate(storage, size, 1);
    if (joined == NULL) return NULL;
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(overrides[i]);
        memcpy(joined + used, overrides[i], length);
        joined[used + length] = '\n';
        used += length + 1;
    }
    return joined;
}

static cdg_scene *create_scene(const char *text, size_t size, const char *name, const char *directory,
                               const char *const *overrides, size_t override_count, size_t memory_limit) {
    cdg_scene *scene = calloc(1, sizeof *scene);
    scene_storage *storage = cdg_storage_create(memory_limit);
    if (scene == NULL || storage == NULL) {
        free(scene);
        cdg_storage_destroy(storage);
        return NULL;
    }
    scene->storage = storage;
    scene->diagnostics = cdg_storage_allocate(storage, 1, sizeof *scene->diagnostics);
    if (scene->diagnostics != NULL) scene->diagnostics->storage = storage;
    scene->name = cdg_storage_copy(storage, name, strlen(name));
    if (directory != NULL) scene->directory = cdg_storage_copy(storage, directory, strlen(directory));
    scene->text_size = size <= CDG_SCENE_BYTES_MAX ? size : 0; // a larger one is refused below
    scene->text = cdg_storage_copy(storage, text, scene->text_size);
    scene->overrides = join_overrides(storage, overrides, override_count);
    scene->title = cdg_storage_copy(storage, "", 0);
    scene->model = cdg_rod_def_default().model;
    scene->options = cdg_default_options(storage);
    scene->statics = (scene_statics){.steps = 1000};
    scene->gravity = cdg_world_def_default().gravity;
    if (cdg_storage_has_failed(storage)) {
        cdg_scene_destroy(scene);
        return NULL;
    }
    return scene;
}

enum { OWN_SETS_MAX = 256 }; // each is a text of its own to read

// The key `set` of the text: as --set, and before what that says.
static const scene_node *apply_own_sets(scene_reader *reader, const scene_node *root) {
    const scene_node *list = cdg_tree_get(root, "set");
    bool is_good = list == NULL || (list->kind == SCENE_LIST && list->count <= OWN_SETS_MAX);
    for (size_t i = 0; is_good && list != NULL && i < list->count; i++)
        is_good = list->items[i]->kind == SCENE_SCALAR && strchr(list->items[i]->text, '\n') == NULL;
    if (!is_good)
        cdg_reader_fault(reader, list,
                         "'set' is a list of up to %d lines as of --set, such as ['contact.friction=0.3', "
                         "'rods.cable.elements=200']",
                         OWN_SETS_MAX);
    if (!is_good || list == NULL) return root;
    const char **lines = cdg_storage_allocate(reader->storage, list->count + 1, sizeof *lines);
    if (lines == NULL) return root;
    for (size_t i = 0; i < list->count; i++) {
        lines[i] = list->items[i]->text;
        root = cdg_override_apply(root, lines[i], reader->storage, reader->diagnostics);
    }
    reader->scene->own_sets = join_overrides(reader->storage, lines, list->count);
    return root;
}

// Takes over a scene that was just created; NULL: there was no memory for it.
static cdg_result parse_into(cdg_scene *scene, const char *text, size_t size, const char *name,
                             const char *const *overrides, size_t override_count, cdg_scene **out, cdg_error *error) {
    *out = NULL;
    cdg_error_clear(error);
    if (scene == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: no memory for the scene", name);
    assert(scene->storage != NULL && scene->diagnostics != NULL);
    scene_reader reader = {.scene = scene, .storage = scene->storage, .diagnostics = scene->diagnostics};

    const scene_node *root = cdg_tree_parse(text, size, NULL, reader.storage, reader.diagnostics);
    if (root == NULL || root->kind == SCENE_NOTHING) {
        if (reader.diagnostics->fault_count == 0) {
            cdg_diagnostics_add(reader.diagnostics, CDG_FAULT, (scene_mark){.line = 1, .column = 1},
                                "the scene is empty; begin with 'cordage: 1'");
        }
    } else {
        root = apply_own_sets(&reader, root);
        for (size_t i = 0; i < override_count; i++) {
            root = cdg_override_apply(root, overrides[i], reader.storage, reader.diagnostics);
        }
        reader.root = root;
        read_definitions(&reader);
    }
    cdg_diagnostics_finish(reader.diagnostics);
    if (cdg_storage_has_failed(reader.storage)) {
        cdg_scene_destroy(scene);
        return cdg_fail(error, CDG_ERROR_MEMORY, "%s: no memory for the scene", name);
    }
    *out = scene;
    size_t faults = reader.diagnostics->fault_count;
    if (faults == 0) {
        scene->is_usable = true;
        return CDG_OK;
    }
    char first[600] = "";
    for (size_t i = 0; i < reader.diagnostics->count; i++) {
        if (reader.diagnostics->items[i].severity != CDG_FAULT) continue;
        cdg_diagnostic_format(&reader.diagnostics->items[i], scene->name, first, sizeof first);
        break;
    }
    if (faults == 1) return cdg_fail(error, CDG_ERROR_SCENE, "%s", first);
    return cdg_fail(error, CDG_ERROR_SCENE, "%s (and %zu more)", first, faults - 1);
}

cdg_result cdg_scene_parse_bounded(const char *text, size_t size, const char *name, const char *directory,
                                   const char *const *overrides, size_t override_count, size_t memory_limit,
                                   cdg_scene **out, cdg_error *error) {
    cdg_scene *scene = create_scene(text, size, name, directory, overrides, override_count, memory_limit);
    return parse_into(scene, text, size, name, overrides, override_count, out, error);
}

cdg_result cdg_scene_parse_confined(const char *text, size_t size, const char *name, const char *directory,
                                    const char *const *overrides, size_t override_count, cdg_scene **out,
                                    cdg_error *error) {
    cdg_scene *scene = create_scene(text, size, name, directory, overrides, override_count, 0);
    if (scene != NULL) scene->is_confined = true;
    return parse_into(scene, text, size, name, overrides, override_count, out, error);
}

cdg_result cdg_scene_parse(const char *text, size_t size, const char *name, const char *directory,
                           const char *const *overrides, size_t override_count, cdg_scene **out, cdg_error *error) {
    if (out != NULL) *out = NULL;
    if (text == NULL) return cdg_fail_null(error, "text");
    if (name == NULL) return cdg_fail_null(error, "name");
    if (out == NULL) return cdg_fail_null(error, "out");
    if (overrides == NULL && override_count > 0) return cdg_fail_null(error, "overrides");
    for (size_t i = 0; i < override_count; i++)
        if (overrides[i] == NULL) return cdg_fail_null(error, "an override");
    return cdg_scene_parse_bounded(text, size, name, directory, overrides, override_count, 0, out, error);
}

// ---- from a file ----------------------------------------------------------------------------------------------------

cdg_result cdg_scene_load(const char *path, const char *const *overrides, size_t override_count, cdg_scene **out,
                          cdg_error *error) {
    if (out != NULL) *out = NULL;
    if (path == NULL) return cdg_fail_null(error, "path");
    if (out == NULL) return cdg_fail_null(error, "out");
    cdg_error_clear(error);
    char *text = NULL;
    size_t size = 0;
    cdg_result result = cdg_stream_read(path, CDG_SCENE_BYTES_MAX, &text, &size, error);
    if (result != CDG_OK) return result;
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
    char *directory = malloc(length + 2);
    if (directory == NULL) {
        free(text);
        return cdg_fail(error, CDG_ERROR_MEMORY, "%s: no memory to read it", path);
    }
    memcpy(directory, length > 0 ? path : ".", length > 0 ? length : 1);
    directory[length > 0 ? length : 1] = '\0';
    result = cdg_scene_parse(text, size, path, directory, overrides, override_count, out, error);
    free(directory);
    free(text);
    return result;
}

// ---- what the caller sees -------------------------------------------------------------------------------------------

void cdg_scene_destroy(cdg_scene *scene) {
    if (scene == NULL) return;
    for (size_t i = 0; i < scene->structure_count; i++) cdg_structure_destroy(scene->structures[i]);
    for (size_t i = 0; i < scene->strands_count; i++) cdg_strands_destroy(scene->strands[i]);
    cdg_storage_destroy(scene->storage);
    free(scene);
}

size_t cdg_scene_diagnostic_count(const cdg_scene *scene) {
    if (scene == NULL) return 0;
    return scene->diagnostics->count;
}

cdg_diagnostic cdg_scene_diagnostic(const cdg_scene *scene, size_t index) {
    if (scene == NULL) return (cdg_diagnostic){.severity = CDG_WARNING, .text = ""};
    if (index >= scene->diagnostics->count) return (cdg_diagnostic){.severity = CDG_WARNING, .text = ""};
    const scene_diagnostic *item = &scene->diagnostics->items[index];
    return (cdg_diagnostic){item->severity, item->mark.line, item->mark.column, item->text};
}

size_t cdg_scene_format_diagnostic(const cdg_scene *scene, size_t index, char *out, size_t size) {
    if (out == NULL) size = 0;
    if (scene == NULL) {
        if (size > 0) out[0] = '\0';
        return 0;
    }
    if (index >= scene->diagnostics->count) {
        if (size > 0) out[0] = '\0';
        return 0;
    }
    return cdg_diagnostic_format(&scene->diagnostics->items[index], scene->name, out, size);
}
