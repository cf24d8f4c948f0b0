// Colours show what the run file holds; at free ends, where nothing bends or twists, what is beside them.
#include "render/rod_field.h"

#include <string.h>

cdg_result cdg_rod_field_parse(const char *text, cdg_rod_field *out, cdg_error *error) {
    *out = (cdg_rod_field){.is_set = false};
    if (strcmp(text, "rod") == 0) return CDG_OK;
    cdg_result result = cdg_view_parse(text, "rod", &out->view, error);
    if (result != CDG_OK) return result;
    out->is_set = true;
    if (out->view.component == CDG_VIEW_ALL) out->view = cdg_view_of(out->view.field, CDG_VIEW_LENGTH);
    return CDG_OK;
}

cdg_result cdg_rod_field_read(const cdg_rod_field *field, const cdg_run_reader *reader, size_t frame, size_t rod,
                              double *scratch, double *out, cdg_error *error) {
    const cdg_run_rod *of = &reader->rods[rod];
    cdg_field_info info = cdg_field_get(field->view.field);
    size_t count = cdg_field_entries(&info, of->node_count, of->element_count);
    cdg_result result = cdg_run_reader_read(reader, frame, rod, field->view.field, scratch, error);
    if (result != CDG_OK) return result;
    for (size_t i = 0; i < count; i++) out[i] = field->view.scale * cdg_view_value(&field->view, scratch, i);
    if ((info.traits & CDG_FIELD_INNER) != 0) cdg_view_fill_ends(out, count, 1);
    return CDG_OK;
}
