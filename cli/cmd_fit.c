// cordage fit: values of a scene from measurements, with their errors, a page and pictures of fit against data.
#include "base/error.h"
#include "commands.h"
#include "format.h"
#include "interrupt.h"
#include "json_print.h"
#include "output/disk.h"
#include "scene_source.h"
#include "sweep/fit_noise.h"
#include "sweep/fit_report.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096, VALUE_SIZE = 256 };

typedef struct fit_request {
    const command_line *line;
    loaded_scene loaded;
    cdg_case_source source;
    const char **overrides;
    char model_override[128];
    cdg_vary *varies;
    cdg_fit_data *data;
    cdg_fit_def def;
    cdg_fit_model *model;
    cdg_fit_result result;
    char directory[PATH_SIZE];
    bool as_json, quiet;
} fit_request;

static exit_status status_of(cdg_result result) {
    switch (result) {
    case CDG_OK: return EXIT_STATUS_DONE;
    case CDG_ERROR_ARGUMENT:
    case CDG_ERROR_UNSUPPORTED:
    case CDG_ERROR_SCENE:
    case CDG_ERROR_FORMAT:
    case CDG_ERROR_IO: return EXIT_STATUS_REFUSED;
    default: return EXIT_STATUS_FAILED;
    }
}

static exit_status refuse(cdg_result result, const cdg_error *error) {
    if (result != CDG_OK) complain("%s", error->message);
    return status_of(result);
}

// ---- the request ----------------------------------------------------------------------------------------------------

static exit_status load(fit_request *request) {
    const command_line *line = request->line;
    // Without the values that are sought: a scene may leave them out.
    request->loaded = read_scene(line->words[0], NULL, 0);
    if (!request->loaded.scene) {
        loaded_scene again = load_scene(line->words[0], line);
        loaded_scene_free(&again);
        return EXIT_STATUS_REFUSED;
    }
    const cdg_scene *scene = request->loaded.scene;
    const char *model = option_text(line, "model");
    size_t count = 0;
    request->overrides = calloc(line->value_count + 2, sizeof *request->overrides);
    if (!request->overrides) return refuse(CDG_ERROR_MEMORY, &(cdg_error){.message = "out of memory"});
    for (size_t i = 0; option_list_item(line, "set", i); i++)
        request->overrides[count++] = option_list_item(line, "set", i);
    if (model) {
        snprintf(request->model_override, sizeof request->model_override, "simulation.model=%s", model);
        request->overrides[count++] = request->model_override;
    }
    request->source = (cdg_case_source){.text = scene->text,
                                        .size = scene->text_size,
                                        .name = scene->name,
                                        .directory = scene->directory,
                                        .overrides = request->overrides,
                                        .override_count = count};
    return EXIT_STATUS_DONE;
}

static size_t count_items(const command_line *line, const char *name) {
    size_t count = 0;
    while (option_list_item(line, name, count)) count++;
    return count;
}

static cdg_result read_inputs(fit_request *request, cdg_error *error) {
    const command_line *line = request->line;
    size_t varies = count_items(line, "vary"), files = count_items(line, "to");
    if (varies == 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "what is sought? say --vary \"PATH=LOW:HIGH UNIT\", as in "
                        "--vary \"materials.rubber.young_modulus=1:10 MPa\"");
    if (files == 0) return cdg_fail(error, CDG_ERROR_ARGUMENT, "what was measured? say --to FILE.csv");
    request->varies = calloc(varies, sizeof *request->varies);
    request->data = calloc(files, sizeof *request->data);
    cdg_fit_setup *setup = &request->def.setup;
    if (!request->varies || !request->data) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < varies && result == CDG_OK; i++) {
        result = cdg_vary_parse(option_list_item(line, "vary", i), &request->varies[i], error);
        setup->vary_count++;
        if (result == CDG_OK) result = cdg_fit_check_vary(&request->varies[i], error);
    }
    if (result == CDG_OK) result = cdg_varies_check(request->varies, varies, error);
    for (size_t i = 0; i < files && result == CDG_OK; i++) {
        setup->data_count++;
        result = cdg_fit_data_read(option_list_item(line, "to", i), &request->data[i], error);
    }
    return result;
}

static bool may_go_on(void *user) {
    (void)user;
    return !interrupt_was_asked();
}

// One line a step, for people who watch.
static bool tell(void *user, const cdg_fit_progress *p) {
    const fit_request *request = user;
    if (interrupt_was_asked()) return false;
    if (request->quiet || !terminal_for(stderr).is_terminal) return true;
    fprintf(stderr, "  round %d, step %d: %zu cases, left over %.4g times the noise:", p->round + 1, p->iteration,
            p->case_count, p->misfit);
    for (size_t v = 0; v < request->def.setup.vary_count; v++)
        fprintf(stderr, "%s %s %.5g %s", v > 0 ? "," : "", request->varies[v].label, p->values[v],
                request->varies[v].unit);
    fputc('\n', stderr);
    return true;
}

