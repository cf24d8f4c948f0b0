// Errors and warnings of a scene, collected while it is read and shown in file order.
#ifndef CDG_SCENE_DIAGNOSTICS_H
#define CDG_SCENE_DIAGNOSTICS_H

#include "scene/scene.h"
#include "scene/storage.h"

#include <stdarg.h>

typedef struct scene_diagnostic {
    cdg_severity severity;
    scene_mark mark;
    const char *text;
} scene_diagnostic;

typedef struct scene_diagnostics {
    scene_storage *storage;
    scene_diagnostic *items;
    size_t count, fault_count;
    size_t left_out; // came after the limit
} scene_diagnostics;

// More than this many tell nothing new; the rest is counted.
enum { CDG_DIAGNOSTICS_MAX = 200, CDG_QUOTE_SIZE = 72 };

void cdg_diagnostics_add(scene_diagnostics *diagnostics, cdg_severity severity, scene_mark mark, const char *format,
                         ...) __attribute__((format(printf, 4, 5)));
void cdg_diagnostics_add_list(scene_diagnostics *diagnostics, cdg_severity severity, scene_mark mark,
                              const char *format, va_list arguments) __attribute__((format(printf, 4, 0)));
bool cdg_diagnostics_are_full(const scene_diagnostics *diagnostics);
// Sorts into file order (overrides first, in the order found) and adds the count of those left out.
void cdg_diagnostics_finish(scene_diagnostics *diagnostics);
// "name:line:column: error: text"; "--set path: error: text" for overrides. Returns the length needed.
size_t cdg_diagnostic_format(const scene_diagnostic *diagnostic, const char *name, char *out, size_t size);
// Where it is alone: "name:line:column" or "--set path".
size_t cdg_mark_format(scene_mark mark, const char *name, char *out, size_t size);

// The user's own text for a message: quoted, shortened, on one line and without control characters.
const char *cdg_quote(char out[CDG_QUOTE_SIZE], const char *text, size_t length);

#endif
