// Implicit steps: free fall, the frequency and damping of a swinging cantilever, twisting waves, order in time.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "math/quat.h"
#include "near.h"
#include "rods/discrete_spring.h"
#include "small_world.h"

static cdg_rod_def soft(size_t elements) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    def.material.young_modulus = 1e7, def.material.poisson_ratio = 0.3, def.material.density = 1000;
    def.section.radius = 5e-3;
    def.element_count = elements;
    return def;
}

static void test_free_fall(void **state) {
    (void)state;
    cdg_rod_def def = soft(5);
    small_world small = small_world_make(&def, vec3(0, 0, -10), 0.01, false);
    small_world_run(&small, 100);
    cdg_vec3 v[6];
    must(small.world, cdg_rod_velocities(small.world, small.rod, v));
    for (int i = 0; i < 6; i++) assert_vec3_near(v[i], vec3(0, 0, -10), 1e-8);
    cdg_world_destroy(small.world);
}

// A cantilever bent a little and let go: its tip swings as the first mode, omega = 1.8751^2 sqrt(B/(m L^4)). Counts the
// passages through zero; what is left of the amplitude tells the scheme's damping.
static double swing(cdg_der_scheme scheme, double steps_a_period, double *amplitude) {
    cdg_rod_def def = soft(30);
    def.der.scheme = scheme;
    double stiffness = 1e7 * der_pi / 4 * 625e-12, mass = 1000 * der_pi * 25e-6;
    double omega = 1.8751040687 * 1.8751040687 * sqrt(stiffness / mass), step = 2 * der_pi / omega / steps_a_period;
    small_world small = small_world_make(&def, vec3(0, 0, 0), step, true);
    cdg_vec3 v[31];
    for (int i = 0; i <= 30; i++) { // the first mode's shape as a velocity
        double b = 1.8751040687, s = b * i / 30, ratio = (sinh(b) - sin(b)) / (cosh(b) + cos(b));
        v[i] = vec3(0, 0, 1e-3 * (cosh(s) - cos(s) - ratio * (sinh(s) - sin(s))));
    }
    must(small.world, cdg_rod_set_state(small.world, small.rod, NULL, NULL, v, NULL));
    cdg_vec3 x[31];
    double before = 0, time = 0, last = 0, first = 0;
    int passages = 0;
    *amplitude = 0;
    for (int i = 1; i <= (int)(8 * steps_a_period); i++) {
        small_world_run(&small, 1);
        time = i * step;
        must(small.world, cdg_rod_positions(small.world, small.rod, x));
        if (before * x[30].z < 0) {
            double at = time - step * x[30].z / (x[30].z - before);
            if (passages++ == 0) first = at;
            last = at;
            *amplitude = 0;
        }
        *amplitude = fmax(*amplitude, fabs(x[30].z));
        before = x[30].z;
    }
    cdg_world_destroy(small.world);
    *amplitude *= omega / 2e-3; // of the tip: mode shape 2 there
    return der_pi * (passages - 1) / (last - first) / omega;
}

static void test_cantilever_swings_at_its_frequency(void **state) {
    (void)state;
    double amplitude, euler;
    double finest = swing(CDG_DER_BDF2, 200, &amplitude);
    assert_near(finest, 1, 2e-3);
    assert_near(amplitude, 1, 0.02);
    swing(CDG_DER_EULER, 200, &euler);
    assert_true(euler < 0.5 * amplitude); // (1 + (2 pi/200)^2)^(-1/2) a step
    double coarse = swing(CDG_DER_BDF2, 50, &amplitude), fine = swing(CDG_DER_BDF2, 100, &amplitude);
    assert_near((coarse - finest) / (fine - finest), 5, 0.5); // second order; first order gives 3
}

// A rod held at one end's section, its spin like the first torsional mode: omega = (pi/2) sqrt(G/rho)/L.
static void test_twisting_wave(void **state) {
    (void)state;
    cdg_rod_def def = soft(40);
    double omega = der_pi / 2 * sqrt(1e7 / 2.6 / 1000), step = 2 * der_pi / omega / 200;
    small_world small = small_world_make(&def, vec3(0, 0, 0), step, true);
    cdg_vec3 w[40];
    for (int j = 0; j < 40; j++) w[j] = vec3(0, 0, sin(der_pi / 2 * (j + 0.5) / 40));
    must(small.world, cdg_rod_set_state(small.world, small.rod, NULL, NULL, NULL, w));
    double kinetic = cdg_world_energy(small.world).kinetic;
    small_world_run(&small, 50); // a quarter: all energy is in the twist
    cdg_energy e = cdg_world_energy(small.world);
    assert_near(e.twist, kinetic, 5e-3 * kinetic);
    assert_near(e.kinetic, 0, 5e-3 * kinetic);
    small_world_run(&small, 150);
    must(small.world, cdg_rod_angular_velocities(small.world, small.rod, w));
    assert_near(w[39].z, 1, 0.02);
    cdg_world_destroy(small.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_fall),
        cmocka_unit_test(test_cantilever_swings_at_its_frequency),
        cmocka_unit_test(test_twisting_wave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
