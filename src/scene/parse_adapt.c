// The key `adapt`: whether and how rods change their resolution.
#include "scene/reader.h"

#include <stdio.h>

bool cdg_parse_adapt(scene_reader *reader, const scene_node *parent, const char *where, cdg_adapt_options *out) {
    const scene_node *node = cdg_tree_get(parent, "adapt");
    if (node == NULL || node->kind == SCENE_NOTHING) return true;
    if (node->kind == SCENE_MAP) {
        char inside[CDG_WHERE_SIZE];
        snprintf(inside, sizeof inside, "adapt of %.120s", where);
        if (!cdg_read_table(reader, &cdg_schema_adapt, node, inside, out)) return false;
        out->is_on = true;
        if (out->coarsen < out->angle / 2) return true;
        const scene_node *coarsen = cdg_tree_get(node, "coarsen");
        return cdg_reader_fault(reader, coarsen != NULL ? coarsen : node,
                                "coarsen (%g rad) must be less than half of angle (%g rad), or elements would be "
                                "halved and made one in turn",
                                out->coarsen, out->angle);
    }
    static const char *const off[] = {"off", "false", "no"}, *const on[] = {"on", "true", "yes"};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        if (!cdg_tree_is_word(node, off[i]) && !cdg_tree_is_word(node, on[i])) continue;
        out->is_on = cdg_tree_is_word(node, on[i]);
        return true;
    }
    char quoted[CDG_QUOTE_SIZE];
    return cdg_reader_fault(reader, node, "adapt: expected on, off, or a map such as {angle: 0.3 rad}, found %s",
                            cdg_tree_describe(node, quoted));
}
