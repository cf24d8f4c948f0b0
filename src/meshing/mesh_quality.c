// Volume and dihedral angles of a mesh.
#include "base/error.h"
#include "meshing/mesh_work.h"
#include "meshing/tetrahedron.h"

static const double pi = 3.14159265358979323846;

static void add_angles(const cdg_vec3 p[4], cdg_mesh_quality *out) {
    double cosines[6];
    tetrahedron_dihedral_cosines(p, cosines);
    for (int e = 0; e < 6; e++) {
        double angle = isfinite(cosines[e]) ? acos(fmax(-1, fmin(1, cosines[e]))) : 0; // flat: as bad as can be
        int bin = (int)(angle * CDG_DIHEDRAL_BINS / pi);
        out->dihedral_histogram[bin < CDG_DIHEDRAL_BINS ? bin : CDG_DIHEDRAL_BINS - 1]++;
        out->smallest_dihedral = fmin(out->smallest_dihedral, angle);
        out->largest_dihedral = fmax(out->largest_dihedral, angle);
    }
}

cdg_result cdg_mesh_measure(const cdg_mesh *mesh, cdg_mesh_quality *out, cdg_error *error) {
    return cdg_mesh_measure_patiently(mesh, NULL, out, error);
}

cdg_result cdg_mesh_measure_patiently(const cdg_mesh *mesh, cdg_patience *patience, cdg_mesh_quality *out,
                                      cdg_error *error) {
    if (mesh == NULL || out == NULL) return cdg_fail_null(error, mesh == NULL ? "mesh" : "out");
    *out = (cdg_mesh_quality){.smallest_dihedral = mesh->tetrahedron_count > 0 ? pi : 0};
    double sum = 0;
    for (size_t t = 0; t < mesh->tetrahedron_count; t++) {
        cdg_vec3 p[4];
        if (!cdg_patience_lasts_at(patience, t)) return cdg_mesh_work_fail(patience, "to measure a mesh", error);
        for (int k = 0; k < 4; k++) {
            if (mesh->tetrahedra[t][k] >= mesh->point_count)
                return cdg_fail(error, CDG_ERROR_ARGUMENT,
                                "measure a mesh: tetrahedron %zu names point %u of %zu; cdg_mesh_check counts such", t,
                                mesh->tetrahedra[t][k], mesh->point_count);
            p[k] = mesh->points[mesh->tetrahedra[t][k]];
        }
        sum += tetrahedron_volume6(p);
        add_angles(p, out);
    }
    out->volume = sum / 6;
    return CDG_OK;
}
