// Tables as CSV and HDF5 hold the same bits.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "output/table_file.h"
#include "run_scene.h"

#include <hdf5.h>
#include <math.h>

static void test_files(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE], csv[RUN_PATH_SIZE + 16], hdf5[RUN_PATH_SIZE + 16], units[8] = "", word[16] = "";
    run_directory_make(base);
    snprintf(csv, sizeof csv, "%s/t.csv", base);
    snprintf(hdf5, sizeof hdf5, "%s/t.h5", base);
    const double numbers[] = {0.1, NAN};
    const char *const texts[] = {"a, \"b\"", "pl\xC3\xA4in"};
    const cdg_table_file_column columns[] = {{.name = "x", .unit = "m", .numbers = numbers},
                                             {.name = "w", .unit = "", .texts = texts}};
    const cdg_table_file table = {.columns = columns, .column_count = 2, .row_count = 2, .title = "t"};
    assert_int_equal(cdg_table_file_write_csv(&table, csv, NULL), CDG_OK);
    assert_int_equal(cdg_table_file_write_hdf5(&table, hdf5, NULL), CDG_OK);
    char *text = run_read_text(base, "t.csv", NULL);
    assert_string_equal(text, "x [m],w\n0.10000000000000001,\"a, \"\"b\"\"\"\n,pl\xC3\xA4in\n");
    free(text);
    double read[2] = {0};
    hid_t file = H5Fopen(hdf5, H5F_ACC_RDONLY, H5P_DEFAULT), data = H5Dopen2(file, "x", H5P_DEFAULT);
    assert_true(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, read) >= 0);
    assert_true(read[0] == 0.1 && isnan(read[1]));
    hid_t attribute = H5Aopen(data, "units", H5P_DEFAULT), type = H5Aget_type(attribute);
    assert_true(H5Aread(attribute, type, units) >= 0 && units[0] == 'm');
    H5Tclose(type), H5Aclose(attribute), H5Dclose(data);
    data = H5Dopen2(file, "w", H5P_DEFAULT), type = H5Dget_type(data);
    assert_int_equal(H5Tget_size(type), 6);
    char both[13] = "";
    assert_true(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, both) >= 0);
    memcpy(word, both + 6, 6);
    assert_string_equal(word, "pl\xC3\xA4in");
    H5Tclose(type), H5Dclose(data), H5Fclose(file);
    run_directory_remove(base);
}

static void test_no_directory(void **state) {
    (void)state;
    const cdg_table_file table = {.title = ""};
    cdg_error error = {0};
    assert_int_equal(cdg_table_file_write_csv(&table, "/no/such/t.csv", &error), CDG_ERROR_IO);
    assert_int_equal(cdg_table_file_write_hdf5(&table, "/no/such/t.h5", &error), CDG_ERROR_IO);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_files), cmocka_unit_test(test_no_directory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
