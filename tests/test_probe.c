// Probes: column counts and titles from the list, and each measurement against the rod's own numbers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "hand_rod.h"
#include "near.h"
#include "small_world.h"

// ---- columns --------------------------------------------------------------------------------------------------------

static void test_column_counts(void **state) {
    (void)state;
    const size_t expected[CDG_PROBE_KIND_COUNT] = {
        [CDG_PROBE_POSITION] = 3,      [CDG_PROBE_VELOCITY] = 3,
        [CDG_PROBE_FRAME] = 4,         [CDG_PROBE_TENSION] = 1,
        [CDG_PROBE_FORCE] = 3,         [CDG_PROBE_MOMENT] = 3,
        [CDG_PROBE_CURVATURE] = 2,     [CDG_PROBE_TWIST] = 1,
        [CDG_PROBE_REACTION] = 6,      [CDG_PROBE_ENERGY] = 7,
        [CDG_PROBE_LENGTH] = 1,        [CDG_PROBE_LINKING] = 1,
        [CDG_PROBE_KNOT] = 1,          [CDG_PROBE_CONTACTS] = 2,
        [CDG_PROBE_CONTACT_FORCE] = 3, [CDG_PROBE_ANGULAR_VELOCITY] = 3,
        [CDG_PROBE_WRITHE] = 3,        [CDG_PROBE_BEND_RADIUS] = 2,
        [CDG_PROBE_VOLUME] = 1,        [CDG_PROBE_STRESS] = 1,
        [CDG_PROBE_TENSION_RANGE] = 4, [CDG_PROBE_MOMENT_RANGE] = 3,
    };
    for (int k = 0; k < CDG_PROBE_KIND_COUNT; k++) {
        assert_int_equal(cdg_probe_column_count((cdg_probe_kind)k), expected[k]);
        assert_in_range(expected[k], 1, CDG_PROBE_COLUMNS_MAX);
    }
    assert_int_equal(cdg_probe_column_count(CDG_PROBE_KIND_COUNT), 0);
}

static void test_titles(void **state) {
    (void)state;
    char title[64];
    assert_int_equal(cdg_probe_column_title(CDG_PROBE_POSITION, "tip", 0, title, sizeof title), 9);
    assert_string_equal(title, "tip_x [m]");
    cdg_probe_column_title(CDG_PROBE_VELOCITY, "tip", 2, title, sizeof title);
    assert_string_equal(title, "tip_z [m/s]");
    cdg_probe_column_title(CDG_PROBE_TENSION, "pull", 0, title, sizeof title); // no suffix: no underscore
    assert_string_equal(title, "pull [N]");
    cdg_probe_column_title(CDG_PROBE_REACTION, "r", 3, title, sizeof title);
    assert_string_equal(title, "r_mx [N*m]");
    cdg_probe_column_title(CDG_PROBE_FRAME, "%s", 0, title, sizeof title);
    assert_string_equal(title, "%s_w [1]");
    cdg_probe_column_title(CDG_PROBE_ENERGY, "e", 6, title, sizeof title);
    assert_string_equal(title, "e_total [J]");
    assert_int_equal(cdg_probe_column_title(CDG_PROBE_TENSION, "pull", 1, title, sizeof title), 0);
    assert_string_equal(title, "");
}

// Every title fits its reported length, is cut and terminated in a smaller place, and no two of a probe are the same.
static void test_titles_of_every_column(void **state) {
    (void)state;
    for (int k = 0; k < CDG_PROBE_KIND_COUNT; k++) {
        cdg_probe_kind kind = (cdg_probe_kind)k;
        char titles[CDG_PROBE_COLUMNS_MAX][64], cut[8];
        for (size_t c = 0; c < cdg_probe_column_count(kind); c++) {
            size_t length = cdg_probe_column_title(kind, "a-name", c, titles[c], sizeof titles[c]);
            assert_int_equal(strlen(titles[c]), length);
            assert_int_equal(titles[c][length - 1], ']');
            assert_null(strpbrk(titles[c], ",:\"\n")); // goes into a CSV header as it is
            for (size_t other = 0; other < c; other++) assert_string_not_equal(titles[c], titles[other]);
            memset(cut, 'x', sizeof cut);
            assert_int_equal(cdg_probe_column_title(kind, "a-name", c, cut, 5), length);
            assert_string_equal(cut, "a-na");
            assert_int_equal(cut[5], 'x');
            assert_int_equal(cdg_probe_column_title(kind, "a-name", c, NULL, 0), length);
        }
    }
}

