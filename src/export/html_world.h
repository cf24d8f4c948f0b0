// What does not change in a run's page: rods, bodies, obstacles, their meshes, triangles of solids, what probes
// measured; as JSON with the members that docs/exports.md names.
#ifndef CDG_EXPORT_HTML_WORLD_H
#define CDG_EXPORT_HTML_WORLD_H

#include "export/rigids.h"
#include "output/json.h"
#include "output/solid_surface.h"

// surfaces: of each of the run's solids.
void cdg_html_put_world(cdg_json *json, const cdg_export *export, const cdg_export_rigids *rigids,
                        const cdg_solid_surface *surfaces, cdg_vec3 gravity, const double low[3], const double high[3]);

// The run's probes.csv, if it has one and it can be read.
void cdg_html_put_probes(cdg_json *json, const cdg_export *export);

// Obstacles come first among an export's rigids, bodies after them.
size_t cdg_html_obstacle_count(const cdg_export *export);

#endif
