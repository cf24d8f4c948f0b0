// The one table of commands and options. Parsing, --help, the man page and completion are all made from it.
#include "commands.h"

#include "command_options.h"
#include "export/export.h"
#include "terminal.h"

#include <stdint.h>
#include <string.h>

// ---- options that several commands share ----------------------------------------------------------------------------

const option_spec option_help = {.name = "help", .letter = 'h', .kind = OPTION_FLAG, .help = "Show this help and end."};
const option_spec option_json = {
    .name = "json",
    .kind = OPTION_FLAG,
    .help = "Print one JSON document on standard output, and nothing else there. Messages stay on standard error."};
const option_spec option_set = {
    .name = "set",
    .kind = OPTION_LIST,
    .value = "PATH=VALUE",
    .help = "Set a value of the scene, as if it stood in the file: rods.cable.elements=200, simulation.step=1ms. "
            "May be given several times; the last one counts."};
const option_spec option_model = {.name = "model",
                                  .letter = 'm',
                                  .kind = OPTION_TEXT,
                                  .value = "MODEL",
                                  .word = WORD_MODEL,
                                  .help = "Simulate with this rod model: short for --set simulation.model=MODEL.",
                                  .initial = "what the scene says"};
const option_spec option_threads = {.name = "threads",
                                    .letter = 't',
                                    .kind = OPTION_INTEGER,
                                    .value = "N",
                                    .minimum = 1,
                                    .maximum = 256,
                                    .help = "Use N threads. The result is the same for every N.",
                                    .initial = "all cores"};
const option_spec option_quiet = {
    .name = "quiet", .letter = 'q', .kind = OPTION_FLAG, .help = "Print errors only: no progress bar, no summary."};
static const option_spec option_list = {
    .name = "list", .letter = 'l', .kind = OPTION_FLAG, .help = "List what there is and end."};

// ---- run ------------------------------------------------------------------------------------------------------------

