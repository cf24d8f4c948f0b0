// Values from nodes: quantities with units, vectors, counts, choices, names; and whole maps by their schema table.
#include "scene/reader.h"

#include "base/error.h"
#include "base/regular_file.h"
#include "math/vec3.h"
#include "scene/misplaced_keys.h"
#include "scene/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cdg_reader_fault(scene_reader *reader, const scene_node *node, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    cdg_diagnostics_add_list(reader->diagnostics, CDG_FAULT, node->mark, format, arguments);
    va_end(arguments);
    return false;
}

bool cdg_reader_warn(scene_reader *reader, const scene_node *node, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    cdg_diagnostics_add_list(reader->diagnostics, CDG_WARNING, node->mark, format, arguments);
    va_end(arguments);
    return false;
}

bool cdg_reader_pass_on(scene_reader *reader, const scene_node *node, const char *where, const char *message) {
    if (strstr(message, where) != NULL) return cdg_reader_fault(reader, node, "%s", message);
    return cdg_reader_fault(reader, node, "%s: %s", where, message);
}

bool cdg_reader_file_fault(scene_reader *reader, const scene_node *node, const cdg_error *error) {
    bool is_absent = error->code == CDG_ERROR_IO && node->length > 0 && node->text[0] != '/';
    return cdg_reader_fault(reader, node, "%s%s", error->message,
                            is_absent ? "; files are looked for in the directory of the scene" : "");
}

// ---- numbers --------------------------------------------------------------------------------------------------------

static bool is_in_range(double value, scene_range range) {
    switch (range) {
    case SCENE_ANY: return true;
    case SCENE_POSITIVE: return value > 0;
    case SCENE_NOT_NEGATIVE: return value >= 0;
    case SCENE_FRACTION: return value >= 0 && value <= 1;
    case SCENE_HALF: return value >= 0 && value <= 0.5;
    case SCENE_POISSON: return value > -1 && value <= 0.5;
    }
    return false;
}

static const char *range_text(scene_range range) {
    switch (range) {
    case SCENE_POSITIVE: return "greater than 0";
    case SCENE_NOT_NEGATIVE: return "0 or more";
    case SCENE_FRACTION: return "from 0 to 1";
    case SCENE_HALF: return "from 0 to 0.5";
    case SCENE_POISSON: return "greater than -1 and at most 0.5";
    case SCENE_ANY: break;
    }
    return "a finite number";
}

// A mesh has a scale that is a length: what one unit of its file is.
static const char *scale_cure(const char *label, cdg_quantity quantity) {
    bool is_scale = quantity == CDG_NUMBER && strcmp(label, "scale") == 0;
    return is_scale ? "; what one unit of a file is says its shape: '{file: part.stl, unit: 1 mm}'" : "";
}

// A rod without any stiffness against twist would leave its frames undetermined.
static const char *zero_cure(const char *label, cdg_quantity quantity, double value) {
    bool is_twist = quantity == CDG_BENDING && strcmp(label, "twist") == 0 && value == 0;
    return is_twist ? "; what hardly resists twist has little, such as a thousandth of 'bend'" : "";
}

