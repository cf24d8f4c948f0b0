// From text to a tree of nodes, through libfyaml's stream of events, so that depth, size, aliases and merge keys are
// ours to bound. Nothing here recurses over the document.
#include "scene/tree.h"

#include "base/utf8.h"
#include "scene/single_quoted.h"
#include "scene/syntax_hint.h"

#include <libfyaml.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct anchor {
    const char *name;
    scene_node *node;
    bool is_open; // its collection has not ended: an alias to it would be a circle
} anchor;

typedef struct level {
    scene_node *node;
    scene_node *key;     // map: key that waits for its value
    size_t anchor_index; // SIZE_MAX: none
    bool has_bad_key;
} level;

typedef struct builder {
    scene_storage *storage;
    scene_diagnostics *diagnostics;
    const char *override;
    const char *source; // the whole text
    size_t source_size;
    scene_mark last; // mark of the last event that had one: where "nothing" stands
    scene_node *root;
    level levels[CDG_SCENE_DEPTH_MAX];
    size_t depth;
    anchor *anchors;
    size_t anchor_count;
    size_t node_count;
    size_t document_count;
    bool has_stopped; // an error after which reading on is of no use
} builder;

__attribute__((format(printf, 3, 4))) static void stop(builder *b, scene_mark mark, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    cdg_diagnostics_add_list(b->diagnostics, CDG_FAULT, mark, format, arguments);
    va_end(arguments);
    b->has_stopped = true;
}

// ---- nodes ----------------------------------------------------------------------------------------------------------

scene_node *cdg_tree_new(scene_storage *storage, scene_node_kind kind, scene_mark mark) {
    scene_node *node = cdg_storage_allocate(storage, 1, sizeof *node);
    if (node == NULL) return NULL;
    node->kind = kind;
    node->mark = mark;
    node->weight = 1;
    return node;
}

bool cdg_tree_append(scene_storage *storage, scene_node *collection, scene_node *key, scene_node *item) {
    scene_node **items = cdg_storage_grow(storage, collection->items, collection->count, sizeof *items);
    if (items == NULL) return false;
    collection->items = items;
    if (collection->kind == SCENE_MAP) {
        scene_node **keys = cdg_storage_grow(storage, collection->keys, collection->count, sizeof *keys);
        if (keys == NULL) return false;
        collection->keys = keys;
        keys[collection->count] = key;
    }
    items[collection->count++] = item;
    collection->weight += item->weight + (key != NULL ? 1 : 0);
    return true;
}

static size_t find_key(const scene_node *map, const char *key, size_t length) {
    if (map == NULL || map->kind != SCENE_MAP) return SIZE_MAX;
    for (size_t i = 0; i < map->count; i++) {
        if (map->keys[i]->length == length && memcmp(map->keys[i]->text, key, length) == 0) return i;
    }
    return SIZE_MAX;
}

const scene_node *cdg_tree_get(const scene_node *map, const char *key) {
    size_t i = find_key(map, key, strlen(key));
    return i != SIZE_MAX ? map->items[i] : NULL;
}

const scene_node *cdg_tree_get_key(const scene_node *map, const char *key) {
    size_t i = find_key(map, key, strlen(key));
    return i != SIZE_MAX ? map->keys[i] : NULL;
}

bool cdg_tree_is_word(const scene_node *node, const char *word) {
    return node != NULL && node->kind == SCENE_SCALAR && strlen(word) == node->length &&
           memcmp(node->text, word, node->length) == 0;
}

const char *cdg_tree_describe(const scene_node *node, char out[CDG_QUOTE_SIZE]) {
    switch (node->kind) {
    case SCENE_NOTHING: return "nothing";
    case SCENE_LIST: return node->count > 0 ? "a list" : "an empty list";
    case SCENE_MAP: return node->count > 0 ? "a map" : "an empty map";
    case SCENE_SCALAR: break;
    }
    return cdg_quote(out, node->text, node->length);
}

// ---- text before YAML -----------------------------------------------------------------------------------------------

