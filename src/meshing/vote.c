// Votes. The surface is entered into voxels with its distance, which the distance transform spreads; each line of each
// direction then looks for passages. Lines with an odd number of them abstain: they touched the surface in passing, or
// went through a hole that is too large.
#include "meshing/vote.h"

#include "base/parallel.h"
#include "math/vec3.h"
#include "meshing/distance.h"
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

static void enter_triangles(const cdg_vote *vote, const cdg_soup *soup, float *distance2) {
    cdg_vec3 corners[3];
    entering e = {vote, distance2, corners};
    cdg_raster raster = {.origin = vec3_mad(vote->origin, -0.5 * vote->voxel, vec3(1, 1, 1)),
                         .cell = vote->voxel,
                         .visit = enter_voxel,
                         .user = &e};
    for (size_t i = 0; i < voxel_count(vote); i++) distance2[i] = 1e20F;
    for (size_t t = 0; t < soup->triangle_count; t++) {
        for (int k = 0; k < 3; k++) corners[k] = cdg_soup_corner(soup, t, k);
        cdg_raster_triangle(&raster, corners);
    }
}

// ---- lines ----------------------------------------------------------------------------------------------------------

enum { FAR = 255, PASSAGES = 64 };
static const double met_voxels = 0.9, left_voxels = 1.5; // from the surface

typedef struct poll {
    const cdg_vote *vote;
    const unsigned char *nearness; // FAR, or distance over half of the hole's size, in 254ths
    unsigned char *votes;          // twice the votes for inside
    unsigned char *abstentions;    // directions that did not vote
    int met, left;                 // nearness of lines that meet triangles, and of those that are clear of them
    int way[3];
} poll;

typedef struct line_view {
    const unsigned char *nearness;
    ptrdiff_t step;
    int length;
} line_view;

typedef struct passages {
    int place[PASSAGES];
    int count; // may be more than places
} passages;

static void add_passage(passages *found, int place) {
    if (found->count < PASSAGES) found->place[found->count] = place;
    found->count++;
}

// The line from `at` on is near the surface. It passes once, at the nearest voxel, unless it meets triangles, leaves
// them by more than voxels blur, and meets some again. Returns where it is far again.
static int pass_surface(const poll *p, const line_view *line, int at, passages *found) {
    int best = at, least = FAR, peak = FAR;
    for (; at < line->length; at++) {
        int here = line->nearness[at * line->step];
        if (here == FAR) break;
        bool meets_again = here <= p->met && least <= p->met && peak >= p->left;
        if (meets_again) add_passage(found, best);
        if (here < least || meets_again) {
            best = at;
            least = peak = here;
        } else if (here > peak) {
            peak = here;
        }
    }
    add_passage(found, best);
    return at;
}

static void find_passages(const poll *p, const line_view *line, passages *found) {
    for (int at = 0; at < line->length; at++)
        if (line->nearness[at * line->step] != FAR) at = pass_surface(p, line, at, found);
}

// Between the first and the second passage is inside, the third and the fourth, ...; passages themselves are halves.
static void vote_along(const poll *p, size_t first, ptrdiff_t step, int length) {
    line_view line = {p->nearness + first, step, length};
    passages found;
    found.count = 0;
    find_passages(p, &line, &found);
    if (found.count == 0) return;
    if (found.count % 2 != 0 || found.count > PASSAGES) {
        unsigned char *abstentions = p->abstentions + first;
        for (int i = 0; i < length; i++) abstentions[i * step]++;
        return;
    }
    unsigned char *votes = p->votes + first;
    for (int k = 0; k < found.count; k += 2)
        for (int i = found.place[k]; i <= found.place[k + 1]; i++)
            votes[i * step] += i == found.place[k] || i == found.place[k + 1] ? 1 : 2;
}

static int line_length(const poll *p, const long at[3]) {
    long length = p->vote->count[0] + p->vote->count[1] + p->vote->count[2];
    for (int a = 0; a < 3; a++) {
        if (p->way[a] == 0) continue;
        long left = p->way[a] > 0 ? p->vote->count[a] - at[a] : at[a] + 1;
        if (left < length) length = left;
    }
    return (int)length;
}

static void poll_line(const poll *p, long x, long y, long z) {
    const int *n = p->vote->count;
    ptrdiff_t step = ((ptrdiff_t)p->way[2] * n[1] + p->way[1]) * n[0] + p->way[0];
    vote_along(p, voxel_number(p->vote, x, y, z), step, line_length(p, (const long[3]){x, y, z}));
}

// Where lines begin across an axis that they move along; -1: they do not.
static long rim(const poll *p, int axis) {
    return p->way[axis] > 0 ? 0 : p->way[axis] < 0 ? p->vote->count[axis] - 1 : -1;
}

// Lines of a direction share no voxel. Those that begin at the sides across z and y: rows of neighbours.
static void poll_slice(void *user, size_t index, int thread) {
    const poll *p = user;
    (void)thread;
    const int *n = p->vote->count;
    long z = (long)index;
    for (long y = 0; y < n[1]; y++) {
        if (z != rim(p, 2) && y != rim(p, 1)) continue;
        for (long x = 0; x < n[0]; x++) poll_line(p, x, y, z);
    }
}

