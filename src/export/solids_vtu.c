// Tetrahedra with the solid they belong to and all of its fields: ParaView's filters Slice and Threshold look inside.
#include "export/solids_vtu.h"

#include "base/error.h"

#include <stdlib.h>

enum { VTK_TETRA = 10 };

typedef struct grid {
    size_t point_count, cell_count;
    double *numbers[CDG_SOLID_FIELD_COUNT];
    int64_t *corners, *ends;
    uint8_t *types;
    int32_t *solids;
    const char **names;
} grid;

static size_t numbers_of(const grid *g, cdg_solid_field field) {
    cdg_solid_field_info info = cdg_solid_field_get(field);
    return info.component_count * cdg_solid_field_entries(&info, g->point_count, g->cell_count);
}

static bool allocate(grid *g, const cdg_run_reader *reader) {
    for (size_t i = 0; i < reader->solid_count; i++) {
        g->point_count += reader->solids[i].node_count;
        g->cell_count += reader->solids[i].tetrahedron_count;
    }
    bool is_good = true;
    for (int f = 0; f < CDG_SOLID_FIELD_COUNT; f++) {
        g->numbers[f] = malloc((numbers_of(g, (cdg_solid_field)f) + 1) * sizeof(double));
        is_good = is_good && g->numbers[f] != NULL;
    }
    g->corners = malloc((4 * g->cell_count + 1) * sizeof *g->corners);
    g->ends = malloc((g->cell_count + 1) * sizeof *g->ends);
    g->types = malloc(g->cell_count + 1);
    g->solids = malloc((g->cell_count + 1) * sizeof *g->solids);
    g->names = malloc((reader->solid_count + 1) * sizeof *g->names);
    return is_good && g->corners != NULL && g->ends != NULL && g->types != NULL && g->solids != NULL &&
           g->names != NULL;
}

static void release(grid *g) {
    void *const all[] = {g->corners, g->ends, g->types, g->solids, (void *)g->names};
    for (int f = 0; f < CDG_SOLID_FIELD_COUNT; f++) free(g->numbers[f]);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

static cdg_result fill(grid *g, const cdg_run_reader *reader, size_t output, cdg_error *error) {
    size_t point = 0, cell = 0, end[CDG_SOLID_FIELD_COUNT] = {0};
    for (size_t i = 0; i < reader->solid_count; i++) {
        const cdg_run_solid_entry *solid = &reader->solids[i];
        for (int f = 0; f < CDG_SOLID_FIELD_COUNT; f++) {
            double *out = g->numbers[f] + end[f];
            cdg_result result = cdg_run_reader_solid(reader, output, i, (cdg_solid_field)f, out, error);
            if (result != CDG_OK) return result;
            end[f] += cdg_run_solid_numbers(solid, (cdg_solid_field)f);
        }
        g->names[i] = solid->name;
        for (size_t t = 0; t < solid->tetrahedron_count; t++, cell++) {
            for (size_t k = 0; k < 4; k++) g->corners[4 * cell + k] = (int64_t)(point + solid->tetrahedra[t][k]);
            g->ends[cell] = 4 * (int64_t)(cell + 1);
            g->types[cell] = VTK_TETRA;
            g->solids[cell] = (int32_t)i;
        }
        point += solid->node_count;
    }
    return CDG_OK;
}

static void put_fields(cdg_vtp *vtu, const grid *g, cdg_solid_per per) {
    static const char *const world[] = {"x", "y", "z"};
    for (int f = 0; f < CDG_SOLID_FIELD_COUNT; f++) {
        cdg_solid_field_info info = cdg_solid_field_get((cdg_solid_field)f);
        if (info.per != per || f == CDG_SOLID_FIELD_positions) continue; // those are the points themselves
        size_t count = cdg_solid_field_entries(&info, g->point_count, g->cell_count);
        cdg_vtp_array(vtu, info.entry_name, CDG_VTP_FLOAT64, (int)info.component_count,
                      info.component_count > 1 ? world : NULL, g->numbers[f], count, false);
    }
}

static bool put(cdg_vtp *vtu, const grid *g, size_t solid_count, double time, size_t output) {
    int32_t number = (int32_t)output;
    cdg_vtp_begin(vtu, "UnstructuredGrid");
    cdg_vtp_print(vtu, "<UnstructuredGrid>\n<FieldData>\n");
    cdg_vtp_array(vtu, "TimeValue", CDG_VTP_FLOAT64, 1, NULL, &time, 1, true);
    cdg_vtp_array(vtu, "output", CDG_VTP_INT32, 1, NULL, &number, 1, true);
    cdg_vtp_texts(vtu, "solid_name", g->names, solid_count);
    cdg_vtp_print(vtu, "</FieldData>\n<Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n<PointData>\n",
                  g->point_count, g->cell_count);
    put_fields(vtu, g, CDG_SOLID_PER_NODE);
    cdg_vtp_print(vtu, "</PointData>\n<CellData Scalars=\"stress\">\n");
    put_fields(vtu, g, CDG_SOLID_PER_TETRAHEDRON);
    cdg_vtp_array(vtu, "solid", CDG_VTP_INT32, 1, NULL, g->solids, g->cell_count, false);
    cdg_vtp_print(vtu, "</CellData>\n<Points>\n");
    cdg_vtp_array(vtu, "Points", CDG_VTP_FLOAT64, 3, NULL, g->numbers[CDG_SOLID_FIELD_positions], g->point_count,
                  false);
    cdg_vtp_print(vtu, "</Points>\n<Cells>\n");
    cdg_vtp_array(vtu, "connectivity", CDG_VTP_INT64, 1, NULL, g->corners, 4 * g->cell_count, false);
    cdg_vtp_array(vtu, "offsets", CDG_VTP_INT64, 1, NULL, g->ends, g->cell_count, false);
    cdg_vtp_array(vtu, "types", CDG_VTP_UINT8, 1, NULL, g->types, g->cell_count, false);
    cdg_vtp_print(vtu, "</Cells>\n</Piece>\n</UnstructuredGrid>\n");
    return cdg_vtp_end(vtu);
}

cdg_result cdg_solids_vtu_make(cdg_vtp *vtu, const cdg_run_reader *reader, size_t output, cdg_error *error) {
    grid g = {0};
    cdg_result result = CDG_OK;
    if (!allocate(&g, reader)) result = cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the solids of an output");
    if (result == CDG_OK) result = fill(&g, reader, output, error);
    if (result == CDG_OK && !put(vtu, &g, reader->solid_count, reader->times[output], output))
        result = cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the solids of an output");
    release(&g);
    return result;
}
