// Surfaces of mass points with springs along their edges, which take explicit steps through contact, for tests.
#ifndef CDG_TESTS_SURFACE_CASE_H
#define CDG_TESTS_SURFACE_CASE_H

#include "contact/contacts.h"
#include "math/quat.h"
#include "math/random.h"
#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>

enum { IMPLICIT_POINTS = 25 };
enum { CLOTH_POINTS = 200, CLOTH_TRIANGLES = 300, CLOTH_SPRINGS = 3 * CLOTH_TRIANGLES };

typedef struct cloth {
    size_t point_count, triangle_count, spring_count, segment_count; // segments: it is a chain
    double x[3][CLOTH_POINTS], v[3][CLOTH_POINTS], x_next[3][CLOTH_POINTS], v_next[3][CLOTH_POINTS];
    double *now[3], *next[3], *velocity[3];
    bool held[CLOTH_POINTS];
    double mass; // kg, of a point
    uint32_t triangles[CLOTH_TRIANGLES][3];
    uint32_t spring[CLOTH_SPRINGS][2];
    double length[CLOTH_SPRINGS];
    double stiffness, damping; // N/m, N s/m
    double radius, rest_length[CLOTH_POINTS];
    // Implicit ones: springs that pull all components to the rest shape alike, so that a step is one small system, of
    // which this is the inverse, m/N.
    bool is_implicit, says_compliance;
    double inverse[IMPLICIT_POINTS][IMPLICIT_POINTS], compliance[IMPLICIT_POINTS];
    double rest[3][CLOTH_POINTS];
    cdg_proxy proxy;
} cloth;

static inline cdg_vec3 cloth_at(double (*arrays)[CLOTH_POINTS], size_t i) {
    return vec3(arrays[0][i], arrays[1][i], arrays[2][i]);
}
static inline void cloth_set(double (*arrays)[CLOTH_POINTS], size_t i, cdg_vec3 a) {
    arrays[0][i] = a.x, arrays[1][i] = a.y, arrays[2][i] = a.z;
}

static inline void cloth_read(cdg_pieces *p, size_t index, double step) {
    cloth *it = p->objects[index].object;
    for (size_t i = 0; i < it->point_count; i++) {
        uint32_t k = p->point_of[p->first_node[index] + i];
        p->start[k] = cloth_at(it->x, i);
        p->velocity[k] = cloth_at(it->v, i);
        p->free[k] = p->next[k] = cloth_at(it->x_next, i);
        p->base[k] = vec3_mad(p->free[k], -step, cloth_at(it->v_next, i));
        p->give[k] += it->mass;
        if (it->held[i]) p->held[k] = true;
    }
}

static inline bool cloth_give_back(const cdg_pieces *p, size_t index, double step) {
    cloth *it = p->objects[index].object;
    bool is_touched = false;
    for (size_t i = 0; i < it->point_count; i++) {
        uint32_t k = p->point_of[p->first_node[index] + i];
        if (vec3_dot(p->force[k], p->force[k]) == 0) continue;
        is_touched = true;
        if (it->is_implicit) return true; // predicted with the forces
        cdg_vec3 move = vec3_scale(p->give[k], p->force[k]);
        cloth_set(it->x_next, i, vec3_add(p->free[k], move));
        cloth_set(it->v_next, i, vec3_mad(cloth_at(it->v_next, i), 1 / step, move));
    }
    return is_touched;
}

static inline void cloth_restart(void *object) { (void)object; }

static inline cdg_chain_range cloth_respond(const void *whole, void *response, cdg_chain_range loaded,
                                            double *const force[3], const double *torque, double cutoff,
                                            double *const move[3], double *turn) {
    const cloth *it = whole;
    (void)response, (void)torque, (void)cutoff, (void)turn;
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < it->point_count; i++) {
            move[k][i] = 0;
            for (size_t j = 0; j < it->point_count; j++) move[k][i] += it->inverse[i][j] * force[k][j];
        }
    return loaded;
}

static const cdg_proxy_operations cloth_operations = {
    .read = cloth_read, .give_back = cloth_give_back, .restart = cloth_restart, .respond = cloth_respond};

// The inverse of masses over step^2 and springs, by elimination; held points do not move.
static inline void cloth_factor(cloth *it, double step) {
    size_t n = it->point_count;
    static double a[IMPLICIT_POINTS][2 * IMPLICIT_POINTS];
    memset(a, 0, sizeof a);
    for (size_t i = 0; i < n; i++) a[i][i] = it->mass / (step * step), a[i][n + i] = 1;
    for (size_t s = 0; s < it->spring_count; s++)
        for (int k = 0; k < 2; k++) {
            uint32_t i = it->spring[s][k], j = it->spring[s][1 - k];
            a[i][i] += it->stiffness, a[i][j] -= it->stiffness;
        }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < 2 * n && it->held[i]; j++) a[i][j] = j == i;
    for (size_t i = 0; i < n; i++)
        for (size_t r = 0; r < n; r++) {
            double share = r != i ? a[r][i] / a[i][i] : 0;
            for (size_t j = 0; j < 2 * n && share != 0; j++) a[r][j] -= share * a[i][j];
        }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) it->inverse[i][j] = it->held[j] ? 0 : a[i][n + j] / a[i][i];
    for (size_t i = 0; i < n; i++) it->compliance[i] = it->inverse[i][i];
}

