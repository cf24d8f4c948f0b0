// From text to the tree: places, aliases, merge keys, bounds, syntax errors.
#include "scene_text.h"

typedef struct tree_case {
    scene_storage *storage;
    scene_diagnostics diagnostics;
    scene_node *root;
} tree_case;

static tree_case parse_size(const char *text, size_t size) {
    tree_case c = {.storage = cdg_storage_create(0)};
    c.diagnostics.storage = c.storage;
    c.root = cdg_tree_parse(text, size, NULL, c.storage, &c.diagnostics);
    return c;
}

static tree_case parse(const char *text) { return parse_size(text, strlen(text)); }
static void finish(tree_case *c) { cdg_storage_destroy(c->storage); }

// Parses text that must have exactly this one error.
static void refuse_size(const char *text, size_t size, const char *expected, const char *file, int line) {
    tree_case c = parse_size(text, size);
    char said[300] = "";
    if (c.diagnostics.count > 0) cdg_diagnostic_format(&c.diagnostics.items[0], "f", said, sizeof said);
    if (c.diagnostics.count != 1 || strcmp(said, expected) != 0) {
        print_error("%s:%d: %zu errors, first: %s\n expected: %s\n", file, line, c.diagnostics.count, said, expected);
        _fail(file, line);
    }
    finish(&c);
}
#define assert_refused(text, expected) refuse_size(text, sizeof(text) - 1, expected, __FILE__, __LINE__)

static void test_kinds_and_places(void **state) {
    (void)state;
    tree_case c = parse("a: 1\n"
                        "b:\n"
                        "  - {x: [1 m, 0], \"y\": 'z'}\n"
                        "  - null\n"
                        "c:\n"
                        "ö: \"\"\n");
    assert_int_equal(c.diagnostics.count, 0);
    const scene_node *b = cdg_tree_get(c.root, "b");
    assert_int_equal(b->kind, SCENE_LIST);
    assert_int_equal(b->count, 2);
    const scene_node *x = cdg_tree_get(b->items[0], "x");
    assert_string_equal(x->items[0]->text, "1 m");
    assert_int_equal(x->items[0]->mark.line, 3);
    assert_int_equal(x->items[0]->mark.column, 10);
    const scene_node *y = cdg_tree_get_key(b->items[0], "y"), *z = cdg_tree_get(b->items[0], "y");
    assert_int_equal(y->mark.column, 19); // the quote, not the letter after it
    assert_int_equal(z->mark.column, 24);
    assert_true(z->is_quoted && cdg_tree_is_word(z, "z"));
    assert_int_equal(b->items[1]->kind, SCENE_NOTHING);
    assert_int_equal(cdg_tree_get(c.root, "c")->kind, SCENE_NOTHING);
    assert_int_equal(cdg_tree_get(c.root, "c")->mark.line, 5);
    assert_int_equal(cdg_tree_get(c.root, "ö")->kind, SCENE_SCALAR); // quoted emptiness is text
    assert_null(cdg_tree_get(c.root, "d"));
    assert_null(cdg_tree_get(b, "d"));
    assert_null(cdg_tree_get(NULL, "d"));
    finish(&c);
}

static void test_json(void **state) {
    (void)state;
    tree_case c = parse("{\"a\": [1, 2.5e3, true, null],\n\t\"b\": {\"c\": \"x\\ny\"}}");
    assert_int_equal(c.diagnostics.count, 0);
    assert_int_equal(cdg_tree_get(c.root, "a")->count, 4);
    assert_string_equal(cdg_tree_get(cdg_tree_get(c.root, "b"), "c")->text, "x\ny");
    finish(&c);
}

