// The key `output`: how often results are written, and which fields of rods.
#include "fields/field.h"
#include "scene/reader.h"
#include "scene/suggest.h"

#include <string.h>

static bool may_be_left_out(cdg_field field) {
    return (cdg_field_get(field).traits & (CDG_FIELD_ALWAYS | CDG_FIELD_ADAPTS)) == 0;
}

static cdg_field_set all_that_may_be_left_out(void) {
    cdg_field_set set = 0;
    for (int k = 0; k < CDG_FIELD_COUNT; k++)
        if (may_be_left_out((cdg_field)k)) set |= cdg_field_bit((cdg_field)k);
    return set;
}

static bool fault_name(scene_reader *reader, const scene_node *node) {
    char quote[CDG_QUOTE_SIZE];
    word_search search = cdg_suggest_begin(node->kind == SCENE_SCALAR ? node->text : "", node->length);
    for (int k = 0; k < CDG_FIELD_COUNT; k++) cdg_suggest_offer(&search, cdg_field_get((cdg_field)k).name);
    if (node->kind == SCENE_SCALAR && search.best != NULL)
        return cdg_reader_fault(reader, node, "fields in output: there is no field %s; did you mean '%s'?",
                                cdg_tree_describe(node, quote), search.best);
    return cdg_reader_fault(reader, node,
                            "fields in output: there is no field %s; fields are velocities, angular_velocities, "
                            "tension, forces, moment, strains, curvature, twist",
                            cdg_tree_describe(node, quote));
}

// A list of names: what is not named, and may be, is left out.
static bool parse_fields(scene_reader *reader, const scene_node *node, unsigned *left_out) {
    bool is_good = true;
    if (cdg_tree_is_word(node, "all")) return true;
    if (node->kind != SCENE_LIST)
        return cdg_reader_fault(reader, node,
                                "fields in output must be 'all' or a list of fields, such as [velocities, tension]");
    *left_out = all_that_may_be_left_out();
    for (size_t i = 0; i < node->count; i++) {
        const scene_node *item = node->items[i];
        cdg_field field;
        if (item->kind != SCENE_SCALAR || !cdg_field_find(item->text, &field))
            is_good = fault_name(reader, item);
        else if (!may_be_left_out(field))
            cdg_reader_warn(reader, item, "%s are always written and need not be named; [] writes nothing else",
                            cdg_field_get(field).name);
        else
            *left_out &= ~cdg_field_bit(field);
    }
    return is_good;
}

bool cdg_parse_output(scene_reader *reader) {
    const scene_node *output = cdg_tree_get(reader->root, "output");
    if (output == NULL || output->kind == SCENE_NOTHING) return true;
    bool is_good = cdg_read_table(reader, &cdg_schema_output, output, "output", reader->scene);
    const scene_node *fields = cdg_tree_get(output, "fields");
    if (fields == NULL || fields->kind == SCENE_NOTHING) return is_good;
    return parse_fields(reader, fields, &reader->scene->left_out) && is_good;
}
