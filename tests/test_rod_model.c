// The table of models: complete, and in the order of the public list.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rods/rod_model.h"

static void test_every_listed_model_is_whole(void **state) {
    (void)state;
    const char *names[] = {
#define MODEL_NAME(enumerator, name, text) name,
        CDG_MODEL_LIST(MODEL_NAME)
#undef MODEL_NAME
    };
    for (int m = 0; m < CDG_MODEL_COUNT; m++) {
        const cdg_rod_model *model = cdg_rod_model_get((cdg_model)m);
        assert_non_null(model);
        assert_string_equal(model->name, names[m]);
        assert_true(model->check && model->needs_history && model->scratch_size && model->predict && model->commit &&
                    model->advise_step);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_listed_model_is_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
