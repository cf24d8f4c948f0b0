// Reading JSON by recursive descent: bounded in depth and in the number of values; keys of an object are unique.
#include "view/json_read.h"

#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct reading {
    const char *at, *end;
    char *text; // where the next decoded string goes
    cdg_json_document *document;
    int depth;
} reading;

static bool refuse(reading *r, const char *fault) {
    if (r->document->fault == NULL) r->document->fault = fault;
    return false;
}

static void skip_space(reading *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r')) r->at++;
}

static bool take(reading *r, char wanted) {
    skip_space(r);
    if (r->at >= r->end || *r->at != wanted) return false;
    r->at++;
    return true;
}

// ---- strings --------------------------------------------------------------------------------------------------------

static bool read_hex4(reading *r, unsigned *out) {
    *out = 0;
    if (r->end - r->at < 4) return refuse(r, "a \\u wants four digits");
    for (int i = 0; i < 4; i++) {
        char c = *r->at++;
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                         : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10)
                                                : 16;
        if (digit > 15) return refuse(r, "a \\u wants four digits");
        *out = *out * 16 + digit;
    }
    return true;
}

static void put_utf8(reading *r, unsigned code) {
    if (code < 0x80) {
        *r->text++ = (char)code;
    } else if (code < 0x800) {
        *r->text++ = (char)(0xC0 | code >> 6);
        *r->text++ = (char)(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        *r->text++ = (char)(0xE0 | code >> 12);
        *r->text++ = (char)(0x80 | (code >> 6 & 0x3F));
        *r->text++ = (char)(0x80 | (code & 0x3F));
    } else {
        *r->text++ = (char)(0xF0 | code >> 18);
        *r->text++ = (char)(0x80 | (code >> 12 & 0x3F));
        *r->text++ = (char)(0x80 | (code >> 6 & 0x3F));
        *r->text++ = (char)(0x80 | (code & 0x3F));
    }
}

// After "\u". Decoded text is never longer than its escapes, so the room for strings suffices.
static bool read_code(reading *r) {
    unsigned code, low;
    if (!read_hex4(r, &code)) return false;
    if (code == 0) return refuse(r, "a string has a zero character");
    if (code >= 0xD800 && code < 0xE000) {
        bool has_low = code < 0xDC00 && r->end - r->at >= 6 && r->at[0] == '\\' && r->at[1] == 'u';
        if (!has_low) return refuse(r, "half of a surrogate pair");
        r->at += 2;
        if (!read_hex4(r, &low)) return false;
        if (low < 0xDC00 || low >= 0xE000) return refuse(r, "half of a surrogate pair");
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    put_utf8(r, code);
    return true;
}

static bool read_escape(reading *r) {
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    if (r->at >= r->end) return refuse(r, "a string does not end");
    char letter = *r->at++;
    if (letter == 'u') return read_code(r);
    const char *found = letter != '\0' ? strchr(letters, letter) : NULL;
    if (found == NULL) return refuse(r, "an unknown escape in a string");
    *r->text++ = meanings[found - letters];
    return true;
}

// After the opening quote.
static bool read_string(reading *r, const char **out, size_t *length) {
    char *start = r->text;
    while (r->at < r->end && *r->at != '"') {
        unsigned char c = (unsigned char)*r->at;
        if (c < 0x20) return refuse(r, "a control character in a string");
        r->at++;
        if (c != '\\')
            *r->text++ = (char)c;
        else if (!read_escape(r))
            return false;
    }
    if (r->at >= r->end) return refuse(r, "a string does not end");
    r->at++;
    *out = start;
    *length = (size_t)(r->text - start);
    *r->text++ = '\0'; // in the place of a quote
    return true;
}

// ---- values ---------------------------------------------------------------------------------------------------------

static const char *skip_digits(const char *at, const char *end) {
    while (at < end && *at >= '0' && *at <= '9') at++;
    return at;
}

// JSON's own grammar, which is narrower than strtod's.
static bool read_number(reading *r, double *out) {
    const char *at = r->at, *digits;
    char copy[64];
    if (at < r->end && *at == '-') at++;
    digits = at;
    at = skip_digits(at, r->end);
    bool is_good = at > digits && (*digits != '0' || at == digits + 1);
    if (is_good && at < r->end && *at == '.') {
        digits = ++at;
        at = skip_digits(at, r->end);
        is_good = at > digits;
    }
    if (is_good && at < r->end && (*at == 'e' || *at == 'E')) {
        at++;
        if (at < r->end && (*at == '+' || *at == '-')) at++;
        digits = at;
        at = skip_digits(at, r->end);
        is_good = at > digits;
    }
    if (!is_good || (size_t)(at - r->at) >= sizeof copy) return refuse(r, "not a number");
    memcpy(copy, r->at, (size_t)(at - r->at));
    copy[at - r->at] = '\0';
    *out = strtod(copy, NULL);
    r->at = at;
    return isfinite(*out) || refuse(r, "a number is too large");
}

static bool read_word(reading *r, const char *word) {
    size_t length = strlen(word);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0) return refuse(r, "an unknown word");
    r->at += length;
    return true;
}

static cdg_json_value *new_value(reading *r) {
    if (r->document->count >= CDG_JSON_VALUES_MAX) {
        (void)refuse(r, "too many values");
        return NULL;
    }
    cdg_json_value *value = &r->document->values[r->document->count++];
    *value = (cdg_json_value){.kind = CDG_JSON_NULL};
    return value;
}

static cdg_json_value *read_value(reading *r);

static bool read_key(reading *r, const cdg_json_value *object, const char **out) {
    size_t length;
    if (!take(r, '"')) return refuse(r, "a member wants a name");
    if (!read_string(r, out, &length)) return false;
    if (!take(r, ':')) return refuse(r, "a ':' is missing");
    return cdg_json_member(object, *out) == NULL || refuse(r, "a name occurs twice");
}

// Members of an object or items of an array, after the opening bracket.
static bool read_items(reading *r, cdg_json_value *parent, char closing) {
    const cdg_json_value **link = &parent->first;
    if (++r->depth > CDG_JSON_READ_DEPTH_MAX) return refuse(r, "nested too deeply");
    if (take(r, closing)) return r->depth--, true;
    do {
        const char *key = NULL;
        if (closing == '}' && !read_key(r, parent, &key)) return false;
        cdg_json_value *item = read_value(r);
        if (item == NULL) return false;
        item->key = key;
        *link = item;
        link = &item->next;
    } while (take(r, ','));
    r->depth--;
    return take(r, closing) || refuse(r, "a bracket is not closed");
}

static cdg_json_value *read_value(reading *r) {
    skip_space(r);
    cdg_json_value *value = new_value(r);
    if (value == NULL) return NULL;
    char c = r->at < r->end ? *r->at : '\0';
    bool is_good;
    switch (c) {
    case '{':
    case '[':
        r->at++;
        value->kind = c == '{' ? CDG_JSON_OBJECT : CDG_JSON_ARRAY;
        is_good = read_items(r, value, c == '{' ? '}' : ']');
        break;
    case '"':
        r->at++;
        value->kind = CDG_JSON_STRING;
        is_good = read_string(r, &value->string, &value->length);
        break;
    case 't':
    case 'f':
        value->kind = CDG_JSON_BOOLEAN;
        value->number = c == 't';
        is_good = read_word(r, c == 't' ? "true" : "false");
        break;
    case 'n': is_good = read_word(r, "null"); break;
    default: value->kind = CDG_JSON_NUMBER; is_good = read_number(r, &value->number);
    }
    return is_good ? value : NULL;
}

static bool is_utf8(const char *bytes, size_t size) {
    for (size_t i = 0; i < size;) {
        size_t length =
            (unsigned char)bytes[i] < 0x80 ? 1 : cdg_utf8_length((const unsigned char *)bytes + i, size - i);
        if (length == 0) return false;
        i += length;
    }
    return true;
}

const cdg_json_value *cdg_json_read(const char *bytes, size_t size, char *text, cdg_json_document *document) {
    document->count = 0;
    document->fault = NULL;
    reading r = {.at = bytes, .end = bytes + size, .text = text, .document = document};
    if (!is_utf8(bytes, size)) return (void)refuse(&r, "not UTF-8"), NULL;
    const cdg_json_value *value = read_value(&r);
    skip_space(&r);
    if (value != NULL && r.at != r.end) return (void)refuse(&r, "something follows the value"), NULL;
    return value;
}

const cdg_json_value *cdg_json_member(const cdg_json_value *object, const char *key) {
    if (object == NULL || object->kind != CDG_JSON_OBJECT) return NULL;
    for (const cdg_json_value *member = object->first; member != NULL; member = member->next)
        if (strcmp(member->key, key) == 0) return member;
    return NULL;
}
