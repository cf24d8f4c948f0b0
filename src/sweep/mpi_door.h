// What a sweep needs of MPI, as a table of functions in a shared object of its own (mpi/cordage_mpi.c): the command
// does not need MPI unless it runs under it.
#ifndef CDG_SWEEP_MPI_DOOR_H
#define CDG_SWEEP_MPI_DOOR_H

#include <stdbool.h>
#include <stddef.h>

enum { CDG_MPI_DOOR_VERSION = 1 };
#define CDG_MPI_DOOR_SYMBOL "cdg_mpi_door_table"

typedef struct cdg_mpi_door {
    int version;
    bool (*begin)(int *rank, int *size); // messages are sent and received by one thread alone
    void (*end)(void);
    bool (*send)(int to, const char *text, size_t size);
    // A message that is there: malloc'ed, terminated. False: there is none; *text is NULL then, unless it failed.
    bool (*receive)(int *from, char **text, size_t *size);
} cdg_mpi_door;

#endif
