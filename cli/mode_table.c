// Natural frequencies of a run's rods and solids, side by side.
#include "mode_table.h"

#include "format.h"
#include "output/run_reader.h"

#include <stdio.h>
#include <stdlib.h>

enum { RODS_MAX = 6, MODES_MAX = 12 };

static void print_row(const char *name, const double *frequencies, size_t count) {
    printf("            %s:", name);
    for (size_t m = 0; m < count && m < MODES_MAX; m++)
        printf(" %s%s", format_unit(frequencies[m], "Hz").text, m + 1 < count ? "," : "");
    printf("%s\n", count > MODES_MAX ? " ..." : "");
}

void print_modes(const char *directory) {
    cdg_run_reader *reader = NULL;
    cdg_error error;
    if (cdg_run_reader_open(directory, &reader, &error) != CDG_OK) return;
    if (reader->mode_count == 0) {
        cdg_run_reader_close(reader);
        return;
    }
    double *frequencies = malloc((reader->mode_count + 1) * sizeof *frequencies);
    printf("  modes     natural frequencies; negative: a motion that grows at 2 pi times its rate\n");
    for (size_t r = 0; r < reader->rod_count && r < RODS_MAX && frequencies; r++) {
        if (cdg_run_reader_modes(reader, r, frequencies, NULL, &error) != CDG_OK) break;
        print_row(reader->rods[r].name, frequencies, reader->mode_count);
    }
    if (reader->rod_count > RODS_MAX) printf("            ... and %zu more rods\n", reader->rod_count - RODS_MAX);
    for (size_t s = 0; s < reader->solid_count && s < RODS_MAX && frequencies; s++) {
        if (cdg_run_reader_solid_modes(reader, s, frequencies, NULL, &error) != CDG_OK) break;
        print_row(reader->solids[s].name, frequencies, reader->mode_count);
    }
    if (reader->solid_count > RODS_MAX) printf("            ... and %zu more solids\n", reader->solid_count - RODS_MAX);
    free(frequencies);
    cdg_run_reader_close(reader);
}
