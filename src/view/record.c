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
    for (size_t i = 0; i < record->change_count; i++) free(record->changes[i].line);
    free(record->changes);
    free(record->overrides);
    *record = (cdg_record){0};
}

// ---- values ---------------------------------------------------------------------------------------------------------

// After those of the same time, before later ones of the scene.
static bool insert_change(cdg_record *record, double time, const char *line, bool is_own) {
    if (record->change_count == record->change_capacity) {
        size_t capacity = record->change_capacity > 0 ? 2 * record->change_capacity : 16;
        cdg_record_change *grown = realloc(record->changes, capacity * sizeof *grown);
        if (grown == NULL) return false;
        record->changes = grown;
        record->change_capacity = capacity;
    }
    char *copy = strdup(line);
    if (copy == NULL) return false;
    size_t index = record->change_count++;
    for (; index > 0 && record->changes[index - 1].time > time; index--)
        record->changes[index] = record->changes[index - 1];
    record->changes[index] = (cdg_record_change){time, copy, is_own};
    return true;
}

void cdg_record_begin(cdg_record *record, const cdg_scene *scene) {
    cdg_record_clear(record);
    record->overrides = strdup(scene->overrides != NULL ? scene->overrides : "");
    bool is_good = record->overrides != NULL;
    for (size_t i = 0; is_good && i < scene->change_count; i++)
        is_good = insert_change(record, scene->changes[i].time, scene->changes[i].line, true);
    if (!is_good) cdg_record_spoil(record, "there was no memory for it");
}

bool cdg_record_change_value(cdg_record *record, double time, const char *line) {
    return insert_change(record, time, line, false);
}

void cdg_record_forget_change(cdg_record *record) {
    for (size_t i = record->change_count; i-- > 0;) {
        if (record->changes[i].is_own) continue;
        free(record->changes[i].line);
        record->change_count--;
        memmove(&record->changes[i], &record->changes[i + 1], (record->change_count - i) * sizeof *record->changes);
        return;
    }
}

