// cordage gradient: rates of a static scene's probes in values of the scene.
#include "base/error.h"
#include "commands.h"
#include "json_print.h"
#include "output/probe_row.h"
#include "scene_source.h"
#include "sweep/case_gradient.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TITLE_SIZE = 256 };

typedef struct gradient_request {
    const command_line *line;
    loaded_scene loaded;
    cdg_case_source source;
    const char **overrides;
    char model_override[128];
    cdg_vary *varies;
    double *values;
    size_t vary_count;
    cdg_case_gradient def;
    char **titles; // of the columns of all probes, without peaks
    double *now, *rates;
    size_t column_count;
    cdg_gradient_report report;
    bool has_result;
} gradient_request;

static exit_status status_of(cdg_result result) {
    bool is_refused = result == CDG_ERROR_ARGUMENT || result == CDG_ERROR_UNSUPPORTED || result == CDG_ERROR_SCENE;
    return result == CDG_OK ? EXIT_STATUS_DONE : is_refused ? EXIT_STATUS_REFUSED : EXIT_STATUS_FAILED;
}

// ---- values ---------------------------------------------------------------------------------------------------------

static cdg_result read_varies(gradient_request *g, cdg_error *error) {
    size_t count = 0;
    while (option_list_item(g->line, "vary", count)) count++;
    if (count == 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "rates in what? say --vary \"PATH=VALUE\", as in --vary "
                        "\"materials.rubber.young_modulus=2 MPa\"");
    g->varies = calloc(count, sizeof *g->varies);
    g->values = calloc(count, sizeof *g->values);
    if (!g->varies || !g->values) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++) {
        cdg_vary *vary = &g->varies[g->vary_count++];
        cdg_result result = cdg_vary_parse(option_list_item(g->line, "vary", i), vary, error);
        if (result != CDG_OK) return result;
        if (vary->kind != CDG_VARY_LIST || vary->item_count != 1 || !cdg_vary_is_number(vary))
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "'%s': a rate is that at one value; write PATH=VALUE with its unit, as "
                            "materials.rubber.young_modulus=2 MPa",
                            option_list_item(g->line, "vary", i));
        g->values[i] = cdg_vary_number(vary, 0);
    }
    return cdg_varies_check(g->varies, g->vary_count, error);
}

static cdg_result load(gradient_request *g, cdg_error *error) {
    const char *model = option_text(g->line, "model");
    const cdg_scene *scene = g->loaded.scene;
    size_t count = 0;
    g->overrides = calloc(g->line->value_count + 2, sizeof *g->overrides);
    if (!g->overrides) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; option_list_item(g->line, "set", i); i++)
        g->overrides[count++] = option_list_item(g->line, "set", i);
    if (model) {
        snprintf(g->model_override, sizeof g->model_override, "simulation.model=%s", model);
        g->overrides[count++] = g->model_override;
    }
    g->source = (cdg_case_source){.text = scene->text,
                                  .size = scene->text_size,
                                  .name = scene->name,
                                  .directory = scene->directory,
                                  .overrides = g->overrides,
                                  .override_count = count};
    g->def = (cdg_case_gradient){
        .source = &g->source, .varies = g->varies, .vary_count = g->vary_count, .values = g->values};
    return CDG_OK;
}

// ---- rates ----------------------------------------------------------------------------------------------------------

static bool is_wanted(const gradient_request *g, const char *title, const char *probe) {
    const char *name = option_list_item(g->line, "probe", 0);
    for (size_t i = 0; name; name = option_list_item(g->line, "probe", ++i))
        if (strcmp(probe, name) == 0 ||
            (strlen(name) == strcspn(title, " ") && strncmp(title, name, strlen(name)) == 0))
            return true;
    return !has_option(g->line, "probe");
}

