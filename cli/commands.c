// The one table of commands and options. Parsing, --help, the man page and completion are all made from it.
#include "commands.h"

#include "terminal.h"

#include <stdint.h>
#include <string.h>

// ---- options that several commands share ----------------------------------------------------------------------------

static const option_spec option_help = {
    .name = "help", .letter = 'h', .kind = OPTION_FLAG, .help = "Show this help and end."};
static const option_spec option_json = {
    .name = "json",
    .kind = OPTION_FLAG,
    .help = "Print one JSON document on standard output, and nothing else there. Messages stay on standard error."};
static const option_spec option_set = {
    .name = "set",
    .kind = OPTION_LIST,
    .value = "PATH=VALUE",
    .help = "Set a value of the scene, as if it stood in the file: rods.cable.elements=200, simulation.step=1ms. "
            "May be given several times; the last one counts."};
static const option_spec option_model = {.name = "model",
                                         .letter = 'm',
                                         .kind = OPTION_TEXT,
                                         .value = "MODEL",
                                         .word = WORD_MODEL,
                                         .help =
                                             "Simulate with this rod model: short for --set simulation.model=MODEL.",
                                         .initial = "what the scene says"};
static const option_spec option_threads = {.name = "threads",
                                           .letter = 't',
                                           .kind = OPTION_INTEGER,
                                           .value = "N",
                                           .minimum = 1,
                                           .maximum = 256,
                                           .help = "Use N threads. The result is the same for every N.",
                                           .initial = "all cores"};
static const option_spec option_quiet = {
    .name = "quiet", .letter = 'q', .kind = OPTION_FLAG, .help = "Print errors only: no progress bar, no summary."};
static const option_spec option_list = {
    .name = "list", .letter = 'l', .kind = OPTION_FLAG, .help = "List what there is and end."};

// ---- run ------------------------------------------------------------------------------------------------------------

static const option_spec option_output = {.name = "output",
                                          .letter = 'o',
                                          .kind = OPTION_TEXT,
                                          .value = "DIR",
                                          .word = WORD_DIRECTORY,
                                          .help = "Write the results into DIR, which is made if absent. A run that is "
                                                  "already there is replaced.",
                                          .initial =
                                              "the scene's name with '-run' behind it, in the current directory"};
static const option_spec option_resume = {.name = "resume",
                                          .letter = 'r',
                                          .kind = OPTION_TEXT,
                                          .value = "DIR",
                                          .word = WORD_DIRECTORY,
                                          .help =
                                              "Continue the interrupted run in DIR. The scene and its settings are "
                                              "taken from there; the result is the same as without the interruption."};
static const option_spec *const run_options[] = {&option_output,  &option_set,    &option_model,
                                                 &option_threads, &option_resume, &option_quiet,
                                                 &option_json,    &option_help,   NULL};
static const example_line run_examples[] = {
    {"cordage run cable.yaml", "simulate; results go to cable-run/"},
    {"cordage run twisted_cable", "run a built-in example straight away"},
    {"cordage run cable.yaml -o fine --set rods.cable.elements=200", "the same scene, finer, kept elsewhere"},
    {"cordage run --resume fine", "continue after Ctrl-C, a crash or a power cut"},
    {NULL, NULL},
};

// ---- check, info ----------------------------------------------------------------------------------------------------

static const option_spec option_reference = {.name = "reference",
                                             .kind = OPTION_FLAG,
                                             .help =
                                                 "Print every key a scene may have, with unit and default, and end."};
static const option_spec *const check_options[] = {&option_set,  &option_model, &option_reference,
                                                   &option_json, &option_help,  NULL};
static const example_line check_examples[] = {
    {"cordage check cable.yaml", "all errors and warnings; what would be simulated"},
    {"cordage check cable.yaml --set simulation.step=1ms", "check a variation"},
    {"cordage check --reference", "every key of the scene language"},
    {NULL, NULL},
};

static const option_spec *const info_options[] = {&option_set, &option_json, &option_help, NULL};
static const example_line info_examples[] = {
    {"cordage info cable.yaml", "rods, stiffness, supports, loads and probes of a scene"},
    {"cordage info cable-run", "what a finished or interrupted run holds"},
    {NULL, NULL},
};

