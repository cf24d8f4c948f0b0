// Variants of a scene, from the command line.
#include "compare_variants.h"

#include "scene/schema.h"
#include "terminal.h"

#include <cordage/rod.h>

#include <stdlib.h>
#include <string.h>

enum { VARIANTS_MAX = 64, NAME_MAX_BYTES = 64 };

static const char *const model_names[] = {
#define MODEL_NAME(name, key, text) #key,
    CDG_MODEL_LIST(MODEL_NAME)
#undef MODEL_NAME
};
enum { MODEL_COUNT = sizeof model_names / sizeof *model_names };

static char *copy_part(const char *text, size_t length) {
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    } else {
        complain("out of memory");
    }
    return copy;
}

void variant_list_free(variant_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        for (size_t k = 0; k < list->items[i].override_count; k++) free(list->items[i].overrides[k]);
        free(list->items[i].overrides);
        free(list->items[i].name);
        free(list->items[i].model);
    }
    free(list->items);
    *list = (variant_list){0};
}

static const scene_variant *find_variant(const variant_list *list, const char *name) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0) return &list->items[i];
    return NULL;
}

// A name becomes a directory's, so it has to be a plain one.
static bool is_plain_name(const char *name, size_t length) {
    if (length == 0 || length > NAME_MAX_BYTES || name[0] == '.') return false;
    for (size_t i = 0; i < length; i++) {
        char c = name[i];
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                        c == '-' || c == '.';
        if (!is_plain) return false;
    }
    return true;
}

static scene_variant *add_variant(variant_list *list, const char *name, size_t length) {
    if (!is_plain_name(name, length)) {
        complain("'%.*s' cannot name a variant; use letters, digits, '_', '-' and '.'",
                 (int)(length < 80 ? length : 80), name);
        return NULL;
    }
    char *copy = copy_part(name, length);
    if (!copy) return NULL;
    if (find_variant(list, copy)) {
        complain("the variant '%s' is named twice", copy);
        free(copy);
        return NULL;
    }
    if (list->count == VARIANTS_MAX) {
        complain("%d variants are the most that are compared at once", VARIANTS_MAX);
        free(copy);
        return NULL;
    }
    list->items[list->count] = (scene_variant){.name = copy};
    return &list->items[list->count++];
}

static bool is_known_model(const char *name) {
    for (size_t i = 0; i < MODEL_COUNT; i++)
        if (strcmp(model_names[i], name) == 0) return true;
    return false;
}

static bool refuse_model(const char *name) {
    const char *nearest = nearest_word(name, model_names, MODEL_COUNT);
    char list[256] = "";
    size_t used = 0;
    for (size_t i = 0; i < MODEL_COUNT && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", model_names[i]);
    if (nearest)
        complain("unknown model '%s'; did you mean '%s'?", name, nearest);
    else
        complain("unknown model '%s'; models: %s", name, list);
    return false;
}

// --models A,B,C
static bool add_models(variant_list *list, const char *text) {
    while (*text) {
        size_t length = strcspn(text, ",");
        if (length > 0) {
            scene_variant *variant = add_variant(list, text, length);
            if (!variant) return false;
            if (!is_known_model(variant->name)) return refuse_model(variant->name);
            variant->model = copy_part(text, length);
            if (!variant->model) return false;
        }
        text += length + (text[length] == ',');
    }
    return true;
}

// Length up to the next comma that is not inside brackets, braces or quotes: values may be lists.
static size_t item_length(const char *text) {
    int depth = 0;
    char quote = '\0';
    size_t i = 0;
    for (; text[i]; i++) {
        char c = text[i];
        if (quote) {
            if (c == quote) quote = '\0';
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '[' || c == '{' || c == '(') {
            depth++;
        } else if (c == ']' || c == '}' || c == ')') {
            depth--;
        } else if (c == ',' && depth <= 0) {
            break;
        }
    }
    return i;
}

// --variant NAME:PATH=VALUE,PATH=VALUE; nothing behind the colon is the scene as it is.
static bool add_changed(variant_list *list, const char *text) {
    const char *colon = strchr(text, ':');
    if (!colon) {
        complain("--variant needs a name and settings: NAME:PATH=VALUE,PATH=VALUE, not '%s'", text);
        return false;
    }
    scene_variant *variant = add_variant(list, text, (size_t)(colon - text));
    if (!variant) return false;
    size_t room = 1;
    for (const char *c = colon; *c; c++) room += *c == ',';
    variant->overrides = calloc(room, sizeof *variant->overrides);
    if (!variant->overrides) {
        complain("out of memory");
        return false;
    }
    for (const char *item = colon + 1; *item;) {
        size_t length = item_length(item);
        if (length > 0 && !memchr(item, '=', length)) {
            complain("--variant %s: '%.*s' sets nothing; write PATH=VALUE as for --set", variant->name,
                     (int)(length < 80 ? length : 80), item);
            return false;
        }
        if (length > 0) {
            char *copy = copy_part(item, length);
            if (!copy) return false;
            variant->overrides[variant->override_count++] = copy;
        }
        item += length + (item[length] == ',');
    }
    return true;
}

static bool choose_reference(const command_line *line, variant_list *list) {
    const char *name = option_text(line, "against");
    if (!name) return true;
    const scene_variant *found = find_variant(list, name);
    if (!found) {
        const char *names[VARIANTS_MAX];
        for (size_t i = 0; i < list->count; i++) names[i] = list->items[i].name;
        const char *nearest = nearest_word(name, names, list->count);
        complain("--against: there is no variant '%s'%s%s%s", name, nearest ? "; did you mean '" : "",
                 nearest ? nearest : "", nearest ? "'?" : "");
        return false;
    }
    list->reference = (size_t)(found - list->items);
    return true;
}

bool variant_list_parse(const command_line *line, variant_list *out) {
    const char *item, *models = option_text(line, "models");
    *out = (variant_list){.items = calloc(VARIANTS_MAX, sizeof(scene_variant))};
    if (!out->items) {
        complain("out of memory");
        return false;
    }
    if (models && !add_models(out, models)) return false;
    for (size_t i = 0; (item = option_list_item(line, "variant", i)); i++)
        if (!add_changed(out, item)) return false;
    if (out->count < 2) {
        complain("a comparison needs at least two variants: --models A,B, or --variant NAME:PATH=VALUE more than once");
        return false;
    }
    return choose_reference(line, out);
}