bool cdg_read_quantity(scene_reader *reader, const scene_node *node, const char *label, cdg_quantity quantity,
                       scene_range range, double *out) {
    char quoted[CDG_QUOTE_SIZE];
    const char *kind = cdg_quantity_text(quantity), *example = cdg_quantity_example(quantity);
    if (node->kind != SCENE_SCALAR) {
        return cdg_reader_fault(reader, node, "%s: expected %s such as '%s', found %s", label, kind, example,
                                cdg_tree_describe(node, quoted));
    }
    cdg_measure measure;
    cdg_error error;
    if (cdg_measure_parse(node->text, node->length, &measure, &error) != CDG_OK) {
        char first = node->length > 0 ? node->text[0] : '\0';
        bool is_word = first != '.' && first != '-' && first != '+' && (first < '0' || first > '9') &&
                       strstr(error.message, "not a finite") == NULL;
        if (is_word) {
            return cdg_reader_fault(reader, node, "%s: expected %s such as '%s', found %s", label, kind, example,
                                    cdg_tree_describe(node, quoted));
        }
        return cdg_reader_fault(reader, node, "%s: %s", label, error.message);
    }
    if (!cdg_measure_fits(&measure, quantity)) {
        char given[64];
        cdg_dimension_describe(measure.dimension, given, sizeof given);
        const char *noun = strchr(kind, ' ');
        if (noun != NULL && strcmp(noun + 1, label) == 0) { // not "angle is an angle"
            return cdg_reader_fault(reader, node, "%s: expected %s such as '%s'; %s is %s", label, kind, example,
                                    cdg_tree_describe(node, quoted), given);
        }
        return cdg_reader_fault(reader, node, "%s is %s; %s is %s%s", label, kind, cdg_tree_describe(node, quoted),
                                given, scale_cure(label, quantity));
    }
    if (!is_in_range(measure.value, range)) {
        return cdg_reader_fault(reader, node, "%s must be %s; it is %s%s", label, range_text(range),
                                cdg_tree_describe(node, quoted), zero_cure(label, quantity, measure.value));
    }
    *out = measure.value;
    // Nobody gives many turns as a whole number of radians.
    enum { RADIANS_MAX = 10 };
    bool is_plain_angle = quantity == CDG_ANGLE && !measure.has_unit && fabs(measure.value) >= RADIANS_MAX;
    if (is_plain_angle && fmod(measure.value, 5) == 0) {
        cdg_tree_describe(node, quoted);
        cdg_reader_warn(reader, node, "%s: %s without a unit is in radians, %.3g turns; were degrees meant? '%g deg'",
                        label, quoted, measure.value / (2 * 3.14159265358979323846), measure.value);
    }
    return true;
}

// `least` to `most` quantities from a list; a single value stands for all when `may_be_one`.
static bool read_numbers(scene_reader *reader, const scene_node *node, const char *label, cdg_quantity quantity,
                         scene_range range, const char *example, size_t count, bool may_be_one, double *out) {
    char quoted[CDG_QUOTE_SIZE];
    if (may_be_one && node->kind == SCENE_SCALAR) {
        if (!cdg_read_quantity(reader, node, label, quantity, range, &out[0])) return false;
        for (size_t i = 1; i < count; i++) out[i] = out[0];
        return true;
    }
    const char *number = count == 2 ? "two" : "three";
    if (node->kind != SCENE_LIST) {
        const char *more = quantity == CDG_ACCELERATION ? "; [0, 0, 0] is none" : "";
        return cdg_reader_fault(reader, node, "%s: expected a list of %s %s such as %s, found %s%s", label, number,
                                cdg_quantity_plural(quantity), example, cdg_tree_describe(node, quoted), more);
    }
    if (node->count != count) {
        return cdg_reader_fault(reader, node, "%s: expected %s %s such as %s, found a list of %zu", label, number,
                                cdg_quantity_plural(quantity), example, node->count);
    }
    bool is_good = true;
    for (size_t i = 0; i < count; i++) {
        is_good = cdg_read_quantity(reader, node->items[i], label, quantity, range, &out[i]) && is_good;
    }
    return is_good;
}

static void vector_example(cdg_quantity quantity, char *out, size_t size) {
    if (quantity == CDG_NUMBER) {
        snprintf(out, size, "[0, 0, 1]");
    } else {
        snprintf(out, size, "[0, 0, %s]", cdg_quantity_example(quantity));
    }
}

bool cdg_read_vector(scene_reader *reader, const scene_node *node, const char *label, cdg_quantity quantity,
                     cdg_vec3 *out) {
    double values[3] = {0};
    char example[48];
    vector_example(quantity, example, sizeof example);
    if (!read_numbers(reader, node, label, quantity, SCENE_ANY, example, 3, false, values)) return false;
    *out = vec3(values[0], values[1], values[2]);
    return true;
}

