// cordage info: what a scene or a run holds, in numbers.
#include "commands.h"
#include "field_table.h"
#include "format.h"
#include "json_print.h"
#include "mode_table.h"
#include "output/probe_table.h"
#include "output/run_info.h"
#include "output/run_settings.h"
#include "scene/scene.h"
#include "scene_source.h"
#include "terminal.h"
#include "world/world.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SHOWN_MAX = 20 };

// Names from the library's one list each.
static const char *const support_names[] = {
#define SUPPORT_NAME(name, key) key,
    CDG_SUPPORT_LIST(SUPPORT_NAME)
#undef SUPPORT_NAME
};
static const char *const load_names[] = {
#define LOAD_NAME(name, key) key,
    CDG_LOAD_LIST(LOAD_NAME)
#undef LOAD_NAME
};
static const char *const probe_names[] = {
#define PROBE_NAME(name, key, text, columns) key,
    CDG_PROBE_LIST(PROBE_NAME)
#undef PROBE_NAME
};

// "cable.node(3)" for a place in a scene.
static text_buffer place_name(const cdg_scene *scene, cdg_place place) {
    text_buffer out;
    const char *rod = place.rod.index1 > 0 && place.rod.index1 <= scene->rod_count
                          ? scene->rods[place.rod.index1 - 1].name
                          : "all rods";
    snprintf(out.text, sizeof out.text, "%.40s.%s(%zu)", rod, place.kind == CDG_PLACE_NODE ? "node" : "element",
             place.index);
    return out;
}

static text_buffer rod_name(const cdg_scene *scene, cdg_place place) {
    text_buffer out;
    bool has_rod = place.rod.index1 > 0 && place.rod.index1 <= scene->rod_count;
    snprintf(out.text, sizeof out.text, "%.60s", has_rod ? scene->rods[place.rod.index1 - 1].name : "all rods");
    return out;
}

static bool probe_has_place(cdg_probe_kind kind) {
    return kind != CDG_PROBE_ENERGY && kind != CDG_PROBE_LENGTH && kind != CDG_PROBE_LINKING &&
           kind != CDG_PROBE_KNOT && kind != CDG_PROBE_CONTACTS && kind != CDG_PROBE_CONTACT_FORCE &&
           kind != CDG_PROBE_WRITHE && kind != CDG_PROBE_BEND_RADIUS && kind != CDG_PROBE_TENSION_RANGE &&
           kind != CDG_PROBE_MOMENT_RANGE;
}

// ---- a scene --------------------------------------------------------------------------------------------------------

static cdg_result rod_stiffness(const cdg_rod_def *def, cdg_stiffness *out, cdg_error *error) {
    if (def->has_stiffness) {
        *out = def->stiffness;
        return CDG_OK;
    }
    return cdg_stiffness_compute(&def->material, &def->section, out, error);
}

static text_buffer probe_target(const cdg_scene *scene, const cdg_probe *probe) {
    text_buffer out;
    if (probe->place.solid.index1 != 0) {
        snprintf(out.text, sizeof out.text, "%.60s", scene->solids[probe->place.solid.index1 - 1].def.name);
        return out;
    }
    if (probe->place.body.index1 == 0)
        return probe_has_place(probe->kind) ? place_name(scene, probe->place) : rod_name(scene, probe->place);
    snprintf(out.text, sizeof out.text, "%s", scene->bodies[probe->place.body.index1 - 1].name);
    return out;
}