// ---- measuring ------------------------------------------------------------------------------------------------------

typedef struct fixture {
    cdg_random random;
    world_rod rods[3]; // open, closed, a free place
    world_support supports[3];
    cdg_world world;
    double out[CDG_PROBE_COLUMNS_MAX];
} fixture;

static int make_fixture(void **state) {
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->random.state = 31;
    for (uint32_t i = 0; i < 2; i++) f->rods[i].rod = hand_rod(&f->random, 6, i == 1);
    hand_world(&f->world, f->rods, 3);
    f->world.supports = f->supports;
    f->world.def.gravity = vec3(0, 0, -9.81);
    *state = f;
    return 0;
}

static int free_fixture(void **state) {
    fixture *f = *state;
    for (int i = 0; i < 2; i++) hand_rod_free(f->rods[i].rod);
    free(f);
    return 0;
}

static cdg_result measure(fixture *f, cdg_probe_kind kind, cdg_place place) {
    for (int i = 0; i < CDG_PROBE_COLUMNS_MAX; i++) f->out[i] = 1e30;
    return cdg_world_measure(&f->world, &(cdg_probe){.kind = kind, .place = place}, f->out);
}

static cdg_vec3 out_vec3(const fixture *f, int at) { return vec3(f->out[at], f->out[at + 1], f->out[at + 2]); }

static void test_nodal_values(void **state) {
    fixture *f = *state;
    for (uint32_t r = 0; r < 2; r++) {
        const cdg_rod *rod = f->rods[r].rod;
        for (size_t i = 0; i < rod->node_count; i++) {
            cdg_place place = hand_place(r, CDG_PLACE_NODE, i);
            assert_int_equal(measure(f, CDG_PROBE_POSITION, place), CDG_OK);
            assert_vec3_near(out_vec3(f, 0), rod_vec3(rod->x, i), 0);
            assert_int_equal(measure(f, CDG_PROBE_VELOCITY, place), CDG_OK);
            assert_vec3_near(out_vec3(f, 0), rod_vec3(rod->v, i), 0);
            assert_int_equal(measure(f, CDG_PROBE_MOMENT, place), CDG_OK);
            assert_vec3_near(out_vec3(f, 0), cdg_rod_section_moment(rod, i), 0);
            cdg_vec3 darboux = cdg_rod_darboux(rod, i);
            assert_int_equal(measure(f, CDG_PROBE_CURVATURE, place), CDG_OK);
            bool is_free_end = !rod->is_closed && (i == 0 || i + 1 == rod->node_count); // nothing bends there
            if (is_free_end)
                assert_true(isnan(f->out[0]) && isnan(f->out[1]));
            else
                assert_vec3_near(out_vec3(f, 0), vec3(darboux.x, darboux.y, 0), 0);
            assert_int_equal(measure(f, CDG_PROBE_TWIST, place), CDG_OK);
            assert_true(is_free_end ? isnan(f->out[0]) : f->out[0] == darboux.z);
        }
    }
}

