// Which points are inside of a shape: each kind in its own axes, meshes by the winding number (van Oosterom & Strackee
// 1983: the solid angle of a triangle).
#include "geometry/shape_inside.h"

#include "math/quat.h"

static const double pi = 3.14159265358979323846;

static bool is_within(double value, double most, double slack) { return fabs(value) <= most + slack; }

static bool is_between_radii(const cdg_shape *shape, double radius, double slack) {
    return radius >= shape->inner_radius - slack && radius <= shape->radius + slack;
}

static bool wedge_contains(const cdg_shape *shape, cdg_vec3 p, double slack) {
    double radius = hypot(p.x, p.z), beyond = fabs(atan2(p.x, p.z)) - 0.5 * shape->angle;
    return is_between_radii(shape, radius, slack) && radius * beyond <= slack &&
           is_within(p.y, 0.5 * shape->length, slack);
}

static bool revolved_contains(const cdg_shape *shape, cdg_vec3 p, double slack) {
    const double(*profile)[2] = shape->profile;
    for (size_t k = 0; k + 1 < shape->profile_count; k++) {
        double low = profile[k][1], high = profile[k + 1][1];
        if (p.z < low - slack || p.z > high + slack) continue;
        double share = fmin(fmax((p.z - low) / (high - low), 0), 1);
        if (hypot(p.x, p.y) <= profile[k][0] + share * (profile[k + 1][0] - profile[k][0]) + slack) return true;
    }
    return false;
}

static double solid_angle(cdg_vec3 a, cdg_vec3 b, cdg_vec3 c) {
    double la = vec3_norm(a), lb = vec3_norm(b), lc = vec3_norm(c);
    return 2 * atan2(vec3_dot(a, vec3_cross(b, c)),
                     la * lb * lc + vec3_dot(a, b) * lc + vec3_dot(b, c) * la + vec3_dot(c, a) * lb);
}

static bool mesh_contains(const cdg_shape *shape, cdg_vec3 p) {
    double angle = 0;
    const cdg_mesh *mesh = &shape->mesh;
    for (size_t t = 0; !shape->is_surface && t < mesh->triangle_count; t++) {
        const uint32_t *corner = mesh->triangles[t];
        angle += solid_angle(vec3_sub(mesh->points[corner[0]], p), vec3_sub(mesh->points[corner[1]], p),
                             vec3_sub(mesh->points[corner[2]], p));
    }
    return fabs(angle) > 2 * pi; // one turn is 4 pi
}

bool cdg_shape_contains(const cdg_shape *shape, cdg_vec3 point) {
    const cdg_shape *s = shape;
    cdg_quat back = quat_conjugate(quat_normalize(s->orientation));
    cdg_vec3 p = quat_rotate(back, vec3_sub(point, s->position)), half = vec3_scale(0.5, s->size);
    double slack = 1e-12 * (vec3_norm(point) + vec3_norm(s->position)), around = hypot(p.x, p.y);
    switch (s->kind) {
    case CDG_SHAPE_PLANE: return vec3_dot(p, vec3_normalize(s->normal)) <= s->offset + slack + 1e-12 * fabs(s->offset);
    case CDG_SHAPE_SPHERE: return is_within(vec3_norm(p), s->radius, slack);
    case CDG_SHAPE_BOX:
        return is_within(p.x, half.x, slack) && is_within(p.y, half.y, slack) && is_within(p.z, half.z, slack);
    case CDG_SHAPE_CAPSULE: return is_within(hypot(around, fmax(fabs(p.z) - 0.5 * s->length, 0)), s->radius, slack);
    case CDG_SHAPE_CYLINDER: return is_within(around, s->radius, slack) && is_within(p.z, 0.5 * s->length, slack);
    case CDG_SHAPE_MESH: return mesh_contains(s, p);
    case CDG_SHAPE_ELLIPSOID: return vec3_norm(vec3(p.x / half.x, p.y / half.y, p.z / half.z)) <= 1 + 1e-12;
    case CDG_SHAPE_TUBE: return is_between_radii(s, around, slack) && is_within(p.z, 0.5 * s->length, slack);
    case CDG_SHAPE_TORUS: return is_within(hypot(around - s->radius, p.z), s->thickness, slack);
    case CDG_SHAPE_WEDGE: return wedge_contains(s, p, slack);
    case CDG_SHAPE_REVOLVED: return revolved_contains(s, p, slack);
    case CDG_SHAPE_KIND_COUNT: break;
    }
    return false;
}
