// Bodies and the rods that are welded to them, where they agree.
//
// Unknown is the pose of each welded body at the end of the step. A trial pose holds the rods' ends (as supports do),
// their models predict what that takes, and the reactions, with gravity and contact, give the pose that the body would
// come to. Both must be the same. Newton's method finds it with the stiffness of rods at their welds, learnt by
// differences once and by Broyden's formula from then on. The body follows the rules of its rods' integrator
// (cdg_weld_scheme), and its momentum changes by the very forces that the rods felt: what one loses, the other gains,
// however far the iteration went.
#include "base/error.h"
#include "base/parallel.h"
#include "math/banded.h"
#include "math/mat3.h"
#include "world/world_bodies.h"

#include <assert.h>
#include <string.h>

// ---- trial ----------------------------------------------------------------------------------------------------------

const cdg_hold *cdg_weld_hold(const cdg_world *world, const world_weld *weld) {
    const cdg_rod *rod = world->rods[weld->def.place.rod.index1 - 1].rod;
    size_t h = 0, node = rod_user_node(rod, weld->def.place.index);
    while (h + 1 < rod->hold_count && rod->holds[h].node != node) h++;
    assert(rod->hold_count > 0 && rod->holds[h].node == node); // a weld's support always acts
    return &rod->holds[h];
}

static void read_reactions(const cdg_world *world, const world_unit *unit, double *out) {
    cdg_quat axes = unit_axes(world, unit);
    for (size_t k = 0; k < unit->weld_count; k++) {
        const cdg_hold *hold = cdg_weld_hold(world, &world->welds[unit->welds[k]]);
        put(out + 6 * k, quat_rotate_inverse(axes, hold->force));
        put(out + 6 * k + 3, quat_rotate_inverse(axes, hold->moment));
    }
}

// Moves and turns of the welds since the beginning of the step.
static void read_poses(const cdg_world *world, const world_unit *unit, double *out) {
    cdg_quat axes = unit_axes(world, unit);
    for (size_t k = 0; k < unit->weld_count; k++) {
        const world_weld *weld = &world->welds[unit->welds[k]];
        const cdg_body_now *now = &world->bodies[weld->body].now;
        cdg_vec3 start = vec3_add(now->x, quat_rotate(now->q, weld->arm));
        cdg_quat turn = quat_multiply(weld->frame, quat_conjugate(quat_multiply(now->q, weld->turn)));
        put(out + 6 * k, quat_rotate_inverse(axes, vec3_sub(weld->position, start)));
        put(out + 6 * k + 3, quat_rotate_inverse(axes, quat_log(turn)));
    }
}

// What a pair of trials tells about the stiffness (Broyden), turns weighed against moves by the length of an element.
static void learn(world_unit *unit) {
    size_t size = 6 * unit->weld_count;
    double square = 0;
    for (size_t i = 0; i < size; i++) {
        double weight = i % 6 < 3 ? 1 / (unit->length * unit->length) : 1;
        double move = unit->pose[i] - unit->pose_before[i];
        square += weight * move * move;
    }
    // Rods know themselves to a billionth of an element or so: of smaller moves the change of reactions tells nothing.
    if (!(square > 1e-14)) return;
    for (size_t i = 0; i < size; i++) {
        double missing = unit->reaction[i] - unit->reaction_before[i];
        double *row = unit->stiffness + i * size;
        for (size_t k = 0; k < size; k++) missing -= row[k] * (unit->pose[k] - unit->pose_before[k]);
        for (size_t k = 0; k < size; k++) {
            double weight = k % 6 < 3 ? 1 / (unit->length * unit->length) : 1;
            row[k] += missing * weight * (unit->pose[k] - unit->pose_before[k]) / square;
        }
    }
}

