// Files of meshes: triangles of many formats are read, tetrahedra are read and written. The format is told by the
// name's extension, in capitals or not.
#ifndef CORDAGE_MESH_FILES_H
#define CORDAGE_MESH_FILES_H

#include <cordage/meshing.h>

#ifdef __cplusplus
extern "C" {
#endif

// The one list of formats of triangles: X(enumerator, extension, one-line description).
#define CDG_TRIANGLE_FORMAT_LIST(X)                                                                                    \
    X(CDG_TRIANGLES_STL, ".stl", "stereolithography, text or binary")                                                  \
    X(CDG_TRIANGLES_OBJ, ".obj", "Wavefront: v and f records")                                                         \
    X(CDG_TRIANGLES_PLY, ".ply", "Stanford polygons, text or binary")                                                  \
    X(CDG_TRIANGLES_OFF, ".off", "Object File Format")                                                                 \
    X(CDG_TRIANGLES_GLTF, ".gltf", "glTF 2 with its buffers beside it")                                                \
    X(CDG_TRIANGLES_GLB, ".glb", "glTF 2 in one file")

typedef enum cdg_triangle_format {
#define CDG_TRIANGLE_FORMAT_ENUM(name, extension, text) name,
    CDG_TRIANGLE_FORMAT_LIST(CDG_TRIANGLE_FORMAT_ENUM)
#undef CDG_TRIANGLE_FORMAT_ENUM
        CDG_TRIANGLE_FORMAT_COUNT // also: none of these
} cdg_triangle_format;

// The one list of formats of tetrahedra: X(enumerator, extension, one-line description).
#define CDG_TETRAHEDRON_FORMAT_LIST(X)                                                                                 \
    X(CDG_TETRAHEDRA_VTU, ".vtu", "VTK, unstructured grid in XML; for ParaView")                                       \
    X(CDG_TETRAHEDRA_MSH, ".msh", "Gmsh 4.1; text or binary, 2.2 or 4.1, when read")                                   \
    X(CDG_TETRAHEDRA_MSH2, ".msh2", "Gmsh 2.2")                                                                        \
    X(CDG_TETRAHEDRA_NODE, ".node", "TetGen: points, with its .ele beside it")                                         \
    X(CDG_TETRAHEDRA_ELE, ".ele", "TetGen: tetrahedra, with its .node beside it")                                      \
    X(CDG_TETRAHEDRA_MEDIT, ".mesh", "Medit, text")

typedef enum cdg_tetrahedron_format {
#define CDG_TETRAHEDRON_FORMAT_ENUM(name, extension, text) name,
    CDG_TETRAHEDRON_FORMAT_LIST(CDG_TETRAHEDRON_FORMAT_ENUM)
#undef CDG_TETRAHEDRON_FORMAT_ENUM
        CDG_TETRAHEDRON_FORMAT_COUNT // also: none of these
} cdg_tetrahedron_format;

// The format that a file's name says, by its extension.
cdg_triangle_format cdg_triangle_format_of(const char *path);
cdg_tetrahedron_format cdg_tetrahedron_format_of(const char *path);

// All parts of the file become one mesh, polygons are cut into triangles. `scale`: metres for one unit of the file.
// Files that are missing, too large, or announce more than they hold are refused before memory is spent; the sentence
// names the file and, where it has lines, the line. Free `out` afterwards; it is empty on failure.
cdg_result cdg_triangle_mesh_read(const char *path, double scale, cdg_triangle_mesh *out, cdg_error *error);

// What a file holds beside its tetrahedra.
typedef struct cdg_tetrahedra_found {
    size_t other_cells;  // passed over: points, lines, triangles, hexahedra, …
    size_t curved_cells; // tetrahedra of ten points or more, of which the four corners were taken
} cdg_tetrahedra_found;

// Points that no tetrahedron has are kept. Whether the mesh is sound is cdg_mesh_check's business, but every index that
// comes out is that of a point, and every coordinate is finite. `found` may be NULL.
cdg_result cdg_tetrahedral_mesh_read(const char *path, double scale, cdg_tetrahedral_mesh *out,
                                     cdg_tetrahedra_found *found, cdg_error *error);
// There whole or not at all: a file that was there before is replaced in one moment. Numbers are written so that
// reading them gives the same bits.
cdg_result cdg_tetrahedral_mesh_write(const char *path, const cdg_tetrahedral_mesh *mesh, cdg_error *error);

#ifdef __cplusplus
}
#endif
#endif
