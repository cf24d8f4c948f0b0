// Options of the commands that run many cases of a scene, part of the table of commands: sweep, fit, gradient.
#include "command_options.h"

// ---- sweep ----------------------------------------------------------------------------------------------------------

static const option_spec option_vary = {
    .name = "vary",
    .letter = 'v',
    .kind = OPTION_LIST,
    .value = "PATH=VALUES",
    .help =
        "What varies, with the path as for --set: LOW:HIGH:COUNT UNIT for a grid, \"(log)\" behind it for equal "
        "ratios, \"(whole)\" for whole numbers; a list, \"1, 2, 5 MPa\" or \"pobd, der\"; LOW:HIGH UNIT for samples. "
        "\"NAME: PATH,PATH=VALUES\" sets several places at once and names the column. May be given several times."};
static const option_spec option_probe = {
    .name = "probe",
    .letter = 'p',
    .kind = OPTION_LIST,
    .value = "NAMES",
    .help =
        "What to keep of a case: probes of the scene or columns of them (tip, tip_z), at the end of the case. Behind "
        "a colon a summary over its outputs: tip_z:max, min, mean, rms, range, start.",
    .initial = "all probes"};
static const option_spec option_samples = {.name = "samples",
                                           .letter = 'n',
                                           .kind = OPTION_INTEGER,
                                           .value = "N",
                                           .minimum = 1,
                                           .maximum = 10000000,
                                           .help = "Take N samples of the ranges instead of a grid."};
static const option_spec option_method = {.name = "method",
                                          .kind = OPTION_TEXT,
                                          .value = "WORD",
                                          .help = "grid, latin (a Latin hypercube: one sample in each of N equal parts "
                                                  "of every range) or random.",
                                          .initial = "grid; latin with --samples"};
static const option_spec option_seed = {.name = "seed",
                                        .kind = OPTION_INTEGER,
                                        .value = "N",
                                        .minimum = 0,
                                        .maximum = 2147483647,
                                        .help = "Choose other samples. The same seed gives the same ones.",
                                        .initial = "1"};
static const option_spec option_sweep_output = {
    .name = "output",
    .letter = 'o',
    .kind = OPTION_TEXT,
    .value = "DIR",
    .word = WORD_DIRECTORY,
    .help = "Write into DIR: table.csv, table.h5, charts, report.html, and journal.txt, by which a sweep goes on.",
    .initial = "the scene's name with '-sweep' behind it, in the current directory"};
static const option_spec option_sweep_threads = {.name = "threads",
                                                 .letter = 't',
                                                 .kind = OPTION_INTEGER,
                                                 .value = "N",
                                                 .minimum = 1,
                                                 .maximum = 256,
                                                 .help = "Do N cases at a time. The table is the same for every N.",
                                                 .initial = "all cores; 1 for each rank of MPI"};
static const option_spec option_processes = {
    .name = "processes",
    .kind = OPTION_INTEGER,
    .value = "N",
    .minimum = 1,
    .maximum = 1024,
    .help = "Do N cases at a time, each in a process: a crash costs its case and nothing else."};
static const option_spec option_mpi = {
    .name = "mpi",
    .kind = OPTION_FLAG,
    .help = "Share the sweep with the other ranks of MPI. Known by itself under mpirun and srun."};
static const option_spec option_lanes = {
    .name = "lanes",
    .kind = OPTION_FLAG,
    .help = "Step alike cases together, one in each lane of the processor's vectors: many short cases of pobd with "
            "solver gauss_seidel, with the same step and elements; a case in which something touches takes that step "
            "alone, and 'contact: off' is fastest. Results are those of single cases up to rounding."};
static const option_spec option_keep_runs = {.name = "keep-runs",
                                             .kind = OPTION_FLAG,
                                             .help =
                                                 "Keep the run of each case, as 'cordage run' writes it, in DIR/runs."};
static const option_spec option_case_time = {
    .name = "case-time",
    .kind = OPTION_TEXT,
    .value = "LIMIT",
    .help = "Give a case this much processor time (10 s, 5 min). One that wants more is a row that says so."};
static const option_spec option_sweep_resume = {
    .name = "resume",
    .letter = 'r',
    .kind = OPTION_FLAG,
    .help = "Go on with the sweep in DIR, given again with the same command: only what is missing is done, after "
            "Ctrl-C, kill -9 or a power cut. Where there is none it begins."};
static const option_spec option_sweep_force = {.name = "force",
                                               .letter = 'f',
                                               .kind = OPTION_FLAG,
                                               .help = "Begin anew although DIR holds a sweep, which is lost."};
static const option_spec option_sweep_gradient = {.name = "gradient",
                                                  .kind = OPTION_FLAG,
                                                  .help = "Add columns such as tip_z_per_E with the rates of what is "
                                                          "kept in all numbers that vary, by the implicit function "
                                                          "theorem. For static scenes of der and galpha."};
const option_spec *const sweep_options[] = {&option_vary,
                                            &option_sweep_gradient,
                                            &option_probe,
                                            &option_samples,
                                            &option_method,
                                            &option_seed,
                                            &option_sweep_output,
                                            &option_set,
                                            &option_model,
                                            &option_sweep_threads,
                                            &option_processes,
                                            &option_mpi,
                                            &option_lanes,
                                            &option_keep_runs,
                                            &option_case_time,
                                            &option_sweep_resume,
                                            &option_sweep_force,
                                            &option_quiet,
                                            &option_json,
                                            &option_help,
                                            NULL};