void cdg_weld_hold_to_trial(const cdg_world *world, const struct world_bodies *work, world_weld *weld) {
    const cdg_body *body = &world->bodies[weld->body];
    const body_work *b = &work->bodies[weld->body];
    const cdg_body_now *now = &body->now, *trial = &b->trial;
    cdg_weld_follow(weld, trial);
    if (body->def.is_fixed) return;
    cdg_vec3 turning = symmetric3_times(body->inverse_inertia, quat_rotate_inverse(now->q, now->spin));
    cdg_vec3 move = vec3_scale(1 / work->step, vec3_sub(trial->x, now->x));
    cdg_vec3 turn = vec3_scale(1 / work->step, quat_log(quat_relative(now->q, trial->q)));
    cdg_vec3 v = cdg_rate_inverse(&b->rule, now->move_rate, now->v, move);
    cdg_vec3 w = cdg_rate_inverse(&b->rule, now->turn_rate, turning, turn);
    weld->velocity = vec3_add(v, quat_rotate(trial->q, vec3_cross(w, weld->arm)));
    weld->has_velocity = true;
}

static void try_unit(void *user, size_t index, int thread) {
    cdg_world *world = user;
    struct world_bodies *work = world->bodies_work;
    world_unit *unit = &work->units[index];
    for (size_t k = 0; k < unit->weld_count; k++) cdg_weld_hold_to_trial(world, work, &world->welds[unit->welds[k]]);
    unit->has_failed = !cdg_step_predict_team(work->context, unit->team, thread);
    if (unit->has_failed) return;
    size_t size = 6 * unit->weld_count;
    memcpy(unit->pose_before, unit->pose, size * sizeof(double));
    memcpy(unit->reaction_before, unit->reaction, size * sizeof(double));
    read_poses(world, unit, unit->pose);
    read_reactions(world, unit, unit->reaction);
    if (!unit->is_new && unit->is_known) learn(unit);
    unit->is_new = false;
}

void cdg_weld_measure_unit(void *user, size_t index, int thread) {
    cdg_world *world = user;
    struct world_bodies *work = world->bodies_work;
    world_unit *unit = &work->units[index];
    cdg_quat axes = unit_axes(world, unit);
    size_t size = 6 * unit->weld_count;
    double *moved = unit->reaction_before; // free until the next trial
    cdg_yield_begin(world, unit);
    for (size_t k = 0; k < unit->weld_count; k++) {
        world_weld *weld = &world->welds[unit->welds[k]];
        for (int c = 0; c < 6; c++) {
            double size_of_move = 1e-5 * (c < 3 ? unit->length : 1), move[3] = {0};
            move[c % 3] = size_of_move;
            cdg_vec3 turned = quat_rotate(axes, take(move)), position = weld->position, velocity = weld->velocity;
            cdg_quat frame = weld->frame;
            if (c < 3) {
                double rate = 1 / (work->step * cdg_rate_gain(&work->bodies[weld->body].rule));
                weld->position = vec3_add(position, turned);
                weld->velocity = vec3_mad(velocity, rate, turned);
            } else {
                weld->frame = quat_multiply(quat_exp(turned), frame);
            }
            unit->has_failed = !cdg_step_predict_team(work->context, unit->team, thread);
            weld->position = position;
            weld->velocity = velocity;
            weld->frame = frame;
            if (unit->has_failed) return;
            cdg_yield_record(world, unit, 6 * k + (size_t)c, size_of_move);
            read_reactions(world, unit, moved);
            for (size_t i = 0; i < size; i++)
                unit->stiffness[i * size + 6 * k + (size_t)c] = (moved[i] - unit->reaction[i]) / size_of_move;
        }
    }
    unit->is_known = true;
}

// ---- where forces take the bodies -----------------------------------------------------------------------------------

