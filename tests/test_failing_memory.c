// An allocator that fails once, at every count in turn, and one that fails from a count on: whatever is then being made
// is refused with CDG_ERROR_MEMORY, and nothing crashes or leaks into the next attempt. Here the library is driven
// through its API; what libraries below it (libfyaml, HDF5, ODE, assimp) do then is told in docs/architecture.md.
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <cordage/cordage.h>

// Fails the allocation number fail_at, and those after it up to fail_until.
static long count, fail_at, fail_until;
static int is_armed;

#if !defined(CORDAGE_SANITIZED) && defined(__GLIBC__)
#define CAN_FAIL 1
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static int fails(void) {
    if (!is_armed) return 0;
    count++;
    if (count < fail_at || count >= fail_until) return 0;
    errno = ENOMEM;
    return 1;
}

// This program's own allocator; the C library finds it here.
void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t number, size_t size) { return fails() ? NULL : __libc_calloc(number, size); }
void *realloc(void *block, size_t size) { return fails() ? NULL : __libc_realloc(block, size); }
void *aligned_alloc(size_t alignment, size_t size) { return fails() ? NULL : __libc_memalign(alignment, size); }
int posix_memalign(void **out, size_t alignment, size_t size) {
    if (fails()) return ENOMEM;
    *out = __libc_memalign(alignment, size);
    return *out != NULL ? 0 : ENOMEM;
}
#else
#define CAN_FAIL 0
#endif

// ---- what is made ---------------------------------------------------------------------------------------------------

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        cdg_result tried = (call);                                                                                     \
        if (tried != CDG_OK) return tried;                                                                             \
    } while (0)

static cdg_rod_def rod_def(const char *name, cdg_model model, double height) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = name;
    def.model = model;
    def.element_count = 6;
    def.centerline.line.from = (cdg_vec3){0, 0.1 * model, height};
    def.centerline.line.to = (cdg_vec3){0.5, 0.1 * model, height};
    return def;
}

static cdg_result fill_rods(cdg_world *world) { // one rod of each model, held and loaded
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    for (int model = 0; model < CDG_MODEL_COUNT; model++) {
        cdg_rod_def def = rod_def(names[model], (cdg_model)model, 1);
        cdg_rod_id rod;
        TRY(cdg_world_add_rod(world, &def, &rod));
        cdg_motion motion = {.kind = CDG_MOTION_MOVE, .move = {0, 0, 1e-4}, .to = 1};
        cdg_support_def clamp = {.place = {rod, CDG_PLACE_NODE, 0}, .motions = &motion, .motion_count = 1};
        TRY(cdg_world_add_support(world, &clamp, NULL));
        cdg_keyframe frames[2] = {{0, 0}, {1, 1}};
        cdg_load_def load = cdg_load_def_default();
        load.kind = CDG_LOAD_FORCE;
        load.place = (cdg_place){rod, CDG_PLACE_NODE, 6};
        load.value.z = -0.01;
        load.keyframes = frames;
        load.keyframe_count = 2;
        TRY(cdg_world_add_load(world, &load, NULL));
    }
    return CDG_OK;
}