static void print_rods(const cdg_scene *scene, const cdg_world *world) {
    for (size_t i = 0; i < scene->rod_count && i < SHOWN_MAX; i++) {
        const cdg_rod_def *def = &scene->rods[i];
        cdg_rod_info info;
        cdg_stiffness stiffness;
        cdg_error error;
        if (cdg_rod_get_info(world, cdg_world_rod_at(world, i), &info) != CDG_OK ||
            rod_stiffness(def, &stiffness, &error) != CDG_OK)
            continue;
        printf("\n  rod '%s'%s%s, model %s\n", info.name, info.is_closed ? ", closed" : "",
               def->is_tapered ? ", tapered (figures of its start)" : "", cdg_run_model_name(info.model));
        printf("    nodes, elements    %zu, %zu\n", info.node_count, info.element_count);
        printf("    length, mass       %s, %s\n", format_unit(info.length, "m").text,
               format_unit(1e3 * info.mass, "g").text);
        printf("    radius             %s\n", format_unit(stiffness.radius, "m").text);
        printf("    stretch (EA)       %s\n", format_unit(stiffness.stretch, "N").text);
        printf("    shear (GAk)        %s, %s\n", format_unit(stiffness.shear[0], "N").text,
               format_unit(stiffness.shear[1], "N").text);
        printf("    bend (EI)          %s N m^2, %s N m^2\n", format_number(stiffness.bend[0]).text,
               format_number(stiffness.bend[1]).text);
        printf("    twist (GJ)         %s N m^2\n", format_number(stiffness.twist).text);
        printf("    mass per length    %s/m\n", format_unit(1e3 * stiffness.mass, "g").text);
        const cdg_material *m = &def->material;
        if (m->damping_stretch > 0 || m->damping_bend > 0 || m->damping_twist > 0)
            printf("    damping            stretch %s, bend %s, twist %s\n", format_unit(m->damping_stretch, "s").text,
                   format_unit(m->damping_bend, "s").text, format_unit(m->damping_twist, "s").text);
    }
    if (scene->rod_count > SHOWN_MAX) printf("\n  ... and %zu more rods\n", scene->rod_count - SHOWN_MAX);
}

static void print_scene(const cdg_scene *scene, const cdg_world *world) {
    printf("%s%s%s\n", scene->name, scene->title ? ": " : "", scene->title ? scene->title : "");
    printf("  model %s, %s long, step %s, gravity [%g, %g, %g] m/s^2\n", cdg_run_model_name(scene->model),
           format_seconds(scene->duration).text,
           scene->mode == SCENE_STATIC ? "none (static)"
           : scene->step > 0           ? format_seconds(scene->step).text
                                       : "auto",
           scene->gravity.x, scene->gravity.y, scene->gravity.z);
    if (scene->contact.choice != CDG_CONTACT_OFF) {
        printf("  contact with friction %g, %s\n", scene->contact.friction,
               format_plural(scene->obstacle_count, "obstacle").text);
    }
    printf("  %s, %s, %s, %s, %s\n", format_plural(scene->rod_count, "rod").text,
           format_plural(scene->joint_count, "joint").text, format_plural(scene->support_count, "support").text,
           format_plural(scene->load_count, "load").text, format_plural(scene->probe_count, "probe").text);
    print_rods(scene, world);
    const size_t parts =
        scene->joint_count + scene->support_count + scene->load_count + scene->obstacle_count + scene->probe_count;
    printf("%s", parts > 0 ? "\n" : "");
    for (size_t i = 0; i < scene->joint_count && i < SHOWN_MAX; i++) {
        const cdg_joint_def *def = &scene->joints[i];
        printf("  joint   ");
        for (size_t m = 0; m < def->place_count; m++) printf(" %s", place_name(scene, def->places[m]).text);
        if (def->has_axes)
            printf(", stiffness %g, %g and %g N m about d1, d2 and d3", def->axes[0], def->axes[1], def->axes[2]);
        else if (def->stiffness == 0)
            printf(", turns freely");
        else if (def->stiffness != 1)
            printf(", stiffness %g", def->stiffness);
        printf("\n");
    }
    if (scene->joint_count > SHOWN_MAX) printf("  ... and %zu more joints\n", scene->joint_count - SHOWN_MAX);
    for (size_t i = 0; i < scene->support_count && i < SHOWN_MAX; i++) {
        const cdg_support_def *def = &scene->supports[i];
        printf("  support  %-10s %s%s\n", support_names[def->kind], place_name(scene, def->place).text,
               def->motion_count > 0 ? ", moves" : "");
    }
    for (size_t i = 0; i < scene->load_count && i < SHOWN_MAX; i++) {
        const cdg_load_def *def = &scene->loads[i];
        text_buffer where =
            cdg_load_acts_at_place(def->kind) ? place_name(scene, def->place) : rod_name(scene, def->place);
        printf("  load     %-10s %s\n", load_names[def->kind], where.text);
    }
    for (size_t i = 0; i < scene->obstacle_count && i < SHOWN_MAX; i++) {
        const cdg_obstacle_def *def = &scene->obstacles[i];
        printf("  obstacle %-10s %s%s\n", def->name, cdg_shape_name(def->shape.kind),
               def->motion_count > 0 ? ", moves" : "");
    }
    for (size_t i = 0; i < scene->body_count && i < SHOWN_MAX; i++) {
        cdg_body_info info;
        if (cdg_body_get_info(world, cdg_world_body_at(world, i), &info) != CDG_OK) continue;
        printf("  body     %-10s %s, ", info.name, cdg_shape_name(info.shape.kind));
        if (info.is_fixed) printf("fixed\n");
        if (!info.is_fixed) printf("%.4g kg\n", info.mass);
    }
    for (size_t i = 0; i < scene->solid_count && i < SHOWN_MAX; i++) {
        cdg_solid_info info;
        if (cdg_solid_get_info(world, cdg_world_solid_at(world, i), &info) != CDG_OK) continue;
        printf("  solid    %-10s %zu nodes, %zu tetrahedra, %.4g kg\n", info.name, info.node_count,
               info.tetrahedron_count, info.mass);
    }
    for (size_t i = 0; i < scene->weld_count && i < SHOWN_MAX; i++)
        printf("  weld     %-10s %s\n", scene->bodies[scene->welds[i].body.index1 - 1].name,
               place_name(scene, scene->welds[i].place).text);
    for (size_t i = 0; i < scene->tie_count && i < SHOWN_MAX; i++)
        printf("  %-8s %-10s %s\n", scene->ties[i].turns ? "pin" : "weld",
               scene->solids[scene->ties[i].solid.index1 - 1].def.name, place_name(scene, scene->ties[i].place).text);
    for (size_t i = 0; i < scene->probe_count && i < SHOWN_MAX; i++) {
        const scene_probe *probe = &scene->probes[i];
        printf("  probe    %-10s %s of %s\n", probe->name, probe_names[probe->probe.kind],
               probe_target(scene, &probe->probe).text);
    }
}