static void test_element_values(void **state) {
    fixture *f = *state;
    for (uint32_t r = 0; r < 2; r++) {
        const cdg_rod *rod = f->rods[r].rod;
        for (size_t j = 0; j < rod->element_count; j++) {
            cdg_place place = hand_place(r, CDG_PLACE_ELEMENT, j);
            size_t next = (j + 1) % rod->node_count;
            assert_int_equal(measure(f, CDG_PROBE_POSITION, place), CDG_OK);
            assert_vec3_near(out_vec3(f, 0), vec3_scale(0.5, vec3_add(rod_vec3(rod->x, j), rod_vec3(rod->x, next))),
                             1e-15);
            assert_int_equal(measure(f, CDG_PROBE_VELOCITY, place), CDG_OK);
            assert_vec3_near(out_vec3(f, 0), vec3_scale(0.5, vec3_add(rod_vec3(rod->v, j), rod_vec3(rod->v, next))),
                             1e-15);
            assert_int_equal(measure(f, CDG_PROBE_FRAME, place), CDG_OK);
            assert_near(quat_dot(quat(f->out[0], f->out[1], f->out[2], f->out[3]), rod_quat(rod->q, j)), 1, 1e-15);
            cdg_vec3 force = cdg_rod_section_force(rod, j);
            assert_int_equal(measure(f, CDG_PROBE_TENSION, place), CDG_OK);
            assert_near(f->out[0], force.z, 0);
            assert_int_equal(measure(f, CDG_PROBE_FORCE, place), CDG_OK);
            assert_vec3_near(out_vec3(f, 0), quat_rotate(rod_quat(rod->q, j), force), 1e-13);
        }
    }
}

static void test_length_and_energy(void **state) {
    fixture *f = *state;
    double sum[7] = {0};
    for (uint32_t r = 0; r < 2; r++) {
        const cdg_rod *rod = f->rods[r].rod;
        double length = 0;
        for (size_t j = 0; j < rod->element_count; j++)
            length += vec3_distance(rod_vec3(rod->x, j), rod_vec3(rod->x, (j + 1) % rod->node_count));
        assert_int_equal(measure(f, CDG_PROBE_LENGTH, hand_place(r, CDG_PLACE_NODE, 0)), CDG_OK);
        assert_near(f->out[0], length, 1e-13);

        cdg_energy e;
        cdg_rod_measure_energy(rod, f->world.def.gravity, &e);
        const double expected[7] = {e.stretch, e.shear, e.bend, e.twist, e.kinetic, e.gravity, e.total};
        assert_int_equal(measure(f, CDG_PROBE_ENERGY, hand_place(r, CDG_PLACE_NODE, 0)), CDG_OK);
        for (int i = 0; i < 7; i++) {
            assert_near(f->out[i], expected[i], 0);
            sum[i] += expected[i];
        }
    }
    assert_int_equal(measure(f, CDG_PROBE_ENERGY, (cdg_place){0}), CDG_OK); // all rods
    for (int i = 0; i < 7; i++) assert_near(f->out[i], sum[i], 1e-12);
}