void cdg_weld_rate(const cdg_world *world, const struct world_bodies *work, world_weld *weld, bool is_guess) {
    const cdg_weld_scheme *scheme = &work->schemes[weld - world->welds];
    const cdg_body_now *now = &world->bodies[weld->body].now, *trial = &work->bodies[weld->body].trial;
    weld->next = weld->past;
    if (is_guess) return;
    const cdg_hold *hold = cdg_weld_hold(world, weld);
    cdg_vec3 arm_now = quat_rotate(now->q, weld->arm), arm_trial = quat_rotate(trial->q, weld->arm);
    world_weld_past *past = &weld->past, *next = &weld->next;
    next->force = hold->force;
    next->moment = hold->moment;
    next->lever = vec3_cross(vec3_lerp(arm_now, arm_trial, scheme->arm), hold->force);
    next->force_rate = cdg_rate_next(&scheme->force, past->force_rate, past->force, next->force);
    next->lever_rate = cdg_rate_next(&scheme->force, past->lever_rate, past->lever, next->lever);
    next->moment_rate = cdg_rate_next(&scheme->moment, past->moment_rate, past->moment, next->moment);
}

// Impulses of gravity, hands and welds on a body.
void cdg_bodies_collect(const cdg_world *world, const struct world_bodies *work, size_t index, bool is_guess,
                        cdg_vec3 *impulse, cdg_vec3 *turn) {
    *impulse = vec3_scale(work->step * world->bodies[index].mass.mass, world->def.gravity);
    *turn = vec3(0, 0, 0);
    cdg_grips_push_body(world, index, work->step, impulse, turn);
    for (size_t i = 0; i < world->weld_count; i++) {
        world_weld *weld = &world->welds[i];
        if (weld->body != index) continue;
        const cdg_weld_scheme *s = &work->schemes[i];
        cdg_weld_rate(world, work, weld, is_guess);
        const world_weld_past *past = &weld->past, *next = &weld->next;
        cdg_vec3 force = cdg_rate_mean(&s->force, past->force_rate, next->force_rate);
        cdg_vec3 lever = cdg_rate_mean(&s->force, past->lever_rate, next->lever_rate);
        cdg_vec3 moment = cdg_rate_mean(&s->moment, past->moment_rate, next->moment_rate);
        *impulse = vec3_mad(*impulse, -work->step, force);
        *turn = vec3_mad(*turn, -work->step, vec3_add(lever, moment));
    }
}

// How far the trial's orientation is from where forces take it, world axes. Orientations forget whole turns, which
// forces that are far off make many of: beyond a radian the turns themselves are compared.
static cdg_vec3 turn_missing(const struct world_bodies *work, const cdg_body *body, const body_work *b,
                             const cdg_body_now *end) {
    const cdg_body_now *now = &body->now;
    cdg_vec3 turn = vec3_scale(work->step, cdg_rate_mean(&b->rule, now->turn_rate, end->turn_rate));
    cdg_vec3 more = vec3_sub(turn, quat_log(quat_relative(now->q, b->trial.q)));
    if (vec3_norm(more) > 1) return quat_rotate(now->q, more);
    return quat_log(quat_multiply(end->q, quat_conjugate(b->trial.q)));
}

// How far each unknown body's trial is from where it comes to; returns the largest, in element lengths and radians.
static double find_gaps(const cdg_world *world, struct world_bodies *work) {
    double largest = 0;
    for (size_t i = 0; i < world->body_count; i++) {
        body_work *b = &work->bodies[i];
        if (b->number == SIZE_MAX) continue;
        cdg_vec3 impulse, turn;
        cdg_body_now end;
        cdg_bodies_collect(world, work, i, false, &impulse, &turn);
        cdg_body_advance(&world->bodies[i], work->step, vec3_add(impulse, b->contact_impulse),
                         vec3_add(turn, b->contact_turn), &b->rule, b->trial.q, &end);
        cdg_vec3 move = vec3_sub(end.x, b->trial.x);
        cdg_vec3 rotation = turn_missing(work, &world->bodies[i], b, &end);
        put(b->gap, move);
        put(b->gap + 3, rotation);
        end.x = b->trial.x; // the weld is exact; what is left of the gap is in the speed
        end.q = b->trial.q;
        b->trial = end;
        double gap = fmax(vec3_norm(move) / b->length, vec3_norm(rotation));
        largest = isfinite(gap) ? fmax(largest, gap) : HUGE_VAL;
    }
    return largest;
}

