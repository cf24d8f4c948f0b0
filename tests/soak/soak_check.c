// What must hold for every scene: no number that is not finite without a sentence, nothing flies away, links and knots
// stay, no edge of a solid passes through a triangle, one and two threads give the same bits, and so does a run that
// was interrupted and continued (from a snapshot in memory, and through run.h5).
#include "soak_check.h"

#include "geometry/topology.h"
#include "output/run_plan.h"
#include "output/run_reader.h"
#include "validation/solid_depths.h"

#include <cordage/contact.h>
#include <cordage/cordage.h>
#include <cordage/solid.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Scenes are a metre in size, nothing in them moves faster than about 100 m/s, and they last a second at most.
static const double farthest = 1e4; // m

// Tests it and says what was wrong; the first fault counts.
static bool hold(soak_outcome *out, bool holds, const char *format, ...) {
    if (holds || out->kind == SOAK_FAULT) return holds;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(out->text, sizeof out->text, format, arguments);
    va_end(arguments);
    out->kind = SOAK_FAULT;
    return false;
}

bool soak_same_state(const double *a, const double *b, size_t count, const char *what, soak_outcome *out) {
    for (size_t i = 0; i < count; i++)
        if (memcmp(&a[i], &b[i], sizeof a[i]) != 0)
            return hold(out, false, "%s: word %zu of %zu of the state differs: %.17g and %.17g", what, i, count, a[i],
                        b[i]);
    return true;
}

// ---- a world --------------------------------------------------------------------------------------------------------

typedef struct rod_copy {
    cdg_rod_info info;
    cdg_vec3 *positions;
} rod_copy;

typedef struct probe_room {
    double values[CDG_PROBE_COLUMNS_MAX];
} probe_room;

static bool check_rod(cdg_world *world, cdg_rod_id id, soak_outcome *out) {
    cdg_rod_info info;
    if (!hold(out, cdg_rod_get_info(world, id, &info) == CDG_OK, "a rod cannot be asked for")) return false;
    size_t most = info.node_count > info.element_count ? info.node_count : info.element_count;
    cdg_vec3 *vectors = malloc(most * sizeof *vectors);
    cdg_quat *frames = malloc(info.element_count * sizeof *frames);
    bool is_good = hold(out, vectors != NULL && frames != NULL, "no memory");
    typedef cdg_result copy(const cdg_world *, cdg_rod_id, cdg_vec3 *);
    static copy *const copies[] = {cdg_rod_positions, cdg_rod_velocities, cdg_rod_moments, cdg_rod_angular_velocities,
                                   cdg_rod_forces};
    static const char *const names[] = {"position", "velocity", "moment", "angular velocity", "force"};
    for (int k = 0; is_good && k < 5; k++) {
        size_t count = k < 3 ? info.node_count : info.element_count;
        is_good = hold(out, copies[k](world, id, vectors) == CDG_OK, "rod '%s': no %s", info.name, names[k]);
        for (size_t i = 0; is_good && i < count; i++) {
            cdg_vec3 v = vectors[i];
            is_good = hold(out, isfinite(v.x) && isfinite(v.y) && isfinite(v.z),
                           "rod '%s', time %g: %s %zu is not finite and nothing was said", info.name,
                           cdg_world_time(world), names[k], i);
            if (is_good && k == 0)
                is_good =
                    hold(out, fabs(v.x) < farthest && fabs(v.y) < farthest && fabs(v.z) < farthest,
                         "rod '%s', time %g: node %zu is at [%g, %g, %g]: the run has blown up and nothing was said",
                         info.name, cdg_world_time(world), i, v.x, v.y, v.z);
        }
    }
    if (is_good) is_good = hold(out, cdg_rod_frames(world, id, frames) == CDG_OK, "rod '%s': no frames", info.name);
    for (size_t i = 0; is_good && i < info.element_count; i++) {
        cdg_quat q = frames[i];
        double size = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
        is_good = hold(out, fabs(size - 1) < 1e-9, "rod '%s', time %g: frame %zu has length %.17g", info.name,
                       cdg_world_time(world), i, size);
    }
    free(vectors);
    free(frames);
    return is_good;
}

