// Set-up that tests of meshing share: a surface with what tells its inside, meshes of it, and blocks of cubes.
#ifndef MESHING_FIXTURE_H
#define MESHING_FIXTURE_H

#include "mesh_shapes.h"
#include "meshing/stuffing.h"
#include "meshing/tetrahedron.h"

typedef struct fixture {
    cdg_budget budget;
    cdg_soup soup;
    cdg_winding winding;
    cdg_inside inside;
} fixture;

static inline void fixture_build(fixture *f, cdg_mesh s) {
    cdg_error error;
    cdg_inside_facts facts;
    *f = (fixture){.budget = {.limit = 1 << 30}};
    assert_int_equal(cdg_soup_build(&s, &f->budget, &f->soup, &error), CDG_OK);
    assert_true(cdg_winding_build(&f->soup, &f->budget, &f->winding));
    f->inside = (cdg_inside){.rule = CDG_INSIDE_WINDING, .winding = &f->winding};
    assert_true(cdg_inside_survey(&f->soup, &f->winding, 1, &f->budget, &facts));
    f->inside.threshold = facts.threshold;
    cdg_mesh_free(&s);
}

static inline void fixture_release(fixture *f) {
    cdg_winding_free(&f->winding, &f->budget);
    cdg_soup_free(&f->soup, &f->budget);
    assert_int_equal(f->budget.used, 0);
}

static inline void fixture_fill(fixture *f, double size, double grading, int thread_count, cdg_raw_mesh *out) {
    cdg_stuffing_def def = {&f->inside, f->soup.low, f->soup.high, size, grading, thread_count};
    cdg_progress progress = {0};
    assert_int_equal(cdg_stuffing_fill(&def, &f->budget, &progress, out), CDG_OK);
}

// Elements of 3 x 3 x 3 cubes for which a bit is set, five each (see meshing/lattice.c), as the repair gets them.
static inline void take_cubes(cdg_raw_mesh *m, cdg_budget *budget, uint32_t cubes) {
    static const unsigned char own[2][4] = {{1, 2, 4, 7}, {0, 3, 5, 6}};
    *m = (cdg_raw_mesh){0};
    m->points = cdg_budget_take(budget, 64, sizeof *m->points);
    m->tetrahedra = cdg_budget_take(budget, 135, sizeof *m->tetrahedra);
    m->point_count = m->point_capacity = 64;
    m->tetrahedron_capacity = 135;
    for (int p = 0; p < 64; p++) m->points[p] = vec3(p % 4, p / 4 % 4, p / 16);
    for (int c = 0; c < 27; c++) {
        int at[3] = {c % 3, c / 3 % 3, c / 9}, odd = (at[0] + at[1] + at[2]) & 1;
        for (int e = 0; e < 5 && cubes >> c & 1; e++) {
            uint32_t *t = m->tetrahedra[m->tetrahedron_count++];
            cdg_vec3 p[4];
            for (int k = 0; k < 4; k++) {
                int corner = e == 4 ? own[!odd][k] : k == 0 ? own[odd][e] : own[odd][e] ^ (1 << (k - 1));
                t[k] =
                    (uint32_t)((at[2] + (corner >> 2)) * 16 + (at[1] + (corner >> 1 & 1)) * 4 + at[0] + (corner & 1));
                p[k] = m->points[t[k]];
            }
            if (tetrahedron_volume6(p) < 0) {
                uint32_t kept = t[2];
                t[2] = t[3];
                t[3] = kept;
            }
        }
    }
}

static inline cdg_mesh_quality raw_quality(const cdg_raw_mesh *m) {
    cdg_mesh view = {.points = m->points,
                     .point_count = m->point_count,
                     .tetrahedra = m->tetrahedra,
                     .tetrahedron_count = m->tetrahedron_count};
    cdg_mesh_quality quality;
    assert_int_equal(cdg_mesh_measure(&view, &quality, NULL), CDG_OK);
    return quality;
}

static inline size_t raw_faults(const cdg_raw_mesh *m) {
    cdg_mesh view = {.points = m->points,
                     .point_count = m->point_count,
                     .tetrahedra = m->tetrahedra,
                     .tetrahedron_count = m->tetrahedron_count};
    cdg_mesh_faults faults;
    assert_int_equal(cdg_mesh_check(&view, &faults, NULL), CDG_OK);
    return faults.total;
}

#endif
