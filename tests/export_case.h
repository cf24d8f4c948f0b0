// A small run to export, for the tests of src/export. The including file defines _DEFAULT_SOURCE and includes cmocka
// first.
#ifndef CDG_TESTS_EXPORT_CASE_H
#define CDG_TESTS_EXPORT_CASE_H

#include "export/format.h"
#include "run_scene.h"

typedef struct export_case {
    char base[RUN_PATH_SIZE]; // an empty directory for exports
    char run[RUN_PATH_SIZE];  // the run: a cable and a ring, 13 outputs
} export_case;

static inline int export_set_up_run(void **state) {
    static export_case c;
    run_directory_make(c.run);
    cdg_scene *scene = run_scene_make((run_scene_options){.force = 0.01});
    const cdg_run_def def = {.scene = scene, .directory = c.run, .thread_count = 1};
    cdg_run_summary summary;
    cdg_error error;
    if (cdg_run(&def, &summary, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_scene_destroy(scene);
    *state = &c;
    return 0;
}

static inline int export_tear_down_run(void **state) {
    run_directory_remove(((export_case *)*state)->run);
    return 0;
}

static inline int export_set_up(void **state) {
    run_directory_make(((export_case *)*state)->base);
    return 0;
}

static inline int export_tear_down(void **state) {
    run_directory_remove(((export_case *)*state)->base);
    return 0;
}

static inline size_t entry_count(const char *path) {
    DIR *directory = opendir(path);
    assert_non_null(directory);
    size_t count = 0;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) count++;
    closedir(directory);
    return count - 2;
}

static const char export_page[] = "<p>before</p>" CDG_EXPORT_PAGE_MARK "<p>after</p>\n"; // for html

// Exports to `name` in the case's directory. The export must be closed by the caller.
static inline cdg_export *export_open(const export_case *c, const char *name, cdg_export_def def) {
    cdg_export *export = NULL;
    cdg_error error;
    static char path[2 * RUN_PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", c->base, name);
    def.run = c->run;
    def.path = path;
    if (def.page == NULL) def.page = export_page, def.page_size = sizeof export_page - 1;
    if (cdg_export_open(&def, &export, &error) != CDG_OK) fail_msg("%s", error.message);
    return export;
}

static inline cdg_export *export_write(const export_case *c, const char *name, cdg_export_def def) {
    cdg_export *export = export_open(c, name, def);
    cdg_error error;
    if (cdg_export_write(export, &error) != CDG_OK) fail_msg("%s", error.message);
    assert_true(cdg_export_has_begun(export));
    return export;
}

// A field of a rod at a frame of the export; malloc'ed.
static inline double *export_field(const cdg_export *export, size_t frame, size_t rod, cdg_field field) {
    double *values = malloc(cdg_export_largest_field(export) * sizeof *values);
    cdg_error error;
    assert_non_null(values);
    if (cdg_export_read(export, frame, rod, field, values, &error) != CDG_OK) fail_msg("%s", error.message);
    return values;
}

static inline void expect_text(const char *text, const char *part) {
    if (strstr(text, part) == NULL) fail_msg("'%s' is not in: %.2000s", part, text);
}

#define export_test(name) cmocka_unit_test_setup_teardown(name, export_set_up, export_tear_down)

#endif
