// run.h5: outputs arrive where readers look for them.
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run_file_case.h"

static void test_rows(void **state) {
    fixture *f = *state;
    write_outputs(f, 0, 3);
    // the file is open for writing all the while
    hid_t file = run_open(f->base);
    assert_int_equal(run_frames(file), 3);
    size_t count;
    hsize_t size[3];
    cdg_rod_id cable = cdg_world_find_rod(f->world, "cable"), ring = cdg_world_find_rod(f->world, "ring");
#define CHECK_ROW(name, type, getter, rod, places)                                                                     \
    {                                                                                                                  \
        type row[20];                                                                                                  \
        double *values = run_read(file, name, size, &count);                                                           \
        assert_int_equal(getter(f->world, rod, row), CDG_OK);                                                          \
        assert_int_equal(size[1], places);                                                                             \
        assert_memory_equal(values + 2 * size[1] * size[2], row, places * sizeof *row);                                \
        free(values);                                                                                                  \
    }
    CHECK_ROW("/rods/cable/positions", cdg_vec3, cdg_rod_positions, cable, 11)
    CHECK_ROW("/rods/cable/velocities", cdg_vec3, cdg_rod_velocities, cable, 11)
    CHECK_ROW("/rods/cable/frames", cdg_quat, cdg_rod_frames, cable, 10)
    CHECK_ROW("/rods/cable/angular_velocities", cdg_vec3, cdg_rod_angular_velocities, cable, 10)
    CHECK_ROW("/rods/cable/forces", cdg_vec3, cdg_rod_forces, cable, 10)
    CHECK_ROW("/rods/cable/moment", cdg_vec3, cdg_rod_moments, cable, 11)
    CHECK_ROW("/rods/ring/positions", cdg_vec3, cdg_rod_positions, ring, 12)
    CHECK_ROW("/rods/ring/frames", cdg_quat, cdg_rod_frames, ring, 12)
#undef CHECK_ROW
    cdg_vec3 forces[10];
    double radii[11];
    assert_int_equal(cdg_rod_forces(f->world, cable, forces), CDG_OK);
    double *tension = run_read(file, "/rods/cable/tension", size, &count);
    for (size_t i = 0; i < 10; i++) assert_true(tension[20 + i] == forces[i].z);
    free(tension);
    assert_int_equal(cdg_rod_radii(f->world, cable, radii), CDG_OK);
    double *radius = run_read(file, "/rods/cable/radius", size, &count);
    assert_memory_equal(radius, radii, sizeof radii);
    free(radius);
    double *rest_length = run_read(file, "/rods/cable/rest_length", size, &count), sum = 0;
    for (size_t i = 0; i < count; i++) sum += rest_length[i];
    assert_true(fabs(sum - 1) < 1e-12);
    free(rest_length);
    cdg_energy energy = cdg_world_energy(f->world);
#define CHECK_ENERGY(name, text)                                                                                       \
    {                                                                                                                  \
        double *values = run_read(file, "/energy/" #name, NULL, &count);                                               \
        assert_true(values[2] == energy.name);                                                                         \
        free(values);                                                                                                  \
    }
    CDG_ENERGY_LIST(CHECK_ENERGY)
#undef CHECK_ENERGY
    double *time = run_read(file, "/time", NULL, &count);
    assert_true(time[2] == cdg_world_time(f->world));
    free(time);
    H5Fclose(file);
    assert_int_equal(write_frame(f->file, f->plan.frame_count, f->world, NULL), CDG_ERROR_ARGUMENT);
}

// Nothing but numbers changes after creation: all other bytes of the file stay.
static void test_structure_is_never_touched(void **state) {
    fixture *f = *state;
    size_t before_size, after_size;
    char *before = run_read_text(f->base, "run.h5", &before_size);
    write_outputs(f, 0, f->plan.frame_count);
    char *after = run_read_text(f->base, "run.h5", &after_size);
    assert_int_equal(before_size, after_size);

    cdg_run_layout layout;
    find_layout(f, &layout);
    size_t masked = 0, T = f->plan.frame_count;
#define MASK(offset, numbers)                                                                                          \
    memset(before + (offset), 0, 8 * (numbers)), memset(after + (offset), 0, 8 * (numbers)), masked++;
    MASK(layout.time, T)
    for (int i = 0; i < 2; i++) MASK(layout.checkpoint[i], layout.slot_words)
#define MASK_ENERGY(name, text) MASK(layout.energy_##name, T)
    CDG_ENERGY_LIST(MASK_ENERGY)
#undef MASK_ENERGY
    for (size_t i = 0; i < layout.rod_count; i++) {
        const cdg_run_rod_entry *rod = &layout.rods[i];
        for (int k = 0; k < CDG_FIELD_COUNT; k++)
            if (cdg_run_has_field(rod, (cdg_field)k))
                MASK(rod->fields[k], T * cdg_run_field_row(&rod->info, (cdg_field)k))
    }
#undef MASK
    size_t fields = 0; // without levels and others of rods that adapt
    for (int k = 0; k < CDG_FIELD_COUNT; k++) fields += (cdg_field_get((cdg_field)k).traits & CDG_FIELD_ADAPTS) == 0;
    assert_int_equal(masked, 1 + 2 + 9 + 2 * fields);
    assert_memory_equal(before, after, after_size);
    cdg_run_layout_free(&layout);
    free(before);
    free(after);
}

// A new run that cannot begin leaves the old one alone.
static void test_old_run_is_kept(void **state) {
    fixture *f = *state;
    write_outputs(f, 0, 2);
    assert_int_equal(cdg_run_file_close(f->file, false, NULL), CDG_OK);
    f->file = NULL;
    assert_int_equal(mkdir(run_path(f->base, "run.h5.new"), 0777), 0); // in the way
    cdg_error error;
    assert_int_equal(create_file(f->path, f->scene, f->world, &f->plan, &f->file, &error), CDG_ERROR_IO);
    assert_null(f->file);
    assert_non_null(strstr(error.message, "run.h5.new"));
    hid_t file = run_open(f->base);
    assert_int_equal(run_frames(file), 2);
    H5Fclose(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_structure_is_never_touched, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_old_run_is_kept, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
