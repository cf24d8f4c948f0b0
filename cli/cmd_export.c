// cordage export: a run in the formats of other programs.
#include "base/deflate.h"
#include "commands.h"
#include "export/export.h"
#include "format.h"
#include "interrupt.h"
#include "json_print.h"
#include "mix_up.h"
#include "output/disk.h"
#include "progress.h"
#include "terminal.h"
#include "view/page.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct export_request {
    const command_line *line;
    bool as_json, quiet;
    cdg_export_def def;
    cdg_export *export;
    cdg_error error;
    progress_bar bar;
    double started; // s
    char *page;     // html: the player
} export_request;

// The embedded page, unpacked and terminated; a gzip file ends with its size. An empty one is left out by the export.
static char *unpack_page(size_t *size) {
    const unsigned char *end = cdg_page_bytes + cdg_page_size;
    *size = (size_t)end[-4] | (size_t)end[-3] << 8 | (size_t)end[-2] << 16 | (size_t)end[-1] << 24;
    char *page = malloc(*size + 1);
    if (page == NULL || !cdg_inflate(cdg_page_bytes, cdg_page_size, page, *size)) {
        free(page);
        return NULL;
    }
    page[*size] = '\0';
    return page;
}

// "A", "A:B", "A:", ":B"
static bool parse_frames(const char *text, size_t *first, size_t *last) {
    const char *colon = strchr(text, ':');
    size_t *const ends[2] = {first, last};
    const char *part = text;
    for (int i = 0; i < 2; i++) {
        char *end = (char *)part;
        if (*part >= '0' && *part <= '9') {
            errno = 0;
            unsigned long long value = strtoull(part, &end, 10);
            if (errno != 0 || value >= SIZE_MAX) return false;
            *ends[i] = (size_t)value;
        }
        if (colon == NULL) {
            *last = *first;
            return end != part && *end == '\0';
        }
        if (*end != (i == 0 ? ':' : '\0')) return false;
        part = colon + 1;
    }
    return true;
}

static bool on_progress(void *user, size_t done, size_t total) {
    export_request *request = user;
    double elapsed = cdg_disk_clock() - request->started;
    if (progress_is_due(&request->bar, elapsed)) {
        double left = (double)(total - done) * elapsed / (double)done;
        char count[64], eta[96];
        snprintf(count, sizeof count, "%s", cdg_export_get_format(request->export)->name);
        snprintf(eta, sizeof eta, "ETA %s", format_seconds(ceil(left)).text);
        const char *const parts[] = {count, eta};
        progress_draw(&request->bar, elapsed, (double)done / (double)total, parts, 2);
    }
    return !interrupt_was_asked();
}

static exit_status run_export(export_request *request) {
    const command_line *line = request->line;
    cdg_export_def *def = &request->def;
    *def = cdg_export_def_default();
    def->run = line->words[0];
    if (is_no_run(def->run, line->command->name, &request->error)) return EXIT_STATUS_REFUSED;
    def->format = option_text(line, "to");
    def->mode = (size_t)option_integer(line, "mode", 0);
    const char *amplitude = option_text(line, "amplitude");
    char *end = NULL;
    if (amplitude) def->amplitude = strtod(amplitude, &end);
    if (amplitude && (end == amplitude || *end != '\0' || !(def->amplitude > 0 && def->amplitude < 1e6))) {
        snprintf(request->error.message, sizeof request->error.message,
                 "--amplitude needs a length in m above 0, not '%.60s'", amplitude);
        return EXIT_STATUS_REFUSED;
    }
    if (amplitude && def->mode == 0) {
        snprintf(request->error.message, sizeof request->error.message,
                 "--amplitude belongs to --mode; give that, too");
        return EXIT_STATUS_REFUSED;
    }
    def->path = option_text(line, "output");
    def->every = (size_t)option_integer(line, "every", 1);
    def->has_stripe = has_option(line, "stripe");
    def->has_no_fibers = has_option(line, "no-fibers");
    def->page = request->page = unpack_page(&def->page_size);
    def->on_progress = on_progress;
    def->user = request;
    const char *frames = option_text(line, "frames");
    if (frames != NULL && !parse_frames(frames, &def->first, &def->last)) {
        snprintf(request->error.message, sizeof request->error.message,
                 "--frames needs a range of outputs as A:B, A:, :B or A, not '%.60s'", frames);
        return EXIT_STATUS_REFUSED;
    }
    if (cdg_export_open(def, &request->export, &request->error) != CDG_OK) return EXIT_STATUS_REFUSED;
    const cdg_export *export = request->export;
    if (def->has_stripe && strcmp(cdg_export_get_format(export)->name, "gltf") != 0) {
        snprintf(request->error.message, sizeof request->error.message, "--stripe is for gltf; %s has no skin",
                 cdg_export_get_format(export)->name);
        return EXIT_STATUS_REFUSED;
    }
    if (cdg_export_is_large(export) && !request->quiet) {
        warn("this makes some %s, more than most programs for %s files like; --every 10 takes every tenth output",
             format_bytes(cdg_export_estimate(export)).text, cdg_export_get_format(export)->extension);
    }
    if (cdg_export_is_recomputed(export) && !request->quiet) warn_recomputed();
    interrupt_watch();
    request->bar = progress_begin(stderr, !request->quiet);
    request->started = cdg_disk_clock();
    cdg_result result = cdg_export_write(request->export, &request->error);
    progress_clear(&request->bar);
    if (result == CDG_OK) return EXIT_STATUS_DONE;
    bool is_refused = !cdg_export_has_begun(export) || result == CDG_ERROR_FORMAT || result == CDG_ERROR_UNSUPPORTED;
    return is_refused ? EXIT_STATUS_REFUSED : EXIT_STATUS_FAILED;
}

