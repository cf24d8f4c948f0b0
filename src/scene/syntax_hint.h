// Where text that is not YAML went wrong, in a scene's own words.
#ifndef CDG_SCENE_SYNTAX_HINT_H
#define CDG_SCENE_SYNTAX_HINT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct open_bracket {
    int line, column; // 1-based
    int indent;       // of its line, in characters
    char opening, closing;
} open_bracket;

// The innermost bracket that is open just before this position (1-based). false: none.
bool cdg_find_open_bracket(const char *text, size_t size, int line, int column, open_bracket *out);

// Characters of white space before the text of a line; -1: there is no such line.
int cdg_line_indent(const char *text, size_t size, int line);

// What one of the parser's terse messages means for someone who edits a scene: "; indent with spaces", or "".
const char *cdg_syntax_cure(const char *message);

#endif
