// Words and numbers of a text. Nothing is copied; the text's last zero ends every word.
#define _POSIX_C_SOURCE 200809L // newlocale
#include "meshing/text_scan.h"

#include "base/error.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cdg_text_scan cdg_scan_begin(const char *path, const char *text, size_t size, cdg_error *error) {
    cdg_text_scan scan = {.path = path, .at = text, .end = text + size, .line = 1, .error = error};
    // only this thread is affected
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    scan.locale[0] = (void *)plain;
    if (plain != (locale_t)0) scan.locale[1] = (void *)uselocale(plain);
    return scan;
}

void cdg_scan_end(cdg_text_scan *scan) {
    if (scan->locale[0] == NULL) return;
    uselocale((locale_t)scan->locale[1]);
    freelocale((locale_t)scan->locale[0]);
    scan->locale[0] = NULL;
}

cdg_result cdg_scan_fail(const cdg_text_scan *scan, const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return cdg_fail(scan->error, CDG_ERROR_FORMAT, "%s:%zu: %s", scan->path, scan->line, text);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

void cdg_scan_skip_line(cdg_text_scan *scan) {
    while (scan->at < scan->end && *scan->at != '\n') scan->at++;
}

bool cdg_scan_line_goes_on(cdg_text_scan *scan) {
    while (scan->at < scan->end && is_blank(*scan->at)) scan->at++;
    if (scan->at < scan->end && *scan->at == '#') cdg_scan_skip_line(scan);
    return scan->at < scan->end && *scan->at != '\n';
}

bool cdg_scan_word(cdg_text_scan *scan, cdg_word *out) {
    while (!cdg_scan_line_goes_on(scan)) {
        if (scan->at == scan->end) return false;
        scan->at++;
        scan->line++;
    }
    out->text = scan->at;
    while (scan->at < scan->end && !is_blank(*scan->at) && *scan->at != '\n') scan->at++;
    out->size = (size_t)(scan->at - out->text);
    return true;
}

bool cdg_word_is(cdg_word word, const char *text) {
    return word.size == strlen(text) && memcmp(word.text, text, word.size) == 0;
}

static cdg_result refuse(const cdg_text_scan *scan, cdg_word word, const char *what) {
    int shown = word.size < 40 ? (int)word.size : 40;
    return cdg_scan_fail(scan, "expected %s, found '%.*s'", what, shown, word.text);
}

static cdg_result next_word(cdg_text_scan *scan, const char *what, cdg_word *out) {
    if (cdg_scan_word(scan, out)) return CDG_OK;
    return cdg_scan_fail(scan, "expected %s, but the file ends here; it is cut off", what);
}

cdg_result cdg_scan_number(cdg_text_scan *scan, const char *what, double *out) {
    cdg_word word;
    cdg_result result = next_word(scan, what, &word);
    if (result != CDG_OK) return result;
    char *end;
    *out = strtod(word.text, &end);
    bool is_whole = end == word.text + word.size && isfinite(*out);
    return is_whole ? CDG_OK : refuse(scan, word, what);
}

cdg_result cdg_scan_integer(cdg_text_scan *scan, const char *what, int64_t *out) {
    cdg_word word;
    cdg_result result = next_word(scan, what, &word);
    if (result != CDG_OK) return result;
    size_t sign = word.text[0] == '-' || word.text[0] == '+', i = sign;
    int64_t value = 0;
    for (; i < word.size && word.text[i] >= '0' && word.text[i] <= '9' && value < INT64_MAX / 16; i++)
        value = 10 * value + (word.text[i] - '0');
    if (i == sign || i < word.size) return refuse(scan, word, what);
    *out = word.text[0] == '-' ? -value : value;
    return CDG_OK;
}

cdg_result cdg_scan_count(cdg_text_scan *scan, const char *what, size_t bytes, size_t *out) {
    int64_t value;
    cdg_result result = cdg_scan_integer(scan, what, &value);
    if (result != CDG_OK) return result;
    size_t left = (size_t)(scan->end - scan->at) + 1; // the last line may lack its end
    if (value < 0 || (bytes > 0 && (uint64_t)value > left / bytes))
        return cdg_scan_fail(scan, "%s cannot be %lld: the rest of the file has only %zu bytes", what, (long long)value,
                             left - 1);
    *out = (size_t)value;
    return CDG_OK;
}
