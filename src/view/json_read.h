// A small JSON document (RFC 8259) read into memory that the caller bounds. Strict: what is not JSON is refused.
#ifndef CDG_VIEW_JSON_READ_H
#define CDG_VIEW_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>

enum { CDG_JSON_VALUES_MAX = 128, CDG_JSON_READ_DEPTH_MAX = 8 };

typedef enum cdg_json_kind {
    CDG_JSON_NULL,
    CDG_JSON_BOOLEAN,
    CDG_JSON_NUMBER,
    CDG_JSON_STRING,
    CDG_JSON_ARRAY,
    CDG_JSON_OBJECT
} cdg_json_kind;

typedef struct cdg_json_value {
    cdg_json_kind kind;
    const char *key;    // of a member, terminated; NULL: none
    const char *string; // terminated; contains no zero otherwise
    size_t length;
    double number; // finite; boolean: 0 or 1
    const struct cdg_json_value *first, *next;
} cdg_json_value;

typedef struct cdg_json_document {
    cdg_json_value values[CDG_JSON_VALUES_MAX];
    size_t count;
    const char *fault; // what is wrong, when reading failed
} cdg_json_document;

// Strings are decoded into `text` (room for size + 1 bytes), which must live as long as the document. NULL: refused.
const cdg_json_value *cdg_json_read(const char *bytes, size_t size, char *text, cdg_json_document *document);
// A member of an object; NULL: none, or no object.
const cdg_json_value *cdg_json_member(const cdg_json_value *object, const char *key);

#endif
