// Tetrahedra as files for other programs: VTK, Gmsh, TetGen, Medit. Each is there whole or not at all.
#include "export/tetrahedra.h"
#include "base/error.h"
#include "base/regular_file.h"
#include "export/vtp.h"
#include "math/vec3.h"
#include "output/number.h"
#include "output/whole_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static cdg_result check_mesh(const char *path, const cdg_mesh *mesh, cdg_error *error) {
    for (size_t i = 0; i < mesh->point_count; i++)
        if (!vec3_is_finite(mesh->points[i]))
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "%s: nothing is written, since point %zu of the mesh is not finite", path, i);
    for (size_t i = 0; i < mesh->tetrahedron_count; i++)
        for (int k = 0; k < 4; k++)
            if (mesh->tetrahedra[i][k] >= mesh->point_count)
                return cdg_fail(error, CDG_ERROR_ARGUMENT,
                                "%s: nothing is written, since tetrahedron %zu names point %u of %zu", path, i,
                                mesh->tetrahedra[i][k], mesh->point_count);
    return CDG_OK;
}

// ---- text -----------------------------------------------------------------------------------------------------------

static void print_point(FILE *stream, cdg_vec3 point) {
    char x[CDG_NUMBER_SIZE], y[CDG_NUMBER_SIZE], z[CDG_NUMBER_SIZE];
    cdg_number_shortest(point.x, x), cdg_number_shortest(point.y, y), cdg_number_shortest(point.z, z);
    fprintf(stream, "%s %s %s", x, y, z);
}

static void print_corners(FILE *stream, const uint32_t corners[4], unsigned first) {
    fprintf(stream, "%u %u %u %u", corners[0] + first, corners[1] + first, corners[2] + first, corners[3] + first);
}

static bool write_medit(FILE *stream, const cdg_mesh *mesh, cdg_patience *patience) {
    fprintf(stream, "MeshVersionFormatted 2\nDimension 3\nVertices\n%zu\n", mesh->point_count);
    for (size_t i = 0; i < mesh->point_count; i++) {
        if (!cdg_patience_lasts_at(patience, i)) return false;
        print_point(stream, mesh->points[i]);
        fputs(" 0\n", stream);
    }
    fprintf(stream, "Tetrahedra\n%zu\n", mesh->tetrahedron_count);
    for (size_t i = 0; i < mesh->tetrahedron_count; i++) {
        if (!cdg_patience_lasts_at(patience, i)) return false;
        print_corners(stream, mesh->tetrahedra[i], 1);
        fputs(" 1\n", stream);
    }
    fputs("End\n", stream);
    return true;
}

