// Numbers along a rod that colours can show.
#ifndef CDG_RENDER_ROD_FIELD_H
#define CDG_RENDER_ROD_FIELD_H

#include "render/run_player.h"

// X(enumerator, name, unit, is signed, per element, what it is)
#define CDG_ROD_FIELD_LIST(X)                                                                                          \
    X(CDG_ROD_FIELD_TWIST, "twist", "rad/m", true, false, "rate of turning about the tangent")                         \
    X(CDG_ROD_FIELD_CURVATURE, "curvature", "1/m", false, false, "bending, one over the radius")                       \
    X(CDG_ROD_FIELD_TENSION, "tension", "N", true, true, "axial force; pull is positive")                              \
    X(CDG_ROD_FIELD_SPEED, "speed", "m/s", false, false, "how fast the centreline moves")                              \
    X(CDG_ROD_FIELD_STRAIN, "strain", "%", true, true, "how much longer than at rest")

typedef enum cdg_rod_field {
#define CDG_ROD_FIELD_ENUM(name, key, unit, is_signed, per_element, text) name,
    CDG_ROD_FIELD_LIST(CDG_ROD_FIELD_ENUM)
#undef CDG_ROD_FIELD_ENUM
        CDG_ROD_FIELD_COUNT // also: none, each rod has its colour
} cdg_rod_field;

typedef struct cdg_rod_field_info {
    const char *name, *unit, *text;
    bool is_signed, per_element;
} cdg_rod_field_info;
cdg_rod_field_info cdg_rod_field_get(cdg_rod_field field);
// "rod" is CDG_ROD_FIELD_COUNT. The message of a failure lists the names.
cdg_result cdg_rod_field_parse(const char *text, cdg_rod_field *out, cdg_error *error);

// node_count or element_count numbers.
void cdg_rod_field_measure(cdg_rod_field field, const cdg_run_rod *rod, const cdg_rod_moment *moment, double *out);

#endif
