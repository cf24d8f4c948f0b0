// What the terminal can show: size, colours, UTF-8; and how the command complains.
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

typedef struct terminal {
    FILE *stream;
    bool is_terminal; // a terminal that understands a carriage return (not TERM=dumb)
    bool has_color;   // may receive escape codes: is_terminal, and NO_COLOR is not set
    bool has_utf8;    // the locale's character set
} terminal;

terminal terminal_for(FILE *stream);
int terminal_width(const terminal *target); // columns, asked anew each time; 80 when unknown

typedef enum terminal_style {
    STYLE_PLAIN,
    STYLE_BOLD,
    STYLE_RED,
    STYLE_GREEN,
    STYLE_YELLOW,
    STYLE_CYAN
} terminal_style;
// The escape code of a style, "" without colours.
const char *terminal_style_code(const terminal *target, terminal_style style);

// "cordage: error: ..." with a new line, to standard error.
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void warn_recomputed(void); // that a run is older than fields which are shown

#endif