static inline void cloth_make_implicit(cloth *it, bool says_compliance) {
    it->is_implicit = true;
    memcpy(it->rest, it->x, sizeof it->rest);
    it->proxy.is_implicit = true;
    it->proxy.response_size = 64;
    it->proxy.whole = it;
    it->proxy.compliance = says_compliance ? it->compliance : NULL;
}

static inline void cloth_finish(cloth *it, double thickness) {
    it->spring_count = 0;
    for (size_t t = 0; t < it->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            uint32_t a = it->triangles[t][k], b = it->triangles[t][(k + 1) % 3];
            bool is_new = true;
            for (size_t n = 0; n < it->spring_count && is_new; n++)
                is_new = !(it->spring[n][0] == b && it->spring[n][1] == a) &&
                         !(it->spring[n][0] == a && it->spring[n][1] == b);
            if (!is_new) continue;
            it->length[it->spring_count] = vec3_distance(cloth_at(it->x, a), cloth_at(it->x, b));
            it->spring[it->spring_count][0] = a, it->spring[it->spring_count++][1] = b;
        }
    for (int k = 0; k < 3; k++) it->now[k] = it->x[k], it->next[k] = it->x_next[k], it->velocity[k] = it->v[k];
    it->proxy = (cdg_proxy){.object = it,
                            .operations = &cloth_operations,
                            .name = "cloth",
                            .point_count = it->point_count,
                            .now = it->now,
                            .next = it->next,
                            .velocity = it->velocity,
                            .triangles = (const uint32_t(*)[3])it->triangles,
                            .triangle_count = it->triangle_count,
                            .thickness = thickness};
}

// A square of n x n cells of size `cell` about the origin, in the plane z = 0.
static inline void cloth_sheet(cloth *it, uint32_t n, double cell, double thickness) {
    memset(it, 0, sizeof *it);
    uint32_t row = n + 1;
    it->point_count = (size_t)row * row;
    it->mass = 1;
    for (uint32_t i = 0; i < it->point_count; i++)
        cloth_set(it->x, i, vec3(cell * (i % row - 0.5 * n), cell * ((double)(i / row) - 0.5 * n), 0));
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i < n; i++) {
            uint32_t a = j * row + i, corners[4] = {a, a + 1, a + row, a + row + 1};
            for (int k = 0; k < 3; k++) {
                it->triangles[it->triangle_count][k] = corners[k];
                it->triangles[it->triangle_count + 1][k] = corners[3 - k];
            }
            it->triangle_count += 2;
        }
    cloth_finish(it, thickness);
}

// A regular tetrahedron of edge 1.
static inline void cloth_tetrahedron(cloth *it, double thickness) {
    static const uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    memset(it, 0, sizeof *it);
    it->point_count = it->triangle_count = 4;
    it->mass = 1;
    double s = 0.35355339059327373;
    cloth_set(it->x, 0, vec3(s, s, s));
    cloth_set(it->x, 1, vec3(-s, -s, s));
    cloth_set(it->x, 2, vec3(-s, s, -s));
    cloth_set(it->x, 3, vec3(s, -s, -s));
    memcpy(it->triangles, faces, sizeof faces);
    cloth_finish(it, thickness);
}

// Beads on a line along x, a chain of capsules.
static inline void cloth_chain(cloth *it, size_t segments, double length, double radius) {
    memset(it, 0, sizeof *it);
    it->point_count = segments + 1;
    it->segment_count = segments;
    it->mass = 1;
    it->radius = radius;
    for (size_t i = 0; i <= segments; i++)
        cloth_set(it->x, i, vec3(length * ((double)i - 0.5 * (double)segments), 0, 0));
    for (size_t j = 0; j < segments; j++) {
        it->rest_length[j] = it->length[j] = length;
        it->spring[j][0] = (uint32_t)j, it->spring[j][1] = (uint32_t)j + 1;
    }
    for (int k = 0; k < 3; k++) it->now[k] = it->x[k], it->next[k] = it->x_next[k], it->velocity[k] = it->v[k];
    it->spring_count = segments;
    it->proxy = (cdg_proxy){.object = it,
                            .operations = &cloth_operations,
                            .name = "chain",
                            .point_count = it->point_count,
                            .segment_count = segments,
                            .length = length * (double)segments,
                            .rest_length = it->rest_length,
                            .radius = &it->radius,
                            .now = it->now,
                            .next = it->next,
                            .velocity = it->velocity};
}