// ---- Newton ---------------------------------------------------------------------------------------------------------

typedef struct block6 {
    double m[6][6];
} block6;

// The stiffness between two welds in world axes.
static block6 stiffness_between(const world_unit *unit, const mat3 *axes, size_t k, size_t l) {
    block6 out;
    size_t size = 6 * unit->weld_count;
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
            mat3 part;
            for (size_t i = 0; i < 3; i++)
                for (size_t j = 0; j < 3; j++)
                    part.m[i][j] = unit->stiffness[(6 * k + 3 * (size_t)a + i) * size + 6 * l + 3 * (size_t)b + j];
            part = mat3_multiply(mat3_multiply(*axes, part), mat3_transpose(*axes));
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) out.m[3 * a + i][3 * b + j] = part.m[i][j];
        }
    return out;
}

void cdg_bodies_push(const cdg_world *world, const struct world_bodies *work, size_t weld, cdg_vec3 force,
                     cdg_vec3 moment, double out[6]) {
    const world_weld *at = &world->welds[weld];
    const body_work *b = &work->bodies[at->body];
    const cdg_body *body = &world->bodies[at->body];
    const cdg_weld_scheme *scheme = &work->schemes[weld];
    double motion = work->step * work->step * cdg_rate_gain(&b->rule);
    cdg_vec3 pushed = vec3_scale(motion * cdg_rate_gain(&scheme->force), force);
    cdg_vec3 lever = vec3_cross(quat_rotate(b->trial.q, at->arm), pushed);
    put(out, vec3_scale(1 / body->mass.mass, pushed));
    cdg_vec3 spun = vec3_mad(lever, motion * cdg_rate_gain(&scheme->moment), moment);
    put(out + 3, cdg_body_angular_velocity(body, b->trial.q, spun));
}

// Adds how the body of weld k comes to be elsewhere when the body of weld l moves and turns:
//     step^2 gain (mass, inertia)^-1 (force; arm_k x force + moment) of S_kl (move + turn x arm_l; turn).
static void add_pair(const cdg_world *world, struct world_bodies *work, const world_unit *unit, const mat3 *axes,
                     size_t k, size_t l) {
    const world_weld *to = &world->welds[unit->welds[k]], *from = &world->welds[unit->welds[l]];
    const body_work *b = &work->bodies[to->body], *other = &work->bodies[from->body];
    if (b->number == SIZE_MAX || other->number == SIZE_MAX) return;
    block6 s = stiffness_between(unit, axes, k, l);
    cdg_vec3 arm_from = quat_rotate(other->trial.q, from->arm);
    for (size_t c = 0; c < 6; c++) {
        double unit_move[6] = {0};
        unit_move[c] = 1;
        cdg_vec3 turn = take(unit_move + 3), move = vec3_add(take(unit_move), vec3_cross(turn, arm_from));
        double pose[6], answer[6], comes[6];
        put(pose, move);
        put(pose + 3, turn);
        for (int i = 0; i < 6; i++) {
            answer[i] = 0;
            for (int j = 0; j < 6; j++) answer[i] += s.m[i][j] * pose[j];
        }
        cdg_bodies_push(world, work, unit->welds[k], take(answer), take(answer + 3), comes);
        for (size_t i = 0; i < 6; i++)
            *cdg_banded_at(&work->matrix, 6 * b->number + i, 6 * other->number + c) += comes[i];
    }
}

void cdg_bodies_assemble(const cdg_world *world, struct world_bodies *work) {
    cdg_banded_clear(&work->matrix);
    for (size_t i = 0; i < work->matrix.size; i++) *cdg_banded_at(&work->matrix, i, i) = 1;
    for (size_t u = 0; u < work->unit_count; u++) {
        const world_unit *unit = &work->units[u];
        mat3 axes = mat3_from_quat(unit_axes(world, unit));
        for (size_t k = 0; k < unit->weld_count; k++)
            for (size_t l = 0; l < unit->weld_count; l++) add_pair(world, work, unit, &axes, k, l);
    }
}

