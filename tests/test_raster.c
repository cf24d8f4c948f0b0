// Cells that triangles touch: all that points of the triangle are in, few more.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "meshing/raster.h"
#include "meshing/triangle.h"

enum { SIDE = 40 };
static bool is_met[SIDE * SIDE * SIDE];

static bool mark(void *user, const long cell[3]) {
    size_t *count = user;
    for (int a = 0; a < 3; a++) assert_true(cell[a] >= 0 && cell[a] < SIDE);
    is_met[(cell[2] * SIDE + cell[1]) * SIDE + cell[0]] = true;
    (*count)++;
    return true;
}

static void test_no_cell_is_missed(void **state) {
    (void)state;
    cdg_random random = {2};
    for (int round = 0; round < 200; round++) {
        size_t visits = 0;
        cdg_raster raster = {vec3(-2, -2, -2), 0.1, mark, &visits};
        double size = round % 3 == 0 ? 0.05 : 1.8; // small and large against the cells
        cdg_vec3 c[3], at = random_vec3(&random, 0.1);
        for (int k = 0; k < 3; k++) c[k] = vec3_add(at, random_vec3(&random, size));
        for (size_t i = 0; i < sizeof is_met; i++) is_met[i] = false;
        assert_true(cdg_raster_triangle(&raster, c));
        for (int i = 0; i < 300; i++) {
            double a = random_unit(&random), b = random_unit(&random) * (1 - a);
            cdg_vec3 p = vec3_add(vec3_scale(a, c[0]), vec3_add(vec3_scale(b, c[1]), vec3_scale(1 - a - b, c[2])));
            long cell[3] = {(long)floor((p.x + 2) / 0.1), (long)floor((p.y + 2) / 0.1), (long)floor((p.z + 2) / 0.1)};
            assert_true(is_met[(cell[2] * SIDE + cell[1]) * SIDE + cell[0]]);
        }
        for (long i = 0; i < SIDE * SIDE * SIDE; i++) { // nor are there any far away
            if (!is_met[i]) continue;
            cdg_vec3 middle = vec3(-1.95 + 0.1 * (double)(i % SIDE), -1.95 + 0.1 * (double)(i / SIDE % SIDE),
                                   -1.95 + 0.1 * (double)(i / SIDE / SIDE));
            assert_true(vec3_distance(triangle_nearest(c, middle), middle) < 0.25);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_cell_is_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
