// A JSON document written into memory (RFC 8259).
#include "output/json.h"

#include "base/growing_text.h"
#include "base/utf8.h"
#include "output/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void append(cdg_json *json, const char *bytes, size_t size) {
    if (json->has_failed) return;
    json->has_failed = !cdg_text_append(&json->text, &json->size, &json->capacity, bytes, size);
}

static void append_line(cdg_json *json) {
    append(json, "\n", 1);
    for (int i = 0; i < json->depth; i++) append(json, "  ", 2);
}

static void append_string(cdg_json *json, const char *value) {
    append(json, "\"", 1);
    for (const unsigned char *c = (const unsigned char *)value; *c != '\0';) {
        size_t length = cdg_utf8_length(c, SIZE_MAX);
        if (length == 0) {
            append(json, "\xEF\xBF\xBD", 3);
            c++;
            continue;
        }
        static const char special[] = "\"\\\n\r\t", letter[] = "\"\\nrt";
        char escape[8] = "\\";
        const char *found = strchr(special, *c);
        if (found != NULL) {
            escape[1] = letter[found - special];
            append(json, escape, 2);
        } else if (*c < 0x20 || *c == 0x7F) {
            int size = snprintf(escape, sizeof escape, "\\u%04x", *c);
            append(json, escape, (size_t)size);
        } else {
            append(json, (const char *)c, length);
        }
        c += length;
    }
    append(json, "\"", 1);
}

// What comes before every value: the comma, the line, the key. A key where none belongs, or a missing one, is our own
// mistake and makes the document fail instead of being wrong.
static void begin_value(cdg_json *json, const char *key) {
    bool is_member = json->depth > 0 && !json->is_array[json->depth - 1];
    if (is_member != (key != NULL) || (json->depth == 0 && json->has_member[0])) json->has_failed = true;
    if (json->has_member[json->depth]) append(json, ",", 1);
    if (json->depth > 0) append_line(json);
    json->has_member[json->depth] = true;
    if (key != NULL) {
        append_string(json, key);
        append(json, ": ", 2);
    }
}

static void begin_nested(cdg_json *json, const char *key, bool is_array) {
    begin_value(json, key);
    if (json->depth == CDG_JSON_DEPTH_MAX) json->has_failed = true;
    if (json->has_failed) return;
    append(json, is_array ? "[" : "{", 1);
    json->is_array[json->depth++] = is_array;
    json->has_member[json->depth] = false;
}

void cdg_json_begin_object(cdg_json *json, const char *key) { begin_nested(json, key, false); }
void cdg_json_begin_array(cdg_json *json, const char *key) { begin_nested(json, key, true); }

void cdg_json_end(cdg_json *json) {
    if (json->depth == 0) json->has_failed = true;
    if (json->has_failed) return;
    bool is_empty = !json->has_member[json->depth];
    json->depth--;
    if (!is_empty) append_line(json);
    append(json, json->is_array[json->depth] ? "]" : "}", 1);
}

void cdg_json_text(cdg_json *json, const char *key, const char *value) {
    if (value == NULL) {
        cdg_json_null(json, key);
        return;
    }
    begin_value(json, key);
    append_string(json, value);
}

void cdg_json_number(cdg_json *json, const char *key, double value) {
    if (!isfinite(value)) {
        cdg_json_null(json, key);
        return;
    }
    begin_value(json, key);
    char text[CDG_NUMBER_SIZE];
    size_t length = cdg_number_shortest(value, text);
    append(json, text, length);
}

void cdg_json_integer(cdg_json *json, const char *key, uint64_t value) {
    begin_value(json, key);
    char text[CDG_NUMBER_SIZE];
    int length = snprintf(text, sizeof text, "%" PRIu64, value);
    append(json, text, (size_t)length);
}

void cdg_json_boolean(cdg_json *json, const char *key, bool value) {
    begin_value(json, key);
    append(json, value ? "true" : "false", value ? 4 : 5);
}

void cdg_json_null(cdg_json *json, const char *key) {
    begin_value(json, key);
    append(json, "null", 4);
}

const char *cdg_json_finish(cdg_json *json) {
    if (json->depth != 0 || !json->has_member[0]) json->has_failed = true;
    append(json, "\n", 1);
    return json->has_failed ? NULL : json->text;
}

void cdg_json_free(cdg_json *json) {
    free(json->text);
    *json = (cdg_json){0};
}
