// Words and numbers of a text, with the line they stand in for messages.
#ifndef CDG_MESHING_TEXT_SCAN_H
#define CDG_MESHING_TEXT_SCAN_H

#include "base/regular_file.h"

// Numbers are read as the C locale writes them, so whoever scans has set it: cdg_scan_begin does, cdg_scan_end undoes.
typedef struct cdg_text_scan {
    const char *path;
    const char *at, *end; // *end is a zero
    size_t line;
    cdg_error *error;
    void *locale[2]; // C, and what was before
} cdg_text_scan;

typedef struct cdg_word {
    const char *text;
    size_t size;
} cdg_word;

cdg_text_scan cdg_scan_begin(const char *path, const char *text, size_t size, cdg_error *error);
void cdg_scan_end(cdg_text_scan *scan);

// The next word, past blanks, line ends and comments that begin with '#'; false at the end of the text.
bool cdg_scan_word(cdg_text_scan *scan, cdg_word *out);
bool cdg_word_is(cdg_word word, const char *text);
// Whether the line has something more.
bool cdg_scan_line_goes_on(cdg_text_scan *scan);
void cdg_scan_skip_line(cdg_text_scan *scan);

// `what` names the thing in messages: "a coordinate". Numbers must be finite.
cdg_result cdg_scan_number(cdg_text_scan *scan, const char *what, double *out);
cdg_result cdg_scan_integer(cdg_text_scan *scan, const char *what, int64_t *out);
// A number of things of which each takes at least `bytes` bytes of the rest of the text.
cdg_result cdg_scan_count(cdg_text_scan *scan, const char *what, size_t bytes, size_t *out);

// CDG_ERROR_FORMAT with path and line before the sentence.
cdg_result cdg_scan_fail(const cdg_text_scan *scan, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
