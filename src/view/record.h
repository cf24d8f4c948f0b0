// What hands did since the world was built, as the keys `hands`, `cuts` and `changes` of a scene: run again, it gives
// the same bits.
#ifndef CDG_VIEW_RECORD_H
#define CDG_VIEW_RECORD_H

#include "scene/scene.h"
#include "view/hands.h"

enum { CDG_RECORD_PULLS_MAX = 10000, CDG_RECORD_KEYS_MAX = 1000000 };

typedef struct cdg_record_pull {
    cdg_grip_def def;   // rod.index1 or body.index1: index + 1; to: 0 while it holds
    cdg_grip_key *keys; // owned
    size_t key_count, key_capacity;
    uint32_t hand;
    uint32_t obstacle1, support1; // index + 1 of what is led; keys are its own positions
} cdg_record_pull;

typedef struct cdg_record_cut {
    uint32_t rod;  // index in the scene
    size_t node;   // as the scene has it
    size_t number; // which of the world's cuts
    double time;   // s
} cdg_record_cut;

typedef struct cdg_record_change {
    double time; // s
    char *line;  // "path=value"; owned
    bool is_own; // of the scene; else a slider was moved
} cdg_record_change;

typedef struct cdg_record {
    cdg_record_pull *pulls;
    size_t count, capacity, key_count;
    cdg_record_cut *cuts;
    size_t cut_count, cut_capacity;
    char *overrides; // of the scene as it began
    cdg_record_change *changes;
    size_t change_count, change_capacity;
    double step;         // s, that changes were made at: with them another might be chosen; 0: there were none
    const char *spoiled; // why it cannot be replayed; NULL: it can
} cdg_record;

void cdg_record_clear(cdg_record *record);                         // frees, too
void cdg_record_begin(cdg_record *record, const cdg_scene *scene); // of a world that was just built from it
// After a grab that succeeded, at the world's time.
void cdg_record_grab(cdg_record *record, const cdg_request *request, double time);
// Where the hand is from now on; nothing happens when it holds nothing that is recorded.
void cdg_record_move(cdg_record *record, uint32_t hand, double time, cdg_vec3 target, double twist);
// Where a support or an obstacle that the hand leads goes in the step that begins now.
void cdg_record_lead(cdg_record *record, uint32_t hand, double time, cdg_vec3 position);
void cdg_record_release(cdg_record *record, uint32_t hand, double time);
// All after it did not happen, cuts but for the first `cuts` of the world's neither; all hands let go.
void cdg_record_rewind(cdg_record *record, double time, size_t cuts);
void cdg_record_cut_rod(cdg_record *record, const cdg_record_cut *cut);
// A slider was moved: "path=value". False: no memory.
bool cdg_record_change_value(cdg_record *record, double time, const char *line);
void cdg_record_forget_change(cdg_record *record); // the last one that was moved: it cannot be made
// Overrides that make the scene what it is at `time`, and leave it the changes that are still to come; malloc'ed.
char *cdg_record_lines(const cdg_record *record, double time);
void cdg_record_spoil(cdg_record *record, const char *why);

// The scene's text with the hands, up to `time`; malloc'ed. NULL: `error` says why not.
char *cdg_record_text(const cdg_record *record, const cdg_scene *scene, double time, cdg_error *error);

#endif
