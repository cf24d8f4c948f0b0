// cordage check: every mistake of a scene at once; for a good scene, what would be simulated and at what cost.
#include "base/error.h"
#include "check_advice.h"
#include "check_solids.h"
#include "commands.h"
#include "format.h"
#include "json_print.h"
#include "output/checkpoint.h"
#include "output/run_layout.h"
#include "output/run_plan.h"
#include "output/run_settings.h"
#include "scene/scene.h"
#include "scene_source.h"
#include "terminal.h"
#include "world/world.h"

#include <cordage/contact.h>

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct check_report {
    const cdg_scene *scene;
    cdg_world *world;
    cdg_run_plan plan;
    cdg_step_advice advice;
    check_advice more;
    element_recommendation *elements; // of each rod
    double memory, file_size;         // bytes
    size_t warning_count;
} check_report;

static cdg_result make_report(check_report *report, cdg_error *error) {
    cdg_run_layout layout = {0};
    cdg_result result = cdg_scene_check_controls(report->scene, error);
    if (result == CDG_OK) result = cdg_scene_build(report->scene, 1, &report->world, error);
    if (result != CDG_OK) return result;
    result = cdg_run_plan_make(report->scene, report->world, &report->plan, error);
    if (result != CDG_OK) return result;
    bool is_static = report->scene->mode == SCENE_STATIC;
    result = is_static ? cdg_world_check_equilibrium(report->world) : cdg_world_check_contact(report->world);
    if (result != CDG_OK) {
        error->code = result;
        snprintf(error->message, sizeof error->message, "%s", cdg_world_message(report->world));
        return result;
    }
    report->advice = cdg_world_advise(report->world, report->scene->duration);
    report->memory = (double)cdg_world_memory(report->world);
    size_t slot_words = cdg_checkpoint_words(report->world);
    result = cdg_run_layout_make(report->world, report->plan.frame_count, slot_words, &layout, error);
    layout.mode_count = layout.solids.mode_count = report->scene->mode_count;
    layout.is_static = report->scene->mode == SCENE_STATIC;
    for (size_t i = 0; i < layout.rod_count; i++)
        cdg_run_set_form(&layout.rods[i], report->scene->left_out, report->scene->precision == SCENE_SINGLE);
    if (result == CDG_OK) report->file_size = cdg_run_layout_bytes(&layout);
    cdg_run_layout_free(&layout);
    if (result != CDG_OK) return result;
    size_t rod_count = cdg_world_rod_count(report->world);
    report->elements = calloc(rod_count + 1, sizeof *report->elements);
    if (report->elements == NULL)
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for advice on %zu rods", rod_count);
    for (size_t i = 0; i < rod_count; i++) report->elements[i] = recommend_elements(report->scene, report->world, i);
    report->more = make_check_advice(report->scene, report->world, &report->plan);
    return CDG_OK;
}

// Largest radius of a rod's section, m.
static double largest_radius(const cdg_world *world, cdg_rod_id rod, size_t node_count) {
    double radius = 0, *radii = malloc(node_count * sizeof *radii);
    if (radii && cdg_rod_radii(world, rod, radii) == CDG_OK)
        for (size_t i = 0; i < node_count; i++) radius = fmax(radius, radii[i]);
    free(radii);
    return radius;
}

// Of rods whose times are not those of the rod before.
static void print_damping(const check_report *report) {
    enum { SHOWN_MAX = 5 };
    double said[3] = {0, 0, 0};
    for (size_t i = 0, shown = 0; i < report->scene->rod_count && shown < SHOWN_MAX; i++) {
        const cdg_material *m = &report->scene->rods[i].material;
        const double times[3] = {m->damping_stretch, m->damping_bend, m->damping_twist};
        if (times[0] == said[0] && times[1] == said[1] && times[2] == said[2]) continue;
        printf("%s  damping       rod '%s': stretch %s, bend %s, twist %s\n", shown == 0 ? "\n" : "",
               report->scene->rods[i].name, format_unit(times[0], "s").text, format_unit(times[1], "s").text,
               format_unit(times[2], "s").text);
        memcpy(said, times, sizeof said);
        shown++;
    }
}

