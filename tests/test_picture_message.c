// Pictures as bytes, as the protocol lays them out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/picture_message.h"

#include <string.h>

static void layout_is_the_protocols(void **state) {
    (void)state;
    cdg_picture_draft draft = {0};
    for (int round = 0; round < 3; round++) { // memory is used again
        const cdg_vec3 points[2] = {{1, 2, 3}, {4, 5, 6}};
        cdg_draft_begin(&draft, 7, 9, 0.5);
        cdg_draft_vectors(&draft, CDG_BLOCK_POSITIONS, points, 2);
        cdg_put_pose(cdg_draft_block(&draft, CDG_BLOCK_BODIES, 7), points[0], (cdg_quat){1, 0, 0, 0});
        cdg_message *message = cdg_draft_finish(&draft);
        assert_int_equal(message->size, 24 + 8 + 24 + 8 + 28);
        assert_true(message->is_binary && message->index == 9);
        const unsigned char *body = cdg_message_body(message);
        uint32_t head[4], block[2];
        double time;
        float numbers[7];
        memcpy(head, body, sizeof head);
        memcpy(&time, body + 16, sizeof time);
        assert_memory_equal(body, "CDG1", 4);
        assert_true(head[1] == 7 && head[2] == 9 && head[3] == 2 && time == 0.5);
        memcpy(block, body + 24, sizeof block);
        memcpy(numbers, body + 32, 6 * sizeof(float));
        assert_true(block[0] == 1 && block[1] == 6 && numbers[0] == 1 && numbers[5] == 6);
        memcpy(block, body + 56, sizeof block);
        memcpy(numbers, body + 64, 7 * sizeof(float));
        assert_true(block[0] == 5 && block[1] == 7 && numbers[2] == 3 && numbers[3] == 1);
        cdg_message_release(message);
    }
    cdg_draft_free(&draft);
    assert_null(cdg_draft_finish(&draft));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(layout_is_the_protocols)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
