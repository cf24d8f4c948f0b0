// Who may come in.
#include "view/gate.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

bool cdg_gate_make_token(char out[CDG_TOKEN_SIZE]) {
    unsigned char bytes[(CDG_TOKEN_SIZE - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

static bool is_name(const cdg_gate *gate, const char *host, const char *name) {
    char wanted[300];
    bool is_bare_ipv6 = strchr(name, ':') != NULL && name[0] != '[';
    snprintf(wanted, sizeof wanted, is_bare_ipv6 ? "[%s]:%d" : "%s:%d", name, gate->port);
    if (strcasecmp(host, wanted) == 0) return true;
    wanted[strlen(wanted) - strlen(strrchr(wanted, ':'))] = '\0';
    return gate->port == 80 && strcasecmp(host, wanted) == 0;
}

// An address of all interfaces is known by names that we do not know; the token stands guard there.
static bool is_wildcard(const char *listen) { return strcmp(listen, "0.0.0.0") == 0 || strcmp(listen, "::") == 0; }

bool cdg_gate_takes_host(const cdg_gate *gate, const char *host) {
    if (gate->listen != NULL && (is_wildcard(gate->listen) ? host[0] != '\0' : is_name(gate, host, gate->listen)))
        return true;
    return is_name(gate, host, "127.0.0.1") || is_name(gate, host, "localhost") || is_name(gate, host, "::1");
}

bool cdg_gate_takes_origin(const cdg_gate *gate, const char *host, const char *origin) {
    char wanted[400];
    if (origin[0] == '\0') return true;
    snprintf(wanted, sizeof wanted, "http://%s", host);
    return cdg_gate_takes_host(gate, host) && strcasecmp(origin, wanted) == 0;
}

bool cdg_gate_takes_token(const cdg_gate *gate, const char *token) {
    size_t length = strlen(gate->token);
    if (length == 0) return true;
    if (strlen(token) != length) return false;
    unsigned difference = 0;
    for (size_t i = 0; i < length; i++) difference |= (unsigned char)token[i] ^ (unsigned char)gate->token[i];
    return difference == 0;
}
