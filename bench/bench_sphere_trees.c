// Appendix B of the thesis: shape matching with sphere trees and a response at a level of detail. Contacts are pairs of
// spheres that overlap; each pushes the points in both apart along the line of centres. That is the thesis' penalty,
// for its figures; results of worlds use the contact solver (docs/contact.md).
#include "bench/case_functions.h"

#include "base/error.h"
#include "base/parallel.h"
#include "contact/box_pairs.h"
#include "math/random.h"
#include "solids/solid.h"
#include "solids/sphere_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double frame_step = 5e-3; // s

// ---- heaps of solids ------------------------------------------------------------------------------------------------

typedef struct figure {
    cdg_solid solid;
    cdg_sphere_tree tree;
    double (*push)[3];  // m/s, a node of the tree
    sphere_pairs pairs; // with figures before it, one after the other: ends[j] is where those with figure j end
    size_t *ends;
    cdg_result result;
    cdg_error error;
} figure;

typedef struct heap {
    figure *figures;
    size_t count, points;
    sphere_pairs pairs;
    int threads;
    size_t contacts;
    double deformation, detection, response; // s, of the last frame
} heap;

static void free_heap(heap *h) {
    for (size_t i = 0; i < h->count; i++) {
        cdg_solid_free(&h->figures[i].solid);
        cdg_sphere_tree_free(&h->figures[i].tree);
        free(h->figures[i].push);
        free(h->figures[i].ends);
        cdg_sphere_pairs_free(&h->figures[i].pairs);
    }
    free(h->figures);
    cdg_sphere_pairs_free(&h->pairs);
    *h = (heap){0};
}

static cdg_result add_figure(heap *h, const cdg_solid_def *def, cdg_error *error) {
    figure *f = &h->figures[h->count];
    cdg_result result = cdg_solid_build(def, "figure", &f->solid, error);
    if (result != CDG_OK) return result;
    h->count++;
    h->points += f->solid.node_count;
    cdg_vec3 *rest = malloc(f->solid.node_count * sizeof *rest);
    for (size_t i = 0; rest != NULL && i < f->solid.node_count; i++) rest[i] = solid_vec3(f->solid.rest, i);
    bool is_quadratic = def->shape_matching.mode == CDG_MATCHING_QUADRATIC;
    result = rest != NULL ? cdg_sphere_tree_build(&f->tree, rest, f->solid.node_count, is_quadratic, error)
                          : CDG_ERROR_MEMORY;
    free(rest);
    f->push = calloc(2 * f->solid.node_count, sizeof *f->push);
    f->ends = calloc(h->count, sizeof *f->ends);
    return result == CDG_OK && (f->push == NULL || f->ends == NULL) ? CDG_ERROR_MEMORY : result;
}

// On a lattice, a little out of place, each turned at random.
static cdg_result make_heap(heap *h, size_t count, cdg_matching_mode mode, double resolution, double distance,
                            cdg_error *error) {
    *h = (heap){.figures = calloc(count, sizeof *h->figures), .threads = 1};
    if (h->figures == NULL) return CDG_ERROR_MEMORY;
    cdg_random random = {17};
    cdg_shape shape = {.kind = CDG_SHAPE_BOX, .size = {0.12, 0.12, 0.16}, .orientation = {1, 0, 0, 0}};
    cdg_solid_def def = cdg_solid_def_default();
    def.model = CDG_SOLID_SHAPE_MATCHING;
    def.shape_matching.mode = mode;
    cdg_result result = cdg_shape_mesh(&shape, resolution, &def.mesh, error);
    size_t side = (size_t)ceil(cbrt((double)count));
    for (size_t i = 0; i < count && result == CDG_OK; i++) {
        size_t row = i / side, layer = row / side; // whole ones
        double at[3] = {(double)(i % side), (double)(row % side), (double)layer};
        def.position = vec3_scale(distance, vec3(at[0], at[1], at[2]));
        def.position = vec3_add(def.position, random_vec3(&random, 0.05 * distance));
        def.orientation = random_rotation(&random);
        result = add_figure(h, &def, error);
    }
    cdg_mesh_free(&def.mesh);
    return result;
}

// ---- a frame --------------------------------------------------------------------------------------------------------

typedef struct frame_work {
    heap *heap;
    cdg_vec3 middle;
    uint32_t level;
} frame_work;

// All fall to the middle, which needs no floor.
static void deform(void *user, size_t index, int thread) {
    (void)thread;
    const frame_work *work = user;
    figure *f = &work->heap->figures[index];
    cdg_solid *s = &f->solid;
    cdg_vec3 to = vec3_sub(work->middle, vec3(s->x[0][0], s->x[1][0], s->x[2][0]));
    cdg_vec3 gravity = vec3_scale(20 / (vec3_norm(to) + 0.1), to);
    cdg_solid_result report;
    f->result = cdg_solid_predict(s, frame_step, gravity, 1, &report, &f->error);
    if (f->result == CDG_OK) cdg_solid_commit(s, frame_step);
}

