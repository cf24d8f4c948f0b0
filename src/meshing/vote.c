// Votes. The surface is entered into voxels with its distance, which the distance transform spreads; each line of each
// direction then looks for passages (passages.c). Lines with an odd number of them abstain: they touched the surface in
// passing, or went through a hole that is too large.
#include "meshing/vote.h"

#include "base/parallel.h"
#include "math/vec3.h"
#include "meshing/distance.h"
#include "meshing/passages.h"
#include "meshing/raster.h"
#include "meshing/triangle.h"

#include <string.h>

void cdg_vote_free(cdg_vote *vote, cdg_budget *budget) {
    cdg_budget_give(budget, vote->share);
    *vote = (cdg_vote){0};
}

static size_t voxel_number(const cdg_vote *vote, long x, long y, long z) {
    return ((size_t)z * (size_t)vote->count[1] + (size_t)y) * (size_t)vote->count[0] + (size_t)x;
}

static size_t voxel_count(const cdg_vote *vote) {
    return (size_t)vote->count[0] * (size_t)vote->count[1] * (size_t)vote->count[2];
}

static double reach_in_voxels(const cdg_vote *vote, double close) {
    return fmax(0.5 * close / vote->voxel, 1); // thinner than a voxel nothing can be seen
}

// ---- distance -------------------------------------------------------------------------------------------------------

typedef struct entering {
    const cdg_vote *vote;
    float *distance2;
    const cdg_vec3 *corners; // of the triangle in question
} entering;

static bool enter_voxel(void *user, const long cell[3]) {
    const entering *e = user;
    const cdg_vote *v = e->vote;
    cdg_vec3 middle = vec3_mad(v->origin, v->voxel, vec3((double)cell[0], (double)cell[1], (double)cell[2]));
    double distance = vec3_distance(triangle_nearest(e->corners, middle), middle) / v->voxel;
    float *at = &e->distance2[voxel_number(v, cell[0], cell[1], cell[2])];
    if ((float)(distance * distance) < *at) *at = (float)(distance * distance);
    return true;
}

static bool enter_triangles(const cdg_vote *vote, const cdg_soup *soup, float *distance2, cdg_budget *budget) {
    cdg_vec3 corners[3];
    entering e = {vote, distance2, corners};
    cdg_raster raster = {.origin = vec3_mad(vote->origin, -0.5 * vote->voxel, vec3(1, 1, 1)),
                         .cell = vote->voxel,
                         .visit = enter_voxel,
                         .user = &e};
    for (size_t i = 0; i < voxel_count(vote); i++) distance2[i] = 1e20F;
    for (size_t t = 0; t < soup->triangle_count; t++) {
        for (int k = 0; k < 3; k++) corners[k] = cdg_soup_corner(soup, t, k);
        if (!cdg_budget_lasts(budget, t)) return false;
        cdg_raster_triangle(&raster, corners);
    }
    return true;
}

// ---- lines ----------------------------------------------------------------------------------------------------------

static const double met_voxels = 0.9, left_voxels = 1.5; // from the surface

typedef struct poll {
    const cdg_vote *vote;
    const unsigned char *nearness; // CDG_FAR_VOXEL, or distance over half of the hole's size, in 254ths
    unsigned char *votes;          // twice the votes for inside
    unsigned char *abstentions;    // directions that did not vote
    int met, left;                 // nearness of lines that meet triangles, and of those that are clear of them
    int way[3];
    unsigned char *scratch; // of each thread
    cdg_patience *patience;
    size_t scratch_size;
} poll;

static unsigned char *scratch_of(const poll *p, int thread) { return p->scratch + (size_t)thread * p->scratch_size; }

// Rows along x, from one at the rim on: all lines of a direction that begin in them, or at their ends.
static void poll_rows(void *user, size_t index, int thread) {
    const poll *p = user;
    const int *n = p->vote->count;
    if (!cdg_patience_lasts_on(p->patience, thread)) return;
    long y = (long)index, z = 0;
    if (p->way[2] == 0) { // rows of one slice
        z = (long)index;
        y = 0;
    } else if (y >= n[1]) { // those that begin at the side
        z = y - n[1] + 1;
        y = p->way[1] > 0 ? 0 : n[1] - 1;
    }
    long rows = p->way[2] != 0 ? n[2] - z : n[1];
    long across = p->way[1] > 0 ? n[1] - y : p->way[1] < 0 ? y + 1 : rows;
    size_t first = voxel_number(p->vote, 0, y, z);
    cdg_passage_rows lines = {.width = n[0],
                              .length = (int)(across < rows ? across : rows),
                              .slant = p->way[0],
                              .stride = ((ptrdiff_t)p->way[2] * n[1] + p->way[1]) * n[0],
                              .nearness = p->nearness + first,
                              .votes = p->votes + first,
                              .abstentions = p->abstentions + first};
    cdg_passages_vote(&lines, p->met, p->left, scratch_of(p, thread));
}

