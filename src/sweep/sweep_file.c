// Reading a sweep from YAML, with the scene's own tree of nodes.
#include "sweep/sweep_file.h"

#include "base/error.h"
#include "scene/suggest.h"
#include "scene/tree.h"
#include "scene/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct file_reader {
    cdg_sweep_file *out;
    const char *name;
    scene_diagnostics *diagnostics;
} file_reader;

bool cdg_design_kind_find(const char *name, cdg_design_kind *out) {
    static const char *const names[] = {"grid", "random", "latin"};
    for (int i = 0; i < 3; i++) {
        *out = (cdg_design_kind)i;
        if (strcmp(names[i], name) == 0) return true;
    }
    return false;
}

bool cdg_sweep_file_is_one(const char *text, size_t size) {
    for (const char *at = text, *end = text + size; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline != NULL ? newline : end;
        while (at < stop && (*at == ' ' || *at == '\t' || *at == '\r')) at++;
        bool is_blank = at == stop || *at == '#' || (stop - at >= 3 && memcmp(at, "---", 3) == 0);
        if (!is_blank) return stop - at >= 6 && memcmp(at, "sweep:", 6) == 0;
        at = stop + 1;
    }
    return false;
}

// ---- values ---------------------------------------------------------------------------------------------------------

static void refuse(file_reader *r, const scene_node *node, const char *what) {
    cdg_diagnostics_add(r->diagnostics, CDG_FAULT, node->mark, "%s", what);
}

static char *copy_text(const char *text) {
    char *copy = malloc(strlen(text) + 1);
    if (copy != NULL) memcpy(copy, text, strlen(text) + 1);
    return copy;
}

// Appends "a" + joint + "b".
static void add_text(file_reader *r, const scene_node *node, char ***list, size_t *count, const char *a,
                     const char *joint, const char *b) {
    char **grown = realloc(*list, (*count + 1) * sizeof *grown);
    if (grown != NULL) *list = grown;
    size_t size = strlen(a) + strlen(joint) + strlen(b) + 1;
    char *text = grown != NULL ? malloc(size) : NULL;
    if (text == NULL) {
        refuse(r, node, "out of memory");
        return;
    }
    snprintf(text, size, "%s%s%s", a, joint, b);
    (*list)[(*count)++] = text;
}

// A scalar as it is; a list of scalars as "a, b, c".
static char *flatten(file_reader *r, const scene_node *node, const char *wanted) {
    if (node->kind == SCENE_SCALAR) return copy_text(node->text);
    size_t size = 1;
    for (size_t i = 0; node->kind == SCENE_LIST && i < node->count; i++) size += node->items[i]->length + 2;
    char *text = calloc(size, 1);
    bool is_good = node->kind == SCENE_LIST && node->count > 0 && text != NULL;
    for (size_t i = 0; is_good && i < node->count; i++) {
        is_good = node->items[i]->kind == SCENE_SCALAR;
        if (i > 0) strcat(text, ", ");
        if (is_good) strcat(text, node->items[i]->text);
    }
    if (is_good) return text;
    refuse(r, node, wanted);
    free(text);
    return NULL;
}

static void read_variable(file_reader *r, const scene_node *key, const scene_node *value) {
    static const char wanted[] =
        "what varies is PATH: VALUES, as in rods.cable.elements: 10, 20, 50, or NAME: {path: PATH, values: VALUES}";
    cdg_sweep_file *out = r->out;
    char left[1024];
    const scene_node *path = cdg_tree_get(value, "path"), *values = cdg_tree_get(value, "values");
    if (value->kind == SCENE_MAP && (path == NULL || values == NULL)) {
        refuse(r, value, wanted);
        return;
    }
    char *paths = path != NULL ? flatten(r, path, wanted) : copy_text(""),
         *text = flatten(r, path ? values : value, wanted);
    if (paths != NULL && text != NULL) {
        snprintf(left, sizeof left, "%s%s%s", key->text, path != NULL ? ": " : "", paths);
        add_text(r, key, &out->varies, &out->vary_count, left, "=", text);
    }
    free(paths);
    free(text);
}

static void read_varies(file_reader *r, const scene_node *node) {
    for (size_t i = 0; node->kind == SCENE_MAP && i < node->count; i++) read_variable(r, node->keys[i], node->items[i]);
    for (size_t i = 0; node->kind == SCENE_LIST && i < node->count; i++) {
        if (node->items[i]->kind == SCENE_SCALAR)
            add_text(r, node, &r->out->varies, &r->out->vary_count, node->items[i]->text, "", "");
        else
            refuse(r, node->items[i], "an item of 'vary' is a text, \"PATH=VALUES\"");
    }
    if (node->kind != SCENE_MAP && node->kind != SCENE_LIST)
        refuse(r, node, "'vary' is a map, PATH: VALUES, or a list of \"PATH=VALUES\"");
}

static void read_probes(file_reader *r, const scene_node *node) {
    char *text = flatten(r, node, "'probes' is a list of names, as in [tip, hold_peak, tip_z:max]");
    if (text != NULL) add_text(r, node, &r->out->probes, &r->out->probe_count, text, "", "");
    free(text);
}

static void read_overrides(file_reader *r, const scene_node *node) {
    if (node->kind != SCENE_MAP) refuse(r, node, "'set' is a map, PATH: VALUE");
    for (size_t i = 0; node->kind == SCENE_MAP && i < node->count; i++) {
        if (node->items[i]->kind == SCENE_SCALAR)
            add_text(r, node, &r->out->overrides, &r->out->override_count, node->keys[i]->text, "=",
                     node->items[i]->text);
        else
            refuse(r, node->items[i], "a value of 'set' is a text or a number; write lists in quotes, \"[0, 0, 1]\"");
    }
}

