// Who may come in: Host, Origin and token of a request, checked before anything else is looked at.
#ifndef CDG_VIEW_GATE_H
#define CDG_VIEW_GATE_H

#include <stdbool.h>

enum { CDG_TOKEN_SIZE = 33 }; // 128 bits in hexadecimal

typedef struct cdg_gate {
    const char *listen; // the address that is listened on; NULL: the loopback
    int port;
    char token[CDG_TOKEN_SIZE]; // "": none is asked for
} cdg_gate;

// 128 random bits; false: the system gives none.
bool cdg_gate_make_token(char out[CDG_TOKEN_SIZE]);
// The header Host must name this server, so that no foreign name that leads here (DNS rebinding) is served.
bool cdg_gate_takes_host(const cdg_gate *gate, const char *host);
// The header Origin, which browsers send, must be this server's page; other programs send none ("").
bool cdg_gate_takes_origin(const cdg_gate *gate, const char *host, const char *origin);
bool cdg_gate_takes_token(const cdg_gate *gate, const char *token); // in time that tells nothing about it

#endif
