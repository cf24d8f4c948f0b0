// Tables: the heading, and every number to the bit.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "export_case.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {export_test(test_tables)};
    return cmocka_run_group_tests(tests, export_set_up_run, export_tear_down_run);
}
