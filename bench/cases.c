// The table of workloads. Bars are the project's own goals for one core of a present-day x86-64 processor.
#include "bench/cases.h"

#include "bench/bench_table1.h"
#include "bench/case_functions.h"

const bench_case bench_cases[] = {
    {"step_direct", "one rod of 1000 elements, direct solver, 5 iterations a step", bench_step_direct},
    {"step_gauss_seidel_1000x50", "one rod of 1000 elements, Gauss-Seidel, 50 iterations a step",
     bench_step_gauss_seidel},
    {"slinky", "the Slinky of Kugelstadt and Schömer 2016, figure 1: 50 curls, 1000 elements, a frame without contact",
     bench_slinky},
    {"frame_50x10", "one rod of 50 elements, Gauss-Seidel, 10 iterations: a whole frame", bench_frame},
    {"scaling_direct", "direct solver from 100 to 100,000 elements: set-up and steps grow linearly",
     bench_scaling_direct},
    {"strands_10000x50x4", "10,000 strands of 50 elements, Gauss-Seidel, 4 iterations: a whole frame", bench_strands},
    {"corde", "corde, one core: cost per element of a step, from 50 to 100,000 elements", bench_corde},
    {"corde_substeps", "corde: sub-steps and cost of a 1 ms step by inertia factor (Cosserat Nets, figure 12)",
     bench_corde_substeps},
    {"galpha_100", "galpha, 100 elements, steps of 1/30 s to convergence", bench_galpha},
    {"hair", "a tress of 180 fibres: steps of its guide, and finding the fibres for a picture", bench_hair},
    {"nets", "the coarse and the dense net of Cosserat Nets, figure 16: a step of deformation and integration",
     bench_nets},
    {"contact_detection", "contacts of a coiled rope of 2,000 nodes with itself: boxes, pairs, nearest points",
     bench_contact_detection},
    {"contact_solve", "contacts of pressed coiled ropes from 2,000 to 200,000 nodes: finding all, and solving anew",
     bench_contact_solve},
    {"contact_step", "steps of a coiled rope of 2,000 nodes that is coming to rest, on one core", bench_contact_step},
    {"coiled_rope", "the whole fall of a coil of rope of 2,000 elements, as in the example: contact in each step",
     bench_coiled_rope},
    {"contact_broad_phase", "overlapping boxes of coiled ropes from 2,000 to 200,000 segments: both methods",
     bench_contact_broad_phase},
    {"memory", "bytes held for each element", bench_memory},
    {"step_reference", "one rod of the reference model: a whole step for each element", bench_step_reference},
    {"table1", "the older methods in table 1 of Kugelstadt and Schömer 2016, 50 elements: a whole frame", bench_table1},
    {"der_implicit", "der, one rod: a Newton iteration of an implicit step, up to 100,000 elements",
     bench_der_implicit},
    {"der_explicit", "der, one rod: an explicit step with projection and quasistatic frames, up to 100,000 elements",
     bench_der_explicit},
    {"der_net", "der, trees of joined rods: a Newton iteration of an implicit step, up to 17,000 elements",
     bench_der_net},
    {"sweep_elements", "a step of one rod under every model, from 50 to 100,000 elements", bench_sweep_elements},
    {"sweep_contacts", "steps of crossed rods that rest on a floor, from 10 to 100,000 contacts, 1 and 2 threads",
     bench_sweep_contacts},
    {"sweep_strands", "steps of hair of 50 elements, from 1 to 20,000 strands, 1 and 2 threads", bench_sweep_strands},
};
const size_t bench_case_count = sizeof bench_cases / sizeof *bench_cases;
