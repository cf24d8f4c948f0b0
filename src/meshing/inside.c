// Inside and outside by winding numbers or votes, and where the surface passes between two points.
#include "meshing/inside.h"

#include "base/parallel.h"
#include "math/vec3.h"
#include "meshing/solid_angle.h"

double cdg_inside_value(const cdg_inside *inside, cdg_vec3 point) {
    if (inside->rule == CDG_INSIDE_VOTE) return cdg_vote_at(inside->vote, point) - 0.5;
    double winding = cdg_winding_at(inside->winding, point);
    return (inside->is_absolute ? fabs(winding) : winding) - inside->threshold;
}

// ---- where the surface passes ---------------------------------------------------------------------------------------

enum { CROSSINGS = 16, HALVINGS = 12 };
static const double smooth_change = 0.02; // of a winding number between neighbours, that counts as none

// The winding number between two neighbours changes at triangles, by one, and a little in between. When the little is
// next to nothing, the place is that of the triangle at which the sum of changes passes the threshold.
static bool find_jump(const cdg_crossing *crossings, size_t count, double value_a, double value_b, double *position) {
    double sum = value_a;
    for (size_t i = 0; i < count; i++) sum += crossings[i].change;
    if (fabs(sum - value_b) > smooth_change) return false;
    sum = value_a;
    for (size_t i = 0; i < count; i++) {
        double before = sum;
        sum += crossings[i].change;
        if ((before > 0) != (sum > 0) && (before > 0) == (value_a > 0)) {
            *position = crossings[i].position;
            return true;
        }
    }
    return false;
}

// Halves the part in which the sign changes; a triangle that is left in the last part is the place.
static double halve(const cdg_inside *inside, cdg_vec3 a, double value_a, cdg_vec3 b, const cdg_crossing *crossings,
                    size_t count) {
    double low = 0, high = 1;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (low + high);
        bool is_like_a = (cdg_inside_value(inside, vec3_lerp(a, b, middle)) > 0) == (value_a > 0);
        if (is_like_a) {
            low = middle;
        } else {
            high = middle;
        }
        size_t within = 0, which = 0;
        for (size_t k = 0; k < count; k++)
            if (crossings[k].position >= low && crossings[k].position <= high) {
                which = k;
                within++;
            }
        if (i >= 4 && within == 1 && high - low < 0.04) return crossings[which].position;
    }
    return 0.5 * (low + high);
}

// Of votes: the crossing that is nearest to where the interpolated votes change, when there is one within a voxel.
static double snap_vote(const cdg_inside *inside, double position, double length, const cdg_crossing *crossings,
                        size_t count) {
    double best = position, least = 1.5 * inside->vote->voxel / length;
    for (size_t k = 0; k < count; k++)
        if (fabs(crossings[k].position - position) < least) {
            least = fabs(crossings[k].position - position);
            best = crossings[k].position;
        }
    return best;
}

double cdg_inside_cut(const cdg_inside *inside, cdg_vec3 a, double value_a, cdg_vec3 b, double value_b) {
    cdg_crossing crossings[CROSSINGS];
    size_t count = cdg_winding_cross(inside->winding, a, b, crossings, CROSSINGS);
    double position;
    if (inside->rule == CDG_INSIDE_VOTE) {
        size_t known = count < CROSSINGS ? count : CROSSINGS;
        return snap_vote(inside, halve(inside, a, value_a, b, NULL, 0), vec3_distance(a, b), crossings, known);
    }
    if (!inside->is_absolute && count <= CROSSINGS && find_jump(crossings, count, value_a, value_b, &position))
        return position;
    return halve(inside, a, value_a, b, crossings, count < CROSSINGS ? count : CROSSINGS);
}

// ---- survey ---------------------------------------------------------------------------------------------------------

enum { SURVEY_MOST = 4096 };

typedef struct survey {
    const cdg_soup *soup;
    const cdg_winding *winding;
    size_t count;
    double area[SURVEY_MOST];
    double value[SURVEY_MOST];  // winding number on the triangle itself, without its own jump
    double beside[SURVEY_MOST]; // beyond its open edges, where its neighbours would be, summed
    int open_edges[SURVEY_MOST];
} survey;

// Beyond each open edge, the triangle's middle mirrored at the edge's.
static void survey_edges(survey *s, size_t index, size_t t, cdg_vec3 middle) {
    for (int k = 0; k < 3; k++) {
        if (s->soup->mate[3 * t + (size_t)k] != CDG_NO_MATE) continue;
        cdg_vec3 sum = vec3_add(cdg_soup_corner(s->soup, t, k), cdg_soup_corner(s->soup, t, (k + 1) % 3));
        s->beside[index] += cdg_winding_at(s->winding, vec3_sub(sum, middle));
        s->open_edges[index]++;
    }
}

// On a triangle its own share is one half of either sign, as rounding has it; without that the number is the mean of
// both sides.
static void survey_one(void *user, size_t index, int thread) {
    survey *s = user;
    (void)thread;
    size_t t = index * s->soup->triangle_count / s->count;
    cdg_vec3 c[3], middle = vec3(0, 0, 0);
    for (int k = 0; k < 3; k++) {
        c[k] = cdg_soup_corner(s->soup, t, k);
        middle = vec3_mad(middle, 1.0 / 3, c[k]);
    }
    s->area[index] = 0.5 * vec3_norm(vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0])));
    s->value[index] = cdg_winding_at(s->winding, middle) -
                      solid_angle_share(vec3_sub(c[0], middle), vec3_sub(c[1], middle), vec3_sub(c[2], middle));
    s->beside[index] = 0;
    s->open_edges[index] = 0;
    survey_edges(s, index, t, middle);
}

bool cdg_inside_survey(const cdg_soup *soup, const cdg_winding *winding, int thread_count, cdg_budget *budget,
                       cdg_inside_facts *out) {
    survey *s = cdg_budget_take(budget, 1, sizeof *s);
    if (s == NULL) return false;
    s->soup = soup;
    s->winding = winding;
    s->count = soup->triangle_count < SURVEY_MOST ? soup->triangle_count : SURVEY_MOST;
    cdg_parallel_for(s->count, thread_count, survey_one, s);
    double area = 0, outward = 0, open = 0, beside = 0, riddled = 0;
    for (size_t i = 0; i < s->count; i++) {
        area += s->area[i];
        outward += s->area[i] * fmax(-0.5, fmin(0.5, s->value[i]));
        open += s->area[i] * s->open_edges[i];
        riddled += s->area[i] * (s->open_edges[i] > 1);
        beside += s->area[i] * s->beside[i];
    }
    *out = (cdg_inside_facts){.threshold = 0.5, .outward_share = 2 * outward / area};
    for (size_t i = 0; i < s->count; i++) out->has_inward = out->has_inward || s->value[i] < -0.3;
    if (open > 0) { // the rim of a hole has triangles with one open edge; where many have more, holes are everywhere
        double share = fmin(1, 8 * riddled / area);
        out->threshold = fmax(0.05, fmin(0.5, 0.5 * (1 - share) + share * beside / open));
    }
    cdg_budget_give(budget, s);
    return true;
}
