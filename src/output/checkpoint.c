// A world's state with a checksum over every word: a block that was only half written when the process died is noticed.
#include "output/checkpoint.h"

#include <string.h>

enum {
    WORD_MAGIC,
    WORD_CHECKSUM,
    WORD_SEQUENCE,
    WORD_FRAME,
    WORD_STEP,
    WORD_COUNT,
    WORD_EXTRA,
    WORD_TALLY,
    TALLY_WORDS = sizeof(cdg_run_tally) / sizeof(double),
    WORD_STATE = WORD_TALLY + TALLY_WORDS
};

_Static_assert(sizeof(cdg_run_tally) == TALLY_WORDS * sizeof(uint64_t), "the tally is stored as words");
_Static_assert(sizeof(double) == sizeof(uint64_t), "a double is a word");

static const uint64_t magic = 0x31305F504B474443u; // "CDGKP_01" in a little-endian file

size_t cdg_checkpoint_words(const cdg_world *world) { return WORD_STATE + cdg_world_snapshot_size(world); }

static uint64_t get_word(const double *block, size_t index) {
    uint64_t word;
    memcpy(&word, block + index, sizeof word);
    return word;
}
static void put_word(double *block, size_t index, uint64_t word) { memcpy(block + index, &word, sizeof word); }

// Each word is mixed with its index by the finalizer of splitmix64 (Steele et al. 2014), so that exchanged, shifted and
// zeroed words all change the sum.
static uint64_t checksum(const double *block, size_t word_count) {
    uint64_t sum = 0;
    for (size_t i = 0; i < word_count; i++) {
        if (i == WORD_CHECKSUM) continue;
        uint64_t z = get_word(block, i) + (i + 1) * 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        sum += z ^ (z >> 31);
    }
    return sum;
}

cdg_result cdg_checkpoint_encode(const cdg_checkpoint *checkpoint, const cdg_world *world, double *block,
                                 size_t word_count) {
    cdg_result result = cdg_world_snapshot_save(world, block + WORD_STATE);
    if (result != CDG_OK) return result;
    put_word(block, WORD_MAGIC, magic);
    put_word(block, WORD_SEQUENCE, checkpoint->sequence);
    put_word(block, WORD_FRAME, checkpoint->frame);
    put_word(block, WORD_STEP, checkpoint->step);
    put_word(block, WORD_COUNT, word_count);
    size_t state_end = cdg_checkpoint_words(world);
    put_word(block, WORD_EXTRA, word_count - state_end);
    for (size_t i = state_end; i < word_count; i++) put_word(block, i, 0);
    if (checkpoint->extra_count > 0)
        memcpy(block + state_end, checkpoint->extra, checkpoint->extra_count * sizeof *block);
    memcpy(block + WORD_TALLY, &checkpoint->tally, sizeof checkpoint->tally);
    put_word(block, WORD_CHECKSUM, checksum(block, word_count));
    return CDG_OK;
}

bool cdg_checkpoint_decode(const double *block, size_t word_count, cdg_checkpoint *out) {
    if (word_count < WORD_STATE || get_word(block, WORD_MAGIC) != magic) return false;
    if (get_word(block, WORD_COUNT) != word_count) return false;
    if (get_word(block, WORD_CHECKSUM) != checksum(block, word_count)) return false;
    size_t extra_count = (size_t)get_word(block, WORD_EXTRA);
    if (extra_count > word_count - WORD_STATE) return false;
    *out = (cdg_checkpoint){
        .extra = block + word_count - extra_count,
        .extra_count = extra_count,
        .sequence = get_word(block, WORD_SEQUENCE),
        .frame = get_word(block, WORD_FRAME),
        .step = get_word(block, WORD_STEP),
    };
    memcpy(&out->tally, block + WORD_TALLY, sizeof out->tally);
    return true;
}

bool cdg_checkpoint_load(const double *block, cdg_world *world) {
    if (get_word(block, WORD_COUNT) != cdg_checkpoint_words(world) + get_word(block, WORD_EXTRA)) return false;
    return cdg_world_snapshot_load(world, block + WORD_STATE) == CDG_OK &&
           cdg_world_step_index(world) == get_word(block, WORD_STEP);
}
