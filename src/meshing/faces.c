// Matching faces: those with the same smallest point share a bucket, which is sorted by the other two.
#include "meshing/faces.h"

#include <stdlib.h>

const unsigned char cdg_face_corners[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

typedef struct bucket_entry {
    uint32_t middle, largest, half_face;
} bucket_entry;

static bucket_entry make_entry(const cdg_mesh *mesh, uint32_t half_face, uint32_t *smallest) {
    uint32_t p[3];
    cdg_face_points(mesh, half_face, p);
#define SWAP_IF(a, b)                                                                                                  \
    if (p[a] > p[b]) {                                                                                                 \
        uint32_t kept = p[a];                                                                                          \
        p[a] = p[b];                                                                                                   \
        p[b] = kept;                                                                                                   \
    }
    SWAP_IF(0, 1)
    SWAP_IF(1, 2)
    SWAP_IF(0, 1)
#undef SWAP_IF
    *smallest = p[0];
    return (bucket_entry){p[1], p[2], half_face};
}

static int compare_entries(const void *a, const void *b) {
    const bucket_entry *x = a, *y = b;
    if (x->middle != y->middle) return x->middle < y->middle ? -1 : 1;
    if (x->largest != y->largest) return x->largest < y->largest ? -1 : 1;
    return (x->half_face > y->half_face) - (x->half_face < y->half_face);
}

static void sort_bucket(bucket_entry *entries, size_t count) {
    if (count > 48) { // a point with very many elements
        qsort(entries, count, sizeof *entries, compare_entries);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        bucket_entry moving = entries[i];
        size_t k = i;
        for (; k > 0 && compare_entries(&entries[k - 1], &moving) > 0; k--) entries[k] = entries[k - 1];
        entries[k] = moving;
    }
}

static bool is_same_face(const bucket_entry *a, const bucket_entry *b) {
    return a->middle == b->middle && a->largest == b->largest;
}

static void match_bucket(const bucket_entry *entries, size_t count, uint32_t *mate) {
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && is_same_face(&entries[i], &entries[end]);) end++;
        if (end - i == 2) {
            mate[entries[i].half_face] = entries[i + 1].half_face;
            mate[entries[i + 1].half_face] = entries[i].half_face;
        } else {
            for (size_t k = i; k < end; k++)
                mate[entries[k].half_face] = end - i == 1 ? CDG_NO_FACE : CDG_OVERFULL_FACE;
        }
    }
}

bool cdg_faces_match(const cdg_mesh *mesh, const bool *skip, cdg_patience *patience, uint32_t *mate) {
    size_t half_faces = 4 * mesh->tetrahedron_count;
    size_t *start = calloc(mesh->point_count + 2, sizeof *start);
    bucket_entry *entries = malloc((half_faces + 1) * sizeof *entries);
    bool goes_on = start != NULL && entries != NULL;
    uint32_t smallest;
    for (size_t h = 0; goes_on && h < half_faces; h++) {
        goes_on = cdg_patience_lasts_at(patience, h);
        mate[h] = CDG_NO_FACE;
        if (skip != NULL && skip[h / 4]) continue;
        make_entry(mesh, (uint32_t)h, &smallest);
        start[smallest + 2]++;
    }
    for (size_t p = 0; goes_on && p < mesh->point_count; p++) start[p + 2] += start[p + 1];
    for (size_t h = 0; goes_on && h < half_faces; h++) {
        goes_on = cdg_patience_lasts_at(patience, h);
        if (skip != NULL && skip[h / 4]) continue;
        bucket_entry entry = make_entry(mesh, (uint32_t)h, &smallest);
        entries[start[smallest + 1]++] = entry;
    }
    for (size_t p = 0; goes_on && p < mesh->point_count; p++) {
        goes_on = cdg_patience_lasts_at(patience, p);
        sort_bucket(entries + start[p], start[p + 1] - start[p]);
        match_bucket(entries + start[p], start[p + 1] - start[p], mate);
    }
    free(start);
    free(entries);
    return goes_on;
}