static cdg_result keep(gradient_request *g, const cdg_scene *scene, cdg_world *world, const cdg_probe *probes,
                       const double *block, cdg_error *error) {
    size_t all = scene->probe_count * CDG_PROBE_COLUMNS_MAX;
    if (!g->titles) {
        g->titles = calloc(all + 1, sizeof *g->titles);
        g->now = calloc(all + 1, sizeof *g->now);
        g->rates = calloc(all * g->vary_count + 1, sizeof *g->rates);
    }
    if (!g->titles || !g->now || !g->rates) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < g->column_count; i++) free(g->titles[i]);
    g->column_count = 0;
    for (size_t i = 0; i < scene->probe_count; i++) {
        double now[CDG_PROBE_COLUMNS_MAX];
        cdg_world_measure(world, &probes[i], now);
        for (size_t c = 0; c < cdg_probe_column_count(probes[i].kind); c++) {
            char title[TITLE_SIZE];
            cdg_probe_column_title(probes[i].kind, scene->probes[i].name, c, title, sizeof title);
            if (!is_wanted(g, title, scene->probes[i].name)) continue;
            if (!(g->titles[g->column_count] = strdup(title)))
                return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
            g->now[g->column_count] = now[c];
            for (size_t v = 0; v < g->vary_count; v++)
                g->rates[g->column_count * g->vary_count + v] =
                    block[(v * scene->probe_count + i) * CDG_PROBE_COLUMNS_MAX + c];
            g->column_count++;
        }
    }
    g->has_result = true;
    return CDG_OK;
}

static cdg_result on_row(void *user, const cdg_scene *scene, cdg_world *world, cdg_error *error) {
    gradient_request *g = user;
    if (cdg_world_time(world) < scene->duration * (1 - 1e-9)) return CDG_OK;
    cdg_probe_row row;
    cdg_result result = cdg_probe_row_make(scene, world, &row, error);
    if (result != CDG_OK) return result;
    double *block = calloc(g->vary_count * scene->probe_count * CDG_PROBE_COLUMNS_MAX + 1, sizeof *block);
    result = block ? cdg_case_gradient_find(&g->def, world, row.probes, scene->probe_count, block, &g->report, error)
                   : cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    if (result == CDG_OK) result = keep(g, scene, world, row.probes, block, error);
    free(block);
    cdg_probe_row_free(&row);
    return result;
}

static cdg_result check(const cdg_case_def *def, cdg_error *error) {
    cdg_scene *scene = NULL;
    cdg_result result = cdg_case_read(def, &scene, error);
    if (result == CDG_OK && scene->mode != SCENE_STATIC)
        result =
            cdg_fail(error, CDG_ERROR_ARGUMENT,
                     "%s: gradients are those of equilibria; say --set simulation.mode=static, or take a sweep or a "
                     "fit for motions",
                     def->source->name);
    if (result == CDG_OK && scene->probe_count == 0)
        result = cdg_fail(error, CDG_ERROR_ARGUMENT, "%s: the scene has no probes; add some under 'probes:'",
                          def->source->name);
    cdg_scene_destroy(scene);
    return result;
}

static cdg_result find(gradient_request *g, cdg_error *error) {
    size_t paths = 0, count = 0;
    for (size_t v = 0; v < g->vary_count; v++) paths += g->varies[v].path_count;
    char(*texts)[CDG_VARY_TEXT_SIZE] = calloc(paths + 1, sizeof *texts);
    const char **items = calloc(paths + 1, sizeof *items);
    cdg_result result = texts && items ? CDG_OK : cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    for (size_t v = 0; v < g->vary_count && result == CDG_OK; v++)
        for (size_t p = 0; p < g->varies[v].path_count && result == CDG_OK; p++) {
            if (!cdg_vary_override(&g->varies[v], p, 0, texts[count], CDG_VARY_TEXT_SIZE))
                result = cdg_fail(error, CDG_ERROR_ARGUMENT, "'%.200s' is too long", g->varies[v].paths[p]);
            items[count] = texts[count];
            count++;
        }
    cdg_case_def def = {.source = &g->source,
                        .overrides = items,
                        .override_count = count,
                        .thread_count = 1,
                        .on_row = on_row,
                        .user = g};
    if (result == CDG_OK) result = check(&def, error);
    if (result == CDG_OK) {
        cdg_case_result found;
        result = cdg_case_run(&def, &found);
        if (result != CDG_OK) cdg_fail(error, result, "%s", found.sentence);
        cdg_case_result_free(&found);
    }
    if (result == CDG_OK && g->column_count == 0)
        result = cdg_fail(error, CDG_ERROR_ARGUMENT, "no probe of the scene is named by --probe");
    free(texts);
    free(items);
    return result;
}

