// How a rod model takes part in following a path of equilibria: one Newton correction at a time, so that the time, a
// further unknown, can be chosen with it (world_arc.c).
#ifndef CDG_RODS_ROD_PATH_H
#define CDG_RODS_ROD_PATH_H

#include "rods/rod.h"

struct cdg_rod_loads;

// Sets the rod's holds and loads for a time.
typedef void cdg_rod_set_time(void *user, double time);

typedef struct cdg_rod_correction {
    double residual, force; // N: largest unbalanced force, and what it is compared with
    double move;            // m: largest of the correction
} cdg_rod_correction;

struct cdg_rod_path_operations {
    size_t (*size)(const cdg_rod *rod);                             // doubles of a direction
    void *(*open)(cdg_rod *rod, const struct cdg_rod_loads *loads); // NULL: no memory; the loads stay there
    void (*close)(void *path);                                      // NULL is fine
    bool (*start)(void *path);                                      // from the rod's state, with its holds
    // At the rod's state: the correction that would put it into equilibrium at `time`, and the rate at which that
    // equilibrium moves with time, by a difference over `change`. Leaves the rod's holds and loads at `time`. False:
    // the equations have no solution.
    bool (*solve)(void *path, cdg_rod_set_time *set_time, void *user, double time, double change, double *correction,
                  double *rate, cdg_rod_correction *out);
    // Moves the rod's state by a direction, after solve. False: it is too far for one step.
    bool (*advance)(void *path, const double *direction);
    // Mean over the rod of the products of moves, m^2.
    double (*dot)(const cdg_rod *rod, const double *a, const double *b);
    // Sets what the holds exert, and velocities to zero.
    void (*finish)(void *path);
    // What is unbalanced at the rod's state with its holds and loads as they are, `size` doubles, after start; false:
    // an element has lost its length. And, in place, the direction that makes up for it, by the factors of the last
    // solve: the rate of what is unbalanced in any parameter becomes that of the equilibrium.
    bool (*unbalanced)(void *path, double *out);
    void (*answer)(void *path, double *right);
};

#endif
