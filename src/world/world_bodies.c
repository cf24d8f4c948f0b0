// One step of all rigid bodies, with the rods that are welded to them.
//
// Unknown is the pose of each welded body at the end of the step. A trial pose holds the rods' ends (as supports do),
// their models predict what that takes, and the reactions, with gravity and contact, give the pose that the body would
// come to. Both must be the same. Newton's method finds it with the stiffness of rods at their welds, learnt by
// differences once and by Broyden's formula from then on. The body follows the rules of its rods' integrator
// (cdg_weld_scheme), and its momentum changes by the very forces that the rods felt: what one loses, the other gains,
// however far the iteration went. Bodies on rods whose lengths are constraints are world_project.c's.
#include "world/world_bodies.h"
#include "base/error.h"
#include "base/parallel.h"
#include "math/banded.h"
#include "math/mat3.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// ---- memory ---------------------------------------------------------------------------------------------------------

static void free_collider(struct world_bodies *work) {
    cdg_collider_destroy(work->collider);
    free(work->items);
    work->collider = NULL;
    work->items = NULL;
}

void cdg_bodies_forget(cdg_world *world) {
    struct world_bodies *work = world->bodies_work;
    if (work == NULL) return;
    for (size_t u = 0; u < work->unit_count; u++) {
        free(work->units[u].welds);
        free(work->units[u].stiffness);
        free(work->units[u].pose);
        cdg_yield_free(&work->units[u]);
    }
    free(work->units);
    free(work->bodies);
    free(work->schemes);
    free(work->matrix.values);
    free(work->matrix.pivots);
    free(work->right);
    free_collider(work);
    free(work);
    world->bodies_work = NULL;
    world_renew(world);
}

size_t cdg_bodies_unit_count(const cdg_world *world) {
    return world->bodies_work != NULL ? world->bodies_work->unit_count : 0;
}
world_unit *cdg_bodies_unit(const cdg_world *world, size_t index) { return &world->bodies_work->units[index]; }

static bool is_unknown(const cdg_world *world, uint32_t body) { return !world->bodies[body].def.is_fixed; }

// Welds in the order of their creation, sorted into units by the rods that are predicted together.
static bool form_units(cdg_world *world, struct world_bodies *work) {
    if (world->weld_count == 0) return true;
    work->units = calloc(world->weld_count, sizeof *work->units);
    if (work->units == NULL) return false;
    uint32_t *roots = calloc(world->weld_count, sizeof *roots);
    if (roots == NULL) return false;
    for (size_t i = 0; i < world->weld_count; i++) {
        world_weld *weld = &world->welds[i];
        uint32_t root = cdg_weld_unit_rod(world, weld);
        size_t u = 0;
        while (u < work->unit_count && roots[u] != root) u++;
        if (u == work->unit_count) {
            roots[work->unit_count++] = root;
            work->units[u].team = CDG_NO_INDEX;
            const cdg_rod *rod = world->rods[weld->def.place.rod.index1 - 1].rod;
            work->units[u].length = rod->length / (double)rod->element_count;
        }
        weld->unit = (uint32_t)u;
        weld->slot = (uint32_t)work->units[u].weld_count++;
    }
    free(roots);
    bool has_memory = true;
    for (size_t u = 0; u < work->unit_count; u++) {
        world_unit *unit = &work->units[u];
        size_t size = 6 * unit->weld_count;
        unit->welds = malloc(unit->weld_count * sizeof *unit->welds);
        unit->stiffness = calloc(size * size, sizeof *unit->stiffness);
        unit->pose = calloc(4 * size, sizeof *unit->pose);
        has_memory = has_memory && unit->welds != NULL && unit->stiffness != NULL && unit->pose != NULL;
        if (!has_memory) return false;
        unit->reaction = unit->pose + size;
        unit->pose_before = unit->pose + 2 * size;
        unit->reaction_before = unit->pose + 3 * size;
    }
    for (size_t i = 0; i < world->weld_count; i++)
        work->units[world->welds[i].unit].welds[world->welds[i].slot] = (uint32_t)i;
    return true;
}

