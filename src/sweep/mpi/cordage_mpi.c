// The table of mpi_door.h on top of MPI. The only file that sees MPI's header.
#include "sweep/mpi_door.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

enum { MESSAGE_TAG = 20 };

static bool begin(int *rank, int *size) {
    int provided = MPI_THREAD_SINGLE;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return false;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); // a rank that is gone is told, where MPI can
    return provided >= MPI_THREAD_FUNNELED && MPI_Comm_rank(MPI_COMM_WORLD, rank) == MPI_SUCCESS &&
           MPI_Comm_size(MPI_COMM_WORLD, size) == MPI_SUCCESS;
}

static void end(void) { MPI_Finalize(); }

static bool send(int to, const char *text, size_t size) {
    return size <= INT_MAX && MPI_Send(text, (int)size, MPI_CHAR, to, MESSAGE_TAG, MPI_COMM_WORLD) == MPI_SUCCESS;
}

static bool receive(int *from, char **text, size_t *size) {
    int is_there = 0, count = 0;
    MPI_Status status;
    *text = NULL;
    if (MPI_Iprobe(MPI_ANY_SOURCE, MESSAGE_TAG, MPI_COMM_WORLD, &is_there, &status) != MPI_SUCCESS) return false;
    if (!is_there || MPI_Get_count(&status, MPI_CHAR, &count) != MPI_SUCCESS) return false;
    char *bytes = malloc((size_t)count + 1);
    if (bytes == NULL) return false;
    *from = status.MPI_SOURCE;
    *size = (size_t)count;
    *text = bytes;
    bytes[count] = '\0';
    if (MPI_Recv(bytes, count, MPI_CHAR, *from, MESSAGE_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS)
        return true;
    free(bytes);
    *text = NULL;
    return false;
}

extern const cdg_mpi_door cdg_mpi_door_table;
const cdg_mpi_door cdg_mpi_door_table = {CDG_MPI_DOOR_VERSION, begin, end, send, receive};
