// The key `controls`: sliders of the live view.
#include "scene/reader.h"

#include <stdio.h>
#include <string.h>

// Text that becomes part of "path=value unit" must not say more than that.
static bool is_plain(const char *text) { return text == NULL || strpbrk(text, "=\n\r{}[],&*#!|>'\"%@`") == NULL; }

static void parse_control(scene_reader *reader, const scene_node *node, size_t index) {
    char where[CDG_WHERE_SIZE];
    scene_control control = {0};
    snprintf(where, sizeof where, "control %zu", index + 1);
    bool is_good = cdg_read_table(reader, &cdg_schema_control, node, where, &control);
    if (node->kind != SCENE_MAP || !is_good) return;
    if (!is_plain(control.path) || !is_plain(control.unit)) {
        cdg_reader_fault(reader, node, "%s: path and unit are plain words, such as materials.rubber.density and kg/m^3",
                         where);
        return;
    }
    if (!(control.least < control.most) || !(control.value >= control.least && control.value <= control.most)) {
        cdg_reader_fault(reader, node, "%s: value (%g) must lie between min (%g) and max (%g)", where, control.value,
                         control.least, control.most);
        return;
    }
    cdg_scene *scene = reader->scene;
    scene_control *controls =
        cdg_storage_grow(reader->storage, scene->controls, scene->control_count, sizeof *controls);
    if (controls == NULL) return;
    scene->controls = controls;
    control.mark = node->mark;
    controls[scene->control_count++] = control;
}

void cdg_parse_controls(scene_reader *reader) {
    const scene_node *list = cdg_read_list(reader, "controls", "{path: simulation.gravity, min: 0, max: 1, value: 0}");
    if (list == NULL) return;
    for (size_t i = 0; i < list->count; i++) parse_control(reader, list->items[i], i);
}
