// Colours follow no-color.org: NO_COLOR set to anything but the empty string turns them off, and so does TERM=dumb.
#define _DEFAULT_SOURCE
#include "terminal.h"

#include <langinfo.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

terminal terminal_for(FILE *stream) {
    const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
    terminal found = {.stream = stream};
    found.is_terminal = isatty(fileno(stream)) && term && strcmp(term, "dumb") != 0;
    found.has_color = found.is_terminal && !(no_color && *no_color);
    found.has_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    return found;
}

int terminal_width(const terminal *target) {
    struct winsize size;
    if (target->is_terminal && ioctl(fileno(target->stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

const char *terminal_style_code(const terminal *target, terminal_style style) {
    static const char *const codes[] = {
        [STYLE_PLAIN] = "\033[0m",  [STYLE_BOLD] = "\033[1m",      [STYLE_RED] = "\033[1;31m",
        [STYLE_GREEN] = "\033[32m", [STYLE_YELLOW] = "\033[1;33m", [STYLE_CYAN] = "\033[36m",
    };
    return target->has_color ? codes[style] : "";
}

static void say(const char *kind, terminal_style style, const char *format, va_list arguments) {
    terminal target = terminal_for(stderr);
    fprintf(stderr, "%scordage: %s%s:%s ", terminal_style_code(&target, STYLE_BOLD),
            terminal_style_code(&target, style), kind, terminal_style_code(&target, STYLE_PLAIN));
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say("error", STYLE_RED, format, arguments);
    va_end(arguments);
}

void warn(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say("warning", STYLE_YELLOW, format, arguments);
    va_end(arguments);
}

void warn_recomputed(void) {
    warn("the run was made before cordage stored strain, curvature and twist; they are recomputed from its frames, "
         "which "
         "do not show whole turns between neighbouring elements. Run the scene again for the model's own numbers");
}
