// Fields of deformable solids: the table from the list.
#include "fields/solid_field.h"

#include <string.h>

static const cdg_solid_field_info fields[] = {
#define FIELD(name_text, per_what, components, unit, vtk, factor, shown_unit, text)                                    \
    {.name = #name_text,                                                                                               \
     .units = (unit),                                                                                                  \
     .entry_name = (vtk),                                                                                              \
     .shown = (shown_unit),                                                                                            \
     .description = (text),                                                                                            \
     .per = (per_what),                                                                                                \
     .component_count = (components),                                                                                  \
     .scale = (factor)},
    CDG_SOLID_FIELD_LIST(FIELD)
#undef FIELD
};

cdg_solid_field_info cdg_solid_field_get(cdg_solid_field field) { return fields[field]; }

bool cdg_solid_field_find(const char *name, size_t length, cdg_solid_field *out) {
    for (int i = 0; i < CDG_SOLID_FIELD_COUNT; i++) {
        if (strlen(fields[i].name) != length || strncmp(fields[i].name, name, length) != 0) continue;
        *out = (cdg_solid_field)i;
        return true;
    }
    return false;
}
