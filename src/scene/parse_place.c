// Places on rods: cable.start, cable.end, cable.middle, cable.node(40), cable.node(-1), cable.element(50), and
// cable.along(30 %), which is parse_along.c's. Rods of structures have a point in their name, web.h3.start, and a list
// may name several rods at once, web.h*.start.
#include "scene/reader.h"
#include "scene/suggest.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t cdg_find_rod(const scene_reader *reader, const char *name, size_t length) {
    size_t low = 0, high = reader->rod_names != NULL ? reader->scene->rod_count : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *candidate = reader->rod_names[middle].name;
        int order = strncmp(candidate, name, length);
        if (order == 0 && candidate[length] != '\0') order = 1;
        if (order == 0) return reader->rod_names[middle].index;
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return SIZE_MAX;
}

// What else in the scene has this name, in words that finish "'ball' is ..."; NULL: nothing.
static const char *other_thing(const scene_reader *reader, const char *name, size_t length) {
    static const struct {
        const char *list, *text;
    } kinds[] = {
        {"bodies", "a body, not a rod; bodies are held by 'fixed: true' and pulled by rods that are welded to them"},
        {"obstacles", "an obstacle, not a rod; obstacles stay where they are, or move by a 'motion' of their own"},
        {"solids", "a solid, not a rod; solids have supports and loads of their own"},
        {"structures", "a structure; name one of its rods, or all of them with a '*'"},
        {"strands", "made of many rods; name one of them, or all of them with a '*'"},
        {"materials", "a material, not a rod"},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const scene_node *list = cdg_tree_get(reader->root, kinds[k].list);
        for (size_t i = 0; list != NULL && i < list->count; i++) {
            const scene_node *given = list->kind == SCENE_MAP ? list->keys[i] : cdg_tree_get(list->items[i], "name");
            if (given == NULL || given->kind != SCENE_SCALAR || given->length != length) continue;
            if (memcmp(given->text, name, length) == 0) return kinds[k].text;
        }
    }
    return NULL;
}

// "cable[3]" of other programs.
static bool refuse_index(scene_reader *reader, const scene_node *node, const char *label, const char *name,
                         size_t length) {
    const char *bracket = memchr(name, '[', length);
    if (bracket == NULL || cdg_find_rod(reader, name, (size_t)(bracket - name)) == SIZE_MAX) return false;
    cdg_reader_fault(reader, node, "%s: a node is written '%.*s.node(%.*s)'", label, (int)(bracket - name), name,
                     (int)(length - (size_t)(bracket - name)) - 2, bracket + 1);
    return true;
}

static bool is_length(const char *text) { // "0.5 m", "20cm"
    char *unit;
    strtod(text, &unit);
    while (*unit == ' ') unit++;
    return unit != text && (strcmp(unit, "m") == 0 || strcmp(unit, "cm") == 0 || strcmp(unit, "mm") == 0);
}

