// A process that does cases for its parent, and the lines that go to and fro.
#define _DEFAULT_SOURCE
#include "sweep/child.h"

#include "base/error.h"
#include "base/growing_text.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// A child that is started between another's socket being made and marked would keep it open, and its end unseen.
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;

static cdg_result spawn(const char *path, char *const *arguments, char *const *environment, int socket, int *process,
                        cdg_error *error) {
    posix_spawn_file_actions_t actions;
    pid_t id = 0;
    if (posix_spawn_file_actions_init(&actions) != 0) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory");
    int code = posix_spawn_file_actions_adddup2(&actions, socket, CDG_CHILD_SOCKET);
    if (code == 0) code = posix_spawn(&id, path, &actions, NULL, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    *process = (int)id;
    return code == 0 ? CDG_OK : cdg_fail(error, CDG_ERROR_IO, "%s: cannot be started: %s", path, strerror(code));
}

cdg_result cdg_child_start(const char *path, char *const *arguments, char *const *environment, cdg_child *out,
                           cdg_error *error) {
    int ends[2];
    *out = (cdg_child){.socket = -1};
    pthread_mutex_lock(&starting);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        pthread_mutex_unlock(&starting);
        return cdg_fail(error, CDG_ERROR_IO, "a socket cannot be made: %s", strerror(errno));
    }
    for (int i = 0; i < 2; i++) { // a socket at its number in the child would not be copied there, and closed by exec
        int moved = fcntl(ends[i], F_DUPFD_CLOEXEC, CDG_CHILD_SOCKET + 1);
        if (moved >= 0) close(ends[i]), ends[i] = moved;
    }
    cdg_result result = spawn(path, arguments, environment, ends[1], &out->process, error);
    pthread_mutex_unlock(&starting);
    close(ends[1]);
    if (result == CDG_OK)
        out->socket = ends[0];
    else
        close(ends[0]);
    return result;
}

// ---- lines ----------------------------------------------------------------------------------------------------------

static bool send_all(int socket, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t sent = send(socket, bytes, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        bytes += sent;
        size -= (size_t)sent;
    }
    return true;
}

static char *take_line(cdg_child *child, size_t end, size_t *length) {
    char *line = malloc(end + 1);
    if (line == NULL) return NULL;
    memcpy(line, child->buffer, end);
    line[end] = '\0';
    if (length != NULL) *length = end;
    child->size -= end + 1;
    memmove(child->buffer, child->buffer + end + 1, child->size);
    return line;
}

char *cdg_child_answer(cdg_child *child, size_t *length) {
    for (size_t seen = 0;;) {
        const char *newline = child->size > seen ? memchr(child->buffer + seen, '\n', child->size - seen) : NULL;
        if (newline != NULL) return take_line(child, (size_t)(newline - child->buffer), length);
        seen = child->size;
        char bytes[4096];
        ssize_t received = recv(child->socket, bytes, sizeof bytes, 0);
        if (received < 0 && errno == EINTR) continue;
        if (received <= 0) return NULL;
        if (!cdg_text_append(&child->buffer, &child->size, &child->capacity, bytes, (size_t)received)) return NULL;
    }
}

bool cdg_child_ask(cdg_child *child, const char *line) {
    return send_all(child->socket, line, strlen(line)) && send_all(child->socket, "\n", 1);
}

char *cdg_child_hear(cdg_child *self) { return cdg_child_answer(self, NULL); }

bool cdg_child_say(cdg_child *self, const char *line, size_t size) { return send_all(self->socket, line, size); }

// ---- the end --------------------------------------------------------------------------------------------------------

static void describe_end(int status, char *how, size_t size, int *signal_number) {
    how[0] = '\0';
    *signal_number = 0;
    if (WIFSIGNALED(status)) {
        *signal_number = WTERMSIG(status);
        snprintf(how, size, "was ended by signal %d (%s%s)", *signal_number, strsignal(*signal_number),
                 *signal_number == SIGKILL ? ", as when memory runs out" : "");
    } else if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
        snprintf(how, size, "ended with status %d", WEXITSTATUS(status));
    }
}

void cdg_child_end(cdg_child *child, char *how, size_t size, int *signal_number) {
    int status = 0;
    how[0] = '\0';
    *signal_number = 0;
    if (child->socket >= 0) close(child->socket);
    if (child->process > 0) {
        while (waitpid((pid_t)child->process, &status, 0) < 0 && errno == EINTR) continue;
        describe_end(status, how, size, signal_number);
    }
    free(child->buffer);
    *child = (cdg_child){.socket = -1};
}