static bool check_solid(cdg_world *world, cdg_solid_id id, soak_outcome *out) {
    cdg_solid_info info;
    cdg_solid_view view;
    bool is_known = cdg_solid_get_info(world, id, &info) == CDG_OK && cdg_solid_get_view(world, id, &view) == CDG_OK;
    if (!hold(out, is_known, "a solid cannot be asked for")) return false;
    for (size_t i = 0; i < info.node_count; i++)
        for (int k = 0; k < 3; k++) {
            double x = view.position[k][i], v = view.velocity[k][i];
            if (!hold(
                    out, fabs(x) < farthest && isfinite(v),
                    "solid '%s', time %g: node %zu is at %g and moves at %g: the run has blown up and nothing was said",
                    info.name, cdg_world_time(world), i, x, v))
                return false;
        }
    return true;
}

static bool measures_turning(cdg_probe_kind kind) { return kind == CDG_PROBE_CURVATURE || kind == CDG_PROBE_TWIST; }

static size_t rod_elements(const cdg_world *world, cdg_rod_id rod) {
    cdg_rod_info info;
    return cdg_rod_get_info(world, rod, &info) == CDG_OK ? info.element_count : 0;
}

static bool check_world(cdg_world *world, const cdg_scene *scene, soak_outcome *out) {
    for (size_t i = 0; i < cdg_world_rod_count(world); i++)
        if (!check_rod(world, cdg_world_rod_at(world, i), out)) return false;
    for (size_t i = 0; i < cdg_world_solid_count(world); i++)
        if (!check_solid(world, cdg_world_solid_at(world, i), out)) return false;
    cdg_energy energy = cdg_world_energy(world);
    if (!hold(out, isfinite(energy.total) && isfinite(energy.dissipated), "time %g: the energy is not finite",
              cdg_world_time(world)))
        return false;
    for (size_t i = 0; i < scene->probe_count; i++) {
        cdg_probe probe = scene->probes[i].probe;
        probe_room room;
        // In a scene a rod is known by its place, in a world by its handle.
        if (probe.place.rod.index1 > 0) probe.place.rod = cdg_world_rod_at(world, probe.place.rod.index1 - 1);
        if (cdg_world_measure(world, &probe, room.values) != CDG_OK) continue; // it says why
        // Nothing bends or twists at the ends of a rod of one element: docs/files.md promises NaN there.
        if (measures_turning(probe.kind) && rod_elements(world, probe.place.rod) == 1) continue;
        for (size_t k = 0; k < cdg_probe_column_count(probe.kind); k++)
            if (!hold(out, isfinite(room.values[k]), "time %g: probe '%s' measures %g", cdg_world_time(world),
                      scene->probes[i].name, room.values[k]))
                return false;
    }
    return true;
}

// ---- topology -------------------------------------------------------------------------------------------------------

enum { CLOSED_MAX = 8 };

typedef struct topology {
    long links[CLOSED_MAX][CLOSED_MAX];
    uint64_t knots[CLOSED_MAX];
    size_t count;
} topology;

static bool measure_topology(const cdg_world *world, topology *out) {
    cdg_vec3 *rods[CLOSED_MAX] = {0};
    size_t sizes[CLOSED_MAX];
    cdg_error error;
    bool is_measured = true;
    *out = (topology){0};
    for (size_t i = 0; i < cdg_world_rod_count(world) && out->count < CLOSED_MAX; i++) {
        cdg_rod_info info;
        cdg_rod_id id = cdg_world_rod_at(world, i);
        if (cdg_rod_get_info(world, id, &info) != CDG_OK || !info.is_closed) continue;
        cdg_vec3 *nodes = malloc(info.node_count * sizeof *nodes);
        rods[out->count] = nodes;
        sizes[out->count] = info.node_count;
        is_measured = is_measured && nodes != NULL && cdg_rod_positions(world, id, nodes) == CDG_OK &&
                      cdg_knot_determinant(nodes, info.node_count, true, &out->knots[out->count], &error) == CDG_OK;
        out->count++;
    }
    for (size_t i = 0; i < out->count && is_measured; i++)
        for (size_t k = 0; k < i && is_measured; k++)
            is_measured = cdg_linking_number(rods[i], sizes[i], rods[k], sizes[k], &out->links[i][k], &error) == CDG_OK;
    for (size_t i = 0; i < out->count; i++) free(rods[i]);
    return is_measured;
}