// Newton's correction of the trials as they are; false: the system is singular.
static bool correct(const cdg_world *world, struct world_bodies *work) {
    cdg_bodies_assemble(world, work);
    for (size_t i = 0; i < world->body_count; i++) {
        const body_work *b = &work->bodies[i];
        if (b->number != SIZE_MAX) memcpy(work->right + 6 * b->number, b->gap, sizeof b->gap);
    }
    if (work->unknown_count == 0) return true;
    if (!cdg_banded_solve(&work->matrix, work->right)) return false;
    for (size_t i = 0; i < 6 * work->unknown_count; i++)
        if (!isfinite(work->right[i])) return false;
    for (size_t i = 0; i < world->body_count; i++) {
        body_work *b = &work->bodies[i];
        if (b->number != SIZE_MAX) memcpy(b->move, work->right + 6 * b->number, sizeof b->move);
    }
    return true;
}

// Trials at a share of the correction from the best ones.
static void place_trials(const cdg_world *world, struct world_bodies *work, double share) {
    for (size_t i = 0; i < world->body_count; i++) {
        body_work *b = &work->bodies[i];
        if (b->number == SIZE_MAX) continue;
        b->trial = b->best;
        b->trial.x = vec3_mad(b->best.x, share, take(b->move));
        b->trial.q = quat_normalize(quat_multiply(quat_exp(vec3_scale(share, take(b->move + 3))), b->best.q));
    }
}

static bool run_units(cdg_world *world, void (*what)(void *user, size_t index, int thread)) {
    struct world_bodies *work = world->bodies_work;
    cdg_parallel_for(work->unit_count, work->thread_count, what, world);
    for (size_t u = 0; u < work->unit_count; u++)
        if (work->units[u].has_failed) return false;
    return true;
}

// Rods and bodies agree when gaps are below 1e-10 of an element, or near it and no longer shrinking. A gap shows what
// the least force does to the lightest body, so where rods are stiff their own tolerance may leave more; then poses
// must be right to a millionth of an element at least, and forces do not tell the body's speed where they leave more of
// a gap than that.
static const double gap_wanted = 1e-10, gap_accepted = 1e-7, move_accepted = 1e-6, speed_accepted = 1e-6;

// The gap of the trials as they are placed; infinite where a rod cannot follow.
static double try_all(cdg_world *world) {
    return run_units(world, try_unit) ? find_gaps(world, world->bodies_work) : HUGE_VAL;
}

cdg_result cdg_bodies_fail_to_meet(cdg_world *world, double gap) {
    return cdg_fail(&world->error, CDG_ERROR_NO_CONVERGENCE,
                    "bodies and the rods welded to them found no common motion at t = %.9g s (a gap of %.2g element "
                    "lengths is left); use a shorter step",
                    world->bodies_work->time, gap);
}

// The speed that goes with the pose, where forces are too uncertain to tell: what a rod's tolerance leaves of them
// makes a body that is far lighter than an element fly off. Its momentum is then wrong by as little as the forces are.
static void take_speed_from_pose(const cdg_body *body, const struct world_bodies *work, body_work *b) {
    const cdg_body_now *now = &body->now;
    cdg_body_now *trial = &b->trial;
    cdg_vec3 turning = symmetric3_times(body->inverse_inertia, quat_rotate_inverse(now->q, now->spin));
    cdg_vec3 move = vec3_scale(1 / work->step, vec3_sub(trial->x, now->x));
    cdg_vec3 turn = vec3_scale(1 / work->step, quat_log(quat_relative(now->q, trial->q)));
    cdg_vec3 w = cdg_rate_inverse(&b->rule, now->turn_rate, turning, turn);
    trial->v = cdg_rate_inverse(&b->rule, now->move_rate, now->v, move);
    trial->spin = symmetric3_times(cdg_body_world_inertia(body, trial->q), quat_rotate(trial->q, w));
    trial->move_rate = cdg_rate_next(&b->rule, now->move_rate, now->v, trial->v);
    trial->turn_rate = cdg_rate_next(&b->rule, now->turn_rate, turning, w);
}