static const option_spec option_output = {.name = "output",
                                          .letter = 'o',
                                          .kind = OPTION_TEXT,
                                          .value = "DIR",
                                          .word = WORD_DIRECTORY,
                                          .help = "Write the results into DIR, which is made if absent. A run of the "
                                                  "same scene that is there is replaced once the first step has "
                                                  "succeeded; one of an earlier version of the scene is kept as "
                                                  "DIR.before; one of another scene is not replaced.",
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
static const option_spec option_until = {
    .name = "until",
    .kind = OPTION_TEXT,
    .value = "T",
    .help = "With --resume: go on to this time, beyond the end that the run has, with its step and its outputs; the "
            "result is the same as if it had been so long from the start."};
static const option_spec option_run_quiet = {.name = "quiet",
                                             .letter = 'q',
                                             .kind = OPTION_FLAG,
                                             .help = "Print errors and warnings only: no progress bar, no summary."};
static const option_spec option_run_force = {
    .name = "force",
    .letter = 'f',
    .kind = OPTION_FLAG,
    .help =
        "Replace whatever run is in DIR and keep nothing of it. With --resume: go on although a file that the scene "
        "names, the instruction set or the methods have changed since the run began."};
static const option_spec *const run_options[] = {&option_output,
                                                 &option_set,
                                                 &option_model,
                                                 &option_threads,
                                                 &option_resume,
                                                 &option_until,
                                                 &option_run_force,
                                                 &option_run_quiet,
                                                 &option_json,
                                                 &option_help,
                                                 NULL};
static const example_line run_examples[] = {
    {"cordage run cable.yaml", "simulate; results go to cable-run/"},
    {"cordage run twisted_cable", "run a built-in example straight away"},
    {"cordage run cable.yaml -o fine --set rods.cable.elements=200", "the same scene, finer, kept elsewhere"},
    {"cordage run --resume fine", "continue after Ctrl-C, a crash or a power cut"},
    {"cordage run --resume fine --until \"10 s\"", "go on with a finished run"},
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

static const option_spec option_info_field = {
    .name = "field",
    .kind = OPTION_TEXT,
    .value = "NAMES",
    .help =
        "Of a run: the least and the most value of these along every rod and over all outputs, with place and time, "
        "and the mean. tension, curvature, twist, strain, speed, moment.3, ... as for 'cordage plot', separated by "
        "commas."};
static const option_spec *const info_options[] = {&option_set, &option_info_field, &option_json, &option_help, NULL};
static const example_line info_examples[] = {
    {"cordage info cable-run --field tension,curvature", "their least and most values, with place and time"},
    {"cordage info cable.yaml", "rods, stiffness, supports, loads and probes of a scene"},
    {"cordage info cable-run", "what a finished or interrupted run holds"},
    {NULL, NULL},
};

// ---- render ---------------------------------------------------------------------------------------------------------

static const option_spec option_render_output = {.name = "output",
                                                 .letter = 'o',
                                                 .kind = OPTION_TEXT,
                                                 .value = "FILE",
                                                 .help = "Write FILE: a picture (.png) or a film (.mp4, .webm)."};
static const option_spec option_size = {
    .name = "size", .kind = OPTION_TEXT, .value = "WxH", .help = "Width and height in pixels.", .initial = "1280x720"};
static const option_spec option_fps = {
    .name = "fps", .kind = OPTION_TEXT, .value = "N", .help = "A film's pictures a second.", .initial = "30"};
static const option_spec option_speed = {.name = "speed",
                                         .kind = OPTION_TEXT,
                                         .value = "FACTOR",
                                         .help = "Simulated seconds in a second of the film: 0.1 is slow motion.",
                                         .initial = "1"};
static const option_spec option_time = {
    .name = "time",
    .kind = OPTION_TEXT,
    .value = "T",
    .help = "Show this time, in s. Between outputs shapes are interpolated. A sheet takes as "
            "many as it has pictures (0.2,0.5,1), a sheet or a film where it "
            "begins and ends (0.2:1).",
    .initial = "the last output, or the whole run"};
static const option_spec option_frame = {.name = "frame",
                                         .kind = OPTION_INTEGER,
                                         .value = "N",
                                         .minimum = 0,
                                         .maximum = 1000000000,
                                         .help = "Show the N-th output, counted from 0."};
static const option_spec option_mode = {
    .name = "mode",
    .kind = OPTION_INTEGER,
    .value = "N",
    .minimum = 1,
    .maximum = 1000,
    .help = "Show the N-th vibration instead of the run: a swing of one second about the shape it was found about. "
            "The scene needs 'modes'."};
static const option_spec option_amplitude = {.name = "amplitude",
                                             .kind = OPTION_TEXT,
                                             .value = "LENGTH",
                                             .help = "With --mode: the largest move, in m.",
                                             .initial = "a tenth of the longest rod"};
static const option_spec option_sheet = {
    .name = "sheet",
    .kind = OPTION_TEXT,
    .value = "CxR",
    .help = "One picture with C columns and R rows of small ones, from the start of the run to its end."};
static const option_spec option_camera = {
    .name = "camera",
    .kind = OPTION_TEXT,
    .value = "TEXT",
    .help = "Where to look from: \"from=1,2,3 at=0,0,0 fov=40\", in m and degrees. Any of from, at, up, fov, zoom=2, "
            "orbit=30,10 (degrees to the right and upward of where it would stand), view=front (or back, left, right, "
            "top, bottom), lens=parallel (nothing looks smaller for being far away), follow=NAME (it goes along with a "
            "rod, body or solid), fit=run (the whole run is inside "
            "of the picture) or fit=moment (only what it shows).",
    .initial = "what a picture shows fills it; the whole run fits into films and sheets"};
static const option_spec option_color = {
    .name = "color",
    .kind = OPTION_TEXT,
    .value = "WHAT",
    .help = "Colour by rod, or by what 'plot --field' shows: twist, curvature, tension, speed, strain, moment.3, ...; "
            "deformable solids by stress, strain, speed. Fields get a legend.",
    .initial = "rod"};
static const option_spec option_range = {.name = "range",
                                         .kind = OPTION_TEXT,
                                         .value = "LOW:HIGH",
                                         .help = "The values at the ends of the legend.",
                                         .initial = "what occurs in the run"};
static const option_spec option_stripe = {
    .name = "stripe",
    .kind = OPTION_FLAG,
    .help = "Paint half of each rod in a second colour, along its material, so that twist is seen, and two quarters of "
            "round bodies darker."};
static const option_spec option_nodes = {
    .name = "nodes", .kind = OPTION_FLAG, .help = "Mark the nodes that rods have at the moment by dark rings."};
static const option_spec option_no_supports = {
    .name = "no-supports", .kind = OPTION_FLAG, .help = "Do not mark where rods are clamped or pinned."};
static const option_spec option_annotate = {
    .name = "annotate",
    .kind = OPTION_FLAG,
    .help = "Draw axes, a scale bar, names and numbers of nodes, point loads and motions of supports. Scenes have them "
            "unless --plain is given."};
static const option_spec option_hide = {
    .name = "hide",
    .kind = OPTION_TEXT,
    .value = "NAMES",
    .help = "Do not draw these rods, bodies, obstacles or solids: their names, with commas between them. A pipe "
            "hidden, the rod in it is seen."};
static const option_spec option_see_through = {
    .name = "see-through",
    .kind = OPTION_TEXT,
    .value = "NAMES",
    .help = "Draw these so that what is in them and behind them is seen, as if of glass: their names, with commas "
            "between them."};
static const option_spec option_contacts = {
    .name = "contacts",
    .kind = OPTION_FLAG,
    .help =
        "Draw contact forces as arrows, which begin where rods are touched; lengths grow with the root of the force."};
static const option_spec option_thickness = {.name = "thickness",
                                             .kind = OPTION_TEXT,
                                             .value = "FACTOR",
                                             .help = "Draw rods thicker than they are.",
                                             .initial = "1; what would be too thin to be seen is drawn thicker"};
static const option_spec option_quality = {.name = "quality",
                                           .kind = OPTION_TEXT,
                                           .value = "WORD",
                                           .help = "draft, normal, fine, or the number of samples in a pixel.",
                                           .initial = "normal"};
static const option_spec option_background = {.name = "background",
                                              .kind = OPTION_TEXT,
                                              .value = "COLOR",
                                              .help = "light, white, dark or a colour such as \"#e8edf2\".",
                                              .initial = "light"};
static const option_spec option_ground = {
    .name = "ground",
    .kind = OPTION_FLAG,
    .help = "Draw a ground, which catches shadows, where the scene has no floor, too."};
static const option_spec option_no_ground = {.name = "no-ground", .kind = OPTION_FLAG, .help = "Draw no ground."};
static const option_spec option_no_fibers = {
    .name = "no-fibers", .kind = OPTION_FLAG, .help = "Of strands, show the simulated guides only."};
static const option_spec option_plain = {
    .name = "plain", .kind = OPTION_FLAG, .help = "Write nothing on the picture: no time, no legend."};
const option_spec option_cut = {
    .name = "cut",
    .kind = OPTION_TEXT,
    .value = "PLANE",
    .help = "Of a mesh: take away what lies beyond a plane, and show the tetrahedra behind it whole. x, -y, z: "
            "through the middle, across that axis; z=2cm: at that height; 1,1,0 or 1,1,0=2cm: across that direction. "
            "What the direction points to is taken away."};
static const option_spec *const render_options[] = {&option_render_output, &option_size,
                                                    &option_time,          &option_frame,
                                                    &option_mode,          &option_amplitude,
                                                    &option_sheet,         &option_fps,
                                                    &option_speed,         &option_camera,
                                                    &option_color,         &option_range,
                                                    &option_contacts,      &option_nodes,
                                                    &option_stripe,        &option_thickness,
                                                    &option_no_supports,   &option_annotate,
                                                    &option_hide,          &option_see_through,
                                                    &option_set,           &option_model,
                                                    &option_quality,       &option_background,
                                                    &option_cut,           &option_ground,
                                                    &option_no_ground,     &option_no_fibers,
                                                    &option_plain,         &option_threads,
                                                    &option_quiet,         &option_json,
                                                    &option_help,          NULL};
static const example_line render_examples[] = {
    {"cordage render cable-run -o end.png", "the last output"},
    {"cordage render cable-run -o film.mp4 --color tension", "a film, coloured by tension, with a legend"},
    {"cordage render cable-run -o sheet.png --sheet 4x3 --stripe",
     "the whole run at a glance; twist shows as a stripe"},
    {"cordage render bunny.vtu -o bunny.png --cut y", "a mesh of tetrahedra or triangles, cut open"},
    {"cordage render cable-run -o close.png --time 1.5 --camera 'orbit=40,10 zoom=2'", "nearer, from another side"},
    {NULL, NULL},
};

// ---- view -----------------------------------------------------------------------------------------------------------

static const option_spec option_port = {.name = "port",
                                        .letter = 'p',
                                        .kind = OPTION_INTEGER,
                                        .value = "N",
                                        .minimum = 1,
                                        .maximum = 65535,
                                        .help = "Listen on this port, or fail where it is taken.",
                                        .initial = "8850, or the next one that is free"};
static const option_spec option_listen = {
    .name = "listen",
    .kind = OPTION_TEXT,
    .value = "ADDRESS",
    .help = "Listen on this address of the machine, such as 0.0.0.0 (all), so that other machines can connect. Whoever "
            "has the printed address, with its random token, can then use the page: it is not encrypted.",
    .initial = "this machine alone (127.0.0.1)"};
const option_spec option_no_browser = {
    .name = "no-browser", .kind = OPTION_FLAG, .help = "Print the address only; open no browser."};
static const option_spec option_view_speed = {.name = "speed",
                                              .kind = OPTION_TEXT,
                                              .value = "FACTOR",
                                              .help = "Simulated seconds a second: 0.1 is slow motion.",
                                              .initial = "1"};
static const option_spec option_paused = {.name = "paused", .kind = OPTION_FLAG, .help = "Wait for play."};
static const option_spec option_view_threads = {.name = "threads",
                                                .letter = 't',
                                                .kind = OPTION_INTEGER,
                                                .value = "N",
                                                .minimum = 1,
                                                .maximum = 256,
                                                .help = "Use N threads. The motion is the same for every N.",
                                                .initial = "all cores but one, which the browser needs"};
static const option_spec *const view_options[] = {
    &option_port, &option_listen, &option_no_browser,   &option_view_speed, &option_paused,
    &option_set,  &option_model,  &option_view_threads, &option_quiet,      &option_help,
    NULL};
static const example_line view_examples[] = {
    {"cordage view shoelace", "simulate a built-in example in the browser"},
    {"cordage view cable.yaml --speed 0.1", "in slow motion"},
    {"cordage view cable-run", "a run again, at any speed"},
    {"cordage view coarse fine", "two runs, one over the other"},
    {NULL, NULL},
};

// ---- export ---------------------------------------------------------------------------------------------------------

#define FORMAT_LINE(name, extension, help) " " #name " (" extension "): " help "."
static const option_spec option_format = {.name = "to",
                                          .kind = OPTION_TEXT,
                                          .value = "FORMAT",
                                          .word = WORD_FORMAT,
                                          .help = "The format:" CDG_EXPORT_LIST(FORMAT_LINE),
                                          .initial = "by the extension of the file given with --output"};
#undef FORMAT_LINE
static const option_spec option_export_output = {
    .name = "output",
    .letter = 'o',
    .kind = OPTION_TEXT,
    .value = "PATH",
    .help = "Write to PATH, a file or a directory that exists. An export that is already there is replaced.",
    .initial = "the run's directory, named after its scene"};
static const option_spec option_frames = {.name = "frames",
                                          .kind = OPTION_TEXT,
                                          .value = "A:B",
                                          .help = "Export outputs A to B only, both included, counted from 0. A: is "
                                                  "from A on, :B up to B, A alone a single one.",
                                          .initial = "all"};
static const option_spec option_every = {.name = "every",
                                         .kind = OPTION_INTEGER,
                                         .value = "N",
                                         .minimum = 1,
                                         .maximum = 1000000000,
                                         .help = "Export every N-th of these outputs.",
                                         .initial = "1"};
static const option_spec option_export_stripe = {
    .name = "stripe",
    .kind = OPTION_FLAG,
    .help = "gltf: colour one half of the skin (towards d2) lighter, so that twist shows."};
static const option_spec *const export_options[] = {&option_format,
                                                    &option_export_output,
                                                    &option_frames,
                                                    &option_every,
                                                    &option_mode,
                                                    &option_amplitude,
                                                    &option_export_stripe,
                                                    &option_no_fibers,
                                                    &option_list,
                                                    &option_quiet,
                                                    &option_json,
                                                    &option_help,
                                                    NULL};
static const example_line export_examples[] = {
    {"cordage export cable-run --to vtk", "cable-run/cable.pvd, for ParaView"},
    {"cordage export cable-run -o cable.glb --stripe", "the animated skin, for Blender and the web"},
    {"cordage export cable-run --to html", "one page with a player, to send to somebody"},
    {"cordage export cable-run --to csv --frames 100: --every 10", "every tenth output from number 100 on"},
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
            "cases notice. 'cordage validate --list' names a parameter for each case. With --quick a case stops at its "
            "first failing row."};
static const option_spec option_quick = {
    .name = "quick", .help = "Let long cases use fewer elements or less time: all of them in three minutes."};
static const option_spec option_exhaustive = {
    .name = "exhaustive",
    .help = "Let long cases do all that is claimed of them, 10,000 shapes or 100,000 steps: hours. Without --quick and "
            "--exhaustive all cases take less than 40 minutes."};
static const option_spec option_report = {.name = "html",
                                          .kind = OPTION_TEXT,
                                          .value = "FILE",
                                          .help = "Write a report with plots and pictures to FILE: one page that needs "
                                                  "nothing from outside."};
static const option_spec option_markdown = {.name = "markdown", .help = "Print the results as Markdown tables."};
static const option_spec *const validate_options[] = {
    &option_list,  &option_report,     &option_json,  &option_quiet, &option_markdown,
    &option_quick, &option_exhaustive, &option_wrong, &option_help,  NULL};
static const example_line validate_examples[] = {
    {"cordage validate", "run all cases"},
    {"cordage validate free_fall", "run one"},
    {"cordage validate --list", "what each case shows, and its source"},
    {"cordage validate --quick --html report.html", "all cases, cheaper, as a page with plots"},
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
static const option_spec option_bench_against = {
    .name = "against",
    .kind = OPTION_TEXT,
    .value = "FILE",
    .help = "Compare with the figures of an earlier --json in FILE; exit status 1 "
            "when one is slower by more than 10 %."};
static const option_spec *const bench_options[] = {
    &option_list, &option_repeat, &option_bench_against, &option_json, &option_quiet, &option_help, NULL};
static const example_line bench_examples[] = {
    {"cordage bench", "measure everything"},
    {"cordage bench step_direct frame_50x10", "measure two workloads"},
    {"cordage bench --repeat 15 --json > speed.json", "more samples, for a machine to read"},
    {"cordage bench step_direct --against speed.json", "has it become slower?"},
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
         "limits it, elements that would suffice, steps, outputs, memory, file size, and the time it will take, from "
         "a few steps that are tried. Nothing is written.",
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
    {.name = "render",
     .arguments = "DIR|SCENE|MESH",
     .word = WORD_SCENE,
     .minimum = 1,
     .maximum = 1,
     .summary = "draw a picture or a film of a run, or a picture of a scene or a mesh",
     .description =
         "Draws the run in DIR, or its run.h5, by ray tracing: a picture (.png), by default of the last output, a "
         "contact sheet (--sheet), or a film (.mp4 with H.264, .webm with VP9).\n\n"
         "The camera stands where what is shown fills the picture, or the whole run fits into a film. The ground is "
         "the scene's own floor; --ground draws one below the run's lowest point. Rods "
         "that would be too thin to be seen are drawn thicker, and the picture says so. Colours of a field mean the "
         "same during the whole run.\n\n"
         "A SCENE (a file or an example's name) is drawn as it begins, before anything is simulated, with axes, a "
         "scale bar, names, numbers of nodes, supports, point loads and motions.\n\n"
         "A MESH of tetrahedra (.vtu, .msh, .node, .ele, .mesh) or triangles (.stl, .obj, .ply, .off, .glb, .gltf) is "
         "drawn with the edges of its faces; --cut opens it.\n\n"
         "A file is there whole or not at all: when drawing fails or is interrupted, what was there before stays.",
     .options = render_options,
     .examples = render_examples,
     .run = cmd_render},
    {.name = "view",
     .arguments = "SCENE|DIR [DIR]",
     .word = WORD_SCENE,
     .minimum = 1,
     .maximum = 2,
     .summary = "simulate a scene in the browser, pull at it; show runs again",
     .description =
         "Simulates SCENE, a file or the name of a built-in example, in real time and serves one page that shows it, "
         "to this machine alone: rods, bodies, obstacles and supports can be pulled with the pointer. The address is "
         "printed, and opened in the browser. Nothing is fetched from elsewhere.\n\n"
         "DIR is a run, or its run.h5, which is shown again; two are laid over each other.\n\n"
         "When the machine is too slow, pictures get fewer first; then simulated time goes slower than asked, and the "
         "page says by how much. Ctrl-C ends.",
     .options = view_options,
     .examples = view_examples,
     .run = cmd_view},
    {.name = "export",
     .arguments = "DIR",
     .word = WORD_DIRECTORY,
     .minimum = 0, // --list needs no run
     .maximum = 1,
     .summary = "write a run in another program's format: VTK, glTF, USD, CSV, HTML",
     .description =
         "Writes the run in DIR (or its run.h5) as files that other programs open: ParaView, Blender, web pages, "
         "Houdini, spreadsheets. Positions are the run's own, to the precision of the format. A run that still goes "
         "on, or was interrupted, is exported up to its last complete output.\n\n"
         "Files appear whole or not at all: when something fails nothing is left, and an older export stays.",
     .options = export_options,
     .examples = export_examples,
     .run = cmd_export},
    {.name = "mesh",
     .arguments = "INPUT",
     .word = WORD_FILE,
     .minimum = 1,
     .maximum = 1,
     .summary = "fill a surface with tetrahedra; check and convert meshes",
     .description =
         "Fills the space that the triangles of INPUT (.stl, .obj, .ply, .off, .gltf, .glb) enclose with tetrahedra. "
         "The triangles may have holes, cross each other, be flipped, double or without area: what is inside is "
         "decided by winding numbers, or by a vote of rays where the triangles cannot be oriented.\n\n"
         "The mesh approximates the surface: its distance from it, both ways, is printed, and the share of the "
         "surface where inside is hard to tell. Dihedral angles are between 10.7 and 164.8 degrees unless --lattice "
         "asks for the other method.\n\n"
         "An INPUT that holds tetrahedra already (.vtu, .msh, .node, .ele, .mesh) is checked (inverted, flat, double "
         "elements, faces of three, edges and points where the boundary is no surface) and, with -o, converted. The "
         "exit status is 1 when it has faults, when more than a fifth of the shape is lost, or when memory runs out; 2 "
         "when the "
         "input or an option cannot be used. The result is the same for any number of threads.",
     .options = mesh_options,
     .examples = mesh_examples,
     .run = cmd_mesh},
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
         "samples beside the bar that was set, with processor, compiler and flags; where it is known also the share "
         "of what plain loops over the same data and with as many operations would reach. A slow machine is no "
         "failure: the exit status does not depend on time, unless --against compares with an earlier measurement.",
     .options = bench_options,
     .examples = bench_examples,
     .run = cmd_bench},
    {.name = "plot",
     .arguments = "DIR",
     .word = WORD_DIRECTORY,
     .minimum = 1,
     .maximum = 1,
     .summary = "draw charts of a run: energies, probes, values along a rod",
     .description =
         "Draws what the run in DIR (or its run.h5) holds as charts with labelled axes and units: energies and probes "
         "over time, or with --along a quantity along a rod. This works during a run and after a crash, too.\n\n"
         "A file is written whole or not at all.",
     .options = plot_options,
     .examples = plot_examples,
     .run = cmd_plot},
    {.name = "compare",
     .arguments = "SCENE",
     .word = WORD_SCENE,
     .minimum = 1,
     .maximum = 1,
     .summary = "run a scene with several models or settings and show the differences",
     .description =
         "Runs SCENE once for each model of --models and each --variant, and prints where the rods end, how far each "
         "is from the first variant, energies, steps and cost. Draws the distance and the energies over time, and "
         "pictures of all variants at the same times.\n\n"
         "A variant that cannot simulate the scene, or fails, stands in the table with its reason and does not stop "
         "the others. The exit status is 0 when at least two ran to the end.",
     .options = compare_options,
     .examples = compare_examples,
     .run = cmd_compare},
    {.name = "sweep",
     .arguments = "SCENE|SWEEP",
     .word = WORD_SCENE,
     .minimum = 1,
     .maximum = 1,
     .summary = "run many cases of a scene: grids, lists, samples; a table and charts",
     .description =
         "Runs SCENE many times with different values and keeps what its probes measure: table.csv and table.h5 have "
         "one row per case, report.html shows charts. A case that fails becomes a row with its reason, and the others "
         "go on. A case whose numbers may be wrong (a solver that stopped early, an unstable equilibrium) is marked as "
         "doubtful, with the reason.\n\n"
         "SWEEP is a file that describes the whole sweep: 'sweep: 1', 'scene: FILE', 'vary:' with a map of paths to "
         "values, 'probes:', and 'set', 'samples', 'method', 'seed', 'lanes', 'output'.\n\n"
         "Cases run on threads, in processes (--processes) or on the ranks of MPI (mpirun -n N cordage sweep ...); "
         "whoever is free takes the next one. The table is the same for any number of them. Each case enters the "
         "journal as soon as it has ended, so nothing finished is lost, whatever ends the sweep.",
     .options = sweep_options,
     .examples = sweep_examples,
     .run = cmd_sweep},
    {.name = "fit",
     .arguments = "SCENE",
     .word = WORD_SCENE,
     .minimum = 1,
     .maximum = 1,
     .summary = "find values of a scene from measurements, with their errors",
     .description =
         "Finds the values of --vary with which SCENE comes nearest to the measurements (--to), and tells how certain "
         "they are. Measurements are probes over time (a film of a tip), probes over another probe (a force curve), or "
         "points of a rod, in any order, in a plane or in space (a photograph).\n\n"
         "The fit minimises the sum of squared residuals, in units of the noise, within the ranges. Where the files do "
         "not state the noise, it is estimated from the residuals. Cases run side by side on all cores. For static "
         "scenes of model der or galpha derivatives are exact. Warnings tell of values at the end of their range, of "
         "combinations that the data do not determine, of rows that look like mistakes, and of data that the scene "
         "does "
         "not explain: read them before you use the values.\n\n"
         "The exit status is 1 when the search did not reach its end.",
     .options = fit_options,
     .examples = fit_examples,
     .run = cmd_fit},
    {.name = "gradient",
     .arguments = "SCENE",
     .word = WORD_SCENE,
     .minimum = 1,
     .maximum = 1,
     .summary = "rates of probes at an equilibrium in values of the scene",
     .description =
         "Finds the equilibrium of a static SCENE (mode: static, model der or galpha) and prints how fast each probe "
         "changes with each value of --vary: d(probe)/d(value), by the implicit function theorem with the factorised "
         "system of the equilibrium, so that no other equilibrium is sought. Where loads grow the rates are those at "
         "the "
         "end.",
     .options = gradient_options,
     .examples = gradient_examples,
     .run = cmd_gradient},
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
    size_t length = strlen(name);
    if (length > 5 && (strcmp(name + length - 5, ".yaml") == 0 || strcmp(name + length - 5, ".json") == 0))
        complain("'%s' is no command; did you mean 'cordage run %s'?", name, name);
    else if (nearest)
        complain("unknown command '%s'; did you mean '%s'?", name, nearest);
    else if (strcmp(name, "modes") == 0)
        complain(
            "unknown command 'modes'; vibrations are a key of the scene: cordage run SCENE --set simulation.modes=4");
    else
        complain("unknown command '%s'; 'cordage help' lists the commands", name);
}