// ---- telling --------------------------------------------------------------------------------------------------------

static void print_table(const gradient_request *g) {
    printf("%-24s %16s", "", "value");
    for (size_t v = 0; v < g->vary_count; v++) {
        char title[TITLE_SIZE];
        snprintf(title, sizeof title, "per %s", g->varies[v].unit[0] ? g->varies[v].unit : "1");
        printf(" %16s", title);
    }
    printf("\n%-24s %16s", "", "");
    for (size_t v = 0; v < g->vary_count; v++) {
        const char *label = g->varies[v].label;
        size_t length = strlen(label);
        printf(" %16s", length > 16 ? label + length - 16 : label);
    }
    printf("\n");
    for (size_t c = 0; c < g->column_count; c++) {
        printf("%-24s %16.9g", g->titles[c], g->now[c]);
        for (size_t v = 0; v < g->vary_count; v++) printf(" %16.9g", g->rates[c * g->vary_count + v]);
        printf("\n");
    }
}

static void print_json(const gradient_request *g) {
    cdg_json json = json_begin("gradient");
    cdg_json_text(&json, "scene", g->source.name);
    cdg_json_number(&json, "imbalance", g->report.imbalance);
    cdg_json_begin_array(&json, "probes");
    for (size_t c = 0; c < g->column_count; c++) {
        cdg_json_begin_object(&json, NULL);
        cdg_json_text(&json, "column", g->titles[c]);
        cdg_json_number(&json, "value", g->now[c]);
        cdg_json_begin_array(&json, "rates");
        for (size_t v = 0; v < g->vary_count; v++) {
            cdg_json_begin_object(&json, NULL);
            cdg_json_text(&json, "name", g->varies[v].label);
            cdg_json_text(&json, "per", g->varies[v].unit);
            cdg_json_number(&json, "at", g->values[v]);
            cdg_json_number(&json, "rate", g->rates[c * g->vary_count + v]);
            cdg_json_end(&json);
        }
        cdg_json_end(&json);
        cdg_json_end(&json);
    }
    cdg_json_end(&json);
    json_print(&json);
}

static exit_status run(gradient_request *g) {
    cdg_error error = {0};
    g->loaded = read_scene(g->line->words[0], NULL, 0);
    if (!g->loaded.scene) {
        loaded_scene again = load_scene(g->line->words[0], g->line);
        loaded_scene_free(&again);
        return EXIT_STATUS_REFUSED;
    }
    cdg_result result = read_varies(g, &error);
    if (result == CDG_OK) result = load(g, &error);
    if (result == CDG_OK) result = find(g, &error);
    if (result != CDG_OK) {
        complain("%s", error.message);
        return status_of(result);
    }
    if (has_option(g->line, "json"))
        print_json(g);
    else
        print_table(g);
    return EXIT_STATUS_DONE;
}

exit_status cmd_gradient(const command_line *line) {
    gradient_request g = {.line = line};
    exit_status status = run(&g);
    for (size_t i = 0; i < g.column_count; i++) free(g.titles[i]);
    for (size_t i = 0; i < g.vary_count; i++) cdg_vary_free(&g.varies[i]);
    free(g.titles);
    free(g.now);
    free(g.rates);
    free(g.varies);
    free(g.values);
    free(g.overrides);
    loaded_scene_free(&g.loaded);
    return status;
}