// Numbers the unknown bodies and sizes the system: bodies on one unit are neighbours in it.
static bool size_system(cdg_world *world, struct world_bodies *work) {
    for (size_t i = 0; i < world->body_count; i++) work->bodies[i].number = SIZE_MAX;
    for (size_t i = 0; i < world->weld_count; i++) {
        const world_weld *weld = &world->welds[i];
        body_work *b = &work->bodies[weld->body];
        double length = work->units[weld->unit].length;
        b->length = b->length > 0 ? fmin(b->length, length) : length;
        if (is_unknown(world, weld->body)) b->number = 0;
    }
    for (size_t i = 0; i < world->body_count; i++)
        if (work->bodies[i].number == 0) work->bodies[i].number = work->unknown_count++;
    size_t apart = 0;
    for (size_t u = 0; u < work->unit_count; u++) {
        size_t low = SIZE_MAX, high = 0;
        for (size_t k = 0; k < work->units[u].weld_count; k++) {
            size_t number = work->bodies[world->welds[work->units[u].welds[k]].body].number;
            if (number == SIZE_MAX) continue;
            low = number < low ? number : low;
            high = number > high ? number : high;
        }
        if (low != SIZE_MAX && high - low > apart) apart = high - low;
    }
    size_t size = 6 * work->unknown_count;
    if (size == 0) return true;
    work->matrix = (cdg_banded){.size = size, .width = 6 * apart + 5};
    if (work->matrix.width > size - 1) work->matrix.width = size - 1;
    work->matrix.values = malloc(size * cdg_banded_column(work->matrix.width) * sizeof(double));
    work->matrix.pivots = malloc(size * sizeof(int));
    work->right = malloc(size * sizeof(double));
    return work->matrix.values != NULL && work->matrix.pivots != NULL && work->right != NULL;
}

// The mesh is the obstacle's own, in another order than in its definition.
static cdg_shape shape_of_obstacle(const cdg_obstacle *o) {
    cdg_shape shape = o->def.shape;
    shape.mesh = cdg_contact_mesh_surface(&o->mesh);
    return shape;
}

static cdg_result prepare_collider(cdg_world *world, struct world_bodies *work) {
    work->item_count = world->body_count + world->obstacle_count;
    bool is_movable = false;
    for (size_t i = 0; i < world->body_count; i++)
        is_movable = is_movable || (!world->bodies[i].def.is_fixed && !world->bodies[i].def.is_ghost);
    if (!is_movable || work->item_count < 2) return CDG_OK;
    cdg_result result = cdg_collider_create(&work->collider, &world->error);
    for (size_t i = 0; i < work->item_count && result == CDG_OK; i++) {
        cdg_shape shape = i < world->body_count ? world->bodies[i].def.shape
                                                : shape_of_obstacle(&world->obstacles[i - world->body_count]);
        result = cdg_collider_add(work->collider, &shape, &world->error);
    }
    if (result != CDG_OK) return result;
    work->items = calloc(work->item_count + 1, sizeof *work->items);
    return work->items != NULL ? CDG_OK : CDG_ERROR_MEMORY;
}

void cdg_bodies_find_teams(cdg_world *world) {
    struct world_bodies *work = world->bodies_work;
    if (work == NULL) return;
    for (size_t u = 0; u < work->unit_count; u++) work->units[u].team = CDG_NO_INDEX;
    for (size_t t = 0; t < world->team_count; t++) {
        const world_team *team = &world->teams[t];
        if (!team->has_weld) continue;
        for (size_t i = 0; i < world->weld_count; i++) {
            uint32_t root = team->net != NULL ? world->net_rods[team->first] : team->first;
            if (cdg_weld_unit_rod(world, &world->welds[i]) == root)
                work->units[world->welds[i].unit].team = (uint32_t)t;
        }
    }
}

