// The journal of a sweep: one line for each case that has ended, only ever appended to, each with its checksum. What it
// holds survives the death of the process at any moment; a line that was cut short does not count.
#ifndef CDG_SWEEP_JOURNAL_H
#define CDG_SWEEP_JOURNAL_H

#include "sweep/outcome.h"

typedef struct cdg_journal cdg_journal;

typedef struct cdg_journal_def {
    const char *path;
    uint64_t fingerprint; // of everything that decides the cases: a journal of another sweep is refused
    size_t case_count, column_count;
} cdg_journal_def;

// Makes a new journal, in place of one that may be there.
cdg_result cdg_journal_create(const cdg_journal_def *def, cdg_journal **out, cdg_error *error);
// Opens one to go on, and fills `outcomes` (case_count, zeroed) with what it holds; the last line of a case counts.
// CDG_ERROR_FORMAT: it belongs to another sweep. *damaged is the number of lines whose checksum does not fit.
cdg_result cdg_journal_open(const cdg_journal_def *def, cdg_outcome *outcomes, size_t *damaged, cdg_journal **out,
                            cdg_error *error);
// One write of one line. It is the system's from then on; the device has it a second later at most.
cdg_result cdg_journal_append(cdg_journal *journal, const char *line, size_t size, cdg_error *error);
cdg_result cdg_journal_close(cdg_journal *journal, cdg_error *error); // NULL is fine

#endif