static void move_tree(void *user, size_t index, int thread) {
    (void)thread;
    const frame_work *work = user;
    figure *f = &work->heap->figures[index];
    cdg_sphere_tree_move(&f->tree, f->solid.x, NULL);
    if (work->heap->threads > 1) cdg_sphere_tree_refresh(&f->tree, work->level); // else those that are asked for
}

static void detect(void *user, size_t index, int thread) {
    (void)thread;
    const frame_work *work = user;
    figure *f = &work->heap->figures[index];
    f->pairs.count = 0;
    for (size_t j = 0; j < index; j++) {
        if (!cdg_sphere_trees_meet(&f->tree, &work->heap->figures[j].tree, work->level, &f->pairs))
            f->result = CDG_ERROR_MEMORY;
        f->ends[j] = f->pairs.count;
    }
}

static void push_pair(figure *a, figure *b, sphere_pair pair) {
    cdg_sphere one = cdg_sphere_tree_get(&a->tree, pair.a), other = cdg_sphere_tree_get(&b->tree, pair.b);
    cdg_vec3 away = vec3_sub(one.center, other.center);
    double distance = vec3_norm(away), depth = one.radius + other.radius - distance;
    cdg_vec3 push = vec3_scale(0.004 * depth / (frame_step * (distance + 1e-9)), away);
    const double part[3] = {push.x, push.y, push.z};
    for (int k = 0; k < 3; k++) a->push[pair.a][k] += part[k], b->push[pair.b][k] -= part[k];
}

static void push_pairs(heap *h, size_t index) {
    figure *f = &h->figures[index];
    size_t k = 0;
    for (size_t j = 0; j < index; j++)
        for (; k < f->ends[j]; k++) push_pair(f, &h->figures[j], f->pairs.pairs[k]);
    h->contacts += f->pairs.count;
}

static void give_pushes(void *user, size_t index, int thread) {
    (void)thread;
    figure *f = &((const frame_work *)user)->heap->figures[index];
    for (size_t n = 0; n < f->tree.node_count; n++) {
        const sphere_node *node = &f->tree.nodes[n];
        double *push = f->push[n];
        if (push[0] == 0 && push[1] == 0 && push[2] == 0) continue;
        for (uint32_t i = node->first; i < node->first + node->count; i++)
            for (int k = 0; k < 3; k++) f->solid.v[k][f->tree.index[i]] += push[k];
        push[0] = push[1] = push[2] = 0;
    }
}

static double now(const heap *h) { return h->threads > 1 ? bench_clock() : bench_own_clock(); }

static cdg_result take_frame(heap *h, uint32_t level, cdg_vec3 middle, cdg_error *error) {
    frame_work work = {h, middle, level};
    cdg_result result = CDG_OK;
    double began = now(h);
    cdg_parallel_for(h->count, h->threads, deform, &work);
    double deformed = now(h);
    cdg_parallel_for(h->count, h->threads, move_tree, &work);
    cdg_parallel_for(h->count, h->threads, detect, &work);
    double detected = now(h);
    h->contacts = 0;
    for (size_t i = 0; i < h->count; i++) push_pairs(h, i);
    cdg_parallel_for(h->count, h->threads, give_pushes, &work);
    double ended = now(h);
    h->deformation = deformed - began, h->detection = detected - deformed, h->response = ended - detected;
    for (size_t i = 0; i < h->count && result == CDG_OK; i++) {
        result = h->figures[i].result;
        if (result != CDG_OK && error != NULL) *error = h->figures[i].error;
    }
    return result;
}

// Rows of contacts, detection, response, deformation and their sum, theirs in the label.
static cdg_result measure_heap(bench_context *context, heap *h, const char *name, const char *theirs, uint32_t level,
                               cdg_vec3 middle, int frames, double bar, cdg_error *error) {
    enum { SAMPLES = 7 };
    double value[5][SAMPLES];
    cdg_result result = CDG_OK;
    for (int n = 0; n < frames && result == CDG_OK; n++) result = take_frame(h, level, middle, error);
    for (int n = 0; n < SAMPLES && result == CDG_OK; n++) {
        result = take_frame(h, level, middle, error);
        double parts[5] = {(double)h->contacts, 1e3 * h->detection, 1e3 * h->response, 1e3 * h->deformation,
                           1e3 * (h->detection + h->response + h->deformation)};
        for (int k = 0; k < 5; k++) value[k][n] = parts[k];
    }
    if (context == NULL) return result; // not asked for
    static const char *const what[] = {"contacts", "detection", "response", "deformation", "a frame"};
    for (int k = 0; k < 5 && result == CDG_OK; k++) {
        char label[BENCH_TEXT_SIZE];
        snprintf(label, sizeof label, "%s, %s%s", name, what[k], k == 4 ? theirs : "");
        bench_add_row(context, label, k == 0 ? "1" : "ms", k == 4 ? bar : 0);
        for (int n = 0; n < SAMPLES; n++) bench_add_sample(context, value[k][n]);
    }
    return result;
}

