// Angular momentum of free solids in implicit steps. Their schemes lose some of what turns in every step (Euler's
// h sum m v1 x v0). Here it is what it must be after the step: what it was, and the moments of what acted from outside.
// The velocities' rigid part is the one that has it; positions stay as they were found.
//
// Positions follow from velocities as in Euler's rule, x1 = x0 + h v1, for which a force f on a node changes angular
// momentum by h x0 x f, as in explicit steps: contact acts on both sides at one point of the positions x0 (pieces.h),
// so what two solids exchange cancels to rounding.
//
// A scheme loses energy with the momentum. What is given back may not make more than there was: then what deforms
// (a body that turns is widened by the chord that x1 - x0 is) is slowed until it does not; and where the turning alone
// would be too much (blows in steps so long that x0 says nothing of where they act), only a part is given back.
#include "math/symmetric3.h"
#include "solids/solid_model.h"

typedef struct motion {
    cdg_vec3 center, speed; // of mass
    cdg_vec3 spin;          // N m s, about the centre
    double kinetic;         // J, about the centre
    symmetric3 inertia;     // kg m^2, about the centre
} motion;

static motion motion_of(const cdg_solid *s, double *const x[3], double *const v[3]) {
    motion m = {0};
    double mass = 0; // with that of hands, which total_mass has not
    for (size_t i = 0; i < s->node_count; i++) {
        mass += s->mass[i];
        m.center = vec3_mad(m.center, s->mass[i], solid_vec3(x, i));
        m.speed = vec3_mad(m.speed, s->mass[i], solid_vec3(v, i));
    }
    m.center = vec3_scale(1 / mass, m.center), m.speed = vec3_scale(1 / mass, m.speed);
    for (size_t i = 0; i < s->node_count; i++) {
        cdg_vec3 r = vec3_sub(solid_vec3(x, i), m.center), u = vec3_sub(solid_vec3(v, i), m.speed);
        m.spin = vec3_mad(m.spin, s->mass[i], vec3_cross(r, u));
        m.kinetic += 0.5 * s->mass[i] * vec3_dot(u, u);
        m.inertia.xx += s->mass[i] * (r.y * r.y + r.z * r.z), m.inertia.xy -= s->mass[i] * r.x * r.y;
        m.inertia.yy += s->mass[i] * (r.x * r.x + r.z * r.z), m.inertia.xz -= s->mass[i] * r.x * r.z;
        m.inertia.zz += s->mass[i] * (r.x * r.x + r.y * r.y), m.inertia.yz -= s->mass[i] * r.y * r.z;
    }
    return m;
}

// What acted in the step, about the centre: its moment times the step (N m s), and its work (J).
static void outside(const cdg_solid *s, const motion *old, const motion *next, double step, cdg_vec3 *twist,
                    double *work) {
    *twist = vec3(0, 0, 0);
    *work = 0;
    for (size_t i = 0; i < s->node_count; i++) {
        cdg_vec3 touch = solid_vec3(s->touch, i), load = solid_vec3(s->force, i);
        cdg_vec3 before = vec3_sub(solid_vec3(s->x, i), old->center);
        cdg_vec3 after = vec3_sub(solid_vec3(s->x_next, i), next->center);
        *twist = vec3_mad(*twist, step, vec3_cross(before, touch));
        *twist = vec3_mad(*twist, step, vec3_cross(vec3_lerp(before, after, 0.5), load));
        *work += vec3_dot(vec3_add(touch, load), vec3_sub(after, before));
    }
}

// Which shares of the missing turn and of what deforms are taken.
typedef struct shares {
    double turn, rest;
} shares;

// Of the kinetic energy before and after the step, the larger: what is given back is a correction. More would be that
// of a step in which a blow comes from farther than the body is large, of which Euler's rule loses nearly everything.
static const double trust = 1.5;

// All of both, unless there would be more energy than there was and than the scheme itself has. Turning has the energy
// now + slope a + bend a^2 with a share a.
static shares find_shares(const cdg_solid *s, const motion *old, const motion *next, double now, double slope,
                          double bend, double work) {
    double rest = fmax(0, next->kinetic - now), wanted = now + slope + bend;
    if (!(wanted - now > 1e-12 * next->kinetic)) return (shares){1, 1};
    double strained = cdg_solid_elastic_energy(s, s->x_next) - cdg_solid_elastic_energy(s, s->x);
    double likely = trust * fmax(old->kinetic, next->kinetic);
    double most = fmax(next->kinetic, fmin(likely, old->kinetic + work - strained)), left = most - now - rest;
    if (wanted + rest <= most) return (shares){1, 1};
    if (wanted <= most) return (shares){1, sqrt((most - wanted) / rest)};
    double root = sqrt(fmax(0, slope * slope + 4 * bend * fmax(0, left)));
    double share = bend > 0 ? (root - slope) / (2 * bend) : 0;
    return (shares){fmin(1, fmax(0, share)), 1};
}

void cdg_solid_keep_spin(cdg_solid *s, double step) {
    if (s->is_tied) return;
    for (size_t i = 0; i < s->node_count; i++)
        if (s->is_held[i]) return;
    motion old = motion_of(s, s->x, s->v), next = motion_of(s, s->x_next, s->v_next);
    cdg_vec3 twist;
    double work;
    outside(s, &old, &next, step, &twist, &work);
    symmetric3 inverse = symmetric3_inverse(next.inertia);
    cdg_vec3 spin = vec3_add(old.spin, twist), turn = symmetric3_times(inverse, spin);
    cdg_vec3 turn_now = symmetric3_times(inverse, next.spin);
    if (!vec3_is_finite(turn) || !vec3_is_finite(turn_now)) return; // all nodes on a line
    cdg_vec3 more = vec3_sub(turn, turn_now), more_spin = vec3_sub(spin, next.spin);
    shares taken = find_shares(s, &old, &next, 0.5 * vec3_dot(turn_now, next.spin), vec3_dot(turn_now, more_spin),
                               0.5 * vec3_dot(more, more_spin), work);
    turn = vec3_mad(turn_now, taken.turn, more);
    for (size_t i = 0; i < s->node_count; i++) {
        cdg_vec3 r = vec3_sub(solid_vec3(s->x_next, i), next.center);
        cdg_vec3 rest = vec3_sub(vec3_sub(solid_vec3(s->v_next, i), next.speed), vec3_cross(turn_now, r));
        solid_set_vec3(s->v_next, i, vec3_add(next.speed, vec3_mad(vec3_cross(turn, r), taken.rest, rest)));
    }
}
