// What a step of contact costs in a pressed coil of rope, as in figure 6.4 of Spillmann's thesis.
#ifndef BENCH_CONTACT_COIL_H
#define BENCH_CONTACT_COIL_H

#include <cordage/base.h>

typedef struct contact_coil_cost {
    double finding, solving; // s of processor time
    size_t contacts;         // near
    int sweeps;              // over all contacts
} contact_coil_cost;

// Each of both is repeated for at least `seconds`.
cdg_result contact_coil_measure(size_t node_count, double seconds, contact_coil_cost *out, cdg_error *error);

typedef struct contact_coil_work {
    size_t contacts; // near
    int sweeps;      // over all contacts, from no forces
    bool has_ended;  // sweeps changed nothing any more: no place by 8e-4 radii, no force by 1e-3 of the largest
    int shallow;     // after as many no contact was 1e-3 radii deeper than it may be; 0: never
} contact_coil_work;

// How much work contacts take, whatever the bound on a step's: solves go on from each other until they change nothing.
cdg_result contact_coil_measure_work(size_t node_count, int sweeps_max, contact_coil_work *out, cdg_error *error);

#endif