static void check_text(builder *b, const unsigned char *text, size_t size) {
    scene_mark mark = {.line = 1, .column = 1, .override = b->override};
    if (size > CDG_SCENE_BYTES_MAX) {
        stop(b, mark,
             "the scene is larger than %d MiB; keep long lists of points in a file of their own ('file: points.csv')",
             CDG_SCENE_BYTES_MAX / (1024 * 1024));
        return;
    }
    for (size_t i = 0; i < size;) {
        size_t length = cdg_utf8_length(text + i, size - i);
        if (length == 0) {
            stop(b, mark, "byte 0x%02X is not UTF-8; save the scene as UTF-8 text", text[i]);
            return;
        }
        if (text[i] == '\0') {
            stop(b, mark, "a NUL byte; this is not a text file, or it was saved as UTF-16: save it as UTF-8");
            return;
        }
        bool is_control = (text[i] < 0x20 && text[i] != '\t' && text[i] != '\n' && text[i] != '\r') || text[i] == 0x7F;
        if (is_control) {
            stop(b, mark, "control character 0x%02X; remove it", text[i]);
            return;
        }
        if (text[i] == '\n') {
            mark.line++;
            mark.column = 1;
        } else {
            mark.column++;
        }
        i += length;
    }
}

// ---- events ---------------------------------------------------------------------------------------------------------

static scene_mark mark_of(builder *b, const struct fy_mark *mark, int shift) {
    if (mark != NULL) {
        b->last = (scene_mark){.line = mark->line + 1, .column = mark->column + 1 - shift, .override = NULL};
    }
    scene_mark result = b->last;
    if (b->override != NULL) result = (scene_mark){.line = 0, .column = 0, .override = b->override};
    return result;
}

static bool names_nothing(const char *text, size_t length) {
    static const char *const words[] = {"", "~", "null", "Null", "NULL"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0) return true;
    }
    return false;
}

static scene_node *new_node(builder *b, scene_node_kind kind, scene_mark mark) {
    if (++b->node_count > CDG_SCENE_NODES_MAX) {
        stop(b, mark, "the scene has more than %d values; keep long lists of points in a file of their own",
             CDG_SCENE_NODES_MAX);
        return NULL;
    }
    scene_node *node = cdg_tree_new(b->storage, kind, mark);
    if (node == NULL) b->has_stopped = true;
    return node;
}

static size_t add_anchor(builder *b, struct fy_token *token, scene_node *node, bool is_open) {
    if (token == NULL) return SIZE_MAX;
    size_t length = 0;
    const char *name = fy_token_get_text(token, &length);
    if (b->anchor_count >= CDG_SCENE_ANCHORS_MAX) {
        stop(b, node->mark, "more than %d anchors", CDG_SCENE_ANCHORS_MAX);
        return SIZE_MAX;
    }
    anchor *anchors = cdg_storage_grow(b->storage, b->anchors, b->anchor_count, sizeof *anchors);
    char *copy = cdg_storage_copy(b->storage, name != NULL ? name : "", name != NULL ? length : 0);
    if (anchors == NULL || copy == NULL) {
        b->has_stopped = true;
        return SIZE_MAX;
    }
    b->anchors = anchors;
    anchors[b->anchor_count] = (anchor){copy, node, is_open};
    return b->anchor_count++;
}

static void check_tag(builder *b, struct fy_token *token, scene_mark mark) {
    size_t length = 0;
    const char *tag = token != NULL ? fy_token_get_text(token, &length) : NULL;
    if (tag == NULL || length == 0) return;
    static const char core[] = "tag:yaml.org,2002:";
    bool is_core = length >= sizeof core - 1 && memcmp(tag, core, sizeof core - 1) == 0;
    if (is_core || (length == 1 && *tag == '!')) return;
    char quoted[CDG_QUOTE_SIZE];
    cdg_diagnostics_add(b->diagnostics, CDG_FAULT, mark, "a scene has no tags; remove %s",
                        cdg_quote(quoted, tag, length));
}

// Appends to `map` what `source` has and the map has not (YAML's merge key).
static void merge_map(builder *b, scene_node *map, const scene_node *source) {
    for (size_t i = 0; i < source->count && !b->has_stopped; i++) {
        if (find_key(map, source->keys[i]->text, source->keys[i]->length) != SIZE_MAX) continue;
        b->node_count += 2;
        if (b->node_count > CDG_SCENE_NODES_MAX) {
            stop(b, map->mark, "merging gives more than %d values", CDG_SCENE_NODES_MAX);
            return;
        }
        if (!cdg_tree_append(b->storage, map, source->keys[i], source->items[i])) b->has_stopped = true;
    }
}