static void check_topology(const topology *before, const cdg_world *world, soak_outcome *out) {
    topology now;
    if (!hold(out, measure_topology(world, &now), "closed rods touch each other's centrelines at time %g",
              cdg_world_time(world)))
        return;
    for (size_t i = 0; i < now.count; i++) {
        hold(out, now.knots[i] == before->knots[i], "closed rod %zu had a knot of determinant %llu and has %llu", i,
             (unsigned long long)before->knots[i], (unsigned long long)now.knots[i]);
        for (size_t k = 0; k < i; k++)
            hold(out, now.links[i][k] == before->links[i][k],
                 "closed rods %zu and %zu had linking number %ld and have %ld", i, k, before->links[i][k],
                 now.links[i][k]);
    }
}

// ---- crossings ------------------------------------------------------------------------------------------------------

// NULL: nothing to look at. Held parts are led into what is held or fixed, where no force could part them; wild scenes
// may begin in each other, which the first step refuses.
static solid_depths *watch_solids(const soak_scene *text, const cdg_world *world, soak_outcome *out) {
    bool has_contact = cdg_world_contact(world).choice != CDG_CONTACT_OFF;
    if (!has_contact || text->holds_solids || cdg_world_solid_count(world) == 0) return NULL;
    solid_depths *depths = solid_depths_create(world);
    if (!hold(out, depths != NULL, "no memory") || solid_depths_measure(depths, world, 1).crossings == 0) return depths;
    solid_depths_free(depths);
    return NULL;
}

static void check_crossings(solid_depths *depths, const cdg_world *world, soak_outcome *out) {
    if (depths == NULL) return;
    solid_depth now = solid_depths_measure(depths, world, 1);
    hold(out, now.crossings == 0, "time %g: %zu edges pass through triangles: %s", cdg_world_time(world), now.crossings,
         now.where);
}

// ---- a run in memory ------------------------------------------------------------------------------------------------

typedef struct trial {
    cdg_world *world;
    cdg_result result;
    char message[CDG_MESSAGE_SIZE];
} trial;

// A world of the scene with the step that a run takes.
static cdg_result begin(const cdg_scene *scene, int thread_count, trial *out, cdg_error *error) {
    cdg_run_plan plan;
    *out = (trial){0};
    cdg_result result = cdg_scene_build(scene, thread_count, &out->world, error);
    if (result == CDG_OK) result = cdg_run_plan_make(scene, out->world, &plan, error);
    if (result == CDG_OK && scene->mode == SCENE_DYNAMIC) result = cdg_world_set_step_size(out->world, plan.step);
    return result;
}

static void go(trial *run, const cdg_scene *scene, int steps, soak_outcome *out) {
    for (int i = 0; i < steps && run->result == CDG_OK; i++) {
        double before = cdg_world_time(run->world);
        run->result = cdg_world_step(run->world, NULL);
        out->step_count++;
        if (run->result != CDG_OK) {
            snprintf(run->message, sizeof run->message, "%s", cdg_world_message(run->world));
            hold(out, run->message[0] != '\0', "time %g: a step failed and nothing was said", before);
            hold(out, run->result != CDG_ERROR_MEMORY, "a small scene says: %s", run->message);
            hold(out, cdg_world_time(run->world) == before, "a failed step moved the time from %g to %g", before,
                 cdg_world_time(run->world));
        }
        if (!check_world(run->world, scene, out)) return;
    }
}