static cdg_result three_figures(bench_context *context, cdg_error *error) {
    heap h;
    cdg_result result = make_heap(&h, 3, CDG_MATCHING_QUADRATIC, 0.0075, 0.12, error);
    char name[64];
    snprintf(name, sizeof name, "B.7, 3 objects, %zu points", h.points);
    if (result == CDG_OK) result = measure_heap(context, &h, name, " (thesis 47.2)", 7, vec3(0.12, 0, 0), 30, 3, error);
    free_heap(&h);
    return result;
}

// One heap for all levels, settled at the coarsest but one. On two threads the same frames again, by the clock; of
// these the last level is told, which says something on an idle machine only.
static cdg_result three_hundred(bench_context *context, int threads, cdg_error *error) {
    static const char *const theirs[] = {" (thesis 42.5)", " (thesis 49.2)", " (thesis 62.3)", " (thesis 104)",
                                         " (thesis 147)"};
    heap h;
    cdg_vec3 middle = vec3(0.6, 0.6, 0.6);
    cdg_result result = make_heap(&h, 300, CDG_MATCHING_LINEAR, 0.0201, 0.2, error);
    h.threads = threads;
    for (int n = 0; n < 40 && result == CDG_OK; n++) result = take_frame(&h, 3, middle, error);
    for (uint32_t level = 2; level <= 6 && result == CDG_OK; level++) {
        char name[64];
        bool is_told = threads == 1 || level == 6;
        snprintf(name, sizeof name, "B.1, %zu points, level %u%s", h.points, (unsigned)level,
                 threads == 1 ? "" : ", two cores by the clock");
        double bar = threads > 1 && level == 6 ? 10 : 0;
        result = measure_heap(is_told ? context : NULL, &h, name, theirs[level - 2], level, middle, 5, bar, error);
        bench_progress(context, 0.3 * threads + 0.04 * level);
    }
    free_heap(&h);
    return result;
}

// ---- spheres against boxes ------------------------------------------------------------------------------------------

// With the smallest balls in place of bounds: how many spheres a search to the leaves asks for.
static uint64_t smallest_updates(cdg_sphere_tree *a, cdg_sphere_tree *b, sphere_pairs *pairs) {
    cdg_sphere_tree *trees[2] = {a, b};
    uint64_t before = 0, after = 0;
    for (int t = 0; t < 2; t++) {
        trees[t]->stamp++;
        before += trees[t]->updates;
        for (size_t n = 0; n < trees[t]->node_count; n++) { // the fit's spheres are replaced, unasked
            sphere_node *node = &trees[t]->nodes[n];
            node->sphere = cdg_sphere_around(trees[t]->x, node->first, node->count, NULL);
        }
    }
    // A search that counts: spheres are there already, so their first use is noted by the stamp here.
    size_t depth = 0;
    sphere_pair *stack = pairs->stack;
    stack[depth++] = (sphere_pair){0, 0};
    while (depth > 0) {
        sphere_pair top = stack[--depth];
        sphere_node *p = &a->nodes[top.a], *q = &b->nodes[top.b];
        if (p->stamp != a->stamp) p->stamp = a->stamp, after++;
        if (q->stamp != b->stamp) q->stamp = b->stamp, after++;
        if (vec3_distance(p->sphere.center, q->sphere.center) > p->sphere.radius + q->sphere.radius) continue;
        if (p->child == 0 && q->child == 0) continue;
        bool opens_a = p->child != 0 && (q->child == 0 || p->sphere.radius >= q->sphere.radius);
        for (uint32_t k = 0; k < 2 && depth + 1 < pairs->stack_capacity; k++)
            stack[depth++] = opens_a ? (sphere_pair){p->child + k, top.b} : (sphere_pair){top.a, q->child + k};
    }
    (void)before;
    return after;
}

typedef struct leaf_boxes {
    cdg_box *boxes;
    uint32_t *owner;
    size_t count;
    cdg_box_finder finder;
} leaf_boxes;

