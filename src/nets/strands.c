// Strands of hair: roots on a patch, a rod for each guide, and for each fibre the guides it follows, how it curls about
// its way between them and where it is cut (Sobottka et al. 2008, experiments 6 and 7: one guide, 180 fibres).
#include "base/error.h"
#include "geometry/patch.h"
#include "nets/strands_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double two_pi = 6.283185307179586;

// What is handed out, and what it needs to be freed; the public part comes first.
typedef struct owned_strands {
    cdg_strands public_part;
    char *names; // of the guides, one after the other
    cdg_motion *motions;
    cdg_vec3 *guide_roots;
    uint32_t (*guides)[CDG_FIBER_GUIDES];
    double (*weights)[CDG_FIBER_GUIDES];
    cdg_vec3 *roots, *normals, *offsets;
    double *lengths, *spread;
} owned_strands;

cdg_strands_def cdg_strands_def_default(void) {
    return (cdg_strands_def){
        .rod = cdg_rod_def_default(),
        .roots = {.kind = CDG_PATCH_DISC, .axis = {0, 0, -1}, .radius = 0.01, .angle = 1},
        .guide_count = 1,
        .fiber_count = 180,
        .element_count = 100,
        .length = 0.25,
        .curl_pitch = 0.03,
        .fiber_curl_pitch = 0.03,
        .taper = 0.6,
        .variation = 0.2,
        .length_variation = 0.1,
        .seed = 1,
    };
}

void cdg_strands_destroy(cdg_strands *strands) {
    if (strands == NULL) return;
    owned_strands *owned = (owned_strands *)(void *)strands;
    free(strands->rods);
    free(strands->clamps);
    free(owned->names);
    free(owned->motions);
    free(owned->guide_roots);
    free(owned->guides);
    free(owned->weights);
    free(owned->roots);
    free(owned->normals);
    free(owned->offsets);
    free(owned->lengths);
    free(owned->spread);
    free(owned);
}

// ---- checks ---------------------------------------------------------------------------------------------------------

static cdg_result check_share(const cdg_strands_def *def, const char *what, double share, double most,
                              cdg_error *error) {
    if (share >= 0 && share <= most) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "strands '%s': %s is %g; it lies between 0 and %g", def->name, what,
                    share, most);
}

static cdg_result check_length(const cdg_strands_def *def, const char *what, double length, bool may_be_zero,
                               cdg_error *error) {
    if (isfinite(length) && (may_be_zero ? length >= 0 : length > 0)) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "strands '%s': %s is %g m; it must %s", def->name, what, length,
                    may_be_zero ? "not be negative" : "be positive");
}

static cdg_result check_counts(const cdg_strands_def *def, cdg_error *error) {
    if (def->guide_count < 1 || def->guide_count > CDG_STRANDS_GUIDES_MAX)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "strands '%s': %zu guides; it needs 1 to %d", def->name,
                        def->guide_count, CDG_STRANDS_GUIDES_MAX);
    double nodes = ((double)def->fiber_count + (double)def->guide_count) * ((double)def->element_count + 1);
    if (def->element_count < 1 || nodes > CDG_STRANDS_FIBER_NODES_MAX)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "strands '%s': guides and fibres have %.3g nodes together; 2 a fibre to %d in all are possible",
                        def->name, nodes, CDG_STRANDS_FIBER_NODES_MAX);
    return CDG_OK;
}

static cdg_result check(const cdg_strands_def *def, cdg_error *error) {
    if (def->name == NULL || def->name[0] == '\0') return cdg_fail(error, CDG_ERROR_ARGUMENT, "strands need a name");
    cdg_result result = check_counts(def, error);
    const struct {
        const char *what;
        double value;
        bool may_be_zero;
    } lengths[] = {{"the length", def->length, false},
                   {"the radius of the curl", def->curl_radius, true},
                   {"the pitch of the curl", def->curl_pitch, def->curl_radius == 0},
                   {"the radius of the fibres' curl", def->fiber_curl_radius, true},
                   {"the pitch of the fibres' curl", def->fiber_curl_pitch, def->fiber_curl_radius == 0},
                   {"frizz", def->frizz, true},
                   {"the radius of a fibre", def->fiber_radius, true}};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths && result == CDG_OK; i++)
        result = check_length(def, lengths[i].what, lengths[i].value, lengths[i].may_be_zero, error);
    if (result == CDG_OK) result = check_share(def, "clump", def->clump, 1, error);
    if (result == CDG_OK) result = check_share(def, "taper", def->taper, 100, error);
    if (result == CDG_OK) result = check_share(def, "variation", def->variation, 1, error);
    if (result == CDG_OK) result = check_share(def, "length_variation", def->length_variation, 0.95, error);
    if (result == CDG_OK && def->has_direction && !(vec3_norm(def->direction) > 0 && vec3_is_finite(def->direction)))
        result = cdg_fail(error, CDG_ERROR_ARGUMENT, "strands '%s': the direction must not be zero", def->name);
    if (result != CDG_OK) return result;
    cdg_error cause = {0};
    result = cdg_patch_check(&def->roots, &cause);
    if (result != CDG_OK) return cdg_fail(error, result, "strands '%s': roots: %s", def->name, cause.message);
    return CDG_OK;
}

