// The scene language as tables, here those of the whole scene (others are in schema_*.c), and looking keys up in them.
#include "scene/schema.h"
#include "rods/model_options.h"
#include "rods/rod_model.h"

#include "scene/misplaced_keys.h"
#include "scene/scene.h"
#include "scene/schema_rows.h"
#include "scene/suggest.h"

#include <stdio.h>
#include <string.h>

// One row a key, name first: the formatter would give each member a line of its own.
// clang-format off

// ---- the whole scene ------------------------------------------------------------------------------------------------

static const scene_key scene_keys[] = {
    {.name = "cordage", .type = SCENE_TYPE_SPECIAL, .form = "`1`", .is_required = true, .example = "1",
     .also = "version", .text = "version of the scene format"},
    {.name = "title", .type = SCENE_TYPE_TEXT, IN(cdg_scene, title), .initial = "none", .also = "description name",
     .text = "one line that says what is shown"},
    {.name = "simulation", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_simulation, .is_required = true,
     .example = "{duration: 4 s}", .text = "model, step, duration, gravity"},
    {.name = "output", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_output,
     .text = "how often results are written"},
    {.name = "materials", .type = SCENE_TYPE_SPECIAL, .form = "a map from names to materials",
     .table = &cdg_schema_material, .example = "{rubber: {young_modulus: 1 MPa, density: 1100 kg/m^3}}",
     .text = "materials that rods refer to by name"},
    {.name = "rods", .type = SCENE_TYPE_SPECIAL, .form = "a list of rods", .table = &cdg_schema_rod,
     .initial = "these, `structures` or `strands` are required", .example = "[{name: cable, ...}]", .text = "the rods"},
    {.name = "structures", .type = SCENE_TYPE_SPECIAL, .form = "a list of structures", .table = &cdg_schema_structure,
     .also = "nets", .text = "nets, trusses, trees and the like, which are made of rods and joints"},
    {.name = "strands", .type = SCENE_TYPE_SPECIAL, .form = "a list of strands", .table = &cdg_schema_strands,
     .also = "hair hairs tress", .text = "hair: guides that are simulated and fibres between them"},
    {.name = "joints", .type = SCENE_TYPE_SPECIAL, .form = "a list of joints", .table = &cdg_schema_joint,
     .also = "joins", .text = "nodes of rods that are one point"},
    {.name = "supports", .type = SCENE_TYPE_SPECIAL, .form = "a list of supports", .table = &cdg_schema_support,
     .also = "constraints boundary_conditions", .text = "what holds the rods, and how that moves"},
    {.name = "loads", .type = SCENE_TYPE_SPECIAL, .form = "a list of loads", .table = &cdg_schema_load,
     .also = "forces",
     .text = "forces, moments, drag, wind"},
    {.name = "contact", .type = SCENE_TYPE_SPECIAL, .form = "`off`, `on`, or a map", .table = &cdg_schema_contact,
     .initial = "on", .example = "{friction: 0.3}", .also = "collision collisions",
     .text = "contact of rods with each other, themselves, obstacles and bodies"},
    {.name = "obstacles", .type = SCENE_TYPE_SPECIAL, .form = "a list of obstacles", .table = &cdg_schema_obstacle,
     .also = "colliders floor ground", .text = "solid things that rods touch, at rest or moving"},
    {.name = "probes", .type = SCENE_TYPE_SPECIAL, .form = "a list of probes", .table = &cdg_schema_probe,
     .text = "what to measure; columns of probes.csv"},
    {.name = "solids", .type = SCENE_TYPE_SPECIAL, .form = "a list of solids", .table = &cdg_schema_solid,
     .also = "deformables soft_bodies", .text = "deformable solids, meshes of tetrahedra"},
    {.name = "bodies", .type = SCENE_TYPE_SPECIAL, .form = "a list of bodies", .table = &cdg_schema_body,
     .also = "rigid_bodies", .text = "rigid bodies: they fall, collide, and carry ends of rods (`weld` in `joints`)"},
    {.name = "hands", .type = SCENE_TYPE_SPECIAL, .form = "a list of hands", .table = &cdg_schema_hand,
     .also = "grips pulls", .text = "hands that pull, as `cordage view` records them"},
    {.name = "cuts", .type = SCENE_TYPE_SPECIAL, .form = "a list of cuts", .table = &cdg_schema_cut,
     .also = "scissors", .text = "where and when rods are cut in two"},
    {.name = "changes", .type = SCENE_TYPE_SPECIAL, .form = "a list of changes", .table = &cdg_schema_change,
     .also = "events schedule", .text = "values that become others while the scene runs"},
    {.name = "controls", .type = SCENE_TYPE_SPECIAL, .form = "a list of controls", .table = &cdg_schema_control,
     .also = "sliders", .text = "sliders of `cordage view`"},
    {.name = "looks", .type = SCENE_TYPE_SPECIAL, .form = "a list of looks", .table = &cdg_schema_look,
     .also = "colors colours appearance", .text = "colours and surfaces in pictures and exports"},
    {.name = "set", .type = SCENE_TYPE_SPECIAL, .form = "a list of lines", .example = "['contact.friction=0.3']",
     .also = "overrides",
     .text = "values in the place of those of this text, as `--set` gives them, and before it; recordings have what a "
             "session was given"},
};
TABLE(scene, "The scene", "The top of the file.");

