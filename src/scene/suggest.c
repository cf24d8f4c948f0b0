// Nearest-word search by the optimal string alignment form of the Damerau-Levenshtein distance.
#include "scene/suggest.h"

#include <string.h>

enum { WORD_MAX = 64 };

static char fold(char c) {
    if (c >= 'A' && c <= 'Z') return (char)(c - 'A' + 'a');
    return c == '-' || c == ' ' ? '_' : c;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

size_t cdg_edit_distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t n = least(a_length, WORD_MAX), m = least(b_length, WORD_MAX);
    size_t rows[3][WORD_MAX + 1];
    size_t *two_above = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= m; j++) above[j] = two_above[j] = j;
    for (size_t i = 1; i <= n; i++) {
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            char ca = fold(a[i - 1]), cb = fold(b[j - 1]);
            size_t best = least(least(above[j] + 1, row[j - 1] + 1), above[j - 1] + (ca != cb));
            if (i > 1 && j > 1 && ca == fold(b[j - 2]) && fold(a[i - 2]) == cb)
                best = least(best, two_above[j - 2] + 1);
            row[j] = best;
        }
        size_t *oldest = two_above;
        two_above = above;
        above = row;
        row = oldest;
    }
    return above[m];
}

// A third of the letters may be wrong; in words of one or two letters none may, or everything would be near.
static size_t allowed_edits(size_t length) { return length <= 2 ? 0 : (length + 1) / 3; }

word_search cdg_suggest_begin(const char *word, size_t length) {
    return (word_search){.word = word, .length = length, .best = NULL, .best_distance = WORD_MAX + 1};
}

void cdg_suggest_offer(word_search *search, const char *candidate) {
    size_t length = strlen(candidate), shorter = least(search->length, length);
    size_t distance = cdg_edit_distance(search->word, search->length, candidate, length);
    size_t longer = search->length > length ? search->length : length;
    size_t limit = allowed_edits(least(longer, WORD_MAX));
    // One word beginning with the other ("young", "element") is near however long the rest is, but counts as worse than
    // any word within the limit.
    if (distance > limit && shorter >= 3 && cdg_edit_distance(search->word, shorter, candidate, shorter) == 0) {
        distance = limit = WORD_MAX;
    }
    if (distance <= limit && distance < search->best_distance) {
        search->best = candidate;
        search->best_distance = distance;
    }
}
