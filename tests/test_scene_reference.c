// docs/scene.md against the program: the reference is the generated one, the scenes in it are read, the errors are
// those said. With CORDAGE_UPDATE_DOCS set in the environment the reference in the file is written anew instead.
#include "scene_text.h"

static char *read_docs(void) {
    FILE *file = fopen(CDG_SOURCE_DIR "/docs/scene.md", "rb");
    assert_non_null(file);
    size_t size = 1 << 20;
    char *text = calloc(size, 1);
    assert_non_null(text);
    assert_true(fread(text, 1, size - 1, file) > 0);
    fclose(file);
    return text;
}

static void write_reference(const char *docs, size_t length, const char *reference) {
    FILE *file = fopen(CDG_SOURCE_DIR "/docs/scene.md", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(docs, 1, length, file), length);
    assert_true(fputs(reference, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void test_docs_hold_the_generated_reference(void **state) {
    (void)state;
    size_t length = cdg_scene_reference(NULL, 0);
    char *reference = malloc(length + 1), *docs = read_docs();
    assert_int_equal(cdg_scene_reference(reference, length + 1), length);
    assert_int_equal(strlen(reference), length);
    static const char heading[] = "\n### The scene\n";
    const char *begin = strstr(docs, heading);
    assert_non_null(begin);
    if (getenv("CORDAGE_UPDATE_DOCS") != NULL) {
        write_reference(docs, (size_t)(begin + 1 - docs), reference);
    } else if (strcmp(begin + 1, reference) != 0) {
        fail_msg("the reference in docs/scene.md is not the schema's; run this test with CORDAGE_UPDATE_DOCS=1 to "
                 "write it anew");
    }
    free(reference);
    free(docs);
}

static void test_short_buffers(void **state) {
    (void)state;
    char out[50];
    memset(out, 'x', sizeof out);
    assert_true(cdg_scene_reference(out, 20) > 1000);
    assert_int_equal(strlen(out), 19);
    assert_int_equal(out[20], 'x');
}

// A block as a whole scene: a part of one is completed by what it lacks.
static char *complete(const char *block, size_t length) {
    char *text = calloc(length + 1000, 1), *part = calloc(length + 1, 1);
    memcpy(part, block, length);
    if (strstr(part, "cordage:") != part) strcat(text, SCENE_HEAD);
    if (strstr(part, "rods:") == NULL) strcat(text, SCENE_CABLE);
    strcat(text, part);
    free(part);
    return text;
}

static void test_scenes_and_errors_in_the_docs(void **state) {
    (void)state;
    static const char open_yaml[] = "```yaml\n", open_text[] = "```text\n", close[] = "```\n";
    char *docs = read_docs();
    size_t scenes = 0, compared = 0;
    for (const char *at = docs; (at = strstr(at, open_yaml)) != NULL;) {
        const char *block = at + strlen(open_yaml), *end = strstr(block, close);
        assert_non_null(end);
        at = end + strlen(close);
        char *text = complete(block, (size_t)(end - block));
        // Expected words stand in the next block when that is text.
        const char *next_text = strstr(at, open_text), *next_yaml = strstr(at, open_yaml);
        bool has_words = next_text != NULL && (next_yaml == NULL || next_text < next_yaml);
        char *expected = calloc(20000, 1);
        if (has_words) {
            const char *words = next_text + strlen(open_text), *words_end = strstr(words, close);
            memcpy(expected, words, (size_t)(words_end - words));
            compared++;
        }
        cdg_scene *scene = scene_parse_with(text, NULL, 0);
        scene_check_said(scene, expected, __FILE__, __LINE__);
        cdg_scene_destroy(scene);
        free(expected);
        free(text);
        scenes++;
    }
    assert_true(scenes >= 6);
    assert_int_equal(compared, 2);
    free(docs);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_docs_hold_the_generated_reference),
        cmocka_unit_test(test_short_buffers),
        cmocka_unit_test(test_scenes_and_errors_in_the_docs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
