// The list of solid models: every one is there, under its name, with all operations.
#include "solid_case.h"

static void test_every_model_is_whole(void **state) {
    (void)state;
    static const char *const names[] = {
#define NAME(id, name, text) name,
        CDG_SOLID_MODEL_LIST(NAME)
#undef NAME
    };
    for (int m = 0; m < CDG_SOLID_MODEL_COUNT; m++) {
        const cdg_solid_model_table *model = cdg_solid_model_get((cdg_solid_model)m);
        assert_non_null(model);
        assert_string_equal(model->name, names[m]);
        bool is_law = model->energy != NULL && model->stress != NULL && model->forces != NULL;
        bool is_whole = model->build != NULL && model->free != NULL && model->whole_energy != NULL;
        assert_true((is_law && model->curvature != NULL) ||
                    (is_whole && (model->predict != NULL || model->forces != NULL)));
    }
    assert_null(cdg_solid_model_get(CDG_SOLID_MODEL_COUNT));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_model_is_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