// ---- guides ---------------------------------------------------------------------------------------------------------

// A factor about 1; never so small that a curl becomes a line.
static double vary(cdg_random *random, double variation) { return 1 + 0.8 * variation * random_in(random, -1, 1); }

static cdg_centerline guide_curve(const cdg_strands_def *def, cdg_vec3 root, cdg_vec3 along, cdg_random *random) {
    double radius = def->curl_radius * vary(random, def->variation);
    double pitch = def->curl_pitch * vary(random, def->variation), turn = random_in(random, 0, two_pi);
    if (def->curl_radius == 0)
        return (cdg_centerline){.kind = CDG_CENTERLINE_LINE,
                                .line = {.from = root, .to = vec3_mad(root, def->length, along)}};
    cdg_vec3 first = vec3_any_perpendicular(along), second = vec3_cross(along, first);
    cdg_vec3 start = vec3_add(vec3_scale(cos(turn), first), vec3_scale(sin(turn), second));
    return (cdg_centerline){.kind = CDG_CENTERLINE_HELIX,
                            .helix = {.base = vec3_mad(root, -radius, start),
                                      .axis = along,
                                      .start_direction = start,
                                      .radius = radius,
                                      .pitch = pitch,
                                      .turns = def->length / hypot(two_pi * radius, pitch)}};
}

// Rotations without a centre would turn each root about itself.
static void copy_motions(const cdg_strands_def *def, cdg_motion *out) {
    for (size_t i = 0; i < def->motion_count; i++) {
        out[i] = def->motions[i];
        if (out[i].kind != CDG_MOTION_ROTATE || out[i].has_center) continue;
        out[i].has_center = true;
        out[i].center = cdg_patch_center(&def->roots);
    }
}

enum { NAME_ROOM = 24 }; // of ".g" and a number

static cdg_result build_guides(const cdg_strands_def *def, owned_strands *owned, cdg_error *error) {
    cdg_strands *out = &owned->public_part;
    cdg_random random = {def->seed};
    cdg_result result =
        cdg_patch_sample(&def->roots, def->guide_count, 0, &random, owned->guide_roots, owned->normals, error);
    if (result != CDG_OK) return result;
    copy_motions(def, owned->motions);
    size_t room = strlen(def->name) + NAME_ROOM;
    snprintf(owned->names, room, "%s", def->name);
    out->name = owned->names;
    for (size_t i = 0; i < def->guide_count; i++) {
        char *name = owned->names + (i + 1) * room;
        snprintf(name, room, "%s.g%zu", def->name, i);
        cdg_vec3 along = vec3_normalize(def->has_direction ? def->direction : owned->normals[i]);
        cdg_rod_def *rod = &out->rods[i];
        *rod = def->rod;
        rod->name = name;
        rod->centerline = guide_curve(def, owned->guide_roots[i], along, &random);
        rod->element_count = def->element_count;
        rod->rest = (cdg_rest){.kind = CDG_REST_INITIAL};
        rod->initial_normal = NULL;
        out->clamps[i] = (cdg_support_def){.kind = CDG_SUPPORT_CLAMP,
                                           .place = {.rod = {.index1 = (uint32_t)i + 1}, .kind = CDG_PLACE_NODE},
                                           .motions = owned->motions,
                                           .motion_count = def->motion_count};
    }
    out->rod_count = def->guide_count;
    return CDG_OK;
}

// ---- fibres ---------------------------------------------------------------------------------------------------------

static int compare_roots(const void *a, const void *b) {
    const cdg_guide_root *x = a, *y = b;
    if (x->at.x != y->at.x) return x->at.x < y->at.x ? -1 : 1;
    return x->guide < y->guide ? -1 : 1;
}

void cdg_strands_sort(const cdg_vec3 *roots, size_t count, cdg_guide_root *out) {
    for (size_t g = 0; g < count; g++) out[g] = (cdg_guide_root){roots[g], (uint32_t)g};
    qsort(out, count, sizeof *out, compare_roots);
}

enum { KEPT = CDG_FIBER_GUIDES + 1 };

