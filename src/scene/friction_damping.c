// Damping of corde rods that nobody gave any, in scenes with friction. Nothing takes energy out of an undamped rod's
// shortest waves, which sliding excites: it chatters, its hold on what it is wound around comes and goes, and it slides
// where friction would carry it. A little damping, to which such waves lose their energy and longer ones hardly, is
// what explicit codes give by default (as bulk viscosity).
#include "rods/rod_model.h"
#include "scene/reader.h"

#include <math.h>

// A share of the time that a wave of stretching needs for an element: the shortest wave has a damping ratio of 0.1, one
// as long as n elements of 0.3/n.
static const double share = 0.1;

static bool is_given(const scene_node *map) {
    const scene_node *node = cdg_tree_get(map, "damping");
    return node != NULL && node->kind != SCENE_NOTHING;
}

static bool has_friction(const cdg_scene *scene) {
    bool has = scene->contact.friction > 0;
    for (size_t i = 0; i < scene->obstacle_count; i++) has = has || scene->obstacles[i].friction > 0;
    for (size_t i = 0; i < scene->body_count; i++) has = has || scene->bodies[i].friction > 0;
    return has;
}

// In the rod, in its material, or in the material that it names.
static bool is_damping_given(const scene_reader *reader, const scene_node *node) {
    const scene_node *material = cdg_tree_get(node, "material");
    if (is_given(node) || is_given(material)) return true;
    bool is_named = material != NULL && material->kind == SCENE_SCALAR;
    return is_named && is_given(cdg_tree_get(reader->materials_map, material->text));
}

static double wave_time(const cdg_rod_def *def) {
    cdg_stiffness k = def->stiffness;
    cdg_error error;
    double length;
    if (!def->has_stiffness && cdg_stiffness_compute(&def->material, &def->section, &k, &error) != CDG_OK) return 0;
    if (cdg_centerline_length(&def->centerline, &length, &error) != CDG_OK) return 0;
    double time = length / (double)def->element_count * sqrt(k.mass / k.stretch);
    return isfinite(time) ? time : 0;
}

static bool is_damped(const cdg_material *m) {
    return m->damping_stretch > 0 || m->damping_shear > 0 || m->damping_bend > 0 || m->damping_twist > 0;
}

void cdg_damp_for_friction(scene_reader *reader) {
    cdg_scene *scene = reader->scene;
    if (!reader->simulation_is_good || scene->contact.choice == CDG_CONTACT_OFF || scene->mode == SCENE_STATIC ||
        !has_friction(scene))
        return;
    const scene_node *said = NULL;
    for (size_t i = 0; i < scene->rod_count; i++) {
        cdg_rod_def *def = &scene->rods[i];
        const scene_node *node = reader->rod_nodes[i];
        if (!cdg_rod_model_get(def->model)->chatters_undamped || !reader->rod_is_good[i] || is_damped(&def->material))
            continue;
        if (is_damping_given(reader, node)) continue;
        double time = share * wave_time(def);
        cdg_material *m = &def->material;
        m->damping_stretch = m->damping_shear = m->damping_bend = m->damping_twist = time;
        if (node != said) // of a structure, once is enough
            cdg_reader_warn(reader, node,
                            "rod '%s' has no damping, and without any rods of corde chatter under friction and slide "
                            "where they should hold: it gets 'damping: %.2g s'; 'damping: 0' takes it away",
                            def->name, time);
        said = node;
    }
}
