// Texts of tetrahedral files that must be refused, each with a part of the sentence. The including file includes cmocka
// first and defines _DEFAULT_SOURCE.
#ifndef CDG_TESTS_BAD_TETRAHEDRA_H
#define CDG_TESTS_BAD_TETRAHEDRA_H

#include "run_scene.h"

#include <cordage/mesh_files.h>

typedef struct bad_tetrahedra {
    const char *text, *part;
} bad_tetrahedra;

static inline void assert_tetrahedra_are_refused(const char *directory, const char *name, const bad_tetrahedra *cases,
                                                 size_t count) {
    for (size_t i = 0; i < count; i++) {
        cdg_mesh mesh;
        cdg_error error = {0};
        run_write_text(directory, name, cases[i].text, strlen(cases[i].text));
        assert_int_equal(cdg_mesh_read(run_path(directory, name), 1, &mesh, NULL, &error), CDG_ERROR_FORMAT);
        if (strstr(error.message, cases[i].part) == NULL) fail_msg("'%s' is not in: %s", cases[i].part, error.message);
        assert_non_null(strstr(error.message, directory));
        assert_null(mesh.points);
        assert_null(mesh.tetrahedra);
    }
}

static inline cdg_mesh read_tetrahedra(const char *directory, const char *name, const void *text, size_t size,
                                       cdg_mesh_found *found) {
    cdg_mesh mesh;
    cdg_error error = {0};
    run_write_text(directory, name, text, size);
    cdg_result result = cdg_mesh_read(run_path(directory, name), 1, &mesh, found, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(result, CDG_OK);
    return mesh;
}

#endif
