// Trusses that lie and stand (Spillmann and Teschner, Cosserat Nets, figure 14): torsional stiffness holds a lying one,
// which the linear theory of grillages confirms, and is not felt by a standing one.
#include "validation/case_functions.h"
#include "validation/grillage.h"
#include "validation/net_worlds.h"

#include <math.h>
#include <stdio.h>

enum { BAYS = 6, PIECES_MAX = 4 };
static const double truss_size[2] = {11, 2}; // m

// Two trusses of the paper's size, clamped at the left end, under their weight.
typedef struct truss_pair {
    const net_setting *setting;
    size_t pieces;  // elements a bay
    double gravity; // m/s^2, downwards
    bool is_upright;
} truss_pair;

typedef struct truss_sag {
    double with, without; // m, with and without torsional stiffness
} truss_sag;

// What the paper's formulas give for E = G = 200 MPa, E_s = 2 GPa, r = 1 cm.
static cdg_stiffness truss_stiffness(void) {
    const double area = 3.14159265358979323846e-4;
    return (cdg_stiffness){.shear = {2e9 * area, 2e9 * area},
                           .stretch = 2e9 * area,
                           .bend = {200e6 * area / 4, 200e6 * area / 4},
                           .twist = 200e6 * area / 2,
                           .mass = 1300 * area,
                           .inertia = {1300 * area / 40, 1300 * area / 40, 1300 * area / 20},
                           .radius = 0.01};
}

static const double no_twist = 1; // N m^2, so little that it is nothing

static cdg_result add_truss(const validation_context *context, cdg_world *world, const truss_pair *what, int number,
                            const char *name, cdg_error *error) {
    cdg_structure_def def = cdg_structure_def_default();
    def.name = name;
    def.kind = CDG_STRUCTURE_TRUSS;
    def.truss.size[0] = truss_size[0];
    def.truss.size[1] = truss_size[1];
    def.truss.bays = BAYS;
    def.element_count = what->pieces;
    def.origin = vec3(0, 4.0 * number, 0);
    if (what->is_upright) def.normal = vec3(0, -1, 0);
    net_apply(what->setting, &def.rod);
    def.rod.has_stiffness = true;
    def.rod.stiffness = truss_stiffness();
    cdg_result result = validation_spoil_rod(context, &def.rod, error);
    if (number == 1) def.rod.stiffness.twist = no_twist;
    if (result != CDG_OK) return result;
    result = cdg_world_add_structure(world, &def);
    // every piece that ends in the two corners is clamped there, as in the theory
    static const struct {
        const char *piece;
        bool at_end;
    } ends[] = {{"lower", false}, {"upper", false}, {"p0", false}, {"p0", true}, {"d0", false}};
    for (size_t k = 0; k < sizeof ends / sizeof *ends && result == CDG_OK; k++) {
        char rod[24];
        snprintf(rod, sizeof rod, "%s.%s", name, ends[k].piece);
        cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place.rod = cdg_world_find_rod(world, rod)};
        clamp.place.index = ends[k].at_end ? what->pieces : 0;
        result = cdg_world_add_support(world, &clamp, NULL);
    }
    return validation_fail(world, result, error);
}

// `picture`: where a picture of both goes, or NULL.
static cdg_result measure_trusses(const validation_context *context, const truss_pair *what, truss_sag *out,
                                  validation_context *picture, cdg_error *error) {
    cdg_world *world = NULL;
    cdg_result result = net_world(context, vec3(0, 0, -what->gravity), &world, error);
    if (result != CDG_OK) return result;
    result = add_truss(context, world, what, 0, "with", error);
    if (result == CDG_OK) result = add_truss(context, world, what, 1, "without", error);
    if (result == CDG_OK) result = validation_fail(world, net_add_drag(world, 8), error);
    if (result == CDG_OK) result = validation_fail(world, net_run_until(world, 3), error);
    if (result == CDG_OK && picture != NULL)
        validation_add_picture(picture, "with and without torsional stiffness", world);
    for (int i = 0; i < 2 && result == CDG_OK; i++) {
        cdg_vec3 x[BAYS * PIECES_MAX + 1] = {{0, 0, 0}};
        result = cdg_rod_positions(world, cdg_world_find_rod(world, i == 0 ? "with.lower" : "without.lower"), x);
        *(i == 0 ? &out->with : &out->without) = -x[BAYS * what->pieces].z;
    }
    cdg_world_destroy(world);
    return result;
}