static bool read_count(file_reader *r, const scene_node *node, double most, uint64_t *out) {
    double number = 0;
    bool is_good = node->kind == SCENE_SCALAR && cdg_number_parse(node->text, node->length, &number) && number >= 0 &&
                   number <= most && number == (double)(uint64_t)number;
    if (!is_good) refuse(r, node, "expected a whole number that is not negative");
    *out = is_good ? (uint64_t)number : 0;
    return is_good;
}

static void read_name(file_reader *r, const scene_node *node, char **out) {
    if (node->kind != SCENE_SCALAR)
        refuse(r, node, "expected a name");
    else if (*out == NULL && (*out = copy_text(node->text)) == NULL)
        refuse(r, node, "out of memory");
}

static void read_key(file_reader *r, const scene_node *key, const scene_node *value) {
    static const char *const keys[] = {"sweep",  "scene", "vary",  "probes", "set",      "samples",
                                       "method", "seed",  "lanes", "output", "case_time"};
    cdg_sweep_file *out = r->out;
    uint64_t number = 0;
    if (strcmp(key->text, "sweep") == 0) {
        if (!cdg_tree_is_word(value, "1")) refuse(r, value, "this version of Cordage reads 'sweep: 1'");
    } else if (strcmp(key->text, "scene") == 0) {
        read_name(r, value, &out->scene);
    } else if (strcmp(key->text, "vary") == 0) {
        read_varies(r, value);
    } else if (strcmp(key->text, "probes") == 0) {
        read_probes(r, value);
    } else if (strcmp(key->text, "set") == 0) {
        read_overrides(r, value);
    } else if (strcmp(key->text, "samples") == 0) {
        out->has_samples = read_count(r, value, CDG_DESIGN_CASES_MAX, &number);
        out->samples = (size_t)number;
    } else if (strcmp(key->text, "method") == 0) {
        out->has_kind = value->kind == SCENE_SCALAR && cdg_design_kind_find(value->text, &out->kind);
        if (!out->has_kind) refuse(r, value, "'method' is grid, latin or random");
    } else if (strcmp(key->text, "seed") == 0) {
        out->has_seed = read_count(r, value, 9e15, &out->seed);
    } else if (strcmp(key->text, "lanes") == 0) {
        out->wants_lanes = cdg_tree_is_word(value, "true");
        if (!out->wants_lanes && !cdg_tree_is_word(value, "false")) refuse(r, value, "'lanes' is true or false");
    } else if (strcmp(key->text, "output") == 0) {
        read_name(r, value, &out->output);
    } else if (strcmp(key->text, "case_time") == 0) {
        read_name(r, value, &out->case_time);
    } else {
        word_search search = cdg_suggest_begin(key->text, key->length);
        char quoted[CDG_QUOTE_SIZE];
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) cdg_suggest_offer(&search, keys[i]);
        cdg_diagnostics_add(r->diagnostics, CDG_FAULT, key->mark, "unknown key %s%s%s%s",
                            cdg_quote(quoted, key->text, key->length), search.best ? "; did you mean '" : "",
                            search.best ? search.best
                                        : "; keys are scene, vary, probes, set, samples, method, seed, lanes, output, "
                                          "case_time",
                            search.best ? "'?" : "");
    }
}

static cdg_result first_fault(const file_reader *r, cdg_error *error) {
    for (size_t i = 0; i < r->diagnostics->count; i++) {
        char text[CDG_MESSAGE_SIZE];
        if (r->diagnostics->items[i].severity != CDG_FAULT) continue;
        cdg_diagnostic_format(&r->diagnostics->items[i], r->name, text, sizeof text);
        return cdg_fail(error, CDG_ERROR_SCENE, "%s", text);
    }
    return CDG_OK;
}

cdg_result cdg_sweep_file_parse(const char *text, size_t size, const char *name, cdg_sweep_file *out,
                                cdg_error *error) {
    *out = (cdg_sweep_file){0};
    scene_storage *storage = cdg_storage_create(0);
    if (storage == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", name);
    scene_diagnostics diagnostics = {.storage = storage};
    file_reader r = {.out = out, .name = name, .diagnostics = &diagnostics};
    const scene_node *root = cdg_tree_parse(text, size, NULL, storage, &diagnostics);
    for (size_t i = 0; root != NULL && root->kind == SCENE_MAP && i < root->count; i++)
        read_key(&r, root->keys[i], root->items[i]);
    cdg_diagnostics_finish(&diagnostics);
    cdg_result result = first_fault(&r, error);
    if (result == CDG_OK && (root == NULL || root->kind != SCENE_MAP))
        result = cdg_fail(error, CDG_ERROR_SCENE, "%s: a sweep is a map: sweep, scene, vary, probes", name);
    if (result == CDG_OK && out->scene == NULL)
        result = cdg_fail(error, CDG_ERROR_SCENE, "%s: the sweep names no scene; add 'scene: FILE'", name);
    cdg_storage_destroy(storage);
    return result;
}

static void free_list(char **list, size_t count) {
    for (size_t i = 0; i < count; i++) free(list[i]);
    free(list);
}

void cdg_sweep_file_free(cdg_sweep_file *file) {
    free(file->scene);
    free(file->output);
    free(file->case_time);
    free_list(file->varies, file->vary_count);
    free_list(file->probes, file->probe_count);
    free_list(file->overrides, file->override_count);
    *file = (cdg_sweep_file){0};
}
