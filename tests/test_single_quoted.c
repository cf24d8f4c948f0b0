// Single-quoted scalars: quotes, folding, and the same through the whole parser.
#include "scene_text.h"

#include "math/random.h"
#include "scene/single_quoted.h"

static void check(const char *raw, const char *expected) {
    char out[200];
    size_t length = cdg_single_quoted_decode(raw, strlen(raw), out);
    assert_true(length <= strlen(raw));
    out[length] = '\0';
    assert_string_equal(out, expected);
}

static void test_decoding(void **state) {
    (void)state;
    check("", "");
    check("plain", "plain");
    check("it''s", "it's");
    check("''''", "''");
    check("  kept  ", "  kept  ");
    check("one  \n   two", "one two");
    check("one\n\n  two", "one\ntwo");
    check("one \r\n\t \r\n\r\n two", "one\n\ntwo");
    check("\nstart", " start");
    check("end\n  ", "end ");
    check("back\\slash", "back\\slash");
}

// Any text without line breaks survives being quoted, on its way through the whole parser.
static void test_round_trip(void **state) {
    (void)state;
    cdg_random random = {17};
    for (int i = 0; i < 2000; i++) {
        char text[40], quoted[120] = "{k: '";
        size_t length = (size_t)random_in(&random, 1, 30), used = strlen(quoted);
        for (size_t k = 0; k < length; k++) {
            text[k] = random_unit(&random) < 0.5 ? '\'' : (char)random_in(&random, 33, 127);
            quoted[used++] = text[k];
            if (text[k] == '\'') quoted[used++] = '\'';
        }
        text[length] = '\0';
        strcpy(quoted + used, "', second: 'x'}");
        scene_storage *storage = cdg_storage_create(0);
        scene_diagnostics diagnostics = {.storage = storage};
        const scene_node *root = cdg_tree_parse(quoted, strlen(quoted), NULL, storage, &diagnostics);
        assert_int_equal(diagnostics.count, 0);
        assert_string_equal(cdg_tree_get(root, "k")->text, text);
        assert_string_equal(cdg_tree_get(root, "second")->text, "x");
        cdg_storage_destroy(storage);
    }
}

// Decoding by hand and by libfyaml agree on folded text: the same words in double quotes are read by libfyaml.
static void test_folding_is_that_of_double_quotes(void **state) {
    (void)state;
    static const char *const texts[] = {"a\n  b", "a\n\n\n  b  \n c", "  a\n  ", "\xC3\xB6\n\n \xE2\x82\xAC x"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char whole[200];
        snprintf(whole, sizeof whole, "\xEF\xBB\xBFs: '%s'\nd: \"%s\"\n", texts[i], texts[i]); // with a byte order mark
        scene_storage *storage = cdg_storage_create(0);
        scene_diagnostics diagnostics = {.storage = storage};
        const scene_node *root = cdg_tree_parse(whole, strlen(whole), NULL, storage, &diagnostics);
        assert_non_null(root);
        assert_string_equal(cdg_tree_get(root, "s")->text, cdg_tree_get(root, "d")->text);
        cdg_storage_destroy(storage);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decoding),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_folding_is_that_of_double_quotes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
