// Equilibria of a cantilever against the planar elastica: tip load, own weight, end moment (reference values by
// elliptic integrals and shooting).
#include "validation/case_functions.h"
#include "validation/der_rods.h"

#include <math.h>
#include <stdio.h>

typedef struct reference {
    double load, x, y; // of the tip, in lengths
} reference;

static const reference tip_loads[] = {{1, 0.9435667637, 0.3017207738},
                                      {2, 0.8393582792, 0.4934574804},
                                      {5, 0.6123716393, 0.7137915236},
                                      {10, 0.4450044022, 0.8106090249}};
static const reference weights[] = {{1, 0.9912463953, 0.1234714020},   {5, 0.8466571800, 0.4959050446},
                                    {10, 0.6563537612, 0.7001997155},  {50, 0.2450147563, 0.9079171235},
                                    {100, 0.1592233826, 0.9375239354}, {1000, 0.0459864548, 0.9811412693}};

static cdg_result tip_error(const validation_context *context, reference r, bool is_weight, size_t elements,
                            double *distance, cdg_error *error) {
    cdg_rod_def def = der_unit_rod(elements, 1e-4, 0.8); // thin: stretching is 1e-6 of L even at w L^3/B = 1000
    der_world d;
    cdg_result result = der_world_make(context, &def, (cdg_vec3){0, 0, is_weight ? -r.load : 0}, 1e-3, &d, error);
    if (result != CDG_OK) return result;
    result = der_world_support(&d, CDG_SUPPORT_CLAMP, 0, NULL, NULL);
    if (result == CDG_OK && !is_weight) result = der_world_force(&d, elements, (cdg_vec3){0, 0, -r.load});
    if (result == CDG_OK) result = cdg_world_find_equilibrium(d.world, NULL);
    cdg_vec3 nodes[256];
    if (result == CDG_OK) result = cdg_rod_positions(d.world, d.rod, nodes);
    if (result == CDG_OK) *distance = hypot(nodes[elements].x - r.x, nodes[elements].z + r.y);
    return der_world_close(&d, result, error);
}

static cdg_result add_rows(validation_context *context, const char *what, reference r, bool is_weight,
                           cdg_error *error) {
    size_t elements = r.load > 500 ? 200 : 40;
    double fine = 0, coarse = 0;
    cdg_result result = tip_error(context, r, is_weight, elements, &fine, error);
    if (result == CDG_OK) result = tip_error(context, r, is_weight, elements / 2, &coarse, error);
    if (result != CDG_OK) return result;
    char label[VALIDATION_TEXT_SIZE];
    snprintf(label, sizeof label, "%s = %g, %zu elements: tip's distance from the elastica's", what, r.load, elements);
    validation_add_limit(context, label, "L", fine, 1e-3);
    snprintf(label, sizeof label, "%s = %g: order from %zu to %zu elements", what, r.load, elements / 2, elements);
    // strong loads bend the element beside the clamp by more than its share: the order is reached only beyond
    validation_add_order(context, label, log2(coarse / fine), 2, r.load > 20 ? 0.6 : 0.25);
    return CDG_OK;
}

cdg_result validate_der_elastica(validation_context *context, cdg_error *error) {
    cdg_result result = CDG_OK;
    for (int i = 0; i < 4 && result == CDG_OK; i++) {
        result = add_rows(context, "tip load P L^2/B", tip_loads[i], false, error);
        validation_progress(context, (i + 1) / 10.0);
    }
    for (int i = 0; i < 6 && result == CDG_OK; i++) {
        result = add_rows(context, "weight w L^3/B", weights[i], true, error);
        validation_progress(context, (i + 5) / 10.0);
    }
    return result;
}

// With curvature measured by the angle, an end moment of 2 pi B/L closes the circle at any number of elements.
cdg_result validate_der_roll_up(validation_context *context, cdg_error *error) {
    const size_t elements = 40;
    cdg_rod_def def = der_unit_rod(elements, 1e-3, 100);
    cdg_vec3 axis = {0, 0, 1};
    def.der.curvature = CDG_DER_ANGLE;
    def.initial_normal = &axis;  // bending about d1 is in the plane; it is kept there, for a moment about a fixed axis
    def.stiffness.bend[1] = 100; // is not conservative and throws a round rod out of it
    der_world d;
    cdg_result result = der_world_make(context, &def, (cdg_vec3){0}, 1e-3, &d, error);
    if (result != CDG_OK) return result;
    cdg_support_id clamp = {0};
    result = der_world_support(&d, CDG_SUPPORT_CLAMP, 0, NULL, &clamp);
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_MOMENT;
    load.place = (cdg_place){d.rod, CDG_PLACE_NODE, elements};
    load.value = (cdg_vec3){0, 0, 6.283185307179586};
    if (result == CDG_OK) result = cdg_world_add_load(d.world, &load, NULL);
    if (result == CDG_OK) result = cdg_world_find_equilibrium(d.world, NULL);
    cdg_vec3 nodes[64], force, moment;
    if (result == CDG_OK) result = cdg_rod_positions(d.world, d.rod, nodes);
    if (result == CDG_OK) result = cdg_support_reaction(d.world, clamp, &force, &moment);
    if (result == CDG_OK) {
        cdg_vec3 tip = nodes[elements];
        validation_add_limit(context, "gap of the circle, 40 elements", "L",
                             sqrt(tip.x * tip.x + tip.y * tip.y + tip.z * tip.z), 1e-6);
        validation_add_relative(context, "moment of the clamp", "N m", -moment.z, 6.283185307179586, 1e-6);
    }
    return der_world_close(&d, result, error);
}
