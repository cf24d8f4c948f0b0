// cordage mesh: fills a surface with tetrahedra, or checks and converts a mesh that has them already.
#include "base/regular_file.h"
#include "commands.h"
#include "export/tetrahedra.h"
#include "format.h"
#include "interrupt.h"
#include "mesh_facts.h"
#include "meshing/mesh_work.h"
#include "output/disk.h"
#include "output/whole_file.h"
#include "picture_options.h"
#include "progress.h"
#include "render/render_mesh.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct mesh_request {
    const command_line *line;
    double unit; // m
    cdg_mesher_options options;
    cdg_cut_plane cut;
    const char *report, *picture;
    cdg_mesh surface; // that was filled
    mesh_facts facts;
    progress_bar bar;
    double started; // s
    cdg_patience patience;
    cdg_error error;
} mesh_request;

// ---- what was asked for ---------------------------------------------------------------------------------------------

// "mm" is "1mm".
static bool parse_unit(const char *text, double *out) {
    char whole[80];
    bool has_number = strspn(text, "0123456789.+-") > 0;
    snprintf(whole, sizeof whole, "%s%s", has_number ? "" : "1", text);
    if (!parse_quantity("unit", whole, CDG_LENGTH, out)) return false;
    if (*out > 0 && isfinite(*out)) return true;
    complain("--unit needs a length above 0, such as mm, not '%s'", text);
    return false;
}

static bool parse_positive(const char *option, const char *text, cdg_quantity kind, double most, double *out) {
    if (text == NULL) return true;
    if (!parse_quantity(option, text, kind, out)) return false;
    if (*out > 0 && *out <= most) return true;
    complain("--%s must be above 0 and at most %g in SI units, not '%s'", option, most, text);
    return false;
}

static bool parse_grading(const char *text, double *out) {
    if (text == NULL) return true;
    if (!parse_quantity("grading", text, CDG_NUMBER, out)) return false;
    if (*out >= 0 && *out <= 1) return true;
    complain("--grading is a number from 0, all elements alike, to 1, fastest growth, not '%s'", text);
    return false;
}

static bool parse_rule(const char *text, cdg_inside_rule *out) {
    static const char *const names[] = {
#define RULE_NAME(id, name, text) name,
        CDG_INSIDE_RULE_LIST(RULE_NAME)
#undef RULE_NAME
    };
    if (text == NULL) return true;
    for (int i = 0; i < CDG_INSIDE_RULE_COUNT; i++)
        if (strcmp(text, names[i]) == 0) {
            *out = (cdg_inside_rule)i;
            return true;
        }
    complain("--inside is auto, winding or vote, not '%s'", text);
    return false;
}

// Options of one mesher make no sense with the other.
static bool check_mesher(const command_line *line) {
    bool is_lattice = has_option(line, "lattice");
    static const char *const of_lattice[] = {"density", "smooth"}, *const of_stuffing[] = {"grading", "keep-creases"};
    for (int i = 0; i < 2; i++) {
        if (!is_lattice && has_option(line, of_lattice[i])) {
            complain("--%s belongs to --lattice; add that, or leave it out", of_lattice[i]);
            return false;
        }
        if (is_lattice && has_option(line, of_stuffing[i])) {
            complain("--%s does not go with --lattice; leave one of them out", of_stuffing[i]);
            return false;
        }
    }
    return true;
}

static bool parse_mesher(const command_line *line, cdg_mesher_options *options) {
    *options = cdg_mesher_options_default();
    if (has_option(line, "lattice")) options->mesher = CDG_MESHER_LATTICE;
    options->improve = has_option(line, "improve");
    options->thread_count = (int)option_integer(line, "threads", 0);
    options->smoothing_steps = (int)option_integer(line, "smooth", options->smoothing_steps);
    return check_mesher(line) && parse_positive("size", option_text(line, "size"), CDG_LENGTH, 1e12, &options->size) &&
           parse_grading(option_text(line, "grading"), &options->grading) &&
           parse_positive("close", option_text(line, "close"), CDG_LENGTH, 1e12, &options->close) &&
           parse_positive("keep-creases", option_text(line, "keep-creases"), CDG_ANGLE, 3.2, &options->keep_creases) &&
           parse_positive("density", option_text(line, "density"), CDG_NUMBER, 1, &options->density) &&
           parse_rule(option_text(line, "inside"), &options->inside);
}

