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

#endif