// A world's state and how it came to it, to compare with.
typedef struct state {
    double *words;
    size_t count;
    cdg_result result;
    char message[CDG_MESSAGE_SIZE];
} state;

static bool save(const trial *run, state *out, soak_outcome *outcome) {
    *out = (state){.count = cdg_world_snapshot_size(run->world), .result = run->result};
    memcpy(out->message, run->message, sizeof out->message);
    out->words = calloc(out->count + 1, sizeof *out->words);
    bool is_saved = out->words != NULL && cdg_world_snapshot_save(run->world, out->words) == CDG_OK;
    return hold(outcome, is_saved, "no snapshot at time %g: %s", cdg_world_time(run->world),
                cdg_world_message(run->world));
}

static void compare(const state *a, const trial *run, const char *what, soak_outcome *out) {
    state b;
    if (!save(run, &b, out)) return;
    hold(out, a->result == b.result && strcmp(a->message, b.message) == 0, "%s: '%s' and '%s'", what, a->message,
         b.message);
    hold(out, a->count == b.count, "%s: states of %zu and %zu words", what, a->count, b.count);
    if (out->kind != SOAK_FAULT) soak_same_state(a->words, b.words, a->count, what, out);
    free(b.words);
}

// Two threads, from the start to a state that one thread has come to.
static void check_threads(const cdg_scene *scene, int steps, const state *one, soak_outcome *out) {
    trial two;
    cdg_error error = {0};
    if (hold(out, begin(scene, 2, &two, &error) == CDG_OK, "two threads: %s", error.message)) {
        go(&two, scene, steps, out);
        if (out->kind != SOAK_FAULT) compare(one, &two, "one and two threads", out);
    }
    cdg_world_destroy(two.world);
}

// From a snapshot on, in a new world, to a state that the old one has come to.
static void check_snapshot(const cdg_scene *scene, int steps, const state *from, const state *to, soak_outcome *out) {
    trial later;
    cdg_error error = {0};
    if (hold(out, begin(scene, 1, &later, &error) == CDG_OK, "built again: %s", error.message) &&
        hold(out, cdg_world_snapshot_load(later.world, from->words) == CDG_OK,
             "a snapshot of the same scene is refused: %s", cdg_world_message(later.world))) {
        go(&later, scene, steps, out);
        if (out->kind != SOAK_FAULT) compare(to, &later, "continued from a snapshot", out);
    }
    cdg_world_destroy(later.world);
}

// Threads are compared over some steps only, in one scene of eight over all: waiting for each other takes most of the
// time.
static void check_dynamic(const soak_scene *text, const cdg_scene *scene, bool is_thorough, soak_outcome *out) {
    trial run;
    topology before;
    cdg_error error = {0};
    state middle = {0}, end = {0};
    int first = text->step_count / 2 < 6 ? text->step_count / 2 : 6, rest = text->step_count - first;
    bool is_refused = begin(scene, 1, &run, &error) != CDG_OK;
    if (is_refused) {
        out->kind = SOAK_REFUSED;
        snprintf(out->text, sizeof out->text, "%s", error.message);
    } else {
        bool has_topology = text->keeps_topology && measure_topology(run.world, &before);
        solid_depths *depths = watch_solids(text, run.world, out);
        go(&run, scene, first, out);
        check_crossings(depths, run.world, out);
        if (save(&run, &middle, out) && out->kind != SOAK_FAULT) {
            bool goes_on = run.result == CDG_OK;
            go(&run, scene, rest, out);
            if (out->kind != SOAK_FAULT && save(&run, &end, out)) {
                if (goes_on) check_snapshot(scene, rest, &middle, &end, out);
                check_threads(scene, is_thorough ? first + rest : first, is_thorough ? &end : &middle, out);
            }
        }
        check_crossings(depths, run.world, out);
        solid_depths_free(depths);
        if (has_topology) check_topology(&before, run.world, out);
    }
    if (out->kind == SOAK_CLEAN && run.result != CDG_OK) {
        out->kind = SOAK_STOPPED;
        snprintf(out->text, sizeof out->text, "%s", run.message);
    }
    free(middle.words);
    free(end.words);
    cdg_world_destroy(run.world);
}

