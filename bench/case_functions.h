// The functions behind the table of workloads.
#ifndef BENCH_CASE_FUNCTIONS_H
#define BENCH_CASE_FUNCTIONS_H

#include "bench/cases.h"

cdg_result bench_step_direct(bench_context *context, cdg_error *error);
cdg_result bench_step_gauss_seidel(bench_context *context, cdg_error *error);
cdg_result bench_frame(bench_context *context, cdg_error *error);
cdg_result bench_slinky(bench_context *context, cdg_error *error);
cdg_result bench_scaling_direct(bench_context *context, cdg_error *error);
cdg_result bench_strands(bench_context *context, cdg_error *error);
cdg_result bench_output(bench_context *context, cdg_error *error);
cdg_result bench_worlds(bench_context *context, cdg_error *error);
cdg_result bench_corde(bench_context *context, cdg_error *error);
cdg_result bench_corde_substeps(bench_context *context, cdg_error *error);
cdg_result bench_nets(bench_context *context, cdg_error *error);
cdg_result bench_mesh_fill(bench_context *context, cdg_error *error);
cdg_result bench_mesh_vote(bench_context *context, cdg_error *error);
cdg_result bench_contact_detection(bench_context *context, cdg_error *error);
cdg_result bench_contact_solve(bench_context *context, cdg_error *error);
cdg_result bench_contact_step(bench_context *context, cdg_error *error);
cdg_result bench_contact_threads(bench_context *context, cdg_error *error);
cdg_result bench_contact_broad_phase(bench_context *context, cdg_error *error);
cdg_result bench_coiled_rope(bench_context *context, cdg_error *error);
cdg_result bench_coil_implicit(bench_context *context, cdg_error *error);
cdg_result bench_adaptive_knot(bench_context *context, cdg_error *error);
cdg_result bench_adaptive_change(bench_context *context, cdg_error *error);
cdg_result bench_adaptive_coil(bench_context *context, cdg_error *error);
cdg_result bench_adaptive_fine(bench_context *context, cdg_error *error);
cdg_result bench_adaptive_long(bench_context *context, cdg_error *error);
cdg_result bench_contact_idle(bench_context *context, cdg_error *error);
cdg_result bench_solid_forces(bench_context *context, cdg_error *error);
cdg_result bench_solid_implicit(bench_context *context, cdg_error *error);
cdg_result bench_solid_contact(bench_context *context, cdg_error *error);
cdg_result bench_solid_piles(bench_context *context, cdg_error *error);
cdg_result bench_sphere_trees(bench_context *context, cdg_error *error);
cdg_result bench_memory(bench_context *context, cdg_error *error);
cdg_result bench_step_reference(bench_context *context, cdg_error *error);
cdg_result bench_galpha(bench_context *context, cdg_error *error);
cdg_result bench_hair(bench_context *context, cdg_error *error);
cdg_result bench_der_implicit(bench_context *context, cdg_error *error);
cdg_result bench_der_explicit(bench_context *context, cdg_error *error);
cdg_result bench_der_net(bench_context *context, cdg_error *error);
cdg_result bench_sweep_elements(bench_context *context, cdg_error *error);
cdg_result bench_sweep_contacts(bench_context *context, cdg_error *error);
cdg_result bench_sweep_strands(bench_context *context, cdg_error *error);

#endif
