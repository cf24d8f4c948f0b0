// Parsing of command lines after the usual conventions: --name value, --name=value, -x value, -xvalue, clustered short
// flags, options anywhere among the arguments, "--" ends options, "-" is an argument.
#include "options.h"

#include "scene/suggest.h"
#include "terminal.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_LENGTH_MAX = 64 };

const char *nearest_word(const char *word, const char *const *words, size_t count) {
    size_t length = strlen(word);
    word_search search = cdg_suggest_begin(word, length);
    for (size_t i = 0; i < count; i++) cdg_suggest_offer(&search, words[i]);
    if (search.best) return search.best;
    for (size_t i = 0; i < count; i++) // an abbreviation: "ex" for "examples"
        if (length >= 2 && strncmp(words[i], word, length) == 0) return words[i];
    return NULL;
}

static const option_spec *find_option(const command_spec *command, const char *name, size_t length) {
    for (const option_spec *const *spec = command->options; *spec; spec++)
        if (strlen((*spec)->name) == length && strncmp((*spec)->name, name, length) == 0) return *spec;
    return NULL;
}

static const option_spec *find_letter(const command_spec *command, char letter) {
    for (const option_spec *const *spec = command->options; *spec; spec++)
        if ((*spec)->letter == letter) return *spec;
    return NULL;
}

// What options of other programs, or of other commands, are here; NULL: nothing known.
static const char *cure_of_option(const char *command, const char *word) {
    static const struct {
        const char *command, *words, *cure; // command NULL: any
    } cures[] = {
        {"render", "resolution width height", "use '--size', for example --size 1280x720"},
        {"render", "view side", "use '--camera', for example --camera view=front"},
        {"export", "format type", "use '--to', for example --to vtk"},
        {"compare", "tolerance", "compare prints distances and does not judge them"},
        {"check", "strict werror", "errors end with status 2; warnings do not count, and --json lists them"},
        {NULL, "dry-run dry_run validate lint", "'cordage check SCENE' looks at a scene without running it"},
        {NULL, "until duration time t-end end-time",
         "how long is simulated says the scene: --set \"simulation.duration=10 s\"; a run that is there is made longer "
         "by 'cordage run --resume DIR --until \"10 s\"'"},
        {NULL, "dt step timestep time-step", "the scene says it: --set \"simulation.step=1 ms\""},
        {NULL, "verbose v debug", "what a run says is all there is; --json has every number"},
        {NULL, "jobs j cores np", "use '--threads N'"},
        {NULL, "overwrite", "use '--force'"},
        {NULL, "resolution cells",
         "the scene says it, in 'elements' of rods and 'resolution' of solids; 'cordage mesh' has --size"},
        {NULL, "steps", "how long is simulated says the scene: --set \"simulation.duration=10 s\""},
        {NULL, "config input scene file i", "the scene is an argument: cordage run SCENE"},
    };
    size_t length = strlen(word);
    for (size_t i = 0; i < sizeof cures / sizeof *cures; i++)
        for (const char *at = cures[i].words; *at;) {
            size_t size = strcspn(at, " ");
            if (cures[i].command && strcmp(cures[i].command, command) != 0) break;
            if (size == length && strncmp(at, word, size) == 0) return cures[i].cure;
            at += size + (at[size] == ' ');
        }
    return NULL;
}

static bool refuse_option(const command_spec *command, const char *given, const char *name, size_t length) {
    char word[WORD_LENGTH_MAX + 1] = "";
    const char *names[32];
    size_t count = 0;
    if (length <= WORD_LENGTH_MAX) memcpy(word, name, length);
    for (const option_spec *const *spec = command->options; *spec && count < 32; spec++) names[count++] = (*spec)->name;
    const char *nearest = nearest_word(word, names, count), *cure = cure_of_option(command->name, word);
    if (cure && !nearest)
        complain("unknown option '%s' for 'cordage %s'; %s", given, command->name, cure);
    else if (nearest)
        complain("unknown option '%s' for 'cordage %s'; did you mean '--%s'?", given, command->name, nearest);
    else
        complain("unknown option '%s' for 'cordage %s'; 'cordage %s --help' lists them", given, command->name,
                 command->name);
    return false;
}

static bool is_integer_in_range(const option_spec *spec, const char *text) {
    char *end = NULL;
    errno = 0;
    long value = strtol(text, &end, 10);
    return errno == 0 && end != text && *end == '\0' && value >= spec->minimum && value <= spec->maximum;
}

static bool store(command_line *line, const option_spec *spec, const char *text) {
    if (spec->kind == OPTION_INTEGER && !is_integer_in_range(spec, text)) {
        complain("--%s needs a whole number from %ld to %ld, not '%s'", spec->name, spec->minimum, spec->maximum, text);
        return false;
    }
    if (spec->kind != OPTION_FLAG && spec->kind != OPTION_LIST && text[0] == '\0') {
        complain("--%s needs a value (%s) that is not empty", spec->name, spec->value);
        return false;
    }
    line->values[line->value_count].spec = spec;
    line->values[line->value_count++].text = text;
    return true;
}

