// Tables: the heading, and every number to the bit.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "export_case.h"

#include "ragged_case.h"

// Walks through lines and numbers; the number of columns before the numbers is given.
static void check_table(const export_case *c, const cdg_export *export, const char *name, cdg_field_per per) {
    char *text = run_read_text(c->base, name, NULL), *line = strchr(text, '\n') + 1;
    const char *heading =
        per == CDG_FIELD_PER_NODE
            ? "time [s],output,rod,node,x [m],y [m],z [m],vx [m/s],vy [m/s],vz [m/s],moment_1 [N*m],"
              "moment_2 [N*m],moment_3 [N*m],curvature_1 [1/m],curvature_2 [1/m],twist [rad/m],radius [m]\n"
            : "time [s],output,rod,element,qw [1],qx [1],qy [1],qz [1],angular_velocity_1 [rad/s],"
              "angular_velocity_2 [rad/s],angular_velocity_3 [rad/s],tension [N],force_1 [N],"
              "force_2 [N],force_3 [N],strain_1 [1],strain_2 [1],strain_3 [1],rest_length [m]\n";
    assert_memory_equal(text, heading, strlen(heading));
    for (size_t frame = 0; frame < cdg_export_frame_count(export); frame++) {
        for (size_t rod = 0; rod < export->reader->rod_count; rod++) {
            const cdg_run_rod *own = &export->reader->rods[rod];
            double *fields[CDG_FIELD_COUNT];
            for (int i = 0; i < CDG_FIELD_COUNT; i++) {
                fields[i] = export_field(export, frame, rod, (cdg_field)i);
            }
            size_t count = per == CDG_FIELD_PER_NODE ? own->node_count : own->element_count;
            for (size_t entry = 0; entry < count; entry++) {
                char expected[200];
                char *next = line;
                assert_true(strtod(next, &next) == cdg_export_time(export, frame));
                snprintf(expected, sizeof expected, ",%zu,%s,%zu", cdg_export_output(export, frame), own->name, entry);
                assert_memory_equal(next, expected, strlen(expected));
                next += strlen(expected);
                for (int i = 0; i < CDG_FIELD_COUNT; i++) {
                    cdg_field_info field = cdg_field_get((cdg_field)i);
                    if (!cdg_export_has_field(export, (cdg_field)i)) continue;
                    for (size_t k = 0; field.per == per && k < field.component_count; k++) {
                        assert_int_equal(*next, ',');
                        double value = strtod(next + 1, &next), wanted = fields[i][entry * field.component_count + k];
                        assert_memory_equal(&value, &wanted, sizeof value);
                    }
                }
                const double *constant = per == CDG_FIELD_PER_NODE ? own->radius : own->rest_length;
                assert_int_equal(*next, ',');
                assert_true(strtod(next + 1, &next) == constant[entry]);
                assert_int_equal(*next, '\n');
                line = next + 1;
            }
            for (int i = 0; i < CDG_FIELD_COUNT; i++) free(fields[i]);
        }
    }
    assert_int_equal(*line, '\0');
    free(text);
}

static void test_tables(void **state) {
    export_case *c = *state;
    cdg_export_def def = cdg_export_def_default();
    def.every = 4;
    cdg_export *export = export_write(c, "t.csv", def);
    assert_int_equal(cdg_export_frame_count(export), 4);
    assert_int_equal(cdg_export_file_count(export), 2);
    assert_string_equal(cdg_export_main_file(export, 0), run_path(c->base, "t_nodes.csv"));
    assert_string_equal(cdg_export_main_file(export, 1), run_path(c->base, "t_elements.csv"));
    assert_null(cdg_export_main_file(export, 2));
    check_table(c, export, "t_nodes.csv", CDG_FIELD_PER_NODE);
    check_table(c, export, "t_elements.csv", CDG_FIELD_PER_ELEMENT);
    cdg_export_close(export);
    assert_int_equal(entry_count(c->base), 2);
}

// Rods whose resolution changes have as many lines as nodes and elements at the output, with their places.
static void test_changing_resolution(void **state) {
    export_case *c = *state, ragged = *c;
    run_directory_make(ragged.run);
    ragged_run(ragged.run, false, 6);
    cdg_export *export = export_write(&ragged, "r.csv", cdg_export_def_default());
    char *nodes = run_read_text(c->base, "r_nodes.csv", NULL),
         *elements = run_read_text(c->base, "r_elements.csv", NULL);
    expect_text(nodes, "radius [m],arc_length [m]\n");
    expect_text(elements, "level [1],drawn_roll [rad],rest_length [m],arc_length [m]\n");
    char *line = strchr(nodes, '\n') + 1, *other = strchr(elements, '\n') + 1;
    for (size_t frame = 0; frame < 6; frame++) {
        size_t count = ragged_elements(ragged_levels_at(frame));
        double arc = 0;
        for (size_t i = 0; i <= count; i++) {
            char start[100];
            snprintf(start, sizeof start, ",%zu,rope,%zu,", frame, i);
            char *end = strchr(line, '\n'), *number = end;
            assert_non_null(strstr(line, start));
            assert_true(strstr(line, start) < end);
            while (*number != ',') number--;
            assert_true(fabs(strtod(number + 1, NULL) - arc) < 1e-12);
            cdg_vec3 at = ragged_curve(arc, 0.1 * (double)frame);
            assert_true(strtod(strstr(line, start) + strlen(start), NULL) == at.x || arc > 0);
            line = end + 1;
            if (i == count) break;
            double fields[4], level; // the last four: level, roll, rest length, arc length
            end = number = strchr(other, '\n');
            for (int k = 3; k >= 0; k--) {
                for (number--; *number != ',';) number--;
                fields[k] = strtod(number + 1, NULL);
            }
            level = fields[0];
            assert_true(fields[1] == 0 && fabs(fields[2] * pow(2, level) - 0.125) < 1e-12 &&
                        fabs(fields[3] - arc - fields[2] / 2) < 1e-12);
            arc += fields[2];
            other = end + 1;
        }
        for (size_t i = 0; i < 6; i++) line = strchr(line, '\n') + 1; // the other rod
        for (size_t i = 0; i < 5; i++) other = strchr(other, '\n') + 1;
    }
    assert_true(*line == '\0' && *other == '\0');
    free(nodes);
    free(elements);
    cdg_export_close(export);
    run_directory_remove(ragged.run);
}

int main(void) {
    const struct CMUnitTest tests[] = {export_test(test_tables), export_test(test_changing_resolution)};
    return cmocka_run_group_tests(tests, export_set_up_run, export_tear_down_run);
}
