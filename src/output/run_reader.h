// Reading a run back: times, energies and every rod's numbers at any output. For pictures, plots and exports.
#ifndef CDG_OUTPUT_RUN_READER_H
#define CDG_OUTPUT_RUN_READER_H

#include "output/run_layout.h"

// What stays the same about a rod. Owned by the reader. A rod whose resolution changes is shown with one division for
// all outputs, which has a node wherever the rod had one at some output (common_division.h), so that whoever reads a
// run may take rods to have the same nodes at all outputs. cdg_run_reader_division tells how an output divides it.
typedef struct cdg_run_rod {
    const char *name, *model;
    bool is_closed;
    size_t node_count, element_count;
    double length, mass;         // m, kg
    const double *radius;        // m, node_count
    const double *rest_length;   // m, element_count
    const cdg_section *sections; // node_count; the true shape (a circle of `radius` where the file does not tell)
    size_t strands;              // guide or fibre of this one of the run's strands, counted from 1; 0: neither
    bool is_fiber;               // not simulated: fiber_reader.h
    bool adapts;                 // its resolution changes
} cdg_run_rod;

typedef struct cdg_run_reader {
    char *directory, *title, *scene_name, *scene_text, *overrides;
    size_t frame_count; // complete outputs; a run that goes on or was interrupted has fewer than planned
    double *times;      // s, frame_count
    double *play;       // s, frame_count: the same, or where times turn back (static) outputs at even distances
    cdg_run_rod *rods;
    size_t rod_count;
    const cdg_run_body_entry *bodies; // their shapes; offsets are the reader's business
    size_t body_count;
    const cdg_run_solid_entry *solids; // their meshes
    size_t solid_count;
    const cdg_run_obstacle_entry *obstacles;
    size_t obstacle_count;
    bool has_contacts;                // there was contact, and outputs have counts of it
    bool has_contact_places;          // and each contact's place and force
    bool is_static;                   // outputs are equilibria, and `times` are those of loads and supports
    bool turns_back;                  // times do
    bool has_adaptive;                // some rod's resolution changes
    bool is_for_pictures;             // the caller may set it: such rods are where they are drawn (adapt/drawn.c)
    cdg_field_set left_out;           // fields that the run's scene did not want to be written
    bool is_recomputed;               // the file is older than some fields, which are made from frames: recomputed.h
    size_t mode_count;                // vibrations of each rod and solid; 0: none
    struct cdg_run_reader_file *file; // run_reader.c
    struct cdg_fiber_reader *fibers;  // fiber_reader.c; NULL: fibres were not asked for, or there are none
} cdg_run_reader;

// `directory` is the run's directory or its run.h5. CDG_ERROR_IO: not there or unreadable, CDG_ERROR_FORMAT: not a run
// of cordage, damaged, or without any output; the message says which and what to do.
cdg_result cdg_run_reader_open(const char *directory, cdg_run_reader **out, cdg_error *error);
void cdg_run_reader_close(cdg_run_reader *reader); // NULL is fine

// Whether the run holds a field, or it can be made from what it holds. Those that the scene left out are not read.
bool cdg_run_reader_has(const cdg_run_reader *reader, cdg_field field);
// One rod's numbers at one output: nodes or elements times components doubles, as stored; of rods whose resolution
// changes carried to the nodes and elements of `rods` (fields/resampled.h).
cdg_result cdg_run_reader_read(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_field field, double *out,
                               cdg_error *error);

// A rod as one output has it: never more nodes than `rods` says. Freed with cdg_run_division_free.
typedef struct cdg_run_division {
    size_t node_count, element_count;
    double *arc;           // m, element_count + 1: where elements begin, at rest, and the end
    double *radius;        // m, node_count
    double *rest_length;   // m, element_count
    cdg_section *sections; // node_count
} cdg_run_division;
cdg_result cdg_run_reader_division(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_run_division *out,
                                   cdg_error *error);
void cdg_run_division_free(cdg_run_division *division);
// The rod with its division at that output in place of the one for all outputs; valid as long as both.
cdg_run_rod cdg_run_division_rod(const cdg_run_division *division, const cdg_run_rod *rod);
// Numbers of nodes and elements alone.
cdg_result cdg_run_reader_counts(const cdg_run_reader *reader, size_t frame, size_t rod, size_t *node_count,
                                 size_t *element_count, cdg_error *error);
// A field at places (m, arc length at rest; within the rod): component_count numbers each.
cdg_result cdg_run_reader_sample(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_field field,
                                 const double *places, size_t count, double *out, cdg_error *error);
// Its numbers there, at its own nodes or elements.
cdg_result cdg_run_reader_read_own(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_field field, double *out,
                                   cdg_error *error);
// Where a body is at one output: the origin of its own axes, and these.
cdg_result cdg_run_reader_body(const cdg_run_reader *reader, size_t frame, size_t body, cdg_vec3 *position,
                               cdg_quat *orientation, cdg_error *error);
// A field of a solid at one output: cdg_run_solid_numbers of it.
cdg_result cdg_run_reader_solid(const cdg_run_reader *reader, size_t frame, size_t solid, cdg_solid_field field,
                                double *out, cdg_error *error);
// The same of an obstacle as of a body.
cdg_result cdg_run_reader_obstacle(const cdg_run_reader *reader, size_t frame, size_t obstacle, cdg_vec3 *position,
                                   cdg_quat *orientation, cdg_error *error);
// How many contacts there are at one output; and the first `capacity` of them, with their places and forces, unless the
// file is too old to hold these (has_contact_places).
cdg_result cdg_run_reader_contact_count(const cdg_run_reader *reader, size_t frame, size_t *out, cdg_error *error);
cdg_result cdg_run_reader_contacts(const cdg_run_reader *reader, size_t frame, cdg_run_contact *out, size_t capacity,
                                   cdg_error *error);
// One energy ("total", "bend", ... as in CDG_ENERGY_LIST) at all outputs, frame_count doubles, J.
cdg_result cdg_run_reader_energy(const cdg_run_reader *reader, const char *name, double *out, cdg_error *error);
// The fibres that the file describes (run_fibers.h); for fiber_reader.c.
struct cdg_run_fibers;
cdg_result cdg_run_reader_find_fibers(const cdg_run_reader *reader, const size_t *node_counts,
                                      struct cdg_run_fibers **out, size_t *count, cdg_error *error);
// The vibrations of a rod: mode_count frequencies, Hz (NaN: not found), and, unless NULL, the moves of nodes,
// mode_count * node_count; of a rod whose resolution changes those of the first output.
cdg_result cdg_run_reader_modes(const cdg_run_reader *reader, size_t rod, double *frequencies, cdg_vec3 *shapes,
                                cdg_error *error);
// Those of a solid, the largest move of each mode 1.
cdg_result cdg_run_reader_solid_modes(const cdg_run_reader *reader, size_t solid, double *frequencies, cdg_vec3 *shapes,
                                      cdg_error *error);
// From now on the reader shows a vibration instead of the run: outputs over one period, which takes a second, about
// the shape that it was found about. Modes count from 1; `amplitude` is the largest move, m; 0: a tenth of the longest
// rod. Energies are not to be had then.
cdg_result cdg_run_reader_show_mode(cdg_run_reader *reader, size_t mode, double amplitude, cdg_error *error);
// Of a static run: the lowest eigenvalue at all outputs, frame_count doubles, rad^2/s^2.
cdg_result cdg_run_reader_stability(const cdg_run_reader *reader, double *out, cdg_error *error);
// The output nearest to a time.
size_t cdg_run_reader_nearest_frame(const cdg_run_reader *reader, double time);

#endif