static void add_rods_json(cdg_json *json, const cdg_scene *scene, const cdg_world *world) {
    cdg_json_begin_array(json, "rods");
    for (size_t i = 0; i < scene->rod_count; i++) {
        cdg_rod_info info;
        cdg_stiffness stiffness;
        cdg_error error;
        if (cdg_rod_get_info(world, cdg_world_rod_at(world, i), &info) != CDG_OK ||
            rod_stiffness(&scene->rods[i], &stiffness, &error) != CDG_OK)
            continue;
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "name", info.name);
        cdg_json_text(json, "model", cdg_run_model_name(info.model));
        cdg_json_boolean(json, "closed", info.is_closed);
        cdg_json_boolean(json, "tapered", scene->rods[i].is_tapered);
        cdg_json_integer(json, "nodes", info.node_count);
        cdg_json_integer(json, "elements", info.element_count);
        cdg_json_number(json, "length", info.length);
        cdg_json_number(json, "mass", info.mass);
        cdg_json_number(json, "radius", stiffness.radius);
        cdg_json_number(json, "stretch_stiffness", stiffness.stretch);
        cdg_json_begin_array(json, "shear_stiffness");
        for (int k = 0; k < 2; k++) cdg_json_number(json, NULL, stiffness.shear[k]);
        cdg_json_end(json);
        cdg_json_begin_array(json, "bend_stiffness");
        for (int k = 0; k < 2; k++) cdg_json_number(json, NULL, stiffness.bend[k]);
        cdg_json_end(json);
        cdg_json_number(json, "twist_stiffness", stiffness.twist);
        cdg_json_number(json, "mass_per_length", stiffness.mass);
        cdg_json_end(json);
    }
    cdg_json_end(json);
}

