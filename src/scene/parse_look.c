// The key `looks`: colours and surfaces of what is drawn.
#include "scene/reader.h"
#include "scene/suggest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// Whether a look of this name is meant for something of that one: itself, or a rod of a structure ("net.h0" of "net").
bool cdg_look_is_of(const scene_look *look, const char *name) {
    size_t length = strlen(look->of);
    return name != NULL && strncmp(name, look->of, length) == 0 && (name[length] == '\0' || name[length] == '.');
}

static bool offer(word_search *search, const scene_look *look, const char *name) {
    if (name != NULL) cdg_suggest_offer(search, name);
    return cdg_look_is_of(look, name);
}

static bool is_known(const cdg_scene *scene, const scene_look *look, word_search *search) {
    bool is_found = false;
    for (size_t i = 0; i < scene->rod_count; i++) is_found |= offer(search, look, scene->rods[i].name);
    for (size_t i = 0; i < scene->body_count; i++) is_found |= offer(search, look, scene->bodies[i].name);
    for (size_t i = 0; i < scene->obstacle_count; i++) is_found |= offer(search, look, scene->obstacles[i].name);
    for (size_t i = 0; i < scene->solid_count; i++) is_found |= offer(search, look, scene->solids[i].def.name);
    return is_found;
}

static bool is_color(const char *text) {
    size_t length = strlen(text);
    if (text[0] != '#' || (length != 4 && length != 7)) return false;
    for (size_t i = 1; i < length; i++)
        if (!isxdigit((unsigned char)text[i])) return false;
    return true;
}

static bool check(scene_reader *reader, const scene_node *node, const char *where, const scene_look *look) {
    word_search search = cdg_suggest_begin(look->of, strlen(look->of));
    if (look->color != NULL && !is_color(look->color))
        return cdg_reader_fault(reader, node,
                                "%s: color is written as in web pages, \"#rrggbb\" such as \"#c04020\", not '%s'",
                                where, look->color);
    // What went wrong with rods or bodies was told there; their names may be missing for that.
    if (is_known(reader->scene, look, &search) || reader->diagnostics->fault_count > 0) return true;
    if (search.best != NULL)
        return cdg_reader_fault(reader, node,
                                "%s: there is no rod, structure, body, obstacle or solid '%s'; did you mean '%s'?",
                                where, look->of, search.best);
    return cdg_reader_fault(reader, node, "%s: there is no rod, structure, body, obstacle or solid '%s'", where,
                            look->of);
}

static void parse_look(scene_reader *reader, const scene_node *node, size_t index) {
    char where[CDG_WHERE_SIZE];
    scene_look look = {0};
    snprintf(where, sizeof where, "look %zu", index + 1);
    bool is_good = cdg_read_table(reader, &cdg_schema_look, node, where, &look);
    if (node->kind != SCENE_MAP || !is_good || !check(reader, node, where, &look)) return;
    cdg_scene *scene = reader->scene;
    scene_look *looks = cdg_storage_grow(reader->storage, scene->looks, scene->look_count, sizeof *looks);
    if (looks == NULL) return;
    scene->looks = looks;
    looks[scene->look_count++] = look;
}

void cdg_parse_looks(scene_reader *reader) {
    const scene_node *list = cdg_read_list(reader, "looks", "{of: cable, color: \"#c04020\"}");
    if (list == NULL) return;
    for (size_t i = 0; i < list->count; i++) parse_look(reader, list->items[i], i);
}