const example_line sweep_examples[] = {
    {"cordage sweep cable.yaml --vary \"rods.cable.elements=10, 20, 50, 100\" --probe tip_z", "a list"},
    {"cordage sweep cable.yaml -v \"E: materials.rubber.young_modulus=1:10:20 MPa (log)\" -v "
     "\"rods.cable.section.circle.radius=2:6:5 mm\" -o stiffness",
     "a grid of 20 times 5 cases, with a heat map"},
    {"cordage sweep cable.yaml -v \"materials.rubber.young_modulus=1:10 MPa\" --samples 200 --probe tip_z:min",
     "200 samples, a Latin hypercube"},
    {"cordage sweep cable.yaml -v \"rods.cable.elements=10:200:20 (whole)\" -o fine --resume",
     "go on after an interruption"},
    {"mpirun -n 64 cordage sweep sweep.yaml --resume", "on a cluster, from a file"},
    {NULL, NULL},
};

// ---- fit and gradient -----------------------------------------------------------------------------------------------

static const option_spec option_fit_vary = {
    .name = "vary",
    .letter = 'v',
    .kind = OPTION_LIST,
    .value = "PATH=LOW:HIGH UNIT",
    .help =
        "A value to find, with the path as for --set, and the range to look in: materials.rubber.young_modulus=1:10 "
        "MPa. \"(start 3)\" behind it says where to begin. \"NAME: PATH,PATH=LOW:HIGH UNIT\" sets several places at "
        "once. May be given several times."};
static const option_spec option_fit_to = {
    .name = "to",
    .kind = OPTION_LIST,
    .value = "FILE",
    .word = WORD_FILE,
    .help = "Measurements: a CSV table with units in its headings (time [s], tip_z [mm]) and columns named as the "
            "scene's probes. A line '# shape: ROD' above it makes it points of a rod, '# over: COLUMN' a curve over "
            "another probe, '# set: PATH=VALUE' another experiment. May be given several times."};
static const option_spec option_fit_output = {
    .name = "output",
    .letter = 'o',
    .kind = OPTION_TEXT,
    .value = "DIR",
    .word = WORD_DIRECTORY,
    .help = "Write report.html, fit.png, fit.svg, fit.json and fit.csv into DIR.",
    .initial = "the scene's name with '-fit' behind it, in the current directory"};
static const option_spec option_confidence = {.name = "confidence",
                                              .kind = OPTION_TEXT,
                                              .value = "PERCENT",
                                              .help = "How sure the stated limits of a value are to hold the truth.",
                                              .initial = "95"};
static const option_spec option_iterations = {.name = "iterations",
                                              .kind = OPTION_INTEGER,
                                              .value = "N",
                                              .minimum = 1,
                                              .maximum = 100000,
                                              .help = "Steps of the search, at most, in each round.",
                                              .initial = "50"};
static const option_spec option_starts = {
    .name = "starts",
    .kind = OPTION_INTEGER,
    .value = "N",
    .minimum = 1,
    .maximum = 1000000,
    .help = "Look at N samples of the ranges and begin at the best, where a value says no start.",
    .initial = "8 for each value, 64 at most"};
const option_spec *const fit_options[] = {&option_fit_vary,   &option_fit_to,
                                          &option_set,        &option_model,
                                          &option_fit_output, &option_confidence,
                                          &option_starts,     &option_seed,
                                          &option_iterations, &option_threads,
                                          &option_quiet,      &option_json,
                                          &option_help,       NULL};
const example_line fit_examples[] = {
    {"cordage fit cable.yaml --vary \"materials.rubber.young_modulus=1:10 MPa\" --to photo.csv",
     "a stiffness from points of the cable in a photograph"},
    {"cordage fit cable.yaml -v \"E: materials.rubber.young_modulus=1:10 MPa\" -v \"damping: "
     "materials.rubber.damping=1:100 ms\" --to shape.csv --to swing.csv -o found",
     "two values from two experiments at once"},
    {"cordage fit fit_cable -v \"E: materials.rubber.young_modulus=1:10 MPa\" --to swing.csv --confidence 99",
     "wider limits, for those who must be sure"},
    {NULL, NULL}};

static const option_spec option_gradient_vary = {
    .name = "vary",
    .letter = 'v',
    .kind = OPTION_LIST,
    .value = "PATH=VALUE",
    .help = "A value of the scene, set as by --set, to give rates in: \"materials.rubber.young_modulus=2 MPa\". "
            "\"NAME: PATH,PATH=VALUE\" changes several places together. May be given several times."};
static const option_spec option_gradient_probe = {.name = "probe",
                                                  .letter = 'p',
                                                  .kind = OPTION_LIST,
                                                  .value = "NAME",
                                                  .help = "Rates of this probe. May be given several times.",
                                                  .initial = "all probes"};
const option_spec *const gradient_options[] = {
    &option_gradient_vary, &option_gradient_probe, &option_set, &option_model, &option_json, &option_help, NULL};
const example_line gradient_examples[] = {
    {"cordage gradient static_elastica --vary \"loads.0.force.2=-3.3 N\" --probe tip",
     "how the tip of a strip follows its load"},
    {"cordage gradient cable.yaml -v \"E: materials.rubber.young_modulus=2 MPa\" -v \"r: "
     "rods.cable.section.circle.radius=4 mm\" --json",
     "two rates, as numbers for a program"},
    {NULL, NULL}};
