// A JSON document (RFC 8259) written into memory, indented by two spaces.
//
//     cdg_json json = {0};
//     cdg_json_begin_object(&json, NULL);
//     cdg_json_text(&json, "title", scene->title);
//     cdg_json_end(&json);
//     const char *text = cdg_json_finish(&json);   // NULL: out of memory, or begun and ended unequally
//     cdg_json_free(&json);
#ifndef CDG_OUTPUT_JSON_H
#define CDG_OUTPUT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CDG_JSON_DEPTH_MAX = 32 };

typedef struct cdg_json {
    char *text; // always terminated once anything was written
    size_t size, capacity;
    int depth;
    bool is_array[CDG_JSON_DEPTH_MAX]; // what is open at each depth
    bool has_member[CDG_JSON_DEPTH_MAX + 1];
    bool has_failed;
} cdg_json;

// `key` is NULL inside arrays and for the outermost value, else the member's name. A failure is remembered until
// finish.
void cdg_json_begin_object(cdg_json *json, const char *key);
void cdg_json_begin_array(cdg_json *json, const char *key);
void cdg_json_end(cdg_json *json);
void cdg_json_text(cdg_json *json, const char *key, const char *value); // NULL: null; bytes that are not UTF-8: U+FFFD
void cdg_json_number(cdg_json *json, const char *key, double value);    // not finite: null, JSON has nothing else
void cdg_json_integer(cdg_json *json, const char *key, uint64_t value);
void cdg_json_boolean(cdg_json *json, const char *key, bool value);
void cdg_json_null(cdg_json *json, const char *key);

// The whole document with a newline at its end; lives until cdg_json_free.
const char *cdg_json_finish(cdg_json *json);
void cdg_json_free(cdg_json *json);

#endif
