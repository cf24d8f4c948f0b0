// TetGen's pair of files: points in .node, tetrahedra in .ele, both text.
#include "base/error.h"
#include "meshing/tetrahedra_build.h"
#include "meshing/text_scan.h"

#include <stdlib.h>
#include <string.h>

static cdg_result read_points(cdg_tetrahedra_build *build, cdg_text_scan *scan, int64_t *first) {
    size_t count;
    int64_t dimension, number;
    cdg_result result = cdg_scan_count(scan, "the number of points", 8, &count); // "1 0 0 0\n"
    if (result == CDG_OK) result = cdg_scan_integer(scan, "the dimension", &dimension);
    if (result == CDG_OK && dimension != 3)
        result = cdg_scan_fail(scan, "the points have %lld dimensions; tetrahedra need 3", (long long)dimension);
    cdg_scan_skip_line(scan); // attributes, markers
    if (result == CDG_OK) result = cdg_build_reserve_points(build, count);
    for (size_t i = 0; result == CDG_OK && i < count; i++) {
        double at[3];
        result = cdg_scan_integer(scan, "a point's number", &number);
        if (result == CDG_OK && i == 0) *first = number;
        if (result == CDG_OK && (*first < 0 || *first > 1 || number != *first + (int64_t)i))
            result = cdg_scan_fail(scan, "points are numbered 0, 1, 2, ... or 1, 2, 3, ...; this one is %lld",
                                   (long long)number);
        for (int k = 0; result == CDG_OK && k < 3; k++) result = cdg_scan_number(scan, "a coordinate", &at[k]);
        if (result == CDG_OK && !cdg_build_add_point(build, at))
            result = cdg_scan_fail(scan, "a coordinate is not finite after scaling");
        cdg_scan_skip_line(scan);
    }
    return result;
}

static cdg_result read_tetrahedra(cdg_tetrahedra_build *build, cdg_text_scan *scan, int64_t first) {
    size_t count;
    int64_t corner_count, number;
    cdg_result result = cdg_scan_count(scan, "the number of tetrahedra", 10, &count); // "1 1 2 3 4\n"
    if (result == CDG_OK) result = cdg_scan_integer(scan, "the number of corners", &corner_count);
    if (result == CDG_OK && corner_count != 4 && corner_count != 10)
        result = cdg_scan_fail(scan, "tetrahedra have 4 or 10 points, not %lld", (long long)corner_count);
    cdg_scan_skip_line(scan);
    if (result == CDG_OK) result = cdg_build_reserve_tetrahedra(build, count);
    if (result == CDG_OK && corner_count == 10) build->found.curved_cells += count;
    for (size_t i = 0; result == CDG_OK && i < count; i++) {
        uint64_t corners[4] = {0};
        result = cdg_scan_integer(scan, "a tetrahedron's number", &number);
        for (int k = 0; result == CDG_OK && k < 4; k++) {
            result = cdg_scan_integer(scan, "a tetrahedron's point", &number);
            corners[k] = (uint64_t)number - (uint64_t)first; // less than the first becomes large
        }
        if (result == CDG_OK && !cdg_build_add_tetrahedron(build, corners))
            result = cdg_scan_fail(scan, "a tetrahedron names a point that is not there; there are %zu, from %lld",
                                   build->mesh.point_count, (long long)first);
        cdg_scan_skip_line(scan);
    }
    return result;
}

// The path itself, or the pair's other name: the extension is exchanged.
static char *name_of(const char *path, const char *extension) {
    if (cdg_path_ends_with(path, extension)) extension = strrchr(path, '.');
    size_t stem = strlen(path) - strlen(strrchr(path, '.')), size = stem + strlen(extension) + 1;
    char *name = malloc(size);
    if (name == NULL) return NULL;
    memcpy(name, path, stem);
    memcpy(name + stem, extension, size - stem);
    return name;
}

typedef cdg_result (*part_reader)(cdg_tetrahedra_build *build, cdg_text_scan *scan, int64_t *first);

static cdg_result read_elements(cdg_tetrahedra_build *build, cdg_text_scan *scan, int64_t *first) {
    return read_tetrahedra(build, scan, *first);
}

static cdg_result read_part(cdg_tetrahedra_build *build, const char *path, const char *extension, uint64_t most,
                            part_reader reader, int64_t *first) {
    char *name = name_of(path, extension);
    if (name == NULL) return cdg_fail(build->error, CDG_ERROR_MEMORY, "%s: out of memory", path);
    cdg_file_bytes bytes;
    cdg_result result = cdg_regular_file_read(name, most, &bytes.data, &bytes.size, build->error);
    if (result == CDG_OK) {
        cdg_text_scan scan = cdg_scan_begin(name, bytes.data, bytes.size, build->error);
        result = reader(build, &scan, first);
        cdg_scan_end(&scan);
    }
    free(bytes.data);
    free(name);
    return result;
}

cdg_result cdg_tetgen_read(cdg_tetrahedra_build *build, uint64_t most) {
    int64_t first = 0;
    cdg_result result = read_part(build, build->path, ".node", most, read_points, &first);
    return result == CDG_OK ? read_part(build, build->path, ".ele", most, read_elements, &first) : result;
}
