// What the generator of random scenes (soak_scene.c) writes with: the scene as it grows, and draws of numbers.
#ifndef CDG_TESTS_SOAK_WRITER_H
#define CDG_TESTS_SOAK_WRITER_H

#include "math/random.h"
#include "math/vec3.h"
#include "soak_scene.h"

enum { RODS_MAX = 12 };

typedef enum soak_model { POBD, CORDE, REFERENCE, DER, GALPHA, MODEL_COUNT } soak_model;

typedef struct written_rod {
    char name[24];
    int elements;
    bool is_closed;
    bool keeps_length; // cannot be stretched: no second support may pull
    bool is_coiled;    // so tightly that a straight rod would not stand it
    bool is_straight;
    bool has_free_twist; // quasistatic: no moment may turn it without end
    bool has_own_length; // not about the writer's
    bool may_adapt;      // its model and options can change resolution
    bool is_rigid;       // the paper's factors, which are stiff at any size
    soak_model model;
} written_rod;

// A scene under way; its text grows by `put`.
typedef struct writer {
    cdg_random random;
    soak_scene scene;
    size_t capacity;
    bool is_out_of_memory;
    bool is_wild;
    bool has_step;  // the scene gives its step; explicit rods need the one that is advised
    bool has_file;  // a rod lies along the file's curve
    double length;  // m, of a typical rod
    double radius;  // m
    double modulus; // Pa
    bool has_solids;
    written_rod rods[RODS_MAX];
    int rod_count;
} writer;

void put(writer *w, const char *format, ...);

int whole(writer *w, int low, int high); // from low to high, both included
bool chance(writer *w, double probability);
double even(writer *w, double low, double high);    // each number alike
double decades(writer *w, double low, double high); // each factor alike

void write_direction(writer *w);
void write_vector(writer *w, double size);
// A motion that lasts from some steps to longer than the run.
void write_motion(writer *w, double size);

#endif