static bool write_msh2(FILE *stream, const cdg_mesh *mesh, cdg_patience *patience) {
    fprintf(stream, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%zu\n", mesh->point_count);
    for (size_t i = 0; i < mesh->point_count; i++) {
        if (!cdg_patience_lasts_at(patience, i)) return false;
        fprintf(stream, "%zu ", i + 1);
        print_point(stream, mesh->points[i]);
        fputc('\n', stream);
    }
    fprintf(stream, "$EndNodes\n$Elements\n%zu\n", mesh->tetrahedron_count);
    for (size_t i = 0; i < mesh->tetrahedron_count; i++) {
        if (!cdg_patience_lasts_at(patience, i)) return false;
        fprintf(stream, "%zu 4 2 1 1 ", i + 1);
        print_corners(stream, mesh->tetrahedra[i], 1);
        fputc('\n', stream);
    }
    fputs("$EndElements\n", stream);
    return true;
}

// One volume without boundary entities holds everything.
static void write_entities(FILE *stream, const cdg_mesh *mesh) {
    cdg_vec3 low = mesh->point_count > 0 ? mesh->points[0] : vec3(0, 0, 0), high = low;
    for (size_t i = 1; i < mesh->point_count; i++) {
        cdg_vec3 p = mesh->points[i];
        low = vec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    fputs("$Entities\n0 0 0 1\n1 ", stream);
    print_point(stream, low);
    fputc(' ', stream);
    print_point(stream, high);
    fputs(" 0 0\n$EndEntities\n", stream);
}

static bool write_msh4(FILE *stream, const cdg_mesh *mesh, cdg_patience *patience) {
    size_t points = mesh->point_count, cells = mesh->tetrahedron_count;
    fputs("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n", stream);
    write_entities(stream, mesh);
    fprintf(stream, "$Nodes\n1 %zu 1 %zu\n3 1 0 %zu\n", points, points, points);
    for (size_t i = 0; i < points; i++) fprintf(stream, "%zu\n", i + 1);
    for (size_t i = 0; i < points; i++) {
        if (!cdg_patience_lasts_at(patience, i)) return false;
        print_point(stream, mesh->points[i]);
        fputc('\n', stream);
    }
    fprintf(stream, "$EndNodes\n$Elements\n1 %zu 1 %zu\n3 1 4 %zu\n", cells, cells, cells);
    for (size_t i = 0; i < cells; i++) {
        if (!cdg_patience_lasts_at(patience, i)) return false;
        fprintf(stream, "%zu ", i + 1);
        print_corners(stream, mesh->tetrahedra[i], 1);
        fputc('\n', stream);
    }
    fputs("$EndElements\n", stream);
    return true;
}

static bool write_node(FILE *stream, const cdg_mesh *mesh, cdg_patience *patience) {
    fprintf(stream, "%zu 3 0 0\n", mesh->point_count);
    for (size_t i = 0; i < mesh->point_count; i++) {
        if (!cdg_patience_lasts_at(patience, i)) return false;
        fprintf(stream, "%zu ", i + 1);
        print_point(stream, mesh->points[i]);
        fputc('\n', stream);
    }
    return true;
}

static bool write_ele(FILE *stream, const cdg_mesh *mesh, cdg_patience *patience) {
    fprintf(stream, "%zu 4 0\n", mesh->tetrahedron_count);
    for (size_t i = 0; i < mesh->tetrahedron_count; i++) {
        if (!cdg_patience_lasts_at(patience, i)) return false;
        fprintf(stream, "%zu ", i + 1);
        print_corners(stream, mesh->tetrahedra[i], 1);
        fputc('\n', stream);
    }
    return true;
}

typedef bool (*text_writer)(FILE *stream, const cdg_mesh *mesh, cdg_patience *patience);

static cdg_result fail_stopped(const char *path, cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_INTERRUPTED, "%s: stopped on request; nothing is written", path);
}

static cdg_result write_text(const char *path, const cdg_mesh *mesh, text_writer writer, cdg_patience *patience,
                             cdg_error *error) {
    cdg_whole_file file;
    cdg_result result = cdg_whole_file_begin(path, &file, error);
    if (result != CDG_OK) return result;
    if (writer(file.stream, mesh, patience)) return cdg_whole_file_end(&file, error);
    cdg_whole_file_abandon(&file);
    return fail_stopped(path, error);
}

// Both are written under other names first, so that a disk that fills up leaves the old pair.
static cdg_result write_pair(const char *path, const cdg_mesh *mesh, cdg_patience *patience, cdg_error *error) {
    size_t stem = strlen(path) - strlen(strrchr(path, '.'));
    char *node = malloc(stem + sizeof ".node"), *ele = malloc(stem + sizeof ".ele");
    cdg_whole_file files[2] = {{0}};
    cdg_result result =
        node != NULL && ele != NULL ? CDG_OK : cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
    if (result == CDG_OK) {
        memcpy(node, path, stem), memcpy(node + stem, ".node", sizeof ".node");
        memcpy(ele, path, stem), memcpy(ele + stem, ".ele", sizeof ".ele");
        result = cdg_whole_file_begin(node, &files[0], error);
    }
    if (result == CDG_OK) result = cdg_whole_file_begin(ele, &files[1], error);
    if (result == CDG_OK) {
        if (!write_node(files[0].stream, mesh, patience) || !write_ele(files[1].stream, mesh, patience))
            result = fail_stopped(path, error);
        fflush(files[0].stream), fflush(files[1].stream); // a full disk is noticed before the first is renamed
        if (result == CDG_OK && (ferror(files[0].stream) || ferror(files[1].stream)))
            result = cdg_fail(error, CDG_ERROR_IO, "%s: cannot write: the disk may be full", path);
    }
    if (result == CDG_OK) result = cdg_whole_file_end(&files[0], error);
    if (result == CDG_OK) result = cdg_whole_file_end(&files[1], error);
    cdg_whole_file_abandon(&files[0]);
    cdg_whole_file_abandon(&files[1]);
    free(node), free(ele);
    return result;
}

// ---- VTK ------------------------------------------------------------------------------------------------------------

enum { CELL_TETRAHEDRON = 10 };

// Three arrays of a cell each: corners, where the corners end, and what it is.
typedef struct vtu_cells {
    int64_t *corners, *ends;
    unsigned char *types;
} vtu_cells;

static bool make_cells(const cdg_mesh *mesh, vtu_cells *out) {
    size_t count = mesh->tetrahedron_count;
    *out = (vtu_cells){malloc((4 * count + 1) * sizeof(int64_t)), malloc((count + 1) * sizeof(int64_t)),
                       malloc(count + 1)};
    if (out->corners == NULL || out->ends == NULL || out->types == NULL) return false;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < 4; k++) out->corners[4 * i + k] = mesh->tetrahedra[i][k];
        out->ends[i] = (int64_t)(4 * i + 4);
        out->types[i] = CELL_TETRAHEDRON;
    }
    return true;
}