// --name, --name=value, --name value; *next is the index of the following argument and moves past a value taken there.
static bool parse_long(command_line *line, int count, char **argv, int *next, const char *given) {
    const char *name = given + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const option_spec *spec = find_option(line->command, name, length);
    if (!spec) return refuse_option(line->command, given, name, length);
    if (spec->kind == OPTION_FLAG) {
        if (equals) {
            complain("--%s takes no value", spec->name);
            return false;
        }
        return store(line, spec, NULL);
    }
    if (equals) return store(line, spec, equals + 1);
    if (*next >= count) {
        complain("--%s needs a value: --%s %s", spec->name, spec->name, spec->value);
        return false;
    }
    return store(line, spec, argv[(*next)++]);
}

// -j, -qj, -o DIR, -oDIR
static bool parse_short(command_line *line, int count, char **argv, int *next, const char *given) {
    if (strlen(given) > 3 && find_option(line->command, given + 1, strlen(given + 1))) {
        complain("'%s' has one dash too few: write '-%s'", given, given);
        return false;
    }
    for (const char *letter = given + 1; *letter; letter++) {
        const option_spec *spec = find_letter(line->command, *letter);
        if (!spec) return refuse_option(line->command, given, given + 1, strlen(given + 1));
        if (spec->kind == OPTION_FLAG) {
            if (!store(line, spec, NULL)) return false;
            continue;
        }
        if (letter[1]) return store(line, spec, letter + 1);
        if (*next >= count) {
            complain("-%c needs a value: -%c %s", spec->letter, spec->letter, spec->value);
            return false;
        }
        return store(line, spec, argv[(*next)++]);
    }
    return true;
}

static bool has_scene_end(const char *word) {
    size_t length = strlen(word);
    return length > 5 && (strcmp(word + length - 5, ".yaml") == 0 || strcmp(word + length - 5, ".json") == 0);
}

bool command_line_parse(const command_spec *command, int count, char **argv, command_line *out) {
    // One argument can hold several clustered flags, so the room is the number of characters.
    size_t room = 1;
    for (int i = 0; i < count; i++) room += strlen(argv[i]) + 1;
    *out = (command_line){.command = command};
    out->words = calloc((size_t)count + 1, sizeof *out->words);
    out->values = calloc(room, sizeof *out->values);
    if (!out->words || !out->values) {
        complain("out of memory");
        return false;
    }
    bool options_ended = false;
    for (int i = 0; i < count;) {
        char *given = argv[i++];
        if (options_ended || given[0] != '-' || given[1] == '\0') {
            out->words[out->word_count++] = given;
        } else if (strcmp(given, "--") == 0) {
            options_ended = true;
        } else if (given[1] == '-') {
            if (!parse_long(out, count, argv, &i, given)) return false;
        } else {
            if (!parse_short(out, count, argv, &i, given)) return false;
        }
    }
    if (has_option(out, "help")) return true;
    if (out->word_count < command->minimum) {
        complain("'cordage %s' needs %s: cordage %s %s; 'cordage %s --help' says more", command->name,
                 command->minimum == 1 ? "an argument" : "more arguments", command->name, command->arguments,
                 command->name);
        return false;
    }
    if (out->word_count > command->maximum) {
        const char *word = out->words[command->maximum];
        if (word[0] == '=' || word[strlen(word) - (word[0] != '\0')] == '=')
            complain("'%s' stands alone; write 'PATH=VALUE' without spaces around the '=', or all of it in quotes",
                     word);
        else
            complain("'cordage %s' does not understand the argument '%s'; usage: cordage %s %s%s", command->name, word,
                     command->name, command->arguments,
                     command->maximum == 1 && has_scene_end(word) ? "; one scene at a time" : "");
        return false;
    }
    return true;
}

void command_line_free(command_line *line) {
    free(line->words);
    free(line->values);
    *line = (command_line){0};
}

static bool is_named(const option_value *value, const char *name) {
    assert(value->spec);
    return strcmp(value->spec->name, name) == 0;
}

bool has_option(const command_line *line, const char *name) {
    for (size_t i = 0; i < line->value_count; i++)
        if (is_named(&line->values[i], name)) return true;
    return false;
}

const char *option_text(const command_line *line, const char *name) {
    for (size_t i = line->value_count; i-- > 0;)
        if (is_named(&line->values[i], name)) return line->values[i].text;
    return NULL;
}

long option_integer(const command_line *line, const char *name, long otherwise) {
    const char *text = option_text(line, name);
    return text ? strtol(text, NULL, 10) : otherwise;
}

const char *option_list_item(const command_line *line, const char *name, size_t index) {
    for (size_t i = 0; i < line->value_count; i++)
        if (is_named(&line->values[i], name) && index-- == 0) return line->values[i].text;
    return NULL;
}
