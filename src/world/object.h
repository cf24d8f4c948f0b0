// What a world's step, its books of energy and its snapshots ask of what is in it. Two tables: that of a kind of
// objects, all of them at once (rods are predicted in teams, bodies with what is welded to them); and that of one
// object, which is enough for a kind whose objects have nothing to do with each other. Solids are of the latter.
#ifndef CDG_WORLD_OBJECT_H
#define CDG_WORLD_OBJECT_H

#include <cordage/world.h>

// A step under way, from `time` - `step` to `time`.
typedef struct cdg_object_step {
    double time, step;
    cdg_vec3 gravity;
    int threads;
    struct cdg_contacts *contacts; // whose forces implicit objects are predicted with; NULL: contact is off
    bool is_again;                 // it was predicted in this step already, with other forces of contact
} cdg_object_step;

typedef struct cdg_object_report {
    int iterations, parts;
    double residual;
    double work_doubt;                // J: how far the work of its moving supports in the step may be off
    double unbalanced, force, lowest; // of equilibria: N, N, rad^2/s^2
} cdg_object_report;

// Passes values to or from a snapshot, or counts them.
typedef void (*cdg_object_pass)(void *tape, double *values, size_t count);

typedef struct cdg_object_operations {
    const char *kind;
    const char *(*name)(const void *object);
    cdg_result (*predict)(void *object, const cdg_object_step *at, cdg_object_report *report, cdg_error *error);
    void (*commit)(void *object, const cdg_object_step *at);
    double (*work)(const void *object, const cdg_object_step *at); // J, by loads and supports in the step under way
    void (*energy)(void *object, cdg_vec3 gravity, bool of_candidate, cdg_energy *sum); // adds
    double (*usual)(const void *object, double gravity); // J, of its weight over its size and of a small deformation
    void (*momentum)(const void *object, cdg_vec3 *linear, cdg_vec3 *angular); // adds
    void (*snapshot)(void *object, cdg_object_pass pass, void *tape);
    // The state becomes an equilibrium with supports and loads as they are at at->time; NULL: it has none.
    cdg_result (*settle)(void *object, const cdg_object_step *at, cdg_object_report *report, cdg_error *error);
    double (*advise)(const void *object, char reason[256]);                           // s: a step
    void (*cost)(const void *object, double step, double *looking, double *stepping); // s; adds
    void (*destroy)(void *object);
} cdg_object_operations;

typedef struct cdg_object {
    const cdg_object_operations *operations;
    void *self;
    cdg_object_report report; // of the last prediction
    double work;              // J, in the step under way
    // J, when the energy guard last looked, and of the candidate
    double energy, energy_next;
    double height_next; // J, of energy_next by gravity
} cdg_object;

struct cdg_world;
struct cdg_step_context;
struct cdg_tape;

typedef struct cdg_kind {
    const char *name;
    // To the end of the step, alone: contact then brings all kinds together. The message is in world->error.
    cdg_result (*predict)(struct cdg_step_context *context);
    void (*commit)(struct cdg_step_context *context);
    void (*energy)(const struct cdg_world *world, cdg_energy *sum);                       // adds
    void (*momentum)(const struct cdg_world *world, cdg_vec3 *linear, cdg_vec3 *angular); // adds
    void (*snapshot)(struct cdg_world *world, struct cdg_tape *tape); // passes their state, with what holds them
} cdg_kind;

enum { CDG_KIND_COUNT = 3 };
extern const cdg_kind cdg_kinds[CDG_KIND_COUNT]; // kinds.c: in the order in which sums are made

// objects.c: all objects that have a table of their own, in order.
cdg_result cdg_objects_add(struct cdg_world *world, const cdg_object_operations *operations, void *self);
void cdg_objects_remove(struct cdg_world *world, void *self); // and destroys it
void cdg_objects_free(struct cdg_world *world);
cdg_result cdg_objects_predict(struct cdg_step_context *context); // message in world->error
// Those that contact lists, which counts them after the rods.
cdg_result cdg_objects_predict_again(struct cdg_step_context *context, const uint32_t *indices, size_t count);
void cdg_objects_commit(struct cdg_step_context *context);
// At `time`; iterations are added, of what is unbalanced the worst is taken, the lowest of eigenvalues.
cdg_result cdg_objects_settle(struct cdg_world *world, double time, cdg_object_report *sum);
double cdg_objects_work(struct cdg_step_context *context);
void cdg_objects_look(struct cdg_world *world); // energies of the candidates
void cdg_objects_energy(const struct cdg_world *world, bool of_candidate, cdg_energy *sum);
void cdg_objects_momentum(const struct cdg_world *world, cdg_vec3 *linear, cdg_vec3 *angular);
void cdg_objects_snapshot(struct cdg_world *world, cdg_object_pass pass, void *tape);
void cdg_objects_cost(const struct cdg_world *world, double step, double *looking, double *stepping);

#endif