static cdg_result write_vtu(const char *path, const cdg_mesh *mesh, cdg_patience *patience, cdg_error *error) {
    cdg_vtp vtu = {.patience = patience};
    vtu_cells cells;
    bool is_good = make_cells(mesh, &cells);
    if (is_good) {
        cdg_vtp_begin(&vtu, "UnstructuredGrid");
        cdg_vtp_print(&vtu, "<UnstructuredGrid>\n<Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n<Points>\n",
                      mesh->point_count, mesh->tetrahedron_count);
        cdg_vtp_array(&vtu, "Points", CDG_VTP_FLOAT64, 3, NULL, mesh->points, mesh->point_count, false);
        cdg_vtp_print(&vtu, "</Points>\n<Cells>\n");
        cdg_vtp_array(&vtu, "connectivity", CDG_VTP_INT64, 1, NULL, cells.corners, 4 * mesh->tetrahedron_count, false);
        cdg_vtp_array(&vtu, "offsets", CDG_VTP_INT64, 1, NULL, cells.ends, mesh->tetrahedron_count, false);
        cdg_vtp_array(&vtu, "types", CDG_VTP_UINT8, 1, NULL, cells.types, mesh->tetrahedron_count, false);
        cdg_vtp_print(&vtu, "</Cells>\n</Piece>\n</UnstructuredGrid>\n");
        is_good = cdg_vtp_end(&vtu);
    }
    cdg_result result = is_good ? cdg_whole_file_write(path, vtu.xml.data, vtu.xml.size, error)
                        : cdg_patience_is_over(patience)
                            ? fail_stopped(path, error)
                            : cdg_fail(error, CDG_ERROR_MEMORY, "%s: no memory to write the mesh", path);
    cdg_vtp_free(&vtu);
    free(cells.corners), free(cells.ends), free(cells.types);
    return result;
}

// ---- all ------------------------------------------------------------------------------------------------------------

cdg_result cdg_mesh_write(const char *path, const cdg_mesh *mesh, cdg_error *error) {
    return cdg_tetrahedra_write(path, mesh, NULL, error);
}

cdg_result cdg_tetrahedra_write(const char *path, const cdg_mesh *mesh, cdg_patience *patience, cdg_error *error) {
    if (path == NULL || mesh == NULL) return cdg_fail_null(error, path == NULL ? "path" : "mesh");
    cdg_mesh_format format = cdg_mesh_format_of(path);
    cdg_result result = cdg_mesh_format_has_tetrahedra(format) ? check_mesh(path, mesh, error) : CDG_OK;
    if (result != CDG_OK) return result;
    switch (format) {
    case CDG_MESH_VTU: return write_vtu(path, mesh, patience, error);
    case CDG_MESH_MSH: return write_text(path, mesh, write_msh4, patience, error);
    case CDG_MESH_MSH2: return write_text(path, mesh, write_msh2, patience, error);
    case CDG_MESH_NODE:
    case CDG_MESH_ELE: return write_pair(path, mesh, patience, error);
    case CDG_MESH_MEDIT: return write_text(path, mesh, write_medit, patience, error);
    default: break;
    }
    return cdg_fail(error, CDG_ERROR_ARGUMENT,
                    "%s: cannot tell the format from this name; let it end in one of "
#define NAME(name, extension, text) extension " "
                    CDG_TETRAHEDRON_FORMAT_LIST(NAME)
#undef NAME
                        ,
                    path);
}
