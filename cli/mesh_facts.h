// What is known of a mesh when 'cordage mesh' has done its work, and the ways to tell it: text, JSON, a page.
#ifndef CLI_MESH_FACTS_H
#define CLI_MESH_FACTS_H

#include "meshing/hausdorff.h"
#include "options.h"

#include <cordage/mesh_files.h>

typedef struct mesh_facts {
    const char *input, *output; // output NULL: none
    bool is_filled;             // from triangles; else the tetrahedra were read
    size_t triangle_count;      // of the surface that was filled
    cdg_mesher_report report;   // of filling
    cdg_mesh_found found;       // beside tetrahedra that were read
    size_t turned_count;        // read tetrahedra that were all left-handed and have been turned
    cdg_mesh mesh;
    cdg_mesh_quality quality;
    cdg_mesh_faults faults;
    bool has_distances;
    cdg_hausdorff to_surface, from_surface; // from the mesh's boundary to the surface, and back
    double seconds;
} mesh_facts;

void mesh_facts_print(const mesh_facts *facts);
void mesh_facts_print_json(const command_line *line, const mesh_facts *facts, exit_status status, const char *message);
// An HTML page; `png` may be NULL.
cdg_result mesh_facts_write_page(const mesh_facts *facts, const char *path, const unsigned char *png, size_t png_size,
                                 cdg_error *error);

// Counted faults in words, "2 inverted, 1 flat"; unused points are no fault of elements but are told. "" for none.
void mesh_faults_text(const cdg_mesh_faults *faults, char *out, size_t size);
// Whether any fault but unused points was found.
bool mesh_has_faults(const cdg_mesh_faults *faults);

#endif