// ---- a run in files -------------------------------------------------------------------------------------------------

typedef struct stop_at {
    uint64_t step; // 0: never
} stop_at;

static bool may_go_on(void *user, const cdg_run_progress *progress) {
    const stop_at *stop = user;
    return stop->step == 0 || progress->step < stop->step;
}

static void remove_run(const char *directory) {
    static const char *const names[] = {"run.h5", "run.h5.new", "probes.csv", "summary.json", ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        if (names[i][0] != '\0')
            unlink(path);
        else
            rmdir(directory);
    }
}

// Both runs' last output is the same to the bit, and can be read.
static void compare_files(const char *a, const char *b, soak_outcome *out) {
    cdg_run_reader *readers[2] = {NULL, NULL};
    cdg_error error = {0};
    const char *const directories[2] = {a, b};
    bool is_good = true;
    for (int i = 0; i < 2 && is_good; i++)
        is_good =
            hold(out, cdg_run_reader_open(directories[i], &readers[i], &error) == CDG_OK, "run.h5: %s", error.message);
    is_good = is_good && hold(out, readers[0]->frame_count == readers[1]->frame_count, "%zu and %zu outputs",
                              readers[0]->frame_count, readers[1]->frame_count);
    for (size_t rod = 0; is_good && rod < readers[0]->rod_count; rod++) {
        size_t count = 3 * readers[0]->rods[rod].node_count;
        double *x = malloc(2 * count * sizeof *x);
        is_good = x != NULL;
        for (size_t i = 0; is_good && i < 2; i++)
            is_good = hold(out,
                           cdg_run_reader_read(readers[i], readers[i]->frame_count - 1, rod, CDG_FIELD_positions,
                                               x + i * count, &error) == CDG_OK,
                           "run.h5: %s", error.message);
        is_good = is_good && soak_same_state(x, x + count, count, "resumed run", out);
        free(x);
    }
    for (size_t solid = 0; is_good && solid < readers[0]->solid_count; solid++) {
        size_t count = 3 * readers[0]->solids[solid].node_count;
        double *x = malloc(2 * count * sizeof *x);
        is_good = x != NULL;
        for (size_t i = 0; is_good && i < 2; i++)
            is_good = hold(out,
                           cdg_run_reader_solid(readers[i], readers[i]->frame_count - 1, solid,
                                                CDG_SOLID_FIELD_positions, x + i * count, &error) == CDG_OK,
                           "run.h5: %s", error.message);
        is_good = is_good && soak_same_state(x, x + count, count, "resumed run, solids", out);
        free(x);
    }
    cdg_run_reader_close(readers[0]);
    cdg_run_reader_close(readers[1]);
}

static cdg_scene *parse(const soak_scene *text, const char *directory, const char *const *overrides, size_t count,
                        soak_outcome *out) {
    cdg_scene *scene = NULL;
    cdg_error error = {0};
    if (cdg_scene_parse(text->text, text->size, "soak.yaml", directory, overrides, count, &scene, &error) == CDG_OK)
        return scene;
    out->kind = SOAK_REFUSED;
    snprintf(out->text, sizeof out->text, "%s", error.message);
    for (size_t i = 0; scene != NULL && i < cdg_scene_diagnostic_count(scene); i++) {
        if (cdg_scene_diagnostic(scene, i).severity != CDG_FAULT) continue;
        cdg_scene_format_diagnostic(scene, i, out->text, sizeof out->text);
        break;
    }
    cdg_scene_destroy(scene);
    return NULL;
}

