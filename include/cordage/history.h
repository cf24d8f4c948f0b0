// Runs read back: what a run directory holds, output by output, while the run goes on and after it.
#ifndef CORDAGE_HISTORY_H
#define CORDAGE_HISTORY_H

#include <cordage/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cdg_history cdg_history;

// `path` is the run's directory or its run.h5. Only what stays the same is read; outputs are read when asked for.
// CDG_ERROR_IO: it is not there; CDG_ERROR_FORMAT: it is not a run, is damaged, or has no output yet.
cdg_result cdg_history_open(const char *path, cdg_history **out, cdg_error *error);
void cdg_history_close(cdg_history *history); // NULL is fine

// Everything here is owned by the history.
typedef struct cdg_history_info {
    const char *title;      // of the scene
    const char *scene_name; // as in messages
    const char *scene_text; // the whole scene file
    const char *overrides;  // what --set changed, a line each
    size_t frame_count;     // outputs that are whole
    const double *times;    // s, frame_count; of a static run those of loads and supports
    size_t rod_count, body_count, obstacle_count;
    bool has_contacts; // there was contact
    bool is_static;    // outputs are equilibria
    size_t mode_count; // vibrations of each rod; 0: none
} cdg_history_info;
// The contents of a run.
cdg_result cdg_history_get_info(const cdg_history *history, cdg_history_info *out);

typedef struct cdg_history_rod {
    const char *name, *model;
    bool is_closed;
    size_t node_count, element_count;
    double length, mass;         // m, kg
    const double *radii;         // m, node_count
    const double *rest_lengths;  // m, element_count
    const cdg_section *sections; // node_count
    // Its resolution changes: each output has nodes and elements of its own (cdg_history_counts), and the counts here
    // are the most that it can have. They, and what belongs to them, are those of one division for all outputs, which
    // has a node wherever some output has one.
    bool adapts;
} cdg_history_rod;
// Name, model and numbers of one of its rods.
cdg_result cdg_history_rod_at(const cdg_history *history, size_t rod, cdg_history_rod *out);
// A rod at one output: its numbers of nodes and elements, and where its nodes are: arc lengths at rest, m; `capacity`
// is how many `out` has room for.
cdg_result cdg_history_counts(const cdg_history *history, size_t frame, size_t rod, size_t *node_count,
                              size_t *element_count, cdg_error *error);
cdg_result cdg_history_arc_lengths(const cdg_history *history, size_t frame, size_t rod, double *out, size_t capacity,
                                   cdg_error *error);

// A field of a rod (cdg_field_shape_at) at one output: entries times components doubles; `capacity` is how many `out`
// has room for.
cdg_result cdg_history_read(const cdg_history *history, size_t frame, size_t rod, const char *field, double *out,
                            size_t capacity, cdg_error *error);
// The same at `count` places, arc lengths at rest in m, whatever the resolution: components doubles each. Positions are
// on the rod's smooth curve, numbers of nodes are linear between nodes and those of elements between their middles.
cdg_result cdg_history_sample(const cdg_history *history, size_t frame, size_t rod, const char *field,
                              const double *places, size_t count, double *out, size_t capacity, cdg_error *error);
// One energy ("total", "bend", ... as in CDG_ENERGY_LIST) at all outputs, frame_count doubles, J.
cdg_result cdg_history_energy(const cdg_history *history, const char *name, double *out, cdg_error *error);
const char *cdg_history_body_name(const cdg_history *history, size_t body); // "" beyond
// Where a body was at one output.
cdg_result cdg_history_body(const cdg_history *history, size_t frame, size_t body, cdg_vec3 *position,
                            cdg_quat *orientation, cdg_error *error);
// How many contacts there were at one output.
cdg_result cdg_history_contact_count(const cdg_history *history, size_t frame, size_t *out, cdg_error *error);
// Vibrations of a rod: mode_count frequencies, Hz (not a number: not found), and, unless NULL, moves of nodes,
// mode_count * node_count; of a rod whose resolution changes those of the first output.
cdg_result cdg_history_modes(const cdg_history *history, size_t rod, double *frequencies, cdg_vec3 *shapes,
                             cdg_error *error);

#ifdef __cplusplus
}
#endif
#endif
