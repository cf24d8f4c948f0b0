// Options of `cordage mesh`, part of the table of commands.
#include "command_options.h"

#include <cordage/mesh_files.h>

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
const option_spec *const mesh_options[] = {&option_mesh_output,
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
const example_line mesh_examples[] = {
    {"cordage mesh bunny.stl -o bunny.vtu --unit mm --size 2mm", "fill a scan in millimetres"},
    {"cordage mesh scan.ply -o scan.msh --close 1cm --report scan.html", "close holes; a page with what came out"},
    {"cordage mesh part.obj -o part.mesh --keep-creases 40deg --improve", "sharp edges stay, angles get better"},
    {"cordage mesh torus.stl -o torus.node --lattice --smooth 10", "cubes of five tetrahedra, smoothed"},
    {"cordage mesh theirs.msh -o ours.vtu", "check a mesh of others and convert it"},
    {NULL, NULL},
};
