// Mass, centre and inertia of filled shapes; of meshes by summing signed tetrahedra (Mirtich 1996 has the integrals).
#include "bodies/body.h"

// A tetrahedron with one corner at the origin adds its second moments: for corners a, b, c and volume V the integral of
// x_i x_j is V/20 (a_i a_j + b_i b_j + c_i c_j + s_i s_j) with s = a + b + c.
typedef struct moments {
    double volume;
    cdg_vec3 first;
    symmetric3 second;
} moments;

static moments mesh_moments(const cdg_body_def *def, cdg_vec3 about) {
    moments sum = {0};
    for (size_t t = 0; t < def->shape.mesh.triangle_count; t++) {
        const uint32_t *corner = def->shape.mesh.triangles[t];
        cdg_vec3 a = vec3_sub(def->shape.mesh.points[corner[0]], about),
                 b = vec3_sub(def->shape.mesh.points[corner[1]], about),
                 c = vec3_sub(def->shape.mesh.points[corner[2]], about), s = vec3_add(a, vec3_add(b, c));
        double volume = vec3_dot(a, vec3_cross(b, c)) / 6;
        sum.volume += volume;
        sum.first = vec3_mad(sum.first, volume / 4, s);
        sum.second = symmetric3_add_outer(sum.second, volume / 20, a);
        sum.second = symmetric3_add_outer(sum.second, volume / 20, b);
        sum.second = symmetric3_add_outer(sum.second, volume / 20, c);
        sum.second = symmetric3_add_outer(sum.second, volume / 20, s);
    }
    return sum;
}

// About a corner first, then about the centre: nothing is lost when the mesh lies far from its origin.
static cdg_mass mesh_mass(const cdg_body_def *def, double density) {
    if (def->shape.mesh.point_count == 0 || def->shape.mesh.triangle_count == 0) return (cdg_mass){0};
    cdg_vec3 corner = def->shape.mesh.points[0];
    moments rough = mesh_moments(def, corner);
    if (!(rough.volume > 0)) return (cdg_mass){0};
    cdg_vec3 center = vec3_mad(corner, 1 / rough.volume, rough.first);
    moments fine = mesh_moments(def, center);
    symmetric3 inertia = symmetric3_scale(-density, fine.second);
    return (cdg_mass){density * fine.volume, center,
                      symmetric3_add_diagonal(inertia, density * symmetric3_trace(fine.second))};
}

static cdg_mass about_origin(double mass, double x, double y, double z) {
    return (cdg_mass){mass, vec3(0, 0, 0), symmetric3_diagonal(vec3(mass * x, mass * y, mass * z))};
}

cdg_mass cdg_shape_mass(const cdg_body_def *def, double density) {
    const double pi = 3.14159265358979323846;
    double r = def->shape.radius, r2 = r * r, l = def->shape.length;
    switch (def->shape.kind) {
    case CDG_SHAPE_SPHERE: return about_origin(density * 4 / 3 * pi * r2 * r, 0.4 * r2, 0.4 * r2, 0.4 * r2);
    case CDG_SHAPE_BOX: {
        double x = def->shape.size.x * def->shape.size.x / 12, y = def->shape.size.y * def->shape.size.y / 12,
               z = def->shape.size.z * def->shape.size.z / 12;
        return about_origin(density * def->shape.size.x * def->shape.size.y * def->shape.size.z, y + z, x + z, x + y);
    }
    case CDG_SHAPE_CYLINDER: {
        double across = r2 / 4 + l * l / 12;
        return about_origin(density * pi * r2 * l, across, across, r2 / 2);
    }
    case CDG_SHAPE_CAPSULE: {
        // A cylinder and two half balls, whose centres of mass are 3/8 r outside its ends.
        double middle = density * pi * r2 * l, balls = density * 4 / 3 * pi * r2 * r, mass = middle + balls;
        double across = middle * (r2 / 4 + l * l / 12) + balls * (0.4 * r2 + l * l / 4 + 3.0 / 8 * l * r);
        double along = middle * r2 / 2 + balls * 0.4 * r2;
        return about_origin(mass, across / mass, across / mass, along / mass);
    }
    case CDG_SHAPE_MESH: return mesh_mass(def, density);
    default: break;
    }
    return (cdg_mass){0};
}
