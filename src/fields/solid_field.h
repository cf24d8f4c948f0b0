// Every quantity that a deformable solid has at its nodes or in its tetrahedra, once: name, unit, place and labels, as
// field.h has those of rods. Run files, pictures and exports go by this list; output/run_solids.c measures them.
#ifndef CDG_FIELDS_SOLID_FIELD_H
#define CDG_FIELDS_SOLID_FIELD_H

#include <stdbool.h>
#include <stddef.h>

typedef enum cdg_solid_per { CDG_SOLID_PER_NODE, CDG_SOLID_PER_TETRAHEDRON } cdg_solid_per;

// X(name in run files and pictures, per, components: 1, or 3 along the world's axes, unit, name in VTK, factor and unit
// in pictures, description)
#define CDG_SOLID_FIELD_LIST(X)                                                                                        \
    X(positions, CDG_SOLID_PER_NODE, 3, "m", "position", 1, "m", "where its nodes are, world axes")                    \
    X(velocities, CDG_SOLID_PER_NODE, 3, "m/s", "velocity", 1, "m/s", "of its nodes, world axes")                      \
    X(stress, CDG_SOLID_PER_TETRAHEDRON, 1, "Pa", "stress", 1, "Pa", "von Mises stress of its tetrahedra")             \
    X(strain, CDG_SOLID_PER_TETRAHEDRON, 1, "1", "strain", 100, "%", "largest stretch of a line in a tetrahedron")

typedef enum cdg_solid_field {
#define CDG_SOLID_FIELD_ENUM(name, per, components, unit, vtk, scale, shown, text) CDG_SOLID_FIELD_##name,
    CDG_SOLID_FIELD_LIST(CDG_SOLID_FIELD_ENUM)
#undef CDG_SOLID_FIELD_ENUM
        CDG_SOLID_FIELD_COUNT
} cdg_solid_field;

typedef struct cdg_solid_field_info {
    const char *name, *units, *entry_name, *shown, *description;
    cdg_solid_per per;
    size_t component_count;
    double scale; // pictures show this many times the number, in the unit `shown`
} cdg_solid_field_info;

cdg_solid_field_info cdg_solid_field_get(cdg_solid_field field);
bool cdg_solid_field_find(const char *name, size_t length, cdg_solid_field *out);

// Entries of a field on a solid: its nodes or its tetrahedra.
static inline size_t cdg_solid_field_entries(const cdg_solid_field_info *info, size_t node_count,
                                             size_t tetrahedron_count) {
    return info->per == CDG_SOLID_PER_NODE ? node_count : tetrahedron_count;
}

#endif