static const char *const mode_choices[] = {"dynamic", "static", NULL};

static const char *const guard_choices[] = {"on", "off", NULL};

static const scene_key simulation_keys[] = {
    {.name = "model", .type = SCENE_TYPE_MODEL, .initial = "pobd",
     .text = "how rods are simulated; a rod may name its own"},
    {.name = "step", .type = SCENE_TYPE_SPECIAL, .form = "`auto` or a time", .initial = "auto", .example = "1 ms",
     .also = "dt time_step timestep",
      .text = "time step; auto takes what `cordage check` recommends for models, loads, motions and contact"},
    {.name = "duration", QUANTITY(CDG_TIME), .range = SCENE_POSITIVE, IN(cdg_scene, duration),
     .initial = "required; static: when the last motion or load has come to its end",
     .example = "4 s", .also = "time end t_end end_time total_time length",
     .text = "how long to simulate; static: up to which time supports and loads are followed"},
    {.name = "mode", .type = SCENE_TYPE_CHOICE, .choices = mode_choices, IN(cdg_scene, mode), .initial = "dynamic",
     .text = "how rods move in time, or their equilibria (models `der` and `galpha`)"},
    {.name = "static", .type = SCENE_TYPE_SPECIAL, .table = &cdg_schema_static, .also = "statics",
     .text = "how equilibria are found"},
    {.name = "modes", .type = SCENE_TYPE_COUNT, .least = 0, .most = 1000, IN(cdg_scene, mode_count), .initial = "0",
     .example = "4", .also = "eigenmodes frequencies vibrations",
     .text = "natural frequencies and shapes of each rod and solid: about the equilibrium, or dynamic about the start"},
    {.name = "energy_guard", .type = SCENE_TYPE_CHOICE, .choices = guard_choices, IN(cdg_scene, energy_guard),
     .initial = "on", .also = "guard",
     .text = "whether a step in which energy comes from nowhere is divided, and then stops the run"},
    {.name = "adapt", .type = SCENE_TYPE_SPECIAL, .form = "`off`, `on`, or a map", .table = &cdg_schema_adapt,
     .initial = "off", .example = "on", .also = "adaptive refine refinement",
     .text = "whether the elements of `rods` are halved where rods bend and touch"},
    {.name = "gravity", VECTOR(CDG_ACCELERATION), IN(cdg_scene, gravity), .initial = "[0, 0, -9.81]",
     .example = "[0, 0, -9.81]", .also = "g", .text = "acceleration of everything that falls"},
};
MODEL_TABLE(simulation, "`simulation`", "What is simulated, and how.", SCENE_FOR_ALL_RODS);

static const char *const path_choices[] = {
#define PATH_NAME(id, name, text) name,
    CDG_PATH_LIST(PATH_NAME)
#undef PATH_NAME
    NULL};

