// Every public function without what it needs: NULL for a world, a definition, a place for the answer. None may crash;
// what can fail says CDG_ERROR_ARGUMENT (or STALE for handles), with a sentence where one can be had; the rest returns
// nothing. Numbers and kinds out of range are test_misuse_values.c's; scripts/check_tests looks that every public
// function is named in one of the two.
#include "misuse_case.h"

static void test_no_world(void **state) {
    (void)state;
    cdg_rod_id rod = {1, 1};
    cdg_body_id body = {1, 1};
    cdg_vec3 vectors[10];
    cdg_quat frames[10];
    double numbers[CDG_PROBE_COLUMNS_MAX];
    REFUSED(cdg_world_add_rod(NULL, &(cdg_rod_def){0}, &rod));
    REFUSED(cdg_world_remove_rod(NULL, rod));
    REFUSED(cdg_rod_get_info(NULL, rod, &(cdg_rod_info){0}));
    REFUSED(cdg_rod_positions(NULL, rod, vectors));
    REFUSED(cdg_rod_velocities(NULL, rod, vectors));
    REFUSED(cdg_rod_angular_velocities(NULL, rod, vectors));
    REFUSED(cdg_rod_frames(NULL, rod, frames));
    REFUSED(cdg_rod_forces(NULL, rod, vectors));
    REFUSED(cdg_rod_moments(NULL, rod, vectors));
    REFUSED(cdg_rod_radii(NULL, rod, numbers));
    REFUSED(cdg_rod_arc_lengths(NULL, rod, numbers));
    REFUSED(cdg_rod_levels(NULL, rod, (uint8_t[1]){0}));
    HARMLESS(cdg_rod_node_capacity(NULL, rod));
    HARMLESS(cdg_adapt_options_default());
    REFUSED(cdg_rod_sections(NULL, rod, &(cdg_section){0}));
    REFUSED(cdg_rod_set_state(NULL, rod, NULL, NULL, NULL, NULL));
    REFUSED(cdg_rod_energy(NULL, rod, &(cdg_energy){0}));
    REFUSED(cdg_rod_contact_force(NULL, rod, vectors, NULL));
    REFUSED(cdg_rod_find_modes(NULL, rod, 1, numbers, NULL));
    REFUSED(cdg_world_add_support(NULL, &(cdg_support_def){0}, NULL));
    REFUSED(cdg_support_reaction(NULL, (cdg_support_id){1, 1}, NULL, NULL));
    size_t count;
    REFUSED(cdg_world_check_equilibrium(NULL));
    REFUSED(cdg_world_contacts(NULL, NULL, 0, &count));
    HARMLESS(cdg_world_energy_balance(NULL));
    REFUSED(cdg_support_set_pose(NULL, (cdg_support_id){1, 1}, NULL, NULL));
    REFUSED(cdg_world_remove_support(NULL, (cdg_support_id){1, 1}));
    REFUSED(cdg_load_change(NULL, (cdg_load_id){1, 1}, &(cdg_load_def){0}));
    REFUSED(cdg_world_remove_load(NULL, (cdg_load_id){1, 1}));
    REFUSED(cdg_rod_set_forces(NULL, rod, NULL, NULL));
    REFUSED(cdg_world_set_gravity(NULL, (cdg_vec3){0, 0, 0}));
    REFUSED(cdg_world_add_grip(NULL, &(cdg_grip_def){0}, &(cdg_grip_id){0}));
    REFUSED(cdg_grip_move(NULL, (cdg_grip_id){1, 1}, NULL));
    REFUSED(cdg_grip_twist(NULL, (cdg_grip_id){1, 1}, 0));
    REFUSED(cdg_grip_get(NULL, (cdg_grip_id){1, 1}, NULL, NULL));
    REFUSED(cdg_world_remove_grip(NULL, (cdg_grip_id){1, 1}));
    REFUSED(cdg_world_add_lead(NULL, &(cdg_lead_def){0}));
    REFUSED(cdg_rod_cut(NULL, (cdg_place){0}, &(cdg_cut_report){0}));
    REFUSED(cdg_world_plan_cut(NULL, (cdg_place){0}, 1));
    assert_int_equal(cdg_world_cut_count(NULL), 0);
    // places of nothing are made, and refused by whoever is given one
    assert_int_equal(cdg_rod_node((cdg_rod_id){0}, 3).rod.index1, 0);
    assert_int_equal(cdg_rod_along((cdg_rod_id){0}, 3, NAN).index, 3);
    assert_int_equal(cdg_body_whole((cdg_body_id){0}).kind, CDG_PLACE_WHOLE);
    assert_int_equal(cdg_body_point((cdg_body_id){0}, (cdg_vec3){0, 0, 0}).kind, CDG_PLACE_POINT);
    assert_int_equal(cdg_solid_whole((cdg_solid_id){0}).kind, CDG_PLACE_WHOLE);
    assert_int_equal(cdg_solid_point((cdg_solid_id){0}, (cdg_vec3){0, 0, 0}).kind, CDG_PLACE_POINT);
    assert_int_equal(cdg_solid_node((cdg_solid_id){0}, SIZE_MAX).index == SIZE_MAX, true);
    REFUSED(cdg_world_restore_cuts(NULL, &(double){0}));
    REFUSED(cdg_obstacle_set_pose(NULL, (cdg_obstacle_id){1, 1}, NULL, NULL));
    REFUSED(cdg_world_add_joint(NULL, &(cdg_joint_def){0}, NULL));
    REFUSED(cdg_world_add_load(NULL, &(cdg_load_def){0}, NULL));
    REFUSED(cdg_world_step(NULL, NULL));
    REFUSED(cdg_world_set_step_size(NULL, 1));
    REFUSED(cdg_world_find_equilibrium(NULL, NULL));
    REFUSED(cdg_world_follow_path(NULL, &(cdg_path_def){0}, NULL));
    REFUSED(cdg_world_gradient(NULL, &(cdg_gradient_def){0}, numbers, NULL));
    REFUSED(cdg_world_measure(NULL, &(cdg_probe){0}, numbers));
    REFUSED(cdg_world_snapshot_save(NULL, numbers));
    REFUSED(cdg_world_snapshot_load(NULL, numbers));
    REFUSED(cdg_world_snapshot_check(NULL, numbers));
    REFUSED(cdg_world_set_contact(NULL, &(cdg_contact_def){0}));
    REFUSED(cdg_world_check_contact(NULL));
    REFUSED(cdg_world_contact_at(NULL, 0, &(cdg_contact_info){0}));
    REFUSED(cdg_world_add_obstacle(NULL, &(cdg_obstacle_def){0}, NULL));
    REFUSED(cdg_obstacle_get_info(NULL, (cdg_obstacle_id){1, 1}, &(cdg_obstacle_info){0}));
    REFUSED(cdg_obstacle_get_pose(NULL, (cdg_obstacle_id){1, 1}, NULL, NULL));
    REFUSED(cdg_world_add_body(NULL, &(cdg_body_def){0}, NULL));
    REFUSED(cdg_body_get_info(NULL, body, &(cdg_body_info){0}));
    REFUSED(cdg_body_get_state(NULL, body, &(cdg_body_state){0}));
    REFUSED(cdg_body_set_state(NULL, body, &(cdg_body_state){0}));
    REFUSED(cdg_body_energy(NULL, body, NULL, NULL));
    REFUSED(cdg_world_add_weld(NULL, &(cdg_weld_def){0}, NULL));
    REFUSED(cdg_weld_reaction(NULL, (cdg_weld_id){1, 1}, NULL, NULL));
    REFUSED(cdg_solid_contact_force(NULL, (cdg_solid_id){1, 1}, &(cdg_vec3){0}, NULL));
    REFUSED(cdg_world_add_tie(NULL, &(cdg_tie_def){0}, NULL));
    REFUSED(cdg_tie_reaction(NULL, (cdg_tie_id){1, 1}, NULL, NULL));
    assert_int_equal(cdg_world_tie_count(NULL), 0);
    REFUSED(cdg_world_add_structure(NULL, &(cdg_structure_def){0}));
    REFUSED(cdg_world_add_strands(NULL, &(cdg_strands){0}, &rod));
    assert_true(strlen(cdg_world_message(NULL)) > 0);
    assert_true(cdg_world_rod_count(NULL) == 0 && cdg_world_body_count(NULL) == 0 && cdg_world_weld_count(NULL) == 0);
    assert_true(cdg_world_obstacle_count(NULL) == 0 && cdg_world_contact_count(NULL) == 0);
    assert_true(cdg_world_rod_at(NULL, 0).index1 == 0 && cdg_world_body_at(NULL, 0).index1 == 0);
    assert_true(cdg_world_obstacle_at(NULL, 0).index1 == 0 && cdg_world_find_rod(NULL, "a").index1 == 0);
    assert_true(cdg_world_find_body(NULL, "a").index1 == 0 && cdg_world_find_obstacle(NULL, "a").index1 == 0);
    assert_true(cdg_world_time(NULL) == 0 && cdg_world_step_index(NULL) == 0 && cdg_world_step_size(NULL) == 0);
    assert_true(cdg_world_largest_turn(NULL) == 0 && cdg_world_deepest_contact(NULL) == 0);
    assert_true(cdg_world_snapshot_size(NULL) == 0 && cdg_world_memory(NULL) == 0);
    assert_true(cdg_world_energy(NULL).total == 0 && cdg_world_contact(NULL).choice == CDG_CONTACT_OFF);
    assert_true(cdg_world_advice(NULL).step == 0);
    misuses += 22;
    cdg_vec3 linear = {1, 1, 1}, angular = {1, 1, 1};
    HARMLESS((cdg_world_momentum(NULL, &linear, &angular), 0));
    assert_true(linear.x == 0 && angular.z == 0);
    HARMLESS((cdg_world_destroy(NULL), cdg_scene_destroy(NULL), 0));
    HARMLESS((cdg_structure_destroy(NULL), cdg_strands_destroy(NULL), cdg_fiber_placer_destroy(NULL), 0));
}

