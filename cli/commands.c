// The one table of commands and options. Parsing, --help, the man page and completion are all made from it.
#include "commands.h"

#include "export/export.h"
#include "terminal.h"

#include <cordage/mesh_files.h>

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
static const option_spec *const run_options[] = {
    &option_output,    &option_set,       &option_model, &option_threads, &option_resume,
    &option_run_force, &option_run_quiet, &option_json,  &option_help,    NULL};
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
static const option_spec option_time = {.name = "time",
                                        .kind = OPTION_TEXT,
                                        .value = "T",
                                        .help = "Show this time, in s. Between outputs shapes are interpolated.",
                                        .initial = "the last output"};
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
            "orbit=30,10 (degrees to the right and upward of where it would stand) and fit=moment (what a picture "
            "shows fills "
            "it, not the whole run).",
    .initial = "the whole run fits"};
static const option_spec option_color = {
    .name = "color",
    .kind = OPTION_TEXT,
    .value = "WHAT",
    .help = "Colour by rod, or by what 'plot --field' shows: twist, curvature, tension, speed, strain, moment.3, ... "
            "Fields get a legend.",
    .initial = "rod"};
static const option_spec option_range = {.name = "range",
                                         .kind = OPTION_TEXT,
                                         .value = "LOW:HIGH",
                                         .help = "The values at the ends of the legend.",
                                         .initial = "what occurs in the run"};
static const option_spec option_stripe = {
    .name = "stripe",
    .kind = OPTION_FLAG,
    .help = "Paint half of each rod in a second colour, along its material, so that twist is seen."};
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
    .name = "ground", .kind = OPTION_FLAG, .help = "Draw the ground, which catches shadows, even without gravity."};
static const option_spec option_no_ground = {.name = "no-ground", .kind = OPTION_FLAG, .help = "Draw no ground."};
static const option_spec option_no_fibers = {
    .name = "no-fibers", .kind = OPTION_FLAG, .help = "Of strands, show the simulated guides only."};
static const option_spec option_plain = {
    .name = "plain", .kind = OPTION_FLAG, .help = "Write nothing on the picture: no time, no legend."};
static const option_spec option_cut = {
    .name = "cut",
    .kind = OPTION_TEXT,
    .value = "PLANE",
    .help = "Of a mesh: take away what lies beyond a plane, and show the tetrahedra behind it whole. x, -y, z: "
            "through the middle, across that axis; z=2cm: at that height; 1,1,0 or 1,1,0=2cm: across that direction. "
            "What the direction points to is taken away."};
static const option_spec *const render_options[] = {&option_render_output, &option_size,       &option_time,
                                                    &option_frame,         &option_mode,       &option_amplitude,
                                                    &option_sheet,         &option_fps,        &option_speed,
                                                    &option_camera,        &option_color,      &option_range,
                                                    &option_contacts,      &option_stripe,     &option_thickness,
                                                    &option_quality,       &option_background, &option_cut,
                                                    &option_ground,        &option_no_ground,  &option_no_fibers,
                                                    &option_plain,         &option_threads,    &option_quiet,
                                                    &option_json,          &option_help,       NULL};
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
static const option_spec option_no_browser = {
    .name = "no-browser", .kind = OPTION_FLAG, .help = "Print the address only; open no browser."};
static const option_spec option_view_speed = {.name = "speed",
                                              .kind = OPTION_TEXT,
                                              .value = "FACTOR",
                                              .help = "Simulated seconds a second: 0.1 is slow motion.",
                                              .initial = "1"};
