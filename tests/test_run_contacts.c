// Contacts in run files: what the world says at every output, more than there was room for, stopped and continued runs.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "output/run_reader.h"
#include "run_scene.h"

// A short bar and a bent one fall onto a floor and onto each other, and a ball lies in their way.
static const char scene_text[] =
    "cordage: 1\n"
    "simulation: {model: pobd, step: 1 ms, duration: 0.2 s, pobd: {solver: gauss_seidel}}\n"
    "output: {every: 10 ms}\n"
    "materials: {m: {young_modulus: 10 MPa, density: 1200, damping: 2 ms}}\n"
    "rods:\n"
    "  - {name: low, material: m, section: {circle: {radius: 5 mm}}, centerline: {line: {from: [0, 0, 0.02], to: [0.2, "
    "0, "
    "0.02]}}, elements: 12}\n"
    "  - {name: high, material: m, section: {circle: {radius: 5 mm}}, centerline: {line: {from: [0.1, -0.1, 0.05], to: "
    "[0.1, 0.1, 0.05]}}, elements: 12}\n"
    "obstacles: [{plane: {normal: [0, 0, 1]}, name: floor}]\n"
    "bodies: [{name: ball, shape: {sphere: {radius: 2 cm}}, density: 1000, position: [0.17, 0, 0.08]}]\n"
    "probes: [{name: hit, contact force: low}]\n";

static cdg_scene *parse(void) {
    cdg_scene *scene = NULL;
    cdg_error error = {0};
    if (cdg_scene_parse(scene_text, strlen(scene_text), "contacts", NULL, NULL, 0, &scene, &error) != CDG_OK)
        fail_msg("%s", error.message);
    return scene;
}

static bool stop_at(void *user, const cdg_run_progress *progress) { return progress->step < *(const uint64_t *)user; }

static void run(const char *directory, uint64_t stop, bool resume) {
    cdg_scene *scene = parse();
    cdg_run_def def = {.scene = scene, .directory = directory, .resume = resume, .thread_count = 1};
    if (stop > 0) def.on_progress = stop_at, def.user = &stop;
    cdg_error error = {0};
    cdg_result result = cdg_run(&def, NULL, &error);
    if (result != (stop > 0 ? CDG_ERROR_INTERRUPTED : CDG_OK)) fail_msg("%s", error.message);
    cdg_scene_destroy(scene);
}

static cdg_run_reader *open_run(const char *directory) {
    cdg_run_reader *reader = NULL;
    cdg_error error = {0};
    if (cdg_run_reader_open(directory, &reader, &error) != CDG_OK) fail_msg("%s", error.message);
    assert_true(reader->has_contacts && reader->has_contact_places);
    return reader;
}

enum { CONTACTS_MAX = 200 };

static size_t read_all(const cdg_run_reader *reader, size_t frame, cdg_run_contact *out) {
    size_t count = 0;
    memset(out, 0, CONTACTS_MAX * sizeof *out);
    assert_int_equal(cdg_run_reader_contact_count(reader, frame, &count, NULL), CDG_OK);
    assert_true(count <= CONTACTS_MAX);
    assert_int_equal(cdg_run_reader_contacts(reader, frame, out, CONTACTS_MAX, NULL), CDG_OK);
    return count;
}

// Against a world that makes the same steps, and cdg_world_contacts against cdg_world_contact_at.
static void test_as_in_the_world(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    run(base, 0, false);
    cdg_run_reader *reader = open_run(base);
    cdg_scene *scene = parse();
    cdg_world *world = NULL;
    assert_int_equal(cdg_scene_build(scene, 1, &world, NULL), CDG_OK);
    assert_int_equal(cdg_world_set_step_size(world, reader->times[1] / 10), CDG_OK);
    static cdg_run_contact stored[CONTACTS_MAX];
    static cdg_contact_info now[CONTACTS_MAX];
    size_t seen[CDG_RUN_SIDE_COUNT] = {0};
    for (size_t frame = 0; frame < reader->frame_count; frame++) {
        size_t count = read_all(reader, frame, stored), there = 0;
        assert_int_equal(cdg_world_contacts(world, now, CONTACTS_MAX, &there), CDG_OK);
        assert_int_equal(count, there);
        for (size_t i = 0; i < count; i++) {
            const cdg_run_contact *c = &stored[i];
            cdg_contact_info again;
            assert_int_equal(cdg_world_contact_at(world, i, &again), CDG_OK);
            assert_memory_equal(&again.force, &now[i].force, sizeof again.force);
            assert_memory_equal(&c->force, &now[i].force, sizeof c->force);
            assert_memory_equal(&c->position, &now[i].point, sizeof c->position);
            assert_memory_equal(&c->normal, &now[i].normal, sizeof c->normal);
            assert_true(c->gap == now[i].gap && c->sides[0].parameter == now[i].place);
            bool is_of_rod = now[i].rod.index1 != 0;
            assert_int_equal(c->sides[0].kind, is_of_rod ? CDG_RUN_SIDE_ROD : CDG_RUN_SIDE_BODY);
            assert_int_equal(c->sides[0].object, (is_of_rod ? now[i].rod.index1 : now[i].first_body.index1) - 1);
            assert_int_equal(c->sides[0].element, now[i].element);
            uint32_t others[] = {now[i].other.index1, now[i].obstacle.index1, now[i].body.index1};
            assert_in_range(c->sides[1].kind, 0, CDG_RUN_SIDE_COUNT - 1);
            assert_int_equal(c->sides[1].object + 1, others[c->sides[1].kind]);
            seen[c->sides[1].kind]++;
        }
        for (int i = 0; i < 10; i++) assert_int_equal(cdg_world_step(world, NULL), CDG_OK);
    }
    for (int k = 0; k < CDG_RUN_SIDE_SOLID; k++) assert_true(seen[k] > 0); // rods, floor and ball all take part
    size_t there = 0;
    assert_int_equal(cdg_world_contacts(world, NULL, 0, &there), CDG_OK);
    assert_int_equal(there, cdg_world_contact_count(world));
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
    cdg_run_reader_close(reader);
    run_directory_remove(base);
}