static const scene_key static_keys[] = {
    {.name = "path", .type = SCENE_TYPE_CHOICE, .choices = path_choices, IN(scene_statics, path), .initial = "stable",
     .text = "stable equilibria at rising times, with jumps where a load has a limit; or every equilibrium by arc "
             "length, through limits, where time turns back"},
    {.name = "steps", .type = SCENE_TYPE_INTEGER, .least = 1, .most = 1000000, IN(scene_statics, steps),
     .initial = "1000", .text = "steps at most; each is an output, none is longer than `output.every`"},
    {.name = "limits", .type = SCENE_TYPE_INTEGER, .least = 0, .most = 1000000, IN(scene_statics, limits),
     .initial = "0", .text = "arc_length: the path ends after so many limits of the load; 0: at the duration only"},
    {.name = "imperfection", QUANTITY(CDG_NUMBER), .range = SCENE_NOT_NEGATIVE, IN(scene_statics, imperfection),
     .initial = "0", .example = "1e-3",
     .text = "random side forces, as a share of bending stiffness over length squared, that let a perfect rod choose"},
    {.name = "seed", .type = SCENE_TYPE_INTEGER, .least = 0, .most = 2147483647, IN(scene_statics, seed),
     .initial = "0", .text = "of the side forces"},
};
TABLE(static, "`simulation.static`",
      "How equilibria are found with `mode: static`. Time is then only a parameter of loads and supports.");

static const char *const precision_choices[] = {"double", "single", NULL};

static const scene_key output_keys[] = {
    {.name = "every", QUANTITY(CDG_TIME), .range = SCENE_POSITIVE, IN(cdg_scene, output_every),
     .initial = "a fiftieth of the duration", .example = "20 ms", .also = "interval dt",
     .text = "time between two outputs"},
    {.name = "fields", .type = SCENE_TYPE_SPECIAL, .form = "`all`, or a list of fields of rods", .initial = "`all`",
     .example = "[velocities, tension]", .also = "quantities variables field",
     .text = "what is written of rods beside positions and frames, which always are: velocities, angular_velocities, "
             "tension, forces, moment, strains, curvature, twist; `[]`: nothing else. A long list of strands is "
             "written four times as fast without them"},
    {.name = "precision", .type = SCENE_TYPE_CHOICE, .choices = precision_choices, IN(cdg_scene, precision),
     .initial = "double", .also = "float32 float64 real_type dtype",
     .text = "of the numbers that are written of rods: `single` has seven digits and takes half the room and time. "
             "Probes, energies, `--resume` and rods whose resolution changes are as before"},
};
TABLE(output, "`output`", "What is written to the run's files.");

// clang-format on

// ---- looking up -----------------------------------------------------------------------------------------------------

size_t cdg_schema_count(const scene_table *table) {
    size_t models = 0;
    for (size_t i = 0; i < cdg_rod_model_count() && table->model_keys != SCENE_NO_MODEL_KEYS; i++)
        models += cdg_rod_model_get((cdg_model)i)->options != NULL;
    return table->count + models;
}

const scene_key *cdg_schema_key(const scene_table *table, size_t index) {
    if (index < table->count) return &table->keys[index];
    size_t left = index - table->count;
    for (size_t i = 0; i < cdg_rod_model_count(); i++) {
        const cdg_model_options *options = cdg_rod_model_get((cdg_model)i)->options;
        if (options != NULL && left-- == 0) return &options->keys[table->model_keys == SCENE_FOR_ALL_RODS ? 0 : 1];
    }
    return NULL;
}

const scene_key *cdg_schema_find(const scene_table *table, const char *name, size_t length) {
    size_t count = cdg_schema_count(table);
    for (size_t i = 0; i < count; i++) {
        const scene_key *key = cdg_schema_key(table, i);
        if (strlen(key->name) == length && memcmp(key->name, name, length) == 0) return key;
    }
    return NULL;
}

// Whether `word` is one of the space-separated words in `list`.
static bool holds_word(const char *list, const char *word, size_t length) {
    while (list != NULL && *list != '\0') {
        size_t size = strcspn(list, " ");
        if (size == length && cdg_edit_distance(list, size, word, length) == 0) return true;
        list += size + (list[size] == ' ');
    }
    return false;
}