static void test_no_definition_or_place_for_the_answer(void **state) {
    fixture *f = *state;
    cdg_world_def world = cdg_world_def_default();
    cdg_world *made = NULL;
    REFUSED_WITH_ERROR(cdg_world_create(NULL, &made, &f->error));
    REFUSED_WITH_ERROR(cdg_world_create(&world, NULL, &f->error));
    REFUSED(cdg_world_create(NULL, NULL, NULL));
    REFUSED_BY_WORLD(cdg_world_add_rod(f->world, NULL, NULL));
    REFUSED_BY_WORLD(cdg_world_add_support(f->world, NULL, NULL));
    REFUSED_BY_WORLD(cdg_world_add_joint(f->world, NULL, NULL));
    REFUSED_BY_WORLD(cdg_world_add_load(f->world, NULL, NULL));
    REFUSED_BY_WORLD(cdg_world_add_body(f->world, NULL, NULL));
    REFUSED_BY_WORLD(cdg_world_add_obstacle(f->world, NULL, NULL));
    REFUSED_BY_WORLD(cdg_world_add_weld(f->world, NULL, NULL));
    REFUSED_BY_WORLD(cdg_world_add_tie(f->world, NULL, NULL));
    REFUSED_BY_WORLD(cdg_world_add_structure(f->world, NULL));
    REFUSED_BY_WORLD(cdg_world_add_strands(f->world, NULL, NULL));
    REFUSED_BY_WORLD(cdg_world_set_contact(f->world, NULL));
    REFUSED_BY_WORLD(cdg_world_follow_path(f->world, NULL, NULL));
    REFUSED_BY_WORLD(cdg_world_gradient(f->world, NULL, NULL, NULL));
    REFUSED_BY_WORLD(cdg_world_gradient(f->world, &(cdg_gradient_def){0}, NULL, NULL));
    REFUSED_BY_WORLD(cdg_world_snapshot_load(f->world, NULL));
    REFUSED_BY_WORLD(cdg_world_snapshot_check(f->world, NULL));
    REFUSED_BY_WORLD(cdg_body_set_state(f->world, f->body, NULL));
    REFUSED_BY_WORLD(cdg_rod_find_modes(f->world, f->rod, 3, NULL, NULL));
    REFUSED(cdg_world_snapshot_save(f->world, NULL));
    REFUSED(cdg_rod_get_info(f->world, f->rod, NULL));
    REFUSED(cdg_rod_positions(f->world, f->rod, NULL));
    REFUSED(cdg_rod_velocities(f->world, f->rod, NULL));
    REFUSED(cdg_rod_angular_velocities(f->world, f->rod, NULL));
    REFUSED(cdg_rod_frames(f->world, f->rod, NULL));
    REFUSED(cdg_rod_forces(f->world, f->rod, NULL));
    REFUSED(cdg_rod_moments(f->world, f->rod, NULL));
    REFUSED(cdg_rod_radii(f->world, f->rod, NULL));
    REFUSED(cdg_rod_arc_lengths(f->world, f->rod, NULL));
    REFUSED(cdg_rod_levels(f->world, f->rod, NULL));
    HARMLESS(cdg_rod_node_capacity(f->world, (cdg_rod_id){0}));
    REFUSED(cdg_rod_sections(f->world, f->rod, NULL));
    REFUSED(cdg_rod_energy(f->world, f->rod, NULL));
    REFUSED(cdg_rod_contact_force(f->world, f->rod, NULL, NULL));
    REFUSED(cdg_world_contact_at(f->world, 0, NULL));
    REFUSED(cdg_body_get_info(f->world, f->body, NULL));
    REFUSED(cdg_body_get_state(f->world, f->body, NULL));
    assert_int_equal(cdg_body_energy(f->world, f->body, NULL, NULL), CDG_OK);
    REFUSED(cdg_obstacle_get_info(f->world, (cdg_obstacle_id){1, 1}, NULL));
    REFUSED(cdg_world_measure(f->world, NULL, (double[CDG_PROBE_COLUMNS_MAX]){0}));
    REFUSED(cdg_world_measure(f->world, &(cdg_probe){.place = {f->rod, CDG_PLACE_NODE, 0}}, NULL));
    HARMLESS((cdg_world_momentum(f->world, NULL, NULL), 0));
    assert_true(cdg_world_find_rod(f->world, NULL).index1 == 0 && cdg_world_find_body(f->world, NULL).index1 == 0);
    assert_true(cdg_world_find_obstacle(f->world, NULL).index1 == 0);
    assert_true(cdg_world_rod_at(f->world, SIZE_MAX).index1 == 0 && cdg_world_body_at(f->world, 5).index1 == 0);
    misuses += 5;
}

