// Tables of solids: headings with units, and numbers with 17 digits (csv.c).
#include "export/solids_csv.h"

#include "base/error.h"
#include "output/number.h"

#include <stdlib.h>
#include <string.h>

static const char *const entry_names[2] = {[CDG_SOLID_PER_NODE] = "node", [CDG_SOLID_PER_TETRAHEDRON] = "tetrahedron"};

void cdg_solids_csv_heading(cdg_bytes *text, cdg_solid_per per) {
    cdg_bytes_print(text, "time [s],output,solid,%s", entry_names[per]);
    for (int f = 0; f < CDG_SOLID_FIELD_COUNT; f++) {
        cdg_solid_field_info info = cdg_solid_field_get((cdg_solid_field)f);
        if (info.per != per) continue;
        const char *name = f == CDG_SOLID_FIELD_positions    ? "" // x, y, z and vx, vy, vz, as those of rods
                           : f == CDG_SOLID_FIELD_velocities ? "v"
                                                             : info.entry_name;
        for (size_t k = 0; k < info.component_count; k++)
            cdg_bytes_print(text, ",%s%.*s [%s]", name, info.component_count > 1 ? 1 : 0, &"xyz"[k], info.units);
    }
    cdg_bytes_print(text, "\n");
}

double cdg_solids_csv_numbers(const cdg_run_reader *reader) {
    double sum = 0; // the columns before the fields count as three
    for (size_t i = 0; i < reader->solid_count; i++) {
        const cdg_run_solid_entry *solid = &reader->solids[i];
        sum += 3 * (double)(solid->node_count + solid->tetrahedron_count);
        for (int f = 0; f < CDG_SOLID_FIELD_COUNT; f++) sum += (double)cdg_run_solid_numbers(solid, (cdg_solid_field)f);
    }
    return sum;
}

static void put_lines(cdg_bytes *text, const cdg_run_reader *reader, size_t output, const cdg_run_solid_entry *solid,
                      cdg_solid_per per, double *const values[CDG_SOLID_FIELD_COUNT]) {
    static const char *const doubled[] = {"\"\""};
    char time[CDG_NUMBER_SIZE];
    cdg_number_exact(reader->times[output], time);
    bool is_quoted = strpbrk(solid->name, ",\"\r\n") != NULL; // never, in files that cordage wrote
    size_t count = per == CDG_SOLID_PER_NODE ? solid->node_count : solid->tetrahedron_count;
    for (size_t entry = 0; entry < count; entry++) {
        cdg_bytes_print(text, "%s,%zu,%s", time, output, is_quoted ? "\"" : "");
        cdg_bytes_escaped(text, solid->name, "\"", doubled);
        cdg_bytes_print(text, "%s,%zu", is_quoted ? "\"" : "", entry);
        for (int f = 0; f < CDG_SOLID_FIELD_COUNT; f++) {
            size_t width = cdg_solid_field_get((cdg_solid_field)f).component_count;
            for (size_t k = 0; k < width && values[f] != NULL; k++) {
                char number[CDG_NUMBER_SIZE + 1] = ",";
                cdg_bytes_append(text, number, 1 + cdg_number_exact(values[f][entry * width + k], number + 1));
            }
        }
        cdg_bytes_append(text, "\n", 1);
    }
}

cdg_result cdg_solids_csv_lines(cdg_bytes *text, const cdg_run_reader *reader, size_t output, size_t which,
                                cdg_solid_per per, cdg_error *error) {
    const cdg_run_solid_entry *solid = &reader->solids[which];
    double *values[CDG_SOLID_FIELD_COUNT] = {NULL};
    cdg_result result = CDG_OK;
    for (int f = 0; f < CDG_SOLID_FIELD_COUNT && result == CDG_OK; f++) {
        if (cdg_solid_field_get((cdg_solid_field)f).per != per) continue;
        values[f] = malloc((cdg_run_solid_numbers(solid, (cdg_solid_field)f) + 1) * sizeof(double));
        result = values[f] != NULL ? cdg_run_reader_solid(reader, output, which, (cdg_solid_field)f, values[f], error)
                                   : cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the solids of an output");
    }
    if (result == CDG_OK) put_lines(text, reader, output, solid, per, values);
    for (int f = 0; f < CDG_SOLID_FIELD_COUNT; f++) free(values[f]);
    return result;
}
