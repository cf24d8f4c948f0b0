// What became of a case, as a line: index, word, seconds, numbers with 17 digits, sentence, checksum; tabs between.
#include "sweep/outcome.h"

#include "base/growing_text.h"
#include "output/number.h"
#include "scene/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t cdg_hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

void cdg_outcome_free(cdg_outcome *outcome) {
    free(outcome->values);
    free(outcome->sentence);
    *outcome = (cdg_outcome){0};
}

// ---- writing --------------------------------------------------------------------------------------------------------

typedef struct writer {
    char *text;
    size_t size, capacity;
    bool has_failed;
} writer;

static void put(writer *w, const char *bytes, size_t count) {
    w->has_failed = w->has_failed || !cdg_text_append(&w->text, &w->size, &w->capacity, bytes, count);
}

static void put_number(writer *w, double value) {
    char text[CDG_NUMBER_SIZE];
    size_t length = cdg_number_exact(value, text);
    put(w, text, length);
    put(w, "\t", 1);
}

// A sentence on one line: what would end it, or a part of it, is a blank.
static void put_sentence(writer *w, const char *sentence) {
    for (const char *c = sentence; *c != '\0'; c++) put(w, *c == '\t' || *c == '\n' || *c == '\r' ? " " : c, 1);
    put(w, "\t", 1);
}

static const char *word_of(const cdg_outcome *outcome) {
    return outcome->has_failed ? "failed" : outcome->is_doubtful ? "doubtful" : "done";
}

char *cdg_outcome_write(const cdg_outcome *outcome, size_t column_count, size_t *size) {
    writer w = {0};
    char text[64];
    int length = snprintf(text, sizeof text, "%zu\t%s\t", outcome->index, word_of(outcome));
    put(&w, text, (size_t)length);
    put_number(&w, outcome->seconds);
    put_number(&w, outcome->solve);
    for (size_t i = 0; i < column_count; i++) put_number(&w, outcome->has_failed ? NAN : outcome->values[i]);
    put_sentence(&w, outcome->sentence != NULL ? outcome->sentence : "");
    uint64_t hash = w.has_failed ? 0 : cdg_hash_bytes(CDG_HASH_START, w.text, w.size);
    length = snprintf(text, sizeof text, "%016" PRIx64 "\n", hash);
    put(&w, text, (size_t)length);
    if (w.has_failed) {
        free(w.text);
        return NULL;
    }
    *size = w.size;
    return w.text;
}

// ---- reading --------------------------------------------------------------------------------------------------------

typedef struct reader {
    const char *at;
    size_t left;
    bool has_failed;
} reader;

static const char *next_part(reader *r, size_t *length) {
    const char *part = r->at, *tab = memchr(r->at, '\t', r->left);
    if (tab == NULL) {
        r->has_failed = true;
        *length = 0;
        return part;
    }
    *length = (size_t)(tab - part);
    r->at = tab + 1;
    r->left -= *length + 1;
    return part;
}

static double next_number(reader *r) {
    size_t length;
    double value = NAN;
    const char *part = next_part(r, &length);
    if (length == 3 && memcmp(part, "nan", 3) == 0) return NAN;
    if (length == 4 && memcmp(part, "-nan", 4) == 0) return NAN;
    if (length == 3 && memcmp(part, "inf", 3) == 0) return INFINITY;
    if (length == 4 && memcmp(part, "-inf", 4) == 0) return -INFINITY;
    if (!cdg_number_parse(part, length, &value)) r->has_failed = true;
    return value;
}

static bool has_checksum(const char *line, size_t length) {
    char expected[17];
    if (length < 17 || line[length - 17] != '\t') return false;
    uint64_t hash = cdg_hash_bytes(CDG_HASH_START, line, length - 16);
    snprintf(expected, sizeof expected, "%016" PRIx64, hash);
    return memcmp(expected, line + length - 16, 16) == 0;
}

cdg_outcome_state cdg_outcome_read(const char *line, size_t length, size_t column_count, cdg_outcome *out) {
    *out = (cdg_outcome){0};
    if (!has_checksum(line, length)) return CDG_OUTCOME_DAMAGED;
    reader r = {line, length - 16, false};
    size_t size;
    double index = next_number(&r);
    const char *word = next_part(&r, &size);
    bool is_done = size == 4 && memcmp(word, "done", 4) == 0;
    bool is_doubtful = size == 8 && memcmp(word, "doubtful", 8) == 0;
    if (r.has_failed || !(index >= 0 && index < 9e15)) return CDG_OUTCOME_DAMAGED;
    double *values = malloc((column_count + 1) * sizeof *values);
    if (values == NULL) return CDG_OUTCOME_NO_MEMORY;
    double seconds = next_number(&r), solve = next_number(&r);
    for (size_t i = 0; i < column_count; i++) values[i] = next_number(&r);
    const char *sentence = next_part(&r, &size);
    char *copy = is_done || r.has_failed ? NULL : malloc(size + 1);
    if (copy != NULL) memcpy(copy, sentence, size), copy[size] = '\0';
    bool has_memory = is_done || r.has_failed || copy != NULL;
    *out = (cdg_outcome){.index = (size_t)index,
                         .is_known = true,
                         .has_failed = !is_done && !is_doubtful,
                         .is_doubtful = is_doubtful,
                         .seconds = seconds,
                         .solve = solve,
                         .values = values,
                         .sentence = copy};
    if (has_memory && !r.has_failed && r.left == 0) return CDG_OUTCOME_READ;
    cdg_outcome_free(out);
    return has_memory ? CDG_OUTCOME_DAMAGED : CDG_OUTCOME_NO_MEMORY;
}