static void resolve_merge_key(builder *b, scene_node *map) {
    size_t at = find_key(map, "<<", 2);
    if (at == SIZE_MAX || map->keys[at]->is_quoted) return;
    scene_node *value = map->items[at];
    scene_mark mark = map->keys[at]->mark;
    map->count--;
    memmove(map->keys + at, map->keys + at + 1, (map->count - at) * sizeof *map->keys);
    memmove(map->items + at, map->items + at + 1, (map->count - at) * sizeof *map->items);
    // cdg_storage_grow derives capacity from the count, so after the removal the arrays are rebuilt by appending.
    scene_node rebuilt = *map;
    rebuilt.keys = rebuilt.items = NULL;
    rebuilt.count = 0;
    rebuilt.weight = 1;
    for (size_t i = 0; i < map->count; i++) {
        if (!cdg_tree_append(b->storage, &rebuilt, map->keys[i], map->items[i])) {
            b->has_stopped = true;
            return;
        }
    }
    *map = rebuilt;
    if (value->kind == SCENE_MAP) {
        merge_map(b, map, value);
        return;
    }
    bool is_list_of_maps = value->kind == SCENE_LIST;
    for (size_t i = 0; i < value->count && is_list_of_maps; i++) is_list_of_maps = value->items[i]->kind == SCENE_MAP;
    if (!is_list_of_maps) {
        cdg_diagnostics_add(b->diagnostics, CDG_FAULT, mark,
                            "the merge key '<<' takes an alias of a map, or a list of them");
        return;
    }
    for (size_t i = 0; i < value->count && !b->has_stopped; i++) merge_map(b, map, value->items[i]);
}

static int compare_keys(const void *a, const void *b) {
    const scene_node *x = *(scene_node *const *)a, *y = *(scene_node *const *)b;
    size_t shorter = x->length < y->length ? x->length : y->length;
    int order = memcmp(x->text, y->text, shorter);
    if (order != 0) return order;
    if (x->length != y->length) return x->length < y->length ? -1 : 1;
    if (x->mark.line != y->mark.line) return x->mark.line < y->mark.line ? -1 : 1;
    return (x->mark.column > y->mark.column) - (x->mark.column < y->mark.column);
}

static void report_duplicates(builder *b, scene_node *map) {
    if (map->count < 2) return;
    scene_node **sorted = cdg_storage_allocate(b->storage, map->count, sizeof(scene_node *));
    if (sorted == NULL) {
        b->has_stopped = true;
        return;
    }
    memcpy(sorted, map->keys, map->count * sizeof(scene_node *));
    qsort(sorted, map->count, sizeof(scene_node *), compare_keys);
    for (size_t i = 1; i < map->count; i++) {
        const scene_node *first = sorted[i - 1], *second = sorted[i];
        if (first->length != second->length || memcmp(first->text, second->text, first->length) != 0) continue;
        char quoted[CDG_QUOTE_SIZE];
        cdg_quote(quoted, second->text, second->length);
        if (b->override != NULL) {
            cdg_diagnostics_add(b->diagnostics, CDG_FAULT, second->mark, "key %s stands twice; remove one", quoted);
        } else {
            cdg_diagnostics_add(b->diagnostics, CDG_FAULT, second->mark,
                                "key %s was given already in line %d; remove one of the two", quoted, first->mark.line);
        }
    }
}

// A finished value goes to where it belongs: the root, a list, or a map as key or value.
static void place_node(builder *b, scene_node *node) {
    if (b->depth == 0) {
        b->root = node;
        return;
    }
    level *top = &b->levels[b->depth - 1];
    if (top->node->kind == SCENE_LIST) {
        if (!cdg_tree_append(b->storage, top->node, NULL, node)) b->has_stopped = true;
    } else if (top->key == NULL) {
        if (node->kind == SCENE_LIST || node->kind == SCENE_MAP) {
            cdg_diagnostics_add(b->diagnostics, CDG_FAULT, node->mark, "a key must be a word, not %s",
                                node->kind == SCENE_LIST ? "a list" : "a map");
            top->has_bad_key = true;
        } else if (node->kind == SCENE_NOTHING) {
            cdg_diagnostics_add(b->diagnostics, CDG_FAULT, node->mark, "a key is missing before the ':'");
            top->has_bad_key = true;
        }
        top->key = node;
    } else {
        if (!top->has_bad_key && !cdg_tree_append(b->storage, top->node, top->key, node)) b->has_stopped = true;
        top->key = NULL;
        top->has_bad_key = false;
    }
    // Sharing keeps memory small, but the reader walks every way through the tree.
    if (top->node->weight > CDG_SCENE_NODES_MAX && !b->has_stopped) {
        stop(b, node->mark, "aliases expand to more than %d values", CDG_SCENE_NODES_MAX);
    }
}

