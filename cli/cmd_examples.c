// cordage examples: the scenes that come with the command, listed or written out.
#include "commands.h"
#include "examples_data.h"
#include "json_print.h"
#include "scene_source.h"
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { TITLE_SIZE = 160 };

// The text after "title:" at the start of a line, without quotes: enough for a list, and examples are ours.
static void find_title(const example_file *example, char out[TITLE_SIZE]) {
    const char *at = example->text;
    out[0] = '\0';
    while (at && strncmp(at, "title:", 6) != 0) {
        at = strchr(at, '\n');
        if (at) at++;
    }
    if (!at) return;
    at += 6;
    at += strspn(at, " \"'");
    size_t length = strcspn(at, "\r\n");
    while (length > 0 && strchr(" \"'", at[length - 1])) length--;
    if (length >= TITLE_SIZE) length = TITLE_SIZE - 1;
    memcpy(out, at, length);
    out[length] = '\0';
}

static void list_examples(bool names_only) {
    size_t column = 0;
    for (size_t i = 0; i < cdg_example_file_count; i++)
        if (strlen(cdg_example_files[i].name) > column) column = strlen(cdg_example_files[i].name);
    for (size_t i = 0; i < cdg_example_file_count; i++) {
        char title[TITLE_SIZE];
        find_title(&cdg_example_files[i], title);
        if (names_only)
            printf("%s\n", cdg_example_files[i].name);
        else
            printf("  %-*s  %s\n", (int)column, cdg_example_files[i].name, title);
    }
    if (!names_only) printf("\nRun one:  cordage run NAME      Write one out to edit:  cordage examples NAME\n");
}

// O_EXCL makes the check for an existing file and its creation one act.
static exit_status write_example(const example_file *example, bool overwrite, char *path, size_t path_size) {
    snprintf(path, path_size, "%s.yaml", example->name);
    int file = open(path, O_WRONLY | O_CREAT | (overwrite ? O_TRUNC : O_EXCL) | O_NONBLOCK, 0666);
    if (file < 0 && errno == EEXIST) {
        complain("%s exists and is left as it is; --force overwrites it", path);
        return EXIT_STATUS_REFUSED;
    }
    if (file < 0) {
        complain("%s cannot be written: %s", path, strerror(errno));
        return EXIT_STATUS_FAILED;
    }
    size_t written = 0;
    while (written < example->size) {
        ssize_t count = write(file, example->text + written, example->size - written);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) break;
        written += (size_t)count;
    }
    bool failed = written < example->size;
    int reason = errno;
    if (close(file) != 0 && !failed) {
        failed = true;
        reason = errno;
    }
    if (failed) {
        complain("%s cannot be written: %s", path, strerror(reason));
        return EXIT_STATUS_FAILED;
    }
    return EXIT_STATUS_DONE;
}

static void print_json_list(const command_line *line) {
    cdg_json json = json_begin(line->command->name);
    cdg_json_begin_array(&json, "examples");
    for (size_t i = 0; i < cdg_example_file_count; i++) {
        char title[TITLE_SIZE];
        find_title(&cdg_example_files[i], title);
        cdg_json_begin_object(&json, NULL);
        cdg_json_text(&json, "name", cdg_example_files[i].name);
        cdg_json_text(&json, "title", title);
        cdg_json_end(&json);
    }
    cdg_json_end(&json);
    json_print(&json);
}

exit_status cmd_examples(const command_line *line) {
    bool all = has_option(line, "all"), as_json = has_option(line, "json");
    if (all && line->word_count > 0) {
        complain("--all writes every example; leave out '%s', or --all", line->words[0]);
        return EXIT_STATUS_REFUSED;
    }
    if (!all && line->word_count == 0) {
        if (as_json)
            print_json_list(line);
        else
            list_examples(has_option(line, "names"));
        return EXIT_STATUS_DONE;
    }
    for (size_t i = 0; i < line->word_count; i++) { // all names are good, or nothing is written
        if (!find_example(line->words[i])) {
            refuse_example(line->words[i]);
            return EXIT_STATUS_REFUSED;
        }
    }
    exit_status worst = EXIT_STATUS_DONE;
    size_t count = all ? cdg_example_file_count : line->word_count;
    cdg_json json = {0};
    if (as_json) {
        json = json_begin(line->command->name);
        cdg_json_begin_array(&json, "written");
    }
    for (size_t i = 0; i < count; i++) {
        char path[256];
        const example_file *example = all ? &cdg_example_files[i] : find_example(line->words[i]);
        exit_status status = write_example(example, has_option(line, "force"), path, sizeof path);
        if (status > worst) worst = status;
        if (status != EXIT_STATUS_DONE) continue;
        if (as_json)
            cdg_json_text(&json, NULL, path);
        else
            printf("wrote %s; run it with: cordage run %s\n", path, path);
    }
    if (as_json) {
        cdg_json_end(&json);
        json_print(&json);
    }
    return worst;
}