static cdg_result read_wishes(fit_request *request, cdg_error *error) {
    const command_line *line = request->line;
    const char *confidence = option_text(line, "confidence"), *output = option_text(line, "output");
    request->as_json = has_option(line, "json");
    request->quiet = has_option(line, "quiet") || request->as_json;
    request->def.confidence = 0.95;
    if (confidence) {
        char *end;
        request->def.confidence = strtod(confidence, &end) / 100;
        if (*end == '%') end++;
        if (*end != '\0' || !(request->def.confidence > 0 && request->def.confidence < 1))
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "--confidence is in per cent, above 0 and below 100, not '%s'",
                            confidence);
    }
    request->def.iteration_limit = (int)option_integer(line, "iterations", 50);
    request->def.start_count = (size_t)option_integer(line, "starts", 0);
    request->def.seed = (uint64_t)option_integer(line, "seed", 1);
    request->def.progress = tell;
    request->def.user = request;
    cdg_fit_setup *setup = &request->def.setup;
    setup->source = &request->source;
    setup->varies = request->varies;
    setup->data = request->data;
    setup->thread_count = (int)option_integer(line, "threads", 0);
    setup->go_on = may_go_on;
    int length = output ? snprintf(request->directory, PATH_SIZE, "%s", output)
                        : snprintf(request->directory, PATH_SIZE, "%s-fit", request->loaded.base_name);
    if (length > 0 && length < PATH_SIZE) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "the directory's name is too long");
}

// ---- telling --------------------------------------------------------------------------------------------------------

static void print_noises(const fit_request *request) {
    const cdg_fit_residual *all = cdg_fit_model_residuals(request->model);
    const cdg_fit_result *r = &request->result;
    for (size_t i = 0; i < r->residual_count; i++) {
        if (i > 0 && cdg_fit_is_same_series(&request->def.setup, &all[i], &all[i - 1])) continue;
        const cdg_fit_data *data = &request->data[all[i].data];
        const cdg_fit_column *c = &data->columns[all[i].column];
        bool is_shape = data->kind == CDG_FIT_SHAPE;
        printf("  noise     %.3g %s in %s of %s, %s\n", r->noises[all[i].noise] / c->factor, c->unit,
               is_shape ? "points" : c->name, data->path, all[i].sigma > 0 ? "as it says" : "estimated");
    }
}

// The command that runs the scene with what was found.
static void print_next(const fit_request *request) {
    printf("\nNext:  cordage run %s", request->line->words[0]);
    for (size_t v = 0; v < request->def.setup.vary_count; v++)
        for (size_t p = 0; p < request->varies[v].path_count; p++)
            printf(" --set \"%s=%.6g%s%s\"", request->varies[v].paths[p], request->result.parameters[v].value,
                   request->varies[v].unit[0] ? " " : "", request->varies[v].unit);
    printf("\n");
}

static void print_result(const fit_request *request) {
    const cdg_fit_result *r = &request->result;
    size_t widest = 8;
    for (size_t v = 0; v < r->parameter_count; v++)
        if (strlen(request->varies[v].label) > widest) widest = strlen(request->varies[v].label);
    printf("%s: %s from %s\n", request->source.name, format_plural(r->parameter_count, "value").text,
           format_plural(r->residual_count, "measurement").text);
    for (size_t v = 0; v < r->parameter_count; v++) {
        char text[VALUE_SIZE];
        cdg_fit_value_text(&request->def, r, v, text, sizeof text);
        printf("  %-*s  %s\n", (int)widest, request->varies[v].label, text);
    }
    printf("  left over %.3g times the noise, with %g degrees of freedom\n", r->misfit, r->freedom);
    print_noises(request);
    printf("  search    %zu cases, %d iterations, %s\n", r->case_count, r->iterations, cdg_fit_rates_text(r));
    for (size_t i = 0; i < r->warning_count; i++) printf("  warning   %s\n", r->warnings[i]);
    printf("  files     %s/report.html, fit.png, fit.svg, fit.json, fit.csv\n", request->directory);
    print_next(request);
}

static void print_json(const fit_request *request) {
    cdg_json json = json_begin("fit");
    cdg_json_text(&json, "scene", request->source.name);
    cdg_json_text(&json, "directory", request->directory);
    cdg_fit_report_json(&request->def, request->model, &request->result, &json);
    json_print(&json);
}

// ---- all ------------------------------------------------------------------------------------------------------------

static exit_status fit(fit_request *request) {
    cdg_error error = {0};
    exit_status status = load(request);
    if (status != EXIT_STATUS_DONE) return status;
    cdg_result result = read_inputs(request, &error);
    if (result == CDG_OK) result = read_wishes(request, &error);
    if (result == CDG_OK) result = cdg_fit_model_make(&request->def.setup, &request->model, &error);
    if (result == CDG_OK) result = cdg_disk_make_directory(request->directory, &error);
    interrupt_watch();
    if (result == CDG_OK) result = cdg_fit_run(&request->def, request->model, &request->result, &error);
    if (result == CDG_OK)
        result = cdg_fit_report_write(&request->def, request->model, &request->result, request->directory, &error);
    if (result != CDG_OK) return refuse(result, &error);
    if (request->as_json)
        print_json(request);
    else if (!request->quiet)
        print_result(request);
    else
        for (size_t i = 0; i < request->result.warning_count; i++) warn("%s", request->result.warnings[i]);
    return request->result.end == LEAST_SQUARES_LIMIT ? EXIT_STATUS_FAILED : EXIT_STATUS_DONE;
}

exit_status cmd_fit(const command_line *line) {
    fit_request request = {.line = line};
    exit_status status = fit(&request);
    cdg_fit_result_free(&request.result);
    cdg_fit_model_destroy(request.model);
    for (size_t i = 0; i < request.def.setup.vary_count; i++) cdg_vary_free(&request.varies[i]);
    for (size_t i = 0; i < request.def.setup.data_count; i++) cdg_fit_data_free(&request.data[i]);
    free(request.varies);
    free(request.data);
    free(request.overrides);
    loaded_scene_free(&request.loaded);
    return status;
}