static truss_sag linear_trusses(double gravity) {
    cdg_stiffness stiffness = truss_stiffness();
    grillage g = grillage_truss(truss_size, BAYS);
    double z[GRILLAGE_NODES_MAX];
    truss_sag out;
    g.bend = stiffness.bend[0];
    g.load = -gravity * stiffness.mass;
    g.twist = stiffness.twist;
    grillage_solve(&g, z);
    out.with = -z[BAYS];
    g.twist = no_twist;
    grillage_solve(&g, z);
    out.without = -z[BAYS];
    return out;
}

// A light load, so that linear theory holds. The error falls with the square of an element's length.
static cdg_result validate_grillage(validation_context *context, cdg_error *error) {
    const double gravity = 0.3;
    truss_sag expected = linear_trusses(gravity), sags[2];
    for (int i = 0; i < 2; i++) {
        truss_pair what = {.setting = &net_settings[1], .pieces = i == 0 ? 2 : PIECES_MAX, .gravity = gravity};
        cdg_result result = measure_trusses(context, &what, &sags[i], NULL, error);
        if (result != CDG_OK) return result;
    }
    validation_add_relative(context, "corde constraint, lying, light load, 4 elements a bay: sag", "m", sags[1].with,
                            expected.with, 0.01);
    validation_cite(context, VALIDATION_SEED_000_14, "no number printed; compared with the linear theory of grillages");
    validation_add_relative(context, "the same without torsional stiffness", "m", sags[1].without, expected.without,
                            0.01);
    validation_add_relative(context, "sag with torsional stiffness over sag without", "",
                            sags[1].with / sags[1].without, expected.with / expected.without, 0.01);
    validation_add_limit(context, "error of the sag with 4 elements over that with 2", "",
                         fabs(sags[1].with - expected.with) / fabs(sags[0].with - expected.with), 0.3);
    return CDG_OK;
}

cdg_result validate_truss_pair(validation_context *context, cdg_error *error) {
    for (int i = 0; i < 2 && !validation_is_decided(context);
         i++) { // pobd would need thousands of iterations for trusses as stiff as these
        truss_sag flat, upright;
        truss_pair what = {.setting = &net_settings[i], .pieces = 2, .gravity = 9.81};
        cdg_result result = measure_trusses(context, &what, &flat, i == 0 ? context : NULL, error);
        what.is_upright = true;
        if (result == CDG_OK) result = measure_trusses(context, &what, &upright, NULL, error);
        if (result != CDG_OK) return result;
        char label[VALIDATION_TEXT_SIZE];
        snprintf(label, sizeof label, "%s, lying: sag %.3g m, of that without torsional stiffness",
                 net_settings[i].name, flat.with);
        validation_add_limit(context, label, "", flat.with / flat.without, 0.9);
        validation_cite(context, VALIDATION_SEED_000_14, "no number printed: a) mild deformation with, flexed without");
        snprintf(label, sizeof label, "%s, standing: sag against that without torsional stiffness",
                 net_settings[i].name);
        validation_add_relative(context, label, "m", upright.with, upright.without, 0.01);
        validation_cite(context, VALIDATION_SEED_000_14, "no number printed: b) the two do not differ");
        validation_progress(context, 0.4 * (i + 1));
    }
    return validation_is_decided(context) ? CDG_OK : validate_grillage(context, error);
}
