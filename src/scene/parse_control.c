// The key `controls`: sliders of the live view.
#include "scene/reader.h"
#include "scene/units.h"

#include <stdio.h>
#include <string.h>

// Text that becomes part of "path=value unit" must not say more than that.
static bool is_plain(const char *text) { return text == NULL || strpbrk(text, "=\n\r{}[],&*#!|>'\"%@`") == NULL; }

// "min: 1 MPa": the unit stands once, beside the numbers.
static bool has_units(scene_reader *reader, const scene_node *node, const char *where) {
    static const char *const numbers[] = {"min", "max", "value"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && node->kind == SCENE_MAP; i++) {
        const scene_node *number = cdg_tree_get(node, numbers[i]);
        cdg_measure measure;
        cdg_error error;
        if (number == NULL || number->kind != SCENE_SCALAR || cdg_tree_get(node, "unit") != NULL) continue;
        if (cdg_measure_parse(number->text, number->length, &measure, &error) != CDG_OK || !measure.has_unit) continue;
        size_t digits = strspn(number->text, "+-.0123456789eE"), space = strspn(number->text + digits, " ");
        cdg_reader_fault(reader, number,
                         "%s: the unit of min, max and value is given once, beside them; write '%s: %.*s' and "
                         "'unit: %s'",
                         where, numbers[i], (int)digits, number->text, number->text + digits + space);
        return true;
    }
    return false;
}

static void parse_control(scene_reader *reader, const scene_node *node, size_t index) {
    char where[CDG_WHERE_SIZE];
    scene_control control = {0};
    snprintf(where, sizeof where, "control %zu", index + 1);
    if (has_units(reader, node, where)) return;
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