static void open_collection(builder *b, scene_node_kind kind, const struct fy_mark *fy_where,
                            struct fy_token *anchor_token, struct fy_token *tag) {
    scene_mark mark = mark_of(b, fy_where, 0);
    if (b->depth >= CDG_SCENE_DEPTH_MAX) {
        stop(b, mark, "nested deeper than %d levels", CDG_SCENE_DEPTH_MAX);
        return;
    }
    check_tag(b, tag, mark);
    scene_node *node = new_node(b, kind, mark);
    if (node == NULL) return;
    size_t anchor_index = add_anchor(b, anchor_token, node, true);
    b->levels[b->depth++] = (level){.node = node, .anchor_index = anchor_index};
}

static void close_collection(builder *b) {
    if (b->depth == 0) return;
    level *top = &b->levels[--b->depth];
    if (top->anchor_index != SIZE_MAX) b->anchors[top->anchor_index].is_open = false;
    if (top->node->kind == SCENE_MAP) {
        report_duplicates(b, top->node);
        if (!b->has_stopped) resolve_merge_key(b, top->node);
    }
    if (!b->has_stopped) place_node(b, top->node);
}

// The scalar's text, in the storage or in the token. NULL when memory ends.
static const char *text_of(builder *b, struct fy_token *token, size_t *length) {
    *length = 0;
    if (token == NULL) return "";
    const struct fy_mark *start = fy_token_start_mark(token), *end = fy_token_end_mark(token);
    if (fy_token_scalar_style(token) == FYSS_SINGLE_QUOTED && start != NULL && end != NULL && start->input_pos >= 1 &&
        end->input_pos >= start->input_pos && end->input_pos < b->source_size &&
        b->source[start->input_pos - 1] == '\'' && b->source[end->input_pos] == '\'') {
        size_t size = end->input_pos - start->input_pos;
        char *text = cdg_storage_allocate(b->storage, size + 1, 1);
        if (text != NULL) *length = cdg_single_quoted_decode(b->source + start->input_pos, size, text);
        return text;
    }
    const char *text = fy_token_get_text(token, length);
    if (text == NULL) *length = 0;
    return text != NULL ? text : "";
}

static void add_scalar(builder *b, struct fy_event *event) {
    struct fy_token *token = event->scalar.value;
    size_t length = 0;
    const char *text = text_of(b, token, &length);
    if (text == NULL) {
        b->has_stopped = true;
        return;
    }
    enum fy_scalar_style style = token != NULL ? fy_token_scalar_style(token) : FYSS_PLAIN;
    bool is_quoted = style != FYSS_PLAIN && style != FYSS_ANY;
    // libfyaml marks the text inside the quotes.
    int shift = style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED ? 1 : 0;
    scene_mark mark = mark_of(b, token != NULL ? fy_event_start_mark(event) : NULL, shift);
    bool is_nothing = !is_quoted && names_nothing(text, length);
    check_tag(b, event->scalar.tag, mark);
    scene_node *node = new_node(b, is_nothing ? SCENE_NOTHING : SCENE_SCALAR, mark);
    if (node == NULL) return;
    node->is_quoted = is_quoted;
    node->text = cdg_storage_copy(b->storage, text, length);
    node->length = length;
    if (node->text == NULL) {
        b->has_stopped = true;
        return;
    }
    // "\0" in double quotes becomes a NUL that no text here may hold.
    if (memchr(node->text, '\0', length) != NULL) {
        cdg_diagnostics_add(b->diagnostics, CDG_FAULT, mark, "text with a NUL character; remove the '\\0'");
        node->length = strlen(node->text);
    }
    add_anchor(b, event->scalar.anchor, node, false);
    if (!b->has_stopped) place_node(b, node);
}

static void add_alias(builder *b, struct fy_event *event) {
    scene_mark mark = mark_of(b, fy_event_start_mark(event), 1);
    size_t length = 0;
    const char *name = event->alias.anchor != NULL ? fy_token_get_text(event->alias.anchor, &length) : NULL;
    char quoted[CDG_QUOTE_SIZE];
    if (name == NULL) name = "", length = 0;
    for (size_t i = b->anchor_count; i-- > 0;) {
        const anchor *a = &b->anchors[i];
        if (strlen(a->name) != length || memcmp(a->name, name, length) != 0) continue;
        if (a->is_open) {
            stop(b, mark, "alias %s stands inside what it refers to; a scene cannot contain itself",
                 cdg_quote(quoted, name, length));
        } else {
            place_node(b, a->node);
        }
        return;
    }
    stop(b, mark, "alias %s has no anchor '&%.*s' before it; a name alone needs no '*'",
         cdg_quote(quoted, name, length), (int)(length < 40 ? length : 40), name);
}

