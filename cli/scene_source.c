// Loading scenes for the commands: file, example or standard input, with overrides from the command line.
#include "scene_source.h"

#include "mix_up.h"
#include "scene/scene.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const example_file *find_example(const char *name) {
    for (size_t i = 0; i < cdg_example_file_count; i++)
        if (strcmp(cdg_example_files[i].name, name) == 0) return &cdg_example_files[i];
    return NULL;
}

static const char *nearest_example(const char *name) {
    const char *nearest = NULL;
    const char **names = calloc(cdg_example_file_count + 1, sizeof *names);
    if (!names) return NULL;
    for (size_t i = 0; i < cdg_example_file_count; i++) names[i] = cdg_example_files[i].name;
    nearest = nearest_word(name, names, cdg_example_file_count);
    free(names);
    return nearest;
}

void refuse_example(const char *name) {
    const char *nearest = nearest_example(name);
    if (nearest)
        complain("there is no example '%s'; did you mean '%s'?", name, nearest);
    else
        complain("there is no example '%s'; 'cordage examples' lists them", name);
}

// "dir/cable.yaml" -> "cable"
static void set_base_name(loaded_scene *loaded, const char *path) {
    const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path;
    const char *dot = strrchr(start, '.');
    size_t length = dot && dot != start ? (size_t)(dot - start) : strlen(start);
    if (length >= sizeof loaded->base_name) length = sizeof loaded->base_name - 1;
    memcpy(loaded->base_name, start, length);
    loaded->base_name[length] = '\0';
}

static char *read_all(FILE *stream, size_t *size) {
    size_t used = 0, room = 1 << 16;
    char *text = malloc(room);
    while (text) {
        used += fread(text + used, 1, room - used, stream);
        if (used < room || used > CDG_SCENE_BYTES_MAX) break; // more is refused for its size
        char *grown = realloc(text, room *= 2);
        if (!grown) free(text);
        text = grown;
    }
    *size = used;
    return text;
}

// --set values, then --model as one more, then `more`. The caller frees the array and `model`.
static const char **collect_overrides(const command_line *line, const char *const *more, size_t more_count,
                                      size_t *count, char **model) {
    const char *chosen = option_text(line, "model");
    const char **overrides = calloc(line->value_count + 2 + more_count, sizeof *overrides);
    *count = 0;
    *model = NULL;
    if (!overrides) return NULL;
    for (const char *item; (item = option_list_item(line, "set", *count));) overrides[(*count)++] = item;
    if (chosen) {
        size_t size = strlen(chosen) + sizeof "simulation.model=";
        *model = malloc(size);
        if (*model) {
            snprintf(*model, size, "simulation.model=%s", chosen);
            overrides[(*count)++] = *model;
        }
    }
    for (size_t i = 0; i < more_count; i++) overrides[(*count)++] = more[i];
    return overrides;
}

static void load_from(loaded_scene *loaded, const char *argument, const char *const *overrides, size_t count) {
    struct stat status;
    const example_file *example = find_example(argument);
    if (is_no_scene(argument, &loaded->error)) {
        loaded->result = CDG_ERROR_ARGUMENT;
    } else if (strcmp(argument, "-") == 0) {
        size_t size = 0;
        char *text = read_all(stdin, &size);
        set_base_name(loaded, "stdin");
        if (text)
            loaded->result =
                cdg_scene_parse(text, size, "standard input", ".", overrides, count, &loaded->scene, &loaded->error);
        free(text);
    } else if (example && stat(argument, &status) != 0) {
        char name[160];
        snprintf(name, sizeof name, "%s.yaml", example->name);
        set_base_name(loaded, name);
        loaded->is_example = true;
        loaded->result =
            cdg_scene_parse(example->text, example->size, name, ".", overrides, count, &loaded->scene, &loaded->error);
    } else {
        set_base_name(loaded, argument);
        loaded->result = cdg_scene_load(argument, overrides, count, &loaded->scene, &loaded->error);
    }
}

static const loaded_scene nothing_loaded = {.result = CDG_ERROR_MEMORY,
                                            .error = {.code = CDG_ERROR_MEMORY, .message = "out of memory"}};

loaded_scene read_scene(const char *argument, const char *const *overrides, size_t count) {
    loaded_scene loaded = nothing_loaded;
    load_from(&loaded, argument, overrides, count);
    return loaded;
}

static void print_where(const terminal *target, const cdg_scene *scene, int line, int column);

// Told by the commands and not with the scene's own warnings: a program may hold the rod later.
static void warn_of_falling(const cdg_scene *scene) {
    size_t rod = cdg_scene_falling_rod(scene);
    if (rod == SIZE_MAX) return;
    terminal target = terminal_for(stderr);
    scene_mark mark = scene->rod_marks[rod];
    fprintf(
        stderr,
        "%s%s:%d:%d:%s %swarning:%s nothing holds rod '%s' and nothing is below it: it falls for ever; a support is "
        "for example 'supports: [{clamp: %s.start}]'\n",
        terminal_style_code(&target, STYLE_BOLD), scene->name, mark.line, mark.column,
        terminal_style_code(&target, STYLE_PLAIN), terminal_style_code(&target, STYLE_YELLOW),
        terminal_style_code(&target, STYLE_PLAIN), scene->rods[rod].name, scene->rods[rod].name);
    print_where(&target, scene, mark.line, mark.column);
}

