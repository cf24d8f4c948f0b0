// What hands did, written down as it happens.
#include "view/record.h"

#include "base/error.h"
#include "base/growing_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cdg_record_clear(cdg_record *record) {
    for (size_t i = 0; i < record->count; i++) free(record->pulls[i].keys);
    free(record->pulls);
    free(record->cuts);
    *record = (cdg_record){0};
}

void cdg_record_spoil(cdg_record *record, const char *why) {
    if (record->spoiled == NULL) record->spoiled = why;
}

// The one that the hand holds now; NULL: none.
static cdg_record_pull *open_pull(cdg_record *record, uint32_t hand) {
    for (size_t i = record->count; i-- > 0;)
        if (record->pulls[i].hand == hand && record->pulls[i].def.to == 0) return &record->pulls[i];
    return NULL;
}

static void add_key(cdg_record *record, cdg_record_pull *pull, cdg_grip_key key) {
    if (pull->key_count > 0 && pull->keys[pull->key_count - 1].time == key.time) {
        pull->keys[pull->key_count - 1] = key; // no step was taken since
        return;
    }
    if (record->key_count >= CDG_RECORD_KEYS_MAX) {
        cdg_record_spoil(record, "it has become too long");
        return;
    }
    if (pull->key_count == pull->key_capacity) {
        size_t capacity = pull->key_capacity > 0 ? 2 * pull->key_capacity : 16;
        cdg_grip_key *grown = realloc(pull->keys, capacity * sizeof *grown);
        if (grown == NULL) {
            cdg_record_spoil(record, "there was no memory for it");
            return;
        }
        pull->keys = grown;
        pull->key_capacity = capacity;
    }
    pull->keys[pull->key_count++] = key;
    record->key_count++;
}

void cdg_record_grab(cdg_record *record, const cdg_request *request, double time) {
    if (record->count >= CDG_RECORD_PULLS_MAX) {
        cdg_record_spoil(record, "it has become too long");
        return;
    }
    if (record->count == record->capacity) {
        size_t capacity = record->capacity > 0 ? 2 * record->capacity : 16;
        cdg_record_pull *grown = realloc(record->pulls, capacity * sizeof *grown);
        if (grown == NULL) {
            cdg_record_spoil(record, "there was no memory for it");
            return;
        }
        record->pulls = grown;
        record->capacity = capacity;
    }
    cdg_record_pull pull = {.hand = request->hand, .def = {.element = request->element, .fraction = request->fraction}};
    bool is_led = request->object == CDG_GRAB_OBSTACLE || request->object == CDG_GRAB_SUPPORT;
    switch (request->object) {
    case CDG_GRAB_ROD: pull.def.rod.index1 = request->index + 1; break;
    case CDG_GRAB_BODY: pull.def.body.index1 = request->index + 1, pull.def.local = request->local; break;
    case CDG_GRAB_OBSTACLE: pull.obstacle1 = request->index + 1; break;
    case CDG_GRAB_SUPPORT: pull.support1 = request->index + 1; break;
    case CDG_GRAB_SOLID: pull.def.solid.index1 = request->index + 1, pull.def.local = request->local; break;
    }
    record->pulls[record->count++] = pull;
    if (is_led) return; // its positions come with the steps
    add_key(record, &record->pulls[record->count - 1], (cdg_grip_key){.time = time, .target = request->point});
}

static bool is_led(const cdg_record_pull *pull) { return pull->obstacle1 != 0 || pull->support1 != 0; }

void cdg_record_lead(cdg_record *record, uint32_t hand, double time, cdg_vec3 position) {
    cdg_record_pull *pull = open_pull(record, hand);
    if (pull == NULL || !is_led(pull)) return;
    const cdg_grip_key *last = pull->key_count > 0 ? &pull->keys[pull->key_count - 1] : NULL;
    bool stays = last != NULL && last->time < time && last->target.x == position.x && last->target.y == position.y &&
                 last->target.z == position.z;
    if (!stays) add_key(record, pull, (cdg_grip_key){.time = time, .target = position});
}

void cdg_record_move(cdg_record *record, uint32_t hand, double time, cdg_vec3 target, double twist) {
    cdg_record_pull *pull = open_pull(record, hand);
    if (pull != NULL && !is_led(pull)) add_key(record, pull, (cdg_grip_key){time, target, twist});
}

static void drop_keys(cdg_record *record, cdg_record_pull *pull, double time) {
    while (pull->key_count > 0 && pull->keys[pull->key_count - 1].time >= time) pull->key_count--, record->key_count--;
}

// A pull that lasted for no step never was.
static void close_pull(cdg_record *record, size_t place, double time) {
    cdg_record_pull *pull = &record->pulls[place];
    drop_keys(record, pull, time);
    pull->def.to = time;
    if (pull->key_count > 0) return;
    free(pull->keys);
    record->count--;
    memmove(pull, pull + 1, (record->count - place) * sizeof *pull);
}

void cdg_record_release(cdg_record *record, uint32_t hand, double time) {
    const cdg_record_pull *pull = open_pull(record, hand);
    if (pull != NULL) close_pull(record, (size_t)(pull - record->pulls), time);
}