static void test_aliases_and_merge_keys(void **state) {
    (void)state;
    tree_case c = parse("base: &base {x: 1, y: 2}\n"
                        "more: &more {y: 3, z: 4}\n"
                        "one: {<<: *base, x: 9}\n"
                        "two: {<<: [*base, *more]}\n"
                        "same: *base\n");
    assert_int_equal(c.diagnostics.count, 0);
    const scene_node *one = cdg_tree_get(c.root, "one"), *two = cdg_tree_get(c.root, "two");
    assert_string_equal(cdg_tree_get(one, "x")->text, "9");
    assert_string_equal(cdg_tree_get(one, "y")->text, "2");
    assert_int_equal(one->count, 2);
    assert_string_equal(cdg_tree_get(two, "y")->text, "2"); // the earlier map wins
    assert_string_equal(cdg_tree_get(two, "z")->text, "4");
    assert_ptr_equal(cdg_tree_get(c.root, "same"), cdg_tree_get(c.root, "base"));
    finish(&c);
}

static void test_merging_into_maps_of_every_size(void **state) {
    (void)state;
    for (int count = 0; count < 20; count++) {
        char text[800] = "base: &base {p: 1, q: 2, r: 3}\nmap: {<<: *base";
        for (int i = 0; i < count; i++) sprintf(text + strlen(text), ", k%d: %d", i, i);
        strcat(text, "}\n");
        tree_case c = parse(text);
        const scene_node *map = cdg_tree_get(c.root, "map");
        assert_int_equal(map->count, count + 3);
        assert_int_equal(map->weight, 1 + 2 * (count + 3));
        assert_string_equal(cdg_tree_get(map, "r")->text, "3");
        finish(&c);
    }
}

static void test_bad_references(void **state) {
    (void)state;
    assert_refused("a: *zz\n", "f:1:4: error: alias 'zz' has no anchor '&zz' before it; a name alone needs no '*'");
    assert_refused("a: &a [1, *a]\n",
                   "f:1:11: error: alias 'a' stands inside what it refers to; a scene cannot contain itself");
    assert_refused("<<: 3\n", "f:1:1: error: the merge key '<<' takes an alias of a map, or a list of them");
}

static void test_lesser_errors_keep_the_tree(void **state) {
    (void)state;
    tree_case c = parse("a: 1\nb: !include x\na: 2\n? [k]\n: v\n\"t\\0u\": 1\n");
    assert_non_null(c.root);
    static const char *const expected[] = {
        "f:2:13: error: a scene has no tags; remove '!include'",
        "f:4:3: error: a key must be a word, not a list",
        "f:6:1: error: text with a NUL character; remove the '\\0'",
        "f:3:1: error: key 'a' was given already in line 1; remove one of the two",
    };
    assert_int_equal(c.diagnostics.count, 4);
    for (size_t i = 0; i < 4; i++) {
        char said[200];
        cdg_diagnostic_format(&c.diagnostics.items[i], "f", said, sizeof said);
        assert_string_equal(said, expected[i]);
    }
    assert_string_equal(cdg_tree_get(c.root, "a")->text, "1");
    finish(&c);
}

static void test_core_tags_are_fine(void **state) {
    (void)state;
    tree_case c = parse("a: !!str 3\nb: !!map {x: 1}\n");
    assert_int_equal(c.diagnostics.count, 0);
    finish(&c);
}

static void test_text_that_is_no_text(void **state) {
    (void)state;
    assert_refused("a: 1\nb: \xFF\n", "f:2:4: error: byte 0xFF is not UTF-8; save the scene as UTF-8 text");
    assert_refused("\xC3", "f:1:1: error: byte 0xC3 is not UTF-8; save the scene as UTF-8 text");
    assert_refused("\xC0\x80", "f:1:1: error: byte 0xC0 is not UTF-8; save the scene as UTF-8 text");
    assert_refused("\xED\xA0\x80", "f:1:1: error: byte 0xED is not UTF-8; save the scene as UTF-8 text");
    assert_refused("a: \0 1\n",
                   "f:1:4: error: a NUL byte; this is not a text file, or it was saved as UTF-16: save it as UTF-8");
    assert_refused("\xFF\xFE"
                   "a\0",
                   "f:1:1: error: byte 0xFF is not UTF-8; save the scene as UTF-8 text");
    assert_refused("ä: \x1b[0m\n", "f:1:4: error: control character 0x1B; remove it");
}

