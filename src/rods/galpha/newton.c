// One implicit step of a galpha rod: Newton's method with block elimination along the rod, shortened where the next
// correction would grow (Sobottka et al. 2008, section 4.3 and algorithm 1; their eq. 22 has a sign to mend).
#include "rods/galpha/options.h"
#include "rods/galpha/parts.h"

#include <string.h>

static const double turn_limit = 1;         // rad: beyond, a linearised rotation says nothing
enum { HALVINGS_MAX = 9 };                  // of a correction: a search that wants less has lost its way
static const double fast_contraction = 0.1; // below, the old Jacobian is as good as a new one
// Corrections below this that no longer shrink are rounding: the poses of neighbours fit to about 1e-13 lengths.
static const double rounding_correction = 1e-6;

// In element lengths and radians: where a rod is corrected by more it does not just move on, it is struck or gives way,
// and of several solutions the one next to the last state is right, not the one next to where it would have gone.
static const double near_prediction = 1e-3;

void galpha_start_trial(const galpha_step *step, galpha_trial *trial) {
    for (size_t i = 0; i < step->rod->node_count; i++) {
        const galpha_node *old = &step->old[i];
        trial[i] = (galpha_trial){
            .position = old->position,
            .frame = old->frame,
            .moment = quat_rotate(old->frame, galpha_moment_of(step->rod, i, old->darboux)),
            .force = quat_rotate(old->frame, old->force),
        };
        galpha_update_trial(step, i, &trial[i]);
    }
}

// As the rod moves on by itself: in a step that resolves its motion next to the solution.
static void predict_trial(const galpha_step *step, galpha_trial *trial) {
    double h = 1 / step->step_rate;
    for (size_t i = 0; i < step->rod->node_count; i++) {
        const galpha_node *old = &step->old[i];
        cdg_vec3 velocity = quat_rotate(old->frame, old->velocity);
        cdg_quat frame = quat_normalize(quat_multiply(old->frame, quat_exp(vec3_scale(h, old->spin))));
        trial[i] = (galpha_trial){
            .position = vec3_mad(old->position, h, velocity),
            .frame = frame,
            .moment = quat_rotate(frame, galpha_moment_of(step->rod, i, old->darboux)),
            .force = quat_rotate(frame, old->force),
        };
        galpha_update_trial(step, i, &trial[i]);
    }
}

// Whether it is far shorter than the rod's slowest bending takes: inertia then rules the equations, and what a
// correction leaves is of the order of its square.
static bool resolves_motion(const galpha_step *step) {
    const double periods = 20;
    return step->step_rate * cdg_rod_bending_period(step->rod) > periods && !galpha_is_nearly_straight(step);
}

// The residual of the ends beside those of the elements, and the negative of all.
static void complete_residual(const galpha_step *step, const galpha_trial *trial, double *out) {
    size_t elements = step->rod->element_count;
    galpha_end_residual(step, 0, &trial[0], out);
    galpha_end_residual(step, 1, &trial[elements], out + TWO_POINT_ENDS + elements * TWO_POINT_FIELDS);
    for (size_t k = 0; k < (elements + 1) * TWO_POINT_FIELDS; k++) out[k] = -out[k];
}

void galpha_find_residual(const galpha_step *step, const galpha_trial *trial, double *out) {
    for (size_t j = 0; j < step->rod->element_count; j++)
        galpha_element_residual(step, j, &trial[j], &trial[j + 1], out + TWO_POINT_ENDS + j * TWO_POINT_FIELDS);
    complete_residual(step, trial, out);
}

// Unless NULL, `residual` becomes that of galpha_find_residual.
static bool factorise(const galpha_step *step, galpha_work *work, double *residual) {
    const two_point_kernels *kernels = two_point_kernels_get();
    const galpha_trial *trial = work->trial;
    size_t elements = step->rod->element_count;
    two_point_rows rows;
    galpha_end_rows(step, 0, &trial[0], rows.row);
    for (size_t j = 0; j < elements; j++) {
        double *of_pair = residual != NULL ? residual + TWO_POINT_ENDS + j * TWO_POINT_FIELDS : NULL;
        galpha_element_system(step, j, &trial[j], &trial[j + 1], rows.row + TWO_POINT_ENDS, of_pair);
        if (!kernels->eliminate(&rows, &work->factors[j])) return false;
    }
    galpha_end_rows(step, 1, &trial[elements], rows.row + TWO_POINT_ENDS);
    if (!kernels->finish(&rows, &work->factors[elements])) return false;
    if (residual != NULL) complete_residual(step, trial, residual);
    return true;
}