static void print_rods(const check_report *report) {
    enum { SHOWN_MAX = 20 };
    size_t count = cdg_world_rod_count(report->world), column = 4;
    for (size_t i = 0; i < count && i < SHOWN_MAX; i++) {
        cdg_rod_info info;
        if (cdg_rod_get_info(report->world, cdg_world_rod_at(report->world, i), &info) != CDG_OK) continue;
        if (strlen(info.name) > column) column = strlen(info.name);
    }
    printf("  %-*s  %-6s  %9s  %13s  %10s  %16s\n", (int)column, "rod", "model", "elements", "element", "radius",
           "length/thickness");
    for (size_t i = 0; i < count && i < SHOWN_MAX; i++) {
        cdg_rod_info info;
        cdg_rod_id rod = cdg_world_rod_at(report->world, i);
        if (cdg_rod_get_info(report->world, rod, &info) != CDG_OK) continue;
        double radius = largest_radius(report->world, rod, info.node_count);
        printf("  %-*s  %-6s  %9s  %13s  %10s  %16.4g%s\n", (int)column, info.name, cdg_run_model_name(info.model),
               format_count(info.element_count).text, format_unit(info.length / (double)info.element_count, "m").text,
               format_unit(radius, "m").text, info.length / (2 * radius), info.is_closed ? "  closed" : "");
    }
    if (count > SHOWN_MAX) printf("  ... and %zu more\n", count - SHOWN_MAX);
    print_damping(report);
}

static size_t joined_count(const cdg_scene *scene) {
    size_t count = 0;
    for (size_t i = 0; i < scene->joint_count; i++) count += scene->joints[i].place_count;
    return count;
}

static void print_static(const check_report *report) {
    const cdg_run_plan *plan = &report->plan;
    if (plan->end > 0)
        printf("\n  equilibria    while loads and supports go to %s, %s; steps of %s or less, %d at most\n",
               format_seconds(plan->end).text,
               report->scene->statics.path == CDG_PATH_STABLE ? "stable ones" : "by arc length",
               format_seconds(plan->every).text, report->scene->statics.steps);
    else
        printf("\n  equilibrium   one; nothing changes with time\n");
    printf("  memory        about %s\n", format_bytes(report->memory).text);
    printf("  run.h5        about %s%s\n", format_bytes(report->file_size).text,
           plan->end > 0 ? " if all steps were needed; it is cut to those that were" : "");
}

// The rod that lacks most of the elements it should have; else the one that has least to spare.
static void print_elements(const check_report *report) {
    size_t count = cdg_world_rod_count(report->world), worst = 0, few = 0;
    double worst_share = 0;
    cdg_rod_info info;
    for (size_t i = 0; i < count; i++) {
        if (cdg_rod_get_info(report->world, cdg_world_rod_at(report->world, i), &info) != CDG_OK) continue;
        double share = (double)report->elements[i].wanted / (double)info.element_count;
        few += share > 1;
        if (share > worst_share) worst_share = share, worst = i;
    }
    if (count == 0 || cdg_rod_get_info(report->world, cdg_world_rod_at(report->world, worst), &info) != CDG_OK) return;
    const element_recommendation *advice = &report->elements[worst];
    if (advice->wanted <= 1) {
        printf("  elements      enough: nothing known before the run asks for more\n");
        return;
    }
    printf("  elements      %s: rod '%s' wants %s (%s): %s\n", few > 0 ? "too few" : "enough", info.name,
           format_count(advice->wanted).text, limit_name(advice->limit), advice->reason);
    if (few > 1) printf("                %s have too few\n", format_plural(few, "rod").text);
    if (advice->wanted > advice->most)
        printf("                with more than %s, elements are shorter than thick: it is bent too sharply for a rod\n",
               format_count(advice->most).text);
}

static void print_motions(const check_report *report) {
    const motion_times *motions = report->more.motions;
    for (int k = 0; k < CDG_LIMIT_COUNT; k++) {
        if (motions[k].rod == NULL) continue;
        if (k == CDG_LIMIT_CONTACT)
            printf("                %-8s %s in which a speed of %s moves by the radius of rod '%s'\n",
                   limit_name((cdg_limit)k), format_seconds(motions[k].shortest).text,
                   format_unit(report->more.step.fastest, "m/s").text, motions[k].rod);
        else
            printf("                %-8s waves of two elements %s, of the whole rod '%s' %s\n",
                   limit_name((cdg_limit)k), format_seconds(motions[k].shortest).text, motions[k].rod,
                   format_seconds(motions[k].longest).text);
    }
}

static void print_limits(const check_report *report) {
    const step_recommendation *step = &report->more.step;
    printf("  limited by    %s: steps of %s or less are recommended%s\n", limit_name(step->limit),
           format_seconds(step->step).text, step->is_short ? "" : "; the run's are longer");
    print_motions(report);
    print_elements(report);
}

