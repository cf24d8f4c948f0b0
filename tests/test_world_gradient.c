// Gradients of equilibria against differences of equilibria, for both models, all kinds of parameters and all kinds of
// probes that are smooth; loads that follow the rod; parameters without influence; what has no gradient says so.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch_case.h"
#include "near.h"
#include "rods/rod_path.h"
#include "world/world_static.h"

#include <cordage/gradient.h>

#include <stdio.h>
#include <string.h>

enum { ELEMENTS = 12 };

// Everything that a world is made of here; the parameters are its members in turn.
typedef struct numbers {
    double young_modulus, shear_modulus, density, width, thickness, gravity, force, moment, pull, target, length, wind;
} numbers;
enum { NUMBERS = sizeof(numbers) / sizeof(double) };
static const char *const names[NUMBERS] = {"E",     "G",      "density", "width",  "thickness", "gravity",
                                           "force", "moment", "pull",    "target", "length",    "wind"};

typedef struct setting {
    cdg_model model;
    numbers now;
    size_t elements;
    bool is_pinned;         // the end, too
    size_t more_elements;   // when a parameter grows
    cdg_result build_fails; // CDG_OK: it does not
} setting;

static setting setting_make(cdg_model model, bool is_pinned) {
    setting s = {.model = model, .is_pinned = is_pinned};
    s.elements = ELEMENTS;
    s.now = (numbers){2e6, 0.8e6, 1100, 0.03, 0.02, -9.81, 0.3, 0.02, 0.4, -0.05, 0.8, 3};
    return s;
}

static double *number(setting *s, size_t parameter) { return (double *)(void *)&s->now + parameter; }

static cdg_world *make(const setting *s) {
    cdg_rod_def def = cdg_rod_def_default();
    const numbers *n = &s->now;
    def.name = "rod";
    def.model = s->model;
    def.element_count = s->elements;
    def.centerline.line.from = vec3(0, 0, 0);
    def.centerline.line.to = vec3(n->length, 0, 0);
    def.material.young_modulus = n->young_modulus;
    def.material.shear_modulus = n->shear_modulus;
    def.material.density = n->density;
    def.section.kind = CDG_SECTION_RECTANGLE;
    def.section.side[0] = n->width;
    def.section.side[1] = n->thickness;
    small_world small = small_world_make(&def, vec3(0, 0, n->gravity), 0, true);
    cdg_load_def load = cdg_load_def_default();
    load.place = (cdg_place){small.rod, CDG_PLACE_NODE, ELEMENTS};
    load.value = vec3(0, s->is_pinned ? 0 : n->force, 0);
    must(small.world, cdg_world_add_load(small.world, &load, NULL));
    load.place.index = ELEMENTS / 2;
    load.follows = true;
    load.value = vec3(0, n->pull, 0);
    must(small.world, cdg_world_add_load(small.world, &load, NULL));
    load.kind = CDG_LOAD_MOMENT;
    load.follows = false;
    load.value = vec3(n->moment, 0.2 * n->moment, 0);
    must(small.world, cdg_world_add_load(small.world, &load, NULL));
    load = cdg_load_def_default();
    load.kind = CDG_LOAD_WIND;
    load.value = vec3(0.3, n->wind, 0);
    load.fluid_density = 1.2;
    load.drag_coefficient = 1;
    must(small.world, cdg_world_add_load(small.world, &load, NULL));
    cdg_motion motion = {.kind = CDG_MOTION_MOVE, .move = vec3(n->target, 0.01, 0.02), .from = -1, .to = 0};
    cdg_support_def support = {
        .kind = CDG_SUPPORT_PIN, .place = {small.rod, CDG_PLACE_NODE, ELEMENTS}, .motions = &motion, .motion_count = 1};
    if (s->is_pinned) must(small.world, cdg_world_add_support(small.world, &support, NULL));
    return small.world;
}