// The energy probe's columns are the members of cdg_energy by name, in the list's order, without the dissipated and the
// adapted, which are of the world.
static void test_energy_columns_follow_the_list(void **state) {
    (void)state;
    size_t column = 0;
    char title[64], expected[64];
#define CHECK_COLUMN(name, text)                                                                                       \
    if (strcmp(#name, "dissipated") != 0 && strcmp(#name, "adapted") != 0) {                                           \
        snprintf(expected, sizeof expected, "e_%s [J]", #name);                                                        \
        cdg_probe_column_title(CDG_PROBE_ENERGY, "e", column++, title, sizeof title);                                  \
        assert_string_equal(title, expected);                                                                          \
    }
    CDG_ENERGY_LIST(CHECK_COLUMN)
#undef CHECK_COLUMN
    assert_int_equal(column, cdg_probe_column_count(CDG_PROBE_ENERGY));
}

static void test_reaction_sums_the_supports_at_the_node(void **state) {
    fixture *f = *state;
    const size_t nodes[3] = {2, 4, 2};
    for (int i = 0; i < 3; i++) {
        f->supports[i] = (world_support){.def = {.place = hand_place(0, CDG_PLACE_NODE, nodes[i])},
                                         .force = random_vec3(&f->random, 1),
                                         .moment = random_vec3(&f->random, 1)};
        f->world.support_count++;
        hand_chain_support(&f->world);
    }
    assert_int_equal(measure(f, CDG_PROBE_REACTION, hand_place(0, CDG_PLACE_NODE, 2)), CDG_OK);
    assert_vec3_near(out_vec3(f, 0), vec3_add(f->supports[0].force, f->supports[2].force), 1e-15);
    assert_vec3_near(out_vec3(f, 3), vec3_add(f->supports[0].moment, f->supports[2].moment), 1e-15);
    assert_int_equal(measure(f, CDG_PROBE_REACTION, hand_place(0, CDG_PLACE_NODE, 3)), CDG_ERROR_ARGUMENT);
    assert_int_equal(measure(f, CDG_PROBE_REACTION, hand_place(1, CDG_PLACE_NODE, 2)), CDG_ERROR_ARGUMENT);
}

static void test_wrong_places_are_refused(void **state) {
    fixture *f = *state;
    const cdg_probe_kind node_only[] = {CDG_PROBE_MOMENT, CDG_PROBE_CURVATURE, CDG_PROBE_TWIST, CDG_PROBE_REACTION};
    const cdg_probe_kind element_only[] = {CDG_PROBE_FRAME, CDG_PROBE_TENSION, CDG_PROBE_FORCE};
    for (int i = 0; i < 4; i++)
        assert_int_equal(measure(f, node_only[i], hand_place(0, CDG_PLACE_ELEMENT, 1)), CDG_ERROR_ARGUMENT);
    for (int i = 0; i < 3; i++)
        assert_int_equal(measure(f, element_only[i], hand_place(0, CDG_PLACE_NODE, 1)), CDG_ERROR_ARGUMENT);
    assert_int_equal(measure(f, CDG_PROBE_POSITION, hand_place(0, CDG_PLACE_NODE, 6)), CDG_OK);
    assert_int_equal(measure(f, CDG_PROBE_POSITION, hand_place(0, CDG_PLACE_NODE, 7)), CDG_ERROR_ARGUMENT);
    assert_int_equal(measure(f, CDG_PROBE_POSITION, hand_place(1, CDG_PLACE_NODE, 6)), CDG_ERROR_ARGUMENT); // closed
    assert_int_equal(measure(f, CDG_PROBE_TENSION, hand_place(0, CDG_PLACE_ELEMENT, 6)), CDG_ERROR_ARGUMENT);
    assert_int_equal(measure(f, CDG_PROBE_KIND_COUNT, hand_place(0, CDG_PLACE_NODE, 0)), CDG_ERROR_ARGUMENT);
}

static void test_stale_rods_are_noticed(void **state) {
    fixture *f = *state;
    cdg_place stale = hand_place(0, CDG_PLACE_NODE, 0), empty = hand_place(2, CDG_PLACE_NODE, 0);
    stale.rod.generation++;
    for (int k = 0; k < CDG_PROBE_KIND_COUNT; k++) {
        assert_int_equal(measure(f, (cdg_probe_kind)k, stale), CDG_ERROR_STALE);
        assert_int_equal(measure(f, (cdg_probe_kind)k, empty), CDG_ERROR_STALE);
    }
    assert_int_equal(measure(f, CDG_PROBE_LENGTH, (cdg_place){0}), CDG_ERROR_STALE); // only energy means all rods
}

static void test_links_and_knots(void **state) {
    (void)state;
    cdg_world_def world_def = cdg_world_def_default();
    cdg_world *world = NULL;
    cdg_error error;
    assert_int_equal(cdg_world_create(&world_def, &world, &error), CDG_OK);
    const char *const names[] = {"a", "b", "trefoil", "line"};
    cdg_rod_id ids[4];
    for (int k = 0; k < 4; k++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.name = names[k];
        def.rest.kind = CDG_REST_INITIAL;
        def.element_count = 60;
        def.centerline.kind = k < 2 ? CDG_CENTERLINE_CIRCLE : k == 2 ? CDG_CENTERLINE_KNOT : CDG_CENTERLINE_LINE;
        def.centerline.circle.radius = 1;
        def.centerline.circle.center = vec3(k, 0, 0);
        def.centerline.circle.axis = k == 0 ? vec3(0, 0, 1) : vec3(0, 1, 0);
        def.centerline.knot.p = 2, def.centerline.knot.q = 3;
        def.centerline.knot.radius = 1, def.centerline.knot.tube_radius = 0.4;
        def.centerline.knot.axis = vec3(0, 0, 1);
        assert_int_equal(cdg_world_add_rod(world, &def, &ids[k]), CDG_OK);
    }
    double out[CDG_PROBE_COLUMNS_MAX];
    cdg_probe probe = {.kind = CDG_PROBE_LINKING, .place.rod = ids[0], .other = ids[1]};
    assert_int_equal(cdg_world_measure(world, &probe, out), CDG_OK);
    assert_near(fabs(out[0]), 1, 0);
    probe.other = ids[3]; // open
    assert_int_equal(cdg_world_measure(world, &probe, out), CDG_ERROR_ARGUMENT);
    probe.other = (cdg_rod_id){0};
    assert_int_equal(cdg_world_measure(world, &probe, out), CDG_ERROR_STALE);
    const double expected[] = {1, 1, 3, 1};
    for (int k = 0; k < 4; k++) {
        probe = (cdg_probe){.kind = CDG_PROBE_KNOT, .place.rod = ids[k]};
        assert_int_equal(cdg_world_measure(world, &probe, out), CDG_OK);
        assert_near(out[0], expected[k], 0);
    }
    cdg_world_destroy(world);
}

// Over a whole rod: the sharpest bend and where, and twist and writhe with their sum.
static void test_winding_and_bend(void **state) {
    fixture *f = *state;
    for (uint32_t r = 0; r < 2; r++) {
        const cdg_rod *rod = f->rods[r].rod;
        double sharpest = 0, twist = 0;
        size_t where = 0;
        for (size_t i = 0; i < rod->node_count; i++) {
            if (!rod->is_closed && (i == 0 || i + 1 == rod->node_count)) continue;
            cdg_vec3 u = cdg_rod_darboux(rod, i);
            if (hypot(u.x, u.y) > sharpest) sharpest = hypot(u.x, u.y), where = i;
            twist += u.z * rod_cell_length(rod, i) / 6.283185307179586;
        }
        cdg_place place = hand_place(r, CDG_PLACE_NODE, 0);
        assert_int_equal(measure(f, CDG_PROBE_BEND_RADIUS, place), CDG_OK);
        assert_true(fabs(f->out[0] - 1 / sharpest) < 1e-12 * f->out[0] && f->out[1] == (double)where);
        assert_int_equal(measure(f, CDG_PROBE_WRITHE, place), CDG_OK);
        assert_true(fabs(f->out[0] - twist) < 1e-12 * (1 + fabs(twist)));
        assert_true(f->out[1] != 0 && f->out[2] == f->out[0] + f->out[1]);
    }
}

// A ball that lies on the floor, beside a rod that touches nothing: the probe of all counts what the world lists.
static void test_contacts_of_bodies_count(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1e-3, true);
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    floor.shape.offset = -5;
    must(small.world, cdg_world_add_obstacle(small.world, &floor, NULL));
    cdg_body_def ball = cdg_body_def_default();
    ball.shape.position = vec3(0, 1, -4.95);
    must(small.world, cdg_world_add_body(small.world, &ball, NULL));
    small_world_run(&small, 20);
    double out[CDG_PROBE_COLUMNS_MAX] = {0};
    cdg_probe probe = {.kind = CDG_PROBE_CONTACTS};
    must(small.world, cdg_world_measure(small.world, &probe, out));
    assert_true(cdg_world_contact_count(small.world) > 0);
    assert_near(out[0], (double)cdg_world_contact_count(small.world), 0);
    assert_near(out[1], cdg_world_deepest_contact(small.world), 0); // of rods and solids
    probe.place.rod = small.rod;
    must(small.world, cdg_world_measure(small.world, &probe, out));
    assert_near(out[0], 0, 0);
    cdg_world_destroy(small.world);
}

// Of two rods on a floor, the first across the second, each counts the contacts that it takes part in.
static void test_contacts_of_each_rod_count(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER, def.element_count = 8;
    def.centerline.line.from = vec3(-0.2, 0, 6e-3), def.centerline.line.to = vec3(0.2, 0, 6e-3);
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1e-3, false);
    cdg_rod_id low;
    def.name = "low";
    def.centerline.line.from = vec3(0.05, -0.2, 2e-3), def.centerline.line.to = vec3(0.05, 0.2, 2e-3);
    must(small.world, cdg_world_add_rod(small.world, &def, &low));
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    must(small.world, cdg_world_add_obstacle(small.world, &floor, NULL));
    small_world_run(&small, 5);
    size_t expected[2] = {0};
    cdg_rod_id rods[2] = {small.rod, low};
    for (size_t i = 0; i < cdg_world_contact_count(small.world); i++) {
        cdg_contact_info info;
        must(small.world, cdg_world_contact_at(small.world, i, &info));
        for (int r = 0; r < 2; r++)
            expected[r] += info.rod.index1 == rods[r].index1 || info.other.index1 == rods[r].index1;
    }
    assert_true(expected[0] > 0 && expected[1] > expected[0]);
    for (int r = 0; r < 2; r++) {
        double out[CDG_PROBE_COLUMNS_MAX] = {0};
        cdg_probe probe = {.kind = CDG_PROBE_CONTACTS, .place.rod = rods[r]};
        must(small.world, cdg_world_measure(small.world, &probe, out));
        assert_near(out[0], (double)expected[r], 0);
    }
    cdg_world_destroy(small.world);
}