static void test_syntax(void **state) {
    (void)state;
    assert_refused("a:\n\tb: 1\n",
                   "f:2:1: error: not valid YAML: tab character may not be used as indentation; indent with spaces");
    assert_refused("a: 1\n b: 2\n",
                   "f:1:4: error: not valid YAML: invalid multiline plain key; is the next line indented too far?");
    assert_refused(
        "a: [1, 2\n",
        "f:1:4: error: not valid YAML: this '[' is not closed; a ']' is missing before line 2, or that line is "
        "indented too little");
    assert_refused("a: \"x\n",
                   "f:1:5: error: not valid YAML: double-quoted scalar without closing quote; add the missing quote");
    assert_refused("a: b: c\n", "f:1:5: error: not valid YAML: invalid nested block mapping on the same line; put text "
                                "with a colon in quotes, and an inner "
                                "'key: value' on its own line or in { }");
    assert_refused("a: 1\n---\nb: 2\n", "f:2:1: error: a second document begins here; a scene file holds one");
}

static void test_nothing(void **state) {
    (void)state;
    static const char *const texts[] = {"", "\n\n", "# only a comment\n", "---\n...\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        tree_case c = parse(texts[i]);
        assert_int_equal(c.diagnostics.count, 0);
        assert_true(c.root == NULL || c.root->kind == SCENE_NOTHING);
        finish(&c);
    }
}

static void test_bounds(void **state) {
    (void)state;
    // depth, flow and block
    char deep[4000];
    memset(deep, '[', 2000);
    memset(deep + 2000, ']', 1999);
    deep[3999] = '\0';
    tree_case c = parse(deep);
    assert_null(c.root);
    assert_string_equal(c.diagnostics.items[0].text, "nested deeper than 64 levels");
    finish(&c);
    // billion laughs: ten to the tenth values from some hundred bytes
    char laughs[2000] = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i <= 9; i++) {
        size_t used = strlen(laughs);
        sprintf(laughs + used, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i, i, i - 1,
                i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    }
    c = parse(laughs);
    assert_null(c.root);
    assert_string_equal(c.diagnostics.items[0].text, "aliases expand to more than 4000000 values");
    assert_true(cdg_storage_used(c.storage) < 1000000);
    finish(&c);
    // anchors
    char *many = malloc(40000);
    size_t used = 0;
    for (int i = 0; i < 1100; i++) used += (size_t)sprintf(many + used, "- &x%d 1\n", i);
    c = parse(many);
    assert_null(c.root);
    assert_string_equal(c.diagnostics.items[0].text, "more than 1000 anchors");
    finish(&c);
    free(many);
}

static void test_a_huge_scalar_and_a_huge_file(void **state) {
    (void)state;
    size_t size = 3000000;
    char *text = malloc(size + 1);
    memset(text, 'x', size);
    memcpy(text, "a: ", 3);
    tree_case c = parse_size(text, size);
    assert_int_equal(c.diagnostics.count, 0);
    assert_int_equal(cdg_tree_get(c.root, "a")->length, size - 3);
    finish(&c);
    free(text);
    size = CDG_SCENE_BYTES_MAX + 1;
    text = malloc(size);
    memset(text, ' ', size);
    c = parse_size(text, size);
    assert_null(c.root);
    assert_int_equal(c.diagnostics.count, 1);
    finish(&c);
    free(text);
}

static void test_override_marks(void **state) {
    (void)state;
    tree_case c = {.storage = cdg_storage_create(0)};
    c.diagnostics.storage = c.storage;
    c.root = cdg_tree_parse("[1, {a: b}]", 11, "x.y", c.storage, &c.diagnostics);
    assert_string_equal(c.root->items[0]->mark.override, "x.y");
    assert_int_equal(c.root->items[0]->mark.line, 0);
    finish(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds_and_places),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_aliases_and_merge_keys),
        cmocka_unit_test(test_merging_into_maps_of_every_size),
        cmocka_unit_test(test_bad_references),
        cmocka_unit_test(test_lesser_errors_keep_the_tree),
        cmocka_unit_test(test_core_tags_are_fine),
        cmocka_unit_test(test_text_that_is_no_text),
        cmocka_unit_test(test_syntax),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_a_huge_scalar_and_a_huge_file),
        cmocka_unit_test(test_override_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