static bool is_file_with(const char *name, const char *end) {
    char path[4096];
    struct stat status;
    int length = snprintf(path, sizeof path, "%s%s", name, end);
    return length > 0 && (size_t)length < sizeof path && stat(path, &status) == 0;
}

loaded_scene load_scene(const char *argument, const command_line *line) {
    return load_scene_with(argument, line, NULL, 0);
}

loaded_scene load_scene_with(const char *argument, const command_line *line, const char *const *more,
                             size_t more_count) {
    loaded_scene loaded = nothing_loaded;
    size_t count = 0;
    char *model = NULL;
    const char **overrides = collect_overrides(line, more, more_count, &count, &model);
    if (overrides) load_from(&loaded, argument, overrides, count);
    free(overrides);
    free(model);
    if (loaded.scene) print_diagnostics(stderr, loaded.scene, true);
    if (loaded.result == CDG_OK) warn_of_falling(loaded.scene);
    if (loaded.result != CDG_OK && (!loaded.scene || cdg_scene_diagnostic_count(loaded.scene) == 0)) {
        const char *nearest = strpbrk(argument, "/.") ? NULL : nearest_example(argument);
        complain("%s", loaded.error.message);
        if (nearest && strcmp(nearest, argument) == 0) // hidden by what has its name here
            fprintf(stderr,
                    "  There is an example of that name, too: 'cordage examples %s' writes it out, and 'cordage run "
                    "%s.yaml' runs it\n",
                    nearest, nearest);
        else if (nearest)
            fprintf(stderr, "  There is an example '%s': cordage run %s\n", nearest, nearest);
        else if (loaded.result == CDG_ERROR_IO && is_file_with(argument, ".yaml"))
            fprintf(stderr, "  There is a file '%s.yaml'; did you mean that?\n", argument);
        else if (loaded.result == CDG_ERROR_IO && strstr(argument, "://"))
            fprintf(stderr, "  Scenes are read from files; download it first.\n");
        else if (loaded.result == CDG_ERROR_IO && strcmp(argument, "help") == 0)
            fprintf(stderr, "  Did you mean 'cordage %s --help'?\n", line->command->name);
        else if (loaded.result == CDG_ERROR_IO && !strpbrk(argument, "/."))
            fprintf(stderr, "  Nor is there an example of that name; 'cordage examples' lists them.\n");
    }
    return loaded;
}

void loaded_scene_free(loaded_scene *loaded) {
    cdg_scene_destroy(loaded->scene);
    loaded->scene = NULL;
}

// ---- diagnostics ----------------------------------------------------------------------------------------------------

enum { LINE_COLUMNS_MAX = 160 }; // of a source line, where there is no terminal to ask

// Start of a 1-based line; its length goes to *length. NULL: there is no such line.
static const char *find_line(const char *text, size_t size, int line, size_t *length) {
    const char *start = text, *end = text + size;
    for (; line > 1 && start < end; line--) {
        const char *newline = memchr(start, '\n', (size_t)(end - start));
        if (!newline) return NULL;
        start = newline + 1;
    }
    if (line != 1 || start > end) return NULL;
    const char *newline = memchr(start, '\n', (size_t)(end - start));
    *length = (size_t)((newline ? newline : end) - start);
    if (*length > 0 && start[*length - 1] == '\r') --*length;
    return start;
}

// The line and a caret under its column (counted in characters); a long line is shown from near the column on.
static void print_where(const terminal *target, const cdg_scene *scene, int line, int column) {
    size_t length = 0;
    const char *text = scene->text ? find_line(scene->text, scene->text_size, line, &length) : NULL;
    if (!text || column < 1) return;
    int width = target->is_terminal ? terminal_width(target) : LINE_COLUMNS_MAX, shown = 0;
    int first = column > width - 12 ? column - width / 2 : 1;
    int number = fprintf(target->stream, "%5d | ", line) - 2;
    size_t i = 0;
    for (int at = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        bool starts_character = (byte & 0xC0) != 0x80;
        if (starts_character && ++at >= first) shown++;
        if (starts_character && shown > width - 9) break;
        // a control character could steer the terminal; a tab would move the caret
        if (at >= first) fputc(byte < 0x20 || byte == 0x7F ? ' ' : byte, target->stream);
    }
    fprintf(target->stream, "\n%*s| %*s%s^%s\n", number, "", column - first, "",
            terminal_style_code(target, STYLE_GREEN), terminal_style_code(target, STYLE_PLAIN));
}

