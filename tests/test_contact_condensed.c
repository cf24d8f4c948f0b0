// The matrix between contacts on solids: what forces do to gaps and slips is what responses of whole solids do.
#include "solid_world_case.h"

#include "contact/contacts.h"

// Blocks that lie across each other on a floor.
static cdg_world *make(cdg_solid_integrator last) {
    cdg_world *world = solid_world(1, 2e-3);
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = 0.4;
    assert_int_equal(cdg_world_set_contact(world, &contact), CDG_OK);
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    assert_int_equal(cdg_world_add_obstacle(world, &floor, NULL), CDG_OK);
    for (int i = 0; i < 3; i++) {
        cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, i < 2 ? CDG_SOLID_EULER : last);
        def.position = vec3(0.01 * i, 0, 0.056 + 0.111 * i);
        def.orientation = quat_from_axis_angle(vec3(0, 0, 1), 0.4 * i);
        def.velocity = vec3(0.5 * i, 0, -0.2 * i);
        solid_world_add(world, def, vec3(0.1, 0.1, 0.1), 0.05);
    }
    solid_world_steps(world, 20);
    assert_true(world->contacts.row_count > 10);
    return world;
}

static size_t list_answered(const cdg_contacts *c, uint32_t *numbers) {
    size_t count = 0;
    for (uint32_t i = 0; i < c->row_count; i++)
        if (contact_row_is_answered(&c->rows[i])) numbers[count++] = i;
    return count;
}

// Random forces of the rows move the points.
static void push(cdg_contacts *c, const uint32_t *numbers, size_t count, const double *force) {
    cdg_pieces *p = &c->pieces;
    memset(p->force, 0, p->point_count * sizeof *p->force);
    for (size_t i = 0; i < count; i++) {
        const cdg_contact_row *row = &c->rows[numbers[i]];
        for (size_t n = 0; n < CDG_ROW_POINTS; n++)
            for (size_t a = 0; a < 3; a++) {
                const double(*j)[3] = &row->jacobian[3 * n], f = force[3 * i + a];
                p->force[row->point[n]] =
                    vec3_add(p->force[row->point[n]], vec3(j[0][a] * f, j[1][a] * f, j[2][a] * f));
            }
    }
    cdg_coupling_respond(&c->coupling, p, NULL, NULL);
    p->move[CDG_STILL_POINT] = vec3(0, 0, 0);
}

static void products_are_responses(void **state) {
    (void)state;
    for (int felt_apart = 0; felt_apart < 2; felt_apart++) {
        cdg_world *world = make(CDG_SOLID_EULER);
        cdg_contacts *c = &world->contacts;
        cdg_condensed m = {0};
        uint32_t *numbers = malloc(c->row_count * sizeof *numbers);
        size_t count = list_answered(c, numbers), others = 0;
        double *force = malloc(3 * count * sizeof *force), scale = 0;
        cdg_random random = {3};
        for (size_t k = 0; k < 3 * count; k++) force[k] = random_in(&random, -1, 1);
        assert_int_equal(
            cdg_condensed_fill(&m, &c->coupling, &c->pieces, felt_apart ? c->list : NULL, c->rows, numbers, count),
            CDG_CONDENSED_OK);
        push(c, numbers, count, force);
        for (size_t i = 0; i < count; i++) scale = fmax(scale, m.diagonal[9 * i]);
        for (size_t i = 0; i < count; i++) {
            const cdg_contact_row *row = &c->rows[numbers[i]];
            double felt[3], expected[3] = {0, 0, 0};
            cdg_condensed_feel(&m, i, force, felt);
            for (size_t n = 0; n < CDG_ROW_POINTS; n++) {
                cdg_vec3 d = c->pieces.move[row->point[n]];
                const double moves[3] = {d.x, d.y, d.z};
                for (size_t k = 0; k < 3; k++) {
                    expected[0] += m.normal[i][3 * n + k] * moves[k];
                    for (int a = 1; a < 3; a++) expected[a] += row->jacobian[3 * n + k][a] * moves[k];
                    others += fabs(m.normal[i][3 * n + k] - row->jacobian[3 * n + k][0]) > 1e-6;
                }
            }
            for (int k = 0; k < 3; k++) assert_near(felt[k], expected[k], 1e-9 * scale);
        }
        assert_true(felt_apart ? others > 0 : others == 0);
        cdg_condensed_free(&m);
        free(numbers), free(force);
        cdg_world_destroy(world);
    }
}

// Where forces act is where gaps are felt: then it does not matter which of two contacts pushes.
static void plain_matrix_is_symmetric(void **state) {
    (void)state;
    cdg_world *world = make(CDG_SOLID_EULER);
    cdg_contacts *c = &world->contacts;
    cdg_condensed m = {0};
    uint32_t *numbers = malloc(c->row_count * sizeof *numbers);
    size_t count = list_answered(c, numbers), coupled = 0;
    assert_int_equal(cdg_condensed_fill(&m, &c->coupling, &c->pieces, NULL, c->rows, numbers, count), CDG_CONDENSED_OK);
    for (size_t g = 0; g < m.group_count; g++)
        for (size_t a = 0; a < m.groups[g].count; a++)
            for (size_t b = 0; b < a; b++) {
                const double *one = m.blocks + 9 * (m.groups[g].block + a * m.groups[g].count + b);
                const double *other = m.blocks + 9 * (m.groups[g].block + b * m.groups[g].count + a);
                for (int k = 0; k < 9; k++) assert_near(one[k], other[k / 3 + k % 3 * 3], 1e-9 * m.diagonal[0]);
                coupled++;
            }
    assert_true(coupled > 20);
    cdg_condensed_free(&m);
    free(numbers);
    cdg_world_destroy(world);
}

// An explicit solid answers by the masses of its points.
static void others_have_no_such_matrix(void **state) {
    (void)state;
    cdg_world *world = make(CDG_SOLID_EXPLICIT);
    cdg_contacts *c = &world->contacts;
    cdg_condensed m = {0};
    uint32_t *numbers = malloc(c->row_count * sizeof *numbers);
    size_t count = list_answered(c, numbers);
    assert_int_equal(cdg_condensed_fill(&m, &c->coupling, &c->pieces, c->list, c->rows, numbers, count),
                     CDG_CONDENSED_NONE);
    cdg_condensed_free(&m);
    free(numbers);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_responses),
        cmocka_unit_test(plain_matrix_is_symmetric),
        cmocka_unit_test(others_have_no_such_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
