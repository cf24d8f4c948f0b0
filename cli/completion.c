// Completion for bash, made from the table of commands. Names of examples, cases and workloads are asked of the command
// itself when they are needed, so the script does not go stale.
#include "commands.h"
#include "export/export.h"
#include "terminal.h"

#include <cordage/rod.h>

#include <stdio.h>
#include <string.h>

static const char *words_of(word_kind kind) {
    switch (kind) {
    case WORD_SCENE: return "$(cordage examples --names 2>/dev/null)";
    case WORD_EXAMPLE: return "$(cordage examples --names 2>/dev/null)";
    case WORD_CASE: return "$(cordage validate --list --quiet 2>/dev/null)";
    case WORD_BENCH: return "$(cordage bench --list --quiet 2>/dev/null)";
    case WORD_SHELL: return "bash";
    case WORD_MODEL:
#define MODEL_WORD(name, key, text) #key " "
        return CDG_MODEL_LIST(MODEL_WORD);
#undef MODEL_WORD
    case WORD_FORMAT:
#define FORMAT_WORD(name, extension, help) #name " "
        return CDG_EXPORT_LIST(FORMAT_WORD);
#undef FORMAT_WORD
    case WORD_COMMAND:
    case WORD_DIRECTORY:
    case WORD_FILE:
    case WORD_ANY: break;
    }
    return "";
}

static bool takes_files(word_kind kind) { return kind == WORD_SCENE || kind == WORD_FILE; }

static void print_reply(FILE *stream, word_kind kind) {
    if (kind == WORD_COMMAND) {
        fputs("COMPREPLY=($(compgen -W \"", stream);
        for (size_t i = 0; i < command_count; i++) fprintf(stream, "%s ", command_table[i].name);
        fputs("\" -- \"$word\"))", stream);
    } else {
        fprintf(stream, "COMPREPLY=($(compgen %s-W \"%s\" -- \"$word\"))",
                takes_files(kind)        ? "-f "
                : kind == WORD_DIRECTORY ? "-d "
                                         : "",
                words_of(kind));
    }
}

static void print_options(FILE *stream, const command_spec *command) {
    fputs("            if [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"", stream);
    for (const option_spec *const *spec = command->options; *spec; spec++) {
        if ((*spec)->letter) fprintf(stream, "-%c ", (*spec)->letter);
        fprintf(stream, "--%s ", (*spec)->name);
    }
    fputs("\" -- \"$word\")); return; fi\n", stream);
}

static void print_bash(FILE *stream) {
    fputs("# bash completion for cordage; made by 'cordage completion bash'\n"
          "_cordage() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    COMPREPLY=()\n"
          "    if ((COMP_CWORD == 1)); then\n        ",
          stream);
    print_reply(stream, WORD_COMMAND);
    fputs("\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n", stream);
    for (size_t i = 0; i < command_count; i++) {
        const command_spec *command = &command_table[i];
        fprintf(stream, "        %s)\n            case $before in\n", command->name);
        for (const option_spec *const *spec = command->options; *spec; spec++) {
            if ((*spec)->kind == OPTION_FLAG) continue;
            fputs("                ", stream);
            if ((*spec)->letter) fprintf(stream, "-%c|", (*spec)->letter);
            fprintf(stream, "--%s) ", (*spec)->name);
            print_reply(stream, (*spec)->word);
            fputs("; return ;;\n", stream);
        }
        fputs("            esac\n", stream);
        print_options(stream, command);
        fputs("            ", stream);
        print_reply(stream, command->word);
        fputs(" ;;\n", stream);
    }
    fputs("    esac\n}\ncomplete -o filenames -o bashdefault -F _cordage cordage\n", stream);
}

exit_status cmd_completion(const command_line *line) {
    if (strcmp(line->words[0], "bash") != 0) {
        complain("no completion for '%s'; there is one for bash (zsh can load it after 'bashcompinit')",
                 line->words[0]);
        return EXIT_STATUS_REFUSED;
    }
    print_bash(stdout);
    return EXIT_STATUS_DONE;
}