static bool refuse_rod(scene_reader *reader, const scene_node *node, const char *label, const char *name,
                       size_t length) {
    char quoted[CDG_QUOTE_SIZE];
    double number;
    cdg_quote(quoted, name, length);
    const char *other = other_thing(reader, name, length);
    bool is_point = strcmp(label, "position") == 0 || strcmp(label, "velocity") == 0; // of a solid or a body
    if (other != NULL && is_point && (strncmp(other, "a solid", 7) == 0 || strncmp(other, "a body", 6) == 0))
        return cdg_reader_fault(
            reader, node, "%s: %s is %.*s, not a rod; a point of it is '{%.*s: %.*s, at: [0, 0, 0]}'", label, quoted,
            (int)strcspn(other, ","), other, (int)strcspn(other, ",") - 2, other + 2, (int)length, name);
    if (other != NULL && strncmp(label, "cut ", 4) == 0)
        return cdg_reader_fault(reader, node, "%s: %s is %.*s; only rods are cut, at their nodes", label, quoted,
                                (int)strcspn(other, ",;"), other);
    if (other != NULL) return cdg_reader_fault(reader, node, "%s: %s is %s", label, quoted, other);
    if (refuse_index(reader, node, label, name, length)) return false;
    if (cdg_number_parse(node->text, node->length, &number))
        return cdg_reader_fault(reader, node,
                                "%s: expected a place on a rod such as cable.start, found the number %s; "
                                "coordinates do not name a place",
                                label, quoted);
    if (is_length(node->text)) {
        cdg_quote(quoted, node->text, node->length);
        return cdg_reader_fault(reader, node,
                                "%s: expected a place on a rod such as cable.start, found the length %s; on a rod "
                                "'cable' that place is written 'cable.along(%.*s)'",
                                label, quoted, (int)node->length, node->text);
    }
    word_search search = cdg_suggest_begin(name, length);
    for (size_t i = 0; i < reader->scene->rod_count && !cdg_diagnostics_are_full(reader->diagnostics); i++) {
        const char *candidate = reader->scene->rods[i].name;
        if (candidate[0] != '\0') cdg_suggest_offer(&search, candidate);
    }
    if (search.best != NULL) {
        return cdg_reader_fault(reader, node, "no rod is named %s; did you mean '%s'?", quoted, search.best);
    }
    const char *only = reader->scene->rod_count == 1 ? reader->scene->rods[0].name : "";
    if (only[0] != '\0') return cdg_reader_fault(reader, node, "no rod is named %s; there is only '%s'", quoted, only);
    return cdg_reader_fault(reader, node, "no rod is named %s; names stand in the rods as 'name: cable'", quoted);
}

// "(40)", "( -1 )": the whole of the text.
static bool parse_index(const char *text, size_t length, long *out) {
    size_t i = 1;
    if (length < 3 || text[0] != '(' || text[length - 1] != ')') return false;
    length--;
    while (i < length && text[i] == ' ') i++;
    while (length > i && text[length - 1] == ' ') length--;
    bool is_negative = i < length && text[i] == '-';
    i += is_negative;
    if (i >= length || length - i > 9) return false;
    long value = 0;
    for (; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') return false;
        value = value * 10 + (text[i] - '0');
    }
    *out = is_negative ? -value : value;
    return true;
}

static const char *need_text(place_need need) {
    switch (need) {
    case PLACE_NODE: return "a node such as cable.start or cable.node(40)";
    case PLACE_ELEMENT: return "an element such as cable.element(50)";
    case PLACE_EITHER: return "a place such as cable.end, cable.node(40) or cable.element(50)";
    case PLACE_ROD: break;
    }
    return "the name of a rod";
}

typedef struct rod_size {
    const char *name;
    bool is_closed, is_certain; // not certain: the rod has faults, so its counts may change when they are mended
    size_t nodes, elements;
} rod_size;

// node(i) or element(i).
static bool choose_index(scene_reader *reader, const scene_node *node, const char *label, place_need need,
                         const rod_size *rod, bool is_element, long index, cdg_place *out) {
    char quoted[CDG_QUOTE_SIZE];
    if (is_element ? need == PLACE_NODE : need == PLACE_ELEMENT) {
        return cdg_reader_fault(reader, node, "%s takes %s; %s is %s", label, need_text(need),
                                cdg_tree_describe(node, quoted), is_element ? "an element" : "a node");
    }
    size_t count = is_element ? rod->elements : rod->nodes;
    long from_start = index < 0 ? index + (long)count : index;
    if (rod->is_certain && (from_start < 0 || from_start >= (long)count)) {
        return cdg_reader_fault(
            reader, node, "rod '%s' has %s 0 to %zu (or -1 to -%zu from the end); %s is not among them", rod->name,
            is_element ? "elements" : "nodes", count - 1, count, cdg_tree_describe(node, quoted));
    }
    out->kind = is_element ? CDG_PLACE_ELEMENT : CDG_PLACE_NODE;
    out->index = from_start < 0 ? 0 : (size_t)from_start;
    return true;
}

// What other programs call the ends of a rod; NULL: no such word.
static const char *meant_place(const char *word, size_t length) {
    static const char *const words[][2] = {
        {"begin", "start"},   {"beginning", "start"}, {"first", "start"}, {"left", "start"},      {"head", "start"},
        {"root", "start"},    {"last", "end"},        {"tip", "end"},     {"right", "end"},       {"tail", "end"},
        {"center", "middle"}, {"centre", "middle"},   {"mid", "middle"},  {"midpoint", "middle"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i][0]) == length && memcmp(words[i][0], word, length) == 0) return words[i][1];
    return NULL;
}