bool cdg_read_direction(scene_reader *reader, const scene_node *node, const char *label, cdg_vec3 *out) {
    cdg_vec3 direction;
    static const char *const letters[] = {"x", "y", "z", "X", "Y", "Z"};
    for (int i = 0; i < 6; i++)
        if (cdg_tree_is_word(node, letters[i]))
            return cdg_reader_fault(reader, node,
                                    "%s: a direction is a list of three numbers; write [%d, %d, %d] for %s", label,
                                    i % 3 == 0, i % 3 == 1, i % 3 == 2, letters[i]);
    if (!cdg_read_vector(reader, node, label, CDG_NUMBER, &direction)) return false;
    // Scaled first, so that very large and very small components neither overflow nor vanish in the norm.
    double largest = fmax(fabs(direction.x), fmax(fabs(direction.y), fabs(direction.z)));
    if (largest < 1e-300) return cdg_reader_fault(reader, node, "%s is a direction; it must not be zero", label);
    *out = vec3_normalize(vec3(direction.x / largest, direction.y / largest, direction.z / largest));
    return true;
}

bool cdg_read_integer(scene_reader *reader, const scene_node *node, const char *label, int least, int most, int *out) {
    char quoted[CDG_QUOTE_SIZE];
    double value = 0;
    bool is_number = node->kind == SCENE_SCALAR && cdg_number_parse(node->text, node->length, &value);
    if (!is_number || value != floor(value)) {
        return cdg_reader_fault(reader, node, "%s: expected a whole number such as %d, found %s", label,
                                least > 1 ? least : least + 4, cdg_tree_describe(node, quoted));
    }
    if (value < least || value > most) {
        return cdg_reader_fault(reader, node, "%s must be from %d to %d; it is %s", label, least, most,
                                cdg_tree_describe(node, quoted));
    }
    *out = (int)value;
    return true;
}

bool cdg_read_switch(scene_reader *reader, const scene_node *node, const char *label, bool *out) {
    static const char *const words[2][6] = {{"false", "no", "off", "False", "No", "Off"},
                                            {"true", "yes", "on", "True", "Yes", "On"}};
    for (int value = 0; value < 2; value++) {
        for (size_t i = 0; i < 6; i++) {
            if (cdg_tree_is_word(node, words[value][i])) {
                *out = value == 1;
                return true;
            }
        }
    }
    char quoted[CDG_QUOTE_SIZE];
    return cdg_reader_fault(reader, node, "%s: expected true or false, found %s", label,
                            cdg_tree_describe(node, quoted));
}

// ---- by schema ------------------------------------------------------------------------------------------------------

static bool read_choice(scene_reader *reader, const scene_key *key, const scene_node *node, void *target) {
    char quoted[CDG_QUOTE_SIZE], list[160] = "";
    size_t used = 0;
    word_search search = cdg_suggest_begin(node->kind == SCENE_SCALAR ? node->text : "", node->length);
    for (int i = 0; key->choices[i] != NULL; i++) {
        if (cdg_tree_is_word(node, key->choices[i])) {
            memcpy(target, &i, sizeof i);
            return true;
        }
        cdg_suggest_offer(&search, key->choices[i]);
        if (used < sizeof list) {
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", key->choices[i]);
        }
    }
    cdg_tree_describe(node, quoted);
    const char *found = node->kind == SCENE_SCALAR ? quoted : cdg_tree_describe(node, quoted);
    if (search.best != NULL) {
        return cdg_reader_fault(reader, node, "%s: %s is not known; did you mean '%s'?", key->name, found, search.best);
    }
    return cdg_reader_fault(reader, node, "%s: expected one of %s, found %s%s%s", key->name, list, found,
                            key->hint != NULL ? "; " : "", key->hint != NULL ? key->hint : "");
}

static bool read_text(scene_reader *reader, const scene_key *key, const scene_node *node, const char **target) {
    char quoted[CDG_QUOTE_SIZE];
    if (node->kind != SCENE_SCALAR) {
        return cdg_reader_fault(reader, node, "%s: expected text%s%s, found %s", key->name,
                                key->example != NULL ? " such as " : "", key->example != NULL ? key->example : "",
                                cdg_tree_describe(node, quoted));
    }
    *target = node->text;
    return true;
}

