// OFF: a word that tells what corners carry, three counts, corners, faces. Text.
#include "base/error.h"
#include "math/vec3.h"
#include "meshing/polygon_files.h"
#include "meshing/text_scan.h"
#include "meshing/triangle_build.h"

#include <string.h>

typedef struct off_reader {
    cdg_text_scan scan;
    cdg_triangle_build build;
} off_reader;

static cdg_result no_memory(const off_reader *in) {
    return cdg_fail(in->scan.error, CDG_ERROR_MEMORY, "%s: out of memory while reading triangles", in->scan.path);
}

// "OFF", "COFF" with colours, "NOFF" with normals, "STOFF" with textures; all of these stand behind the place.
static cdg_result read_head(off_reader *in, size_t *corners, size_t *faces) {
    cdg_word word;
    int64_t edges;
    bool is_off = cdg_scan_word(&in->scan, &word) && word.size >= 3 && memcmp(word.text + word.size - 3, "OFF", 3) == 0;
    if (!is_off) return cdg_scan_fail(&in->scan, "an OFF file begins with OFF");
    for (size_t i = 0; i + 3 < word.size; i++)
        if (word.text[i] == '4' || word.text[i] == 'n')
            return cdg_scan_fail(&in->scan, "its corners do not have three dimensions");
    cdg_text_scan before = in->scan;
    if (cdg_scan_word(&in->scan, &word) && cdg_word_is(word, "BINARY"))
        return cdg_scan_fail(&in->scan, "binary OFF files are not read; save it as text");
    in->scan.at = before.at, in->scan.line = before.line;
    cdg_result result = cdg_scan_count(&in->scan, "the number of corners", 6, corners); // "0 0 0\n"
    if (result == CDG_OK) result = cdg_scan_count(&in->scan, "the number of faces", 2, faces);
    if (result == CDG_OK) result = cdg_scan_integer(&in->scan, "the number of edges", &edges);
    return result;
}

static cdg_result read_corner(off_reader *in) {
    double at[3];
    cdg_result result = CDG_OK;
    for (int k = 0; result == CDG_OK && k < 3; k++) result = cdg_scan_number(&in->scan, "a coordinate", &at[k]);
    if (result != CDG_OK) return result;
    cdg_vec3 point = vec3(at[0], at[1], at[2]);
    if (!vec3_is_finite(vec3_scale(in->build.scale, point)))
        return cdg_scan_fail(&in->scan, "a coordinate is not finite after scaling");
    cdg_scan_skip_line(&in->scan);
    return cdg_triangle_build_point(&in->build, point) ? CDG_OK : no_memory(in);
}

static cdg_result read_face(off_reader *in) {
    size_t count;
    uint32_t fan[3] = {0};
    cdg_result result = cdg_scan_count(&in->scan, "a face's number of corners", 2, &count);
    for (size_t i = 0; result == CDG_OK && i < count; i++) {
        int64_t corner;
        result = cdg_scan_integer(&in->scan, "a face's corner", &corner);
        if (result == CDG_OK && (corner < 0 || (uint64_t)corner >= in->build.mesh.point_count))
            result = cdg_scan_fail(&in->scan, "a face names corner %lld; there are %zu, from 0", (long long)corner,
                                   in->build.mesh.point_count);
        if (result == CDG_OK && !cdg_triangle_build_corner(&in->build, fan, i, (uint32_t)corner, in->scan.line))
            result = no_memory(in);
    }
    cdg_scan_skip_line(&in->scan); // colours
    return result;
}

cdg_result cdg_off_read(const char *path, const cdg_file_bytes *bytes, double scale, cdg_mesh *out, cdg_error *error) {
    off_reader in = {.scan = cdg_scan_begin(path, bytes->data, bytes->size, error), .build = {.scale = scale}};
    size_t corners = 0, faces = 0;
    cdg_result result = read_head(&in, &corners, &faces);
    if (result == CDG_OK && corners > UINT32_MAX) result = cdg_scan_fail(&in.scan, "there are too many corners");
    for (size_t i = 0; result == CDG_OK && i < corners; i++) result = read_corner(&in);
    for (size_t i = 0; result == CDG_OK && i < faces; i++) result = read_face(&in);
    cdg_scan_end(&in.scan);
    if (result == CDG_OK && in.build.mesh.triangle_count == 0)
        result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: there are no triangles in it", path);
    if (result != CDG_OK) cdg_mesh_free(&in.build.mesh);
    *out = in.build.mesh;
    return result;
}