static void add_scene_json(cdg_json *json, const cdg_scene *scene, const cdg_world *world) {
    cdg_json_text(json, "title", scene->title);
    cdg_json_text(json, "model", cdg_run_model_name(scene->model));
    cdg_json_number(json, "duration", scene->duration);
    if (scene->step > 0)
        cdg_json_number(json, "step", scene->step);
    else
        cdg_json_text(json, "step", "auto");
    add_rods_json(json, scene, world);
    cdg_json_begin_array(json, "joints");
    for (size_t i = 0; i < scene->joint_count; i++) {
        const cdg_joint_def *def = &scene->joints[i];
        cdg_json_begin_object(json, NULL);
        cdg_json_begin_array(json, "places");
        for (size_t m = 0; m < def->place_count; m++) cdg_json_text(json, NULL, place_name(scene, def->places[m]).text);
        cdg_json_end(json);
        if (def->has_axes) {
            cdg_json_begin_array(json, "stiffness");
            for (int k = 0; k < 3; k++) { // JSON has no infinity
                if (isinf(def->axes[k]))
                    cdg_json_text(json, NULL, "rigid");
                else
                    cdg_json_number(json, NULL, def->axes[k]);
            }
            cdg_json_end(json);
        } else {
            cdg_json_number(json, "stiffness", def->stiffness);
        }
        cdg_json_end(json);
    }
    cdg_json_end(json);
    cdg_json_begin_array(json, "supports");
    for (size_t i = 0; i < scene->support_count; i++) {
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "kind", support_names[scene->supports[i].kind]);
        cdg_json_text(json, "place", place_name(scene, scene->supports[i].place).text);
        cdg_json_integer(json, "motions", scene->supports[i].motion_count);
        cdg_json_end(json);
    }
    cdg_json_end(json);
    cdg_json_begin_array(json, "loads");
    for (size_t i = 0; i < scene->load_count; i++) {
        const cdg_load_def *def = &scene->loads[i];
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "kind", load_names[def->kind]);
        cdg_json_text(json, "place",
                      cdg_load_acts_at_place(def->kind) ? place_name(scene, def->place).text
                                                        : rod_name(scene, def->place).text);
        cdg_json_end(json);
    }
    cdg_json_end(json);
    cdg_json_boolean(json, "contact", scene->contact.choice != CDG_CONTACT_OFF);
    cdg_json_begin_array(json, "obstacles");
    for (size_t i = 0; i < scene->obstacle_count; i++) {
        const cdg_obstacle_def *def = &scene->obstacles[i];
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "name", def->name);
        cdg_json_text(json, "kind", cdg_shape_name(def->shape.kind));
        cdg_json_number(json, "friction", def->friction < 0 ? scene->contact.friction : def->friction);
        cdg_json_integer(json, "motions", def->motion_count);
        cdg_json_end(json);
    }
    cdg_json_end(json);
    cdg_json_begin_array(json, "bodies");
    for (size_t i = 0; i < scene->body_count; i++) {
        const cdg_body_def *def = &scene->bodies[i];
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "name", def->name);
        cdg_json_text(json, "kind", cdg_shape_name(def->shape.kind));
        cdg_json_boolean(json, "fixed", def->is_fixed);
        cdg_json_end(json);
    }
    cdg_json_end(json);
    cdg_json_begin_array(json, "probes");
    for (size_t i = 0; i < scene->probe_count; i++) {
        const cdg_probe *probe = &scene->probes[i].probe;
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "name", scene->probes[i].name);
        cdg_json_text(json, "kind", probe_names[probe->kind]);
        cdg_json_text(json, "place", probe_target(scene, probe).text);
        cdg_json_end(json);
    }
    cdg_json_end(json);
}

static exit_status show_scene(const command_line *line) {
    loaded_scene loaded = load_scene(line->words[0], line);
    cdg_world *world = NULL;
    cdg_error error = loaded.error;
    cdg_result result = loaded.result;
    if (result == CDG_OK) {
        assert(loaded.scene);
        result = cdg_scene_build(loaded.scene, 1, &world, &error);
        if (result != CDG_OK) complain_of_scene(loaded.scene, error.message);
    }
    if (has_option(line, "json")) {
        cdg_json json = json_begin(line->command->name);
        cdg_json_text(&json, "kind", "scene");
        cdg_json_text(&json, "scene", loaded.scene ? loaded.scene->name : line->words[0]);
        cdg_json_boolean(&json, "ok", result == CDG_OK);
        cdg_json_text(&json, "message", result == CDG_OK ? NULL : error.message);
        print_diagnostics_json(&json, "diagnostics", &loaded);
        if (result == CDG_OK) add_scene_json(&json, loaded.scene, world);
        json_print(&json);
    } else if (result == CDG_OK) {
        print_scene(loaded.scene, world);
    }
    cdg_world_destroy(world);
    loaded_scene_free(&loaded);
    return result == CDG_OK ? EXIT_STATUS_DONE : result == CDG_ERROR_MEMORY ? EXIT_STATUS_FAILED : EXIT_STATUS_REFUSED;
}

// ---- a run ----------------------------------------------------------------------------------------------------------

// A column of probes.csv at a glance.
typedef struct reading {
    double first, last, least, most; // NaN where no value is finite
    double least_time, most_time;    // s
} reading;

