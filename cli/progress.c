// The bar is redrawn with a carriage return and blanks only, no escape codes, so it also works with NO_COLOR set.
#include "progress.h"

#include "format.h"

#include <math.h>
#include <string.h>

enum { BAR_COLUMNS_MIN = 10, BAR_COLUMNS_MAX = 40, LINE_SIZE = 512 };
static const double redraw_seconds = 0.1;
// Into a file: a line after a while, then at ever longer intervals, up to a minute.
static const double first_line_seconds = 5, longest_wait_seconds = 60;

// A text that grows and stays terminated; what does not fit is left out.
typedef struct line_writer {
    char *out;
    size_t size, used;
} line_writer;

static void append(line_writer *line, const char *text) {
    size_t length = strlen(text);
    if (line->used + length + 1 > line->size) return;
    memcpy(line->out + line->used, text, length + 1);
    line->used += length;
}

// Eighths of a block in UTF-8, else '#' and '.'.
static void append_bar(line_writer *line, double fraction, size_t columns, bool has_utf8) {
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    size_t cells = has_utf8 ? 8 : 1;
    size_t filled = (size_t)floor(fraction * (double)(columns * cells));
    size_t whole = filled / cells, part = filled % cells, rest = columns - whole;
    append(line, has_utf8 ? "" : "[");
    for (size_t i = 0; i < whole; i++) append(line, has_utf8 ? "█" : "#");
    if (part > 0) {
        append(line, eighths[part]);
        rest--;
    }
    for (size_t i = 0; i < rest; i++) append(line, has_utf8 ? "░" : ".");
    append(line, has_utf8 ? "" : "]");
}

size_t progress_line(char *out, size_t size, double fraction, const char *const *parts, size_t part_count, size_t width,
                     bool has_utf8) {
    line_writer line = {.out = out, .size = size};
    if (size == 0) return 0;
    out[0] = '\0';
    if (!(fraction > 0)) fraction = 0;
    if (fraction > 1) fraction = 1;
    char percent[16];
    snprintf(percent, sizeof percent, "%3d %%", (int)floor(100 * fraction));
    size_t used = text_columns(percent);
    if (used > width) return 0;
    append(&line, percent);

    // The first part says more than the bar, the bar more than the others.
    size_t shown = 0, brackets = has_utf8 ? 0 : 2, bar = 1 + brackets + BAR_COLUMNS_MIN;
    size_t first = part_count > 0 ? 2 + text_columns(parts[0]) : 0;
    size_t with_bar = used + first + bar <= width ? bar : 0, allowed = with_bar ? part_count : part_count > 0;
    for (; shown < allowed; shown++) {
        size_t next = 2 + text_columns(parts[shown]);
        if (used + with_bar + next > width) break;
        used += next;
    }
    if (with_bar) {
        size_t columns = width - used - 1 - brackets;
        if (columns > BAR_COLUMNS_MAX) columns = BAR_COLUMNS_MAX;
        append(&line, " ");
        append_bar(&line, fraction, columns, has_utf8);
        used += 1 + brackets + columns;
    }
    for (size_t i = 0; i < shown; i++) {
        append(&line, "  ");
        append(&line, parts[i]);
    }
    return used;
}

void progress_words(char *out, size_t size, double fraction, const char *const *parts, size_t part_count) {
    line_writer line = {.out = out, .size = size};
    if (size == 0) return;
    char percent[16];
    snprintf(percent, sizeof percent, "%3d %%", (int)floor(100 * fmin(1, fmax(0, fraction))));
    out[0] = '\0';
    append(&line, percent);
    for (size_t i = 0; i < part_count; i++) {
        append(&line, "  ");
        append(&line, parts[i]);
    }
}

progress_bar progress_begin(FILE *stream, bool wanted) {
    progress_bar bar = {.terminal = terminal_for(stream)};
    bar.is_on = wanted;
    if (!bar.terminal.is_terminal) bar.next = first_line_seconds;
    return bar;
}

bool progress_is_due(const progress_bar *bar, double elapsed) { return bar->is_on && elapsed >= bar->next; }

static void fill_with_blanks(const progress_bar *bar, size_t count) {
    for (size_t i = 0; i < count; i++) fputc(' ', bar->terminal.stream);
}

void progress_draw(progress_bar *bar, double elapsed, double fraction, const char *const *parts, size_t part_count) {
    if (!bar->is_on) return;
    char line[LINE_SIZE];
    if (!bar->terminal.is_terminal) {
        progress_words(line, sizeof line, fraction, parts, part_count);
        fprintf(bar->terminal.stream, "%s\n", line);
        fflush(bar->terminal.stream);
        bar->next = elapsed + fmin(longest_wait_seconds, fmax(first_line_seconds, 0.5 * elapsed));
        return;
    }
    int width = terminal_width(&bar->terminal);
    // The last column stays free: some terminals wrap as soon as it is written.
    size_t room = width > 1 ? (size_t)width - 1 : 0;
    size_t columns = progress_line(line, sizeof line, fraction, parts, part_count, room, bar->terminal.has_utf8);
    fprintf(bar->terminal.stream, "\r%s", line);
    if (bar->drawn > columns) fill_with_blanks(bar, (bar->drawn < room ? bar->drawn : room) - columns);
    fflush(bar->terminal.stream);
    bar->drawn = columns;
    bar->next = elapsed + redraw_seconds;
}

void progress_clear(progress_bar *bar) {
    if (!bar->is_on || bar->drawn == 0) return;
    fputc('\r', bar->terminal.stream);
    fill_with_blanks(bar, bar->drawn);
    fputc('\r', bar->terminal.stream);
    fflush(bar->terminal.stream);
    bar->drawn = 0;
}