static cdg_result fill_contact(cdg_world *world) { // two rods in touch, a floor and a mesh
    cdg_rod_def def = rod_def("low", CDG_MODEL_POBD, 0.0025);
    TRY(cdg_world_add_rod(world, &def, NULL));
    def = rod_def("across", CDG_MODEL_DER, 0.02);
    TRY(cdg_world_add_rod(world, &def, NULL));
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = 0.3;
    TRY(cdg_world_set_contact(world, &contact));
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    floor.shape.kind = CDG_SHAPE_PLANE;
    floor.shape.normal = (cdg_vec3){0, 0, 1};
    TRY(cdg_world_add_obstacle(world, &floor, NULL));
    static cdg_vec3 corners[] = {{5, 0, 0}, {6, 0, 0}, {5, 1, 0}, {5, 0, 1}};
    static uint32_t faces[][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    cdg_obstacle_def mesh = cdg_obstacle_def_default();
    mesh.shape.kind = CDG_SHAPE_MESH;
    mesh.shape.mesh.points = corners;
    mesh.shape.mesh.point_count = 4;
    mesh.shape.mesh.triangles = faces;
    mesh.shape.mesh.triangle_count = 4;
    return cdg_world_add_obstacle(world, &mesh, NULL);
}

static cdg_result fill_joined(cdg_world *world) { // a net, and hair
    cdg_structure_def net = cdg_structure_def_default();
    net.name = "net";
    net.rod.model = CDG_MODEL_CORDE;
    TRY(cdg_world_add_structure(world, &net));
    cdg_strands_def hair = cdg_strands_def_default();
    hair.name = "hair";
    hair.guide_count = 3;
    hair.fiber_count = 5;
    hair.element_count = 8;
    cdg_strands *strands = NULL;
    cdg_error error;
    TRY(cdg_strands_expand(&hair, &strands, &error));
    cdg_rod_id ids[3];
    cdg_result result = cdg_world_add_strands(world, strands, ids);
    cdg_strands_destroy(strands);
    return result;
}

static cdg_result fill_welded(cdg_world *world) { // a ball at the end of a rod
    cdg_rod_def def = rod_def("arm", CDG_MODEL_DER, 1);
    cdg_rod_id rod;
    TRY(cdg_world_add_rod(world, &def, &rod));
    cdg_body_def ball = cdg_body_def_default();
    ball.shape.position = def.centerline.line.to;
    ball.is_ghost = true;
    cdg_weld_def weld = {.place = {rod, CDG_PLACE_NODE, 6}};
    TRY(cdg_world_add_body(world, &ball, &weld.body));
    return cdg_world_add_weld(world, &weld, NULL);
}

static cdg_result step_and_save(cdg_world *world) {
    TRY(cdg_world_set_step_size(world, 1e-4));
    for (int i = 0; i < 2; i++) TRY(cdg_world_step(world, NULL));
    size_t size = cdg_world_snapshot_size(world);
    if (size == 0) return CDG_ERROR_MEMORY;
    double *kept = malloc(size * sizeof *kept);
    if (kept == NULL) return CDG_ERROR_MEMORY;
    cdg_result result = cdg_world_snapshot_save(world, kept);
    if (result == CDG_OK) result = cdg_world_snapshot_load(world, kept);
    free(kept);
    return result;
}

typedef cdg_result filler(cdg_world *world);

static cdg_result make_world(filler *fill) {
    cdg_world_def def = cdg_world_def_default();
    def.thread_count = 1;
    cdg_world *world = NULL;
    TRY(cdg_world_create(&def, &world, NULL));
    cdg_result result = fill(world);
    if (result == CDG_OK) result = step_and_save(world);
    (void)cdg_world_energy(world);
    cdg_world_destroy(world);
    return result;
}

static cdg_result find_equilibrium(cdg_world *world) {
    cdg_rod_def def = rod_def("still", CDG_MODEL_DER, 1);
    cdg_rod_id rod;
    TRY(cdg_world_add_rod(world, &def, &rod));
    cdg_support_def clamp = {.place = {rod, CDG_PLACE_NODE, 0}};
    TRY(cdg_world_add_support(world, &clamp, NULL));
    TRY(cdg_world_find_equilibrium(world, NULL));
    double frequencies[2];
    return cdg_rod_find_modes(world, rod, 2, frequencies, NULL);
}

// Tries all counts, each alone and each as the beginning of the end.
static void try_all(filler *fill, const char *name) {
    if (!CAN_FAIL) skip();
    assert_int_equal(make_world(fill), CDG_OK);
    long tried = 0;
    for (int for_ever = 0; for_ever < 2; for_ever++) {
        for (long n = 1;; n++, tried++) {
            count = 0;
            fail_at = n;
            fail_until = for_ever ? INT32_MAX : n + 1;
            is_armed = 1;
            cdg_result result = make_world(fill);
            is_armed = 0;
            if (count < n) {
                assert_int_equal(result, CDG_OK);
                break;
            }
            if (result != CDG_ERROR_MEMORY && (for_ever || result != CDG_OK))
                fail_msg("%s: failing allocation %ld gives '%s'", name, n, cdg_result_text(result));
        }
    }
    print_message("%s: %ld failures\n", name, tried);
}

static void test_rods(void **state) {
    (void)state;
    try_all(fill_rods, "rods");
}
static void test_contact(void **state) {
    (void)state;
    try_all(fill_contact, "contact");
}
static void test_joined(void **state) {
    (void)state;
    try_all(fill_joined, "nets and hair");
}
static void test_welded(void **state) {
    (void)state;
    try_all(fill_welded, "welds");
}
static void test_statics(void **state) {
    (void)state;
    try_all(find_equilibrium, "statics");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rods), cmocka_unit_test(test_contact),
                                       cmocka_unit_test(test_joined), cmocka_unit_test(test_welded),
                                       cmocka_unit_test(test_statics)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