static bool are_apart(const void *user, uint32_t a, uint32_t b) {
    const leaf_boxes *it = user;
    return it->owner[a] != it->owner[b];
}

// The same leaves in boxes, and what the solver's tree finds.
static cdg_result find_boxes(heap *h, leaf_boxes *it, cdg_error *error) {
    it->count = 0;
    for (size_t f = 0; f < h->count; f++) {
        const cdg_sphere_tree *t = &h->figures[f].tree;
        double *const *x = h->figures[f].solid.x;
        for (size_t n = 0; n < t->node_count; n++) {
            const sphere_node *node = &t->nodes[n];
            if (node->child != 0) continue;
            cdg_box box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
            for (uint32_t i = node->first; i < node->first + node->count; i++)
                for (int k = 0; k < 3; k++) {
                    double at = x[k][t->index[i]];
                    box.low[k] = at < box.low[k] ? at : box.low[k];
                    box.high[k] = at > box.high[k] ? at : box.high[k];
                }
            it->owner[it->count] = (uint32_t)f;
            it->boxes[it->count++] = box;
        }
    }
    return cdg_box_finder_find(&it->finder, it->boxes, it->count, are_apart, it, error);
}

static cdg_result compare(bench_context *context, double resolution, double bar, cdg_error *error) {
    heap h;
    char label[BENCH_TEXT_SIZE];
    cdg_vec3 middle = vec3(0.06, 0, 0);
    leaf_boxes boxes = {0};
    cdg_result result = make_heap(&h, 2, CDG_MATCHING_QUADRATIC, resolution, 0.14, error);
    boxes.boxes = malloc((h.points + 1) * sizeof *boxes.boxes), boxes.owner = malloc((h.points + 1) * sizeof(uint32_t));
    if (result == CDG_OK && (boxes.boxes == NULL || boxes.owner == NULL)) result = CDG_ERROR_MEMORY;
    for (int n = 0; n < 25 && result == CDG_OK; n++) result = take_frame(&h, 30, middle, error);
    double spheres[7], found[7], updates = 0, smallest = 0, most = 0;
    for (int n = 0; n < 7 && result == CDG_OK; n++) {
        result = take_frame(&h, 30, middle, error);
        cdg_sphere_tree *a = &h.figures[0].tree, *b = &h.figures[1].tree;
        double began = bench_own_clock();
        cdg_sphere_tree_move(a, h.figures[0].solid.x, NULL);
        cdg_sphere_tree_move(b, h.figures[1].solid.x, NULL);
        uint64_t before = a->updates + b->updates;
        h.pairs.count = 0;
        if (!cdg_sphere_trees_meet(a, b, 30, &h.pairs)) result = CDG_ERROR_MEMORY;
        spheres[n] = 1e3 * (bench_own_clock() - began);
        updates += (double)(a->updates + b->updates - before);
        most = fmax(most, (double)(a->updates + b->updates - before));
        smallest += (double)smallest_updates(a, b, &h.pairs);
        began = bench_own_clock();
        if (result == CDG_OK) result = find_boxes(&h, &boxes, error);
        found[n] = 1e3 * (bench_own_clock() - began);
    }
    if (result == CDG_OK) {
        snprintf(label, sizeof label, "B.6, 2 objects, %zu points, sphere updates over those with smallest balls",
                 h.points);
        bench_add_row(context, label, "1", bar);
        bench_add_sample(context, updates / smallest);
        snprintf(label, sizeof label, "B.6, %zu points, largest number of sphere updates", h.points);
        bench_add_row(context, label, "1", 0);
        bench_add_sample(context, most);
        snprintf(label, sizeof label, "B.5, %zu points, pairs of leaves by spheres", h.points);
        bench_add_row(context, label, "ms", 0);
        for (int n = 0; n < 7; n++) bench_add_sample(context, spheres[n]);
        snprintf(label, sizeof label, "B.5, %zu points, pairs of the same leaves by boxes", h.points);
        bench_add_row(context, label, "ms", 0);
        for (int n = 0; n < 7; n++) bench_add_sample(context, found[n]);
    }
    free(boxes.boxes), free(boxes.owner);
    cdg_box_finder_free(&boxes.finder);
    free_heap(&h);
    return result;
}

cdg_result bench_sphere_trees(bench_context *context, cdg_error *error) {
    cdg_result result = compare(context, 0.0083, 1.05, error); // 8,000 points in all
    if (result == CDG_OK) result = compare(context, 0.0049, 1.05, error);
    bench_progress(context, 0.3);
    if (result == CDG_OK) result = three_figures(context, error);
    if (result == CDG_OK) result = three_hundred(context, 1, error);
    if (result == CDG_OK) result = three_hundred(context, 2, error);
    return result;
}
