// --set path=value: changes a scene's tree before it is read. Nodes are shared by aliases, so the nodes along the path
// are copied and the rest is kept.
#include "scene/reader.h"
#include "scene/suggest.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

typedef struct override_state {
    scene_storage *storage;
    scene_diagnostics *diagnostics;
    scene_mark mark;
    scene_node *value;
} override_state;

__attribute__((format(printf, 2, 3))) static scene_node *refuse(override_state *state, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    cdg_diagnostics_add_list(state->diagnostics, CDG_FAULT, state->mark, format, arguments);
    va_end(arguments);
    return NULL;
}

static bool parse_index(const char *text, size_t length, size_t *out) {
    if (length == 0 || length > 9) return false;
    *out = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') return false;
        *out = *out * 10 + (size_t)(text[i] - '0');
    }
    return true;
}

// Items of a list are chosen by their `name`, or by their index from 0.
static bool find_item(override_state *state, const scene_node *list, const char *word, size_t length, size_t *out) {
    word_search search = cdg_suggest_begin(word, length);
    for (size_t i = 0; i < list->count; i++) {
        const scene_node *name = cdg_tree_get(list->items[i], "name");
        if (name == NULL || name->kind != SCENE_SCALAR) continue;
        if (name->length == length && memcmp(name->text, word, length) == 0) {
            *out = i;
            return true;
        }
        cdg_suggest_offer(&search, name->text);
    }
    char quoted[CDG_QUOTE_SIZE];
    cdg_quote(quoted, word, length);
    if (parse_index(word, length, out)) {
        if (*out < list->count) return true;
        refuse(state, "item %s is not there; the list has %zu, counted from 0", quoted, list->count);
    } else if (search.best != NULL) {
        refuse(state, "no item is named %s; did you mean '%s'?", quoted, search.best);
    } else {
        refuse(state, "no item is named %s; an item is chosen by its name, or by its index from 0", quoted);
    }
    return false;
}

static scene_node *copy_node(override_state *state, const scene_node *node) {
    scene_node *copy = cdg_tree_new(state->storage, node->kind, node->mark);
    if (copy == NULL) return NULL;
    for (size_t i = 0; i < node->count; i++) {
        scene_node *key = node->kind == SCENE_MAP ? node->keys[i] : NULL;
        if (!cdg_tree_append(state->storage, copy, key, node->items[i])) return NULL;
    }
    return copy;
}

// The node at the path with the value put in. The path has at most CDG_SCENE_DEPTH_MAX parts.
static scene_node *put(override_state *state, const scene_node *node, const char *path) {
    if (*path == '\0') return state->value;
    size_t length = strcspn(path, ".");
    const char *rest = path + length + (path[length] == '.');
    scene_node *copy = NULL;
    scene_node **slot = NULL;
    if (node == NULL || node->kind == SCENE_NOTHING) {
        copy = cdg_tree_new(state->storage, SCENE_MAP, state->mark);
    } else if (node->kind == SCENE_SCALAR) {
        char quoted[CDG_QUOTE_SIZE], part[CDG_QUOTE_SIZE];
        return refuse(state, "%s is not inside a map or a list but after the value %s", cdg_quote(part, path, length),
                      cdg_quote(quoted, node->text, node->length));
    } else {
        copy = copy_node(state, node);
    }
    if (copy == NULL) return NULL;
    if (copy->kind == SCENE_LIST) {
        size_t index;
        if (!find_item(state, copy, path, length, &index)) return NULL;
        slot = &copy->items[index];
    } else {
        for (size_t i = 0; i < copy->count && slot == NULL; i++) {
            const scene_node *key = copy->keys[i];
            if (key->length == length && memcmp(key->text, path, length) == 0) slot = &copy->items[i];
        }
        if (slot == NULL && memchr(path, '[', length) != NULL) {
            char quoted[CDG_QUOTE_SIZE];
            return refuse(state,
                          "%s has brackets; an item is chosen by a point and its name, or its index from 0: "
                          "rods.cable.elements, rods.0.elements",
                          cdg_quote(quoted, path, length));
        }
        if (slot == NULL) {
            scene_node *key = cdg_tree_new(state->storage, SCENE_SCALAR, state->mark);
            scene_node *nothing = cdg_tree_new(state->storage, SCENE_NOTHING, state->mark);
            if (key == NULL || nothing == NULL) return NULL;
            key->text = cdg_storage_copy(state->storage, path, length);
            key->length = length;
            if (key->text == NULL || !cdg_tree_append(state->storage, copy, key, nothing)) return NULL;
            slot = &copy->items[copy->count - 1];
        }
    }
    size_t before = (*slot)->weight;
    scene_node *changed = put(state, *slot, rest);
    if (changed == NULL) return NULL;
    *slot = changed;
    copy->weight += changed->weight - before;
    return copy;
}

// A value of a material that is not there makes one, unless its name looks like a slip.
static bool is_slip(override_state *state, const scene_node *root, const char *path) {
    static const char prefix[] = "materials.";
    const scene_node *materials = cdg_tree_get(root, "materials");
    if (strncmp(path, prefix, sizeof prefix - 1) != 0 || materials == NULL || materials->kind != SCENE_MAP)
        return false;
    const char *name = path + sizeof prefix - 1;
    size_t length = strcspn(name, ".");
    if (name[length] == '\0') return false; // a whole material
    word_search search = cdg_suggest_begin(name, length);
    for (size_t i = 0; i < materials->count; i++) {
        const scene_node *key = materials->keys[i];
        if (key->length == length && memcmp(key->text, name, length) == 0) return false;
        cdg_suggest_offer(&search, key->text);
    }
    char quoted[CDG_QUOTE_SIZE];
    if (search.best == NULL) return false;
    refuse(state, "no material is named %s; did you mean '%s'?", cdg_quote(quoted, name, length), search.best);
    return true;
}

const scene_node *cdg_override_apply(const scene_node *root, const char *text, scene_storage *storage,
                                     scene_diagnostics *diagnostics) {
    override_state state = {.storage = storage, .diagnostics = diagnostics};
    const char *equal = strchr(text, '=');
    size_t path_length = equal != NULL ? (size_t)(equal - text) : strlen(text);
    while (path_length > 0 && text[path_length - 1] == ' ') path_length--;
    char *path = cdg_storage_copy(storage, text, path_length);
    if (path == NULL) return root;
    state.mark = (scene_mark){.override = path};
    if (equal == NULL) {
        refuse(&state, "expected path=value, such as rods.cable.elements=200");
        return root;
    }
    size_t parts = 1;
    bool has_empty_part =
        path_length == 0 || path[0] == '.' || path[path_length - 1] == '.' || strstr(path, "..") != NULL;
    for (const char *c = path; *c != '\0'; c++) parts += *c == '.';
    if (has_empty_part || parts > CDG_SCENE_DEPTH_MAX) {
        refuse(&state, "the path before '=' is names joined by '.', such as rods.cable.elements");
        return root;
    }
    size_t faults = diagnostics->fault_count;
    state.value = cdg_tree_parse(equal + 1, strlen(equal + 1), path, storage, diagnostics);
    if (state.value == NULL || state.value->kind == SCENE_NOTHING) {
        if (diagnostics->fault_count == faults) refuse(&state, "no value after '='");
        return root;
    }
    scene_node *changed = is_slip(&state, root, path) ? NULL : put(&state, root, path);
    if (changed == NULL) return root;
    if (changed->weight > CDG_SCENE_NODES_MAX) {
        refuse(&state, "gives more than %d values", CDG_SCENE_NODES_MAX);
        return root;
    }
    return changed;
}
