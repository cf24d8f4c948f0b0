// The little of HDF5 that a run needs. Only files in src/output include its headers.
#ifndef CDG_OUTPUT_HDF5_FILE_H
#define CDG_OUTPUT_HDF5_FILE_H

#include <cordage/base.h>

#include <hdf5.h>

// HDF5 prints its errors to standard error by itself; between begin and end it does not, and the first one's reason
// is kept: its innermost sentence, or the system's own when there is one. In a thread-safe HDF5 this holds for the
// calling thread only, so calls from several threads do not disturb each other.
typedef struct cdg_hdf5_quiet {
    H5E_auto2_t function; // what was in force before
    void *data;
    char reason[256]; // "" while nothing has failed
} cdg_hdf5_quiet;
void cdg_hdf5_quiet_begin(cdg_hdf5_quiet *quiet);
void cdg_hdf5_quiet_end(const cdg_hdf5_quiet *quiet);

// A file in the format of HDF5 1.8: its metadata carry checksums, and no flag in it says that a writer has it open,
// so it opens after a crash and while it is written. HDF5's own file locks are not used. Negative on failure.
hid_t cdg_hdf5_create(const char *path);
hid_t cdg_hdf5_open(const char *path); // for reading

// Attributes. Text is UTF-8 of fixed length: unlike that of variable length it is under HDF5's checksums, so that a
// damaged file is noticed instead of crashing HDF5. False on failure.
bool cdg_hdf5_put_text(hid_t object, const char *name, const char *text);
bool cdg_hdf5_put_number(hid_t object, const char *name, double value);
bool cdg_hdf5_put_integer(hid_t object, const char *name, uint64_t value);
bool cdg_hdf5_get_text(hid_t object, const char *name, char **out); // malloc'ed
bool cdg_hdf5_get_number(hid_t object, const char *name, double *out);
bool cdg_hdf5_get_integer(hid_t object, const char *name, uint64_t *out);
// Text that is one of `words`: which.
bool cdg_hdf5_get_word(hid_t object, const char *name, const char *const words[], int count, int *out);

// What is in a group: how many things, and the name of one of them. A damaged file may claim any number: false for more
// than `most`, and for names that do not fit.
enum { CDG_HDF5_NAME_SIZE = 1024 };
bool cdg_hdf5_count(hid_t group, uint64_t most, size_t *out);
bool cdg_hdf5_name(hid_t group, size_t index, char out[CDG_HDF5_NAME_SIZE]);

// All numbers of a dataset of doubles; there must be room for them.
bool cdg_hdf5_read_numbers(hid_t group, const char *name, double *out);

enum { CDG_HDF5_RANK_MAX = 4 };

// A dataset stored in one piece, which HDF5 places but never writes: `offset` is where its numbers go in the file.
typedef struct cdg_hdf5_block {
    const char *name;
    hid_t type; // H5T_NATIVE_DOUBLE, H5T_NATIVE_UINT64, or text of a fixed length
    int rank;
    uint64_t size[CDG_HDF5_RANK_MAX];
    const char *units, *description; // attributes
    bool is_optional;                // older files may not have it
    uint64_t offset;                 // bytes from the start of the file; out
} cdg_hdf5_block;

bool cdg_hdf5_create_block(hid_t group, cdg_hdf5_block *block);
// Finds the dataset; size[0] is filled in when it is given as 0, all else must agree. `file_size` bounds where it may
// lie.
bool cdg_hdf5_find_block(hid_t group, cdg_hdf5_block *block, uint64_t file_size);

#endif
