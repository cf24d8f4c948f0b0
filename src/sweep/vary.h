// What varies from case to case: one place of a scene (or several together) and the values it takes, from text:
//   rods.cable.material.young_modulus=1:10:20 MPa (log)     20 values from 1 to 10 MPa, equal ratios apart
//   rods.cable.elements=10, 20, 50                          a list; of words or whole values, too: pobd, der
//   E: rods.a.young,rods.b.young=1:10 MPa (start 3)         a range to choose from, with a name, at two places
#ifndef CDG_SWEEP_VARY_H
#define CDG_SWEEP_VARY_H

#include <cordage/base.h>

typedef enum cdg_vary_kind { CDG_VARY_RANGE, CDG_VARY_LIST } cdg_vary_kind;

typedef struct cdg_vary {
    char *label; // names its column: what stands before ':', else the first path
    bool has_label;
    char **paths;
    size_t path_count;
    cdg_vary_kind kind;
    char *unit; // "MPa"; "": none, or items with units of their own

    // a range, in units
    double low, high;
    double start;  // where a search begins; NAN: not said
    size_t count;  // values of a grid, ends included; 0: not said
    bool is_log;   // ratios count, not differences
    bool is_whole; // rounded to whole numbers

    // a list
    char **items; // texts, units included
    size_t item_count;
    double *numbers; // of the items, in units; NULL: not all of them are plain numbers of the list's unit
} cdg_vary;

enum { CDG_VARY_TEXT_SIZE = 512, CDG_VARY_COUNT_MAX = 1000000 };

// The message names the text and says what to write. Free *out in any case.
cdg_result cdg_vary_parse(const char *text, cdg_vary *out, cdg_error *error);
void cdg_vary_free(cdg_vary *vary);
// Refuses variables of which one would undo another: a path that is set twice, or set as part of a later one.
cdg_result cdg_varies_check(const cdg_vary *varies, size_t count, cdg_error *error);

// Values that a grid takes of it; 0: a range without count.
size_t cdg_vary_count(const cdg_vary *vary);
// The value at `share` of a range, 0 at its low and 1 at its high end; of a list the item's index, 0 ... count - 1.
double cdg_vary_at(const cdg_vary *vary, double share);
// Value `index` of the grid, as cdg_vary_at.
double cdg_vary_grid(const cdg_vary *vary, size_t index);

// Is the variable a number that can be drawn on an axis?
bool cdg_vary_is_number(const cdg_vary *vary);
// The number in units: of a list that of the item at index `value`, NAN when it is a word.
double cdg_vary_number(const cdg_vary *vary, double value);
// The text of a value as it stands in a scene: "3.1622776601683795 MPa", which reads back to the same bits.
size_t cdg_vary_text(const cdg_vary *vary, double value, char *out, size_t size);
// "path=value" for one of its paths. False: it does not fit.
bool cdg_vary_override(const cdg_vary *vary, size_t path, double value, char *out, size_t size);
// "label [MPa]".
size_t cdg_vary_title(const cdg_vary *vary, char *out, size_t size);

#endif