static cdg_result build(void *user, size_t parameter, double change, cdg_world **out, cdg_error *error) {
    setting s = *(const setting *)user;
    if (s.build_fails != CDG_OK) {
        snprintf(error->message, sizeof error->message, "no such cable");
        return s.build_fails;
    }
    s.elements = ELEMENTS + (change > 0 ? s.more_elements : 0);
    *number(&s, parameter) += change;
    *out = make(&s);
    return CDG_OK;
}

// Every smooth kind of probe, at several places.
static size_t fill_probes(cdg_world *world, cdg_probe *out) {
    size_t count = 0;
    cdg_rod_id rod = cdg_world_rod_at(world, 0);
    static const cdg_probe_kind at_nodes[] = {CDG_PROBE_POSITION, CDG_PROBE_MOMENT, CDG_PROBE_CURVATURE,
                                              CDG_PROBE_TWIST};
    static const cdg_probe_kind at_elements[] = {CDG_PROBE_POSITION, CDG_PROBE_FRAME, CDG_PROBE_TENSION,
                                                 CDG_PROBE_FORCE};
    for (size_t k = 0; k < 4; k++)
        for (size_t i = 3; i < ELEMENTS; i += 4) {
            out[count++] = (cdg_probe){.kind = at_nodes[k], .place = {rod, CDG_PLACE_NODE, i}};
            out[count++] = (cdg_probe){.kind = at_elements[k], .place = {rod, CDG_PLACE_ELEMENT, i}};
        }
    out[count++] = (cdg_probe){.kind = CDG_PROBE_POSITION, .place = {rod, CDG_PLACE_NODE, ELEMENTS}};
    out[count++] = (cdg_probe){.kind = CDG_PROBE_REACTION, .place = {rod, CDG_PLACE_NODE, 0}};
    out[count++] = (cdg_probe){.kind = CDG_PROBE_ENERGY, .place = {.rod = rod}};
    out[count++] = (cdg_probe){.kind = CDG_PROBE_LENGTH, .place = {.rod = rod}};
    return count;
}

static void set_time(void *user, double time) { static_loads_set(user, time); }

// An equilibrium is good to about 1e-9 of the forces, which differences of soft rods would show: Newton's method until
// rounding is left.
static void settle(cdg_world *world) {
    must(world, cdg_world_find_equilibrium(world, NULL));
    cdg_rod *rod = world->rods[0].rod;
    const struct cdg_rod_path_operations *path = rod->model->statics.path;
    double *block = test_malloc(2 * path->size(rod) * sizeof *block);
    static_loads loads;
    assert_true(static_loads_open(&loads, world, 0));
    static_loads_set(&loads, world->time);
    void *memory = path->open(rod, &loads.loads);
    assert_true(path->start(memory));
    cdg_rod_correction found = {.move = INFINITY};
    for (int i = 0; i < 40 && found.move > 1e-15; i++) {
        assert_true(path->solve(memory, set_time, &loads, world->time, 1, block, block + path->size(rod), &found));
        assert_true(path->advance(memory, block));
    }
    assert_true(found.move < 1e-12);
    path->finish(memory);
    cdg_supports_collect(world, 0, world->time);
    path->close(memory);
    static_loads_close(&loads);
    test_free(block);
}

enum { PROBES_MAX = 32 };
typedef double table[PROBES_MAX][CDG_PROBE_COLUMNS_MAX];

// Probes of the equilibrium that is found from `from`, with a parameter changed.
static void solve_at(const setting *s, size_t parameter, double change, const double *from, table out) {
    cdg_world *world = NULL;
    cdg_probe probes[PROBES_MAX];
    cdg_error error;
    assert_int_equal(build((void *)(uintptr_t)s, parameter, change, &world, &error), CDG_OK);
    if (from != NULL) must(world, cdg_world_take_state_over(world, from));
    settle(world);
    size_t count = fill_probes(world, probes);
    for (size_t i = 0; i < count; i++) assert_int_equal(cdg_world_measure(world, &probes[i], out[i]), CDG_OK);
    cdg_world_destroy(world);
}