const scene_key *cdg_schema_suggest(const scene_table *table, const char *name, size_t length, char *out, size_t size) {
    word_search search = cdg_suggest_begin(name, length);
    size_t count = cdg_schema_count(table);
    for (size_t i = 0; i < count; i++) {
        const scene_key *key = cdg_schema_key(table, i);
        if (key->type == SCENE_TYPE_LATER) continue;
        if (holds_word(key->also, name, length)) {
            snprintf(out, size, "use '%s'", key->name);
            return key;
        }
        cdg_suggest_offer(&search, key->name);
    }
    const char *cure = cdg_misplaced_key(table, name, length);
    if (cure != NULL) {
        snprintf(out, size, "%s", cure);
        return NULL;
    }
    if (search.best != NULL) {
        snprintf(out, size, "did you mean '%s'?", search.best);
        return cdg_schema_find(table, search.best, strlen(search.best));
    }
    size_t used = (size_t)snprintf(out, size, "%s", count == 1 ? "the only key here is " : "keys here: ");
    for (size_t i = 0; i < count && used < size; i++) {
        const scene_key *key = cdg_schema_key(table, i);
        if (key->type == SCENE_TYPE_LATER) continue;
        used += (size_t)snprintf(out + used, size - used, "%s%s", i > 0 ? ", " : "", key->name);
    }
    return NULL;
}

static void list_models(char *out, size_t size) {
    size_t used = 0;
    for (size_t i = 0; i < cdg_rod_model_count() && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s`%s`", i > 0 ? ", " : "",
                                 cdg_rod_model_get((cdg_model)i)->name);
}

void cdg_schema_value(const scene_key *key, char *out, size_t size) {
    if (key->is_automatic) {
        scene_key plain = *key;
        plain.is_automatic = false;
        size_t used = (size_t)snprintf(out, size, "`auto` or ");
        if (used < size) cdg_schema_value(&plain, out + used, size - used);
        return;
    }
    switch (key->type) {
    case SCENE_TYPE_QUANTITY: snprintf(out, size, "%s", cdg_quantity_text(key->quantity)); return;
    case SCENE_TYPE_VECTOR: snprintf(out, size, "[x, y, z], %s", cdg_quantity_plural(key->quantity)); return;
    case SCENE_TYPE_DIRECTION: snprintf(out, size, "a direction [x, y, z]"); return;
    case SCENE_TYPE_PAIR: snprintf(out, size, "%s, or a list of two", cdg_quantity_text(key->quantity)); return;
    case SCENE_TYPE_TRIPLE: snprintf(out, size, "%s, or a list of three", cdg_quantity_text(key->quantity)); return;
    case SCENE_TYPE_COUNT:
    case SCENE_TYPE_INTEGER: snprintf(out, size, "a whole number from %d to %d", key->least, key->most); return;
    case SCENE_TYPE_SWITCH: snprintf(out, size, "`true` or `false`"); return;
    case SCENE_TYPE_TEXT: snprintf(out, size, "text"); return;
    case SCENE_TYPE_MODEL: list_models(out, size); return;
    case SCENE_TYPE_VARIANT:
        snprintf(out, size, "`%s`, `%s` or `{%s: ...}`", key->choices[0], key->choices[1], key->choices[1]);
        return;
    case SCENE_TYPE_CHOICE: {
        size_t used = 0;
        out[0] = '\0';
        for (size_t i = 0; key->choices[i] != NULL && used < size; i++) {
            const char *join = i == 0 ? "" : key->choices[i + 1] == NULL ? " or " : ", ";
            used += (size_t)snprintf(out + used, size - used, "%s`%s`", join, key->choices[i]);
        }
        return;
    }
    case SCENE_TYPE_SPECIAL: snprintf(out, size, "%s", key->form != NULL ? key->form : "a map"); return;
    case SCENE_TYPE_LATER: snprintf(out, size, "not in this version"); return;
    }
}
