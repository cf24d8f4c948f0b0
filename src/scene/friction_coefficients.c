// The papers' friction coefficients (Spillmann and Teschner, Cosserat Nets, eqs. 23 to 27; CoRdE, eqs. 3.21 to 3.25):
// gamma_t of stretching, gamma_r of bending and twisting. A damping time is friction over stiffness, so they become
// times once a rod's stiffness is known: gamma_t/(E A), gamma_r/(E I), gamma_r/(G J).
#include "scene/reader.h"

#include <math.h>

// Bending stiffness may differ by this about the two axes, because there is one time for both.
static const double round_enough = 0.01;

static const scene_node *given(const scene_node *map, const char *key) {
    const scene_node *node = map != NULL && map->kind == SCENE_MAP ? cdg_tree_get(map, key) : NULL;
    return node != NULL && node->kind != SCENE_NOTHING ? node : NULL;
}

static bool read_stretch(scene_reader *reader, const scene_node *node, double *out) {
    return cdg_read_quantity(reader, node, "gamma_t", CDG_STRETCH_FRICTION, SCENE_NOT_NEGATIVE, out);
}
static bool read_turn(scene_reader *reader, const scene_node *node, double *out) {
    return cdg_read_quantity(reader, node, "gamma_r", CDG_TURN_FRICTION, SCENE_NOT_NEGATIVE, out);
}

bool cdg_has_friction_coefficients(const scene_node *damping) {
    return damping != NULL && damping->kind == SCENE_MAP &&
           (given(damping, "gamma_t") != NULL || given(damping, "gamma_r") != NULL);
}

bool cdg_check_friction_coefficients(scene_reader *reader, const scene_node *damping, const char *where) {
    static const char *const both[3][2] = {{"gamma_t", "stretch"}, {"gamma_r", "bend"}, {"gamma_r", "twist"}};
    bool is_good = true;
    for (int i = 0; i < 3; i++)
        if (given(damping, both[i][0]) != NULL && given(damping, both[i][1]) != NULL)
            is_good = cdg_reader_fault(reader, cdg_tree_get_key(damping, both[i][0]),
                                       "%s gives both %s and %s, which say the same: a friction and the time that it "
                                       "is over the stiffness; keep one",
                                       where, both[i][0], both[i][1]);
    double value;
    const scene_node *t = given(damping, "gamma_t"), *r = given(damping, "gamma_r");
    if (t != NULL) is_good = read_stretch(reader, t, &value) && is_good;
    if (r != NULL) is_good = read_turn(reader, r, &value) && is_good;
    return is_good;
}

// In the rod, in its material, or in the material that it names.
static const scene_node *damping_of(const scene_reader *reader, const scene_node *rod) {
    const scene_node *material = cdg_tree_get(rod, "material"), *own = given(rod, "damping");
    if (own != NULL || material == NULL) return own;
    if (material->kind == SCENE_SCALAR) material = cdg_tree_get(reader->materials_map, material->text);
    return given(material, "damping");
}

static void convert(scene_reader *reader, const scene_node *damping, cdg_rod_def *def) {
    cdg_stiffness k = def->stiffness;
    cdg_error error;
    if (!def->has_stiffness && cdg_stiffness_compute(&def->material, &def->section, &k, &error) != CDG_OK)
        return; // told where the section is
    const scene_node *t = given(damping, "gamma_t"), *r = given(damping, "gamma_r");
    double stretch = 0, turn = 0;
    if (t != NULL && !read_stretch(reader, t, &stretch)) return;
    if (r != NULL && !read_turn(reader, r, &turn)) return;
    if (def->is_tapered || fabs(k.bend[0] - k.bend[1]) > round_enough * fmax(k.bend[0], k.bend[1])) {
        cdg_reader_fault(reader, damping,
                         "gamma_t and gamma_r are for rods of one round section, as in the papers, and that of rod "
                         "'%s' %s; give damping times, friction over stiffness: 'damping: {stretch: 10 ms, bend: 30 "
                         "ms, twist: 15 ms}'",
                         def->name, def->is_tapered ? "varies" : "bends differently about its two axes");
        return;
    }
    cdg_material *m = &def->material;
    if (t != NULL) m->damping_stretch = stretch / k.stretch;
    if (r != NULL) m->damping_bend = turn / k.bend[0], m->damping_twist = turn / k.twist;
}

void cdg_convert_friction_coefficients(scene_reader *reader) {
    const cdg_scene *scene = reader->scene;
    for (size_t i = 0; i < scene->rod_count; i++) {
        const scene_node *damping = reader->rod_is_good[i] ? damping_of(reader, reader->rod_nodes[i]) : NULL;
        if (!cdg_has_friction_coefficients(damping)) continue;
        size_t faults = reader->diagnostics->fault_count;
        convert(reader, damping, &scene->rods[i]);
        if (reader->diagnostics->fault_count != faults) return; // of a structure, once is enough
    }
}
