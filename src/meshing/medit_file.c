// Medit's .mesh as text: keywords, each followed by a number of lines.
#include "meshing/tetrahedra_build.h"
#include "meshing/text_scan.h"

#include <ctype.h>
#include <string.h>

static cdg_result read_vertices(cdg_tetrahedra_build *build, cdg_text_scan *scan) {
    size_t count;
    cdg_result result = cdg_scan_count(scan, "the number of vertices", 8, &count); // "0 0 0 1\n"
    if (result == CDG_OK) result = cdg_build_reserve_points(build, count);
    for (size_t i = 0; result == CDG_OK && i < count; i++) {
        double at[3], label;
        for (int k = 0; result == CDG_OK && k < 3; k++) result = cdg_scan_number(scan, "a coordinate", &at[k]);
        if (result == CDG_OK) result = cdg_scan_number(scan, "a vertex's label", &label);
        if (result == CDG_OK && !cdg_build_add_point(build, at))
            result = cdg_scan_fail(scan, "a coordinate is not finite after scaling");
    }
    return result;
}

static cdg_result read_tetrahedra(cdg_tetrahedra_build *build, cdg_text_scan *scan) {
    size_t count;
    cdg_result result = cdg_scan_count(scan, "the number of tetrahedra", 10, &count); // "1 2 3 4 0\n"
    if (result == CDG_OK) result = cdg_build_reserve_tetrahedra(build, count);
    for (size_t i = 0; result == CDG_OK && i < count; i++) {
        int64_t corner, label;
        uint64_t corners[4];
        for (int k = 0; result == CDG_OK && k < 4; k++) {
            result = cdg_scan_integer(scan, "a tetrahedron's vertex", &corner);
            corners[k] = (uint64_t)corner - 1; // 0 and less become large
        }
        if (result == CDG_OK) result = cdg_scan_integer(scan, "a tetrahedron's label", &label);
        if (result == CDG_OK && !cdg_build_add_tetrahedron(build, corners))
            result = cdg_scan_fail(scan, "a tetrahedron names a vertex that is not there; there are %zu, from 1",
                                   build->mesh.point_count);
    }
    return result;
}

// Numbers up to the next keyword; cells that are no tetrahedra are counted.
static cdg_result skip_section(cdg_tetrahedra_build *build, cdg_text_scan *scan, cdg_word keyword) {
    static const char *const cells[] = {"Edges", "Triangles", "Quadrilaterals", "Hexahedra", "Prisms", "Pyramids"};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        size_t count;
        if (!cdg_word_is(keyword, cells[i])) continue;
        cdg_result result = cdg_scan_count(scan, "a number of cells", 2, &count);
        if (result != CDG_OK) return result;
        build->found.other_cells += count;
    }
    for (;;) {
        cdg_text_scan before = *scan;
        cdg_word word;
        if (!cdg_scan_word(scan, &word)) return CDG_OK;
        if (!isalpha((unsigned char)word.text[0])) continue;
        *scan = before;
        return CDG_OK;
    }
}

static cdg_result read_section(cdg_tetrahedra_build *build, cdg_text_scan *scan, cdg_word keyword) {
    if (cdg_word_is(keyword, "Vertices")) return read_vertices(build, scan);
    if (cdg_word_is(keyword, "Tetrahedra")) return read_tetrahedra(build, scan);
    if (cdg_word_is(keyword, "Dimension")) {
        int64_t dimension = 0;
        cdg_result result = cdg_scan_integer(scan, "the dimension", &dimension);
        if (result == CDG_OK && dimension != 3)
            result = cdg_scan_fail(scan, "the mesh has %lld dimensions; tetrahedra need 3", (long long)dimension);
        return result;
    }
    if (isalpha((unsigned char)keyword.text[0])) return skip_section(build, scan, keyword);
    return cdg_scan_fail(scan, "expected a keyword such as Vertices, found '%.*s'",
                         keyword.size < 40 ? (int)keyword.size : 40, keyword.text);
}

cdg_result cdg_medit_read(cdg_tetrahedra_build *build, const cdg_file_bytes *bytes) {
    cdg_text_scan scan = cdg_scan_begin(build->path, bytes->data, bytes->size, build->error);
    cdg_word word;
    cdg_result result = CDG_OK;
    if (!cdg_scan_word(&scan, &word) || !cdg_word_is(word, "MeshVersionFormatted"))
        result = cdg_scan_fail(&scan, "a Medit file begins with MeshVersionFormatted; binary ones are not read");
    int64_t version;
    if (result == CDG_OK) result = cdg_scan_integer(&scan, "the version", &version);
    while (result == CDG_OK && cdg_scan_word(&scan, &word) && !cdg_word_is(word, "End"))
        result = read_section(build, &scan, word);
    cdg_scan_end(&scan);
    return result;
}
