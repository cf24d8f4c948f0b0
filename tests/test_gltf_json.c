// Pieces of glTF's description: text is quoted, lists have commas, views follow each other without gaps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "export/gltf_json.h"

#include <string.h>

static void expect(const cdg_bytes *bytes, const char *text) {
    assert_int_equal(bytes->size, strlen(text));
    assert_memory_equal(bytes->data, text, bytes->size);
}

static void test_pieces(void **state) {
    (void)state;
    cdg_bytes bytes = {0};
    cdg_gltf_put_comma(&bytes);
    cdg_gltf_put_text(&bytes, "a \"b\"\n");
    cdg_gltf_put_comma(&bytes);
    cdg_gltf_put_floats(&bytes, (const float[]){1, 0.5F}, 2);
    expect(&bytes, "\"a \\\"b\\\"\\n\",\n1,0.5");
    cdg_bytes_free(&bytes);
    const float points[] = {1, 2, 3, -4, 5, 0};
    cdg_gltf_put_bounds(&bytes, points, 2, 3);
    assert_string_equal((const char *)bytes.data, ",\"min\":[-4,2,0],\"max\":[1,5,3]");
    cdg_bytes_free(&bytes);
}

static void test_numbers_of_what_is_added(void **state) {
    (void)state;
    cdg_gltf_json json = {0};
    assert_int_equal(cdg_gltf_add_view(&json, 12, TARGET_VERTICES), 0);
    assert_int_equal(cdg_gltf_add_view(&json, 40, 0), 1);
    assert_int_equal(json.size, 52);
    expect(&json.views, "{\"buffer\":0,\"byteOffset\":0,\"byteLength\":12,\"target\":34962},\n"
                        "{\"buffer\":0,\"byteOffset\":12,\"byteLength\":40}");
    assert_int_equal(cdg_gltf_add_accessor(&json, 1, 8, TYPE_FLOAT, 3, "SCALAR", ""), 0);
    expect(&json.accessors,
           "{\"bufferView\":1,\"byteOffset\":8,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\"}");
    assert_int_equal(cdg_gltf_add_node(&json, "rod", "_2"), 0);
    expect(&json.nodes, "{\"name\":\"rod_2\"");
    cdg_gltf_add_channel(&json, 4, 7, "weights");
    expect(&json.channels, "{\"sampler\":4,\"target\":{\"node\":7,\"path\":\"weights\"}}");
    cdg_gltf_json_free(&json);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pieces), cmocka_unit_test(test_numbers_of_what_is_added)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
