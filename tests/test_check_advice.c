// Advice of `cordage check`: periods against closed forms, and what limits step and elements.
#include "check_advice.h"

#include "scene_text.h"

#include <math.h>

#include "near.h"

static const double pi = 3.141592653589793;

typedef struct advised {
    cdg_scene *scene;
    cdg_world *world;
    cdg_run_plan plan;
    check_advice advice;
    element_recommendation elements; // of the first rod
} advised;

static advised advise(const char *text) {
    advised out = {.scene = scene_parse_with(text, NULL, 0)};
    cdg_error error = {0};
    if (cdg_scene_build(out.scene, 1, &out.world, &error) != CDG_OK) fail_msg("%s", error.message);
    assert_int_equal(cdg_run_plan_make(out.scene, out.world, &out.plan, &error), CDG_OK);
    out.elements = recommend_elements(out.scene, out.world, 0);
    out.advice = make_check_advice(out.scene, out.world, &out.plan);
    return out;
}

static void release(advised *a) {
    cdg_world_destroy(a->world);
    cdg_scene_destroy(a->scene);
}

#define HEAD "cordage: 1\nsimulation: {duration: 1 s, gravity: [0, 0, 0], model: %s}\n"
#define MATTER "material: {young_modulus: 1 MPa, poisson_ratio: 0.5, density: 1000}, section: {circle: {radius: 4 mm}}"

// E = 1 MPa, rho = 1000, r = 4 mm, L = 1 m, 50 elements: c = sqrt(E/rho), bending c r/2, twisting sqrt(G/rho), G = E/3.
static void periods_are_those_of_a_uniform_rod(void **state) {
    (void)state;
    char text[600];
    snprintf(text, sizeof text,
             HEAD "rods: [{name: a, centerline: {line: {to: [1, 0, 0]}}, elements: 50, " MATTER "}]\n", "pobd");
    advised a = advise(text);
    double c = sqrt(1e6 / 1000), l = 1.0 / 50, bend = c * 4e-3 / 2, twist = c / sqrt(3);
    const motion_times *m = a.advice.motions;
    assert_near(m[CDG_LIMIT_STRETCH].longest, 1 / c, 1e-9);
    assert_near(m[CDG_LIMIT_STRETCH].shortest, pi * l / c, 1e-9);
    assert_near(m[CDG_LIMIT_BEND].longest, 1 / (2 * pi * bend), 1e-6);
    assert_near(m[CDG_LIMIT_BEND].shortest, pi * l * l / (2 * bend), 1e-9);
    assert_near(m[CDG_LIMIT_TWIST].shortest, pi * l / twist, 1e-9);
    assert_null(m[CDG_LIMIT_CONTACT].rod);
    assert_string_equal(m[CDG_LIMIT_BEND].rod, "a");
    assert_int_equal(a.advice.step.limit, CDG_LIMIT_BEND); // implicit: for accuracy
    assert_true(a.advice.step.is_short);
    assert_int_equal(a.elements.wanted, 1); // straight, without weight
    assert_int_equal(a.elements.most, 125);
    assert_int_equal(a.advice.cost.basis, COST_MEASURED);
    assert_true(a.advice.cost.seconds > 0 && a.advice.cost.memory > 1e5 && a.advice.cost.step_count > 1);
    assert_true(a.advice.cost.output_seconds > 0);
    assert_near(a.advice.cost.seconds,
                a.advice.cost.step_seconds * (double)a.plan.step_count +
                    a.advice.cost.output_seconds * (double)a.plan.frame_count,
                1e-12 * a.advice.cost.seconds);
    release(&a);
}

// Where things may touch later, the trial goes on, here to the end of the run.
static void what_may_touch_is_tried_further(void **state) {
    (void)state;
    for (int touches = 0; touches < 2; touches++) {
        char text[600];
        snprintf(text, sizeof text,
                 "cordage: 1\nsimulation: {model: pobd, step: 1 ms, duration: 0.3 s, gravity: [0, 0, 0]}\ncontact: %s\n"
                 "rods: [{name: a, centerline: {line: {to: [1, 0, 0]}}, elements: 8, " MATTER "}]\n",
                 touches ? "{friction: 0.1}" : "off");
        advised a = advise(text);
        assert_int_equal(a.advice.cost.basis, COST_MEASURED);
        assert_int_equal(a.plan.step_count, 300);
        if (touches)
            assert_int_equal(a.advice.cost.step_count, 300);
        else
            assert_true(a.advice.cost.step_count <= 50);
        release(&a);
    }
}

// Explicit models: long thin elements stretch fastest, and the mode is told for each coupling.
static void explicit_steps_name_their_mode(void **state) {
    (void)state;
    static const struct {
        const char *options, *elements;
        cdg_limit limit;
    } cases[] = {
        {"corde, corde: {coupling: constraint}", "20", CDG_LIMIT_STRETCH},
        {"corde, corde: {coupling: constraint}", "400", CDG_LIMIT_BEND}, // elements shorter than thick
        {"corde, corde: {penalty: 10 kN}", "20", CDG_LIMIT_SHEAR},
        {"der, der: {integrator: explicit}", "20", CDG_LIMIT_STRETCH},
        {"der, der: {integrator: explicit}", "400", CDG_LIMIT_BEND},
        {"der", "400", CDG_LIMIT_BEND},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 HEAD "rods: [{name: a, centerline: {line: {to: [1, 0, 0]}}, elements: %s, " MATTER "}]\n",
                 cases[i].options, cases[i].elements);
        advised a = advise(text);
        if (a.advice.step.limit != cases[i].limit)
            fail_msg("%s with %s elements: %s", cases[i].options, cases[i].elements, limit_name(a.advice.step.limit));
        release(&a);
    }
}