static void test_shapes(void **state) {
    fixture *f = *state;
    cdg_centerline curve = cdg_centerline_default();
    cdg_section section = cdg_section_default();
    cdg_material material = cdg_material_default();
    cdg_vec3 points[4];
    double length;
    size_t count;
    cdg_section_properties properties;
    cdg_stiffness stiffness;
    REFUSED_WITH_ERROR(cdg_centerline_sample(NULL, 3, points, &f->error));
    REFUSED_WITH_ERROR(cdg_centerline_sample(&curve, 3, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_centerline_sample(&curve, 0, points, &f->error));
    REFUSED_WITH_ERROR(cdg_centerline_length(NULL, &length, &f->error));
    REFUSED_WITH_ERROR(cdg_centerline_length(&curve, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_centerline_least_elements(NULL, &count, &f->error));
    REFUSED_WITH_ERROR(cdg_centerline_least_elements(&curve, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_section_compute(NULL, 0.3, &properties, &f->error));
    REFUSED_WITH_ERROR(cdg_section_compute(&section, 0.3, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_stiffness_compute(NULL, &section, &stiffness, &f->error));
    REFUSED_WITH_ERROR(cdg_stiffness_compute(&material, NULL, &stiffness, &f->error));
    REFUSED_WITH_ERROR(cdg_stiffness_compute(&material, &section, NULL, &f->error));
    assert_false(cdg_centerline_is_closed(NULL));
    HARMLESS(cdg_section_interpolate(NULL, &section, 0.5));
    HARMLESS(cdg_section_interpolate(&section, NULL, 0.5));
    for (int kind = -1; kind < 99; kind += 50) { // and 49
        if (kind >= 0 && kind < CDG_CENTERLINE_KIND_COUNT) continue;
        curve.kind = (cdg_centerline_kind)kind;
        REFUSED_WITH_ERROR(cdg_centerline_length(&curve, &length, &f->error));
        REFUSED_WITH_ERROR(cdg_centerline_sample(&curve, 3, points, &f->error));
        section.kind = (cdg_section_kind)kind;
        REFUSED_WITH_ERROR(cdg_section_compute(&section, 0.3, &properties, &f->error));
        HARMLESS(cdg_result_text((cdg_result)kind));
        HARMLESS(cdg_probe_column_count((cdg_probe_kind)kind));
        HARMLESS(cdg_probe_column_title((cdg_probe_kind)kind, "a", 0, NULL, 0));
    }
    char title[10];
    HARMLESS(cdg_probe_column_title(CDG_PROBE_POSITION, NULL, 0, title, sizeof title));
    HARMLESS(cdg_probe_column_title(CDG_PROBE_POSITION, "a", 0, NULL, 10));
    HARMLESS(cdg_probe_column_title(CDG_PROBE_POSITION, "a", SIZE_MAX, title, sizeof title));
    curve = cdg_centerline_default();
    for (int kind = CDG_CENTERLINE_POLYLINE; kind <= CDG_CENTERLINE_SPLINE; kind++) {
        curve.kind = (cdg_centerline_kind)kind;
        curve.points.points = NULL;
        for (size_t n = 0; n < 6; n += 5) {
            curve.points.count = n;
            REFUSED_WITH_ERROR(cdg_centerline_length(&curve, &length, &f->error));
        }
        for (int i = 0; i < BAD_NUMBERS; i++) {
            cdg_vec3 bad[3] = {{0}, {1, bad_numbers[i], 0}, {2, 0, 0}};
            curve.points.points = bad;
            curve.points.count = 3;
            REFUSED_WITH_ERROR(cdg_centerline_length(&curve, &length, &f->error));
        }
    }
    curve.kind = CDG_CENTERLINE_TIED;
    curve.tied.knot = CDG_TIED_SQUARE;
    curve.tied.radius = 0.01;
    curve.tied.through = NULL;
    curve.tied.through_count = 4;
    REFUSED_WITH_ERROR(cdg_centerline_length(&curve, &length, &f->error));
    curve.tied.knot = (cdg_tied_knot)99;
    REFUSED_WITH_ERROR(cdg_centerline_length(&curve, &length, &f->error));
}

static void test_scenes_and_runs(void **state) {
    fixture *f = *state;
    cdg_scene *scene = NULL;
    const char *const overrides[] = {"a=b", NULL};
    const char text[] = "cordage: 1\n";
    REFUSED_WITH_ERROR(cdg_scene_load(NULL, NULL, 0, &scene, &f->error));
    REFUSED_WITH_ERROR(cdg_scene_load("none.yaml", NULL, 0, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_scene_parse(NULL, 5, "a", NULL, NULL, 0, &scene, &f->error));
    REFUSED_WITH_ERROR(cdg_scene_parse(text, 11, NULL, NULL, NULL, 0, &scene, &f->error));
    REFUSED_WITH_ERROR(cdg_scene_parse(text, 11, "a", NULL, NULL, 0, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_scene_parse(text, 11, "a", NULL, NULL, 2, &scene, &f->error));
    REFUSED_WITH_ERROR(cdg_scene_parse(text, 11, "a", NULL, overrides, 2, &scene, &f->error));
    assert_null(scene);
    cdg_world *world = f->world;
    REFUSED_WITH_ERROR(cdg_scene_build(NULL, 1, &world, &f->error));
    assert_null(world); // an answer that is not there is none
    assert_int_equal(cdg_scene_parse(text, 11, "a", NULL, NULL, 0, &scene, NULL), CDG_ERROR_SCENE);
    assert_int_equal(cdg_scene_build(scene, 1, &world, NULL), CDG_ERROR_SCENE);
    REFUSED_WITH_ERROR(cdg_scene_build(scene, 1, NULL, &f->error));
    assert_int_equal(cdg_scene_diagnostic_count(NULL), 0);
    assert_string_equal(cdg_scene_diagnostic(NULL, 0).text, "");
    assert_string_equal(cdg_scene_diagnostic(scene, SIZE_MAX).text, "");
    char line[20] = "x";
    assert_int_equal(cdg_scene_format_diagnostic(NULL, 0, line, sizeof line), 0);
    assert_string_equal(line, "");
    assert_int_equal(cdg_scene_format_diagnostic(scene, SIZE_MAX, line, sizeof line), 0);
    assert_true(cdg_scene_format_diagnostic(scene, 0, NULL, 10) > 0);
    HARMLESS(cdg_scene_reference(NULL, 100));
    HARMLESS(cdg_scene_reference(line, 1));
    double number;
    REFUSED_WITH_ERROR(cdg_quantity_read(NULL, "m", &number, &f->error));
    REFUSED_WITH_ERROR(cdg_quantity_read("1 m", NULL, &number, &f->error));
    REFUSED_WITH_ERROR(cdg_quantity_read("1 m", "m", NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_quantity_read("1 m", "", &number, &f->error));
    REFUSED_WITH_ERROR(cdg_scene_extend(NULL, NULL, 0, 0, f->world, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_scene_extend(scene, NULL, 0, 0, NULL, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_scene_extend(scene, NULL, 1, 0, f->world, NULL, &f->error));
    assert_int_equal(cdg_scene_extend(scene, NULL, 0, 0, f->world, NULL, NULL), CDG_ERROR_SCENE);
    REFUSED_WITH_ERROR(cdg_scene_extend_solid(NULL, f->world, (cdg_solid_id){1, 1}, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_scene_extend_solid(scene, NULL, (cdg_solid_id){1, 1}, NULL, &f->error));
    assert_int_equal(cdg_scene_extend_solid(scene, f->world, (cdg_solid_id){1, 1}, NULL, NULL), CDG_ERROR_SCENE);
    cdg_scene_times times;
    cdg_probe probe;
    REFUSED(cdg_scene_get_times(NULL, &times));
    REFUSED(cdg_scene_get_times(scene, &times)); // has errors
    assert_int_equal(cdg_scene_probe_count(NULL), 0);
    REFUSED(cdg_scene_probe(NULL, f->world, NULL, 0, 0, NULL, &probe));
    REFUSED(cdg_scene_probe(scene, f->world, NULL, 0, 0, NULL, &probe));
    misuses += 9;
    REFUSED_WITH_ERROR(cdg_run(NULL, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_run(&(cdg_run_def){.directory = "misuse"}, NULL, &f->error));
    REFUSED_WITH_ERROR(cdg_run(&(cdg_run_def){.scene = scene}, NULL, &f->error));
    assert_int_equal(cdg_run(&(cdg_run_def){.scene = scene, .directory = "misuse"}, NULL, NULL), CDG_ERROR_SCENE);
    double step;
    REFUSED_WITH_ERROR(cdg_run_step(NULL, f->world, &step, &f->error));
    REFUSED_WITH_ERROR(cdg_run_step(scene, f->world, &step, &f->error)); // has errors
    REFUSED_WITH_ERROR(cdg_run_step(scene, NULL, &step, &f->error));
    cdg_scene_destroy(scene);
}

static void test_history(void **state) {
    fixture *f = *state;
    cdg_history *history = (cdg_history *)(void *)f;
    cdg_history_info info;
    cdg_history_rod rod;
    cdg_vec3 x;
    cdg_quat q;
    double number;
    size_t count;
    REFUSED_WITH_ERROR(cdg_history_open(NULL, &history, &f->error));
    REFUSED_WITH_ERROR(cdg_history_open("nowhere", NULL, &f->error));
    assert_int_equal(cdg_history_open("nowhere", &history, NULL), CDG_ERROR_IO);
    assert_null(history);
    cdg_history_close(NULL);
    REFUSED(cdg_history_get_info(NULL, &info));
    REFUSED(cdg_history_rod_at(NULL, 0, &rod));
    REFUSED_WITH_ERROR(cdg_history_read(NULL, 0, 0, "positions", &number, 1, &f->error));
    REFUSED_WITH_ERROR(cdg_history_counts(NULL, 0, 0, &count, &count, &f->error));
    REFUSED_WITH_ERROR(cdg_history_arc_lengths(NULL, 0, 0, &number, 1, &f->error));
    REFUSED_WITH_ERROR(cdg_history_sample(NULL, 0, 0, "positions", &number, 1, &number, 1, &f->error));
    REFUSED_WITH_ERROR(cdg_history_energy(NULL, "total", &number, &f->error));
    assert_string_equal(cdg_history_body_name(NULL, 0), "");
    REFUSED_WITH_ERROR(cdg_history_body(NULL, 0, 0, &x, &q, &f->error));
    REFUSED_WITH_ERROR(cdg_history_contact_count(NULL, 0, &count, &f->error));
    REFUSED_WITH_ERROR(cdg_history_modes(NULL, 0, &number, NULL, &f->error));
    misuses += 3;
}

static void test_views_and_rest(void **state) {
    fixture *f = *state;
    cdg_state_view view;
    cdg_field_shape shape;
    cdg_vec3 x, many[6];
    cdg_quat q;
    double number;
    REFUSED(cdg_rod_view(NULL, f->rod, CDG_STATE_POSITIONS, &view));
    REFUSED(cdg_rod_view(f->world, f->rod, CDG_STATE_POSITIONS, NULL));
    REFUSED(cdg_rod_view(f->world, f->rod, (cdg_state_kind)99, &view));
    STALE(cdg_rod_view(f->world, (cdg_rod_id){0}, CDG_STATE_POSITIONS, &view));
    assert_true(cdg_field_shape_count() > 0);
    REFUSED(cdg_field_shape_at(SIZE_MAX, &shape));
    REFUSED(cdg_field_shape_at(0, NULL));
    REFUSED(cdg_rod_measure_field(NULL, f->rod, "positions", &number, 1));
    REFUSED(cdg_rod_measure_field(f->world, f->rod, NULL, &number, 1));
    REFUSED(cdg_rod_measure_field(f->world, f->rod, "positions", NULL, 1));
    STALE(cdg_rod_measure_field(f->world, (cdg_rod_id){9, 9}, "positions", &number, 1));
    REFUSED(cdg_support_get_pose(NULL, (cdg_support_id){1, 1}, &x, &q));
    REFUSED(cdg_support_get_pose(f->world, (cdg_support_id){1, 1}, NULL, &q));
    STALE(cdg_support_get_pose(f->world, (cdg_support_id){1, 1}, &x, &q));
    cdg_support_info info;
    assert_int_equal(cdg_world_support_count(NULL), 0);
    assert_int_equal(cdg_world_support_at(NULL, 0).index1, 0);
    assert_int_equal(cdg_world_support_at(f->world, SIZE_MAX).index1, 0);
    REFUSED(cdg_support_get_info(NULL, (cdg_support_id){1, 1}, &info));
    STALE(cdg_support_get_info(f->world, (cdg_support_id){1, 1}, &info));
    REFUSED(cdg_support_put(NULL, (cdg_support_id){1, 1}, (cdg_vec3){0}, (cdg_quat){1, 0, 0, 0}));
    STALE(cdg_support_put(f->world, (cdg_support_id){1, 1}, (cdg_vec3){0}, (cdg_quat){1, 0, 0, 0}));
    REFUSED(cdg_obstacle_put(NULL, (cdg_obstacle_id){1, 1}, (cdg_vec3){0}, (cdg_quat){1, 0, 0, 0}));
    STALE(cdg_obstacle_put(f->world, (cdg_obstacle_id){1, 1}, (cdg_vec3){0}, (cdg_quat){1, 0, 0, 0}));
    assert_true(cdg_world_gravity(NULL).z == 0);
    REFUSED(cdg_rod_get_forces(NULL, f->rod, many, many));
    REFUSED(cdg_rod_get_forces(f->world, f->rod, NULL, many));
    STALE(cdg_rod_get_forces(f->world, (cdg_rod_id){0}, many, many));
    misuses += 4;
    REFUSED(cdg_rod_set_rest_curvature(NULL, f->rod, NULL));
    STALE(cdg_rod_set_rest_curvature(f->world, (cdg_rod_id){0}, NULL));
    REFUSED(cdg_rod_rest_curvature(NULL, f->rod, many));
    REFUSED(cdg_rod_rest_curvature(f->world, f->rod, NULL));
    STALE(cdg_rod_rest_curvature(f->world, (cdg_rod_id){0}, many));
    REFUSED(cdg_rod_set_rest_length(NULL, f->rod, 1));
    REFUSED(cdg_rod_set_rest_length(f->world, f->rod, -1));
    STALE(cdg_rod_set_rest_length(f->world, (cdg_rod_id){0}, 1));
    REFUSED(cdg_obstacle_set_friction(NULL, (cdg_obstacle_id){1, 1}, 0));
    STALE(cdg_obstacle_set_friction(f->world, (cdg_obstacle_id){1, 1}, 0));
    REFUSED(cdg_body_set_friction(NULL, f->body, 0));
    REFUSED(cdg_body_set_friction(f->world, f->body, NAN));
    STALE(cdg_body_set_friction(f->world, (cdg_body_id){5, 5}, 0));
}

static void test_strands_and_structures(void **state) {
    fixture *f = *state;
    cdg_strands_def def = cdg_strands_def_default();
    cdg_strands *strands = NULL;
    def.name = "hair";
    REFUSED_WITH_ERROR(cdg_strands_expand(NULL, &strands, &f->error));
    REFUSED_WITH_ERROR(cdg_strands_expand(&def, NULL, &f->error));
    cdg_strands_def bad = def;
    bad.name = NULL;
    REFUSED_WITH_ERROR(cdg_strands_expand(&bad, &strands, &f->error));
    bad = def;
    bad.roots.kind = (cdg_patch_kind)99;
    REFUSED_WITH_ERROR(cdg_strands_expand(&bad, &strands, &f->error));
    bad = def;
    bad.roots = (cdg_patch){.kind = CDG_PATCH_MESH, .vertex_count = 3, .triangle_count = 1};
    REFUSED_WITH_ERROR(cdg_strands_expand(&bad, &strands, &f->error));
    const cdg_vec3 corners[3] = {{0}, {1, 0, 0}, {0, 1, 0}};
    const uint32_t triangle[1][3] = {{0, 1, 77}};
    bad.roots.vertices = corners;
    REFUSED_WITH_ERROR(cdg_strands_expand(&bad, &strands, &f->error));
    bad.roots.triangles = triangle;
    REFUSED_WITH_ERROR(cdg_strands_expand(&bad, &strands, &f->error));
    double *const numbers[] = {&bad.length, &bad.curl_radius, &bad.frizz};
    for (size_t k = 0; k < 3; k++)
        for (int i = 0; i < BAD_NUMBERS; i++) {
            bad = def;
            *numbers[k] = bad_numbers[i];
            REFUSED_WITH_ERROR(cdg_strands_expand(&bad, &strands, &f->error));
        }
    assert_null(strands);
    assert_int_equal(cdg_strands_expand(&def, &strands, &f->error), CDG_OK);
    REFUSED_BY_WORLD(cdg_world_add_strands(f->world, strands, NULL));

    const cdg_fibers *fibers = &strands->fibers;
    size_t nodes = fibers->node_count, guides = fibers->guide_count;
    cdg_vec3 *places = calloc(nodes, sizeof *places);
    cdg_quat *frames = calloc(nodes, sizeof *frames);
    const cdg_vec3 **positions = calloc(guides, sizeof *positions);
    const cdg_quat **turns = calloc(guides, sizeof *turns);
    cdg_fiber_placer *placer = NULL;
    for (size_t i = 0; i < nodes; i++) places[i].z = (double)i, frames[i].w = 1;
    REFUSED_WITH_ERROR(cdg_fiber_placer_create(fibers, positions, turns, &placer, &f->error)); // arrays of NULL
    for (size_t g = 0; g < guides; g++) positions[g] = places, turns[g] = frames;
    REFUSED_WITH_ERROR(cdg_fiber_placer_create(NULL, positions, turns, &placer, &f->error));
    REFUSED_WITH_ERROR(cdg_fiber_placer_create(fibers, NULL, turns, &placer, &f->error));
    REFUSED_WITH_ERROR(cdg_fiber_placer_create(fibers, positions, NULL, &placer, &f->error));
    REFUSED_WITH_ERROR(cdg_fiber_placer_create(fibers, positions, turns, NULL, &f->error));
    cdg_fibers broken = *fibers;
    broken.fiber_count = broken.fiber_count > 0 ? broken.fiber_count : 1;
    broken.weights = NULL;
    REFUSED_WITH_ERROR(cdg_fiber_placer_create(&broken, positions, turns, &placer, &f->error));
    assert_int_equal(cdg_fiber_placer_create(fibers, positions, turns, &placer, &f->error), CDG_OK);
    HARMLESS((cdg_fiber_placer_move(NULL, positions, turns), 0));
    HARMLESS((cdg_fiber_placer_move(placer, NULL, turns), 0));
    HARMLESS((cdg_fiber_placer_move(placer, positions, NULL), 0));
    HARMLESS((cdg_fiber_placer_read(NULL, 0, places), 0));
    HARMLESS((cdg_fiber_placer_read(placer, 0, NULL), 0));
    HARMLESS((cdg_fiber_placer_read(placer, SIZE_MAX, places), 0));
    assert_int_equal(cdg_fiber_node_count(NULL, 0), 0);
    assert_int_equal(cdg_fiber_node_count(fibers, SIZE_MAX), 0);
    cdg_fiber_placer_destroy(placer);
    cdg_strands_destroy(strands);
    free(places);
    free(frames);
    free(positions);
    free(turns);

    cdg_structure_def net = cdg_structure_def_default();
    cdg_structure *structure = NULL;
    net.name = "net";
    REFUSED_WITH_ERROR(cdg_structure_expand(NULL, &structure, &f->error));
    REFUSED_WITH_ERROR(cdg_structure_expand(&net, NULL, &f->error));
    cdg_structure_def wrong = net;
    wrong.name = NULL;
    REFUSED_WITH_ERROR(cdg_structure_expand(&wrong, &structure, &f->error));
    wrong = net;
    wrong.kind = (cdg_structure_kind)99;
    REFUSED_WITH_ERROR(cdg_structure_expand(&wrong, &structure, &f->error));
    for (size_t n = 0; n < 2; n++) {
        wrong = net;
        wrong.net.threads[n] = SIZE_MAX;
        REFUSED_WITH_ERROR(cdg_structure_expand(&wrong, &structure, &f->error));
    }
}

// What takes nothing has nothing to be misused; named, so that the list is whole.
static void test_defaults(void **state) {
    (void)state;
    assert_true(strlen(cdg_version()) > 0);
    HARMLESS(cdg_pobd_options_default());
    HARMLESS(cdg_corde_options_default());
    HARMLESS(cdg_reference_options_default());
    HARMLESS(cdg_der_options_default());
    HARMLESS(cdg_galpha_options_default());
    HARMLESS(cdg_mesher_options_default());
    HARMLESS(cdg_support_def_default());
    HARMLESS(cdg_weld_def_default());
    HARMLESS(cdg_motion_default());
    HARMLESS(cdg_probe_default());
    HARMLESS(cdg_solid_support_def_default());
    HARMLESS(cdg_solid_load_def_default());
    HARMLESS(cdg_tie_def_default());
    HARMLESS(cdg_shape_default());
    HARMLESS(cdg_shape_of_mesh(NULL));
    HARMLESS(cdg_grip_def_default());
    HARMLESS(cdg_lead_def_default());
    HARMLESS(cdg_run_def_default());
    HARMLESS(cdg_gradient_def_default());
}

static void test_enough(void **state) {
    (void)state;
    expect_enough(300);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_world),
        cmocka_unit_test_setup_teardown(test_no_definition_or_place_for_the_answer, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_shapes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_scenes_and_runs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_strands_and_structures, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_history, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_views_and_rest, set_up, tear_down),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
