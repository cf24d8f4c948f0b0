// Messages between ranks, over a door that stays in this process.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sweep/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One message each way.
static struct {
    char *text;
    size_t size;
} to_leader, to_other;

static bool send_to(int to, const char *text, size_t size) {
    char *copy = malloc(size + 1);
    memcpy(copy, text, size);
    copy[size] = '\0';
    if (to == 0)
        to_leader.text = copy, to_leader.size = size;
    else
        to_other.text = copy, to_other.size = size;
    return true;
}

static bool leader_receives(int *from, char **text, size_t *size) {
    *text = to_leader.text, *size = to_leader.size, *from = 1;
    to_leader.text = NULL;
    return *text != NULL;
}

static cdg_ranks *leader;
static cdg_hand_out *hand_out;
static cdg_result attended;
static cdg_error attended_error;

// While the other rank waits for an answer, the leader attends to it.
static bool other_receives(int *from, char **text, size_t *size) {
    cdg_ranks_attend(leader, 0xabc, hand_out, &attended, &attended_error);
    *text = to_other.text, *size = to_other.size, *from = 0;
    to_other.text = NULL;
    return *text != NULL;
}

static void test_jobs_and_lines(void **state) {
    (void)state;
    const cdg_mpi_door leader_door = {.send = send_to, .receive = leader_receives};
    const cdg_mpi_door other_door = {.send = send_to, .receive = other_receives};
    cdg_ranks first = {.door = &leader_door, .size = 2}, second = {.door = &other_door, .rank = 1, .size = 2};
    cdg_hand_out jobs_out;
    size_t jobs[] = {3, 4, 9}, *got, count, seen = 0;
    leader = &first, hand_out = &jobs_out;
    cdg_hand_out_begin(&jobs_out, jobs, 3);
    char lines[64] = "";
    for (;;) {
        assert_true(cdg_ranks_want(&second, 0xabc, 1, lines, strlen(lines)));
        if (cdg_ranks_wait(&second, &got, &count) == CDG_RANKS_END) break;
        assert_true(count == 1 && got[0] == jobs[seen]);
        snprintf(lines, sizeof lines, "%zu\tdone\t0.5\tline\n", got[0]);
        seen++;
        free(got);
    }
    assert_int_equal(seen, 3);
    assert_true(cdg_ranks_want(&second, 0xabc, 0, lines, strlen(lines))); // lines alone get no answer
    assert_int_equal(cdg_ranks_hear(&second, &got, &count), CDG_RANKS_NOTHING_YET);
    assert_false(cdg_ranks_have_ended(&first)); // its last lines may still come
    assert_true(cdg_ranks_leave(&second, false) &&
                cdg_ranks_attend(&first, 0xabc, hand_out, &attended, &attended_error));
    assert_true(first.lost == 1 && cdg_ranks_have_ended(&first) && first.case_seconds > 0);
    cdg_line *back;
    assert_int_equal(cdg_hand_out_collect(&jobs_out, 0, &back), 4);
    assert_string_equal(back[2].text, "9\tdone\t0.5\tline\n");
    for (size_t i = 0; i < 4; i++) free(back[i].text);
    free(back);
    cdg_hand_out_end(&jobs_out);
}

static void test_another_sweep(void **state) {
    (void)state;
    const cdg_mpi_door leader_door = {.send = send_to, .receive = leader_receives};
    const cdg_mpi_door other_door = {.send = send_to, .receive = other_receives};
    cdg_ranks first = {.door = &leader_door, .size = 2}, second = {.door = &other_door, .rank = 1, .size = 2};
    cdg_hand_out jobs_out;
    size_t jobs[] = {0}, *got, count;
    leader = &first, hand_out = &jobs_out;
    cdg_hand_out_begin(&jobs_out, jobs, 1);
    assert_true(cdg_ranks_want(&second, 0xdef, 1, NULL, 0));
    assert_int_equal(cdg_ranks_wait(&second, &got, &count), CDG_RANKS_END);
    assert_int_equal(attended, CDG_ERROR_FORMAT);
    assert_non_null(strstr(attended_error.message, "rank 1 has another sweep"));
    cdg_hand_out_end(&jobs_out);
}

static void test_no_library(void **state) {
    (void)state;
    cdg_ranks ranks;
    cdg_error error = {0};
    setenv("CORDAGE_MPI", "/no/such/object.so", 1);
    assert_int_equal(cdg_ranks_begin(&ranks, &error), CDG_ERROR_IO);
    assert_non_null(strstr(error.message, "MPI is not there"));
    cdg_ranks_end(&ranks);
    setenv("PMI_SIZE", "4", 1);
    assert_true(cdg_ranks_are_launched());
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_jobs_and_lines), cmocka_unit_test(test_another_sweep),
                                       cmocka_unit_test(test_no_library)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
