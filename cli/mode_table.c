// Natural frequencies of a run's rods, side by side.
#include "mode_table.h"

#include "format.h"
#include "output/run_reader.h"

#include <stdio.h>
#include <stdlib.h>

void print_modes(const char *directory) {
    enum { RODS_MAX = 6, MODES_MAX = 12 };
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
        printf("            %s:", reader->rods[r].name);
        for (size_t m = 0; m < reader->mode_count && m < MODES_MAX; m++)
            printf(" %s%s", format_unit(frequencies[m], "Hz").text, m + 1 < reader->mode_count ? "," : "");
        printf("%s\n", reader->mode_count > MODES_MAX ? " ..." : "");
    }
    if (reader->rod_count > RODS_MAX) printf("            ... and %zu more rods\n", reader->rod_count - RODS_MAX);
    free(frequencies);
    cdg_run_reader_close(reader);
}
