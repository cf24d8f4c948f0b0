// libFuzzer target of the mesher: whatever the triangles and options are, they give a sound mesh within its promised
// angles, or a sentence. The first bytes choose options; then come points, on a coarse grid so that many coincide, or
// anywhere; the rest are triangles.
#include "math/vec3.h"
#include "meshing/vote.h"

#include <cordage/meshing.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD = 8, POINTS_MOST = 64, TRIANGLES_MOST = 160 };

static void check(bool condition) {
    if (!condition) abort();
}

static cdg_mesher_options read_options(const uint8_t *head) {
    cdg_mesher_options o = cdg_mesher_options_default();
    o.mesher = head[0] & 1 ? CDG_MESHER_LATTICE : CDG_MESHER_STUFFING;
    o.inside = (cdg_inside_rule)(head[0] >> 1 & 3) == CDG_INSIDE_RULE_COUNT ? CDG_INSIDE_AUTO
                                                                            : (cdg_inside_rule)(head[0] >> 1 & 3);
    o.improve = head[0] >> 3 & 1;
    o.grading = head[1] / 255.0;
    o.close = head[2] % 16 == 0 ? head[2] / 16.0 : 0;
    o.keep_creases = head[3] % 4 == 0 ? head[3] / 90.0 : 0;
    o.density = (1 + head[4]) / 256.0;
    o.smoothing_steps = head[5] % 4;
    o.thread_count = 1;
    // up to 16 MB: small ones must fail cleanly; the mesher's own votes, which take long here, need more
    o.memory_limit = (uint64_t)1 << (16 + head[6] % 9);
    return o;
}

static cdg_vec3 read_point(const uint8_t *at, bool is_anywhere) {
    if (!is_anywhere) return vec3(at[0] % 8, at[1] % 8, at[2] % 8);
    float f[3];
    memcpy(f, at, sizeof f);
    return vec3((double)f[0], (double)f[1], (double)f[2]);
}

static void check_result(const cdg_mesh *mesh, const cdg_mesher_report *report, cdg_mesher mesher) {
    static const double degree = 3.14159265358979323846 / 180;
    cdg_mesh_faults faults;
    check(mesh->tetrahedron_count > 0 && cdg_mesh_check(mesh, &faults, NULL) == CDG_OK && faults.total == 0);
    check(report->quality.volume > 0 && report->pieces > 0);
    if (mesher != CDG_MESHER_STUFFING) return;
    check(report->quality.smallest_dihedral >= 10.7 * degree - 1e-9);
    check(report->quality.largest_dihedral <= 164.8 * degree + 1e-9);
}

// Votes on coarse voxels: shares stay between none and all.
static void vote(const cdg_mesh *surface, double close) {
    cdg_budget budget = {.limit = 1 << 26};
    cdg_soup soup;
    cdg_vote found;
    cdg_error error;
    if (cdg_soup_build(surface, &budget, &soup, &error) != CDG_OK) return;
    if (cdg_vote_build(&soup, close * vec3_distance(soup.low, soup.high), 16, 1, &budget, &found)) {
        for (int i = 0; i < found.count[0] * found.count[1] * found.count[2]; i++)
            check(found.share[i] <= CDG_VOTE_SCALE);
        check(cdg_vote_at(&found, soup.low) <= 1);
    }
    cdg_vote_free(&found, &budget);
    cdg_soup_free(&soup, &budget);
    check(budget.used == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < HEAD + 4) return 0;
    bool is_anywhere = data[7] & 1;
    size_t stride = is_anywhere ? 12 : 3, wanted = 4 + data[7] / 2 % (POINTS_MOST - 3), at = HEAD;
    cdg_mesher_options options = read_options(data);
    cdg_vec3 points[POINTS_MOST];
    uint32_t triangles[TRIANGLES_MOST][3];
    cdg_mesh surface = {.points = points, .triangles = triangles};
    for (; surface.point_count < wanted && at + stride <= size; at += stride)
        points[surface.point_count++] = read_point(data + at, is_anywhere);
    for (; surface.triangle_count < TRIANGLES_MOST && at + 3 <= size && surface.point_count > 0; at += 3) {
        for (size_t k = 0; k < 3; k++)
            triangles[surface.triangle_count][k] = (uint32_t)(data[at + k] % surface.point_count);
        surface.triangle_count++;
    }
    double longest = 0;
    for (size_t p = 0; p < surface.point_count; p++)
        longest = fmax(longest, fmax(fabs(points[p].x), fmax(fabs(points[p].y), fabs(points[p].z))));
    // few elements an input, many inputs: faults show in small meshes, too; one in sixteen is finer
    if (isfinite(longest)) options.size = longest / (2 + (data[6] >> 4 == 0 ? 6 : 0) + data[6] % 4);
    if (data[0] >> 4 & 1) vote(&surface, data[2] / 512.0);
    cdg_mesh mesh;
    cdg_mesher_report report;
    cdg_error error = {0};
    cdg_result result = cdg_mesh_fill(&surface, &options, &mesh, &report, &error);
    check((result == CDG_OK) == (error.message[0] == '\0'));
    check(result != CDG_ERROR_NO_CONVERGENCE); // the mesher withheld a mesh with faults
    if (result == CDG_OK)
        check_result(&mesh, &report, options.mesher);
    else
        check(mesh.points == NULL && mesh.tetrahedra == NULL);
    cdg_mesh_free(&mesh);
    return 0;
}