static void take_event(builder *b, struct fy_event *event) {
    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (++b->document_count > 1) {
            stop(b, mark_of(b, event->document_start.document_start != NULL ? fy_event_start_mark(event) : NULL, 0),
                 "a second document begins here; a scene file holds one");
        }
        break;
    case FYET_MAPPING_START:
        open_collection(b, SCENE_MAP, fy_event_start_mark(event), event->mapping_start.anchor,
                        event->mapping_start.tag);
        break;
    case FYET_SEQUENCE_START:
        open_collection(b, SCENE_LIST, fy_event_start_mark(event), event->sequence_start.anchor,
                        event->sequence_start.tag);
        break;
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END: close_collection(b); break;
    case FYET_SCALAR: add_scalar(b, event); break;
    case FYET_ALIAS: add_alias(b, event); break;
    default: break;
    }
}

// ---- libfyaml -------------------------------------------------------------------------------------------------------

// A bracket that nothing closes stops the parser where the next line begins: the bracket itself is what to show.
static bool report_open_bracket(builder *b, scene_mark mark) {
    open_bracket open;
    if (b->override != NULL) return false;
    if (!cdg_find_open_bracket(b->source, b->source_size, mark.line, mark.column, &open)) return false;
    if (open.line == mark.line) {
        stop(b, (scene_mark){.line = open.line, .column = open.column},
             "not valid YAML: this '%c' is not closed; is a '%c' missing before column %d, or a ','?", open.opening,
             open.closing, mark.column);
        return true;
    }
    int indent = cdg_line_indent(b->source, b->source_size, mark.line);
    if (indent > open.indent) return false; // still within it: something else
    stop(b, (scene_mark){.line = open.line, .column = open.column},
         "not valid YAML: this '%c' is not closed; a '%c' is missing before line %d, or that line is indented too "
         "little",
         open.opening, open.closing, mark.line);
    return true;
}

static void report_syntax(builder *b, struct fy_diag *diag) {
    void *iterator = NULL;
    size_t count = 0;
    for (struct fy_diag_error *e; (e = fy_diag_errors_iterate(diag, &iterator)) != NULL;) {
        if (e->type < FYET_ERROR || count++ > 0) continue; // those that follow the first come from it
        scene_mark mark = {.line = e->line > 0 ? e->line : 1, .column = e->column > 0 ? e->column : 1};
        if (b->override != NULL) mark = (scene_mark){.override = b->override};
        char message[200];
        snprintf(message, sizeof message, "%s", e->msg != NULL ? e->msg : "syntax error");
        for (char *c = message; *c != '\0'; c++) {
            if ((unsigned char)*c < 0x20) *c = ' ';
        }
        if (report_open_bracket(b, mark)) continue;
        stop(b, mark, "not valid YAML: %s%s", message, cdg_syntax_cure(message));
    }
    if (count == 0) {
        scene_mark mark = mark_of(b, NULL, 0);
        stop(b, mark, "not valid YAML from here on");
    }
}

scene_node *cdg_tree_parse(const char *text, size_t size, const char *override, scene_storage *storage,
                           scene_diagnostics *diagnostics) {
    builder b = {.storage = storage,
                 .diagnostics = diagnostics,
                 .override = override,
                 .source = text,
                 .source_size = size,
                 .last = {.line = 1, .column = 1}};
    check_text(&b, (const unsigned char *)text, size);
    if (b.has_stopped || size == 0) return NULL;

    struct fy_diag_cfg diag_cfg;
    fy_diag_cfg_default(&diag_cfg);
    diag_cfg.fp = NULL;
    diag_cfg.level = FYET_ERROR;
    struct fy_diag *diag = fy_diag_create(&diag_cfg);
    struct fy_parser *parser = NULL;
    if (diag != NULL) {
        fy_diag_set_collect_errors(diag, true);
        struct fy_parse_cfg cfg = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_JSON_NONE, .diag = diag};
        parser = fy_parser_create(&cfg);
    }
    if (parser == NULL || fy_parser_set_string(parser, text, size) != 0) {
        stop(&b, (scene_mark){.line = 1, .column = 1, .override = override}, "the YAML parser could not start");
    } else {
        struct fy_event *event;
        while (!b.has_stopped && (event = fy_parser_parse(parser)) != NULL) {
            take_event(&b, event);
            fy_parser_event_free(parser, event);
        }
        if (!b.has_stopped && fy_parser_get_stream_error(parser)) report_syntax(&b, diag);
    }
    if (parser != NULL) fy_parser_destroy(parser);
    if (diag != NULL) fy_diag_destroy(diag);
    return !b.has_stopped && b.depth == 0 ? b.root : NULL;
}
