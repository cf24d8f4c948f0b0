// The list of a scene's errors and warnings.
#include "scene/diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cdg_diagnostics_add_list(scene_diagnostics *diagnostics, cdg_severity severity, scene_mark mark,
                              const char *format, va_list arguments) {
    if (severity == CDG_FAULT) diagnostics->fault_count++;
    if (diagnostics->count >= CDG_DIAGNOSTICS_MAX) {
        diagnostics->left_out++;
        return;
    }
    char text[1024];
    int length = vsnprintf(text, sizeof text, format, arguments);
    if (length < 0) length = 0;
    if ((size_t)length >= sizeof text) length = (int)sizeof text - 1;
    scene_diagnostic *items =
        cdg_storage_grow(diagnostics->storage, diagnostics->items, diagnostics->count, sizeof *items);
    const char *copy = cdg_storage_copy(diagnostics->storage, text, (size_t)length);
    if (items == NULL || copy == NULL) return;
    diagnostics->items = items;
    items[diagnostics->count++] = (scene_diagnostic){severity, mark, copy};
}

void cdg_diagnostics_add(scene_diagnostics *diagnostics, cdg_severity severity, scene_mark mark, const char *format,
                         ...) {
    va_list arguments;
    va_start(arguments, format);
    cdg_diagnostics_add_list(diagnostics, severity, mark, format, arguments);
    va_end(arguments);
}

bool cdg_diagnostics_are_full(const scene_diagnostics *diagnostics) {
    return diagnostics->count >= CDG_DIAGNOSTICS_MAX;
}

static bool comes_after(scene_mark a, scene_mark b) { return a.line != b.line ? a.line > b.line : a.column > b.column; }

void cdg_diagnostics_finish(scene_diagnostics *diagnostics) {
    // Insertion sort: stable, and there are few.
    scene_diagnostic *items = diagnostics->items;
    for (size_t i = 1; i < diagnostics->count; i++) {
        scene_diagnostic item = items[i];
        size_t j = i;
        for (; j > 0 && comes_after(items[j - 1].mark, item.mark); j--) items[j] = items[j - 1];
        items[j] = item;
    }
    if (diagnostics->left_out > 0 && diagnostics->count == CDG_DIAGNOSTICS_MAX) {
        char text[96];
        int length = snprintf(text, sizeof text, "and %zu more like these; mend the first ones and check again",
                              diagnostics->left_out);
        scene_diagnostic *last = &items[diagnostics->count - 1];
        const char *copy = cdg_storage_copy(diagnostics->storage, text, (size_t)length);
        scene_diagnostic *grown = cdg_storage_grow(diagnostics->storage, items, diagnostics->count, sizeof *items);
        if (copy == NULL || grown == NULL) return;
        cdg_severity severity = diagnostics->fault_count > 0 ? CDG_FAULT : CDG_WARNING;
        scene_mark mark = last->mark;
        diagnostics->items = grown;
        grown[diagnostics->count++] = (scene_diagnostic){severity, mark, copy};
        diagnostics->left_out = 0;
    }
}

size_t cdg_mark_format(scene_mark mark, const char *name, char *out, size_t size) {
    int length = mark.override != NULL ? snprintf(out, size, "--set %s", mark.override)
                 : mark.line > 0       ? snprintf(out, size, "%s:%d:%d", name, mark.line, mark.column)
                                       : snprintf(out, size, "%s", name);
    return length > 0 ? (size_t)length : 0;
}

size_t cdg_diagnostic_format(const scene_diagnostic *diagnostic, const char *name, char *out, size_t size) {
    size_t used = cdg_mark_format(diagnostic->mark, name, out, size);
    char *rest = size > 0 ? out + (used < size ? used : size - 1) : NULL;
    int length = snprintf(rest,
                          size > used ? size - used
                          : size > 0  ? 1
                                      : 0,
                          ": %s: %s", diagnostic->severity == CDG_FAULT ? "error" : "warning", diagnostic->text);
    return used + (length > 0 ? (size_t)length : 0);
}

const char *cdg_quote(char out[CDG_QUOTE_SIZE], const char *text, size_t length) {
    // Two quotes, three dots and the terminator must fit.
    size_t used = 0, room = CDG_QUOTE_SIZE - 6, i = 0;
    out[used++] = '\'';
    for (; i < length && used < room; i++) {
        unsigned char c = (unsigned char)text[i];
        out[used++] = c < 0x20 || c == 0x7F ? ' ' : (char)c;
    }
    if (i < length) {
        // Never cut a UTF-8 character in two.
        while (i > 0 && used > 1 && ((unsigned char)text[i] & 0xC0) == 0x80) i--, used--;
        memcpy(out + used, "...", 3);
        used += 3;
    }
    out[used++] = '\'';
    out[used] = '\0';
    return out;
}
