// Telling what is known of a mesh: as text, as JSON and as a page with a histogram of its angles.
#include "mesh_facts.h"

#include "format.h"
#include "json_print.h"
#include "output/whole_file.h"
#include "plot/html_page.h"
#include "terminal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double degrees = 57.29577951308232;

static const char *const rule_names[] = {
#define RULE_NAME(id, name, text) name,
    CDG_INSIDE_RULE_LIST(RULE_NAME)
#undef RULE_NAME
};
static const char *const phase_names[] = {
#define PHASE_NAME(id, name) name,
    CDG_MESHER_PHASE_LIST(PHASE_NAME)
#undef PHASE_NAME
};

typedef struct fault_row {
    const char *name, *text;
    cdg_mesh_fault fault;
} fault_row;

enum {
#define FAULT_NUMBER(name, text) FAULT_##name,
    CDG_MESH_FAULT_LIST(FAULT_NUMBER)
#undef FAULT_NUMBER
        FAULT_COUNT
};

static void list_faults(const cdg_mesh_faults *faults, fault_row rows[FAULT_COUNT]) {
    const fault_row all[FAULT_COUNT] = {
#define FAULT_ROW(name, text) {#name, text, faults->name},
        CDG_MESH_FAULT_LIST(FAULT_ROW)
#undef FAULT_ROW
    };
    memcpy(rows, all, sizeof all);
}

bool mesh_has_faults(const cdg_mesh_faults *faults) { return faults->total > faults->unused_point.count; }

void mesh_faults_text(const cdg_mesh_faults *faults, char *out, size_t size) {
    fault_row rows[FAULT_COUNT];
    size_t used = 0;
    out[0] = '\0';
    list_faults(faults, rows);
    for (int i = 0; i < FAULT_COUNT; i++) {
        if (rows[i].fault.count == 0 || used >= size) continue;
        int length = snprintf(out + used, size - used, "%s%s %s (first: %u)", used > 0 ? "; " : "",
                              format_count(rows[i].fault.count).text, rows[i].text, rows[i].fault.first);
        used += length > 0 ? (size_t)length : 0;
    }
}

// ---- text -----------------------------------------------------------------------------------------------------------

static text_buffer format_volume(double volume) {
    text_buffer out;
    const struct {
        double unit;
        const char *name;
    } units[] = {{1, "m^3"}, {1e-3, "l"}, {1e-6, "cm^3"}, {1e-9, "mm^3"}};
    size_t i = 0;
    while (i < 3 && fabs(volume) < units[i].unit) i++;
    snprintf(out.text, sizeof out.text, "%.6g %s", volume / units[i].unit, units[i].name);
    return out;
}

static void print_filling(const mesh_facts *facts) {
    const cdg_mesher_report *report = &facts->report;
    printf("  surface    %s in %s; inside by %s, %.3g %% doubtful, %.3g %% lost\n",
           format_plural(facts->triangle_count, "triangle").text, format_plural(report->components, "part").text,
           rule_names[report->inside], 100 * report->doubtful_share, 100 * fmax(0, report->lost_share));
    if (report->triangles_dropped + report->triangles_flipped > 0)
        printf("             %s dropped (no area, double or not finite), %s turned around\n",
               format_count(report->triangles_dropped).text, format_count(report->triangles_flipped).text);
    if (report->close > 0) printf("             holes closed up to %s\n", format_unit(report->close, "m").text);
    printf("  size       %s, %s\n", format_unit(report->size, "m").text, format_plural(report->pieces, "piece").text);
}

static void print_found(const mesh_facts *facts) {
    if (facts->found.other_cells > 0)
        printf("  passed over %s of other kinds\n", format_plural(facts->found.other_cells, "cell").text);
    if (facts->found.curved_cells > 0)
        printf("  corners    taken of %s with more than four points\n",
               format_plural(facts->found.curved_cells, "element").text);
    if (facts->turned_count > 0)
        printf("  turned     all elements were left-handed; two points of each are exchanged\n");
}

static void print_faults(const mesh_facts *facts) {
    fault_row rows[FAULT_COUNT];
    list_faults(&facts->faults, rows);
    if (facts->faults.total == 0) printf("  faults     none\n");
    for (int i = 0, shown = 0; i < FAULT_COUNT; i++)
        if (rows[i].fault.count > 0)
            printf("  %-10s %s %s (first: %u)\n", shown++ == 0 ? "faults" : "", format_count(rows[i].fault.count).text,
                   rows[i].text, rows[i].fault.first);
}