static inline void cloth_place(cloth *it, cdg_quat turn, cdg_vec3 move, cdg_vec3 velocity) {
    for (size_t i = 0; i < it->point_count; i++) {
        cloth_set(it->x, i, vec3_add(quat_rotate(turn, cloth_at(it->x, i)), move));
        cloth_set(it->v, i, velocity);
    }
}

// ---- a world --------------------------------------------------------------------------------------------------------

enum { CLOTHS_MAX = 4 };
typedef struct cloth_world {
    cloth *cloths[CLOTHS_MAX]; // chains first
    size_t count;
    cdg_contacts contacts;
    cdg_contact_def def;
    cdg_obstacle *obstacles;
    size_t obstacle_count;
    cdg_body *body; // NULL: none
    cdg_obstacle *body_shape;
    cdg_vec3 gravity;
    double time;
    cdg_contact_outcome outcome;
    cdg_error error;
    int halvings;
} cloth_world;

static inline cdg_result cloth_build(cloth_world *world) {
    cdg_proxy proxies[CLOTHS_MAX];
    cdg_proxy_list list = {.proxies = proxies, .count = world->count};
    for (size_t i = 0; i < world->count; i++) {
        proxies[i] = world->cloths[i]->proxy;
        proxies[i].lead = (uint32_t)i;
        list.surface_count += proxy_is_surface(&proxies[i]);
    }
    world->contacts.body_count = world->body != NULL;
    cdg_result result = cdg_contacts_build(&world->contacts, &list, &world->error);
    if (result == CDG_OK && world->body != NULL)
        world->contacts.bodies[0] = (cdg_body_piece){.body = world->body, .shape = world->body_shape};
    return result;
}

static inline void cloth_predict(const cloth *from, cloth *it, cdg_vec3 gravity, double step) {
    (void)from;
    for (size_t i = 0; i < it->point_count; i++) {
        cdg_vec3 v = cloth_at(it->v, i);
        cloth_set(it->v_next, i, it->held[i] ? v : vec3_mad(v, step, gravity));
    }
    for (size_t n = 0; n < it->spring_count; n++) {
        uint32_t a = it->spring[n][0], b = it->spring[n][1];
        cdg_vec3 edge = vec3_sub(cloth_at(it->x, b), cloth_at(it->x, a));
        double length = vec3_norm(edge);
        cdg_vec3 along = vec3_scale(1 / length, edge);
        double speed = vec3_dot(along, vec3_sub(cloth_at(it->v, b), cloth_at(it->v, a)));
        double pull = it->stiffness * (length - it->length[n]) + it->damping * speed;
        if (!it->held[a]) cloth_set(it->v_next, a, vec3_mad(cloth_at(it->v_next, a), step * pull / it->mass, along));
        if (!it->held[b]) cloth_set(it->v_next, b, vec3_mad(cloth_at(it->v_next, b), -step * pull / it->mass, along));
    }
    for (size_t i = 0; i < it->point_count; i++)
        cloth_set(it->x_next, i, vec3_mad(cloth_at(it->x, i), step, cloth_at(it->v_next, i)));
}

// A sheet about the origin and a tetrahedron about `center`, both turned at random.
static inline void cloth_pair_build(cloth_world *world, cloth *sheet, cloth *tetrahedron, double thickness,
                                    cdg_vec3 center) {
    cdg_random random = {11};
    cloth_sheet(sheet, 3, 1, thickness);
    cloth_tetrahedron(tetrahedron, thickness);
    cloth_place(sheet, random_rotation(&random), vec3(0, 0, 0), vec3(0, 0, 0));
    cloth_place(tetrahedron, random_rotation(&random), center, vec3(0, 0, 0));
    *world = (cloth_world){.cloths = {sheet, tetrahedron}, .count = 2};
    assert_int_equal(cloth_build(world), CDG_OK);
}

// A step of a second in which each of the two moves at its velocity, and every point trembles.
static inline void cloth_pair_move(cloth_world *world, int step, const cdg_vec3 velocity[2]) {
    cdg_random random = {500 + (uint64_t)step};
    for (int n = 0; n < 2; n++) {
        cloth *c = world->cloths[n];
        for (size_t i = 0; i < c->point_count; i++)
            cloth_set(c->v, i, vec3_add(random_vec3(&random, 0.005), velocity[n]));
        cloth_predict(NULL, c, vec3(0, 0, 0), 1);
    }
    cdg_pieces_load(&world->contacts.pieces, 1);
}

