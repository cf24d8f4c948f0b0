// What `cordage check` advises: step and elements, with the motion that limits each, and what a run will take.
#ifndef CLI_CHECK_ADVICE_H
#define CLI_CHECK_ADVICE_H

#include "output/run_plan.h"

// Times of one kind of motion, of the rod in which it is quickest.
typedef struct motion_times {
    double longest; // s: period of the wave as long as the rod; contact: NaN
    double
        shortest; // s: period of the shortest wave that elements can carry; contact: in which the fastest thing moves
                  // by the radius of the thinnest rod
    const char *rod; // NULL: there is no such motion
} motion_times;

typedef struct step_recommendation {
    double step; // s: what an automatic step would be
    cdg_limit limit;
    bool is_short;  // the step of the run is no longer than that
    double fastest; // m/s: the speed that contact was judged by; 0: nothing moves, or no contact
} step_recommendation;

// Elements that a rod should have for its shape and loads at the start.
typedef struct element_recommendation {
    size_t wanted; // at least; 1: nothing asks for more
    size_t most;   // more would be shorter than they are thick
    cdg_limit limit;
    char reason[160];
} element_recommendation;

typedef enum cost_basis { COST_MEASURED, COST_KNOWN, COST_UNKNOWN } cost_basis;

typedef struct run_cost {
    cost_basis basis;
    double step_seconds;   // of a step, of processor time
    double output_seconds; // of an output
    double seconds;        // of the whole run
    int step_count;        // that were measured
    double memory;         // bytes of this process, measured; 0: not known
    char failure[300];     // what the first steps said when one failed; "": nothing
} run_cost;

typedef struct check_advice {
    motion_times motions[CDG_LIMIT_COUNT];
    step_recommendation step;
    run_cost cost;
} check_advice;

const char *limit_name(cdg_limit limit);

// `world` is the scene's, at its start; it is stepped to measure a step, so it is not what it was afterwards.
check_advice make_check_advice(const cdg_scene *scene, cdg_world *world, const cdg_run_plan *plan);
element_recommendation recommend_elements(const cdg_scene *scene, const cdg_world *world, size_t rod);

#endif