static void print_result(const export_request *request) {
    const cdg_export *export = request->export;
    printf("%s of %s to %s: %s\n", format_plural(cdg_export_frame_count(export), "output").text, request->def.run,
           cdg_export_get_format(export)->name, format_bytes(cdg_export_bytes(export)).text);
    size_t main_count = 0;
    while (cdg_export_main_file(export, main_count) != NULL) main_count++;
    bool names_more = cdg_export_file_count(export) > 2 && cdg_export_file_count(export) > main_count;
    for (size_t i = 0; i < main_count; i++)
        printf("  %s%s\n", cdg_export_main_file(export, i), names_more ? " and the files that it names" : "");
}

static void print_result_json(const export_request *request, exit_status status) {
    cdg_json json = json_begin(request->line->command->name);
    cdg_json_boolean(&json, "ok", status == EXIT_STATUS_DONE);
    cdg_json_integer(&json, "exit_status", (uint64_t)status);
    cdg_json_text(&json, "message", status == EXIT_STATUS_DONE ? NULL : request->error.message);
    if (status == EXIT_STATUS_DONE) {
        const cdg_export *export = request->export;
        cdg_json_text(&json, "format", cdg_export_get_format(export)->name);
        cdg_json_integer(&json, "outputs", cdg_export_frame_count(export));
        cdg_json_integer(&json, "files_written", cdg_export_file_count(export));
        cdg_json_number(&json, "bytes", cdg_export_bytes(export));
        cdg_json_begin_array(&json, "files");
        for (size_t i = 0; cdg_export_main_file(export, i) != NULL; i++) {
            cdg_json_text(&json, NULL, cdg_export_main_file(export, i));
        }
        cdg_json_end(&json);
    }
    json_print(&json);
}

static void print_formats(const command_line *line) {
    if (has_option(line, "json")) {
        cdg_json json = json_begin(line->command->name);
        cdg_json_begin_array(&json, "formats");
        for (size_t i = 0; i < cdg_export_format_count(); i++) {
            const cdg_export_format *format = cdg_export_format_at(i);
            cdg_json_begin_object(&json, NULL);
            cdg_json_text(&json, "name", format->name);
            cdg_json_text(&json, "extension", format->extension);
            cdg_json_text(&json, "description", format->help);
            cdg_json_end(&json);
        }
        cdg_json_end(&json);
        json_print(&json);
        return;
    }
    for (size_t i = 0; i < cdg_export_format_count(); i++) {
        const cdg_export_format *format = cdg_export_format_at(i);
        if (has_option(line, "quiet")) {
            printf("%s\n", format->name);
        } else {
            printf("  %-6s %-7s %s\n", format->name, format->extension, format->help);
        }
    }
}

exit_status cmd_export(const command_line *line) {
    if (has_option(line, "list")) {
        print_formats(line);
        return EXIT_STATUS_DONE;
    }
    if (line->word_count == 0) {
        complain("'cordage export' needs a run: cordage export DIR --to FORMAT");
        return EXIT_STATUS_REFUSED;
    }
    export_request request = {.line = line, .as_json = has_option(line, "json"), .quiet = has_option(line, "quiet")};
    exit_status status = run_export(&request);
    if (status != EXIT_STATUS_DONE) complain("%s", request.error.message);
    if (request.as_json) {
        print_result_json(&request, status);
    } else if (status == EXIT_STATUS_DONE && !request.quiet) {
        print_result(&request);
    }
    cdg_export_close(request.export);
    free(request.page);
    return status;
}
