// A table of named columns as CSV and as HDF5.
#include "output/table_file.h"

#include "base/error.h"
#include "output/hdf5_file.h"
#include "output/number.h"
#include "output/whole_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- CSV ------------------------------------------------------------------------------------------------------------

static void put_text(FILE *stream, const char *text) {
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text != '\0'; text++) {
        if (*text == '"') fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

static void put_heading(FILE *stream, const cdg_table_file_column *column) {
    char title[1024];
    const char *unit = column->unit;
    snprintf(title, sizeof title, "%s%s%s%s", column->name, unit[0] ? " [" : "", unit, unit[0] ? "]" : "");
    put_text(stream, title);
}

static void put_cell(FILE *stream, const cdg_table_file_column *column, size_t row) {
    char text[CDG_NUMBER_SIZE];
    if (column->numbers == NULL) {
        put_text(stream, column->texts[row]);
    } else if (!isnan(column->numbers[row])) {
        cdg_number_exact(column->numbers[row], text);
        fputs(text, stream);
    }
}

cdg_result cdg_table_file_write_csv(const cdg_table_file *table, const char *path, cdg_error *error) {
    cdg_whole_file file;
    cdg_result result = cdg_whole_file_begin(path, &file, error);
    if (result != CDG_OK) return result;
    for (size_t row = 0; row <= table->row_count; row++) {
        for (size_t i = 0; i < table->column_count; i++) {
            if (i > 0) fputc(',', file.stream);
            if (row == 0)
                put_heading(file.stream, &table->columns[i]);
            else
                put_cell(file.stream, &table->columns[i], row - 1);
        }
        fputc('\n', file.stream);
    }
    return cdg_whole_file_end(&file, error);
}

// ---- HDF5 -----------------------------------------------------------------------------------------------------------

static bool write_data(hid_t file, const char *name, hid_t type, size_t count, const void *data, const char *unit) {
    const hsize_t size = count;
    hid_t space = H5Screate_simple(1, &size, NULL);
    hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool is_done = dataset >= 0 && (count == 0 || H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0) &&
                   (unit[0] == '\0' || cdg_hdf5_put_text(dataset, "units", unit));
    if (dataset >= 0) H5Dclose(dataset);
    if (space >= 0) H5Sclose(space);
    return is_done;
}

static bool write_texts(hid_t file, const cdg_table_file_column *column, size_t count) {
    size_t longest = 1;
    for (size_t i = 0; i < count; i++)
        longest = strlen(column->texts[i]) > longest ? strlen(column->texts[i]) : longest;
    char *block = calloc(count + 1, longest);
    hid_t type = H5Tcopy(H5T_C_S1);
    bool is_done = block != NULL && H5Tset_size(type, longest) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0 &&
                   H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0;
    for (size_t i = 0; i < count && is_done; i++)
        memcpy(block + i * longest, column->texts[i], strlen(column->texts[i]));
    is_done = is_done && write_data(file, column->name, type, count, block, column->unit);
    H5Tclose(type);
    free(block);
    return is_done;
}

static bool write_all(hid_t file, const cdg_table_file *table) {
    bool is_done = cdg_hdf5_put_text(file, "title", table->title);
    for (size_t i = 0; i < table->column_count && is_done; i++) {
        const cdg_table_file_column *column = &table->columns[i];
        is_done = column->numbers == NULL ? write_texts(file, column, table->row_count)
                                          : write_data(file, column->name, H5T_NATIVE_DOUBLE, table->row_count,
                                                       column->numbers, column->unit);
    }
    return is_done;
}

cdg_result cdg_table_file_write_hdf5(const cdg_table_file *table, const char *path, cdg_error *error) {
    cdg_whole_file whole;
    cdg_hdf5_quiet quiet;
    cdg_result result = cdg_whole_file_begin_named(path, &whole, error);
    if (result != CDG_OK) return result;
    cdg_hdf5_quiet_begin(&quiet);
    hid_t file = cdg_hdf5_create(whole.temporary_path);
    bool is_done = file >= 0 && write_all(file, table);
    if (file >= 0 && H5Fclose(file) < 0) is_done = false;
    cdg_hdf5_quiet_end(&quiet);
    if (is_done) return cdg_whole_file_end(&whole, error);
    cdg_whole_file_abandon(&whole);
    return cdg_fail(error, CDG_ERROR_IO, "%s: cannot be written: %.200s", path,
                    quiet.reason[0] != '\0' ? quiet.reason : "HDF5 does not say why");
}
