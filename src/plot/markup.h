// A growing text of XML or HTML: pieces are appended, text of users is escaped, numbers have a decimal point.
//
// A failure (out of memory) is remembered; later calls do nothing and `has_failed` tells.
#ifndef CDG_PLOT_MARKUP_H
#define CDG_PLOT_MARKUP_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cdg_markup {
    char *text; // always terminated once anything was written
    size_t size, capacity;
    bool has_failed;
} cdg_markup;

void cdg_markup_bytes(cdg_markup *markup, const char *bytes, size_t size); // as they are
void cdg_markup_raw(cdg_markup *markup, const char *text);                 // as it is
// Text of any origin: markup characters escaped, bytes that are not UTF-8 replaced by U+FFFD, control characters,
// which XML cannot hold, by a space. Fit for element content and for attributes in double quotes.
void cdg_markup_text(cdg_markup *markup, const char *text);
// Rounded to `decimals` (at most 9) places without trailing zeros; a number that is not finite becomes 0.
void cdg_markup_number(cdg_markup *markup, double value, int decimals);
void cdg_markup_base64(cdg_markup *markup, const unsigned char *bytes, size_t size);
void cdg_markup_free(cdg_markup *markup);

// A malloc'ed copy of `text` that is valid UTF-8 without control characters; NULL when out of memory.
char *cdg_markup_clean(const char *text);

#endif