// Lines along x itself: the slice is turned, so that they lie side by side, too.
static void poll_along_x(void *user, size_t index, int thread) {
    const poll *p = user;
    const int *n = p->vote->count;
    if (!cdg_patience_lasts_on(p->patience, thread)) return;
    size_t first = voxel_number(p->vote, 0, 0, (long)index), area = (size_t)n[0] * (size_t)n[1];
    unsigned char *nearness = scratch_of(p, thread), *votes = nearness + area, *abstentions = votes + area;
    cdg_passage_rows lines = {.width = n[1],
                              .length = n[0],
                              .stride = n[1],
                              .nearness = nearness,
                              .votes = votes,
                              .abstentions = abstentions};
    for (int y = 0; y < n[1]; y++)
        for (int x = 0; x < n[0]; x++) nearness[x * n[1] + y] = p->nearness[first + (size_t)(y * n[0] + x)];
    memset(votes, 0, 2 * area);
    cdg_passages_vote(&lines, p->met, p->left, abstentions + area + area % 2);
    for (int y = 0; y < n[1]; y++)
        for (int x = 0; x < n[0]; x++) {
            size_t at = first + (size_t)(y * n[0] + x);
            p->votes[at] = (unsigned char)(p->votes[at] + votes[x * n[1] + y]);
            p->abstentions[at] = (unsigned char)(p->abstentions[at] + abstentions[x * n[1] + y]);
        }
}

// Half of the 26 ways to neighbours: z forward, or z level and y forward, or x alone. Lines of a direction share no
// voxel.
static void poll_all(poll *p, int thread_count) {
    const int *n = p->vote->count;
    for (int w = 14; w < 27; w++) {
        p->way[0] = w % 3 - 1;
        p->way[1] = w / 3 % 3 - 1;
        p->way[2] = w / 9 - 1;
        size_t starts = p->way[2] == 0 ? (size_t)n[2] : (size_t)n[1] + (p->way[1] != 0 ? (size_t)n[2] - 1 : 0);
        bool is_along_x = p->way[1] == 0 && p->way[2] == 0;
        cdg_parallel_for(is_along_x ? (size_t)n[2] : starts, thread_count, is_along_x ? poll_along_x : poll_rows, p);
    }
}

static bool take_scratch(poll *p, int thread_count, cdg_budget *budget) {
    const int *n = p->vote->count;
    int longest = n[1] > n[2] ? n[1] : n[2];
    size_t rows = cdg_passages_scratch(n[0], longest), turned = cdg_passages_scratch(n[1], n[0]);
    size_t area = (size_t)n[0] * (size_t)n[1];
    p->scratch_size = 2 * (((rows > turned ? rows : turned) + 3 * area) / 2 + 2);
    p->scratch = cdg_budget_take(budget, (size_t)thread_count * p->scratch_size, 1);
    return p->scratch != NULL;
}

// ---- all ------------------------------------------------------------------------------------------------------------

static void find_nearness(const cdg_vote *vote, const float *distance2, double close, unsigned char *nearness) {
    float most = (float)reach_in_voxels(vote, close);
    for (size_t i = 0; i < voxel_count(vote); i++)
        nearness[i] = distance2[i] < most * most ? (unsigned char)(sqrtf(distance2[i]) / most * 254) : CDG_FAR_VOXEL;
}

// Where nearly all directions abstained, those that are left do not decide alone.
static void count_votes(cdg_vote *vote, const poll *p) {
    enum { QUORUM = 3 };
    for (size_t i = 0; i < voxel_count(vote); i++) {
        int voters = CDG_VOTE_DIRECTIONS - p->abstentions[i];
        if (voters < QUORUM) voters = QUORUM;
        vote->share[i] = p->votes[i] == 0 ? 0 : (unsigned char)(CDG_VOTE_SCALE * p->votes[i] / (2 * voters));
    }
}

// One pass of weights 1 2 1 along an axis, in place: single voxels that voted wrongly do not count. `before` holds what
// the row, or the slice, before was; beyond the grid there are zeros.
static void smooth_block(unsigned char *restrict here, const unsigned char *restrict after, size_t count,
                         unsigned char *restrict before) {
    for (size_t i = 0; i < count; i++) {
        unsigned char own = here[i];
        here[i] = (unsigned char)((before[i] + 2 * own + after[i] + 2) / 4);
        before[i] = own;
    }
}

static void smooth_across(cdg_vote *vote, size_t stride, size_t blocks, size_t first, unsigned char *scratch) {
    unsigned char *before = scratch, *zeros = scratch + stride;
    memset(scratch, 0, 2 * stride);
    for (size_t k = 0; k < blocks; k++) {
        unsigned char *here = vote->share + first + k * stride;
        smooth_block(here, k + 1 < blocks ? here + stride : zeros, stride, before);
    }
}

