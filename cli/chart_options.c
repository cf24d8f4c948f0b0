// Options of `cordage plot` and `cordage compare`, parts of the table of commands.
#include "command_options.h"

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
const option_spec *const plot_options[] = {&option_plot_output, &option_columns, &option_along, &option_field,
                                           &option_plot_time,   &option_from,    &option_to,    &option_log,
                                           &option_plot_size,   &option_title,   &option_html,  &option_quiet,
                                           &option_plot_json,   &option_help,    NULL};
const example_line plot_examples[] = {
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
const option_spec *const compare_options[] = {&option_models,
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
const example_line compare_examples[] = {
    {"cordage compare cable.yaml --models pobd,der", "two models"},
    {"cordage compare cable.yaml -v coarse:rods.cable.elements=10 -v fine:rods.cable.elements=100 --against fine",
     "two resolutions"},
    {"cordage compare cable.yaml -m pobd -v sweeps:simulation.pobd.solver=gauss_seidel,simulation.pobd.iterations=50",
     "a model and a setting of it"},
    {"cordage compare cable.yaml --models pobd,corde --view", "both in the browser, one over the other"},
    {NULL, NULL},
};