static bool read_variant(scene_reader *reader, const scene_key *key, const scene_node *node, void *target) {
    bool *is_second = (bool *)((unsigned char *)target + key->offset);
    *is_second = !cdg_tree_is_word(node, key->choices[0]);
    if (!*is_second || cdg_tree_is_word(node, key->choices[1])) return true;
    const scene_node *map = cdg_tree_get(node, key->choices[1]);
    char text[CDG_QUOTE_SIZE];
    if (map == NULL || node->count != 1)
        return cdg_reader_fault(reader, node, "%s: expected %s, %s or %s, found %s; %s", key->name, key->choices[0],
                                key->choices[1], key->example, cdg_tree_describe(node, text), key->hint);
    snprintf(text, sizeof text, "%s.%s", key->name, key->choices[1]);
    return cdg_read_table(reader, key->table, map, text, target);
}

bool cdg_read_value(scene_reader *reader, const scene_key *key, const scene_node *node, void *target) {
    if (target == NULL) return true; // a table of SPECIAL keys only
    void *member = (unsigned char *)target + key->offset;
    char example[48];
    if (key->is_automatic && cdg_tree_is_word(node, "auto")) {
        memset(member, 0, key->type == SCENE_TYPE_INTEGER ? sizeof(int) : sizeof(double));
        return true;
    }
    switch (key->type) {
    case SCENE_TYPE_VARIANT: return read_variant(reader, key, node, target);
    case SCENE_TYPE_QUANTITY: return cdg_read_quantity(reader, node, key->name, key->quantity, key->range, member);
    case SCENE_TYPE_VECTOR: return cdg_read_vector(reader, node, key->name, key->quantity, member);
    case SCENE_TYPE_DIRECTION: return cdg_read_direction(reader, node, key->name, member);
    case SCENE_TYPE_PAIR:
        return read_numbers(reader, node, key->name, key->quantity, key->range, key->example, 2, true, member);
    case SCENE_TYPE_TRIPLE:
        return read_numbers(reader, node, key->name, key->quantity, key->range,
                            key->example != NULL ? key->example
                                                 : (vector_example(key->quantity, example, sizeof example), example),
                            3, true, member);
    case SCENE_TYPE_COUNT: {
        int value = 0;
        if (!cdg_read_integer(reader, node, key->name, key->least, key->most, &value)) return false;
        *(size_t *)member = (size_t)value;
        return true;
    }
    case SCENE_TYPE_INTEGER: return cdg_read_integer(reader, node, key->name, key->least, key->most, member);
    case SCENE_TYPE_SWITCH: return cdg_read_switch(reader, node, key->name, member);
    case SCENE_TYPE_CHOICE: return read_choice(reader, key, node, member);
    case SCENE_TYPE_TEXT: return read_text(reader, key, node, member);
    case SCENE_TYPE_MODEL:
    case SCENE_TYPE_SPECIAL:
    case SCENE_TYPE_LATER: break;
    }
    return true;
}