// Options that fill a surface say nothing to a mesh that is full already.
static bool check_filling_options(const command_line *line) {
    static const char *const names[] = {"size",    "grading", "close",        "inside", "lattice",
                                        "density", "smooth",  "keep-creases", "improve"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (has_option(line, names[i])) {
            complain(
                "--%s is for filling triangles, but %s holds tetrahedra already; leave it out, or fill its surface",
                names[i], line->words[0]);
            return false;
        }
    return true;
}

static bool check_name(const char *option, const char *path, const char *extension) {
    if (path == NULL || cdg_path_ends_with(path, extension)) return true;
    complain("--%s writes a file that ends in %s, not '%s'", option, extension, path);
    return false;
}

static bool parse(mesh_request *request) {
    const command_line *line = request->line;
    mesh_facts *facts = &request->facts;
    facts->input = line->words[0];
    facts->output = option_text(line, "output");
    request->report = option_text(line, "report");
    request->picture = option_text(line, "picture");
    request->unit = 1;
    facts->is_filled = cdg_mesh_format_has_triangles(cdg_mesh_format_of(facts->input));
    if (!facts->is_filled && cdg_mesh_format_of(facts->input) == CDG_MESH_FORMAT_COUNT) {
        complain("%s: cannot tell the format from this name; triangles are read from .stl .obj .ply .off .gltf .glb, "
                 "tetrahedra from .vtu .msh .msh2 .node .ele .mesh",
                 facts->input);
        return false;
    }
    if (facts->output != NULL && !cdg_mesh_format_has_tetrahedra(cdg_mesh_format_of(facts->output))) {
        complain("%s: cannot tell the format from this name; let it end in .vtu, .msh, .msh2, .node, .ele or .mesh",
                 facts->output);
        return false;
    }
    const char *unit = option_text(line, "unit"), *cut = option_text(line, "cut");
    if (unit != NULL && !parse_unit(unit, &request->unit)) return false;
    if (!check_name("report", request->report, ".html") || !check_name("picture", request->picture, ".png"))
        return false;
    if (cut != NULL && request->picture == NULL && request->report == NULL) {
        complain("--cut opens the mesh in a picture; add --picture or --report");
        return false;
    }
    if (cdg_cut_plane_parse(cut != NULL ? cut : "-y", &request->cut, &request->error) != CDG_OK) {
        complain("%s", request->error.message);
        return false;
    }
    return facts->is_filled ? parse_mesher(line, &request->options) : check_filling_options(line);
}

// ---- work -----------------------------------------------------------------------------------------------------------

static bool on_progress(void *user, double share) {
    mesh_request *request = user;
    double elapsed = cdg_disk_clock() - request->started;
    if (progress_is_due(&request->bar, elapsed)) {
        char eta[96];
        snprintf(eta, sizeof eta, "ETA %s",
                 share > 0.01 ? format_seconds(ceil((1 - share) / share * elapsed)).text : "?");
        const char *const parts[] = {"filling", eta};
        progress_draw(&request->bar, elapsed, share, parts, 2);
    }
    return !interrupt_was_asked();
}

static bool goes_on(void *user) {
    (void)user;
    return !interrupt_was_asked();
}

// A path that cannot be written to is found before the work.
static cdg_result try_path(const char *path, cdg_error *error) {
    cdg_whole_file file;
    if (path == NULL) return CDG_OK;
    cdg_result result = cdg_whole_file_begin_named(path, &file, error);
    if (result == CDG_OK) cdg_whole_file_abandon(&file);
    return result;
}

// A size that is finer than memory allows is often one in another unit.
static void hint_at_unit(mesh_request *request) {
    size_t used = strlen(request->error.message);
    if (request->unit == 1 && strstr(request->error.message, "finer than memory allows") != NULL)
        snprintf(request->error.message + used, sizeof request->error.message - used,
                 ", or say the file's --unit, such as mm");
}

static void warn_of_rule(const mesh_request *request) {
    const cdg_mesher_report *report = &request->facts.report;
    if (report->open_pieces > 0)
        warn("%s left out, because of holes larger than --close %s", format_plural(report->open_pieces, "piece").text,
             format_unit(request->options.close, "m").text);
    if (report->creases_missed == SIZE_MAX)
        warn("no crease was kept, because angles or faces would have suffered; try another --size");
    else if (report->creases_missed > 0)
        warn("%s of the mesh cut across creases: %s of %s are not kept, because %s",
             format_plural(report->creases_missed, "edge").text, format_unit(report->crease_length_missed, "m").text,
             format_unit(report->crease_length, "m").text,
             report->creases_cut_short
                 ? "there are too many for elements of this size; try a larger --keep-creases ANGLE"
                 : "angles leave no room; try a smaller --size");
    if (report->doubled > 0)
        warn(
            "%s of the surface, within another that turns the other way, would leave less than a thousandth of it as a "
            "wall: taken for the same surface once more, not for a cavity",
            format_plural(report->doubled, "part").text);
    if (report->one_sided > 0)
        warn("%s of the surface cannot be oriented, as a Moebius strip cannot; what is inside of it is a guess",
             format_plural(report->one_sided, "part").text);
}

// Thin walls and small parts fall through the lattice: a little is told, much is refused.
static cdg_result judge_losses(mesh_request *request) {
    const cdg_mesher_report *report = &request->facts.report;
    double lost = report->lost_share, wall = report->lost_thickness;
    double size = wall > 0 ? fmin(wall / 2, report->size / 2) : report->size / 2;
    if (lost <= 0.02) return CDG_OK;
    if (lost <= 0.2) {
        if (!has_option(request->line, "quiet"))
            warn("%.0f %% of the shape is lost, where it is too thin for elements of %s; try --size %s", 100 * lost,
                 format_unit(report->size, "m").text, format_unit(size, "m").text);
        return CDG_OK;
    }
    snprintf(request->error.message, sizeof request->error.message,
             "%s: %.0f %% of the shape is lost, because it is too thin for elements of %s, so nothing is written; try "
             "--size %s, half of the thickness",
             request->facts.input, 100 * lost, format_unit(report->size, "m").text, format_unit(size, "m").text);
    return request->error.code = CDG_ERROR_NO_CONVERGENCE;
}

static cdg_result fill(mesh_request *request) {
    mesh_facts *facts = &request->facts;
    cdg_result result = cdg_mesh_read(facts->input, request->unit, &request->surface, NULL, &request->error);
    if (result != CDG_OK) return result;
    interrupt_watch(); // until here a signal ends the command, which has nothing to clean up
    facts->triangle_count = request->surface.triangle_count;
    request->options.progress = on_progress;
    request->options.user = request;
    result = cdg_mesh_fill(&request->surface, &request->options, &facts->mesh, &facts->report, &request->error);
    if (result != CDG_OK) hint_at_unit(request);
    if (result != CDG_OK) return result;
    double doubtful = facts->report.doubtful_share;
    if (doubtful > 0.5) { // a single triangle, a plane, a scan of one side: most of the surface is a guess
        snprintf(
            request->error.message, sizeof request->error.message,
            "%s: the triangles hardly enclose anything: %.0f %% of the surface that was found is a guess; give the "
            "parts that are missing, or another rule with --inside",
            facts->input, 100 * doubtful);
        return request->error.code = CDG_ERROR_ARGUMENT;
    }
    if (!has_option(request->line, "quiet")) warn_of_rule(request);
    if (doubtful > 0.1 && !has_option(request->line, "quiet"))
        warn("%.0f %% of the surface is doubtful, where holes are large; look at it with --picture", 100 * doubtful);
    if (facts->mesh.tetrahedron_count > 0) return judge_losses(request);
    snprintf(request->error.message, sizeof request->error.message,
             "%s: its triangles enclose nothing that elements of this size can fill; give a smaller --size, or a "
             "larger --close",
             facts->input);
    return request->error.code = CDG_ERROR_ARGUMENT;
}

// Some programs write all of their tetrahedra the other way around: that is a habit, not a fault.
static void turn_if_all_are_left_handed(mesh_facts *facts) {
    cdg_mesh *mesh = &facts->mesh;
    const cdg_mesh_faults *faults = &facts->faults;
    if (faults->inverted.count + faults->flat.count < mesh->tetrahedron_count || faults->inverted.count == 0) return;
    for (size_t i = 0; i < mesh->tetrahedron_count; i++) {
        uint32_t kept = mesh->tetrahedra[i][2];
        mesh->tetrahedra[i][2] = mesh->tetrahedra[i][3];
        mesh->tetrahedra[i][3] = kept;
    }
    facts->turned_count = mesh->tetrahedron_count;
}

static cdg_result check(mesh_request *request) {
    mesh_facts *facts = &request->facts;
    if (facts->is_filled) { // what has faults does not come out of the mesher
        facts->quality = facts->report.quality;
        return CDG_OK;
    }
    cdg_result result = cdg_mesh_check_patiently(&facts->mesh, &request->patience, &facts->faults, &request->error);
    if (result == CDG_OK) {
        turn_if_all_are_left_handed(facts);
        if (facts->turned_count > 0)
            result = cdg_mesh_check_patiently(&facts->mesh, &request->patience, &facts->faults, &request->error);
    }
    if (result == CDG_OK)
        result = cdg_mesh_measure_patiently(&facts->mesh, &request->patience, &facts->quality, &request->error);
    return result;
}

// Both ways between the boundary and the surface that was filled.
static cdg_result measure_distances(mesh_request *request) {
    mesh_facts *facts = &request->facts;
    cdg_mesh boundary;
    int threads = request->options.thread_count;
    cdg_result result = cdg_mesh_boundary_patiently(&facts->mesh, &request->patience, &boundary, NULL, &request->error);
    if (result != CDG_OK) return result;
    result = cdg_hausdorff_measure(&boundary, &request->surface, threads, &request->patience, &facts->to_surface,
                                   &request->error);
    if (result == CDG_OK)
        result = cdg_hausdorff_measure(&request->surface, &boundary, threads, &request->patience, &facts->from_surface,
                                       &request->error);
    facts->has_distances = result == CDG_OK;
    cdg_mesh_free(&boundary);
    return result;
}

// A part that vanished may be too small to count in shares, but it is far from the mesh, and not inside of it as the
// surface of a part within another is.
static cdg_result warn_of_far_parts(const mesh_request *request, cdg_error *error) {
    const mesh_facts *facts = &request->facts;
    cdg_embedding place;
    if (has_option(request->line, "quiet") || facts->from_surface.distance <= facts->report.size) return CDG_OK;
    cdg_result result = cdg_mesh_embed(&facts->mesh, &facts->from_surface.at, 1, 1, &place, error);
    if (result != CDG_OK) return result;
    if (place.outside_count > 0)
        warn("the surface is up to %s away from the mesh, at (%.4g, %.4g, %.4g) m: a part too thin for --size %s, or a "
             "flap without volume",
             format_unit(facts->from_surface.distance, "m").text, facts->from_surface.at.x, facts->from_surface.at.y,
             facts->from_surface.at.z, format_unit(facts->report.size, "m").text);
    cdg_embedding_free(&place);
    return CDG_OK;
}

static cdg_result draw(const mesh_request *request, unsigned char **png, size_t *size, cdg_error *error) {
    cdg_render_mesh_def def = cdg_render_mesh_def_default();
    cdg_render_mesh_report report;
    def.tetrahedra = &request->facts.mesh;
    def.cut = &request->cut;
    def.width = 960, def.height = 640;
    def.threads = (int)option_integer(request->line, "threads", 0);
    def.goes_on = goes_on;
    return cdg_render_mesh(&def, png, size, &report, error);
}

// The picture is drawn once for both.
static cdg_result write_pages(mesh_request *request) {
    unsigned char *png = NULL;
    size_t size = 0;
    if (request->picture == NULL && request->report == NULL) return CDG_OK;
    cdg_result result = draw(request, &png, &size, &request->error);
    if (result == CDG_OK && request->picture != NULL)
        result = cdg_whole_file_write(request->picture, png, size, &request->error);
    if (result == CDG_OK && request->report != NULL)
        result = mesh_facts_write_page(&request->facts, request->report, png, size, &request->error);
    free(png);
    return result;
}

static exit_status status_of(cdg_result result) {
    switch (result) {
    case CDG_OK: return EXIT_STATUS_DONE;
    case CDG_ERROR_MEMORY:
    case CDG_ERROR_NO_CONVERGENCE:
    case CDG_ERROR_INTERRUPTED: return EXIT_STATUS_FAILED;
    default: return EXIT_STATUS_REFUSED;
    }
}

static exit_status work(mesh_request *request) {
    mesh_facts *facts = &request->facts;
    cdg_error *error = &request->error;
    cdg_result result = try_path(facts->output, error);
    if (result == CDG_OK) result = try_path(request->report, error);
    if (result == CDG_OK) result = try_path(request->picture, error);
    if (result == CDG_OK)
        result = facts->is_filled ? fill(request)
                                  : cdg_mesh_read(facts->input, request->unit, &facts->mesh, &facts->found, error);
    if (!facts->is_filled) interrupt_watch();
    progress_clear(&request->bar);
    if (result == CDG_OK) result = check(request);
    if (result == CDG_OK && facts->is_filled) result = measure_distances(request);
    if (result == CDG_OK && facts->is_filled) result = warn_of_far_parts(request, error);
    if (result != CDG_OK) return status_of(result);
    if (facts->output != NULL) result = cdg_tetrahedra_write(facts->output, &facts->mesh, &request->patience, error);
    facts->seconds = cdg_disk_clock() - request->started;
    if (result == CDG_OK) result = write_pages(request);
    if (result != CDG_OK) return result == CDG_ERROR_ARGUMENT ? EXIT_STATUS_REFUSED : EXIT_STATUS_FAILED;
    if (!mesh_has_faults(&facts->faults)) return EXIT_STATUS_DONE;
    char text[600];
    mesh_faults_text(&facts->faults, text, sizeof text);
    snprintf(error->message, sizeof error->message, "%s: the mesh has faults: %s%s", facts->input, text,
             facts->output != NULL ? "; it was written all the same" : "");
    return EXIT_STATUS_FAILED;
}

exit_status cmd_mesh(const command_line *line) {
    mesh_request request = {.line = line, .patience = {.lasts = goes_on}};
    bool quiet = has_option(line, "quiet"), as_json = has_option(line, "json");
    exit_status status = EXIT_STATUS_REFUSED;
    if (parse(&request)) {
        request.bar = progress_begin(stderr, !quiet);
        request.started = cdg_disk_clock();
        status = work(&request);
        if (status != EXIT_STATUS_DONE) complain("%s", request.error.message);
    } else if (request.error.message[0] == '\0') {
        snprintf(request.error.message, sizeof request.error.message, "the command line is wrong; see standard error");
    }
    if (as_json)
        mesh_facts_print_json(line, &request.facts, status, request.error.message);
    else if (!quiet && request.facts.seconds > 0 && status != EXIT_STATUS_REFUSED)
        mesh_facts_print(&request.facts);
    cdg_mesh_free(&request.facts.mesh);
    cdg_mesh_free(&request.surface);
    return status;
}