// Runs the scene for some steps of its own into files; then again, interrupted and resumed; a static scene once.
static void check_files(const soak_scene *text, uint64_t seed, double step, const char *directory, soak_outcome *out) {
    char whole_run[512], parts[512], duration[64], every[64];
    snprintf(whole_run, sizeof whole_run, "%s/%llu_whole", directory, (unsigned long long)seed);
    snprintf(parts, sizeof parts, "%s/%llu_parts", directory, (unsigned long long)seed);
    snprintf(duration, sizeof duration, "simulation.duration=%.17g", 8 * step);
    snprintf(every, sizeof every, "output.every=%.17g", 2 * step);
    const char *const overrides[] = {duration, every};
    cdg_scene *scene = parse(text, directory, overrides, text->is_static ? 0 : 2, out);
    if (!hold(out, scene != NULL, "refused with another duration: %s", out->text)) return;
    stop_at never = {0}, early = {3};
    cdg_run_summary summary;
    cdg_error error = {0};
    cdg_run_def def = {
        .scene = scene, .directory = whole_run, .thread_count = 1, .on_progress = may_go_on, .user = &never};
    cdg_result result = cdg_run(&def, &summary, &error);
    hold(out, result == CDG_OK || error.message[0] != '\0', "a run failed and nothing was said");
    hold(out, isfinite(summary.energy_end) && isfinite(summary.largest_turn), "the summary's energy is %g, its turn %g",
         summary.energy_end, summary.largest_turn);
    out->step_count += (int)summary.step_count;
    if (result == CDG_OK && !text->is_static) {
        def.directory = parts;
        def.user = &early;
        result = cdg_run(&def, &summary, &error);
        hold(out, result == CDG_ERROR_INTERRUPTED, "an interrupted run says: %s", error.message);
        def.user = &never;
        def.resume = true;
        def.thread_count = 2;
        result = cdg_run(&def, &summary, &error);
        if (hold(out, result == CDG_OK, "resumed: %s", error.message)) compare_files(whole_run, parts, out);
    } else if (result == CDG_OK) {
        compare_files(whole_run, whole_run, out); // at least it can be read
    }
    if (out->kind == SOAK_CLEAN && result != CDG_OK) {
        out->kind = result == CDG_ERROR_UNSUPPORTED ? SOAK_REFUSED : SOAK_STOPPED;
        snprintf(out->text, sizeof out->text, "%s", error.message);
    }
    cdg_scene_destroy(scene);
    remove_run(whole_run);
    remove_run(parts);
}

static bool starts_apart(const soak_scene *text, const char *directory) {
    soak_outcome unused = {0};
    cdg_scene *scene = parse(text, directory, NULL, 0, &unused);
    cdg_world *world = NULL;
    cdg_error error;
    bool is_apart = scene != NULL && cdg_scene_build(scene, 1, &world, &error) == CDG_OK &&
                    cdg_world_check_contact(world) == CDG_OK;
    bool is_known = world != NULL || scene == NULL; // what cannot be built at all is not hidden
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
    return is_apart || !is_known;
}

soak_scene soak_scene_choose(uint64_t seed, const char *directory) {
    enum { ATTEMPTS = 40 };
    for (int attempt = 0;; attempt++) {
        soak_scene scene = soak_scene_make(seed, attempt);
        if (attempt == ATTEMPTS || scene.text == NULL || scene.may_stop || starts_apart(&scene, directory))
            return scene;
        soak_scene_free(&scene);
    }
}

soak_outcome soak_check(const soak_scene *text, uint64_t seed, const char *directory) {
    soak_outcome out = {.kind = SOAK_CLEAN};
    cdg_scene *scene = parse(text, directory, NULL, 0, &out);
    if (scene == NULL) return out;
    double step = 0;
    if (!text->is_static) {
        check_dynamic(text, scene, seed % 8 == 1, &out);
        cdg_error error;
        trial run;
        if (begin(scene, 1, &run, &error) == CDG_OK) step = cdg_world_step_size(run.world);
        cdg_world_destroy(run.world);
    }
    cdg_scene_destroy(scene);
    bool writes_files = text->is_static || seed % 8 == 0;
    if (writes_files && out.kind == SOAK_CLEAN) check_files(text, seed, step, directory, &out);
    if ((out.kind == SOAK_STOPPED || out.kind == SOAK_REFUSED) && text->may_stop) out.kind = SOAK_WILD;
    return out;
}