// start, end and middle are a node or an element, whichever is needed.
static bool choose_word(scene_reader *reader, const scene_node *node, place_need need, const rod_size *rod,
                        const char *word, size_t length, cdg_place *out) {
    static const char *const words[] = {"start", "end", "middle", "node(0)", "element(0)"};
    bool is_start = length == 5 && memcmp(word, "start", 5) == 0, is_end = length == 3 && memcmp(word, "end", 3) == 0;
    bool is_middle = length == 6 && memcmp(word, "middle", 6) == 0;
    if (!is_start && !is_end && !is_middle) {
        char quoted[CDG_QUOTE_SIZE];
        double number;
        const char *meant = meant_place(word, length);
        if (meant != NULL)
            return cdg_reader_fault(reader, node, "rod '%s' has no place %s; use '%s.%s'", rod->name,
                                    cdg_quote(quoted, word, length), rod->name, meant);
        if (cdg_number_parse(word, length, &number) && number != floor(number))
            return cdg_reader_fault(reader, node,
                                    "rod '%s' has no place '%.*s'; nodes have whole numbers, such as '%s.node(4)', and "
                                    "half of its way is '%s.middle'",
                                    rod->name, (int)length, word, rod->name, rod->name);
        if (cdg_number_parse(word, length, &number))
            return cdg_reader_fault(reader, node, "rod '%s' has no place '%.*s'; a node is written '%s.node(%.*s)'",
                                    rod->name, (int)length, word, rod->name, (int)length, word);
        word_search search = cdg_suggest_begin(word, length);
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) cdg_suggest_offer(&search, words[i]);
        cdg_quote(quoted, word, length);
        if (search.best != NULL) {
            return cdg_reader_fault(reader, node, "rod '%s' has no place %s; did you mean '%s.%s'?", rod->name, quoted,
                                    rod->name, search.best);
        }
        return cdg_reader_fault(
            reader, node, "rod '%s' has no place %s; places are start, end, middle, node(i), element(i), along(30 %%)",
            rod->name, quoted);
    }
    if (is_end && rod->is_closed && need != PLACE_ELEMENT) {
        return cdg_reader_fault(reader, node, "rod '%s' is closed and has no end; use '%s.start' or '%s.node(i)'",
                                rod->name, rod->name, rod->name);
    }
    // The middle of an odd number of elements is inside one.
    bool is_element = need == PLACE_ELEMENT || (need == PLACE_EITHER && is_middle && rod->elements % 2 == 1);
    size_t count = is_element ? rod->elements : rod->nodes;
    out->kind = is_element ? CDG_PLACE_ELEMENT : CDG_PLACE_NODE;
    out->index = is_start ? 0 : is_end ? count - 1 : is_element ? (rod->elements - 1) / 2 : rod->elements / 2;
    return true;
}

// How much of a place is the rod's name: up to a point before which a rod's name stands, the longest one; all of it
// when it is one; else, for the message, what comes before the place.
static size_t name_length_of(const scene_reader *reader, const scene_node *node) {
    if (cdg_find_rod(reader, node->text, node->length) != SIZE_MAX) return node->length;
    for (size_t i = node->length; i-- > 0;)
        if (node->text[i] == '.' && cdg_find_rod(reader, node->text, i) != SIZE_MAX) return i;
    const char *first = memchr(node->text, '.', node->length);
    if (first == NULL) return node->length;
    size_t prefix = (size_t)(first - node->text) + 1; // "web.h99.start": the rod is web.h99 if any is web.something
    for (size_t i = 0; i < reader->scene->rod_count; i++) {
        if (strncmp(reader->scene->rods[i].name, node->text, prefix) != 0) continue;
        const char *second = memchr(first + 1, '.', node->length - prefix);
        return second != NULL ? (size_t)(second - node->text) : node->length;
    }
    return prefix - 1;
}