cdg_result cdg_bodies_prepare(cdg_world *world) {
    if (world->body_count == 0) return CDG_OK;
    cdg_result result = cdg_joints_form_nets(world);
    if (result != CDG_OK) return result;
    struct world_bodies *work = world->bodies_work;
    // obstacles that came since
    if (work != NULL && work->item_count != world->body_count + world->obstacle_count) {
        free_collider(work);
        result = prepare_collider(world, work);
    }
    if (work == NULL) {
        work = world->bodies_work = calloc(1, sizeof *work);
        if (work == NULL) return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for a step of bodies");
        work->bodies = calloc(world->body_count, sizeof *work->bodies);
        work->schemes = calloc(world->weld_count > 0 ? world->weld_count : 1, sizeof *work->schemes);
        bool has_memory =
            work->bodies != NULL && work->schemes != NULL && form_units(world, work) && size_system(world, work);
        result = has_memory ? prepare_collider(world, work) : CDG_ERROR_MEMORY;
        if (result != CDG_OK) {
            cdg_bodies_forget(world);
            if (result == CDG_ERROR_MEMORY) cdg_fail(&world->error, result, "no memory for a step of bodies");
            return result;
        }
    }
    return result;
}

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

// The section's pose in the trial, and the velocity there that goes with the body's motion so far.
static void hold_to_trial(const cdg_world *world, const struct world_bodies *work, world_weld *weld) {
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
    for (size_t k = 0; k < unit->weld_count; k++) hold_to_trial(world, work, &world->welds[unit->welds[k]]);
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

// The stiffness by differences about the present trial. Predictions are then those of the last difference.
static void measure_unit(void *user, size_t index, int thread) {
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

static cdg_weld_scheme scheme_of(const cdg_world *world, const world_weld *weld, double step) {
    const cdg_rod *rod = world->rods[weld->def.place.rod.index1 - 1].rod;
    cdg_rate_rule euler = cdg_rate_rule_euler();
    cdg_weld_scheme scheme = {euler, euler, euler, 1};
    if (rod->model->weld_scheme != NULL) rod->model->weld_scheme(rod, step, &scheme);
    if (!weld->is_old) scheme.force = scheme.moment = euler; // there is no past to continue
    return scheme;
}

// Forces of the step from what the holds exert, or, for a first guess, what they exerted in the step before.
static void rate_weld(const cdg_world *world, const struct world_bodies *work, world_weld *weld, bool is_guess) {
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
        rate_weld(world, work, weld, is_guess);
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

static cdg_result solve(cdg_world *world) {
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
        if (is_measured && !run_units(world, measure_unit)) return cdg_bodies_fail_to_meet(world, best);
        since_measured = is_measured ? 0 : since_measured + 1;
        if (!correct(world, work)) return cdg_bodies_fail_to_meet(world, best);
        place_trials(world, work, 1);
    }
    return settle_for_best(world, best);
}

// ---- contact --------------------------------------------------------------------------------------------------------

static void place_items(const cdg_world *world, struct world_bodies *work) {
    double friction = world->contact_def.friction, restitution = world->contact_def.restitution;
    for (size_t i = 0; i < work->item_count; i++) {
        cdg_collider_item *item = &work->items[i];
        if (i >= world->body_count) {
            const cdg_obstacle *o = &world->obstacles[i - world->body_count];
            cdg_pose from = cdg_obstacle_pose(o, work->time - work->step), to = cdg_obstacle_pose(o, work->time);
            cdg_quat turn = quat_multiply(to.orientation, quat_conjugate(from.orientation));
            *item = (cdg_collider_item){
                .position = from.position,
                .orientation = from.orientation,
                .center = from.position,
                .velocity = vec3_scale(1 / work->step, vec3_sub(to.position, from.position)),
                .angular_velocity = vec3_scale(1 / work->step, quat_log(turn)),
                .friction = o->def.friction < 0 ? friction : o->def.friction,
                .restitution = restitution,
            };
            continue;
        }
        const cdg_body *b = &world->bodies[i];
        *item = (cdg_collider_item){
            .position = cdg_body_origin(b, &b->now),
            .orientation = b->now.q,
            .center = b->now.x,
            .mass = b->def.is_fixed ? 0 : b->mass.mass,
            .inertia = cdg_body_world_inertia(b, b->now.q),
            .friction = b->def.friction < 0 ? friction : b->def.friction,
            .restitution = b->def.restitution < 0 ? restitution : b->def.restitution,
            .is_ghost = b->def.is_ghost,
        };
        if (!b->def.is_fixed) continue;
        const cdg_body_now *end = &work->bodies[i].trial;
        cdg_quat turn = quat_multiply(end->q, quat_conjugate(b->now.q));
        item->velocity = vec3_scale(1 / work->step, vec3_sub(end->x, b->now.x));
        item->angular_velocity = vec3_scale(1 / work->step, quat_log(turn));
    }
}

// Impulses of contact, given what welds exert. Returns by how much the largest changed, as a share of the largest.
static cdg_result touch(cdg_world *world, bool is_guess, double *change) {
    struct world_bodies *work = world->bodies_work;
    for (size_t i = 0; i < world->body_count; i++) {
        const cdg_body *b = &world->bodies[i];
        if (b->def.is_fixed) continue;
        cdg_vec3 impulse, turn;
        cdg_bodies_collect(world, work, i, is_guess, &impulse, &turn);
        work->items[i].velocity = vec3_mad(b->now.v, 1 / b->mass.mass, impulse);
        work->items[i].angular_velocity = cdg_body_angular_velocity(b, b->now.q, vec3_add(b->now.spin, turn));
    }
    // What gravity alone makes of a resting body in a step is no blow.
    double slow = 2 * vec3_norm(world->def.gravity) * work->step;
    cdg_result result = cdg_collider_solve(work->collider, work->step, slow, work->items, &world->error);
    if (result != CDG_OK) return result;
    double largest = 0, most = 0;
    for (size_t i = 0; i < world->body_count; i++) {
        body_work *b = &work->bodies[i];
        if (b->number != SIZE_MAX) most = fmax(most, vec3_distance(b->contact_impulse, work->items[i].impulse));
        largest = fmax(largest, vec3_norm(work->items[i].impulse));
        b->contact_impulse = work->items[i].impulse;
        b->contact_turn = work->items[i].turn_impulse;
    }
    *change = largest > 0 ? most / largest : 0;
    return CDG_OK;
}

// ---- the step -------------------------------------------------------------------------------------------------------

// By which rules bodies follow their rods, which may change when contact makes a rod leave its two-step rule.
static void choose_rules(cdg_world *world, struct world_bodies *work) {
    for (size_t i = world->weld_count; i-- > 0;) {
        work->schemes[i] = scheme_of(world, &world->welds[i], work->step);
        work->bodies[world->welds[i].body].rule = work->schemes[i].motion;
    }
    for (size_t u = 0; u < work->unit_count; u++) work->units[u].is_new = true;
}

// Fixed bodies at the end of the step, nothing touched yet.
static void begin(cdg_world *world, struct world_bodies *work) {
    for (size_t i = 0; i < world->body_count; i++) {
        body_work *b = &work->bodies[i];
        if (b->length == 0) b->rule = cdg_rate_rule_mean(0.5); // no weld
        b->contact_impulse = b->contact_turn = vec3(0, 0, 0);
        b->trial =
            world->bodies[i].def.is_fixed ? cdg_body_prescribed(&world->bodies[i], work->time) : world->bodies[i].now;
    }
}

// With the reactions of the step before a body should come near to where it does without. If it does not, it is so
// light beside its rods that it goes where they do, and what a jerk needed then says nothing now.
static void distrust_far_guess(const cdg_world *world, const struct world_bodies *work, size_t index, body_work *b) {
    enum { PARTS_OF_ELEMENT = 4 }; // and of a radian
    const cdg_body *body = &world->bodies[index];
    cdg_vec3 impulse = vec3_scale(work->step * body->mass.mass, world->def.gravity);
    cdg_body_now alone;
    cdg_body_fly(body, work->step, vec3_add(impulse, b->contact_impulse), b->contact_turn, &b->rule, &alone);
    double move = vec3_distance(alone.x, b->trial.x) / b->length;
    double turn = vec3_norm(quat_log(quat_relative(alone.q, b->trial.q)));
    if (!(fmax(move, turn) * PARTS_OF_ELEMENT < 1)) b->trial = alone;
}

// Where bodies come to with the reactions of the step before: those without welds for good.
static void fly(cdg_world *world, struct world_bodies *work, bool with_welds) {
    for (size_t i = 0; i < world->body_count; i++) {
        body_work *b = &work->bodies[i];
        if (world->bodies[i].def.is_fixed || (b->number != SIZE_MAX && !with_welds)) continue;
        cdg_vec3 impulse, turn;
        cdg_bodies_collect(world, work, i, true, &impulse, &turn);
        cdg_body_fly(&world->bodies[i], work->step, vec3_add(impulse, b->contact_impulse),
                     vec3_add(turn, b->contact_turn), &b->rule, &b->trial);
        if (b->number != SIZE_MAX) distrust_far_guess(world, work, i, b);
    }
}

void cdg_bodies_predict_touched(const cdg_world *world, size_t index, cdg_body_now *out) {
    const struct world_bodies *work = world->bodies_work;
    const body_work *b = &work->bodies[index];
    *out = b->trial;
    if (world->bodies[index].def.is_fixed || b->number != SIZE_MAX) return;
    cdg_vec3 impulse, turn;
    cdg_rate_rule euler = cdg_rate_rule_euler();
    cdg_bodies_collect(world, work, index, true, &impulse, &turn);
    cdg_body_fly(&world->bodies[index], work->step, vec3_add(impulse, b->contact_impulse),
                 vec3_add(turn, b->contact_turn), &euler, out);
}

// Contact wants to know how some rods answer, at the trials that were agreed on.
static bool keep_responses(cdg_world *world, struct world_bodies *work) {
    if (!world_has_contact(world)) return true;
    const cdg_coupled *coupled = world->contacts.coupling.objects;
    for (size_t u = 0; u < work->unit_count; u++) {
        world_unit *unit = &work->units[u];
        if (unit->yield.way_count > 0 && coupled[unit->yield_rod].wants_response) measure_unit(world, u, 0);
        if (unit->has_failed) return false;
    }
    work->keeps_response = true;
    for (size_t u = 0; u < work->unit_count && work->keeps_response; u++) {
        world_unit *unit = &work->units[u];
        if (!coupled[unit->yield_rod].wants_response) continue;
        for (size_t k = 0; k < unit->weld_count; k++) hold_to_trial(world, work, &world->welds[unit->welds[k]]);
        bool has_yield = unit->yield.way_count == 0 || cdg_yield_finish(world, work, unit);
        work->keeps_response = has_yield && cdg_step_predict_team(work->context, unit->team, 0);
    }
    bool is_good = work->keeps_response;
    work->keeps_response = false;
    return is_good;
}

bool cdg_bodies_keep_response(const cdg_world *world) {
    return world->bodies_work != NULL && world->bodies_work->keeps_response;
}

// Points and first impulses of contact between bodies.
static cdg_result find_touches(cdg_world *world, struct world_bodies *work) {
    double change;
    work->touch_count = 0;
    if (work->collider == NULL) return CDG_OK;
    place_items(world, work);
    if (world_has_contact(world)) return CDG_OK; // contact solves for them, with all that rods do
    cdg_result result = cdg_collider_find(work->collider, work->items, &work->touch_count, &world->error);
    if (result == CDG_OK && work->touch_count > 0) result = touch(world, true, &change);
    return result;
}

// Contact and welds in turn: what a weld exerts changes little by a contact impulse that is nearly right.
static cdg_result agree(cdg_world *world, struct world_bodies *work) {
    enum { ROUNDS_MAX = 8 };
    cdg_result result = CDG_OK;
    for (int round = 0; round < ROUNDS_MAX && work->unit_count > 0; round++) {
        double change = 0;
        result = work->projects ? cdg_bodies_project(world) : solve(world);
        if (result != CDG_OK || work->touch_count == 0 || round + 1 == ROUNDS_MAX) break;
        result = touch(world, false, &change);
        if (result != CDG_OK || change < 1e-9) break;
        fly(world, work, false);
    }
    if (result == CDG_OK && !keep_responses(world, work)) result = cdg_bodies_fail_to_meet(world, 0);
    if (result != CDG_OK) cdg_welds_follow(world);
    return result;
}

cdg_result cdg_bodies_predict(cdg_step_context *context) {
    cdg_world *world = context->world;
    struct world_bodies *work = world->bodies_work;
    if (work == NULL) return CDG_OK;
    work->time = context->time;
    work->step = context->step;
    work->context = context;
    // Trials are many and short: waking threads for each pays off only with long rods.
    enum { ELEMENTS_WORTH_THREADS = 2000 };
    size_t elements = 0;
    for (size_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL && world->rods[i].has_weld) elements += world->rods[i].rod->element_count;
    work->thread_count = elements > ELEMENTS_WORTH_THREADS ? world->scratch_count : 1;
    work->projects = world->weld_count > 0 && cdg_bodies_are_projected(world);
    choose_rules(world, work);
    begin(world, work);
    cdg_result result = find_touches(world, work);
    if (result != CDG_OK) return result;
    // A free body that touches moves by its new speed, so that it does not go on into what it hits.
    for (size_t i = 0; i < world->body_count && work->touch_count > 0; i++)
        if (work->items[i].is_touched && work->bodies[i].length == 0) work->bodies[i].rule = cdg_rate_rule_euler();
    fly(world, work, true);
    return agree(world, work);
}

cdg_result cdg_bodies_predict_again(cdg_world *world) {
    choose_rules(world, world->bodies_work);
    return agree(world, world->bodies_work);
}

double cdg_bodies_work(cdg_world *world) {
    struct world_bodies *work = world->bodies_work;
    double sum = 0;
    for (size_t i = 0; i < world->weld_count && work != NULL; i++) {
        world_weld *weld = &world->welds[i];
        const cdg_body *b = &world->bodies[weld->body];
        if (!b->def.is_fixed) continue;
        rate_weld(world, work, weld, false);
        const cdg_body_now *end = &work->bodies[weld->body].trial;
        cdg_vec3 before = vec3_add(b->now.x, quat_rotate(b->now.q, weld->arm));
        cdg_vec3 turn = quat_log(quat_multiply(end->q, quat_conjugate(b->now.q)));
        // the mean of the reactions before and after makes the work second order in the step
        cdg_vec3 force = vec3_lerp(weld->past.force, weld->next.force, 0.5);
        cdg_vec3 moment = vec3_lerp(weld->past.moment, weld->next.moment, 0.5);
        sum += vec3_dot(force, vec3_sub(weld->position, before)) + vec3_dot(moment, turn);
    }
    return sum;
}

const cdg_body_now *cdg_bodies_candidate(const cdg_world *world, size_t index) {
    return world->bodies_work != NULL ? &world->bodies_work->bodies[index].trial : &world->bodies[index].now;
}

void cdg_bodies_measure_candidate(const cdg_world *world, double *kinetic, double *gravity) {
    for (size_t i = 0; i < world->body_count; i++) {
        cdg_body body = world->bodies[i];
        if (body.def.is_fixed) continue;
        body.now = *cdg_bodies_candidate(world, i);
        *kinetic += cdg_body_kinetic_energy(&body);
        *gravity -= body.mass.mass * vec3_dot(world->def.gravity, body.now.x);
    }
}

void cdg_bodies_commit(cdg_world *world) {
    struct world_bodies *work = world->bodies_work;
    if (work == NULL) return;
    for (size_t i = 0; i < world->weld_count; i++) {
        world->welds[i].past = world->welds[i].next;
        world->welds[i].is_old = true;
    }
    for (size_t i = 0; i < world->body_count; i++) world->bodies[i].now = work->bodies[i].trial;
}
