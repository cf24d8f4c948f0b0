// Things of a kind in a file: made, found again, and read in the scene's order, whatever their names; what does not fit
// is refused.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "output/run_groups.h"
#include "run_scene.h"

enum { THINGS = 3 };

typedef struct thing {
    const char *name;
    double weight;
    uint64_t offset;
} thing;

typedef struct things {
    thing of[THINGS];
    size_t count;
} things;

static const char *name_of(const void *list, size_t number) { return ((const things *)list)->of[number].name; }

static bool put(const void *list, size_t number, hid_t group) {
    return cdg_hdf5_put_number(group, "weight", ((const things *)list)->of[number].weight);
}

static bool visit_one(void *list, size_t number, hid_t group, cdg_run_visit visit, const cdg_run_extent *extent) {
    cdg_hdf5_block block = {.name = "path",
                            .type = H5T_NATIVE_DOUBLE,
                            .rank = 1,
                            .size = {extent->frame_count},
                            .units = "m",
                            .description = "where it is"};
    if (!visit(group, &block, extent->file_size)) return false;
    ((things *)list)->of[number].offset = block.offset;
    return true;
}

static bool reserve(void *list, size_t count) {
    if (count > THINGS) return false;
    *(things *)list = (things){.count = count};
    return true;
}

static bool read_one(void *list, size_t number, const char *name, hid_t group, const cdg_run_extent *extent) {
    thing *t = &((things *)list)->of[number];
    assert_string_equal(extent->path, "a.h5");
    if (!cdg_hdf5_get_number(group, "weight", &t->weight)) return false;
    t->name = cdg_run_copy_name(name);
    return visit_one(list, number, group, cdg_hdf5_find_block, extent);
}

static const cdg_run_kind kind = {"things", name_of, put, visit_one, reserve, read_one};

static void free_names(things *list) {
    for (size_t i = 0; i < THINGS; i++) free((void *)(uintptr_t)list->of[i].name);
}

static void test_round_trip(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    things made = {{{"zebra", 3, 0}, {"ant", 1, 0}, {"mole", 2, 0}}, THINGS};
    hid_t file = cdg_hdf5_create(run_path(base, "a.h5"));
    assert_true(file >= 0);
    assert_true(cdg_run_kind_create(&kind, &made, THINGS, file, 5));
    assert_true(H5Fclose(file) >= 0);
    struct stat status;
    assert_int_equal(stat(run_path(base, "a.h5"), &status), 0);
    // Room that nobody has written yet may lie behind the file's end.
    cdg_run_extent extent = {5, (uint64_t)status.st_size + 1000, "a.h5"}, other = {6, extent.file_size, "a.h5"};

    file = cdg_hdf5_open(run_path(base, "a.h5"));
    things again = {{{.name = "zebra"}, {.name = "ant"}, {.name = "mole"}}, THINGS};
    assert_true(cdg_run_kind_find(&kind, &again, THINGS, file, extent));
    for (size_t i = 0; i < THINGS; i++) assert_int_equal(again.of[i].offset, made.of[i].offset);
    again.of[1].name = "fly";
    assert_false(cdg_run_kind_find(&kind, &again, THINGS, file, extent));
    things found = {0};
    assert_true(cdg_run_kind_discover(&kind, &found, file, extent));
    assert_int_equal(found.count, THINGS);
    for (size_t i = 0; i < THINGS; i++) {
        assert_string_equal(found.of[i].name, made.of[i].name); // HDF5 has them by the alphabet
        assert_true(found.of[i].weight == made.of[i].weight);
        assert_int_equal(found.of[i].offset, made.of[i].offset);
    }
    free_names(&found);
    found = (things){0};
    assert_false(cdg_run_kind_discover(&kind, &found, file, other)); // of another length
    free_names(&found);
    H5Fclose(file);
    run_directory_remove(base);
}

static void test_none(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    hid_t file = cdg_hdf5_create(run_path(base, "a.h5"));
    assert_true(cdg_run_kind_create(&kind, NULL, 0, file, 5));
    assert_true(H5Lexists(file, "things", H5P_DEFAULT) == 0);
    assert_true(cdg_run_kind_find(&kind, NULL, 0, file, (cdg_run_extent){0}));
    assert_true(cdg_run_kind_discover(&kind, NULL, file, (cdg_run_extent){0}));
    H5Fclose(file);
    run_directory_remove(base);
}

// A damaged file: two things of one number, a number beyond all, none at all.
static void test_wrong_numbers(void **state) {
    (void)state;
    for (int fault = 0; fault < 3; fault++) {
        char base[RUN_PATH_SIZE];
        run_directory_make(base);
        things made = {{{"a", 1, 0}, {"b", 2, 0}}, 2};
        hid_t file = cdg_hdf5_create(run_path(base, "a.h5"));
        assert_true(cdg_run_kind_create(&kind, &made, 2, file, 1));
        hid_t group = H5Gopen2(file, "things/b", H5P_DEFAULT);
        assert_true(H5Adelete(group, "place") >= 0);
        if (fault < 2) assert_true(cdg_hdf5_put_integer(group, "place", fault == 0 ? 0 : 2));
        H5Gclose(group);
        things found = {0};
        assert_false(cdg_run_kind_discover(&kind, &found, file, (cdg_run_extent){1, 100000, "a.h5"}));
        free_names(&found);
        H5Fclose(file);
        run_directory_remove(base);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip), cmocka_unit_test(test_none),
                                       cmocka_unit_test(test_wrong_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