// {body: ball, at: [0, 0, 1 cm]} where only rods have a place.
static bool refuse_point(scene_reader *reader, const scene_node *node, const char *label, place_need need) {
    bool is_body = cdg_tree_get(node, "body") != NULL;
    if (is_body && (strcmp(label, "frame") == 0 || strcmp(label, "angular_velocity") == 0))
        return cdg_reader_fault(reader, node, "%s: a body turns as a whole; write its name alone, such as '%s: ball'",
                                label, label);
    return cdg_reader_fault(
        reader, node, "%s takes %s; a point of a %s is for the probes 'position' and 'velocity'%s, and %s", label,
        need_text(need), is_body ? "body" : "solid", is_body ? "" : " and 'stress'",
        is_body ? "for 'hands' as 'body' and 'local', which pull it; 'fixed: true' holds a body"
                : "for 'hands' as 'solid' and 'local'; solids have supports and loads of their own");
}

bool cdg_parse_place(scene_reader *reader, const scene_node *node, const char *label, place_need need, cdg_place *out) {
    char quoted[CDG_QUOTE_SIZE];
    *out = (cdg_place){0};
    if (node->kind == SCENE_MAP && (cdg_tree_get(node, "body") != NULL || cdg_tree_get(node, "solid") != NULL))
        return refuse_point(reader, node, label, need);
    if (node->kind != SCENE_SCALAR) {
        return cdg_reader_fault(reader, node, "%s: expected %s, found %s", label, need_text(need),
                                cdg_tree_describe(node, quoted));
    }
    size_t name_length = name_length_of(reader, node);
    const char *dot = name_length < node->length ? node->text + name_length : NULL;
    size_t index = cdg_find_rod(reader, node->text, name_length);
    if (index == SIZE_MAX) {
        // Without rods every place would be a fault of its own.
        return reader->rod_names != NULL ? refuse_rod(reader, node, label, node->text, name_length) : false;
    }
    const cdg_rod_def *def = &reader->scene->rods[index];
    out->rod.index1 = (uint32_t)index + 1;
    if (need == PLACE_ROD) {
        if (dot == NULL) return true;
        return cdg_reader_fault(reader, node, "%s takes the name of a rod; write '%s' instead of %s", label, def->name,
                                cdg_tree_describe(node, quoted));
    }
    if (dot == NULL) {
        bool has_range = strcmp(label, "tension") == 0 || strcmp(label, "moment") == 0; // probes over whole rods
        return cdg_reader_fault(reader, node, "%s takes %s; %s is a whole rod%s%s%s", label, need_text(need),
                                cdg_tree_describe(node, quoted), has_range ? ", which has '" : "",
                                has_range ? label : "", has_range ? " range'" : "");
    }
    bool is_closed = reader->rod_is_good[index] && cdg_centerline_is_closed(&def->centerline);
    rod_size rod = {.name = def->name,
                    .is_closed = is_closed,
                    .is_certain = reader->rod_is_good[index],
                    .elements = def->element_count,
                    .nodes = def->element_count + (is_closed ? 0 : 1)};
    const char *word = dot + 1;
    size_t length = node->length - name_length - 1;
    long number;
    bool is_node = length > 4 && memcmp(word, "node", 4) == 0 && parse_index(word + 4, length - 4, &number);
    bool is_element =
        !is_node && length > 7 && memcmp(word, "element", 7) == 0 && parse_index(word + 7, length - 7, &number);
    if (is_node || is_element) return choose_index(reader, node, label, need, &rod, is_element, number, out);
    if (length > 7 && memcmp(word, "along(", 6) == 0 && word[length - 1] == ')') {
        if (need == PLACE_ELEMENT)
            return cdg_reader_fault(reader, node, "%s takes %s; %s is a node", label, need_text(need),
                                    cdg_tree_describe(node, quoted));
        return cdg_choose_along(reader, node, label, index, word + 6, length - 7, out);
    }
    if (!choose_word(reader, node, need, &rod, word, length, out)) return false;
    return length != 6 || memcmp(word, "middle", 6) != 0 || cdg_note_middle(reader, node, index);
}

