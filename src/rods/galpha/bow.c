// The initial guess of Newton's method for a straight inextensible rod whose ends approach. To first order, bending
// does not shorten a straight rod, so the equations are singular there, however short the step. The rod must buckle:
// the guess is a bow of exactly the length that is needed, with tangents at small angles a f(s/L) from the chord, which
// bring the ends nearer by L a^2/2 times the mean of f^2; f is the shape of the first buckling mode.
//
// Between ends exactly as far apart as the rod is long, the tension is not determined. The rod cannot bend under a load
// across it, and only an infinite tension would bear that load: Newton's method halves the bow in each iteration, stops
// at its tolerance, and leaves a tension whose sign is rounding, 1e7 N for a push of 0.01 N, which becomes motion in a
// later step. So the rod stretches there, by its stretching stiffness; and it is made stiff again little by little
// while its ends approach, because taking the stretch back at once would throw the rod.
#include "rods/galpha/options.h"
#include "rods/galpha/parts.h"

static const double pi = 3.141592653589793;
// Of its length: a rod whose ends have approached by more than this has bows of its own.
static const double straight = 1e-3;
// Of its length: a bow that takes up less is so flat that tolerances decide its tension.
static const double taut = 1e-6;
// Of its length: how much longer it is once it has stretched.
static const double given = 1e-9;

static bool is_held(const galpha_step *step, int end) {
    return step->holds->has_hold[end] && step->holds->hold[end].holds_position && !step->holds->hold[end].slides;
}

static bool is_held_between(const galpha_step *step) {
    return !galpha_options(step->rod)->is_extensible && is_held(step, 0) && is_held(step, 1);
}

static double distance_before(const galpha_step *step) {
    return vec3_distance(step->old[0].position, step->old[step->rod->element_count].position);
}

// Across the rod: where loads push it, or else the way that it bends most easily.
static cdg_vec3 choose_side(const galpha_step *step, cdg_vec3 along) {
    const cdg_rod *rod = step->rod;
    cdg_vec3 sum = vec3(0, 0, 0);
    double sizes = 0;
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_vec3 load = vec3_add(step->loads[j].at_start, step->loads[j].at_end);
        sum = vec3_add(sum, load);
        sizes += vec3_norm(load);
    }
    cdg_vec3 side = vec3_mad(sum, -vec3_dot(sum, along), along);
    if (vec3_norm(side) > 1e-6 * sizes) return vec3_normalize(side);
    cdg_quat frame = step->old[rod->element_count / 2].frame;
    bool is_soft_about_1 = rod->bend_stiffness[0][0] <= rod->bend_stiffness[1][0];
    cdg_vec3 across = is_soft_about_1 ? quat_d2(frame) : quat_d1(frame);
    return vec3_normalize(vec3_mad(across, -vec3_dot(across, along), along));
}

typedef struct bow_shape {
    double angle, rate; // f and its derivative
} bow_shape;
static const double mean_square_alike = 0.5, mean_square_mixed = 2.0 / 15; // of f, below

static bool is_clamped(const galpha_step *step, int end) { return step->holds->hold[end].frame_hold == CDG_HOLD_FRAME; }

// At u of the length: between clamps, between pins, and between one of each.
static bow_shape shape_at(bool starts_clamped, bool ends_clamped, double u) {
    if (starts_clamped && ends_clamped) return (bow_shape){sin(2 * pi * u), 2 * pi * cos(2 * pi * u)};
    if (starts_clamped) return (bow_shape){u * (2 - 3 * u), 2 - 6 * u};
    if (ends_clamped) return (bow_shape){(1 - u) * (1 - 3 * u), 6 * u - 4};
    return (bow_shape){cos(pi * u), -pi * sin(pi * u)};
}

bool galpha_bow_trial(const galpha_step *step, galpha_trial *trial) {
    const cdg_rod *rod = step->rod;
    if (!is_held_between(step)) return false;
    cdg_vec3 from = step->holds->hold[0].position, chord = vec3_sub(step->holds->hold[1].position, from);
    double length = rod->length, distance = vec3_norm(chord);
    if (!(distance < (1 - taut) * length) || !(distance > 0.5 * length) ||
        distance_before(step) < (1 - straight) * length)
        return false;
    cdg_vec3 along = vec3_scale(1 / distance, chord), side = choose_side(step, along), axis = vec3_cross(along, side);
    bool clamped[2] = {is_clamped(step, 0), is_clamped(step, 1)};
    double mean_square = clamped[0] == clamped[1] ? mean_square_alike : mean_square_mixed;
    double angle = sqrt(2 * (1 - distance / length) / mean_square), done = 0, before = 0;
    cdg_vec3 position = from;
    for (size_t i = 0; i < rod->node_count; i++) {
        bow_shape shape = shape_at(clamped[0], clamped[1], done / length);
        double turn = angle * shape.angle, rate = angle * shape.rate / length;
        if (i > 0) {
            double middle = (before + turn) / 2, l = rod->rest_length[i - 1];
            position = vec3_mad(vec3_mad(position, l * cos(middle), along), l * sin(middle), side);
        }
        cdg_vec3 curvature = quat_rotate_inverse(trial[i].frame, vec3_scale(rate, axis));
        trial[i].position = position;
        trial[i].frame = quat_normalize(quat_multiply(quat_exp(vec3_scale(turn, axis)), trial[i].frame));
        curvature = vec3_add(step->rest[i].darboux, curvature);
        trial[i].moment = quat_rotate(trial[i].frame, galpha_moment_of(rod, i, curvature));
        galpha_update_trial(step, i, &trial[i]);
        before = turn;
        if (i < rod->element_count) done += rod->rest_length[i];
    }
    return true;
}

// Of its length: by how much nearer the ends come in this step than it is long.
static double slack_of(const galpha_step *step) {
    return 1 - vec3_distance(step->holds->hold[0].position, step->holds->hold[1].position) / step->rod->length;
}

bool galpha_is_nearly_straight(const galpha_step *step) {
    return is_held_between(step) && fabs(slack_of(step)) < straight;
}

static bool has_given_way(const galpha_step *step) {
    double sum = 0;
    for (size_t j = 0; j < step->rod->element_count; j++)
        sum += vec3_distance(step->old[j].position, step->old[j + 1].position);
    return sum > (1 + given) * step->rod->length;
}

double galpha_give_of(const galpha_step *step) {
    if (!galpha_is_nearly_straight(step)) return 0;
    double slack = slack_of(step);
    if (slack <= taut) return 1;
    return has_given_way(step) ? 1 - slack / straight : 0;
}

bool galpha_is_shortened(const galpha_step *step, const galpha_trial *trial) {
    double sum = 0;
    for (size_t j = 0; j < step->rod->element_count; j++)
        sum += vec3_distance(trial[j].position, trial[j + 1].position);
    return sum < (1 - taut) * step->rod->length;
}