static const option_spec option_paused = {.name = "paused", .kind = OPTION_FLAG, .help = "Wait for play."};
static const option_spec *const view_options[] = {
    &option_port, &option_listen, &option_no_browser, &option_view_speed, &option_paused,
    &option_set,  &option_model,  &option_threads,    &option_quiet,      &option_help,
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

// ---- mesh -----------------------------------------------------------------------------------------------------------

#define TETRAHEDRON_LINE(name, extension, help) " " extension ": " help "."
static const option_spec option_mesh_output = {
    .name = "output",
    .letter = 'o',
    .kind = OPTION_TEXT,
    .value = "FILE",
    .word = WORD_FILE,
    .help = "Write the tetrahedra to FILE, in m." CDG_TETRAHEDRON_FORMAT_LIST(TETRAHEDRON_LINE),
    .initial = "nothing is written; the summary is printed"};
#undef TETRAHEDRON_LINE
static const option_spec option_unit = {.name = "unit",
                                        .kind = OPTION_TEXT,
                                        .value = "LENGTH",
                                        .help = "What one unit of the input file is: mm, cm, 0.0254m.",
                                        .initial = "m"};
static const option_spec option_mesh_size = {
    .name = "size",
    .kind = OPTION_TEXT,
    .value = "LENGTH",
    .help = "Edge of the lattice's cubes at the surface; elements there are about as large. Half the size gives four "
            "times as many elements where they grow inward, eight times with --grading 0.",
    .initial = "a 24th of the longest side, finer where thin"};
static const option_spec option_grading = {
    .name = "grading",
    .kind = OPTION_TEXT,
    .value = "X",
    .help = "How fast elements grow away from the surface: 0 all are alike, 0.5 two layers of each size, 1 each layer "
            "may be twice as large as the one before.",
    .initial = "1"};
static const option_spec option_lattice = {
    .name = "lattice",
    .kind = OPTION_FLAG,
    .help = "Five tetrahedra a cube, kept where they are full enough, then smoothed so that the volume stays: even, "
            "but without bounds for angles."};
static const option_spec option_density = {.name = "density",
                                           .kind = OPTION_TEXT,
                                           .value = "X",
                                           .help = "With --lattice: the share of an element that must be inside.",
                                           .initial = "0.5"};
static const option_spec option_smooth = {.name = "smooth",
                                          .kind = OPTION_INTEGER,
                                          .value = "N",
                                          .minimum = 0,
                                          .maximum = 10000,
                                          .help = "With --lattice: passes of smoothing over the boundary."};
static const option_spec option_close = {
    .name = "close",
    .kind = OPTION_TEXT,
    .value = "LENGTH",
    .help =
        "The largest hole to close. Under winding numbers pieces with larger holes are left out; under votes (leaves, "
        "pieces that cannot be oriented) it tells how far from triangles a line still passes the surface.",
    .initial = "all holes; under votes from the triangles' own gaps"};
static const option_spec option_inside = {
    .name = "inside",
    .kind = OPTION_TEXT,
    .value = "RULE",
    .help = "How to tell inside from outside: winding (winding numbers, for what can be oriented), vote (13 rays "
            "through each place) or auto.",
    .initial = "auto"};
static const option_spec option_creases = {
    .name = "keep-creases",
    .kind = OPTION_TEXT,
    .value = "ANGLE",
    .help = "Keep edges that bend by more than ANGLE sharp, such as 40deg, where the elements' angles allow it."};
static const option_spec option_improve = {
    .name = "improve",
    .kind = OPTION_FLAG,
    .help = "Improve angles inside by swaps and moves afterwards; the smallest angle never falls, the "
            "boundary stays."};
static const option_spec option_mesh_report = {
    .name = "report",
    .kind = OPTION_TEXT,
    .value = "FILE",
    .word = WORD_FILE,
    .help = "Write a page (.html) with numbers, a histogram of dihedral angles and a picture. It needs no other file."};
static const option_spec option_mesh_picture = {.name = "picture",
                                                .kind = OPTION_TEXT,
                                                .value = "FILE",
                                                .word = WORD_FILE,
                                                .help = "Write a picture (.png) of the mesh, cut open."};
static const option_spec *const mesh_options[] = {&option_mesh_output,
                                                  &option_unit,
                                                  &option_mesh_size,
                                                  &option_grading,
                                                  &option_close,
                                                  &option_inside,
                                                  &option_creases,
                                                  &option_improve,
                                                  &option_lattice,
                                                  &option_density,
                                                  &option_smooth,
                                                  &option_mesh_report,
                                                  &option_mesh_picture,
                                                  &option_cut,
                                                  &option_threads,
                                                  &option_quiet,
                                                  &option_json,
                                                  &option_help,
                                                  NULL};
static const example_line mesh_examples[] = {
    {"cordage mesh bunny.stl -o bunny.vtu --unit mm --size 2mm", "fill a scan in millimetres"},
    {"cordage mesh scan.ply -o scan.msh --close 1cm --report scan.html", "close holes; a page with what came out"},
    {"cordage mesh part.obj -o part.mesh --keep-creases 40deg --improve", "sharp edges stay, angles get better"},
    {"cordage mesh torus.stl -o torus.node --lattice --smooth 10", "cubes of five tetrahedra, smoothed"},
    {"cordage mesh theirs.msh -o ours.vtu", "check a mesh of others and convert it"},
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
static const option_spec option_quick = {.name = "quick", .help = "Let long cases use fewer elements or less time."};
static const option_spec option_report = {.name = "html",
                                          .kind = OPTION_TEXT,
                                          .value = "FILE",
                                          .help = "Write a report with plots and pictures to FILE: one page that needs "
                                                  "nothing from outside."};
static const option_spec option_markdown = {.name = "markdown", .help = "Print the results as Markdown tables."};
static const option_spec *const validate_options[] = {&option_list,  &option_report,   &option_json,
                                                      &option_quiet, &option_markdown, &option_quick,
                                                      &option_wrong, &option_help,     NULL};
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

// ---- plot -----------------------------------------------------------------------------------------------------------

static const option_spec option_plot_output = {
    .name = "output",
    .letter = 'o',
    .kind = OPTION_TEXT,
    .value = "FILE",
    .help = "Write all charts into one file: .svg, .png or .html.",
    .initial = "each chart as .svg and .png and one page, in the run's directory under 'plots'"};
static const option_spec option_columns = {
    .name = "columns",
    .letter = 'c',
    .kind = OPTION_TEXT,
    .value = "NAMES",
    .help = "Plot these over time, separated by commas: columns of probes.csv (tip_z) and energies (energy.total). "
            "'*' and '?' stand for any letters. Columns of the same unit share a chart.",
    .initial = "all energies and all probes"};
static const option_spec option_along = {.name = "along",
                                         .kind = OPTION_TEXT,
                                         .value = "ROD",
                                         .help = "Plot along this rod instead of over time; '*' stands for every rod."};
static const option_spec option_field = {
    .name = "field",
    .kind = OPTION_TEXT,
    .value = "NAMES",
    .help = "With --along: what to plot, separated by commas. tension, moment.1, forces.2, curvature, twist, strain, "
            "speed, strains.1, positions.z, velocities.x, angular_velocities.3, frames.w, radius, rest_length. A "
            "vector without "
            "a component gives a chart for each.",
    .initial = "tension"};
static const option_spec option_plot_time = {
    .name = "time",
    .kind = OPTION_LIST,
    .value = "T",
    .help = "With --along: at the output nearest to this time, 1.5 or '20 ms'. Several times, separated by commas or "
            "given one by one, make several curves.",
    .initial = "the last output"};
static const option_spec option_plot_size = {.name = "size",
                                             .kind = OPTION_TEXT,
                                             .value = "WxH",
                                             .help = "Width and height of each picture, in pixels.",
                                             .initial = "what suits the charts"};
static const option_spec option_log = {
    .name = "log", .kind = OPTION_FLAG, .help = "A logarithmic vertical axis. Values of zero or less are left out."};
static const option_spec option_from = {.name = "from",
                                        .kind = OPTION_TEXT,
                                        .value = "X",
                                        .help =
                                            "Begin the horizontal axis here: a time, or an arc length with --along."};
static const option_spec option_to = {
    .name = "to", .kind = OPTION_TEXT, .value = "X", .help = "End the horizontal axis here."};
static const option_spec option_title = {.name = "title",
                                         .kind = OPTION_TEXT,
                                         .value = "TEXT",
                                         .help = "The title above the charts.",
                                         .initial = "that of the scene"};
static const option_spec option_html = {
    .name = "html",
    .kind = OPTION_TEXT,
    .value = "FILE",
    .help = "Write a page with charts, a table and values under the pointer. It needs no other file."};
static const option_spec option_plot_json = {
    .name = "json",
    .kind = OPTION_FLAG,
    .help = "Print the numbers of all charts as one JSON document on standard output. Files are written only "
            "where --output or --html ask for them."};
static const option_spec *const plot_options[] = {&option_plot_output, &option_columns, &option_along, &option_field,
                                                  &option_plot_time,   &option_from,    &option_to,    &option_log,
                                                  &option_plot_size,   &option_title,   &option_html,  &option_quiet,
                                                  &option_plot_json,   &option_help,    NULL};
static const example_line plot_examples[] = {
    {"cordage plot cable-run", "energies and probes over time, into cable-run/plots/"},
    {"cordage plot cable-run -o tip.svg --columns tip_z", "one column"},
    {"cordage plot cable-run -o cable.png --along cable --field tension,curvature --time 0.2,0.5,1",
     "along a rod at three times"},
    {"cordage plot cable-run --html cable.html", "one page to send to somebody"},
    {NULL, NULL},
};

// ---- compare --------------------------------------------------------------------------------------------------------

static const option_spec option_compare_output = {
    .name = "output",
    .letter = 'o',
    .kind = OPTION_TEXT,
    .value = "DIR",
    .word = WORD_DIRECTORY,
    .help = "Write into DIR: each variant's run in DIR/NAME, compare.svg, .png and .html, and compare_pictures.png.",
    .initial = "the scene's name with '-compare' behind it, in the current directory"};
static const option_spec option_models = {.name = "models",
                                          .letter = 'm',
                                          .kind = OPTION_TEXT,
                                          .value = "A,B,...",
                                          .word = WORD_MODEL,
                                          .help = "Run the scene with each of these models, for all of its rods."};
static const option_spec option_variant = {
    .name = "variant",
    .letter = 'v',
    .kind = OPTION_LIST,
    .value = "NAME:PATH=VALUE,...",
    .help = "Run the scene with these settings, written as for --set, and call it NAME. May be given several times; "
            "nothing behind the colon is the scene as it is."};
static const option_spec option_against = {.name = "against",
                                           .kind = OPTION_TEXT,
                                           .value = "NAME",
                                           .help = "Measure distances from this variant.",
                                           .initial = "the first"};
static const option_spec option_no_pictures = {
    .name = "no-pictures", .kind = OPTION_FLAG, .help = "Do not draw compare_pictures.png, which takes longest."};
static const option_spec option_compare_view = {
    .name = "view",
    .kind = OPTION_FLAG,
    .help = "Then show two of the runs in the browser, one over the other, as cordage view does."};
static const option_spec *const compare_options[] = {&option_models,
                                                     &option_variant,
                                                     &option_against,
                                                     &option_no_pictures,
                                                     &option_compare_view,
                                                     &option_no_browser,
                                                     &option_compare_output,
                                                     &option_set,
                                                     &option_threads,
                                                     &option_quiet,
                                                     &option_json,
                                                     &option_help,
                                                     NULL};
static const example_line compare_examples[] = {
    {"cordage compare cable.yaml --models pobd,der", "two models"},
    {"cordage compare cable.yaml -v coarse:rods.cable.elements=10 -v fine:rods.cable.elements=100 --against fine",
     "two resolutions"},
    {"cordage compare cable.yaml -m pobd -v sweeps:simulation.pobd.solver=gauss_seidel,simulation.pobd.iterations=50",
     "a model and a setting of it"},
    {"cordage compare cable.yaml --models pobd,corde --view", "both in the browser, one over the other"},
    {NULL, NULL},
};

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
            "solver gauss_seidel and without contact, with the same step and elements. Results are those of single "
            "cases up to rounding."};
static const option_spec option_keep_runs = {.name = "keep-runs",
                                             .kind = OPTION_FLAG,
                                             .help =
                                                 "Keep the run of each case, as 'cordage run' writes it, in DIR/runs."};
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
static const option_spec *const sweep_options[] = {
    &option_vary,   &option_sweep_gradient, &option_probe,        &option_samples,
    &option_method, &option_seed,           &option_sweep_output, &option_set,
    &option_model,  &option_sweep_threads,  &option_processes,    &option_mpi,
    &option_lanes,  &option_keep_runs,      &option_sweep_resume, &option_sweep_force,
    &option_quiet,  &option_json,           &option_help,         NULL};
static const example_line sweep_examples[] = {
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
static const option_spec *const fit_options[] = {&option_fit_vary,   &option_fit_to,
                                                 &option_set,        &option_model,
                                                 &option_fit_output, &option_confidence,
                                                 &option_starts,     &option_seed,
                                                 &option_iterations, &option_threads,
                                                 &option_quiet,      &option_json,
                                                 &option_help,       NULL};
static const example_line fit_examples[] = {
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
static const option_spec *const gradient_options[] = {
    &option_gradient_vary, &option_gradient_probe, &option_set, &option_model, &option_json, &option_help, NULL};
static const example_line gradient_examples[] = {
    {"cordage gradient static_elastica --vary \"loads.0.force.2=-3.3 N\" --probe tip",
     "how the tip of a strip follows its load"},
    {"cordage gradient cable.yaml -v \"E: materials.rubber.young_modulus=2 MPa\" -v \"r: "
     "rods.cable.section.circle.radius=4 mm\" --json",
     "two rates, as numbers for a program"},
    {NULL, NULL}};

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
     .arguments = "DIR|MESH",
     .word = WORD_FILE,
     .minimum = 1,
     .maximum = 1,
     .summary = "draw a picture or a film of a run, or a picture of a mesh",
     .description =
         "Draws the run in DIR, or its run.h5, by ray tracing: a picture (.png), by default of the last output, a "
         "contact sheet (--sheet), or a film (.mp4 with H.264, .webm with VP9).\n\n"
         "The camera stands where the whole run fits. The ground lies below the run's lowest point, across gravity. "
         "Rods "
         "that would be too thin to be seen are drawn thicker, and the picture says so. Colours of a field mean the "
         "same during the whole run.\n\n"
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
         "Runs SCENE again and again with other values in it and keeps what its probes say: table.csv and table.h5 "
         "have "
         "a row a case, report.html shows charts. A case that fails is a row with its reason, and the others go on. "
         "What a case wants to be doubted for (a solver that stopped early, an unstable equilibrium) stands there, "
         "too.\n\n"
         "SWEEP is a file that says all of it: 'sweep: 1', 'scene: FILE', 'vary:' a map of paths to values, 'probes:', "
         "and 'set', 'samples', 'method', 'seed', 'lanes', 'output'.\n\n"
         "Cases run on threads, on processes (--processes) or on the ranks of MPI (mpirun -n N cordage sweep ...); "
         "whoever is free takes the next. The table is the same for any number of them. Each case that has ended is in "
         "the journal at once, so that nothing finished is lost whatever ends the sweep.",
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
         "Looks for the values of --vary with which SCENE comes nearest to what was measured (--to), and says how sure "
         "they are. Measurements are probes over time (a film of a tip), probes over another probe (a force curve), or "
         "points of a rod, in any order, in a plane or in space (a photograph).\n\n"
         "The sum of squares, in units of the noise, is made least within the ranges; noise that the files do not "
         "state "
         "is estimated from what is left over. Cases run side by side on all cores. Where the scene is static, with "
         "model der or galpha, rates are exact. Warnings tell of values at the end of their range, of combinations "
         "that "
         "the data do not determine, and of data that the scene does not explain.\n\n"
         "The exit status is 1 when the search did not come to its end.",
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
    if (nearest)
        complain("unknown command '%s'; did you mean '%s'?", name, nearest);
    else
        complain("unknown command '%s'; 'cordage help' lists the commands", name);
}