static double largest_move(const cdg_world *world, const struct world_bodies *work) {
    double largest = 0;
    for (size_t i = 0; i < world->body_count; i++) {
        const body_work *b = &work->bodies[i];
        if (b->number == SIZE_MAX) continue;
        largest = fmax(largest, fmax(vec3_norm(take(b->move)) / b->length, vec3_norm(take(b->move + 3))));
    }
    return largest;
}

// The end of a search that gaps no longer guide: the best trial is taken if the correction from there is tiny.
static cdg_result settle_for_best(cdg_world *world, double gap) {
    struct world_bodies *work = world->bodies_work;
    double largest = largest_move(world, work);
    place_trials(world, work, 0);
    if (!(largest <= move_accepted) || !isfinite(try_all(world))) return cdg_bodies_fail_to_meet(world, gap);
    for (size_t i = 0; i < world->body_count; i++) {
        body_work *b = &work->bodies[i];
        if (b->number == SIZE_MAX) continue;
        double left = fmax(vec3_norm(take(b->gap)) / b->length, vec3_norm(take(b->gap + 3)));
        if (left > speed_accepted) take_speed_from_pose(&world->bodies[i], work, b);
    }
    return CDG_OK;
}

static bool are_units_known(const struct world_bodies *work) {
    for (size_t u = 0; u < work->unit_count; u++)
        if (!work->units[u].is_known) return false;
    return true;
}

// A gap shows forces, and a straight step that turns a stiff element by a little stretches it by the square of that, to
// which forces far beyond all others belong. Where they are gone with the next correction, that is the smaller one.
static bool do_corrections_shrink(const cdg_world *world, struct world_bodies *work, double share) {
    double before = share * largest_move(world, work);
    for (size_t i = 0; i < world->body_count; i++)
        memcpy(work->bodies[i].move_before, work->bodies[i].move, sizeof work->bodies[i].move);
    if (before < 0.5 && correct(world, work) && largest_move(world, work) < 0.5 * before) return true;
    for (size_t i = 0; i < world->body_count; i++)
        memcpy(work->bodies[i].move, work->bodies[i].move_before, sizeof work->bodies[i].move);
    return false;
}

cdg_result cdg_welds_solve(cdg_world *world) {
    struct world_bodies *work = world->bodies_work;
    enum { TRIALS_MAX = 100, SOON = 3 };
    double best = HUGE_VAL, share = 1;
    int since_measured = 0;
    for (int i = 0; i < TRIALS_MAX; i++) {
        double gap = try_all(world);
        if (gap <= gap_wanted || (gap <= gap_accepted && gap > best / 4)) return CDG_OK;
        bool is_better = gap < best || i == 0 || (isfinite(gap) && do_corrections_shrink(world, work, share));
        bool is_slow = gap > best / 3;
        if (is_better && !isfinite(gap)) return cdg_bodies_fail_to_meet(world, gap); // the first guess itself
        if (is_better) {
            best = gap;
            share = 1;
            for (size_t b = 0; b < world->body_count; b++) work->bodies[b].best = work->bodies[b].trial;
        } else if (since_measured == 0) { // with the stiffness right there, the correction was too long
            share /= 2;
            if (share < 1e-2) return settle_for_best(world, best);
            place_trials(world, work, share);
            continue;
        } else { // Broyden's stiffness has led astray
            place_trials(world, work, 0);
            if (!isfinite(try_all(world))) return cdg_bodies_fail_to_meet(world, best);
            share = 1;
        }
        bool is_measured = !is_better || !are_units_known(work) || (is_slow && since_measured >= SOON);
        if (is_measured && !run_units(world, cdg_weld_measure_unit)) return cdg_bodies_fail_to_meet(world, best);
        since_measured = is_measured ? 0 : since_measured + 1;
        if (!correct(world, work)) return cdg_bodies_fail_to_meet(world, best);
        place_trials(world, work, 1);
    }
    return settle_for_best(world, best);
}