void mesh_facts_print(const mesh_facts *facts) {
    const cdg_mesh_quality *quality = &facts->quality;
    printf("%s: %s, %s, in %s\n", facts->output != NULL ? facts->output : facts->input,
           format_plural(facts->mesh.tetrahedron_count, "element").text,
           format_plural(facts->mesh.point_count, "point").text, format_seconds(facts->seconds).text);
    printf("  volume     %s\n", format_volume(quality->volume).text);
    printf("  dihedral   %.4g to %.4g degrees\n", degrees * quality->smallest_dihedral,
           degrees * quality->largest_dihedral);
    if (facts->is_filled)
        print_filling(facts);
    else
        print_found(facts);
    if (facts->has_distances)
        printf("  distance   %s from mesh to surface, %s from surface to mesh\n",
               format_unit(facts->to_surface.distance, "m").text, format_unit(facts->from_surface.distance, "m").text);
    print_faults(facts);
}

// ---- JSON -----------------------------------------------------------------------------------------------------------

static void put_distance(cdg_json *json, const char *key, const cdg_hausdorff *distance) {
    cdg_json_begin_object(json, key);
    cdg_json_number(json, "distance", distance->distance);
    cdg_json_number(json, "bound", distance->bound);
    cdg_json_begin_array(json, "at");
    cdg_json_number(json, NULL, distance->at.x);
    cdg_json_number(json, NULL, distance->at.y);
    cdg_json_number(json, NULL, distance->at.z);
    cdg_json_end(json);
    cdg_json_end(json);
}

static void put_filling(cdg_json *json, const mesh_facts *facts) {
    const cdg_mesher_report *report = &facts->report;
    cdg_json_integer(json, "triangles", facts->triangle_count);
    cdg_json_integer(json, "triangles_dropped", report->triangles_dropped);
    cdg_json_integer(json, "triangles_flipped", report->triangles_flipped);
    cdg_json_integer(json, "components", report->components);
    cdg_json_integer(json, "pieces", report->pieces);
    cdg_json_integer(json, "doubled", report->doubled);
    cdg_json_integer(json, "open_pieces", report->open_pieces);
    if (report->creases_missed != SIZE_MAX) cdg_json_integer(json, "creases_missed", report->creases_missed);
    cdg_json_number(json, "crease_length", report->crease_length);
    cdg_json_number(json, "crease_length_missed", report->crease_length_missed);
    cdg_json_number(json, "size", report->size);
    cdg_json_number(json, "close", report->close);
    cdg_json_text(json, "inside", rule_names[report->inside]);
    cdg_json_number(json, "doubtful_share", report->doubtful_share);
    cdg_json_number(json, "lost_share", report->lost_share);
    cdg_json_number(json, "lost_thickness", report->lost_thickness);
    cdg_json_integer(json, "peak_bytes", report->peak_bytes);
    cdg_json_begin_object(json, "seconds");
    for (int i = 0; i < CDG_MESHER_PHASE_COUNT; i++) cdg_json_number(json, phase_names[i], report->seconds[i]);
    cdg_json_end(json);
}

static void put_mesh(cdg_json *json, const mesh_facts *facts) {
    cdg_json_integer(json, "elements", facts->mesh.tetrahedron_count);
    cdg_json_integer(json, "points", facts->mesh.point_count);
    cdg_json_number(json, "volume", facts->quality.volume);
    cdg_json_number(json, "smallest_dihedral_degrees", degrees * facts->quality.smallest_dihedral);
    cdg_json_number(json, "largest_dihedral_degrees", degrees * facts->quality.largest_dihedral);
    cdg_json_begin_array(json, "dihedral_histogram");
    for (int i = 0; i < CDG_DIHEDRAL_BINS; i++) cdg_json_integer(json, NULL, facts->quality.dihedral_histogram[i]);
    cdg_json_end(json);
    if (facts->has_distances) {
        put_distance(json, "mesh_to_surface", &facts->to_surface);
        put_distance(json, "surface_to_mesh", &facts->from_surface);
    }
    fault_row rows[FAULT_COUNT];
    list_faults(&facts->faults, rows);
    cdg_json_begin_object(json, "faults");
    for (int i = 0; i < FAULT_COUNT; i++) cdg_json_integer(json, rows[i].name, rows[i].fault.count);
    cdg_json_end(json);
}

void mesh_facts_print_json(const command_line *line, const mesh_facts *facts, exit_status status, const char *message) {
    cdg_json json = json_begin(line->command->name);
    cdg_json_boolean(&json, "ok", status == EXIT_STATUS_DONE);
    cdg_json_integer(&json, "exit_status", (uint64_t)status);
    cdg_json_text(&json, "message", status == EXIT_STATUS_DONE ? NULL : message);
    cdg_json_text(&json, "input", facts->input);
    cdg_json_text(&json, "output", facts->output);
    if (facts->mesh.tetrahedron_count > 0) {
        put_mesh(&json, facts);
        if (facts->is_filled) put_filling(&json, facts);
        cdg_json_integer(&json, "other_cells", facts->found.other_cells);
        cdg_json_integer(&json, "curved_cells", facts->found.curved_cells);
        cdg_json_integer(&json, "turned", facts->turned_count);
        cdg_json_number(&json, "wall_seconds", facts->seconds);
    }
    json_print(&json);
}

