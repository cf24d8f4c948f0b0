// The HDF5 helpers: attributes round trip, datasets lie where they say, damaged files are refused quietly.
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "output/disk.h"
#include "output/hdf5_file.h"
#include "run_scene.h"

static void test_attributes(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    hid_t file = cdg_hdf5_create(run_path(base, "a.h5"));
    assert_true(file >= 0);
    size_t size = 3000000; // a scene with many points
    char *large = malloc(size + 1);
    memset(large, 'x', size);
    large[size] = '\0';
    assert_true(cdg_hdf5_put_text(file, "large", large));
    assert_true(cdg_hdf5_put_text(file, "empty", ""));
    assert_true(cdg_hdf5_put_text(file, "greek", "\xCE\xBA"));
    assert_true(cdg_hdf5_put_number(file, "number", -0.1));
    assert_true(cdg_hdf5_put_integer(file, "integer", UINT64_MAX));
    assert_true(H5Fclose(file) >= 0);

    file = cdg_hdf5_open(run_path(base, "a.h5"));
    assert_true(file >= 0);
    char *text;
    double number;
    uint64_t integer;
    assert_true(cdg_hdf5_get_text(file, "large", &text));
    assert_string_equal(text, large);
    free(text);
    free(large);
    assert_true(cdg_hdf5_get_text(file, "empty", &text));
    assert_string_equal(text, "");
    free(text);
    assert_true(cdg_hdf5_get_text(file, "greek", &text));
    assert_string_equal(text, "\xCE\xBA");
    free(text);
    assert_true(cdg_hdf5_get_number(file, "number", &number));
    assert_true(number == -0.1);
    assert_true(cdg_hdf5_get_integer(file, "integer", &integer));
    assert_true(integer == UINT64_MAX);
    assert_false(cdg_hdf5_get_text(file, "absent", &text));
    assert_null(text);
    assert_false(cdg_hdf5_get_text(file, "number", &text)); // another kind
    assert_null(text);
    assert_false(cdg_hdf5_get_number(file, "greek", &number));
    assert_false(cdg_hdf5_get_integer(file, "number", &integer));
    static const char *const words[] = {"alpha", "\xCE\xBA", ""};
    int word = -1;
    assert_true(cdg_hdf5_get_word(file, "greek", words, 3, &word) && word == 1);
    assert_true(cdg_hdf5_get_word(file, "empty", words, 3, &word) && word == 2);
    assert_false(cdg_hdf5_get_word(file, "empty", words, 2, &word) || word != 2); // none of them: nothing is changed
    assert_false(cdg_hdf5_get_word(file, "number", words, 3, &word));
    H5Fclose(file);
    run_directory_remove(base);
}

