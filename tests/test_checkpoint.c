// Checkpoints: a state survives the way through a block; any damage to the block is noticed.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "output/checkpoint.h"
#include "run_scene.h"

typedef struct fixture {
    cdg_scene *scene;
    cdg_world *world;
    size_t words;
    double *block;
} fixture;

static int set_up(void **state) {
    static fixture f;
    f.scene = run_scene_make((run_scene_options){0});
    assert_int_equal(cdg_scene_build(f.scene, 1, &f.world, NULL), CDG_OK);
    assert_int_equal(cdg_world_set_step_size(f.world, 1e-3), CDG_OK);
    for (int i = 0; i < 10; i++) assert_int_equal(cdg_world_step(f.world, NULL), CDG_OK);
    f.words = cdg_checkpoint_words(f.world);
    f.block = malloc(f.words * sizeof *f.block);
    cdg_checkpoint checkpoint = {.sequence = 7,
                                 .frame = 3,
                                 .step = 10,
                                 .tally = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, {16, 17, 18}}};
    assert_int_equal(cdg_checkpoint_encode(&checkpoint, f.world, f.block, f.words), CDG_OK);
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    free(f->block);
    cdg_world_destroy(f->world);
    cdg_scene_destroy(f->scene);
    return 0;
}

static void test_round_trip(void **state) {
    fixture *f = *state;
    cdg_checkpoint found;
    assert_true(cdg_checkpoint_decode(f->block, f->words, &found));
    assert_int_equal(found.sequence, 7);
    assert_int_equal(found.frame, 3);
    assert_int_equal(found.step, 10);
    assert_true(found.tally.wall_seconds == 1 && found.tally.poor_step_count == 6 && found.tally.part_count == 8);
    assert_true(found.tally.inverted_count == 13 && found.tally.inverted_at[2] == 18);

    cdg_world *other = NULL;
    assert_int_equal(cdg_scene_build(f->scene, 1, &other, NULL), CDG_OK);
    assert_true(cdg_checkpoint_load(f->block, other));
    for (int i = 0; i < 5; i++) {
        assert_int_equal(cdg_world_step(f->world, NULL), CDG_OK);
        assert_int_equal(cdg_world_step(other, NULL), CDG_OK);
    }
    cdg_vec3 a[11], b[11];
    assert_int_equal(cdg_rod_positions(f->world, cdg_world_find_rod(f->world, "cable"), a), CDG_OK);
    assert_int_equal(cdg_rod_positions(other, cdg_world_find_rod(other, "cable"), b), CDG_OK);
    assert_memory_equal(a, b, sizeof a);
    cdg_world_destroy(other);
}

static void test_damage(void **state) {
    fixture *f = *state;
    cdg_random random = {4};
    cdg_checkpoint found;
    unsigned char *bytes = (unsigned char *)f->block;
    for (int i = 0; i < 3000; i++) { // one bit
        size_t at = random_bits(&random) % (f->words * 8);
        unsigned char bit = (unsigned char)(1u << random_bits(&random) % 8);
        bytes[at] ^= bit;
        assert_false(cdg_checkpoint_decode(f->block, f->words, &found));
        bytes[at] ^= bit;
    }
    double *torn = malloc(f->words * sizeof *torn);
    for (size_t kept = 0; kept < f->words; kept++) { // only the beginning arrived; behind it an older block or nothing
        memcpy(torn, f->block, f->words * sizeof *torn);
        for (size_t i = kept; i < f->words; i++) torn[i] = f->block[i] + 1;
        assert_false(cdg_checkpoint_decode(torn, f->words, &found));
    }
    memset(torn, 0, f->words * sizeof *torn);
    assert_false(cdg_checkpoint_decode(torn, f->words, &found));
    free(torn);
    // two state words that differ, exchanged
    size_t a = f->words - 1, b = f->words - 1;
    while (memcmp(&f->block[a], &f->block[b], 8) == 0) b--;
    double kept = f->block[a];
    f->block[a] = f->block[b];
    f->block[b] = kept;
    assert_false(cdg_checkpoint_decode(f->block, f->words, &found));
    kept = f->block[a];
    f->block[a] = f->block[b];
    f->block[b] = kept;
    assert_true(cdg_checkpoint_decode(f->block, f->words, &found));
    assert_false(cdg_checkpoint_decode(f->block, f->words - 1, &found)); // another size
    assert_false(cdg_checkpoint_decode(f->block, 3, &found));
}

static void test_other_world(void **state) {
    fixture *f = *state;
    cdg_scene *scene = run_scene_make((run_scene_options){.elements = 11});
    cdg_world *other = NULL;
    assert_int_equal(cdg_scene_build(scene, 1, &other, NULL), CDG_OK);
    assert_false(cdg_checkpoint_load(f->block, other));
    cdg_world_destroy(other);
    cdg_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_other_world, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
