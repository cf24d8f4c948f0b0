// Points from a CSV or OBJ file.
#ifndef CDG_GEOMETRY_POINTS_FILE_H
#define CDG_GEOMETRY_POINTS_FILE_H

#include <cordage/base.h>

// Reads control points; *points is malloc'ed and owned by the caller. Errors name file, line and cure.
cdg_result cdg_points_read(const char *path, cdg_vec3 **points, size_t *count, bool *is_closed, cdg_error *error);

#endif