// Along a whole rod: what the probes of its elements and nodes tell, one by one.
static void test_ranges(void **state) {
    fixture *f = *state;
    for (uint32_t r = 0; r < 2; r++) {
        const cdg_rod *rod = f->rods[r].rod;
        double least = INFINITY, most = -INFINITY, sum = 0, length = 0, largest = 0, moments = 0, cells = 0;
        size_t element = 0, node = 0;
        for (size_t j = 0; j < rod->element_count; j++) {
            assert_int_equal(measure(f, CDG_PROBE_TENSION, hand_place(r, CDG_PLACE_ELEMENT, j)), CDG_OK);
            least = fmin(least, f->out[0]);
            if (f->out[0] > most) most = f->out[0], element = j;
            sum += f->out[0] * rod->rest_length[j], length += rod->rest_length[j];
        }
        for (size_t i = 0; i < rod->node_count; i++) {
            assert_int_equal(measure(f, CDG_PROBE_MOMENT, hand_place(r, CDG_PLACE_NODE, i)), CDG_OK);
            double size = sqrt(f->out[0] * f->out[0] + f->out[1] * f->out[1] + f->out[2] * f->out[2]);
            if (size > largest) largest = size, node = i;
            moments += size * rod_cell_length(rod, i), cells += rod_cell_length(rod, i);
        }
        assert_true(most > least && largest > 0);
        assert_int_equal(measure(f, CDG_PROBE_TENSION_RANGE, hand_place(r, CDG_PLACE_NODE, 0)), CDG_OK);
        assert_true(f->out[0] == least && f->out[1] == most && f->out[3] == (double)element);
        assert_true(fabs(f->out[2] - sum / length) < 1e-12 * (fabs(most) + fabs(least)));
        assert_int_equal(measure(f, CDG_PROBE_MOMENT_RANGE, hand_place(r, CDG_PLACE_NODE, 0)), CDG_OK);
        assert_true(fabs(f->out[0] - largest) < 1e-12 * largest && f->out[2] == (double)node);
        assert_true(fabs(f->out[1] - moments / cells) < 1e-12 * largest);
    }
}