bool cdg_read_table(scene_reader *reader, const scene_table *table, const scene_node *map, const char *where,
                    void *target) {
    char text[400], quoted[CDG_QUOTE_SIZE];
    if (map->kind != SCENE_MAP) {
        const scene_key *first = &table->keys[0];
        const char *more = table == &cdg_schema_knot ? "; knots in ropes are 'tied: {knot: overhand}'" : "";
        return cdg_reader_fault(reader, map, "%s: expected a map such as {%s: %s}, found %s%s", where, first->name,
                                first->example != NULL ? first->example : "...", cdg_tree_describe(map, quoted), more);
    }
    bool is_good = true;
    for (size_t i = 0; i < map->count; i++) {
        const scene_node *key_node = map->keys[i], *value = map->items[i];
        const scene_key *key = cdg_schema_find(table, key_node->text, key_node->length);
        if (key == NULL) {
            is_good = false;
            text[0] = '\0';
            if (value->kind == SCENE_NOTHING && key_node->length > 0 && strchr("0123456789", key_node->text[0])) {
                cdg_reader_fault(reader, key_node,
                                 "%s in %s stands where a key should; decimals have a point (1.5), thousands no comma "
                                 "(1100), and lists stand in [ ]",
                                 cdg_quote(quoted, key_node->text, key_node->length), where);
                continue;
            }
            if (!cdg_diagnostics_are_full(reader->diagnostics)) {
                cdg_schema_suggest(table, key_node->text, key_node->length, text, sizeof text);
            }
            cdg_reader_fault(reader, key_node, "unknown key %s in %s; %s",
                             cdg_quote(quoted, key_node->text, key_node->length), where, text);
        } else if (key->type == SCENE_TYPE_LATER) {
            is_good = cdg_reader_fault(reader, key_node, "%s is not in this version of Cordage",
                                       cdg_quote(quoted, key_node->text, key_node->length));
        } else if (value->kind == SCENE_NOTHING) {
            cdg_schema_value(key, text, sizeof text);
            for (char *c = text; *c != '\0'; c++) *c = *c == '`' ? '\'' : *c; // the reference is Markdown, this is not
            is_good = cdg_reader_fault(reader, key_node, "%s has no value; expected %s", key->name, text);
        } else {
            is_good = cdg_read_value(reader, key, value, target) && is_good;
        }
    }
    for (size_t i = 0; i < cdg_schema_count(table); i++) {
        const scene_key *key = cdg_schema_key(table, i);
        if (!key->is_required || cdg_read_means(map, table, key->name)) continue;
        is_good = cdg_reader_fault(reader, map, "%s has no %s; add for example '%s: %s'", where, key->name, key->name,
                                   key->example);
    }
    return is_good;
}

bool cdg_read_means(const scene_node *map, const scene_table *table, const char *name) {
    // A map with very many keys is nonsense anyway, and the search for what each of them means takes time.
    enum { KEYS_MAX = 64 };
    char text[400];
    if (map->kind != SCENE_MAP) return true; // refused already: what it lacks is not the point
    if (cdg_tree_get_key(map, name) != NULL) return true;
    for (size_t i = 0; i < map->count && i < KEYS_MAX; i++) {
        const scene_node *key = map->keys[i];
        if (cdg_schema_find(table, key->text, key->length) != NULL) continue;
        const scene_key *near = cdg_schema_suggest(table, key->text, key->length, text, sizeof text);
        if (near != NULL && strcmp(near->name, name) == 0) return true;
    }
    return false;
}

int cdg_read_one_of(scene_reader *reader, const scene_node *map, const scene_table *table, const char *where,
                    const char *const *names) {
    int found = -1;
    bool is_meant = false;
    char list[320];
    size_t used = 0;
    for (int i = 0; names[i] != NULL; i++) {
        if (used < sizeof list) {
            const char *join = i == 0 ? "" : names[i + 1] == NULL ? " or " : ", ";
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", join, names[i]);
        }
        const scene_node *key = cdg_tree_get_key(map, names[i]);
        if (key == NULL) {
            is_meant = is_meant || cdg_read_means(map, table, names[i]);
            continue;
        }
        if (found >= 0) {
            cdg_reader_fault(reader, key, "%s has both %s and %s; keep one", where, names[found], names[i]);
            return -1;
        }
        found = i;
    }
    // An unknown key is reported already, with all that there are.
    for (size_t i = 0; i < map->count && found < 0; i++)
        is_meant = is_meant || cdg_schema_find(table, map->keys[i]->text, map->keys[i]->length) == NULL;
    if (found < 0 && !is_meant) cdg_reader_fault(reader, map, "%s needs one of %s", where, list);
    return found;
}