static reading read_column(const cdg_probe_table *table, size_t column) {
    const double *time = table->columns[0].values, *values = table->columns[column].values;
    reading out = {NAN, NAN, NAN, NAN, NAN, NAN};
    for (size_t i = 0; i < table->row_count; i++) {
        if (!isfinite(values[i])) continue;
        if (isnan(out.first)) out.first = values[i];
        out.last = values[i];
        if (!(values[i] >= out.least)) out.least = values[i], out.least_time = time[i];
        if (!(values[i] <= out.most)) out.most = values[i], out.most_time = time[i];
    }
    return out;
}

static bool read_probes(const char *directory, cdg_probe_table *out) {
    char path[4096];
    cdg_error error;
    int length = snprintf(path, sizeof path, "%s/probes.csv", directory);
    return length > 0 && (size_t)length < sizeof path && cdg_probe_table_read(path, out, &error) == CDG_OK;
}

// Every probe: first, last, least and most, and when.
static void print_readings(const char *directory) {
    cdg_probe_table table;
    if (!read_probes(directory, &table)) return;
    size_t width = 6;
    for (size_t i = 1; i < table.column_count; i++) {
        size_t length = strlen(table.columns[i].name) + strlen(table.columns[i].unit) + 3;
        if (length > width) width = length;
    }
    if (table.column_count > 1 && table.row_count > 0)
        printf("  probes    %-*s %12s %12s %12s %10s %12s %10s\n", (int)width, "", "first", "last", "least", "at",
               "most", "at");
    enum { COLUMNS_MAX = 60 };
    for (size_t i = 1; i < table.column_count && table.row_count > 0 && i <= COLUMNS_MAX; i++) {
        char title[160];
        reading r = read_column(&table, i);
        snprintf(title, sizeof title, "%.100s [%.40s]", table.columns[i].name, table.columns[i].unit);
        printf("            %-*s %12.5g %12.5g %12.5g %10s %12.5g %10s\n", (int)width, title, r.first, r.last, r.least,
               format_seconds(r.least_time).text, r.most, format_seconds(r.most_time).text);
    }
    if (table.column_count > COLUMNS_MAX + 1)
        printf("            ... and %zu more columns in probes.csv\n", table.column_count - COLUMNS_MAX - 1);
    cdg_probe_table_free(&table);
}

static void add_readings_json(cdg_json *json, const char *directory) {
    cdg_probe_table table;
    cdg_json_begin_array(json, "readings");
    if (read_probes(directory, &table)) {
        for (size_t i = 1; i < table.column_count; i++) {
            reading r = read_column(&table, i);
            cdg_json_begin_object(json, NULL);
            cdg_json_text(json, "name", table.columns[i].name);
            cdg_json_text(json, "unit", table.columns[i].unit);
            cdg_json_number(json, "first", r.first);
            cdg_json_number(json, "last", r.last);
            cdg_json_number(json, "least", r.least);
            cdg_json_number(json, "least_time", r.least_time);
            cdg_json_number(json, "most", r.most);
            cdg_json_number(json, "most_time", r.most_time);
            cdg_json_end(json);
        }
        cdg_probe_table_free(&table);
    }
    cdg_json_end(json);
}

