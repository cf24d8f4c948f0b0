// A .vtp in memory: arrays come back from zlib as they went in, at the offsets that the XML gives.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

#include "export/vtp.h"
#include "math/random.h"

// The array's bytes, found as VTK's documentation says; malloc'ed.
static unsigned char *read_array(const cdg_vtp *vtp, const char *name, size_t *size) {
    const char *text = (const char *)vtp->xml.data, *appended = strstr(text, "<AppendedData encoding=\"raw\">\n_");
    char key[100];
    snprintf(key, sizeof key, "Name=\"%s\"", name);
    const char *place = strstr(text, key);
    assert_non_null(appended);
    assert_non_null(place);
    place = strstr(place, "offset=\"");
    const unsigned char *data = (const unsigned char *)strchr(appended, '_') + 1 + strtoull(place + 8, NULL, 10);
    uint64_t head[3];
    memcpy(head, data, sizeof head);
    uint64_t blocks = head[0], block_size = head[1], last = head[2];
    *size = blocks == 0 ? 0 : (size_t)((blocks - (last > 0)) * block_size + last);
    unsigned char *out = malloc(*size + 1), *next = out;
    const unsigned char *from = data + 24 + 8 * blocks;
    for (uint64_t i = 0; i < blocks; i++) {
        uint64_t compressed;
        memcpy(&compressed, data + 24 + 8 * i, 8);
        uLongf room = (uLongf)(i + 1 == blocks && last > 0 ? last : block_size), wanted = room;
        assert_int_equal(uncompress(next, &room, from, (uLong)compressed), Z_OK);
        assert_int_equal(room, wanted);
        next += room;
        from += compressed;
    }
    return out;
}

static void test_round_trip(void **state) {
    (void)state;
    cdg_random random = {1};
    cdg_vtp vtp = {0};
    // none, one, a block exactly (2^18 bytes), a little more and less, several
    const size_t counts[] = {0, 1, 7, 32767, 32768, 32769, 65536, 100001};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        size_t count = counts[i], size;
        double *numbers = malloc((count + 1) * sizeof *numbers);
        int32_t *integers = malloc((count + 1) * sizeof *integers);
        for (size_t k = 0; k < count; k++) {
            numbers[k] = i % 2 ? random_unit(&random) : (double)(k % 3);
            integers[k] = (int32_t)random_bits(&random);
        }
        cdg_vtp_begin(&vtp, "PolyData");
        cdg_vtp_array(&vtp, "first", CDG_VTP_FLOAT64, 1, NULL, numbers, count, false);
        cdg_vtp_array(&vtp, "second", CDG_VTP_INT32, 1, NULL, integers, count, true);
        assert_true(cdg_vtp_end(&vtp));
        cdg_bytes_append(&vtp.xml, "", 1); // for strstr; binary data stand last
        unsigned char *got = read_array(&vtp, "first", &size);
        assert_int_equal(size, count * 8);
        assert_memory_equal(got, numbers, size);
        free(got);
        got = read_array(&vtp, "second", &size);
        assert_int_equal(size, count * 4);
        assert_memory_equal(got, integers, size);
        free(got);
        free(numbers);
        free(integers);
    }
    cdg_vtp_free(&vtp);
}

static void test_text(void **state) {
    (void)state;
    cdg_vtp vtp = {0};
    const char *const names[] = {"ab", ""}, *const components[] = {"x", "y"};
    const float numbers[4] = {0};
    cdg_vtp_begin(&vtp, "PolyData");
    cdg_vtp_texts(&vtp, "names", names, 2);
    cdg_vtp_array(&vtp, "pair", CDG_VTP_FLOAT32, 2, components, numbers, 2, false);
    cdg_bytes_append(&vtp.xml, "", 1);
    const char *text = (const char *)vtp.xml.data;
    assert_non_null(strstr(text, "NumberOfTuples=\"2\" format=\"ascii\">\n97 98 0 \n0 \n</Array>"));
    assert_non_null(strstr(text, "type=\"Float32\" Name=\"pair\" NumberOfComponents=\"2\" ComponentName0=\"x\" "
                                 "ComponentName1=\"y\" format=\"appended\" offset=\"0\"/>"));
    cdg_bytes out = {0};
    cdg_vtp_escape(&out, "a<b>&\"c\"");
    cdg_bytes_append(&out, "", 1);
    assert_string_equal((const char *)out.data, "a&lt;b&gt;&amp;&quot;c&quot;");
    cdg_bytes_free(&out);
    cdg_vtp_free(&vtp);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
