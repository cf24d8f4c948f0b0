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
    X(CDG_MESH_STL, ".stl", "stereolithography, text or binary")                                                       \
    X(CDG_MESH_OBJ, ".obj", "Wavefront: v and f records")                                                              \
    X(CDG_MESH_PLY, ".ply", "Stanford polygons, text or binary")                                                       \
    X(CDG_MESH_OFF, ".off", "Object File Format")                                                                      \
    X(CDG_MESH_GLTF, ".gltf", "glTF 2 with its buffers beside it")                                                     \
    X(CDG_MESH_GLB, ".glb", "glTF 2 in one file")

// The one list of formats of tetrahedra: X(enumerator, extension, one-line description).
#define CDG_TETRAHEDRON_FORMAT_LIST(X)                                                                                 \
    X(CDG_MESH_VTU, ".vtu", "VTK, unstructured grid in XML; for ParaView")                                             \
    X(CDG_MESH_MSH, ".msh", "Gmsh 4.1; text or binary, 2.2 or 4.1, when read")                                         \
    X(CDG_MESH_MSH2, ".msh2", "Gmsh 2.2")                                                                              \
    X(CDG_MESH_NODE, ".node", "TetGen: points, with its .ele beside it")                                               \
    X(CDG_MESH_ELE, ".ele", "TetGen: tetrahedra, with its .node beside it")                                            \
    X(CDG_MESH_MEDIT, ".mesh", "Medit, text")

typedef enum cdg_mesh_format {
#define CDG_MESH_FORMAT_ENUM(name, extension, text) name,
    CDG_TRIANGLE_FORMAT_LIST(CDG_MESH_FORMAT_ENUM) CDG_TETRAHEDRON_FORMAT_LIST(CDG_MESH_FORMAT_ENUM)
#undef CDG_MESH_FORMAT_ENUM
        CDG_MESH_FORMAT_COUNT // also: none of these
} cdg_mesh_format;

// The format that a file's name says, by its extension.
cdg_mesh_format cdg_mesh_format_of(const char *path);
// Whether files of a format hold triangles, or tetrahedra; neither is true of CDG_MESH_FORMAT_COUNT.
bool cdg_mesh_format_has_triangles(cdg_mesh_format format);
bool cdg_mesh_format_has_tetrahedra(cdg_mesh_format format);

// Other contents of a file of tetrahedra.
typedef struct cdg_mesh_found {
    size_t other_cells;  // passed over: points, lines, triangles, hexahedra, …
    size_t curved_cells; // tetrahedra of ten points or more, of which the four corners were taken
} cdg_mesh_found;

// Reads a mesh of any of these formats: triangles (polygons are cut into them) or tetrahedra, all parts of the file as
// one. `scale`: metres for one unit of the file. Files that are missing, too large, or announce more than they hold are
// refused before memory is spent; the sentence names the file and, where it has lines, the line. Every index that comes
// out is that of a point, and every coordinate is finite; cdg_mesh_check tells whether tetrahedra are sound. Points
// that belong to none of them are kept. `found` may be NULL. Free `out` afterwards; it is empty on failure.
cdg_result cdg_mesh_read(const char *path, double scale, cdg_mesh *out, cdg_mesh_found *found, cdg_error *error);
// Writes the tetrahedra of a mesh, whole or not at all: a file that was there before is replaced in one moment. Numbers
// are written so that reading them gives the same bits.
cdg_result cdg_mesh_write(const char *path, const cdg_mesh *mesh, cdg_error *error);

#ifdef __cplusplus
}
#endif
#endif