// The guides nearest to a place, nearest first; of those that are equally far the first ones.
typedef struct near_guides {
    double distance[KEPT];
    uint32_t guide[KEPT];
    size_t count;
} near_guides;

static bool is_before(double distance, uint32_t guide, const near_guides *near, size_t at) {
    return distance < near->distance[at] || (distance == near->distance[at] && guide < near->guide[at]);
}

static void offer(near_guides *near, const cdg_guide_root *root, cdg_vec3 position) {
    double distance = vec3_distance(root->at, position);
    if (near->count == KEPT && !is_before(distance, root->guide, near, KEPT - 1)) return;
    size_t at = near->count < KEPT ? near->count++ : KEPT - 1;
    for (; at > 0 && is_before(distance, root->guide, near, at - 1); at--) {
        near->distance[at] = near->distance[at - 1];
        near->guide[at] = near->guide[at - 1];
    }
    near->distance[at] = distance;
    near->guide[at] = root->guide;
}

// Outwards from the place along x, until what is left is farther in x alone.
static near_guides find_near(const cdg_guide_root *guides, size_t count, cdg_vec3 position) {
    near_guides near = {.count = 0};
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (guides[middle].at.x < position.x)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t below = low, above = low; below > 0 || above < count;) {
        double down = below > 0 ? position.x - guides[below - 1].at.x : INFINITY;
        double up = above < count ? guides[above].at.x - position.x : INFINITY;
        if (near.count == KEPT && fmin(down, up) > (1 + 1e-12) * near.distance[KEPT - 1]) break; // beyond rounding
        offer(&near, down < up ? &guides[--below] : &guides[above++], position);
    }
    return near;
}

// The nearest guides get weights that vanish where the next one takes over (Franke and Nielson 1980), so that
// neighbouring fibres never part at once. `clump` then gives all to the nearest.
void cdg_strands_weigh(const cdg_guide_root *guides, size_t guide_count, cdg_vec3 root, double clump,
                       uint32_t chosen[CDG_FIBER_GUIDES], double weights[CDG_FIBER_GUIDES]) {
    near_guides near = find_near(guides, guide_count, root);
    const double *distance = near.distance;
    double reach = near.count == KEPT ? distance[KEPT - 1] : INFINITY, sum = 0;
    size_t count = near.count < CDG_FIBER_GUIDES ? near.count : CDG_FIBER_GUIDES;
    for (size_t k = 0; k < CDG_FIBER_GUIDES; k++) {
        chosen[k] = near.guide[k < count ? k : 0];
        double d = k < count ? distance[k] : 1, tiny = 1e-9 * distance[0] + 1e-300;
        double left = k >= count ? 0 : isinf(reach) ? 1 : fmax(0, 1 - d / reach);
        weights[k] = left * left / ((d + tiny) * (d + tiny));
        if (k == 0 && left == 0) weights[0] = 1; // all are equally far
        sum += weights[k];
    }
    if (!isfinite(sum) || distance[0] == 0) { // right on a guide
        weights[0] = sum = 1;
        for (int k = 1; k < CDG_FIBER_GUIDES; k++) weights[k] = 0;
    }
    for (int k = 0; k < CDG_FIBER_GUIDES; k++) weights[k] = (1 - clump) * weights[k] / sum + (k == 0 ? clump : 0);
}

static double smooth(double t) { return t <= 0 ? 0 : t >= 1 ? 1 : t * t * (3 - 2 * t); }

enum { WAVES = 4 };

// Curl and frizz along a fibre, across its guides; both begin with nothing at the root.
static void bend_fiber(const cdg_strands_def *def, cdg_random *random, cdg_vec3 *out) {
    double radius = def->fiber_curl_radius * vary(random, def->variation);
    double pitch = def->fiber_curl_pitch * vary(random, def->variation), turn = random_in(random, 0, two_pi);
    double phase[2][WAVES], count[2][WAVES];
    for (int axis = 0; axis < 2; axis++)
        for (int w = 0; w < WAVES; w++) {
            phase[axis][w] = random_in(random, 0, two_pi);
            count[axis][w] = (w + 1) * random_in(random, 0.7, 1.3); // waves in the whole length
        }
    for (size_t i = 0; i <= def->element_count; i++) {
        double t = (double)i / (double)def->element_count, along = t * def->length;
        double angle = radius > 0 ? turn + two_pi * along / pitch : 0, grown = radius * smooth(4 * t);
        double wave[2] = {0};
        for (int axis = 0; axis < 2; axis++)
            for (int w = 0; w < WAVES; w++) wave[axis] += sin(phase[axis][w] + two_pi * count[axis][w] * t) / (w + 1);
        out[i] = vec3(grown * cos(angle) + def->frizz * t * wave[0], grown * sin(angle) + def->frizz * t * wave[1], 0);
    }
}