// ---- examples -------------------------------------------------------------------------------------------------------

static const option_spec option_force = {
    .name = "force", .letter = 'f', .kind = OPTION_FLAG, .help = "Overwrite files that exist."};
static const option_spec option_all = {
    .name = "all", .letter = 'a', .kind = OPTION_FLAG, .help = "Write out all examples."};
static const option_spec option_names = {
    .name = "names", .kind = OPTION_FLAG, .help = "List the bare names, one a line, for scripts."};
static const option_spec *const examples_options[] = {&option_all,  &option_force, &option_names,
                                                      &option_json, &option_help,  NULL};
static const example_line examples_examples[] = {
    {"cordage examples", "list them"},
    {"cordage examples twisted_cable", "write twisted_cable.yaml into the current directory, to edit"},
    {"cordage run twisted_cable", "run one straight away"},
    {NULL, NULL},
};

// ---- validate, bench ------------------------------------------------------------------------------------------------

static const option_spec option_wrong = {
    .name = "wrong",
    .kind = OPTION_LIST,
    .value = "NAME=FACTOR",
    .help = "For developers: multiply a parameter of the simulation (not of the reference) by FACTOR, to see that the "
            "cases notice. 'cordage validate --list' names a parameter for each case."};
static const option_spec *const validate_options[] = {&option_list,  &option_json, &option_quiet,
                                                      &option_wrong, &option_help, NULL};
static const example_line validate_examples[] = {
    {"cordage validate", "run all cases"},
    {"cordage validate free_fall", "run one"},
    {"cordage validate --list", "what each case shows, and its source"},
    {"cordage validate free_fall --wrong gravity=1.01", "this must fail"},
    {NULL, NULL},
};

static const option_spec option_repeat = {.name = "repeat",
                                          .letter = 'n',
                                          .kind = OPTION_INTEGER,
                                          .value = "N",
                                          .minimum = 1,
                                          .maximum = 1000,
                                          .help = "Take N samples of each figure.",
                                          .initial = "7"};
static const option_spec *const bench_options[] = {&option_list,  &option_repeat, &option_json,
                                                   &option_quiet, &option_help,   NULL};
static const example_line bench_examples[] = {
    {"cordage bench", "measure everything"},
    {"cordage bench step_direct frame_50x10", "measure two workloads"},
    {"cordage bench --repeat 15 --json > speed.json", "more samples, for a machine to read"},
    {NULL, NULL},
};

// ---- completion, help -----------------------------------------------------------------------------------------------

static const option_spec *const completion_options[] = {&option_help, NULL};
static const example_line completion_examples[] = {
    {"source <(cordage completion bash)", "completion in this shell"},
    {NULL, NULL},
};

static const option_spec option_man = {
    .name = "man", .kind = OPTION_FLAG, .help = "Print the manual page as roff source: cordage help --man | man -l -"};
static const option_spec *const help_options[] = {&option_man, &option_json, &option_help, NULL};
static const example_line help_examples[] = {
    {"cordage help", "the list of commands"},
    {"cordage help run", "all about one command"},
    {NULL, NULL},
};

// ---- the table ------------------------------------------------------------------------------------------------------

