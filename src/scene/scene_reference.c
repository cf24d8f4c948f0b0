// The reference of the scene language, written from the schema: the tables in docs/scene.md and `cordage check
// --reference`.
#include "rods/model_options.h"
#include "rods/rod_model.h"
#include "scene/schema.h"

#include <cordage/scene.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct text_out {
    char *out;
    size_t size, used; // used counts what would be written
} text_out;

__attribute__((format(printf, 2, 3))) static void print(text_out *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    size_t room = text->used < text->size ? text->size - text->used : 0;
    int length = vsnprintf(room > 0 ? text->out + text->used : NULL, room, format, arguments);
    va_end(arguments);
    if (length > 0) text->used += (size_t)length;
}

static void print_key(text_out *text, const scene_key *key) {
    char value[200];
    cdg_schema_value(key, value, sizeof value);
    print(text, "| `%s` | %s", key->name, value);
    if (key->table != NULL) print(text, ": see %s", key->table->title);
    print(text, " | %s | %s", key->is_required ? "required" : key->initial != NULL ? key->initial : "", key->text);
    if (key->example != NULL) print(text, "; `%s`", key->example);
    print(text, " |\n");
}

static void print_table(text_out *text, const scene_table *table) {
    print(text, "%s### %s\n\n", text->used > 0 ? "\n" : "", table->title);
    if (table->text[0] != '\0') print(text, "%s\n\n", table->text);
    print(text, "| key | value | default | meaning |\n|---|---|---|---|\n");
    size_t later = 0, count = cdg_schema_count(table);
    for (size_t i = 0; i < count; i++) {
        const scene_key *key = cdg_schema_key(table, i);
        if (key->type == SCENE_TYPE_LATER) {
            later++;
        } else {
            print_key(text, key);
        }
    }
    if (later > 0) {
        print(text, "\nReserved for later versions:");
        const char *join = " ";
        for (size_t i = 0; i < table->count; i++) {
            if (table->keys[i].type != SCENE_TYPE_LATER) continue;
            print(text, "%s`%s`", join, table->keys[i].name);
            join = ", ";
        }
        print(text, ".\n");
    }
}

static void print_models(text_out *text) {
    for (size_t i = 0; i < cdg_rod_model_count(); i++) {
        const cdg_model_options *options = cdg_rod_model_get((cdg_model)i)->options;
        for (size_t t = 0; options != NULL && options->tables[t] != NULL; t++) print_table(text, options->tables[t]);
    }
}

size_t cdg_scene_reference(char *out, size_t size) {
    if (out == NULL) size = 0;
    text_out text = {out, size, 0};
#define PRINT_TABLE(name)                                                                                              \
    print_table(&text, &cdg_schema_##name);                                                                            \
    if (cdg_schema_##name.model_keys == SCENE_FOR_ALL_RODS) print_models(&text);
    CDG_SCENE_TABLE_LIST(PRINT_TABLE)
#undef PRINT_TABLE
    if (size > 0 && text.used == 0) out[0] = '\0';
    return text.used;
}