// The candidates become the state.
static inline void cloth_pair_commit(cloth_world *world) {
    for (int n = 0; n < 2; n++) {
        cloth *c = world->cloths[n];
        for (int k = 0; k < 3; k++) memcpy(c->x[k], c->x_next[k], c->point_count * sizeof(double));
    }
}

// With the forces of contact as they are in the pieces. Implicit Euler for what the springs make of x - rest.
static inline void cloth_predict_implicit(cloth *it, const cdg_pieces *p, size_t index, cdg_vec3 gravity, double step) {
    cloth_factor(it, step);
    static double right[3][IMPLICIT_POINTS];
    for (size_t i = 0; i < it->point_count; i++) {
        cdg_vec3 f = vec3_mad(p->force[p->point_of[p->first_node[index] + i]], it->mass, gravity);
        f = vec3_mad(f, it->mass / step, cloth_at(it->v, i));
        right[0][i] = f.x, right[1][i] = f.y, right[2][i] = f.z;
    }
    for (size_t s = 0; s < it->spring_count; s++)
        for (int k = 0; k < 3; k++) {
            uint32_t a = it->spring[s][0], b = it->spring[s][1];
            double pull = it->stiffness * (it->x[k][b] - it->x[k][a] - it->rest[k][b] + it->rest[k][a]);
            right[k][a] += pull, right[k][b] -= pull;
        }
    for (size_t i = 0; i < it->point_count; i++)
        for (int k = 0; k < 3; k++) {
            double move = 0;
            for (size_t j = 0; j < it->point_count; j++) move += it->inverse[i][j] * right[k][j];
            if (it->held[i]) move = 0;
            it->x_next[k][i] = it->x[k][i] + move;
            it->v_next[k][i] = move / step;
        }
}

static inline void cloth_predict_any(cloth_world *world, size_t index, double step) {
    cdg_contacts *c = &world->contacts;
    cloth *it = world->cloths[index];
    if (!it->is_implicit) {
        cloth_predict(NULL, it, world->gravity, step);
        return;
    }
    cloth_predict_implicit(it, &c->pieces, index, world->gravity, step);
    c->coupling.objects[index].has_response = c->coupling.objects[index].wants_response;
}

static inline void cloth_predict_body(cloth_world *world, double step) {
    if (world->body == NULL) return;
    cdg_rate_rule rule = cdg_rate_rule_mean(1);
    cdg_body_piece *piece = &world->contacts.bodies[0];
    cdg_vec3 impulse = vec3_scale(step * world->body->mass.mass, world->gravity);
    cdg_body_fly(world->body, step, impulse, vec3(0, 0, 0), &rule, &piece->free);
    piece->touched = piece->free;
}

// One step, in halves where contact asks for it. False: it did not find a way.
static inline bool cloth_step(cloth_world *world, double step, int depth) {
    bool touched[CLOTHS_MAX];
    cdg_contact_input input = {.def = &world->def,
                               .obstacles = world->obstacles,
                               .obstacle_count = world->obstacle_count,
                               .gravity = world->gravity,
                               .time = world->time + step,
                               .step = step};
    cdg_contacts_begin(&world->contacts, &input);
    for (size_t i = 0; i < world->count; i++) cloth_predict_any(world, i, step);
    cloth_predict_body(world, step);
    if (cdg_contacts_open(&world->contacts, &input, &world->outcome, &world->error) != CDG_OK) return false;
    while (world->contacts.again_count > 0) {
        for (size_t i = 0; i < world->contacts.again_count; i++)
            cloth_predict_any(world, world->contacts.again[i], step);
        if (cdg_contacts_continue(&world->contacts, &input, &world->outcome, &world->error) != CDG_OK) return false;
    }
    cdg_contacts_close(&world->contacts, &input, &world->outcome, touched);
    const cdg_contact_outcome *out = &world->outcome;
    if (out->passes || out->is_crushed || (depth < 6 && (out->is_deep || out->is_hard))) {
        world->halvings++;
        return depth < 12 && cloth_step(world, 0.5 * step, depth + 1) && cloth_step(world, 0.5 * step, depth + 1);
    }
    cdg_contacts_keep(&world->contacts);
    if (world->body != NULL)
        cdg_body_piece_store(&world->contacts.pieces, world->contacts.bodies, 0, step, &world->body->now);
    for (size_t i = 0; i < world->count; i++) {
        memcpy(world->cloths[i]->x, world->cloths[i]->x_next, sizeof world->cloths[i]->x);
        memcpy(world->cloths[i]->v, world->cloths[i]->v_next, sizeof world->cloths[i]->v);
    }
    world->time += step;
    return true;
}

static inline void cloth_free(cloth_world *world) { cdg_contacts_free(&world->contacts); }

#endif