bool galpha_factorise(const galpha_step *step, galpha_work *work) { return factorise(step, work, NULL); }

static void find_correction(const galpha_step *step, const galpha_trial *trial, galpha_work *work,
                            double (*out)[TWO_POINT_FIELDS]) {
    galpha_find_residual(step, trial, work->residual);
    two_point_kernels_get()->solve(work->factors, step->rod->element_count, work->residual, out);
}

typedef struct correction_size {
    double largest;      // move in element lengths or turn in radians
    double largest_turn; // rad
    double mean;         // root of the mean square of moves in rod lengths and turns
} correction_size;

static correction_size measure(const galpha_step *step, double (*correction)[TWO_POINT_FIELDS]) {
    double move = 0, turn = 0, sum = 0, ratio = step->length_scale / step->rod->length;
    for (size_t i = 0; i < step->rod->node_count; i++) {
        const double *c = correction[i];
        double move2 = c[0] * c[0] + c[1] * c[1] + c[2] * c[2], turn2 = c[3] * c[3] + c[4] * c[4] + c[5] * c[5];
        if (!(move2 <= move)) move = move2; // a number that is not one stays
        if (!(turn2 <= turn)) turn = turn2;
        sum += ratio * ratio * move2 + turn2;
    }
    return (correction_size){fmax(sqrt(move), sqrt(turn)), sqrt(turn), sqrt(sum / (double)step->rod->node_count)};
}

void galpha_apply(const galpha_step *step, const galpha_trial *from, double (*correction)[TWO_POINT_FIELDS],
                  double share, galpha_trial *to) {
    for (size_t i = 0; i < step->rod->node_count; i++, from++, to++) {
        const double *c = correction[i];
        cdg_vec3 turn = vec3_scale(share, vec3(c[3], c[4], c[5]));
        to->position = vec3_mad(from->position, share * step->length_scale, vec3(c[0], c[1], c[2]));
        to->frame = quat_normalize(quat_multiply(quat_exp(turn), from->frame));
        to->moment = vec3_mad(from->moment, share * step->force_scale * step->length_scale, vec3(c[6], c[7], c[8]));
        to->force = vec3_mad(from->force, share * step->force_scale, vec3(c[9], c[10], c[11]));
        galpha_update_trial(step, i, to);
    }
}

static void swap_trials(galpha_work *work) {
    galpha_trial *held = work->trial;
    work->trial = work->attempt;
    work->attempt = held;
}
static void swap_corrections(galpha_work *work) {
    double(*held)[TWO_POINT_FIELDS] = work->correction;
    work->correction = work->again;
    work->again = held;
}

// How much of the correction to take: the largest of 1, 1/2, ... after which the correction by the same Jacobian is
// smaller (Deuflhard's natural monotonicity test: unlike the residual it does not weigh metres against newtons). Leaves
// the new trial in `attempt` and that next correction in `again`. 0: none.
static double search(const galpha_step *step, galpha_work *work, correction_size size, correction_size *next) {
    double share = fmin(galpha_options(step->rod)->relaxation, turn_limit / size.largest_turn);
    for (int halvings = 0; halvings < HALVINGS_MAX; halvings++, share /= 2) {
        galpha_apply(step, work->trial, work->correction, share, work->attempt);
        find_correction(step, work->attempt, work, work->again);
        *next = measure(step, work->again);
        if (next->mean <= (1 - share / 4) * size.mean) return share;
    }
    return 0;
}

// Of a correction by the Jacobian of its own trial, below which its square is nothing beside the tolerance.
static double last_correction(const galpha_step *step) {
    double tolerance = galpha_options(step->rod)->tolerance;
    return resolves_motion(step) ? fmax(0.1 * sqrt(tolerance), tolerance) : tolerance;
}

