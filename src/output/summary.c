// summary.json: how a run went, for people and for scripts.
#include "output/summary.h"

#include "rods/rod_model.h"

#include "base/error.h"
#include "output/disk.h"
#include "output/run_advice.h"
#include "output/run_settings.h"
#include "output/run_times.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void write_energy(cdg_json *json, const cdg_energy *energy) {
#define WRITE_ENERGY(name, text) cdg_json_number(json, #name, energy->name);
    CDG_ENERGY_LIST(WRITE_ENERGY)
#undef WRITE_ENERGY
}

static bool worst_rod_name(const cdg_summary *summary, const char **name) {
    double index = summary->tally->worst_rod;
    cdg_rod_info info;
    if (!(index >= 0 && index < (double)cdg_world_rod_count(summary->world))) return false;
    if (cdg_rod_get_info(summary->world, cdg_world_rod_at(summary->world, (size_t)index), &info) != CDG_OK)
        return false;
    *name = info.name;
    return true;
}

static void write_warnings(cdg_json *json, const cdg_summary *summary) {
    cdg_json_begin_array(json, "warnings");
    char text[CDG_MESSAGE_SIZE];
    for (size_t i = 0; i < cdg_scene_diagnostic_count(summary->scene); i++) {
        cdg_scene_format_diagnostic(summary->scene, i, text, sizeof text);
        cdg_json_text(json, NULL, text);
    }
    if (summary->plan->warning[0] != '\0') cdg_json_text(json, NULL, summary->plan->warning);
    char advice[CDG_ADVICE_SIZE];
    if (cdg_run_advice_residual(summary->world, summary->tally, advice)) cdg_json_text(json, NULL, advice);
    if (cdg_run_advice_turn(summary->world, summary->tally, advice)) cdg_json_text(json, NULL, advice);
    if (cdg_run_advice_tilt(summary->world, summary->tally, advice)) cdg_json_text(json, NULL, advice);
    if (cdg_run_advice_solid(summary->world, summary->tally, advice)) cdg_json_text(json, NULL, advice);
    if (cdg_run_advice_energy(summary->world, summary->tally, advice)) cdg_json_text(json, NULL, advice);
    if (cdg_run_advice_adapt(summary->world, advice)) cdg_json_text(json, NULL, advice);
    cdg_json_end(json);
}

// The models in use, each once, in the order of the list.
static void write_models(cdg_json *json, const cdg_summary *summary) {
    cdg_json_begin_array(json, "models");
    for (size_t model = 0; model < cdg_rod_model_count(); model++) {
        for (size_t i = 0; i < summary->scene->rod_count; i++) {
            if (summary->scene->rods[i].model != (cdg_model)model) continue;
            cdg_json_text(json, NULL, cdg_run_model_name((cdg_model)model));
            break;
        }
    }
    cdg_json_end(json);
}

static void write_rods(cdg_json *json, const cdg_summary *summary) {
    size_t nodes = 0, elements = 0;
    for (size_t i = 0; i < cdg_world_rod_count(summary->world); i++) {
        cdg_rod_info info;
        if (cdg_rod_get_info(summary->world, cdg_world_rod_at(summary->world, i), &info) != CDG_OK) continue;
        nodes += info.node_count;
        elements += info.element_count;
    }
    cdg_json_integer(json, "rods", cdg_world_rod_count(summary->world));
    cdg_json_integer(json, "nodes", nodes);
    cdg_json_integer(json, "elements", elements);
    cdg_json_integer(json, "inverted_tetrahedra", (uint64_t)summary->tally->inverted_count);
}

static void write_speed(cdg_json *json, const cdg_summary *summary) {
    double seconds = summary->wall_seconds;
    cdg_json_number(json, "wall_seconds", seconds);
    cdg_json_number(json, "wall_seconds_total", summary->tally->wall_seconds);
    if (seconds > 0 && summary->steps_here > 0) {
        double steps = (double)summary->steps_here;
        cdg_json_number(json, "steps_per_second", steps / seconds);
        cdg_json_number(json, "real_time_factor", steps * summary->plan->step / seconds);
    } else {
        cdg_json_null(json, "steps_per_second");
        cdg_json_null(json, "real_time_factor");
    }
    if (summary->times != NULL && summary->path == NULL) cdg_run_times_write(json, summary->times);
    cdg_json_integer(json, "threads_asked", summary->thread_count > 0 ? (uint64_t)summary->thread_count : 0);
}

