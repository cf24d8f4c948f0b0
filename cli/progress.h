// A progress bar on one line of a terminal.
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "terminal.h"

#include <stddef.h>

typedef struct progress_bar {
    terminal terminal;
    bool is_on;
    size_t drawn; // columns that the last drawing filled
    double next;  // s, when the next drawing is due
} progress_bar;

// Draws nothing, ever, when `wanted` is false. Where the stream is no terminal, lines are written instead: the first
// after 5 s, then at intervals that grow to a minute.
progress_bar progress_begin(FILE *stream, bool wanted);
// Whether a drawing is due at `elapsed` seconds: ten times a second at most on a terminal.
bool progress_is_due(const progress_bar *bar, double elapsed);
// Draws. `parts` are short texts, the most important first; those that do not fit are left out.
void progress_draw(progress_bar *bar, double elapsed, double fraction, const char *const *parts, size_t part_count);
// Removes the bar from the line.
void progress_clear(progress_bar *bar);

// The line itself, at most `width` columns: " 42 % ████▌      1.7/4 s  ETA 3 s". Returns the columns used.
size_t progress_line(char *out, size_t size, double fraction, const char *const *parts, size_t part_count, size_t width,
                     bool has_utf8);
// The same for a file: " 42 %  1.7/4 s  ETA 3 s".
void progress_words(char *out, size_t size, double fraction, const char *const *parts, size_t part_count);

#endif
