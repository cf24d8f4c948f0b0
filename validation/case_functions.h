// The functions behind the table of validation cases.
#ifndef VALIDATION_CASE_FUNCTIONS_H
#define VALIDATION_CASE_FUNCTIONS_H

#include "validation/cases.h"

cdg_result validate_free_fall(validation_context *context, cdg_error *error);
cdg_result validate_gradients(validation_context *context, cdg_error *error);
cdg_result validate_at_rest(validation_context *context, cdg_error *error);
cdg_result validate_resting_bars(validation_context *context, cdg_error *error);
cdg_result validate_moving_obstacles(validation_context *context, cdg_error *error);
cdg_result validate_contact(validation_context *context, cdg_error *error);
cdg_result validate_tunnel(validation_context *context, cdg_error *error);
cdg_result validate_example_depths(validation_context *context, cdg_error *error);
cdg_result validate_example_solids(validation_context *context, cdg_error *error);
cdg_result validate_shaken_chain(validation_context *context, cdg_error *error);
cdg_result validate_swung_rods(validation_context *context, cdg_error *error);
cdg_result validate_adaptive_knot(validation_context *context, cdg_error *error);
cdg_result validate_loose_knot(validation_context *context, cdg_error *error);
cdg_result validate_tight_knots(validation_context *context, cdg_error *error);
cdg_result validate_free_flight(validation_context *context, cdg_error *error);
cdg_result validate_spiral(validation_context *context, cdg_error *error);
cdg_result validate_roll_up(validation_context *context, cdg_error *error);
cdg_result validate_cantilever(validation_context *context, cdg_error *error);
cdg_result validate_cantilever_settings(validation_context *context, cdg_error *error);
cdg_result validate_cantilever_order(validation_context *context, cdg_error *error);
cdg_result validate_corde_cantilever(validation_context *context, cdg_error *error);
cdg_result validate_corde_pendulum(validation_context *context, cdg_error *error);
cdg_result validate_corde_buckling(validation_context *context, cdg_error *error);
cdg_result validate_corde_coil(validation_context *context, cdg_error *error);
cdg_result validate_der_elastica(validation_context *context, cdg_error *error);
cdg_result validate_der_roll_up(validation_context *context, cdg_error *error);
cdg_result validate_der_buckling(validation_context *context, cdg_error *error);
cdg_result validate_der_michell(validation_context *context, cdg_error *error);
cdg_result validate_der_localised(validation_context *context, cdg_error *error);
cdg_result validate_der_modes(validation_context *context, cdg_error *error);
cdg_result validate_der_pendulum(validation_context *context, cdg_error *error);
cdg_result validate_der_stiff_wire(validation_context *context, cdg_error *error);
cdg_result validate_galpha_static(validation_context *context, cdg_error *error);
cdg_result validate_galpha_motion(validation_context *context, cdg_error *error);
cdg_result validate_galpha_coarse(validation_context *context, cdg_error *error);
cdg_result validate_galpha_models(validation_context *context, cdg_error *error);
cdg_result validate_galpha_stability(validation_context *context, cdg_error *error);

// case_statics.c
cdg_result validate_statics(validation_context *context, cdg_error *error);
cdg_result validate_static_arch(validation_context *context, cdg_error *error);
cdg_result validate_fit(validation_context *context, cdg_error *error);

// case_nets.c
cdg_result validate_net_joints(validation_context *context, cdg_error *error);
cdg_result validate_net_momentum(validation_context *context, cdg_error *error);
cdg_result validate_truss_pair(validation_context *context, cdg_error *error);

// case_bodies.c
cdg_result validate_bodies_momentum(validation_context *context, cdg_error *error);
cdg_result validate_torque_transducer(validation_context *context, cdg_error *error);
cdg_result validate_wilberforce(validation_context *context, cdg_error *error);

// case_struck_bodies.c, case_thrown_bodies.c
cdg_result validate_struck_rods(validation_context *context, cdg_error *error);
cdg_result validate_caught_bar(validation_context *context, cdg_error *error);
cdg_result validate_thrown_bodies(validation_context *context, cdg_error *error);

// case_reference.c
cdg_result validate_reference_cantilever(validation_context *context, cdg_error *error);
cdg_result validate_reference_vibration(validation_context *context, cdg_error *error);
cdg_result validate_reference_flight(validation_context *context, cdg_error *error);
cdg_result validate_torsion_buckling(validation_context *context, cdg_error *error);

// case_models_static.c, case_models_motion.c: under every model
cdg_result validate_models_fall(validation_context *context, cdg_error *error);
cdg_result validate_models_flight(validation_context *context, cdg_error *error);
cdg_result validate_models_weight(validation_context *context, cdg_error *error);
cdg_result validate_models_tip_load(validation_context *context, cdg_error *error);
cdg_result validate_models_roll_up(validation_context *context, cdg_error *error);
cdg_result validate_models_catenary(validation_context *context, cdg_error *error);
cdg_result validate_models_vibration(validation_context *context, cdg_error *error);
cdg_result validate_models_twist(validation_context *context, cdg_error *error);
cdg_result validate_models_pendulum(validation_context *context, cdg_error *error);
cdg_result validate_models_euler(validation_context *context, cdg_error *error);
cdg_result validate_models_michell(validation_context *context, cdg_error *error);

cdg_result validate_models_table(validation_context *context, cdg_error *error);
cdg_result validate_seed_tables(validation_context *context, cdg_error *error);
cdg_result validate_galpha_figure(validation_context *context, cdg_error *error);
cdg_result validate_looping(validation_context *context, cdg_error *error);
cdg_result validate_twist_asymmetry(validation_context *context, cdg_error *error);
cdg_result validate_meshing(validation_context *context, cdg_error *error);
cdg_result validate_solids(validation_context *context, cdg_error *error);
cdg_result validate_solid_locking(validation_context *context, cdg_error *error);
cdg_result validate_solid_contact(validation_context *context, cdg_error *error);
cdg_result validate_solid_heaps(validation_context *context, cdg_error *error);
cdg_result validate_sphere_updates(validation_context *context, cdg_error *error);
cdg_result validate_arch_ratio(validation_context *context, cdg_error *error);
cdg_result validate_hertz(validation_context *context, cdg_error *error);
cdg_result validate_rod_on_pad(validation_context *context, cdg_error *error);
cdg_result validate_soft_capstan(validation_context *context, cdg_error *error);

#endif