// Largest difference between gradient and difference of solutions, as a share of the largest of the probe's rates and,
// where those are small, of its value over the parameter's.
static double compare(const setting *s, double *worst_imbalance) {
    cdg_probe probes[PROBES_MAX];
    cdg_world *world = make(s);
    settle(world);
    size_t count = fill_probes(world, probes);
    double *from = test_malloc(cdg_world_snapshot_size(world) * sizeof *from), scales[NUMBERS], worst = 0;
    must(world, cdg_world_snapshot_save(world, from));
    static double out[NUMBERS][PROBES_MAX][CDG_PROBE_COLUMNS_MAX];
    double packed[NUMBERS * PROBES_MAX * CDG_PROBE_COLUMNS_MAX];
    for (size_t p = 0; p < NUMBERS; p++) scales[p] = *number((setting *)(uintptr_t)s, p);
    cdg_gradient_def def = {.build = build,
                            .user = (void *)(uintptr_t)s,
                            .parameter_count = NUMBERS,
                            .scales = scales,
                            .probes = probes,
                            .probe_count = count};
    cdg_gradient_report report;
    must(world, cdg_world_gradient(world, &def, packed, &report));
    *worst_imbalance = report.imbalance;
    for (size_t p = 0; p < NUMBERS; p++)
        memcpy(out[p], packed + p * count * CDG_PROBE_COLUMNS_MAX, count * sizeof out[p][0]);
    for (size_t p = 0; p < NUMBERS; p++) {
        table a, b, c, d, middle;
        double h = 2e-3 * scales[p];
        solve_at(s, p, 0, from, middle);
        solve_at(s, p, -2 * h, from, a), solve_at(s, p, -h, from, b);
        solve_at(s, p, h, from, c), solve_at(s, p, 2 * h, from, d);
        for (size_t i = 0; i < count; i++) {
            double error = 0, size = 0;
            for (size_t k = 0; k < cdg_probe_column_count(probes[i].kind); k++) {
                double difference = (a[i][k] - 8 * b[i][k] + 8 * c[i][k] - d[i][k]) / (12 * h);
                error = fmax(error, fabs(out[p][i][k] - difference));
                size = fmax(size, fmax(fabs(difference), fabs(middle[i][k] / scales[p])));
            }
            if (error > 1e-6 * size)
                print_message("%s, probe %zu (kind %d): %.1e of %g\n", names[p], i, (int)probes[i].kind, error / size,
                              size);
            worst = fmax(worst, error / size);
        }
    }
    test_free(from);
    cdg_world_destroy(world);
    return worst;
}

static void test_against_differences(void **state) {
    (void)state;
    for (int model = 0; model < 2; model++)
        for (int pinned = 0; pinned < 2; pinned++) {
            setting s = setting_make(model == 0 ? CDG_MODEL_DER : CDG_MODEL_GALPHA, pinned == 1);
            double imbalance, worst = compare(&s, &imbalance);
            print_message("%s, %s: %.1e, imbalance %.1e\n", model == 0 ? "der" : "galpha", pinned ? "pinned" : "free",
                          worst, imbalance);
            assert_true(worst < 1e-6 && imbalance < 1e-8);
        }
}

// One column of the tip's position.
static cdg_result tip_rate(const setting *s, size_t parameter, double scale, bool settles, double *out, char *message) {
    cdg_world *world = make(s);
    if (settles) settle(world);
    double scales[NUMBERS], all[NUMBERS][CDG_PROBE_COLUMNS_MAX];
    for (size_t p = 0; p < NUMBERS; p++) scales[p] = 1;
    scales[parameter] = scale;
    cdg_probe probe = {.kind = CDG_PROBE_POSITION, .place = {cdg_world_rod_at(world, 0), CDG_PLACE_NODE, s->elements}};
    cdg_gradient_def def = {.build = build,
                            .user = (void *)(uintptr_t)s,
                            .parameter_count = parameter + 1,
                            .scales = scales,
                            .probes = &probe,
                            .probe_count = 1};
    cdg_result result = cdg_world_gradient(world, &def, all[0], NULL);
    if (result == CDG_OK) *out = all[parameter][2];
    snprintf(message, 512, "%s", cdg_world_message(world));
    cdg_world_destroy(world);
    return result;
}

