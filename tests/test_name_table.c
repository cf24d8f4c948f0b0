// The table of names against a list that is searched from end to end, with names that collide.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/name_table.h"
#include "math/random.h"

enum { NAMES = 600 };

typedef struct names {
    uint32_t hash[NAMES];
    bool is_there[NAMES];
    size_t wanted;
} names;

static bool is_wanted(const void *user, size_t place) {
    const names *n = user;
    assert_true(place < NAMES && n->is_there[place]);
    return place == n->wanted;
}

static void test_against_a_list(void **state) {
    (void)state;
    cdg_random random = {3};
    for (uint32_t spread = 1; spread < 2000; spread = 3 * spread + 1) { // few different hashes, then many
        names n = {0};
        cdg_name_table table = {0};
        n.wanted = 0;
        assert_true(cdg_name_table_find(&table, 5, is_wanted, &n) == SIZE_MAX);
        for (size_t i = 0; i < NAMES; i++) n.hash[i] = (uint32_t)random_in(&random, 0, spread) * 7919u;
        size_t count = 0;
        for (int turn = 0; turn < 4000; turn++) {
            size_t i = (size_t)random_in(&random, 0, NAMES);
            if (n.is_there[i]) {
                cdg_name_table_remove(&table, n.hash[i], (uint32_t)i);
                n.is_there[i] = false;
                count--;
            } else {
                assert_true(cdg_name_table_reserve(&table));
                cdg_name_table_insert(&table, n.hash[i], (uint32_t)i);
                n.is_there[i] = true;
                count++;
            }
            assert_int_equal(table.count, count);
            for (int k = 0; k < 3; k++) {
                n.wanted = (size_t)random_in(&random, 0, NAMES);
                size_t found = cdg_name_table_find(&table, n.hash[n.wanted], is_wanted, &n);
                assert_true(found == (n.is_there[n.wanted] ? n.wanted : SIZE_MAX));
            }
        }
        cdg_name_table_free(&table);
    }
}

static void test_hash(void **state) {
    (void)state;
    assert_int_equal(cdg_name_hash(""), 2166136261u);
    assert_int_equal(cdg_name_hash("a"), 0xE40C292Cu);
    assert_int_equal(cdg_name_hash("foobar"), 0xBF9CF968u);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_a_list), cmocka_unit_test(test_hash)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