static void print_cost(const check_report *report) {
    const run_cost *cost = &report->more.cost;
    bool may_touch = report->more.step.fastest > 0;
    if (cost->basis == COST_MEASURED)
        printf("  time          about %s on one core: %s measured here, %s each, and %s an output%s\n",
               format_seconds(cost->seconds).text, format_plural((uint64_t)cost->step_count, "step").text,
               format_seconds(cost->step_seconds).text, format_seconds(cost->output_seconds).text,
               may_touch ? "; contact that forms later takes longer" : "");
    if (cost->basis == COST_KNOWN)
        printf("  time          about %s on one core, by known costs of an element%s\n",
               format_seconds(cost->seconds).text, may_touch ? "; contact is not counted" : "");
    if (cost->failure[0]) printf("  note          a first step fails: %s\n", cost->failure);
    printf("  memory        about %s for rods", format_bytes(report->memory).text);
    if (cost->memory > 0) printf(", %s in all as measured now", format_bytes(cost->memory).text);
    printf("\n");
}

static void print_report(const check_report *report) {
    const cdg_run_plan *plan = &report->plan;
    printf("%s: no errors%s\n", report->scene->name,
           report->warning_count == 0   ? ""
           : report->warning_count == 1 ? ", 1 warning"
                                        : ", some warnings");
    if (report->scene->title && report->scene->title[0]) printf("  %s\n", report->scene->title);
    printf("\n");
    print_check_solids(report->world, report->scene->mode == SCENE_STATIC ? 0 : plan->step);
    if (cdg_world_rod_count(report->world) > 0) print_rods(report);
    if (report->scene->joint_count > 0)
        printf("\n  joints        %zu, of %s\n", report->scene->joint_count,
               format_plural(joined_count(report->scene), "node").text);
    if (report->scene->mode_count > 0)
        printf("\n  modes         %zu of each %s, about %s\n", report->scene->mode_count,
               cdg_world_solid_count(report->world) == 0 ? "rod"
               : cdg_world_rod_count(report->world) == 0 ? "solid"
                                                         : "rod and solid",
               report->scene->mode == SCENE_STATIC ? "the equilibrium" : "the initial state");
    if (report->scene->mode == SCENE_STATIC) {
        print_static(report);
        return;
    }
    printf("\n  step          %s: %s\n", format_seconds(plan->step).text, plan->reason);
    if (report->scene->step > 0)
        printf("  advised step  %s: %s\n", format_seconds(report->advice.step).text, report->advice.reason);
    if (report->scene->step > 2 * report->advice.step)
        printf("                The scene's step is much longer than advised; %s.\n",
               report->advice.divides_longer ? "it will be divided into sub-steps" : "expect damping or errors");
    print_limits(report);
    printf("  steps         %s, to %s\n", format_count(plan->step_count).text, format_seconds(plan->end).text);
    printf("  outputs       %zu, every %s\n", plan->frame_count, format_seconds(plan->every).text);
    print_cost(report);
    printf("  run.h5        about %s\n", format_bytes(report->file_size).text);
    if (plan->warning[0]) printf("  note          %s\n", plan->warning);
}

static void add_advice_json(cdg_json *json, const check_report *report, bool is_static) {
    static const char *const bases[] = {"measured", "known costs", "unknown"};
    const check_advice *more = &report->more;
    cdg_json_number(json, "recommended_step", is_static ? NAN : more->step.step);
    cdg_json_text(json, "limited_by", is_static ? NULL : limit_name(more->step.limit));
    cdg_json_number(json, "fastest_speed", more->step.fastest);
    cdg_json_begin_object(json, "motions");
    for (int k = 0; k < CDG_LIMIT_COUNT; k++) {
        if (more->motions[k].rod == NULL) continue;
        cdg_json_begin_object(json, limit_name((cdg_limit)k));
        cdg_json_text(json, "rod", more->motions[k].rod);
        cdg_json_number(json, "shortest", more->motions[k].shortest);
        cdg_json_number(json, "longest", more->motions[k].longest);
        cdg_json_end(json);
    }
    cdg_json_end(json);
    bool is_known = more->cost.basis != COST_UNKNOWN;
    cdg_json_number(json, "time_seconds", is_known ? more->cost.seconds : NAN);
    cdg_json_number(json, "step_seconds", is_known ? more->cost.step_seconds : NAN);
    cdg_json_number(json, "output_seconds", is_known ? more->cost.output_seconds : NAN);
    cdg_json_text(json, "time_basis", bases[more->cost.basis]);
    cdg_json_text(json, "first_steps_failure", more->cost.failure[0] ? more->cost.failure : NULL);
    cdg_json_number(json, "process_memory_bytes", more->cost.memory > 0 ? more->cost.memory : NAN);
}