// How the path of equilibria went, and the last of them.
static void write_path(cdg_json *json, const cdg_summary *summary) {
    const cdg_path_report *path = summary->path;
    const cdg_equilibrium_report *found = &path->equilibrium;
    cdg_json_begin_object(json, "equilibrium");
    cdg_json_text(json, "path", summary->scene->statics.path == CDG_PATH_STABLE ? "stable" : "arc_length");
    if (isnan(found->lowest)) {
        cdg_json_null(json, "stable");
    } else {
        cdg_json_boolean(json, "stable", found->is_stable);
    }
    cdg_json_number(json, "lowest_eigenvalue", found->lowest);
    cdg_json_number(json, "residual", found->residual);
    cdg_json_number(json, "force", found->force);
    cdg_json_integer(json, "iterations", (uint64_t)path->iterations);
    cdg_json_integer(json, "steps", (uint64_t)path->step_count);
    cdg_json_integer(json, "divided_steps", (uint64_t)path->halvings);
    cdg_json_integer(json, "jumps", (uint64_t)path->snap_count);
    cdg_json_integer(json, "limit_points", (uint64_t)path->turn_count);
    cdg_json_integer(json, "branch_points", (uint64_t)path->branch_count);
    cdg_json_number(json, "last_jump_or_limit", path->snap_time);
    cdg_json_number(json, "earliest_time", path->earliest);
    cdg_json_begin_array(json, "history"); // of the last search
    int first = found->history_count > CDG_HISTORY_SIZE ? found->history_count - CDG_HISTORY_SIZE : 0;
    for (int i = first; i < found->history_count; i++)
        cdg_json_number(json, NULL, found->history[i % CDG_HISTORY_SIZE]);
    cdg_json_end(json);
    cdg_json_end(json);
}

// Largest forces of probes over all steps.
static void write_peaks(cdg_json *json, const cdg_run_peaks *peaks) {
    cdg_json_begin_array(json, "peaks");
    for (size_t i = 0; peaks != NULL && i < peaks->count; i++) {
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "probe", peaks->names[i]);
        cdg_json_number(json, "force", peaks->values[i].largest);
        cdg_json_number(json, "time", peaks->values[i].time);
        cdg_json_end(json);
    }
    cdg_json_end(json);
}

void cdg_summary_write_json(cdg_json *json, const cdg_summary *summary) {
    const cdg_scene *scene = summary->scene;
    cdg_json_begin_object(json, NULL);
    cdg_json_text(json, "cordage", cdg_version());
    cdg_json_text(json, "scene", scene->name);
    cdg_json_text(json, "title", scene->title);
    cdg_json_text(json, "overrides", scene->overrides);
    cdg_json_boolean(json, "finished", summary->is_finished);
    cdg_json_boolean(json, "resumed", summary->is_resumed);
    if (summary->failure != NULL) {
        cdg_json_begin_object(json, "failure");
        cdg_json_text(json, "kind", cdg_result_text(summary->failure->code));
        cdg_json_text(json, "message", summary->failure->message);
        cdg_json_end(json);
    } else {
        cdg_json_null(json, "failure");
    }
    write_warnings(json, summary);

    write_models(json, summary);
    cdg_run_settings_write(json, "settings", scene);
    write_rods(json, summary);

    cdg_json_number(json, "time", cdg_world_time(summary->world));
    cdg_json_number(json, "end_time", summary->plan->end);
    cdg_json_number(json, "step", summary->plan->step);
    cdg_json_text(json, "step_reason", summary->plan->reason);
    cdg_json_integer(json, "steps", cdg_world_step_index(summary->world));
    cdg_json_integer(json, "steps_planned", summary->plan->step_count);
    cdg_json_integer(json, "halved_steps", (uint64_t)summary->tally->halved_step_count);
    cdg_json_integer(json, "parts_of_steps", (uint64_t)summary->tally->part_count);
    cdg_json_number(json, "output_every", summary->plan->every);
    cdg_json_integer(json, "outputs", summary->frame_count);
    cdg_json_integer(json, "outputs_planned", summary->plan->frame_count);
    write_speed(json, summary);

    if (summary->path != NULL) write_path(json, summary);
    const char *rod = NULL;
    cdg_json_begin_object(json, "worst_residual");
    cdg_json_number(json, "value", summary->tally->worst_residual);
    cdg_json_text(json, "rod", worst_rod_name(summary, &rod) ? rod : NULL);
    cdg_json_number(json, "time", summary->tally->worst_residual_time);
    cdg_json_integer(json, "poor_steps", (uint64_t)summary->tally->poor_step_count);
    cdg_json_end(json);

    cdg_energy_balance balance = cdg_world_energy_balance(summary->world);
    cdg_json_begin_object(json, "energy_guard");
    cdg_json_boolean(json, "watched", balance.is_watched);
    cdg_json_number(json, "worst", balance.worst);
    cdg_json_end(json);
    write_peaks(json, summary->peaks);
    cdg_energy energy = cdg_world_energy(summary->world);
    cdg_json_number(json, "energy_start", summary->tally->energy_start);
    cdg_json_begin_object(json, "energy_end");
    write_energy(json, &energy);
    cdg_json_end(json);
    cdg_json_end(json);
}

cdg_result cdg_summary_write(const char *path, const cdg_summary *summary, cdg_error *error) {
    cdg_json json = {0};
    cdg_summary_write_json(&json, summary);
    const char *text = cdg_json_finish(&json);
    cdg_result result = text == NULL ? cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path)
                                     : cdg_disk_write_file(path, text, strlen(text), true, error);
    cdg_json_free(&json);
    return result;
}
