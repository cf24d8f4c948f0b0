// libav is there when it is asked for, and does what it is asked.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "render/libav.h"

static void every_function_is_found(void **state) {
    (void)state;
    for (int times = 0; times < 2; times++) { // a second time gives the same
        cdg_libav av = {0};
        cdg_error error;
        assert_int_equal(cdg_libav_load(&av, &error), CDG_OK);
#define IS_THERE(name) assert_true(av.name != NULL);
        CDG_AVFORMAT_LIST(IS_THERE)
        CDG_AVCODEC_LIST(IS_THERE)
        CDG_AVUTIL_LIST(IS_THERE)
        CDG_SWSCALE_LIST(IS_THERE)
#undef IS_THERE
        AVRational half = av.av_d2q(0.5, 100);
        assert_int_equal(half.num, 1);
        assert_int_equal(half.den, 2);
        assert_non_null(av.avcodec_find_encoder(AV_CODEC_ID_MPEG4));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_function_is_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