// A spinning box in flight: its pose and motion, and energies by the formulas of a rigid body.
static void test_bodies(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    small_world small = small_world_make(&def, vec3(1, -2, -9.81), 1e-3, true);
    cdg_body_def box = cdg_body_def_default();
    box.shape.kind = CDG_SHAPE_BOX, box.shape.size = vec3(0.2, 0.3, 0.4), box.density = 500;
    box.shape.position = vec3(3, 5, 7);
    box.shape.orientation = quat_exp(vec3(0, 0, 0.3));
    box.velocity = vec3(0.1, -0.2, 0.3), box.angular_velocity = vec3(0, 0, 2);
    cdg_body_id id;
    must(small.world, cdg_world_add_body(small.world, &box, &id));
    double out[CDG_PROBE_COLUMNS_MAX] = {0}, mass = 500 * 0.2 * 0.3 * 0.4, spin = mass / 12 * (0.04 + 0.09);
    cdg_probe probe = {.kind = CDG_PROBE_POSITION, .place = cdg_body_whole(id)};
    must(small.world, cdg_world_measure(small.world, &probe, out));
    assert_vec3_near(vec3(out[0], out[1], out[2]), box.shape.position, 1e-15);
    probe.kind = CDG_PROBE_VELOCITY;
    must(small.world, cdg_world_measure(small.world, &probe, out));
    assert_vec3_near(vec3(out[0], out[1], out[2]), box.velocity, 1e-15);
    probe.kind = CDG_PROBE_ANGULAR_VELOCITY;
    must(small.world, cdg_world_measure(small.world, &probe, out));
    assert_vec3_near(vec3(out[0], out[1], out[2]), box.angular_velocity, 1e-14);
    probe.kind = CDG_PROBE_FRAME;
    must(small.world, cdg_world_measure(small.world, &probe, out));
    assert_rotation_near(quat(out[0], out[1], out[2], out[3]), quat(cos(0.15), 0, 0, sin(0.15)), 1e-15);
    probe.kind = CDG_PROBE_ENERGY;
    must(small.world, cdg_world_measure(small.world, &probe, out));
    double kinetic = 0.5 * mass * (0.01 + 0.04 + 0.09) + 0.5 * spin * 4, height = -mass * (3 - 10 - 9.81 * 7);
    assert_true(out[0] == 0 && out[1] == 0 && out[2] == 0 && out[3] == 0);
    assert_near(out[4], kinetic, 1e-12 * kinetic);
    assert_near(out[5], height, 1e-12 * height);
    assert_near(out[6], kinetic + height, 1e-12 * height);
    probe.kind = CDG_PROBE_TENSION;
    assert_int_equal(cdg_world_measure(small.world, &probe, out), CDG_ERROR_ARGUMENT);
    cdg_world_destroy(small.world);
}

