// What is only seen when a rod is complete: whether its model can simulate it, and numbers that fit their keys but not
// each other.
#include "base/error.h"
#include "math/vec3.h"
#include "rods/rod_model.h"
#include "scene/reader.h"

#include <stdio.h>

// Length of the polygon through the nodes. Only asked for when there are few.
enum { CHORD_ELEMENTS_MAX = 512 };
static bool polygon_length(const cdg_rod_def *def, double *out) {
    cdg_vec3 nodes[CHORD_ELEMENTS_MAX + 1];
    cdg_error error;
    bool is_closed = cdg_centerline_is_closed(&def->centerline);
    if (def->element_count > CHORD_ELEMENTS_MAX) return false;
    if (cdg_centerline_sample(&def->centerline, def->element_count, nodes, &error) != CDG_OK) return false;
    *out = 0;
    for (size_t i = 0; i < def->element_count; i++) {
        size_t next = is_closed && i + 1 == def->element_count ? 0 : i + 1;
        *out += vec3_distance(nodes[i], nodes[next]);
    }
    return true;
}

double cdg_section_radius(const cdg_rod_def *def) {
    if (def->has_stiffness) return def->stiffness.radius;
    cdg_section_properties start, end;
    cdg_error error;
    if (cdg_section_compute(&def->section, def->material.poisson_ratio, &start, &error) != CDG_OK ||
        cdg_section_compute(&def->section_end, def->material.poisson_ratio, &end, &error) != CDG_OK) {
        return 0;
    }
    return fmax(start.bounding_radius, def->is_tapered ? end.bounding_radius : 0);
}

// Equilibria and vibrations, which not every model finds.
static void check_statics(scene_reader *reader, const scene_node *node, const char *where, const cdg_rod_model *model) {
    const cdg_scene *scene = reader->scene;
    bool lacks_statics = scene->mode == SCENE_STATIC && model->statics.find_equilibrium == NULL;
    bool lacks_modes = scene->mode_count > 0 && model->statics.find_modes == NULL;
    if (!lacks_statics && !lacks_modes) return;
    char list[120] = "";
    size_t used = 0;
    for (size_t i = 0; i < cdg_rod_model_count() && used < sizeof list; i++) {
        const cdg_rod_model *other = cdg_rod_model_get((cdg_model)i);
        if (lacks_statics ? other->statics.find_equilibrium == NULL : other->statics.find_modes == NULL) continue;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "", other->name);
    }
    cdg_reader_fault(reader, node, "%s: model '%s' cannot find %s; models that can: %s", where, model->name,
                     lacks_statics ? "equilibria (mode: static)" : "vibrations (modes)", list);
}

// Without shear modulus, sections of a model that shears would slide over each other.
static bool may_lack_twist(scene_reader *reader, const scene_node *node, const char *where, const cdg_rod_def *def,
                           const cdg_rod_model *model) {
    bool shears = model->measures.edge_kind == NULL;
    if (def->has_stiffness || !shears || def->material.shear_modulus != CDG_NO_TWIST * def->material.young_modulus)
        return true;
    return cdg_reader_fault(reader, node,
                            "%s: with 'shear_modulus: 0' nothing resists shear in model '%s' either; choose corde or "
                            "der, or give 'stiffness' with a small twist",
                            where, model->name);
}

void cdg_check_rod(scene_reader *reader, const scene_node *node, const char *where, const cdg_rod_def *def) {
    cdg_error error;
    if (!def->has_stiffness) {
        cdg_stiffness stiffness;
        if (cdg_stiffness_compute(&def->material, &def->section, &stiffness, &error) != CDG_OK ||
            (def->is_tapered &&
             cdg_stiffness_compute(&def->material, &def->section_end, &stiffness, &error) != CDG_OK)) {
            cdg_reader_pass_on(reader, node, where, error.message);
            return;
        }
    }
    const cdg_rod_model *model = cdg_rod_model_get(def->model);
    if (reader->simulation_is_good && model != NULL && model->check != NULL && model->check(def, &error) != CDG_OK) {
        cdg_reader_pass_on(reader, node, where, error.message);
        return;
    }
    if (reader->simulation_is_good && model != NULL && !may_lack_twist(reader, node, where, def, model)) return;
    if (reader->simulation_is_good && model != NULL) check_statics(reader, node, where, model);

    double length, radius = cdg_section_radius(def), polygon;
    if (cdg_centerline_length(&def->centerline, &length, &error) != CDG_OK || !(radius > 0)) return;
    const scene_node *elements = cdg_tree_get(node, "elements"), *blamed = elements != NULL ? elements : node;
    double element = length / (double)def->element_count;
    // Rod theory needs length >> thickness; five diameters is where Timoshenko beams still are good to some per cent.
    if (length < 10 * radius) {
        cdg_reader_warn(reader, node,
                        "%s is %.3g m long and %.3g m thick; rods should be at least five times as long as thick",
                        where, length, 2 * radius);
    } else if (2 * radius > 4 * element) {
        // Elements much shorter than the section is thick resolve nothing that rod theory knows, and cost small steps.
        double most = fmax(3, floor(length / (2 * radius)));
        cdg_reader_warn(reader, blamed,
                        "the section of %s is %.3g m thick but an element only %.3g m long; %.0f elements would "
                        "do",
                        where, 2 * radius, element, most);
    }
    cdg_check_slenderness(reader, node, where, length, radius);
    if (polygon_length(def, &polygon) && polygon < 0.97 * length) {
        cdg_reader_warn(reader, blamed,
                        "%zu elements are too few to follow the centerline of %s: they are %.2g %% shorter than "
                        "the curve",
                        def->element_count, where, 100 * (1 - polygon / length));
    }
    cdg_check_bend(reader, node, where, def);
}
