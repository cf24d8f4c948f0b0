// A YAML (or JSON) document as a tree of nodes that know where in the file they are.
#ifndef CDG_SCENE_TREE_H
#define CDG_SCENE_TREE_H

#include "scene/diagnostics.h"

typedef enum scene_node_kind { SCENE_NOTHING, SCENE_SCALAR, SCENE_LIST, SCENE_MAP } scene_node_kind;

// Aliases share nodes: a node may be reached in several ways and is never changed once the tree is complete.
typedef struct scene_node {
    scene_node_kind kind;
    bool is_quoted; // scalar in quotes: text, never a number or nothing
    scene_mark mark;
    const char *text; // scalar, terminated
    size_t length;
    struct scene_node **keys;  // map: scalars
    struct scene_node **items; // map: values; list: items
    size_t count;
    size_t weight; // nodes in this one, itself included, every alias expanded
} scene_node;

// Parses one document. Every error becomes a diagnostic. Returns NULL after an error that leaves no tree, and for an
// empty document; a tree with lesser errors (a duplicate key, a tag) is returned, so that the rest of it can be checked
// too. With `override` the text is a value of --set: all marks then name it instead of a line. The text is checked
// first: UTF-8, no NUL, size, depth, number of nodes and anchors are bounded.
scene_node *cdg_tree_parse(const char *text, size_t size, const char *override, scene_storage *storage,
                           scene_diagnostics *diagnostics);

// Value of a map's key, or NULL (also when `map` is NULL or not a map).
const scene_node *cdg_tree_get(const scene_node *map, const char *key);
const scene_node *cdg_tree_get_key(const scene_node *map, const char *key); // the key itself

bool cdg_tree_is_word(const scene_node *node, const char *word); // a scalar with this text

// New nodes for overrides; NULL when memory ends.
scene_node *cdg_tree_new(scene_storage *storage, scene_node_kind kind, scene_mark mark);
bool cdg_tree_append(scene_storage *storage, scene_node *collection, scene_node *key, scene_node *item);

// "a list", "a map", "nothing", or the quoted text.
const char *cdg_tree_describe(const scene_node *node, char out[CDG_QUOTE_SIZE]);

#endif
