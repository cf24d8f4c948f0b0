// 'cordage render' of a mesh instead of a run.
#ifndef CLI_MESH_PICTURE_H
#define CLI_MESH_PICTURE_H

#include "options.h"

// Whether the word names a file of triangles or tetrahedra.
bool is_mesh_name(const char *path);
exit_status render_mesh_file(const command_line *line);

#endif
