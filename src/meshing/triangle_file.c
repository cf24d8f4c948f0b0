// Reading triangles, whatever the format. OBJ, PLY and OFF by our own code, which tells the line of a fault and ends on
// any input; STL and glTF by assimp.
#include "meshing/triangle_file.h"

#include "base/error.h"
#include "meshing/assimp_file.h"
#include "meshing/polygon_files.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- what the head announces ----------------------------------------------------------------------------------------

static cdg_result refuse_count(const char *path, double count, const char *what, size_t size, cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_FORMAT,
                    "%s: its head announces %.15g %s, but its %zu bytes cannot hold so many; it is cut off or no mesh",
                    path, count, what, size);
}

static uint64_t word_at(const cdg_file_bytes *bytes, size_t offset) { // four bytes, the lowest first
    const unsigned char *at = (const unsigned char *)bytes->data + offset;
    return at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24;
}

// Binary: 80 bytes of anything, the number of triangles, then 50 bytes each. A text begins with "solid".
static cdg_result check_stl(const char *path, const cdg_file_bytes *bytes, cdg_error *error) {
    const char *text = bytes->data;
    while (isspace((unsigned char)*text)) text++;
    if (bytes->size < 84 || strncmp(text, "solid", 5) == 0) return CDG_OK;
    uint64_t count = word_at(bytes, 80);
    if (count <= (bytes->size - 84) / 50) return CDG_OK;
    return refuse_count(path, (double)count, "triangles", bytes->size, error);
}

// A head, the whole length, then chunks that each begin with their length: they must all lie within the file.
static bool is_whole_glb(const cdg_file_bytes *bytes) {
    if (bytes->size < 20 || memcmp(bytes->data, "glTF\2\0\0\0", 8) != 0 || word_at(bytes, 8) > bytes->size)
        return false;
    size_t at = 12;
    while (bytes->size - at >= 8) {
        uint64_t length = word_at(bytes, at);
        if (length > bytes->size - at - 8) return false;
        at += 8 + (size_t)length;
    }
    return true;
}

// Numbers of a glTF file stand in buffers, which may be files of their own; its text only counts them.
static cdg_result check_gltf(const char *path, const cdg_file_bytes *bytes, cdg_error *error) {
    static const double most = 3e8;
    // assimp tries all of its readers on a file that is not what its name says
    const char *text = bytes->data + strspn(bytes->data, " \t\r\n");
    bool is_binary = cdg_path_ends_with(path, ".glb");
    bool is_gltf = is_binary ? is_whole_glb(bytes) : *text == '{' && strstr(text, "\"asset\"") != NULL;
    if (!is_gltf) return cdg_fail(error, CDG_ERROR_FORMAT, "%s: this is no glTF 2 file, or it is cut off", path);
    for (const char *at = bytes->data, *end = at + bytes->size; at < end; at += strlen(at) + 1)
        for (const char *found = at; (found = strstr(found, "\"count\"")) != NULL;) {
            found += strlen("\"count\"");
            found += strspn(found, " \t\r\n:");
            double count = strtod(found, NULL);
            if (count > most || count < 0) return refuse_count(path, count, "elements", bytes->size, error);
        }
    return CDG_OK;
}

cdg_result cdg_triangle_file_check_head(const char *path, const cdg_file_bytes *bytes, cdg_error *error) {
    switch (cdg_mesh_format_of(path)) {
    case CDG_MESH_STL: return check_stl(path, bytes, error);
    case CDG_MESH_GLTF:
    case CDG_MESH_GLB: return check_gltf(path, bytes, error);
    default: return CDG_OK; // our own readers look for themselves
    }
}

// ---- reading --------------------------------------------------------------------------------------------------------

static cdg_result refuse_format(const char *path, cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_FORMAT,
                    "%s: triangles are read from files that end in "
#define NAME(name, extension, text) extension " "
                    CDG_TRIANGLE_FORMAT_LIST(NAME)
#undef NAME
                        "; convert it to one of these",
                    path);
}

static cdg_result read_format(cdg_mesh_format format, const char *path, const cdg_file_bytes *bytes, double scale,
                              cdg_mesh *out, cdg_error *error) {
    if (format == CDG_MESH_OBJ) return cdg_obj_read(path, bytes, scale, out, error);
    if (format == CDG_MESH_PLY) return cdg_ply_read(path, bytes, scale, out, error);
    if (format == CDG_MESH_OFF) return cdg_off_read(path, bytes, scale, out, error);
    return cdg_assimp_read(path, bytes, CDG_MESH_FILE_BYTES_MAX, scale, out, error);
}

cdg_result cdg_triangles_read(const char *path, double scale, cdg_mesh *out, cdg_error *error) {
    if (path == NULL || out == NULL) return cdg_fail_null(error, path == NULL ? "path" : "out");
    *out = (cdg_mesh){0};
    cdg_mesh_format format = cdg_mesh_format_of(path);
    if (!cdg_mesh_format_has_triangles(format)) return refuse_format(path, error);
    if (!(scale > 0 && isfinite(scale)))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "%s: its scale must be a finite number above 0, not %g", path,
                        scale);
    cdg_file_bytes bytes;
    cdg_result result = cdg_regular_file_read(path, CDG_MESH_FILE_BYTES_MAX, &bytes.data, &bytes.size, error);
    if (result != CDG_OK) return result;
    if (bytes.size == 0) result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: the file is empty", path);
    if (result == CDG_OK) result = cdg_triangle_file_check_head(path, &bytes, error);
    if (result == CDG_OK) result = read_format(format, path, &bytes, scale, out, error);
    free(bytes.data);
    return result;
}