const command_spec command_table[] = {
    {.name = "run",
     .arguments = "SCENE",
     .word = WORD_SCENE,
     .minimum = 0, // --resume needs no scene
     .maximum = 1,
     .summary = "simulate a scene and write its results",
     .description =
         "Simulates SCENE: a YAML or JSON file, the name of a built-in example, or '-' for standard input.\n\n"
         "Writes into the output directory: run.h5 (positions, frames, forces and energies over time; HDF5), "
         "probes.csv "
         "(the scene's probes, one line an output) and summary.json. They are readable at any moment, also after a "
         "crash.\n\n"
         "On a terminal a progress bar shows simulated time, speed and the time left. Ctrl-C ends the run after the "
         "current "
         "step, keeps what was computed and says how to resume; a second Ctrl-C ends at once.",
     .options = run_options,
     .examples = run_examples,
     .run = cmd_run},
    {.name = "check",
     .arguments = "SCENE",
     .word = WORD_SCENE,
     .minimum = 0, // --reference needs no scene
     .maximum = 1,
     .summary = "find all mistakes in a scene; say what would be simulated",
     .description =
         "Reports every error and warning of SCENE at once, each with file, line, column and cure. When there are "
         "no errors, says what would be simulated: rods and their resolution, the advised time step and what "
         "limits it, steps, outputs, memory and file size. Nothing is written.",
     .options = check_options,
     .examples = check_examples,
     .run = cmd_check},
    {.name = "info",
     .arguments = "SCENE|DIR",
     .word = WORD_SCENE,
     .minimum = 1,
     .maximum = 1,
     .summary = "show what is in a scene or a run, in numbers",
     .description =
         "For a scene: rods with length, mass and stiffness, supports, loads and probes. For the directory of a "
         "run, or its run.h5: what was run, how far it came, and what the file holds.",
     .options = info_options,
     .examples = info_examples,
     .run = cmd_info},
    {.name = "examples",
     .arguments = "[NAME...]",
     .word = WORD_EXAMPLE,
     .minimum = 0,
     .maximum = SIZE_MAX,
     .summary = "list the built-in scenes, or write one out to edit",
     .description =
         "Without NAME lists the scenes that come with the command. With NAME writes NAME.yaml into the current "
         "directory; a file that exists is not overwritten unless --force is given.",
     .options = examples_options,
     .examples = examples_examples,
     .run = cmd_examples},
    {.name = "validate",
     .arguments = "[CASE...]",
     .word = WORD_CASE,
     .minimum = 0,
     .maximum = SIZE_MAX,
     .summary = "compare the simulation with closed forms and published results",
     .description = "Runs the named cases, or all of them, and prints each value beside its reference, with error and "
                    "tolerance. The exit status is 1 when any is outside its tolerance.",
     .options = validate_options,
     .examples = validate_examples,
     .run = cmd_validate},
    {.name = "bench",
     .arguments = "[NAME...]",
     .word = WORD_BENCH,
     .minimum = 0,
     .maximum = SIZE_MAX,
     .summary = "measure speed and memory",
     .description =
         "Runs the named workloads, or all of them, and prints the median, the least and the spread of several "
         "samples beside the bar that was set, with processor, compiler and flags. A slow machine is no "
         "failure: the exit status does not depend on time.",
     .options = bench_options,
     .examples = bench_examples,
     .run = cmd_bench},
    {.name = "completion",
     .arguments = "bash",
     .word = WORD_SHELL,
     .minimum = 1,
     .maximum = 1,
     .summary = "print a script that completes command lines in your shell",
     .description = "Prints a script for bash. Load it in ~/.bashrc, or put it into /etc/bash_completion.d/.",
     .options = completion_options,
     .examples = completion_examples,
     .run = cmd_completion},
    {.name = "help",
     .arguments = "[COMMAND]",
     .word = WORD_COMMAND,
     .minimum = 0,
     .maximum = 1,
     .summary = "explain a command",
     .description =
         "Without COMMAND lists the commands. 'cordage COMMAND --help' is the same as 'cordage help COMMAND'.",
     .options = help_options,
     .examples = help_examples,
     .run = cmd_help},
};
const size_t command_count = sizeof command_table / sizeof *command_table;

const command_spec *find_command(const char *name) {
    for (size_t i = 0; i < command_count; i++)
        if (strcmp(command_table[i].name, name) == 0) return &command_table[i];
    return NULL;
}

void refuse_command(const char *name) {
    const char *names[sizeof command_table / sizeof *command_table];
    for (size_t i = 0; i < command_count; i++) names[i] = command_table[i].name;
    const char *nearest = nearest_word(name, names, command_count);
    if (nearest)
        complain("unknown command '%s'; did you mean '%s'?", name, nearest);
    else
        complain("unknown command '%s'; 'cordage help' lists the commands", name);
}
