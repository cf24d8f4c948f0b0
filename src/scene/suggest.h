// "did you mean …?": the known word nearest to a mistyped one.
#ifndef CDG_SCENE_SUGGEST_H
#define CDG_SCENE_SUGGEST_H

#include <stddef.h>

// Number of single edits (insert, delete, replace, swap of neighbours) between two words, ignoring case and taking '-',
// ' ' and '_' as the same. Words longer than 64 bytes are compared by their first 64.
size_t cdg_edit_distance(const char *a, size_t a_length, const char *b, size_t b_length);

// Keeps the best candidate while they are offered one by one.
typedef struct word_search {
    const char *word;
    size_t length;
    const char *best; // NULL: nothing near enough so far
    size_t best_distance;
} word_search;

word_search cdg_suggest_begin(const char *word, size_t length);
void cdg_suggest_offer(word_search *search, const char *candidate);

#endif