// Every member to the bit; between them there may be anything.
static void expect_same(const cdg_run_contact *a, const cdg_run_contact *b) {
    for (int k = 0; k < 2; k++) {
        assert_int_equal(a->sides[k].kind, b->sides[k].kind);
        assert_int_equal(a->sides[k].object, b->sides[k].object);
        assert_int_equal(a->sides[k].element, b->sides[k].element);
        assert_memory_equal(&a->sides[k].parameter, &b->sides[k].parameter, sizeof(double));
    }
    assert_memory_equal(&a->position, &b->position, sizeof a->position);
    assert_memory_equal(&a->normal, &b->normal, sizeof a->normal);
    assert_memory_equal(&a->force, &b->force, sizeof a->force);
    assert_memory_equal(&a->gap, &b->gap, sizeof a->gap);
}

static void test_continued(void **state) {
    (void)state;
    char whole[RUN_PATH_SIZE], parts[RUN_PATH_SIZE];
    static cdg_run_contact a[CONTACTS_MAX], b[CONTACTS_MAX];
    run_directory_make(whole);
    run_directory_make(parts);
    run(whole, 0, false);
    run(parts, 75, false);
    run(parts, 143, true);
    run(parts, 0, true);
    cdg_run_reader *x = open_run(whole), *y = open_run(parts);
    assert_int_equal(x->frame_count, y->frame_count);
    for (size_t frame = 0; frame < x->frame_count; frame++) {
        size_t count = read_all(x, frame, a);
        assert_int_equal(read_all(y, frame, b), count);
        for (size_t i = 0; i < count; i++) expect_same(&a[i], &b[i]);
    }
    char *p = run_read_text(whole, "probes.csv", NULL), *q = run_read_text(parts, "probes.csv", NULL);
    assert_string_equal(p, q); // peaks, too, though a stop fell between outputs
    free(p);
    free(q);
    cdg_run_reader_close(x);
    cdg_run_reader_close(y);
    run_directory_remove(whole);
    run_directory_remove(parts);
}

static void test_damage(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    static cdg_run_contact out[CONTACTS_MAX];
    run_directory_make(base);
    run(base, 0, false);
    const double wrong[] = {-1, 1e9, 0.5, NAN};
    for (size_t i = 0; i < 4; i++) {
        run_poke(base, "/contacts/first", 12, wrong[i]);
        cdg_run_reader *reader = open_run(base);
        cdg_error error = {0};
        assert_int_equal(cdg_run_reader_contacts(reader, 12, out, CONTACTS_MAX, &error), CDG_ERROR_FORMAT);
        assert_non_null(strstr(error.message, "contacts at output 12"));
        cdg_run_reader_close(reader);
    }
    run_directory_remove(base);
}

// More contacts than the file has room for: their rows go on where the others end.
static void test_rows(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    FILE *file = fopen(run_path(base, "rows"), "w+b");
    assert_non_null(file);
    cdg_run_contacts layout = {.is_there = true, .has_places = true, .room = 100};
    uint64_t offset = 0;
    layout.count = offset, layout.deepest = offset += 80, layout.first = offset += 80;
    offset += 80;
#define PLACE(name, numbers, units, text) layout.name = offset, offset += 100 * 8 * (numbers);
    CDG_RUN_CONTACT_LIST(PLACE)
#undef PLACE
    assert_int_equal(offset, 240 + 100 * 8 * cdg_run_contact_numbers());
    cdg_run_contact list[3], back[3];
    memset(list, 0, sizeof list);
    for (size_t i = 0; i < 3; i++)
        list[i] = (cdg_run_contact){.sides = {{CDG_RUN_SIDE_ROD, i, 2 * i, 0.25}, {CDG_RUN_SIDE_BODY, 7, 0, 0}},
                                    .position = {1, 2, (double)i},
                                    .normal = {0, 0, 1},
                                    .force = {(double)i, 5, 6},
                                    .gap = -0.001};
    int descriptor = fileno(file);
    assert_int_equal(cdg_run_contacts_write_frame(&layout, 4, 40, list, 3, 0.5, descriptor, "rows", NULL), CDG_OK);
    size_t first, count;
    assert_int_equal(cdg_run_contacts_range(&layout, 4, descriptor, "rows", &first, &count, NULL), CDG_OK);
    assert_true(first == 40 && count == 3);
    assert_int_equal(cdg_run_contacts_read(&layout, first, count, descriptor, "rows", back, NULL), CDG_OK);
    for (size_t i = 0; i < 3; i++) {
        assert_memory_equal(&back[i].force, &list[i].force, sizeof list[i].force);
        assert_int_equal(back[i].sides[0].element, 2 * i);
        assert_int_equal(back[i].sides[1].kind, CDG_RUN_SIDE_BODY);
        assert_true(back[i].gap == -0.001 && back[i].sides[0].parameter == 0.25);
    }
    fclose(file);
    run_directory_remove(base);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_in_the_world), cmocka_unit_test(test_continued),
                                       cmocka_unit_test(test_damage), cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
