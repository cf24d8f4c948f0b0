// A run at any moment: between two outputs everything is interpolated.
#ifndef CDG_RENDER_RUN_PLAYER_H
#define CDG_RENDER_RUN_PLAYER_H

#include "output/run_rigids.h"
#include "render/rod_field.h"

// One rod at one moment.
typedef struct cdg_rod_moment {
    cdg_vec3 *positions, *velocities; // nodes
    cdg_quat *frames;                 // elements
    double *values;                   // nodes or elements: of the player's field, if there is one
} cdg_rod_moment;

typedef struct cdg_rigid_moment {
    cdg_vec3 position; // m, of its own axes
    cdg_quat orientation;
} cdg_rigid_moment;

// A solid at one moment.
typedef struct cdg_solid_moment {
    cdg_vec3 *positions; // m, of its nodes
    double *values;      // nodes or tetrahedra: of the player's field, if solids have that
} cdg_solid_moment;

typedef struct cdg_run_player {
    const cdg_run_reader *reader;
    cdg_rod_field field;
    double time;              // s
    cdg_rod_moment *rods;     // of the reader, now
    cdg_rigid_moment *rigids; // obstacles and bodies: output/run_rigids.h
    cdg_solid_moment *solids; // of the reader
    struct cdg_run_player_memory *memory;
} cdg_run_player;

// Starts at the first output. The reader must live longer. `field` (may be NULL: none) is what `values` are of.
cdg_result cdg_run_player_create(const cdg_run_reader *reader, const cdg_rod_field *field, cdg_run_player **out,
                                 cdg_error *error);
void cdg_run_player_destroy(cdg_run_player *player); // NULL is fine

cdg_result cdg_run_player_show_frame(cdg_run_player *player, size_t frame, cdg_error *error);
// By the reader's `play`; times outside of the run are its first or last moment.
cdg_result cdg_run_player_seek(cdg_run_player *player, double time, cdg_error *error);

#endif