// Those that begin at the side across x alone: along a diagonal each is beside the one before, and finds its voxels in
// the cache.
static void poll_diagonal(void *user, size_t index, int thread) {
    const poll *p = user;
    (void)thread;
    const int *n = p->vote->count;
    for (long z = 0; z < n[2]; z++) {
        long y = (long)index + p->way[1] * z - (p->way[1] > 0 ? n[2] - 1 : 0);
        if (y < 0 || y >= n[1] || y == rim(p, 1) || z == rim(p, 2)) continue;
        poll_line(p, rim(p, 0), y, z);
    }
}

// Half of the 26 ways to neighbours: z forward, or z level and y forward, or x alone. With z >= 0 lines begin at the
// first slice or at the sides.
static void poll_all(poll *p, int thread_count) {
    for (int w = 14; w < 27; w++) {
        p->way[0] = w % 3 - 1;
        p->way[1] = w / 3 % 3 - 1;
        p->way[2] = w / 9 - 1;
        size_t diagonals = (size_t)p->vote->count[1] + (p->way[1] != 0 ? (size_t)p->vote->count[2] - 1 : 0);
        cdg_parallel_for((size_t)p->vote->count[2], thread_count, poll_slice, p);
        if (p->way[0] != 0) cdg_parallel_for(diagonals, thread_count, poll_diagonal, p);
    }
}

// ---- all ------------------------------------------------------------------------------------------------------------

static void find_nearness(const cdg_vote *vote, const float *distance2, double close, unsigned char *nearness) {
    float most = (float)reach_in_voxels(vote, close);
    for (size_t i = 0; i < voxel_count(vote); i++)
        nearness[i] = distance2[i] < most * most ? (unsigned char)(sqrtf(distance2[i]) / most * 254) : FAR;
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

// One pass of weights 1 2 1 along an axis, in place: single voxels that voted wrongly do not count.
static void smooth_axis(cdg_vote *vote, int axis) {
    size_t row = (size_t)vote->count[0], slice = row * (size_t)vote->count[1];
    size_t stride = axis == 0 ? 1 : axis == 1 ? row : slice, count = voxel_count(vote);
    for (size_t line = 0; line < count / (size_t)vote->count[axis]; line++) {
        size_t i = line / stride * stride * (size_t)vote->count[axis] + line % stride;
        int before = 0, here = vote->share[i];
        for (int k = 0; k < vote->count[axis]; k++) {
            size_t at = i + (size_t)k * stride;
            int after = k + 1 < vote->count[axis] ? vote->share[at + stride] : 0;
            vote->share[at] = (unsigned char)((before + 2 * here + after + 2) / 4);
            before = here;
            here = after;
        }
    }
}

static void place_voxels(const cdg_soup *soup, double close, int voxels, cdg_vote *out) {
    cdg_vec3 e = vec3_sub(soup->high, soup->low);
    out->voxel = fmax(e.x, fmax(e.y, e.z)) / voxels;
    double margin = ceil(0.5 * close / out->voxel) + 2;
    out->origin = vec3_mad(soup->low, -margin * out->voxel, vec3(1, 1, 1));
    out->count[0] = (int)(ceil(e.x / out->voxel) + 2 * margin + 1);
    out->count[1] = (int)(ceil(e.y / out->voxel) + 2 * margin + 1);
    out->count[2] = (int)(ceil(e.z / out->voxel) + 2 * margin + 1);
}

bool cdg_vote_build(const cdg_soup *soup, double close, int voxels, int thread_count, cdg_budget *budget,
                    cdg_vote *out) {
    *out = (cdg_vote){0};
    place_voxels(soup, close, voxels, out);
    size_t count = voxel_count(out);
    float *distance2 = cdg_budget_take(budget, count, sizeof *distance2);
    unsigned char *nearness = cdg_budget_take(budget, count, 1);
    poll p = {.vote = out,
              .nearness = nearness,
              .met = (int)(met_voxels * 254 / reach_in_voxels(out, close)),
              .left = (int)(left_voxels * 254 / reach_in_voxels(out, close)),
              .votes = cdg_budget_take_zero(budget, count, 1),
              .abstentions = cdg_budget_take_zero(budget, count, 1)};
    out->share = cdg_budget_take(budget, count, 1);
    bool has_memory =
        distance2 != NULL && nearness != NULL && p.votes != NULL && p.abstentions != NULL && out->share != NULL;
    if (has_memory) {
        enter_triangles(out, soup, distance2);
        has_memory = cdg_distance_transform(distance2, out->count, reach_in_voxels(out, close), thread_count, budget);
    }
    if (has_memory) {
        find_nearness(out, distance2, close, nearness);
        poll_all(&p, thread_count);
        count_votes(out, &p);
        for (int axis = 0; axis < 3; axis++) smooth_axis(out, axis);
    }
    cdg_budget_give(budget, distance2);
    cdg_budget_give(budget, nearness);
    cdg_budget_give(budget, p.votes);
    cdg_budget_give(budget, p.abstentions);
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