// From the trial that is there, unless its first correction is larger than `most`.
static galpha_outcome iterate_near(const galpha_step *step, galpha_work *work, double most) {
    const double last = last_correction(step);
    const cdg_galpha_options *options = galpha_options(step->rod);
    galpha_outcome outcome = {0};
    bool is_fresh = false; // the correction belongs to the trial and was found with a Jacobian that is good enough
    correction_size size = {0};
    while (outcome.iterations < options->iterations) {
        if (!is_fresh) {
            if (!factorise(step, work, work->residual)) return outcome;
            two_point_kernels_get()->solve(work->factors, step->rod->element_count, work->residual, work->correction);
            size = measure(step, work->correction);
        }
        outcome.iterations++;
        outcome.correction = size.largest;
        if (!isfinite(size.mean) || (outcome.iterations == 1 && size.largest > most)) return outcome;
        if (size.largest <= (is_fresh ? options->tolerance : last)) {
            galpha_apply(step, work->trial, work->correction, 1, work->attempt);
            swap_trials(work);
            outcome.is_solved = true;
            return outcome;
        }
        correction_size next = size;
        double share = search(step, work, size, &next);
        if (share == 0 && size.largest > rounding_correction) {
            if (!is_fresh) return outcome;
            is_fresh = false; // only the Jacobian was too old
            continue;
        }
        if (share == 0) { // as good as the numbers are
            outcome.is_solved = true;
            return outcome;
        }
        swap_trials(work);
        swap_corrections(work);
        is_fresh = next.mean <= fast_contraction * size.mean;
        size = next;
    }
    return outcome;
}

static galpha_outcome iterate(const galpha_step *step, galpha_work *work) { return iterate_near(step, work, INFINITY); }

static galpha_outcome try_again(const galpha_step *step, galpha_work *work, galpha_outcome before) {
    galpha_outcome outcome = iterate(step, work);
    outcome.iterations += before.iterations;
    return outcome;
}

static galpha_outcome try_giving(const galpha_step *step, double give, galpha_work *work, galpha_outcome before) {
    galpha_step giving = *step;
    giving.give = give;
    galpha_start_trial(&giving, work->trial);
    return try_again(&giving, work, before);
}

// Rods that cannot stretch may have to, or to begin bowed (galpha/bow.c).
galpha_outcome galpha_solve(const galpha_step *step, galpha_work *work) {
    galpha_outcome outcome = {0};
    double give = galpha_give_of(step);
    if (give > 0) {
        outcome = try_giving(step, give, work, outcome);
        if (outcome.is_solved && !galpha_is_shortened(step, work->trial)) return outcome;
    }
    if (resolves_motion(step)) {
        predict_trial(step, work->trial);
        outcome = iterate_near(step, work, near_prediction);
        if (outcome.is_solved) return outcome;
    }
    galpha_start_trial(step, work->trial);
    outcome = try_again(step, work, outcome);
    if (outcome.is_solved) return outcome;
    galpha_start_trial(step, work->trial);
    if (galpha_bow_trial(step, work->trial)) outcome = try_again(step, work, outcome);
    if (outcome.is_solved || !galpha_is_nearly_straight(step)) return outcome;
    return try_giving(step, 1, work, outcome);
}

void galpha_accept(const galpha_step *step, const galpha_trial *trial, galpha_node *out) {
    const cdg_rod *rod = step->rod;
    const double *time = rod->damping_time;
    bool is_damped = time[0] > 0 || time[1] > 0 || time[2] > 0 || time[3] > 0;
    for (size_t i = 0; i < rod->node_count; i++) {
        const galpha_trial *t = &trial[i];
        out[i] = (galpha_node){
            .position = t->position,
            .frame = t->frame,
            .velocity = quat_rotate_inverse(t->frame, t->velocity),
            .spin = t->spin,
            .darboux = galpha_darboux_of(rod, i, quat_rotate_inverse(t->frame, t->moment)),
            .force = quat_rotate_inverse(t->frame, t->force),
            .position_rate = t->position_rate,
            .frame_rate = t->frame_rate,
            .acceleration = t->acceleration,
            .momentum_rate = t->momentum_rate,
            .force_per_mass = t->force_per_mass,
            .moment_per_length = t->moment_per_length,
        };
        if (i == rod->element_count) continue;
        galpha_element e;
        galpha_measure_element(step, i, t, t + 1, &e);
        out[i].middle_force = quat_rotate_inverse(e.frame, e.force);
        if (!is_damped) continue; // nobody asks for rates of strain
        cdg_vec3 stretch = galpha_stretch(rod, i, t->position, t[1].position, e.frame);
        out[i].stretch_rate = galpha_stretch_rate(step, i, stretch);
        out[i].bend_rate = galpha_bend_rate(step, i, galpha_bend(rod, &step->rest[i], i, e.turn));
    }
}