// ---- page -----------------------------------------------------------------------------------------------------------

// Columns as the outline of a curve: share of all angles, in bins of ten degrees.
static cdg_result make_histogram(const mesh_facts *facts, cdg_chart *chart, cdg_error *error) {
    double x[2 * CDG_DIHEDRAL_BINS + 2], y[2 * CDG_DIHEDRAL_BINS + 2], sum = 0;
    size_t count = 0;
    const size_t *bins = facts->quality.dihedral_histogram;
    for (int i = 0; i < CDG_DIHEDRAL_BINS; i++) sum += (double)bins[i];
    x[0] = y[0] = 0, count = 1;
    for (int i = 0; i < CDG_DIHEDRAL_BINS; i++) {
        double share = sum > 0 ? 100 * (double)bins[i] / sum : 0;
        x[count] = 10.0 * i, y[count++] = share;
        x[count] = 10.0 * (i + 1), y[count++] = share;
    }
    x[count] = 180, y[count++] = 0;
    cdg_result result = cdg_chart_create("Dihedral angles", "angle", "deg", "share of all", "%", chart, error);
    if (result == CDG_OK) result = cdg_chart_add(chart, "in bins of 10 degrees", x, y, count, error);
    return result;
}

typedef struct page_facts {
    cdg_page_fact rows[16];
    char texts[16][600];
    size_t count;
} page_facts;

static void add_fact(page_facts *page, const char *name, const char *text) {
    if (page->count == sizeof page->rows / sizeof *page->rows) return;
    snprintf(page->texts[page->count], sizeof page->texts[0], "%s", text);
    page->rows[page->count] = (cdg_page_fact){name, page->texts[page->count]};
    page->count++;
}

static void list_facts(const mesh_facts *facts, page_facts *page) {
    char text[600];
    add_fact(page, "input", facts->input);
    if (facts->output != NULL) add_fact(page, "output", facts->output);
    snprintf(text, sizeof text, "%s, %s", format_plural(facts->mesh.tetrahedron_count, "element").text,
             format_plural(facts->mesh.point_count, "point").text);
    add_fact(page, "mesh", text);
    add_fact(page, "volume", format_volume(facts->quality.volume).text);
    snprintf(text, sizeof text, "%.4g to %.4g degrees", degrees * facts->quality.smallest_dihedral,
             degrees * facts->quality.largest_dihedral);
    add_fact(page, "dihedral angles", text);
    if (facts->has_distances) {
        snprintf(text, sizeof text, "%s from mesh to surface, %s from surface to mesh",
                 format_unit(facts->to_surface.distance, "m").text,
                 format_unit(facts->from_surface.distance, "m").text);
        add_fact(page, "Hausdorff distance", text);
    }
    if (facts->is_filled) {
        snprintf(
            text, sizeof text, "%s in %s; %s dropped, %s turned around",
            format_plural(facts->triangle_count, "triangle").text, format_plural(facts->report.components, "part").text,
            format_count(facts->report.triangles_dropped).text, format_count(facts->report.triangles_flipped).text);
        add_fact(page, "surface", text);
        snprintf(text, sizeof text, "by %s; %.3g %% of the surface doubtful", rule_names[facts->report.inside],
                 100 * facts->report.doubtful_share);
        add_fact(page, "inside", text);
        add_fact(page, "size", format_unit(facts->report.size, "m").text);
    }
    mesh_faults_text(&facts->faults, text, sizeof text);
    add_fact(page, "faults", text[0] != '\0' ? text : "none");
}

cdg_result mesh_facts_write_page(const mesh_facts *facts, const char *path, const unsigned char *png, size_t png_size,
                                 cdg_error *error) {
    page_facts *rows = calloc(1, sizeof *rows);
    cdg_chart chart = {0};
    cdg_markup markup = {0};
    cdg_page_picture picture = {"The mesh, cut open", png, png_size};
    cdg_result result = CDG_OK;
    if (rows == NULL) {
        snprintf(error->message, sizeof error->message, "%s: out of memory", path);
        return error->code = CDG_ERROR_MEMORY;
    }
    list_facts(facts, rows);
    result = make_histogram(facts, &chart, error);
    cdg_page page = {
        .title = facts->input, .facts = rows->rows, .fact_count = rows->count, .charts = &chart, .chart_count = 1};
    if (png != NULL) page.pictures = &picture, page.picture_count = 1;
    if (result == CDG_OK) result = cdg_html_page_write(&page, &markup, error);
    if (result == CDG_OK) result = cdg_whole_file_write(path, markup.text, markup.size, error);
    cdg_markup_free(&markup);
    cdg_chart_free(&chart);
    free(rows);
    return result;
}
