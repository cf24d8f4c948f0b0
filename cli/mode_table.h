// Natural frequencies of a run's rods, side by side.
#ifndef CLI_MODE_TABLE_H
#define CLI_MODE_TABLE_H

// The first modes of the first rods, on standard output; nothing when the run has none.
void print_modes(const char *directory);

#endif