// The Young modulus is parameter 0, so that nothing but the one asked for is differentiated.
static void test_what_has_no_influence(void **state) {
    (void)state;
    for (int model = 0; model < 2; model++) {
        setting s = setting_make(model == 0 ? CDG_MODEL_DER : CDG_MODEL_GALPHA, false);
        s.now.gravity = s.now.force = s.now.moment = s.now.pull = s.now.wind = 0;
        double rate = 1;
        char message[512];
        assert_int_equal(tip_rate(&s, 0, s.now.young_modulus, true, &rate, message), CDG_OK);
        assert_near(rate * s.now.young_modulus, 0, 1e-9);
    }
}

// The scale says what is small and changes nothing else, even when it is far too large: then changes are made smaller.
static void test_scale(void **state) {
    (void)state;
    setting s = setting_make(CDG_MODEL_DER, false);
    double good, large, little;
    char message[512];
    assert_int_equal(tip_rate(&s, 0, s.now.young_modulus, true, &good, message), CDG_OK);
    assert_int_equal(tip_rate(&s, 0, 100 * s.now.young_modulus, true, &large, message), CDG_OK);
    assert_int_equal(tip_rate(&s, 0, -0.1 * s.now.young_modulus, true, &little, message), CDG_OK);
    assert_true(fabs(good) * s.now.young_modulus > 0.01);
    assert_near(large / good, 1, 1e-6);
    assert_near(little / good, 1, 1e-8);
}

static void test_refusals(void **state) {
    (void)state;
    setting s = setting_make(CDG_MODEL_DER, false);
    double rate;
    char message[512];
    assert_int_equal(tip_rate(&s, 0, 2e6, false, &rate, message), CDG_ERROR_NO_CONVERGENCE);
    assert_non_null(strstr(message, "not in equilibrium"));
    assert_int_equal(tip_rate(&s, 0, 0, true, &rate, message), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(message, "scale"));
    s.more_elements = 1;
    assert_int_equal(tip_rate(&s, 0, 2e6, true, &rate, message), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(message, "changes how many"));
    s.more_elements = 0;
    s.build_fails = CDG_ERROR_SCENE;
    assert_int_equal(tip_rate(&s, 0, 2e6, true, &rate, message), CDG_ERROR_SCENE);
    assert_non_null(strstr(message, "no such cable"));
}

// A rod that nothing holds.
static cdg_result build_free(void *user, size_t parameter, double change, cdg_world **out, cdg_error *error) {
    (void)user, (void)parameter, (void)error;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_GALPHA;
    def.element_count = 6;
    def.material.young_modulus += change;
    *out = small_world_make(&def, vec3(0, 0, 0), 0, false).world;
    return CDG_OK;
}

static void test_free_rod(void **state) {
    (void)state;
    cdg_world *world;
    double scale = 1e6, out[CDG_PROBE_COLUMNS_MAX];
    build_free(NULL, 0, 0, &world, NULL);
    cdg_probe probe = {.kind = CDG_PROBE_LENGTH, .place = {.rod = cdg_world_rod_at(world, 0)}};
    cdg_gradient_def def = {
        .build = build_free, .parameter_count = 1, .scales = &scale, .probes = &probe, .probe_count = 1};
    assert_int_equal(cdg_world_gradient(world, &def, out, NULL), CDG_ERROR_NO_CONVERGENCE);
    assert_non_null(strstr(cdg_world_message(world), "free to move"));
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_differences),
        cmocka_unit_test(test_what_has_no_influence),
        cmocka_unit_test(test_scale),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_free_rod),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
