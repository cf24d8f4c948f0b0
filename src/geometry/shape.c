// Shapes by value: defaults, and their names.
#include <cordage/shape.h>

cdg_shape cdg_shape_default(void) {
    return (cdg_shape){.kind = CDG_SHAPE_SPHERE,
                       .orientation = {1, 0, 0, 0},
                       .radius = 0.05,
                       .length = 0.1,
                       .size = {0.1, 0.1, 0.1},
                       .normal = {0, 0, 1}};
}

cdg_shape cdg_shape_of_mesh(const cdg_mesh *mesh) {
    cdg_shape shape = cdg_shape_default();
    shape.kind = CDG_SHAPE_MESH;
    if (mesh != NULL) shape.mesh = *mesh;
    return shape;
}

const char *cdg_shape_name(cdg_shape_kind kind) {
    static const char *const names[] = {
#define SHAPE_NAME(id, name, text) name,
        CDG_SHAPE_LIST(SHAPE_NAME)
#undef SHAPE_NAME
    };
    return (unsigned)kind < CDG_SHAPE_KIND_COUNT ? names[kind] : "";
}
