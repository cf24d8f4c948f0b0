// Fetching ahead: what is listed is memory of the rods that follow, and none beyond the last.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/vec3.h"
#include "near.h"
#include "small_world.h"
#include "world/step.h"

static bool is_listed(const cdg_soon *soon, const void *at) {
    for (size_t i = 0; i < soon->count; i++)
        if (soon->blocks[i].at == at) return true;
    return false;
}

static void test_the_next_rods_are_listed(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, true);
    cdg_world *world = small.world;
    static const char *const names[2] = {"b", "c"};
    for (int i = 0; i < 2; i++) {
        def.name = names[i];
        def.centerline.line.from.y = def.centerline.line.to.y = 0.1 * (i + 1);
        must(world, cdg_world_add_rod(world, &def, NULL));
    }
    world_team one = {.first = 0, .count = 1}, last = {.first = 2, .count = 1};
    cdg_soon soon;
    cdg_prefetch_list(world, &one, &soon);
    assert_true(is_listed(&soon, world->rods[1].rod->x[0])); // the next rod's state
    assert_true(is_listed(&soon, world->rods[2].rod));       // of the one after that its struct
    assert_false(is_listed(&soon, world->rods[0].rod->x[0]));
    cdg_prefetch_list(world, &last, &soon);
    assert_int_equal(soon.count, 0);
    for (size_t i = 0; i < 3; i++) cdg_prefetch_commit(world, i); // whatever is there, nothing is read beyond
    cdg_prefetch_next(world, &last);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_next_rods_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