static bool is_name(const scene_node *node) {
    if (node->kind != SCENE_SCALAR || node->length == 0) return false;
    for (size_t i = 0; i < node->length; i++) {
        char c = node->text[i];
        bool is_good =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
        if (!is_good) return false;
    }
    return true;
}

const char *cdg_read_name(scene_reader *reader, const scene_node *map, const char *what) {
    enum { NAME_MAX_LENGTH = 64 };
    const scene_node *node = cdg_tree_get(map, "name");
    if (node == NULL || node->kind == SCENE_NOTHING) return NULL; // reported with the table
    char quoted[CDG_QUOTE_SIZE];
    if (!is_name(node)) {
        char better[32] = "";
        for (size_t i = 0; node->kind == SCENE_SCALAR && node->length < sizeof better && i < node->length; i++) {
            scene_node letter = {.kind = SCENE_SCALAR, .text = node->text + i, .length = 1};
            better[i] = (char)(is_name(&letter) ? node->text[i] : '_');
            better[i + 1] = '\0';
        }
        bool is_better = better[0] != '\0';
        cdg_reader_fault(reader, node, "the name of a %s has letters, digits, '_' and '-' only; found %s%s%s%s", what,
                         cdg_tree_describe(node, quoted), is_better ? "; write for example '" : "", better,
                         is_better ? "'" : "");
        return NULL;
    }
    if (node->length > NAME_MAX_LENGTH) {
        cdg_reader_fault(reader, node, "the name of a %s has at most %d letters", what, NAME_MAX_LENGTH);
        return NULL;
    }
    return node->text;
}

void cdg_reader_where(char out[CDG_WHERE_SIZE], const char *what, const scene_node *map, size_t index) {
    const scene_node *name = cdg_tree_get(map, "name");
    char quoted[CDG_QUOTE_SIZE];
    if (name != NULL && name->kind == SCENE_SCALAR) {
        snprintf(out, CDG_WHERE_SIZE, "%s %s", what, cdg_quote(quoted, name->text, name->length));
    } else {
        snprintf(out, CDG_WHERE_SIZE, "%s %zu", what, index + 1);
    }
}

const scene_node *cdg_read_list(scene_reader *reader, const char *key, const char *example) {
    const scene_node *node = cdg_tree_get(reader->root, key);
    if (node == NULL || node->kind == SCENE_NOTHING) return NULL; // absent, or reported with the table
    if (node->kind == SCENE_LIST) return node;
    char quoted[CDG_QUOTE_SIZE];
    cdg_reader_fault(reader, node, "%s: expected a list, each item after a '-', such as '- %s'; found %s", key, example,
                     cdg_tree_describe(node, quoted));
    return NULL;
}

bool cdg_reader_note_file(scene_reader *reader, const scene_node *node, const char *name, const char *path) {
    cdg_scene *scene = reader->scene;
    char *text = NULL;
    size_t size = 0;
    cdg_error error;
    if (cdg_regular_file_read(path, CDG_INPUT_BYTES_MAX, &text, &size, &error) != CDG_OK)
        return cdg_reader_fault(reader, node, "%s", error.message);
    scene_file file = {cdg_storage_copy(reader->storage, name, strlen(name)), cdg_bytes_hash(0, text, size), size};
    free(text);
    scene_file *grown = cdg_storage_grow(reader->storage, scene->files, scene->file_count, sizeof *grown);
    if (grown == NULL || file.name == NULL) return false;
    scene->files = grown;
    scene->files[scene->file_count++] = file;
    return true;
}

// ---- files ----------------------------------------------------------------------------------------------------------

static bool leaves_folder(const char *name) {
    if (name[0] == '/') return true;
    for (const char *part = name; part != NULL; part = strchr(part, '/')) {
        if (*part == '/') part++;
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0')) return true;
    }
    return false;
}

bool cdg_reader_may_read(scene_reader *reader, const scene_node *node, const char *name) {
    if (!reader->scene->is_confined || !leaves_folder(name)) return true;
    return cdg_reader_fault(reader, node, "file '%s' is not in the scene's folder, where this text may read alone",
                            name);
}
