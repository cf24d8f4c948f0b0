// A run in the formats of other programs: what can be asked for, and the loop over outputs that all formats share.
#ifndef CDG_EXPORT_EXPORT_H
#define CDG_EXPORT_EXPORT_H

#include <cordage/base.h>

// ---- formats --------------------------------------------------------------------------------------------------------

// The one list of formats: X(name, extension of the file to open, what it is for).
#define CDG_EXPORT_LIST(X)                                                                                             \
    X(vtk, ".pvd", "poly-lines with all values, for ParaView and VTK")                                                 \
    X(gltf, ".glb", "the animated skin, for Blender and the web")                                                      \
    X(usd, ".usda", "curves with widths, for Houdini, Blender and other programs that read USD")                       \
    X(csv, ".csv", "tables of nodes, elements and tetrahedra, for spreadsheets and scripts")                           \
    X(html, ".html", "one page with a player that opens in a browser without any server")

typedef struct cdg_export_format {
    const char *name, *extension, *help;
    const struct cdg_export_operations *operations; // format.h
} cdg_export_format;

size_t cdg_export_format_count(void);
const cdg_export_format *cdg_export_format_at(size_t index);
const cdg_export_format *cdg_export_format_find(const char *name); // NULL: there is none

// ---- exporting ------------------------------------------------------------------------------------------------------

typedef struct cdg_export_def {
    const char *run;    // the run's directory or its run.h5
    const char *format; // a name of the table; NULL: by the extension of `path`
    const char *path; // NULL: in the run's directory, named after the scene; a directory: there, named after the scene
    size_t first, last; // outputs, counted from 0, both included; last SIZE_MAX: the run's last
    size_t every;       // every so many of them; 0 is taken as 1
    size_t mode;        // a vibration instead of the run, from 1; 0: the run
    double amplitude;   // m, of that; 0: a tenth of the longest rod
    bool has_stripe;    // gltf: the half of the skin towards +d2 gets a second colour, so that twist shows
    bool has_no_fibers; // of strands, the simulated guides only
    const char *page;   // html: the page to put the run into, with a line CDG_EXPORT_PAGE_MARK; NULL: there is none
    size_t page_size;
    // Called after every piece of work; return false to stop (no file is left). May be NULL.
    bool (*on_progress)(void *user, size_t done, size_t total);
    void *user;
} cdg_export_def;

// Where the page's run goes.
#define CDG_EXPORT_PAGE_MARK "<!--cordage-run-->"

cdg_export_def cdg_export_def_default(void); // all outputs

typedef struct cdg_export cdg_export;

// Opens the run and checks the request, without writing anything. CDG_ERROR_ARGUMENT, CDG_ERROR_IO or CDG_ERROR_FORMAT
// with a sentence. The def's texts must live as long as the export.
cdg_result cdg_export_open(const cdg_export_def *def, cdg_export **out, cdg_error *error);
void cdg_export_close(cdg_export *export); // NULL is fine

// What will be written.
const cdg_export_format *cdg_export_get_format(const cdg_export *export);
const char *cdg_export_path(const cdg_export *export); // the file to open; csv: without '_nodes' and '_elements'
size_t cdg_export_frame_count(const cdg_export *export);
double cdg_export_estimate(const cdg_export *export); // bytes, roughly
bool cdg_export_is_large(const cdg_export *export);   // more than programs for this format like to open

// The run is older than some of the fields that the format holds: they are made from its frames (fields/recomputed.h).
bool cdg_export_is_recomputed(const cdg_export *export);

// Writes the files, once. On failure none is left and old ones stay; cdg_export_has_begun tells whether the place
// could be written at all.
cdg_result cdg_export_write(cdg_export *export, cdg_error *error);
bool cdg_export_has_begun(const cdg_export *export);
size_t cdg_export_file_count(const cdg_export *export); // written
double cdg_export_bytes(const cdg_export *export);      // written
// Files to open, of which an export has one or two: "cable.pvd"; NULL after the last.
const char *cdg_export_main_file(const cdg_export *export, size_t index);

#endif
