// Frames that follow their edges, vector code against single steps, for each instruction set that this CPU has: the
// same frames and angles, and elements that it must leave alone are left alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "der_case.h"
#include "near.h"

enum { ELEMENTS = 37 };

typedef struct variant {
    size_t (*start)(const der_chain *);
    size_t (*follow)(const der_chain *, size_t, const double *);
} variant;

static int variants(variant out[3]) {
    int count = 0;
    out[count++] = (variant){der_place_start_base, der_place_follow_base};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        out[count++] = (variant){der_place_start_avx2, der_place_follow_avx2};
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("fma"))
        out[count++] = (variant){der_place_start_avx512, der_place_follow_avx512};
#endif
    return count;
}

static der_case make(cdg_random *random, der_chain *chain) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    def.element_count = ELEMENTS;
    der_case c = case_build(&def);
    case_shake(&c, random, 0.05);
    der_setup(c.rod, (der_scheme){0}, &c.loads, c.scratch, chain);
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i <= ELEMENTS; i++) chain->x[k][i] = c.rod->x[k][i] + random_in(random, -0.005, 0.005);
    return c;
}

// Frame, tangent and length of the elements before `end`.
static void check(const der_chain *c, const cdg_quat *expected, size_t end) {
    for (size_t j = 0; j < end; j++) {
        cdg_vec3 e = vec3_sub(rod_vec3(c->x, j + 1), rod_vec3(c->x, j));
        assert_rotation_near(rod_quat(c->q, j), expected[j], 1e-14);
        assert_vec3_near(rod_vec3(c->t, j), vec3_normalize(e), 1e-15);
        assert_near(c->inverse_length[j] * vec3_norm(e), 1, 1e-15);
        assert_vec3_near(rod_vec3(c->d1, j), quat_d1(expected[j]), 1e-14);
        assert_vec3_near(rod_vec3(c->d2, j), quat_d2(expected[j]), 1e-14);
    }
}

static void test_same_as_one_by_one(void **state) {
    (void)state;
    variant v[3];
    int count = variants(v);
    for (int k = 0; k < count; k++) {
        cdg_random random = {81};
        der_chain chain;
        der_case c = make(&random, &chain);
        cdg_quat expected[ELEMENTS];
        double turn[ELEMENTS];
        for (size_t j = 0; j < ELEMENTS; j++) {
            cdg_vec3 e = vec3_sub(rod_vec3(chain.x, j + 1), rod_vec3(chain.x, j));
            expected[j] = der_transport(rod_quat(c.rod->q, j), vec3_normalize(e), 0);
            turn[j] = random_in(&random, -1, 1);
        }
        size_t done = v[k].start(&chain), element;
        assert_true(done + 8 > ELEMENTS);
        check(&chain, expected, done);
        assert_true(der_chain_start(&chain, &element));
        check(&chain, expected, ELEMENTS);
        for (int a = 0; a < 3; a++)
            for (size_t i = 0; i <= ELEMENTS; i++) chain.x[a][i] += random_in(&random, -0.003, 0.003);
        for (size_t j = 0; j < ELEMENTS; j++) {
            cdg_vec3 e = vec3_sub(rod_vec3(chain.x, j + 1), rod_vec3(chain.x, j));
            expected[j] = der_transport(expected[j], vec3_normalize(e), turn[j]);
        }
        done = v[k].follow(&chain, 0, turn);
        assert_true(done + 8 > ELEMENTS);
        check(&chain, expected, done);
        for (size_t j = 0; j < done; j++) { // the angle from the base, by one transport
            cdg_quat base = rod_quat(c.rod->q, j);
            double a[4] = {base.w, base.x, base.y, base.z};
            double b[4] = {expected[j].w, expected[j].x, expected[j].y, expected[j].z};
            assert_near(chain.theta[j], der_measure(a, b, turn[j]).twist, 1e-14);
        }
        case_free(&c);
    }
}

// A turn beyond the series, and an edge without length: that group is not done, and not touched.
static void test_leaves_alone_what_it_cannot(void **state) {
    (void)state;
    variant v[3];
    int count = variants(v);
    for (int k = 0; k < count; k++)
        for (int kind = 0; kind < 2; kind++) {
            cdg_random random = {82};
            der_chain chain;
            der_case c = make(&random, &chain);
            double turn[ELEMENTS] = {0};
            size_t element;
            assert_true(der_chain_start(&chain, &element));
            cdg_quat before = rod_quat(chain.q, 20);
            if (kind == 0)
                turn[20] = 2;
            else
                rod_set_vec3(chain.x, 21, rod_vec3(chain.x, 20));
            size_t done = v[k].follow(&chain, 0, turn);
            assert_true(done <= 20 && done + 8 > 20);
            assert_rotation_near(rod_quat(chain.q, 20), before, 0);
            assert_near(chain.theta[20], 0, 0);
            assert_int_equal(der_chain_follow(&chain, turn, &element), kind == 0);
            if (kind == 0) assert_near(chain.theta[20], 2, 1e-15);
            if (kind == 1) assert_int_equal(element, 20);
            case_free(&c);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_one_by_one),
        cmocka_unit_test(test_leaves_alone_what_it_cannot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