static cdg_result build_fibers(const cdg_strands_def *def, owned_strands *owned, cdg_error *error) {
    cdg_random random = {def->seed ^ 0x5bd1e995u}; // guides stay what they are when fibres change
    cdg_result result =
        cdg_patch_sample(&def->roots, def->fiber_count, 0.8, &random, owned->roots, owned->normals, error);
    if (result != CDG_OK) return result;
    size_t nodes = def->element_count + 1;
    for (size_t i = 0; i < nodes; i++)
        owned->spread[i] = 1 + (def->taper - 1) * smooth((double)i / (double)def->element_count);
    cdg_guide_root *sorted = malloc((def->guide_count + 1) * sizeof *sorted);
    if (sorted == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for strands '%s'", def->name);
    cdg_strands_sort(owned->guide_roots, def->guide_count, sorted);
    for (size_t f = 0; f < def->fiber_count; f++) {
        cdg_strands_weigh(sorted, def->guide_count, owned->roots[f], def->clump, owned->guides[f], owned->weights[f]);
        // most are nearly whole: tips thin out instead of ending all along
        double cut = random_unit(&random);
        owned->lengths[f] = 1 - def->length_variation * cut * cut;
        bend_fiber(def, &random, owned->offsets + f * nodes);
    }
    free(sorted);
    return CDG_OK;
}

static bool allocate(const cdg_strands_def *def, owned_strands *owned) {
    size_t guides = def->guide_count, fibers = def->fiber_count + 1, nodes = def->element_count + 1;
    cdg_strands *out = &owned->public_part;
    out->rods = calloc(guides, sizeof *out->rods);
    out->clamps = calloc(guides, sizeof *out->clamps);
    owned->names = calloc(guides + 1, strlen(def->name) + NAME_ROOM);
    owned->motions = calloc(def->motion_count + 1, sizeof *owned->motions);
    owned->guide_roots = calloc(guides, sizeof *owned->guide_roots);
    owned->normals = calloc(guides > fibers ? guides : fibers, sizeof *owned->normals);
    owned->guides = calloc(fibers, sizeof *owned->guides);
    owned->weights = calloc(fibers, sizeof *owned->weights);
    owned->roots = calloc(fibers, sizeof *owned->roots);
    owned->lengths = calloc(fibers, sizeof *owned->lengths);
    owned->offsets = calloc(fibers * nodes, sizeof *owned->offsets);
    owned->spread = calloc(nodes, sizeof *owned->spread);
    return out->rods != NULL && out->clamps != NULL && owned->names != NULL && owned->motions != NULL &&
           owned->guide_roots != NULL && owned->normals != NULL && owned->guides != NULL && owned->weights != NULL &&
           owned->roots != NULL && owned->lengths != NULL && owned->offsets != NULL && owned->spread != NULL;
}

static double radius_of(const cdg_strands_def *def) {
    if (def->fiber_radius > 0) return def->fiber_radius;
    if (def->rod.has_stiffness) return def->rod.stiffness.radius;
    cdg_section_properties properties;
    bool is_good = cdg_section_compute(&def->rod.section, 0.3, &properties, NULL) == CDG_OK;
    return is_good ? properties.bounding_radius : 0; // else adding the guides says what is wrong with the section
}

cdg_result cdg_strands_expand(const cdg_strands_def *def, cdg_strands **out, cdg_error *error) {
    if (out != NULL) *out = NULL;
    if (def == NULL) return cdg_fail_null(error, "def");
    if (out == NULL) return cdg_fail_null(error, "out");
    cdg_result result = check(def, error);
    if (result != CDG_OK) return result;
    owned_strands *owned = calloc(1, sizeof *owned);
    if (owned == NULL || !allocate(def, owned)) {
        if (owned != NULL) cdg_strands_destroy(&owned->public_part);
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for strands '%s'", def->name);
    }
    result = build_guides(def, owned, error);
    if (result == CDG_OK) result = build_fibers(def, owned, error);
    if (result != CDG_OK) {
        cdg_strands_destroy(&owned->public_part);
        return result;
    }
    owned->public_part.fibers = (cdg_fibers){
        .fiber_count = def->fiber_count,
        .guide_count = def->guide_count,
        .node_count = def->element_count + 1,
        .guides = (const uint32_t(*)[CDG_FIBER_GUIDES])owned->guides,
        .weights = (const double(*)[CDG_FIBER_GUIDES])owned->weights,
        .roots = owned->roots,
        .lengths = owned->lengths,
        .spread = owned->spread,
        .offsets = owned->offsets,
        .radius = radius_of(def),
    };
    *out = &owned->public_part;
    return CDG_OK;
}