static void smooth_along_x(unsigned char *row, int count) {
    int before = 0, here = row[0];
    for (int k = 0; k < count; k++) {
        int after = k + 1 < count ? row[k + 1] : 0;
        row[k] = (unsigned char)((before + 2 * here + after + 2) / 4);
        before = here;
        here = after;
    }
}

static void smooth_votes(cdg_vote *vote, unsigned char *scratch) { // two slices of it
    size_t row = (size_t)vote->count[0], slice = row * (size_t)vote->count[1];
    for (size_t i = 0; i < voxel_count(vote); i += row) smooth_along_x(vote->share + i, vote->count[0]);
    for (size_t i = 0; i < voxel_count(vote); i += slice) smooth_across(vote, row, (size_t)vote->count[1], i, scratch);
    smooth_across(vote, slice, (size_t)vote->count[2], 0, scratch);
}

// Lines that stay beside the box see nothing that is worth a vote, so the margin need not grow with the holes.
static void place_voxels(const cdg_soup *soup, int voxels, cdg_vote *out) {
    static const double margin = 3;
    cdg_vec3 e = vec3_sub(soup->high, soup->low);
    out->voxel = fmax(e.x, fmax(e.y, e.z)) / voxels;
    out->origin = vec3_mad(soup->low, -margin * out->voxel, vec3(1, 1, 1));
    out->count[0] = (int)(ceil(e.x / out->voxel) + 2 * margin + 1);
    out->count[1] = (int)(ceil(e.y / out->voxel) + 2 * margin + 1);
    out->count[2] = (int)(ceil(e.z / out->voxel) + 2 * margin + 1);
}

bool cdg_vote_build(const cdg_soup *soup, double close, int voxels, int thread_count, cdg_budget *budget,
                    cdg_vote *out) {
    *out = (cdg_vote){0};
    place_voxels(soup, voxels, out);
    size_t count = voxel_count(out);
    float *distance2 = cdg_budget_take(budget, count, sizeof *distance2);
    unsigned char *nearness = cdg_budget_take(budget, count, 1);
    poll p = {.vote = out,
              .patience = budget->patience,
              .nearness = nearness,
              .met = (int)(met_voxels * 254 / reach_in_voxels(out, close)),
              .left = (int)(left_voxels * 254 / reach_in_voxels(out, close)),
              .votes = cdg_budget_take_zero(budget, count, 1),
              .abstentions = cdg_budget_take_zero(budget, count, 1)};
    out->share = cdg_budget_take(budget, count, 1);
    bool has_memory = distance2 != NULL && nearness != NULL && p.votes != NULL && p.abstentions != NULL &&
                      out->share != NULL && take_scratch(&p, thread_count, budget);
    if (has_memory) {
        has_memory = enter_triangles(out, soup, distance2, budget) &&
                     cdg_distance_transform(distance2, out->count, reach_in_voxels(out, close), thread_count, budget);
    }
    if (has_memory) {
        find_nearness(out, distance2, close, nearness);
        poll_all(&p, thread_count);
        count_votes(out, &p);
        smooth_votes(out, p.scratch);
        has_memory = !cdg_patience_is_over(budget->patience);
    }
    cdg_budget_give(budget, distance2);
    cdg_budget_give(budget, nearness);
    cdg_budget_give(budget, p.votes);
    cdg_budget_give(budget, p.abstentions);
    cdg_budget_give(budget, p.scratch);
    if (!has_memory) cdg_vote_free(out, budget);
    return has_memory;
}

static double share_of(const cdg_vote *vote, int x, int y, int z) {
    if (x < 0 || y < 0 || z < 0 || x >= vote->count[0] || y >= vote->count[1] || z >= vote->count[2]) return 0;
    return vote->share[voxel_number(vote, x, y, z)];
}

double cdg_vote_at(const cdg_vote *vote, cdg_vec3 point) {
    cdg_vec3 p = vec3_scale(1 / vote->voxel, vec3_sub(point, vote->origin));
    double fx = floor(p.x), fy = floor(p.y), fz = floor(p.z);
    if (!(fx >= -1 && fy >= -1 && fz >= -1 && fx < vote->count[0] && fy < vote->count[1] && fz < vote->count[2]))
        return 0;
    double sum = 0;
    for (int corner = 0; corner < 8; corner++) {
        int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
        double weight =
            (i ? p.x - fx : 1 - (p.x - fx)) * (j ? p.y - fy : 1 - (p.y - fy)) * (k ? p.z - fz : 1 - (p.z - fz));
        sum += weight * share_of(vote, (int)fx + i, (int)fy + j, (int)fz + k);
    }
    return sum / CDG_VOTE_SCALE;
}