// A cantilever that has made itself finer: places are still those of its definition. The middle of an element that was
// halved is a node now, and has what lies on the straight line between the middles of what is beside it, long or short.
static void test_rods_that_adapt(void **state) {
    (void)state;
    enum { ELEMENTS = 8 };
    cdg_rod_def def = cdg_rod_def_default();
    def.element_count = ELEMENTS, def.adapt.is_on = true, def.adapt.angle = 0.1, def.adapt.coarsen = 0.03;
    def.section.radius = 2e-3, def.material.young_modulus = 1e6;
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 2e-3, true);
    small_world_run(&small, 100);
    const cdg_rod *rod = small.world->rods[0].rod;
    double out[CDG_PROBE_COLUMNS_MAX] = {0};
    size_t halved = 0, whole = 0, unequal = 0;
    for (size_t i = 0; i <= ELEMENTS; i++) { // nodes of the definition stay where they are in the material
        cdg_probe probe = {.kind = CDG_PROBE_POSITION, .place = {small.rod, CDG_PLACE_NODE, i}};
        must(small.world, cdg_world_measure(small.world, &probe, out));
        size_t now = 0;
        while (fabs(rod->adapt->arc[now] - (double)i * rod->length / ELEMENTS) > 1e-9)
            assert_true(++now < rod->node_count);
        assert_vec3_near(vec3(out[0], out[1], out[2]), rod_vec3(rod->x, now), 0);
    }
    for (size_t j = 0; j < ELEMENTS; j++) {
        double arc = ((double)j + 0.5) * rod->length / ELEMENTS;
        size_t now = 0;
        while (now < rod->node_count && rod->adapt->arc[now] < arc - 1e-9) now++;
        bool is_node = fabs(rod->adapt->arc[now] - arc) < 1e-9;
        size_t a = now - 1, b = is_node ? now : now - 1; // elements beside the middle, or around it
        is_node ? halved++ : whole++;
        double share = rod->rest_length[a] / (rod->rest_length[a] + rod->rest_length[b]);
        if (fabs(share - 0.5) > 0.1) unequal++;
        cdg_probe probe = {.kind = CDG_PROBE_POSITION, .place = {small.rod, CDG_PLACE_ELEMENT, j}};
        must(small.world, cdg_world_measure(small.world, &probe, out));
        cdg_vec3 middle = is_node ? rod_vec3(rod->x, now) : vec3_lerp(rod_vec3(rod->x, a), rod_vec3(rod->x, now), 0.5);
        assert_vec3_near(vec3(out[0], out[1], out[2]), middle, 1e-15);
        probe.kind = CDG_PROBE_TENSION;
        must(small.world, cdg_world_measure(small.world, &probe, out));
        cdg_vec3 force[2] = {cdg_rod_section_force(rod, a), cdg_rod_section_force(rod, b)};
        assert_near(out[0], (1 - share) * force[0].z + share * force[1].z, 1e-12 * fabs(out[0]));
        probe.kind = CDG_PROBE_FORCE;
        must(small.world, cdg_world_measure(small.world, &probe, out));
        for (int k = 0; k < 2; k++) force[k] = quat_rotate(rod_quat(rod->q, k == 0 ? a : b), force[k]);
        cdg_vec3 mean = vec3_lerp(force[0], force[1], share);
        assert_vec3_near(vec3(out[0], out[1], out[2]), mean, 1e-12 * vec3_norm(mean));
        probe.kind = CDG_PROBE_FRAME; // on the way from one to the other
        must(small.world, cdg_world_measure(small.world, &probe, out));
        cdg_quat turn = quat_multiply(rod_quat(rod->q, b), quat_conjugate(rod_quat(rod->q, a)));
        cdg_quat there = quat_multiply(quat_exp(vec3_scale(share, quat_log(turn))), rod_quat(rod->q, a));
        assert_rotation_near(quat(out[0], out[1], out[2], out[3]), there, 1e-14);
    }
    assert_true(halved > 0 && whole > 0 && unequal > 0);
    cdg_world_destroy(small.world);
}

int main(void) {
#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, make_fixture, free_fixture)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contacts_of_each_rod_count),
        cmocka_unit_test(test_contacts_of_bodies_count),
        cmocka_unit_test(test_column_counts),
        WITH_FIXTURE(test_ranges),
        cmocka_unit_test(test_titles),
        cmocka_unit_test(test_titles_of_every_column),
        cmocka_unit_test(test_energy_columns_follow_the_list),
        WITH_FIXTURE(test_nodal_values),
        WITH_FIXTURE(test_winding_and_bend),
        WITH_FIXTURE(test_element_values),
        WITH_FIXTURE(test_length_and_energy),
        WITH_FIXTURE(test_reaction_sums_the_supports_at_the_node),
        WITH_FIXTURE(test_wrong_places_are_refused),
        WITH_FIXTURE(test_stale_rods_are_noticed),
        cmocka_unit_test(test_links_and_knots),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_rods_that_adapt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