static char *format_diagnostic(const cdg_scene *scene, size_t index) {
    size_t size = cdg_scene_format_diagnostic(scene, index, NULL, 0) + 1;
    char *text = malloc(size);
    if (text) cdg_scene_format_diagnostic(scene, index, text, size);
    return text;
}

void print_diagnostics(FILE *stream, const cdg_scene *scene, bool with_warnings) {
    terminal target = terminal_for(stream);
    size_t errors = 0, warnings = 0;
    for (size_t i = 0; i < cdg_scene_diagnostic_count(scene); i++) {
        cdg_diagnostic diagnostic = cdg_scene_diagnostic(scene, i);
        bool is_error = diagnostic.severity == CDG_FAULT;
        errors += is_error;
        warnings += !is_error;
        if (!is_error && !with_warnings) continue;
        char *text = format_diagnostic(scene, i);
        if (!text) continue;
        // "file:line:column: error: text", with the first bold and the kind coloured
        const char *kind = is_error ? ": error: " : ": warning: ";
        char *found = strstr(text, kind);
        if (found && target.has_color) {
            *found = '\0';
            fprintf(stream, "%s%s:%s %s%.*s%s %s\n", terminal_style_code(&target, STYLE_BOLD), text,
                    terminal_style_code(&target, STYLE_PLAIN),
                    terminal_style_code(&target, is_error ? STYLE_RED : STYLE_YELLOW), (int)strlen(kind) - 3, kind + 2,
                    terminal_style_code(&target, STYLE_PLAIN), found + strlen(kind));
        } else {
            fprintf(stream, "%s\n", text);
        }
        free(text);
        if (diagnostic.line > 0) print_where(&target, scene, diagnostic.line, diagnostic.column);
    }
    if (errors > 0)
        fprintf(stream, "%zu error%s%s; nothing was run.\n", errors, errors == 1 ? "" : "s",
                warnings > 0 ? " (and warnings)" : "");
}

// Where the first thing that a message names by its kind and name stands in the scene; line 0: it names none.
static scene_mark find_named(const cdg_scene *scene, const char *message) {
    scene_mark mark = {0};
    const char *first = NULL;
#define LOOK_FOR(kind, list, count, marks, member)                                                                     \
    for (size_t i = 0; i < scene->count; i++) {                                                                        \
        char name[160];                                                                                                \
        snprintf(name, sizeof name, kind " '%s'", scene->list[i].member);                                              \
        const char *found = strstr(message, name);                                                                     \
        if (found && (!first || found < first)) first = found, mark = scene->marks[i];                                 \
    }
    LOOK_FOR("rod", rods, rod_count, rod_marks, name)
    LOOK_FOR("body", bodies, body_count, body_marks, name)
    LOOK_FOR("obstacle", obstacles, obstacle_count, obstacle_marks, name)
    LOOK_FOR("the surface of", solids, solid_count, solid_marks, def.name)
    LOOK_FOR("solid", solids, solid_count, solid_marks, def.name)
#undef LOOK_FOR
    return mark;
}

void complain_of_scene(const cdg_scene *scene, const char *message) {
    terminal target = terminal_for(stderr);
    const char *bold = terminal_style_code(&target, STYLE_BOLD), *red = terminal_style_code(&target, STYLE_RED),
               *plain = terminal_style_code(&target, STYLE_PLAIN);
    size_t length = strlen(scene->name);
    int line = 0, column = 0, used = 0;
    // What the builder tells begins with its line.
    if (strncmp(message, scene->name, length) == 0 && message[length] == ':')
        if (sscanf(message + length, ":%d:%d: %n", &line, &column, &used) != 2 || used == 0) line = 0;
    const char *text = line > 0 ? message + length + used : message;
    if (line == 0) {
        scene_mark mark = find_named(scene, message);
        line = mark.line;
        column = mark.column;
    }
    if (line == 0) {
        complain("%s%s%s", strncmp(message, scene->name, length) == 0 ? "" : scene->name,
                 strncmp(message, scene->name, length) == 0 ? "" : ": ", message);
        return;
    }
    fprintf(stderr, "%s%s:%d:%d:%s %serror:%s %s\n", bold, scene->name, line, column, plain, red, plain, text);
    print_where(&target, scene, line, column);
}

void print_diagnostics_json(cdg_json *json, const char *key, const loaded_scene *loaded) {
    cdg_json_begin_array(json, key);
    for (size_t i = 0; loaded->scene && i < cdg_scene_diagnostic_count(loaded->scene); i++) {
        cdg_diagnostic diagnostic = cdg_scene_diagnostic(loaded->scene, i);
        char *text = format_diagnostic(loaded->scene, i);
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "severity", diagnostic.severity == CDG_FAULT ? "error" : "warning");
        cdg_json_integer(json, "line", (uint64_t)diagnostic.line);
        cdg_json_integer(json, "column", (uint64_t)diagnostic.column);
        cdg_json_text(json, "text", diagnostic.text);
        cdg_json_text(json, "message", text);
        cdg_json_end(json);
        free(text);
    }
    cdg_json_end(json);
}