static void print_run(const char *directory, const cdg_run_info *info) {
    size_t nodes = 0, elements = 0;
    for (size_t i = 0; i < info->rod_count; i++) {
        nodes += info->rods[i].node_count;
        elements += info->rods[i].element_count;
    }
    printf("%s: %s%s%s\n", directory, info->title[0] ? info->title : info->scene_name, info->is_finished ? "" : " - ",
           info->is_finished ? "" : "not finished");
    printf("  scene     %s, cordage %s, model %s\n", info->scene_name, info->version, info->model);
    if (info->overrides[0]) {
        printf("  settings ");
        for (const char *at = info->overrides; *at;) {
            size_t length = strcspn(at, "\n");
            printf(" %.*s", (int)length, at);
            at += length + (at[length] == '\n');
        }
        printf("\n");
    }
    printf("  rods      %zu, %s nodes, %s elements\n", info->rod_count, format_count(nodes).text,
           format_count(elements).text);
    for (size_t i = 0; i < info->rod_count && i < SHOWN_MAX; i++) {
        const cdg_run_info_rod *rod = &info->rods[i];
        printf("            %s: %zu elements, %s long, %s%s\n", rod->name, rod->element_count,
               format_unit(rod->length, "m").text, format_unit(1e3 * rod->mass, "g").text,
               rod->is_closed ? ", closed" : "");
        if (rod->adapts)
            printf("            %*s  adapts: %zu to %zu nodes, %.4g on average\n", (int)strlen(rod->name), "",
                   rod->node_least, rod->node_most, rod->node_mean);
    }
    if (info->rod_count > SHOWN_MAX) printf("            ... and %zu more\n", info->rod_count - SHOWN_MAX);
    printf("  time      %s of %s, %zu of %zu outputs, every %s\n",
           info->frame_count > 0 ? format_seconds(info->time_end).text : "0 s", format_seconds(info->end_time).text,
           info->frame_count, info->frames_planned, format_seconds(info->output_every).text);
    bool is_static = info->step == 0;
    printf("  step      %s: %s\n", is_static ? "none" : format_seconds(info->step).text, info->step_reason);
    if (info->frame_count > 0) {
        double scale = 0; // J, the largest of all
#define WIDEN(name, meaning) scale = fmax(scale, fmax(fabs(info->energy_start.name), fabs(info->energy_end.name)));
        CDG_ENERGY_LIST(WIDEN)
#undef WIDEN
        printf("  energy    %-12s %14s %14s\n", "", "first output", "last output");
#define PRINT_ENERGY(name, meaning)                                                                                    \
    printf("            %-12s %14s %14s\n", #name, format_beside(info->energy_start.name, scale, "J").text,            \
           format_beside(info->energy_end.name, scale, "J").text);
        CDG_ENERGY_LIST(PRINT_ENERGY)
#undef PRINT_ENERGY
    }
    if (info->has_contacts)
        printf("  contacts  %.0f at the last output, %.0f at most, up to %.2g radii deep\n", info->contacts_end,
               info->contacts_most, info->deepest);
    print_readings(directory);
    print_modes(directory);
    printf("  files     run.h5 %s, probes.csv %s, summary.json %s\n", format_bytes((double)info->run_used).text,
           format_bytes((double)info->probes_size).text, format_bytes((double)info->summary_size).text);
    if (!info->is_finished && is_static) printf("\nIt is running still, or it ended early: see summary.json there.\n");
    if (!info->is_finished && !is_static) printf("\nIt is running still, or: cordage run --resume %s\n", directory);
}

static exit_status show_run(const command_line *line, const char *directory) {
    cdg_run_info info;
    cdg_error error = {.code = CDG_OK};
    const char *fields = option_text(line, "field");
    cdg_result result = cdg_run_info_read(directory, &info, &error), told = CDG_OK;
    if (result != CDG_OK) complain("%s", error.message);
    if (has_option(line, "json")) {
        cdg_json json = json_begin(line->command->name);
        cdg_json_text(&json, "kind", "run");
        cdg_json_text(&json, "directory", directory);
        cdg_json_boolean(&json, "ok", result == CDG_OK);
        cdg_json_text(&json, "message", result == CDG_OK ? NULL : error.message);
        if (result == CDG_OK) cdg_run_info_write_json(&json, "run", &info);
        if (result == CDG_OK) add_readings_json(&json, directory);
        if (result == CDG_OK && fields) told = tell_fields(directory, fields, &json, &error);
        json_print(&json);
    } else if (result == CDG_OK) {
        print_run(directory, &info);
        if (fields) told = tell_fields(directory, fields, NULL, &error);
    }
    if (told != CDG_OK) complain("%s", error.message);
    if (result == CDG_OK) cdg_run_info_free(&info);
    if (result == CDG_OK) result = told;
    return result == CDG_OK ? EXIT_STATUS_DONE : result == CDG_ERROR_MEMORY ? EXIT_STATUS_FAILED : EXIT_STATUS_REFUSED;
}

exit_status cmd_info(const command_line *line) {
    const char *argument = line->words[0];
    struct stat status;
    bool exists = stat(argument, &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) {
        if (has_option(line, "set")) {
            complain("--set changes scenes; %s is a run", argument);
            return EXIT_STATUS_REFUSED;
        }
        return show_run(line, argument);
    }
    // DIR/run.h5 stands for DIR
    const char *slash = strrchr(argument, '/'), *name = slash ? slash + 1 : argument;
    if (exists && strcmp(name, "run.h5") == 0) {
        char *directory = slash ? strndup(argument, (size_t)(slash - argument)) : strdup(".");
        exit_status shown = directory ? show_run(line, directory[0] ? directory : "/") : EXIT_STATUS_FAILED;
        free(directory);
        return shown;
    }
    return show_scene(line);
}