// Whether a name is what the pattern says, in which '*' stands for any letters.
static bool matches(const char *pattern, size_t length, const char *name) {
    size_t at = 0, star = SIZE_MAX, retry = 0, i = 0;
    while (name[i] != '\0') {
        if (at < length && pattern[at] == '*') {
            star = at++;
            retry = i;
        } else if (at < length && pattern[at] == name[i]) {
            at++;
            i++;
        } else if (star != SIZE_MAX) {
            at = star + 1;
            i = ++retry;
        } else {
            return false;
        }
    }
    while (at < length && pattern[at] == '*') at++;
    return at == length;
}

// "web.h*.start": the same place of every rod whose name matches. `places` has room for all rods.
static bool parse_pattern(scene_reader *reader, const scene_node *node, const char *label, place_need need,
                          cdg_place *places, size_t *count) {
    const cdg_scene *scene = reader->scene;
    const char *bracket = memchr(node->text, '(', node->length);
    size_t name_length = bracket != NULL ? (size_t)(bracket - node->text) : node->length;
    if (need != PLACE_ROD) // the last point that is in no number
        while (name_length > 0 && node->text[name_length - 1] != '.') name_length--;
    size_t pattern_length = need == PLACE_ROD || name_length == 0 ? name_length : name_length - 1;
    *count = 0;
    for (size_t i = 0; i < scene->rod_count; i++) {
        if (!matches(node->text, pattern_length, scene->rods[i].name)) continue;
        scene_node one = *node;
        size_t rod_length = strlen(scene->rods[i].name), rest = node->length - pattern_length;
        char *text = cdg_storage_allocate(reader->storage, rod_length + rest + 1, 1);
        if (text == NULL) return false;
        memcpy(text, scene->rods[i].name, rod_length);
        memcpy(text + rod_length, node->text + pattern_length, rest);
        one.text = text;
        one.length = rod_length + rest;
        if (!cdg_parse_place(reader, &one, label, need, &places[*count])) return false;
        ++*count;
    }
    char quoted[CDG_QUOTE_SIZE];
    if (*count == 0 && reader->rod_names != NULL)
        return cdg_reader_fault(reader, node, "%s: no rod's name is like %s", label,
                                cdg_quote(quoted, node->text, pattern_length));
    return *count > 0;
}

static bool is_pattern(const scene_node *node) {
    return node->kind == SCENE_SCALAR && memchr(node->text, '*', node->length) != NULL;
}

// [0, 0, 1 m]: three numbers.
static bool are_coordinates(const scene_node *list) {
    for (size_t i = 0; i < list->count; i++) {
        const scene_node *item = list->items[i];
        cdg_measure measure;
        cdg_error error;
        if (item->kind != SCENE_SCALAR) return false;
        if (cdg_measure_parse(item->text, item->length, &measure, &error) != CDG_OK) return false;
    }
    return list->count == 3;
}

bool cdg_parse_places(scene_reader *reader, const scene_node *node, const char *label, place_need need, cdg_place **out,
                      size_t *count) {
    bool is_list = node->kind == SCENE_LIST, is_good = true;
    size_t items = is_list ? node->count : 1, room = 0;
    for (size_t i = 0; i < items; i++)
        room += is_pattern(is_list ? node->items[i] : node) ? reader->scene->rod_count : 1;
    *count = 0;
    enum { PLACES_MAX = 10 * 1000 * 1000 };
    if (room > PLACES_MAX)
        return cdg_reader_fault(reader, node, "%s: these are more than %d places", label, PLACES_MAX);
    *out = cdg_storage_allocate(reader->storage, room, sizeof **out);
    if (*out == NULL) return false;
    if (items == 0) return cdg_reader_fault(reader, node, "%s: the list is empty; expected %s", label, need_text(need));
    if (is_list && are_coordinates(node))
        return cdg_reader_fault(reader, node, "%s: coordinates do not name a place; expected %s", label,
                                need_text(need));
    for (size_t i = 0; i < items; i++) {
        const scene_node *item = is_list ? node->items[i] : node;
        size_t found = 1;
        bool is_item_good = is_pattern(item) ? parse_pattern(reader, item, label, need, *out + *count, &found)
                                             : cdg_parse_place(reader, item, label, need, &(*out)[*count]);
        *count += found;
        is_good = is_item_good && is_good;
    }
    return is_good;
}