static void test_names_in_a_group(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE], name[CDG_HDF5_NAME_SIZE], longest[2 * CDG_HDF5_NAME_SIZE];
    memset(longest, 'n', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    run_directory_make(base);
    hid_t file = cdg_hdf5_create(run_path(base, "a.h5"));
    size_t count = 7;
    assert_true(cdg_hdf5_count(file, 0, &count) && count == 0);
    const char *const names[] = {"b", "a", longest};
    for (int i = 0; i < 3; i++) H5Gclose(H5Gcreate2(file, names[i], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    assert_true(cdg_hdf5_count(file, 3, &count) && count == 3);
    assert_false(cdg_hdf5_count(file, 2, &count));
    bool has_a = false, has_b = false;
    int too_long = 0;
    for (size_t i = 0; i < 3; i++) {
        if (!cdg_hdf5_name(file, i, name))
            too_long++;
        else if (strcmp(name, "a") == 0)
            has_a = true;
        else if (strcmp(name, "b") == 0)
            has_b = true;
    }
    assert_true(has_a && has_b && too_long == 1);
    cdg_hdf5_quiet quiet;
    cdg_hdf5_quiet_begin(&quiet);
    assert_false(cdg_hdf5_name(file, 3, name));
    cdg_hdf5_quiet_end(&quiet);
    H5Fclose(file);
    run_directory_remove(base);
}

// What is written at the offset is what HDF5 reads, and the structure stays as it was.
static void test_blocks(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    hid_t file = cdg_hdf5_create(run_path(base, "a.h5"));
    cdg_hdf5_block blocks[3] = {
        {.name = "one", .type = H5T_NATIVE_DOUBLE, .rank = 1, .size = {7}, .units = "s", .description = "first"},
        {.name = "two", .type = H5T_NATIVE_UINT64, .rank = 2, .size = {3, 5}, .units = "1", .description = "second"},
        {.name = "three",
         .type = H5T_NATIVE_DOUBLE,
         .rank = 3,
         .size = {100000000, 100, 3},
         .units = "m",
         .description = "240 GB"},
    };
    for (int i = 0; i < 3; i++) assert_true(cdg_hdf5_create_block(file, &blocks[i]));
    cdg_hdf5_quiet quiet;
    cdg_hdf5_quiet_begin(&quiet);
    assert_false(cdg_hdf5_create_block(file, &blocks[0])); // the name is taken
    cdg_hdf5_quiet_end(&quiet);
    assert_string_equal(quiet.reason, "name already exists");
    assert_true(H5Fclose(file) >= 0);

    struct stat status;
    assert_int_equal(stat(run_path(base, "a.h5"), &status), 0);
    assert_true(status.st_size > 240000000000);
    assert_true(status.st_blocks * 512 < 100000); // only structure takes room
    int descriptor = open(run_path(base, "a.h5"), O_RDWR);
    double numbers[7] = {1, 2, 3, 4, 5, 6, 7};
    assert_int_equal(cdg_disk_write_at(descriptor, "a.h5", numbers, sizeof numbers, blocks[0].offset, NULL), CDG_OK);
    close(descriptor);

    file = cdg_hdf5_open(run_path(base, "a.h5"));
    size_t count;
    double *found = run_read(file, "one", NULL, &count);
    assert_int_equal(count, 7);
    assert_memory_equal(found, numbers, sizeof numbers);
    free(found);
    for (int i = 0; i < 3; i++) {
        cdg_hdf5_block same = blocks[i];
        same.offset = 0;
        assert_true(cdg_hdf5_find_block(file, &same, (uint64_t)status.st_size));
        assert_true(same.offset == blocks[i].offset);
        same.size[0] = 0; // ask for it
        assert_true(cdg_hdf5_find_block(file, &same, (uint64_t)status.st_size));
        assert_true(same.size[0] == blocks[i].size[0]);
        cdg_hdf5_block other = blocks[i];
        other.size[0]++;
        assert_false(cdg_hdf5_find_block(file, &other, (uint64_t)status.st_size));
        other = blocks[i];
        other.rank = other.rank % 3 + 1;
        assert_false(cdg_hdf5_find_block(file, &other, (uint64_t)status.st_size));
        other = blocks[i];
        other.type = i == 1 ? H5T_NATIVE_DOUBLE : H5T_NATIVE_UINT64;
        assert_false(cdg_hdf5_find_block(file, &other, (uint64_t)status.st_size));
        other = blocks[i];
        assert_false(cdg_hdf5_find_block(file, &other, other.offset + 8)); // would lie outside the file
        other.name = "absent";
        assert_false(cdg_hdf5_find_block(file, &other, (uint64_t)status.st_size));
    }
    H5Fclose(file);
    run_directory_remove(base);
}

static void test_quiet_failure(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    run_write_text(base, "a.h5", "this is no HDF5 file, but long enough to look at", 48);
    // what HDF5 prints goes to standard error, which must stay empty
    int kept = dup(2), file = open(run_path(base, "stderr"), O_RDWR | O_CREAT, 0666);
    dup2(file, 2);
    cdg_hdf5_quiet quiet;
    cdg_hdf5_quiet_begin(&quiet);
    bool is_refused = cdg_hdf5_open(run_path(base, "a.h5")) < 0;
    cdg_hdf5_quiet_end(&quiet);
    cdg_hdf5_quiet system;
    cdg_hdf5_quiet_begin(&system);
    bool is_refused_too = cdg_hdf5_create("/no/such/directory/a.h5") < 0;
    cdg_hdf5_quiet_end(&system);
    dup2(kept, 2);
    struct stat status;
    fstat(file, &status);
    close(file);
    close(kept);
    assert_true(is_refused && is_refused_too);
    assert_int_equal(status.st_size, 0);
    assert_string_not_equal(quiet.reason, "");
    assert_string_equal(system.reason, "No such file or directory");
    H5E_auto2_t function = NULL;
    void *data = NULL;
    H5Eget_auto2(H5E_DEFAULT, &function, &data);
    assert_non_null((void *)(uintptr_t)function); // the caller's printing is back
    run_directory_remove(base);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_names_in_a_group),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_quiet_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