static void add_report_json(cdg_json *json, const check_report *report) {
    cdg_json_text(json, "title", report->scene->title);
    cdg_json_integer(json, "joints", report->scene->joint_count);
    cdg_json_begin_array(json, "rods");
    for (size_t i = 0; i < cdg_world_rod_count(report->world); i++) {
        cdg_rod_info info;
        cdg_rod_id rod = cdg_world_rod_at(report->world, i);
        if (cdg_rod_get_info(report->world, rod, &info) != CDG_OK) continue;
        double radius = largest_radius(report->world, rod, info.node_count);
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "name", info.name);
        cdg_json_text(json, "model", cdg_run_model_name(info.model));
        cdg_json_boolean(json, "closed", info.is_closed);
        cdg_json_integer(json, "nodes", info.node_count);
        cdg_json_integer(json, "elements", info.element_count);
        cdg_json_number(json, "length", info.length);
        cdg_json_number(json, "element_length", info.length / (double)info.element_count);
        cdg_json_number(json, "radius", radius);
        cdg_json_number(json, "slenderness", info.length / (2 * radius));
        cdg_json_integer(json, "recommended_elements", report->elements[i].wanted);
        cdg_json_integer(json, "most_elements", report->elements[i].most);
        cdg_json_text(json, "elements_limited_by", limit_name(report->elements[i].limit));
        cdg_json_text(json, "elements_reason", report->elements[i].reason[0] ? report->elements[i].reason : NULL);
        cdg_json_end(json);
    }
    cdg_json_end(json);
    bool is_static = report->scene->mode == SCENE_STATIC;
    add_check_solids_json(json, report->world, is_static ? 0 : report->plan.step);
    cdg_json_text(json, "mode", is_static ? "static" : "dynamic");
    cdg_json_integer(json, "modes", report->scene->mode_count);
    cdg_json_number(json, "advised_step", is_static ? NAN : report->advice.step);
    cdg_json_text(json, "advised_step_reason", is_static ? NULL : report->advice.reason);
    cdg_json_number(json, "step", is_static ? NAN : report->plan.step);
    cdg_json_text(json, "step_reason", report->plan.reason);
    add_advice_json(json, report, is_static);
    cdg_json_integer(json, "steps", report->plan.step_count);
    cdg_json_integer(json, "outputs", report->plan.frame_count);
    cdg_json_number(json, "output_every", report->plan.every);
    cdg_json_number(json, "end_time", report->plan.end);
    cdg_json_number(json, "memory_bytes", report->memory);
    cdg_json_number(json, "file_bytes", report->file_size);
    cdg_json_text(json, "note", report->plan.warning[0] ? report->plan.warning : NULL);
}

static exit_status print_reference(void) {
    size_t size = cdg_scene_reference(NULL, 0) + 1;
    char *text = malloc(size);
    if (!text) {
        complain("out of memory");
        return EXIT_STATUS_FAILED;
    }
    cdg_scene_reference(text, size);
    fputs(text, stdout);
    free(text);
    return EXIT_STATUS_DONE;
}

exit_status cmd_check(const command_line *line) {
    if (has_option(line, "reference")) return print_reference();
    if (line->word_count == 0) {
        complain("'cordage check' needs a scene: cordage check SCENE");
        return EXIT_STATUS_REFUSED;
    }
    loaded_scene loaded = load_scene(line->words[0], line);
    check_report report = {.scene = loaded.scene};
    cdg_error error = loaded.error;
    cdg_result result = loaded.result;
    for (size_t i = 0; loaded.scene && i < cdg_scene_diagnostic_count(loaded.scene); i++)
        report.warning_count += cdg_scene_diagnostic(loaded.scene, i).severity == CDG_WARNING;
    if (result == CDG_OK) {
        assert(loaded.scene);
        result = make_report(&report, &error);
        if (result != CDG_OK) complain_of_scene(loaded.scene, error.message);
    }
    exit_status status = result == CDG_OK             ? EXIT_STATUS_DONE
                         : result == CDG_ERROR_MEMORY ? EXIT_STATUS_FAILED
                                                      : EXIT_STATUS_REFUSED;
    if (has_option(line, "json")) {
        cdg_json json = json_begin(line->command->name);
        cdg_json_text(&json, "scene", loaded.scene ? loaded.scene->name : line->words[0]);
        cdg_json_boolean(&json, "ok", result == CDG_OK);
        cdg_json_text(&json, "message", result == CDG_OK ? NULL : error.message);
        print_diagnostics_json(&json, "diagnostics", &loaded);
        if (result == CDG_OK) add_report_json(&json, &report);
        json_print(&json);
    } else if (result == CDG_OK) {
        print_report(&report);
    }
    free(report.elements);
    cdg_world_destroy(report.world);
    loaded_scene_free(&loaded);
    return status;
}
