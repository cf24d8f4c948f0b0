// Comparing one box with eight at once (box_groups.h), for each instruction set.
#include "contact/box_groups.h"
#include "math/simd.h"

#include <assert.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

// Bit i: a[i] <= b[i].
SIMD_INLINE uint32_t at_most_bits(simd_double a, simd_double b) {
#if CDG_SIMD_DOUBLES == 8
    return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_LE_OQ);
#elif CDG_SIMD_DOUBLES == 4
    return (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_LE_OQ));
#elif defined(__x86_64__)
    return (uint32_t)_mm_movemask_pd(_mm_cmple_pd((__m128d)a, (__m128d)b));
#else
    return (uint32_t)(a[0] <= b[0]) | (uint32_t)(a[1] <= b[1]) << 1;
#endif
}

SIMD_INLINE simd_double read(const double *from) {
    simd_double v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}

SIMD_INLINE uint32_t overlap_bits(const cdg_box_group *eight, const double low[3], const double high[3]) {
    uint32_t bits = 0;
    for (int first = 0; first < CDG_GROUP; first += SIMD_LANES) {
        uint32_t part = ~0u;
        for (int k = 0; k < 3; k++)
            part &= at_most_bits(read(&eight->low[k][first]), simd_broadcast(high[k])) &
                    at_most_bits(simd_broadcast(low[k]), read(&eight->high[k][first]));
        bits |= part << first;
    }
    return bits;
}

static void box_at(const cdg_box_group *group, size_t index, double low[3], double high[3]) {
    for (int k = 0; k < 3; k++) {
        low[k] = group->low[k][index];
        high[k] = group->high[k][index];
    }
}

static bool compare_ranges(const cdg_box_group *groups, size_t a, size_t a_end, size_t b, size_t b_end,
                           cdg_pair_list *out) {
    for (size_t i = a; i < a_end; i++) {
        double low[3], high[3];
        box_at(&groups[i / CDG_GROUP], i % CDG_GROUP, low, high);
        size_t start = a == b ? i + 1 : b;
        for (size_t g = start / CDG_GROUP; g * CDG_GROUP < b_end; g++) {
            uint32_t bits = overlap_bits(&groups[g], low, high);
            if (g * CDG_GROUP < start) bits &= ~0u << (start % CDG_GROUP);
            if (b_end < (g + 1) * CDG_GROUP) bits &= ~(~0u << (b_end % CDG_GROUP));
            if (out->capacity - out->count < CDG_GROUP && !out->grow(out, CDG_GROUP)) return false;
            for (; bits != 0; bits &= bits - 1)
                out->pairs[out->count++] =
                    (cdg_box_pair){(uint32_t)i, (uint32_t)(g * CDG_GROUP) + (uint32_t)__builtin_ctz(bits)};
        }
    }
    return true;
}

static bool find_leaves(const cdg_box_tree *tree, cdg_pair_list *out) {
    const int top = tree->level_count - 1;
    for (size_t leaf = 0; leaf < tree->leaf_count; leaf++) {
        double low[3], high[3];
        box_at(&tree->level[0][leaf / CDG_GROUP], leaf % CDG_GROUP, low, high);
        // Down the tree, children from left to right; what lies before the leaf was paired with it already. One open
        // group a level, with the bits of its children still to visit.
        size_t group[CDG_TREE_LEVELS_MAX];
        uint32_t left[CDG_TREE_LEVELS_MAX];
        int level = top;
        group[top] = 0;
        left[top] = overlap_bits(&tree->level[top][0], low, high);
        left[top] &= ~0u << ((leaf >> (3 * top)) % CDG_GROUP);
        for (;;) {
            if (level == 0) {
                if (out->capacity - out->count < CDG_GROUP && !out->grow(out, CDG_GROUP)) return false;
                for (uint32_t bits = left[0]; bits != 0; bits &= bits - 1) {
                    size_t other = group[0] * CDG_GROUP + (size_t)__builtin_ctz(bits);
                    out->pairs[out->count++] = (cdg_box_pair){(uint32_t)leaf, (uint32_t)other};
                }
                left[0] = 0;
            }
            while (level <= top && left[level] == 0) level++;
            if (level > top) break;
            assert(level > 0); // level 0 has just been emptied
            size_t child = group[level] * CDG_GROUP + (size_t)__builtin_ctz(left[level]);
            left[level] &= left[level] - 1;
            level--;
            group[level] = child;
            left[level] = overlap_bits(&tree->level[level][child], low, high);
            size_t own = leaf >> (3 * level); // the ancestor of the leaf on this level
            if (child == own / CDG_GROUP) left[level] &= ~0u << (own % CDG_GROUP);
        }
    }
    return true;
}

static bool compare_groups(const cdg_box_group *groups, const cdg_box *bounds, uint32_t a, cdg_box_pair *partners,
                           size_t partner_count, cdg_pair_list *out) {
    // Few of a's boxes reach most of the partners: which ones is found first, for all at once.
    for (size_t p = 0; p < partner_count; p++)
        partners[p].a = overlap_bits(&groups[a], bounds[partners[p].b].low, bounds[partners[p].b].high);
    for (uint32_t i = 0; i < CDG_GROUP; i++) {
        double low[3], high[3];
        box_at(&groups[a], i, low, high);
        for (size_t p = 0; p < partner_count; p++) {
            if ((partners[p].a >> i & 1) == 0) continue;
            uint32_t b = partners[p].b, bits = overlap_bits(&groups[b], low, high);
            if (a == b) bits &= ~1u << i; // each pair once
            if (out->capacity - out->count < CDG_GROUP && !out->grow(out, CDG_GROUP)) return false;
            for (; bits != 0; bits &= bits - 1)
                out->pairs[out->count++] =
                    (cdg_box_pair){a * CDG_GROUP + i, b * CDG_GROUP + (uint32_t)__builtin_ctz(bits)};
        }
    }
    return true;
}

extern const cdg_box_kernels JOIN(cdg_box_kernels, CDG_SIMD_SUFFIX);
const cdg_box_kernels JOIN(cdg_box_kernels, CDG_SIMD_SUFFIX) = {find_leaves, compare_groups, compare_ranges};