void cdg_record_cut_rod(cdg_record *record, const cdg_record_cut *cut) {
    if (record->cut_count == record->cut_capacity) {
        size_t capacity = record->cut_capacity > 0 ? 2 * record->cut_capacity : 8;
        cdg_record_cut *grown = realloc(record->cuts, capacity * sizeof *grown);
        if (grown == NULL) {
            cdg_record_spoil(record, "there was no memory for it");
            return;
        }
        record->cuts = grown;
        record->cut_capacity = capacity;
    }
    record->cuts[record->cut_count++] = *cut;
}

void cdg_record_rewind(cdg_record *record, double time, size_t cuts) {
    while (record->cut_count > 0 && record->cuts[record->cut_count - 1].number >= cuts) record->cut_count--;
    for (size_t i = record->count; i-- > 0;)
        if (record->pulls[i].def.to == 0 || record->pulls[i].def.to > time) close_pull(record, i, time);
}

// ---- writing --------------------------------------------------------------------------------------------------------

typedef struct writing {
    char *text;
    size_t size, capacity;
    bool has_failed;
} writing;

static void put(writing *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(writing *w, const char *format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof line ||
        !cdg_text_append(&w->text, &w->size, &w->capacity, line, (size_t)length))
        w->has_failed = true;
}

// Numbers with all their digits, so that they are read back to the bit.
static void put_vector(writing *w, cdg_vec3 v) { put(w, "[%.17g m, %.17g m, %.17g m]", v.x, v.y, v.z); }

static void put_pull(writing *w, const cdg_record_pull *pull, const cdg_scene *scene, double time) {
    double to = pull->def.to > 0 ? pull->def.to : time;
    if (pull->def.rod.index1 != 0)
        put(w, "  - rod: %s\n    element: %zu\n    fraction: %.17g\n", scene->rods[pull->def.rod.index1 - 1].name,
            pull->def.element, pull->def.fraction);
    else if (pull->obstacle1 != 0)
        put(w, "  - obstacle: %s\n", scene->obstacles[pull->obstacle1 - 1].name);
    else if (pull->support1 != 0)
        put(w, "  - support: %u\n", pull->support1 - 1);
    else if (pull->def.solid.index1 != 0)
        put(w, "  - solid: %s\n    local: ", scene->solids[pull->def.solid.index1 - 1].def.name),
            put_vector(w, pull->def.local), put(w, "\n");
    else
        put(w, "  - body: %s\n    local: ", scene->bodies[pull->def.body.index1 - 1].name),
            put_vector(w, pull->def.local), put(w, "\n");
    put(w, "    to: %.17g s\n    path:\n", to);
    for (size_t i = 0; i < pull->key_count && pull->keys[i].time < to; i++) {
        put(w, "      - [%.17g s, ", pull->keys[i].time);
        put_vector(w, pull->keys[i].target);
        if (pull->keys[i].twist != 0)
            put(w, ", %.17g rad]\n", pull->keys[i].twist);
        else
            put(w, "]\n");
    }
}

static void put_cuts(writing *w, const cdg_record *record, const cdg_scene *scene, double time) {
    bool has_any = false;
    for (size_t i = 0; i < record->cut_count; i++) {
        const cdg_record_cut *cut = &record->cuts[i];
        if (!(cut->time < time)) continue; // no step was taken since
        if (!has_any) put(w, "cuts:\n");
        has_any = true;
        put(w, "  - {cut: %s.node(%zu), at: %.17g s}\n", scene->rods[cut->rod].name, cut->node, cut->time);
    }
}

// What the scene had under `hands` before is what a recording of it begins with.
static size_t length_without_hands(const cdg_scene *scene) {
    const char *found = strncmp(scene->text, "hands:", 6) == 0 ? scene->text : strstr(scene->text, "\nhands:");
    return found != NULL ? (size_t)(found - scene->text) : scene->text_size;
}

char *cdg_record_text(const cdg_record *record, const cdg_scene *scene, double time, cdg_error *error) {
    if (record->spoiled != NULL)
        return (void)cdg_fail(error, CDG_ERROR_UNSUPPORTED, "this cannot be recorded: %s; reset and begin anew",
                              record->spoiled),
               NULL;
    if (scene->hand_count > 0)
        return (void)cdg_fail(error, CDG_ERROR_UNSUPPORTED,
                              "this scene is a recording itself; open the scene that it was made from"),
               NULL;
    if (scene->cut_count > 0 && record->cut_count > 0)
        return (void)cdg_fail(error, CDG_ERROR_UNSUPPORTED,
                              "this scene has cuts of its own, and those by hand cannot be recorded beside them"),
               NULL;
    writing w = {0};
    size_t length = length_without_hands(scene);
    if (!cdg_text_append(&w.text, &w.size, &w.capacity, scene->text, length)) w.has_failed = true;
    if (length > 0 && scene->text[length - 1] != '\n') put(&w, "\n");
    bool has_any = false;
    for (size_t i = 0; i < record->count; i++) {
        const cdg_record_pull *pull = &record->pulls[i];
        if (pull->key_count == 0 || !(pull->keys[0].time < time)) continue; // no step was taken with it
        if (!has_any) put(&w, "hands:\n");
        has_any = true;
        put_pull(&w, pull, scene, time);
    }
    put_cuts(&w, record, scene, time);
    if (!w.has_failed) return w.text;
    free(w.text);
    return (void)cdg_fail(error, CDG_ERROR_MEMORY, "no memory for the recording"), NULL;
}
