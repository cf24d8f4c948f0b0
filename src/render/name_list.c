// Names are compared whole.
#include "render/name_list.h"

#include "base/error.h"
#include "output/run_rigids.h"

#include <string.h>

typedef struct word {
    const char *start;
    size_t length;
} word;

// The next name of a list, without spaces about it; false at the end.
static bool next_word(const char **at, word *out) {
    if (*at == NULL || **at == '\0') return false;
    size_t length = strcspn(*at, ",");
    *out = (word){*at, length};
    *at += length + ((*at)[length] == ',');
    while (out->length > 0 && *out->start == ' ') out->start++, out->length--;
    while (out->length > 0 && out->start[out->length - 1] == ' ') out->length--;
    return true;
}

static bool is_word(word w, const char *name) {
    return name != NULL && strlen(name) == w.length && strncmp(name, w.start, w.length) == 0;
}

bool cdg_name_is_listed(const char *list, const char *name) {
    word w;
    while (next_word(&list, &w))
        if (is_word(w, name)) return true;
    return false;
}

static bool is_known(word w, const cdg_run_reader *reader) {
    for (size_t i = 0; i < reader->rod_count; i++)
        if (is_word(w, reader->rods[i].name)) return true;
    for (size_t i = 0; i < reader->solid_count; i++)
        if (is_word(w, reader->solids[i].name)) return true;
    for (size_t i = 0; i < cdg_run_rigid_count(reader); i++)
        if (is_word(w, cdg_run_rigid_get(reader, i).name)) return true;
    return false;
}

cdg_result cdg_name_list_check(const char *list, const char *option, const cdg_run_reader *reader, cdg_error *error) {
    word w;
    while (next_word(&list, &w))
        if (!is_known(w, reader))
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "%s: the run has no rod, body, obstacle or solid '%.*s'; 'cordage info %s' lists them",
                            option, (int)w.length, w.start, reader->directory);
    return CDG_OK;
}
