// Edit distance and the choice of the nearest word.
#include "scene_text.h"

#include "math/random.h"
#include "scene/suggest.h"

static size_t distance(const char *a, const char *b) { return cdg_edit_distance(a, strlen(a), b, strlen(b)); }

static void test_known_distances(void **state) {
    (void)state;
    assert_int_equal(distance("", ""), 0);
    assert_int_equal(distance("abc", ""), 3);
    assert_int_equal(distance("abc", "acb"), 1); // swap
    assert_int_equal(distance("kitten", "sitting"), 3);
    assert_int_equal(distance("young_modul", "young_modulus"), 2);
    assert_int_equal(distance("Young-Modulus", "young_modulus"), 0);
    assert_int_equal(distance("radius", "raduis"), 1);
}

static void random_word(cdg_random *random, char out[12]) {
    size_t length = (size_t)random_in(random, 0, 11);
    for (size_t i = 0; i < length; i++) out[i] = (char)('a' + (int)random_in(random, 0, 4));
    out[length] = '\0';
}

static void test_distance_is_symmetric_and_bounded(void **state) {
    (void)state;
    cdg_random random = {7};
    for (int i = 0; i < 5000; i++) {
        char a[12], b[12];
        random_word(&random, a);
        random_word(&random, b);
        size_t d = distance(a, b), n = strlen(a), m = strlen(b), longer = n > m ? n : m, shorter = n > m ? m : n;
        assert_int_equal(d, distance(b, a));
        assert_int_equal(distance(a, a), 0);
        assert_true(d >= longer - shorter && d <= longer);
        assert_int_equal(d == 0, strcmp(a, b) == 0);
    }
}

static void test_one_edit_is_distance_one(void **state) {
    (void)state;
    cdg_random random = {9};
    for (int i = 0; i < 2000; i++) {
        char word[16] = "young_modulus", changed[20];
        size_t length = strlen(word), at = (size_t)random_in(&random, 0, (double)length);
        memcpy(changed, word, sizeof word);
        if (i % 2 == 0) {
            memmove(changed + at, changed + at + 1, length - at); // delete
        } else {
            memmove(changed + at + 1, changed + at, length - at + 1); // insert
            changed[at] = 'x';
        }
        assert_int_equal(distance(word, changed), 1);
    }
}

static const char *nearest(const char *word) {
    static const char *const words[] = {
        "young_modulus", "poisson_ratio", "shear_modulus", "density", "damping", "at", "on"};
    word_search search = cdg_suggest_begin(word, strlen(word));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) cdg_suggest_offer(&search, words[i]);
    return search.best;
}

static void test_suggestions(void **state) {
    (void)state;
    assert_string_equal(nearest("young_modul"), "young_modulus");
    assert_string_equal(nearest("yuong_modulus"), "young_modulus");
    assert_string_equal(nearest("Density"), "density");
    assert_string_equal(nearest("young"), "young_modulus");
    assert_string_equal(nearest("denisty"), "density");
    assert_null(nearest("colour"));
    assert_null(nearest("an")); // short words are near to nothing
    assert_null(nearest(""));
    char huge[5000];
    memset(huge, 'y', sizeof huge - 1);
    huge[sizeof huge - 1] = '\0';
    assert_null(nearest(huge));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_distances),
        cmocka_unit_test(test_distance_is_symmetric_and_bounded),
        cmocka_unit_test(test_one_edit_is_distance_one),
        cmocka_unit_test(test_suggestions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