// ---- hands ----------------------------------------------------------------------------------------------------------

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
    cdg_record_pull pull = {.hand = request->hand, .def = {.place = {.kind = CDG_PLACE_POINT}}};
    bool is_led = request->object == CDG_GRAB_OBSTACLE || request->object == CDG_GRAB_SUPPORT;
    switch (request->object) {
    case CDG_GRAB_ROD:
        pull.def.place =
            cdg_rod_along((cdg_rod_id){(uint32_t)request->index + 1, 0}, request->element, request->fraction);
        break;
    case CDG_GRAB_BODY: pull.def.place.body.index1 = request->index + 1, pull.def.place.point = request->local; break;
    case CDG_GRAB_OBSTACLE: pull.obstacle1 = request->index + 1; break;
    case CDG_GRAB_SUPPORT: pull.support1 = request->index + 1; break;
    case CDG_GRAB_SOLID: pull.def.place.solid.index1 = request->index + 1, pull.def.place.point = request->local; break;
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
static void close_pull(cdg_record *record, size_t index, double time) {
    cdg_record_pull *pull = &record->pulls[index];
    drop_keys(record, pull, time);
    pull->def.to = time;
    if (pull->key_count > 0) return;
    free(pull->keys);
    record->count--;
    memmove(pull, pull + 1, (record->count - index) * sizeof *pull);
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
    char line[4096];
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

// "kind: 'name'", between quotes so that any name is read back.
static void put_name(writing *w, const char *kind, const char *name) {
    put(w, "  - %s: '", kind);
    for (; name != NULL && *name != '\0'; name++) put(w, *name == '\'' ? "''" : "%c", *name);
    put(w, "'\n");
}

// Something that is held or led, and how: of a recording, or of the scene that it is made of.
typedef struct pulling {
    const cdg_grip_def *def; // as a scene has it, but its keys
    uint32_t obstacle1, support1;
    const cdg_grip_key *keys;
    size_t key_count;
    double to; // s
} pulling;

static void put_pull(writing *w, const pulling *pull, const cdg_scene *scene) {
    const cdg_grip_def *def = pull->def;
    double to = pull->to;
    if (def->place.rod.index1 != 0) {
        put_name(w, "rod", scene->rods[def->place.rod.index1 - 1].name);
        put(w, "    element: %zu\n    fraction: %.17g\n", def->place.index, def->place.fraction);
    } else if (pull->obstacle1 != 0) {
        put_name(w, "obstacle", scene->obstacles[pull->obstacle1 - 1].name);
    } else if (pull->support1 != 0) {
        put(w, "  - support: %u\n", pull->support1 - 1);
    } else {
        bool is_solid = def->place.solid.index1 != 0;
        put_name(w, is_solid ? "solid" : "body",
                 is_solid ? scene->solids[def->place.solid.index1 - 1].def.name
                          : scene->bodies[def->place.body.index1 - 1].name);
        put(w, "    local: ");
        put_vector(w, def->place.point);
        put(w, "\n");
    }
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

// Those of the scene first: so they stand in the world, too.
static void put_hands(writing *w, const cdg_record *record, const cdg_scene *scene, double time) {
    bool has_any = scene->hand_count > 0;
    if (has_any) put(w, "hands:\n");
    for (size_t i = 0; i < scene->hand_count; i++) {
        const scene_hand *hand = &scene->hands[i];
        put_pull(
            w,
            &(pulling){&hand->def, hand->obstacle1, hand->support1, hand->def.keys, hand->def.key_count, hand->def.to},
            scene);
    }
    for (size_t i = 0; i < record->count; i++) {
        const cdg_record_pull *pull = &record->pulls[i];
        if (pull->key_count == 0 || !(pull->keys[0].time < time)) continue; // no step was taken with it
        if (!has_any) put(w, "hands:\n");
        has_any = true;
        double to = pull->def.to > 0 ? pull->def.to : time;
        put_pull(w, &(pulling){&pull->def, pull->obstacle1, pull->support1, pull->keys, pull->key_count, to}, scene);
    }
}

static void put_cut(writing *w, const char *rod, size_t node, double time, bool *has_any) {
    if (!*has_any) put(w, "cuts:\n");
    *has_any = true;
    put(w, "  - {cut: '");
    for (; *rod != '\0'; rod++) put(w, *rod == '\'' ? "''" : "%c", *rod);
    put(w, ".node(%zu)', at: %.17g s}\n", node, time);
}

static bool was_cut_by_hand(const cdg_record *record, const cdg_place *place) {
    for (size_t i = 0; i < record->cut_count; i++)
        if (record->cuts[i].rod == place->rod.index1 - 1 && record->cuts[i].node == place->index) return true;
    return false;
}

// Those by hand first: of two at one time they came before the scene's, which is made as the step begins.
static void put_cuts(writing *w, const cdg_record *record, const cdg_scene *scene, double time) {
    bool has_any = false;
    for (size_t i = 0; i < record->cut_count; i++) {
        const cdg_record_cut *cut = &record->cuts[i];
        if (cut->time < time) // a step was taken since
            put_cut(w, scene->rods[cut->rod].name, cut->node, cut->time, &has_any);
    }
    for (size_t i = 0; i < scene->cut_count; i++) {
        const cdg_place *place = &scene->cuts[i].place;
        if (!was_cut_by_hand(record, place))
            put_cut(w, scene->rods[place->rod.index1 - 1].name, place->index, scene->cuts[i].time, &has_any);
    }
}

// ---- the scene's own text -------------------------------------------------------------------------------------------

// Whether a line goes on with what a key at the beginning of a line before it has begun.
static bool belongs(const char *line, size_t length) {
    bool is_marker = length >= 3 && memcmp(line, "---", 3) == 0;
    return length > 0 && strchr(" \t-]}", line[0]) != NULL && !is_marker;
}

// The text without a key and its value, which hold for lines: a key stands at the beginning of one.
static void put_text_without(writing *w, const char *text, size_t size, const char *const keys[4]) {
    bool is_left_out = false;
    for (const char *line = text, *end = text + size; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t length = stop != NULL ? (size_t)(stop - line) : (size_t)(end - line);
        bool is_empty = length == 0 || line[0] == '#' || line[0] == '\r';
        if (!is_empty && !(is_left_out && belongs(line, length))) {
            is_left_out = false;
            for (int k = 0; k < 4; k++) {
                size_t name = strlen(keys[k]);
                if (length > name && memcmp(line, keys[k], name) == 0 && line[name] == ':') is_left_out = true;
            }
        }
        size_t whole = stop != NULL ? length + 1 : length;
        if ((!is_left_out || is_empty) && !cdg_text_append(&w->text, &w->size, &w->capacity, line, whole))
            w->has_failed = true;
        line += whole;
    }
    if (w->size > 0 && w->text[w->size - 1] != '\n') put(w, "\n");
}

static void put_lines(writing *w, const char *lines) {
    for (const char *at = lines != NULL ? lines : "", *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        put(w, "  - '");
        for (const char *c = at; c < end; c++) put(w, *c == '\'' ? "''" : "%c", *c);
        put(w, "'\n");
    }
}

// What was set on the command line, and by sliders before the first step, is no part of the text.
static void put_overrides(writing *w, const char *own_sets, const char *overrides, double step) {
    bool has_own = own_sets != NULL && own_sets[0] != '\0';
    if (!has_own && (overrides == NULL || overrides[0] == '\0') && !(step > 0)) return;
    put(w, "set:\n");
    put_lines(w, own_sets);
    put_lines(w, overrides);
    if (step > 0) put(w, "  - 'simulation.step=%.17g s'\n", step);
}

static void put_change(writing *w, const cdg_record_change *change) {
    put(w, "{at: %.17g s, set: '", change->time);
    for (const char *c = change->line; *c != '\0'; c++) put(w, *c == '\'' ? "''" : "%c", *c);
    put(w, "'}");
}

// Those of the scene, and sliders with which a step was taken.
static void put_changes(writing *w, const cdg_record *record, double time) {
    bool has_any = false;
    for (size_t i = 0; i < record->change_count; i++) {
        const cdg_record_change *change = &record->changes[i];
        if (!change->is_own && !(change->time < time)) continue;
        put(w, has_any ? "  - " : "changes:\n  - ");
        put_change(w, change);
        put(w, "\n");
        has_any = true;
    }
}

char *cdg_record_lines(const cdg_record *record, double time) {
    writing w = {0};
    bool has_own = false, has_any = false;
    put(&w, "%s", record->overrides != NULL ? record->overrides : "");
    for (size_t i = 0; i < record->change_count; i++) {
        has_own |= record->changes[i].is_own;
        if (record->changes[i].time <= time) put(&w, "%s\n", record->changes[i].line);
    }
    if (has_own) put(&w, "changes=[");
    for (size_t i = 0; i < record->change_count; i++) {
        if (!(record->changes[i].time > time)) continue;
        put(&w, has_any ? ", " : "");
        put_change(&w, &record->changes[i]);
        has_any = true;
    }
    if (has_own) put(&w, "]\n");
    if (!w.has_failed && w.text != NULL) return w.text;
    free(w.text);
    return w.has_failed ? NULL : strdup("");
}

char *cdg_record_text(const cdg_record *record, const cdg_scene *scene, double time, cdg_error *error) {
    if (record->spoiled != NULL)
        return (void)cdg_fail(error, CDG_ERROR_UNSUPPORTED, "this cannot be recorded: %s; reset and begin anew",
                              record->spoiled),
               NULL;
    writing w = {0};
    put_text_without(&w, scene->text, scene->text_size, (const char *const[4]){"hands", "cuts", "changes", "set"});
    put_overrides(&w, scene->own_sets, record->overrides != NULL ? record->overrides : scene->overrides, record->step);
    put_hands(&w, record, scene, time);
    put_cuts(&w, record, scene, time);
    put_changes(&w, record, time);
    if (!w.has_failed) return w.text;
    free(w.text);
    return (void)cdg_fail(error, CDG_ERROR_MEMORY, "no memory for the recording"), NULL;
}