static void contact_limits_fast_things(void **state) {
    (void)state;
    static const struct {
        const char *extra, *rod;
        double speed; // m/s
    } cases[] = {
        {"contact: {friction: 0.1}\n", ", velocity: [0, 20, 0]", 20},
        {"obstacles: [{sphere: {radius: 1 cm}, position: [0, 1, 0], motion: {move: [0, -2, 0], to: 0.1}}]\n", "", 20},
        {"obstacles: [{sphere: {radius: 1 cm}, position: [0, 1, 0], motion: {move: [0, -2, 0], to: 0.1, ease: "
         "smooth}}]\n",
         "", 37.5},
        {"contact: on\nsupports: [{clamp: a.start, motion: {rotate: {axis: [0, 0, 1], angle: 4}, to: 0.1}}]\n", "", 20},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[800];
        snprintf(text, sizeof text,
                 HEAD "rods: [{name: a, centerline: {line: {to: [1, 0, 0]}}, elements: 10%s, " MATTER "}]\n%s", "pobd",
                 cases[i].rod, cases[i].extra);
        advised a = advise(text);
        assert_near(a.advice.step.fastest, cases[i].speed, 1e-9);
        assert_near(a.advice.motions[CDG_LIMIT_CONTACT].shortest, 4e-3 / cases[i].speed, 1e-12);
        assert_int_equal(a.advice.step.limit, CDG_LIMIT_CONTACT);
        assert_near(a.advice.step.step, 4e-3 / cases[i].speed, 1e-12);
        assert_true(a.advice.step.is_short); // what is recommended is what an automatic step is
        assert_true(a.plan.step <= a.advice.step.step);
        release(&a);
    }
}

static void elements_follow_from_shape_weight_twist_and_contact(void **state) {
    (void)state;
    static const struct {
        const char *head, *centerline, *extra;
        size_t wanted, slack;
        cdg_limit limit;
    } cases[] = {
        // a quarter circle in 4 elements: 1.57 rad by 0.2
        {HEAD, "arc: {radius: 0.5, angle: 90 deg}", "", 8, 1, CDG_LIMIT_BEND},
        // (E I/(m g))^(1/3) = (1e6 * 4e-6/1000/9.81)^(1/3) = 0.0742 m; three elements in it
        {"cordage: 1\nsimulation: {duration: 1 s, model: %s}\n", "line: {to: [1, 0, 0]}", "", 41, 1, CDG_LIMIT_BEND},
        {HEAD, "line: {to: [1, 0, 0]}",
         "supports: [{clamp: a.end, motion: {rotate: {axis: [-1, 0, 0], angle: 10 turns}, to: 1}}]\n", 158, 1,
         CDG_LIMIT_TWIST},
        // turned about an axis across: no twist
        {HEAD, "line: {to: [1, 0, 0]}",
         "supports: [{clamp: a.end, motion: {rotate: {axis: [0, 0, 1], angle: 10 turns}, to: 1}}]\n", 1, 0,
         CDG_LIMIT_NONE},
        // 1/sqrt(0.8 * 4e-3 * (16e-3 + 4e-3)) = 125
        {HEAD, "line: {to: [1, 0, 0]}", "obstacles: [{cylinder: {radius: 16 mm, length: 1}, position: [0, 1, 0]}]\n",
         125, 1, CDG_LIMIT_CONTACT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[900], head[200];
        snprintf(head, sizeof head, cases[i].head, "pobd");
        snprintf(text, sizeof text, "%srods: [{name: a, elements: 4, centerline: {%s}, " MATTER "}]\n%s", head,
                 cases[i].centerline, cases[i].extra);
        advised a = advise(text);
        size_t wanted = a.elements.wanted;
        if (wanted + cases[i].slack < cases[i].wanted || wanted > cases[i].wanted + cases[i].slack)
            fail_msg("case %zu: %zu elements, not %zu", i, wanted, cases[i].wanted);
        assert_int_equal(a.elements.limit, cases[i].limit);
        assert_true((a.elements.reason[0] != '\0') == (wanted > 1));
        release(&a);
    }
}

static void large_and_failing_scenes_are_told(void **state) {
    (void)state;
    char text[600];
    snprintf(text, sizeof text,
             HEAD "rods: [{name: a, centerline: {line: {to: [1, 0, 0]}}, elements: 300001, " MATTER "}]\n", "corde");
    advised a = advise(text);
    assert_int_equal(a.advice.cost.basis, COST_KNOWN);
    assert_true(a.advice.cost.seconds > 0);
    release(&a);
    // The support tears the rod apart faster than numbers go.
    snprintf(text, sizeof text,
             HEAD "rods: [{name: a, centerline: {line: {to: [1, 0, 0]}}, elements: 4, " MATTER "}]\n"
                  "supports: [{pin: a.end, motion: {move: [1e200, 0, 0], to: 1}}]\n",
             "corde");
    a = advise(text);
    assert_true(a.advice.cost.failure[0] != '\0');
    release(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(periods_are_those_of_a_uniform_rod),
        cmocka_unit_test(what_may_touch_is_tried_further),
        cmocka_unit_test(explicit_steps_name_their_mode),
        cmocka_unit_test(contact_limits_fast_things),
        cmocka_unit_test(elements_follow_from_shape_weight_twist_and_contact),
        cmocka_unit_test(large_and_failing_scenes_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
