// The parser tells where it could not go on, which for a bracket that was never closed is the next line or the end of
// the file. This finds the bracket.
#include "scene/syntax_hint.h"

#include <string.h>

enum { DEPTH_MAX = 64 };

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool cdg_find_open_bracket(const char *text, size_t size, int line, int column, open_bracket *out) {
    open_bracket stack[DEPTH_MAX];
    int depth = 0, at_line = 1, at_column = 1, indent = 0;
    bool begins_value = true, in_indent = true; // a bracket within a plain word is none
    char quote = '\0', before = '\n';
    for (size_t i = 0; i < size && (at_line < line || (at_line == line && at_column < column)); i++) {
        char c = text[i];
        if (c == '\n') {
            at_line++;
            at_column = 1;
            indent = 0;
            in_indent = begins_value = true;
            before = c;
            continue;
        }
        if (in_indent && c == ' ') indent++;
        if (c != ' ') in_indent = false;
        if (quote != '\0') {
            if (c == '\\' && quote == '"') i++, at_column++;
            if (c == quote) quote = '\0';
        } else if (c == '#' && (is_blank(before) || before == '\n')) {
            while (i + 1 < size && text[i + 1] != '\n') i++;
        } else if ((c == '"' || c == '\'') && begins_value) {
            quote = c;
        } else if ((c == '{' || c == '[') && (begins_value || depth > 0) && depth < DEPTH_MAX) {
            stack[depth++] = (open_bracket){at_line, at_column, indent, c, c == '{' ? '}' : ']'};
            begins_value = true;
            before = c;
            at_column++;
            continue;
        } else if ((c == '}' || c == ']') && depth > 0 && stack[depth - 1].closing == c) {
            depth--;
        }
        bool separates = (c == ',' && depth > 0) || ((c == ':' || c == '-') && i + 1 < size && is_blank(text[i + 1]));
        if (!is_blank(c)) begins_value = separates;
        before = c;
        if ((c & 0xC0) != 0x80) at_column++; // columns count characters
    }
    if (depth == 0) return false;
    *out = stack[depth - 1];
    return true;
}

int cdg_line_indent(const char *text, size_t size, int line) {
    const char *at = text, *end = text + size;
    for (int i = 1; i < line; i++) {
        at = memchr(at, '\n', (size_t)(end - at));
        if (at == NULL) return -1;
        at++;
    }
    int indent = 0;
    while (at < end && is_blank(*at)) indent++, at++;
    return indent;
}

const char *cdg_syntax_cure(const char *message) {
    static const struct {
        const char *part, *cure;
    } cures[] = {
        {"tab", "; indent with spaces"},
        {"multiline plain key", "; is the next line indented too far?"},
        {"nested block mapping",
         "; put text with a colon in quotes, and an inner 'key: value' on its own line or in { }"},
        {"missing comma", "; is a ',' or a closing '}' missing before?"},
        {"extra closing", "; remove it, or add the bracket that it closes"},
        {"without a closing bracket", "; add the missing ']'"},
        {"closing quote", "; add the missing quote"},
        {"quoted scalar", "; is its closing quote missing?"},
        {"double-quoted", "; is its closing quote missing?"},
        {"single-quoted", "; is its closing quote missing?"},
        {"cannot start with", "; put the text in quotes"},
        {"expected ':'", "; write 'key: value', with a space after the colon"},
        {"expected '-'", "; the keys of one item begin in the same column"},
        {"did not find expected key", "; check the indentation of this line"},
        {"wrong indentation", "; check the indentation of this line"},
    };
    for (size_t i = 0; i < sizeof cures / sizeof *cures; i++)
        if (strstr(message, cures[i].part) != NULL) return cures[i].cure;
    return "";
}
