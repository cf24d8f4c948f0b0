// Passages: straight and slanted lines agree with a plain search along each line.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "meshing/passages.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 37, LENGTH = 23, MET = 60, LEFT = 120 };

// As it is told in the header, line by line.
static void vote_plainly(const unsigned char *nearness, int slant, int row, int column, unsigned char *votes,
                         unsigned char *abstentions) {
    int at[LENGTH], count = 0, places[LENGTH], found = 0, least = 255, peak = 255, best = 0;
    for (int x = column; row < LENGTH && x >= 0 && x < WIDTH; row++, x += slant) at[count++] = row * WIDTH + x;
    for (int i = 0; i <= count; i++) {
        int here = i < count ? nearness[at[i]] : 255;
        bool again = here <= MET && least <= MET && peak >= LEFT;
        if ((again || here == 255) && least < 255) places[found++] = best;
        if (here == 255) {
            least = peak = 255;
        } else if (again || here < least) {
            best = i;
            least = peak = here;
        } else if (here > peak) {
            peak = here;
        }
    }
    for (int i = 0; i < count; i++) {
        abstentions[at[i]] = (unsigned char)(abstentions[at[i]] + found % 2);
        for (int k = 0; k + 1 < found && found % 2 == 0; k += 2)
            if (i >= places[k] && i <= places[k + 1])
                votes[at[i]] = (unsigned char)(votes[at[i]] + (i == places[k] || i == places[k + 1] ? 1 : 2));
    }
}

static void test_lines_agree_with_a_plain_search(void **state) {
    (void)state;
    cdg_random random = {7};
    unsigned char *scratch = malloc(cdg_passages_scratch(WIDTH, LENGTH));
    for (int trial = 0; trial < 300; trial++) {
        static unsigned char nearness[WIDTH * LENGTH], votes[2][WIDTH * LENGTH], abstentions[2][WIDTH * LENGTH];
        double far = random_unit(&random);
        for (int i = 0; i < WIDTH * LENGTH; i++)
            nearness[i] = random_unit(&random) < far ? 255 : (unsigned char)(254 * random_unit(&random));
        memset(votes, 0, sizeof votes);
        memset(abstentions, 0, sizeof abstentions);
        int slant = trial % 3 - 1;
        cdg_passage_rows rows = {WIDTH, LENGTH, slant, WIDTH, nearness, votes[0], abstentions[0]};
        cdg_passages_vote(&rows, MET, LEFT, scratch);
        for (int x = 0; x < WIDTH; x++) vote_plainly(nearness, slant, 0, x, votes[1], abstentions[1]);
        for (int row = 1; row < LENGTH && slant != 0; row++)
            vote_plainly(nearness, slant, row, slant > 0 ? 0 : WIDTH - 1, votes[1], abstentions[1]);
        assert_memory_equal(votes[0], votes[1], sizeof *votes);
        assert_memory_equal(abstentions[0], abstentions[1], sizeof *abstentions);
    }
    free(scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_agree_with_a_plain_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
