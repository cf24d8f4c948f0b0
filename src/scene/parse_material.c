// The key `materials`, and materials and damping written in place.
#include "math/vec3.h"
#include "scene/reader.h"
#include "scene/suggest.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

bool cdg_parse_damping(scene_reader *reader, const scene_node *node, const char *where, cdg_material *out) {
    if (node->kind != SCENE_MAP) {
        double time;
        if (!cdg_read_quantity(reader, node, "damping", CDG_TIME, SCENE_NOT_NEGATIVE, &time)) return false;
        out->damping_stretch = out->damping_shear = out->damping_bend = out->damping_twist = time;
        return true;
    }
    char inside[CDG_WHERE_SIZE];
    snprintf(inside, sizeof inside, "the damping of %.120s", where);
    // A map says all of it: what it leaves out is not damped.
    out->damping_stretch = out->damping_shear = out->damping_bend = out->damping_twist = 0;
    bool is_good = cdg_read_table(reader, &cdg_schema_damping, node, inside, out);
    return cdg_check_friction_coefficients(reader, node, inside) && is_good;
}

bool cdg_parse_material(scene_reader *reader, const scene_node *node, const char *where, cdg_material *out) {
    *out = cdg_material_default();
    bool is_good = cdg_read_table(reader, &cdg_schema_material, node, where, out);
    const scene_node *damping = cdg_tree_get(node, "damping");
    if (damping != NULL && damping->kind != SCENE_NOTHING) {
        is_good = cdg_parse_damping(reader, damping, where, out) && is_good;
    }
    if (!is_good) return false;
    const scene_node *young = cdg_tree_get(node, "young_modulus"), *density = cdg_tree_get(node, "density");
    cdg_check_stiffness_and_density(reader, young, out->young_modulus, density, out->density);
    const scene_node *shear = cdg_tree_get(node, "shear_modulus"), *poisson = cdg_tree_get(node, "poisson_ratio");
    if (shear != NULL && shear->kind != SCENE_NOTHING && out->shear_modulus == 0) {
        out->shear_modulus = CDG_NO_TWIST * out->young_modulus; // 0 would mean that of E and nu
        return true;
    }
    if (shear != NULL && poisson != NULL) {
        double from_poisson = out->young_modulus / (2 * (1 + out->poisson_ratio));
        if (fabs(out->shear_modulus - from_poisson) > 0.01 * from_poisson) {
            cdg_reader_warn(reader, shear,
                            "shear_modulus is %g Pa, but young_modulus and poisson_ratio give %g Pa; the "
                            "shear_modulus given is used",
                            out->shear_modulus, from_poisson);
        }
    }
    return true;
}

void cdg_parse_materials(scene_reader *reader) {
    const scene_node *map = cdg_tree_get(reader->root, "materials");
    if (map == NULL || map->kind == SCENE_NOTHING) return;
    if (map->kind != SCENE_MAP) {
        char quoted[CDG_QUOTE_SIZE];
        cdg_reader_fault(reader, map, "materials: expected a map from names to materials, such as '%s', found %s",
                         "rubber: {young_modulus: 1 MPa, density: 1100 kg/m^3}", cdg_tree_describe(map, quoted));
        return;
    }
    reader->materials_map = map;
    reader->materials = cdg_storage_allocate(reader->storage, map->count, sizeof *reader->materials);
    reader->material_is_used = cdg_storage_allocate(reader->storage, map->count, sizeof *reader->material_is_used);
    reader->material_is_good = cdg_storage_allocate(reader->storage, map->count, sizeof *reader->material_is_good);
    if (cdg_storage_has_failed(reader->storage)) return;
    for (size_t i = 0; i < map->count; i++) {
        char where[CDG_WHERE_SIZE], quoted[CDG_QUOTE_SIZE];
        snprintf(where, sizeof where, "material %s", cdg_quote(quoted, map->keys[i]->text, map->keys[i]->length));
        if (map->items[i]->kind == SCENE_NOTHING) {
            cdg_reader_fault(reader, map->keys[i],
                             "%s is empty; write for example {young_modulus: 1 MPa, density: 1100 "
                             "kg/m^3}",
                             where);
        } else {
            reader->material_is_good[i] = cdg_parse_material(reader, map->items[i], where, &reader->materials[i]);
        }
    }
}

bool cdg_find_material(scene_reader *reader, const scene_node *node, const char *where, cdg_material *out) {
    char quoted[CDG_QUOTE_SIZE];
    if (node->kind == SCENE_MAP) {
        char inside[CDG_WHERE_SIZE];
        snprintf(inside, sizeof inside, "the material of %.120s", where);
        return cdg_parse_material(reader, node, inside, out);
    }
    if (node->kind != SCENE_SCALAR) {
        return cdg_reader_fault(reader, node, "material: expected the name of a material, or a map, found %s",
                                cdg_tree_describe(node, quoted));
    }
    const scene_node *map = reader->materials_map;
    word_search search = cdg_suggest_begin(node->text, node->length);
    for (size_t i = 0; map != NULL && i < map->count; i++) {
        const scene_node *key = map->keys[i];
        if (key->length == node->length && memcmp(key->text, node->text, node->length) == 0) {
            if (cdg_storage_has_failed(reader->storage)) return false;
            *out = reader->materials[i];
            reader->material_is_used[i] = true;
            return reader->material_is_good[i]; // else reported there
        }
        if (!cdg_diagnostics_are_full(reader->diagnostics)) cdg_suggest_offer(&search, key->text);
    }
    cdg_tree_describe(node, quoted);
    if (search.best != NULL) {
        assert(map != NULL);                      // the word is one of its keys
        for (size_t i = 0; i < map->count; i++) { // not unused as well
            if (map->keys[i]->text == search.best && reader->material_is_used != NULL)
                reader->material_is_used[i] = true;
        }
        return cdg_reader_fault(reader, node, "no material %s; did you mean '%s'?", quoted, search.best);
    }
    return cdg_reader_fault(reader, node, "no material %s; add it to 'materials'", quoted);
}

void cdg_check_materials(scene_reader *reader) {
    const scene_node *map = reader->materials_map;
    if (reader->scene->rods == NULL && reader->scene->solid_count == 0) return; // there are other faults
    const char *others = cdg_tree_get(reader->root, "solids") != NULL ? " or solid" : "";
    for (size_t i = 0; map != NULL && i < map->count && !cdg_storage_has_failed(reader->storage); i++) {
        char quoted[CDG_QUOTE_SIZE];
        if (reader->material_is_used[i]) continue;
        cdg_reader_warn(reader, map->keys[i], "material %s is not used by any rod%s",
                        cdg_quote(quoted, map->keys[i]->text, map->keys[i]->length), others);
    }
}
